// A call of a function of cfuzz.h stays a call where it is the last thing done: the caller is in the stack.
// Other calls may become jumps.
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -o - %s | FileCheck --check-prefix=ASM %s

typedef struct cfuzz cfuzz_t;
void cfuzz_fail(cfuzz_t *t);
int other(int n);

// CHECK-LABEL: @reports(
// CHECK: notail call void @cfuzz_fail(
// ASM-LABEL: reports:
// ASM: call{{q?}} cfuzz_fail
void reports(cfuzz_t *t);
void reports(cfuzz_t *t)
{
    cfuzz_fail(t);
}

// CHECK-LABEL: @passes_on(
// CHECK: tail call{{.*}} @other(
int passes_on(int n);
int passes_on(int n)
{
    return other(n);
}
