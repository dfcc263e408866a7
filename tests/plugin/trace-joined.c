// A comparison that is only a part of what a branch asks for tells the counter behind the whole; where
// what is behind it never returns, another address, the same for all parts.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 > /dev/null
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 > /dev/null
#include <stdlib.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;

/* Both have to hold: the other outcome of one is enough for the other way. */
APART static void both(int a, int b)
{
    // CHECK: trace-joined.c:[[@LINE+2]]: {{u?}}int32 {{.*}} == B true=joined false=none
    // CHECK: trace-joined.c:[[@LINE+1]]: {{u?}}int32 {{.*}} == B true=joined false=none
    if ((a == 3) & (b == 5))
        sink++;
}

APART static void either(int a, int b)
{
    // CHECK: trace-joined.c:[[@LINE+2]]: {{u?}}int32 {{.*}} == B true=none false=joined
    // CHECK: trace-joined.c:[[@LINE+1]]: {{u?}}int32 {{.*}} == B true=none false=joined
    if ((a == 70) | (b == 90))
        return;
    sink++;
}

/* No counter is behind it. */
APART static void fatal(int a, int b)
{
    // CHECK: trace-joined.c:[[@LINE+2]]: {{u?}}int32 {{.*}} == B true=joined false=none
    // CHECK: trace-joined.c:[[@LINE+1]]: {{u?}}int32 {{.*}} == B true=joined false=none
    if ((a == 21) & (b == 22))
        abort();
}

/* One alone decides. */
APART static void alone(int a)
{
    // CHECK: trace-joined.c:[[@LINE+1]]: {{u?}}int32 {{.*}} == B true=own false=own
    if (a == 33)
        sink++;
    else
        sink--;
}

void program(void)
{
    static volatile int three = 3, five = 5;

    both(three, three);
    both(three, five);
    either(three, five);
    fatal(three, five);
    alone(five);
}
