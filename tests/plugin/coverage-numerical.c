// With -fsanitize=numerical, which puts its own code before a return, functions are traced in place: a
// jump to a copy would not be the last thing that they do.
// UNSUPPORTED: clang14, clang16
// RUN: %clang -O0 -fsanitize=numerical -c -o %t.o %s
// RUN: %clang -O2 -g -fsanitize=numerical -c -o %t.o %s
// RUN: %clang -O1 -fsanitize=numerical -S -emit-llvm -o - %s | FileCheck %s
//
// CHECK-LABEL: define {{.*}}@scale(
// CHECK-NOT: musttail
// CHECK: call {{.*}}cfuzz_trace
double scale(double x, double y);
double scale(double x, double y)
{
    return x > 10 ? x * y : x + y;
}
