// A symbol that a statement of assembly defines by a macro, or by what it includes, is defined once.
// REQUIRES: x86
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: mkdir -p %t.d && echo 'included_label:' > %t.d/label.inc
// RUN: %clang -O1 -g -Wa,-I%t.d -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s
// RUN: %clang -O0 -g -Wa,-I%t.d -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O1 -DMACRO -g -o %t.m %s %t.rt.o && %t.m | FileCheck %s --check-prefix=MACRO
#define APART __attribute__((noinline))

void program(void);
static volatile int three = 3;

#ifdef MACRO
__asm__(".macro label_of name\n\\name\\()_label:\n.endm");

APART static int defines(int n)
{
    // MACRO: [[@LINE+1]]: int32 3 > 2'
    if (n > 2)
        __asm__ volatile("label_of macro");
    return n;
}
#else
APART static int defines(int n)
{
    // CHECK: [[@LINE+1]]: int32 3 > 2'
    if (n > 2)
        __asm__ volatile(".include \"label.inc\"");
    return n;
}
#endif
// CHECK-NOT: BROKEN
// MACRO-NOT: BROKEN

void program(void)
{
    three = defines(three);
}
