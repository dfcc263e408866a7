// Link-time optimisation keeps tests, flags and records; our passes run when compiling only.
// REQUIRES: own-lld
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang %lld -O2 -flto -fplugin-arg-cfuzz-rename-main=on -DMAIN -o %t.1 %S/coverage-sanitizers.c %s %t.rt.o && %t.1 | FileCheck %s
// RUN: %clang %lld -O2 -flto=thin -fplugin-arg-cfuzz-rename-main=on -DMAIN -o %t.2 %S/coverage-sanitizers.c %s %t.rt.o && %t.2 | FileCheck %s
int main(void)
{
    return 1;
}
// CHECK: log: 1004
// CHECK-NOT: BROKEN
// CHECK: sum flag=1 counters={{[0-9]+}} entry=1
// CHECK: consistent
