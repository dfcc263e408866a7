// ThreadSanitizer leaves our store and LLVM's counters alone. Before LLVM 19 it ignores nosanitize (for
// the counters of -fsanitize=fuzzer too), and is told by their names.
// RUN: %clang -O1 -g -S -emit-llvm -fsanitize=thread -o - %S/coverage-sanitizers.c | FileCheck %s
// RUN: %clang -O0 -S -emit-llvm -fsanitize=thread -o - %S/coverage-sanitizers.c | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -fsanitize=thread -o - %S/coverage-sanitizers.c | FileCheck %s
int unused;
// CHECK: define {{.*}}@sum(
// CHECK-NOT: {{tsan.*(cfuzz.flag|sancov_gen)}}
// CHECK: store i8 1, {{.*}}cfuzz.flag
// CHECK-NOT: {{tsan.*(cfuzz.flag|sancov_gen)}}
// CHECK: __sancov_gen_
// CHECK-NOT: {{call.*tsan.*(cfuzz.flag|sancov_gen)}}
