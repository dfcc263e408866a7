// A test whose results nobody uses is called all the same, and counted. Without the assembly at its
// beginning it would be known to do nothing: no call of it, and the thunk empty.
// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -S -emit-llvm -o - %s | FileCheck %s
#include <cfuzz.h>
#include <stdlib.h>

// CHECK-LABEL: define internal void @FuzzUnused(
// CHECK-DAG: call void asm sideeffect "", "~{memory}"()
// CHECK-DAG: __sancov_gen_
// CHECK-LABEL: define internal void @cfuzz_call_FuzzUnused(
// CHECK: call void @FuzzUnused(
// CHECK: ret void
FUZZ_TEST(FuzzUnused, int)(cfuzz_t *t, int n)
{
    (void)t;
    char *p = malloc(n > 0 ? (size_t)n : 1);

    if (p != NULL && n > 1000)
        p[0] = 1;
    free(p);
}
