// ThreadSanitizer leaves our store and LLVM's counters alone. Before LLVM 19 it does not: it ignores
// nosanitize there, for the counters of -fsanitize=fuzzer too.
// REQUIRES: clang19 || clang22
// RUN: %clang -O1 -g -S -emit-llvm -fsanitize=thread -o - %S/coverage-sanitizers.c | FileCheck %s
int unused;
// CHECK: define {{.*}}@sum(
// CHECK: store i8 1, ptr @cfuzz.flag
// CHECK-NOT: tsan{{.*}}@cfuzz.flag
// CHECK-NOT: tsan{{.*}}@__sancov_gen_
