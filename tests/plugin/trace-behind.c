// How much of the program lies behind an outcome: the counters that no execution reaches without it.
// For "holds" and "does not hold"; of a switch for its default, then <counters>@<first case of the
// same body> for each case.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 behind | FileCheck %s --check-prefixes=CHECK,O0 && %t.0 | FileCheck %s --check-prefix=REACHED
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 behind | FileCheck %s --check-prefixes=CHECK,OPT && %t.2 | FileCheck %s --check-prefix=REACHED
#include <string.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;

// The outcomes of the second "if" have counters, the block before it needs none.
APART static void nested(int n, int m)
{
    // CHECK: {{^}}[[@LINE+1]]: int32 behind 2 1
    if (n < 7) {
        sink = 1;
        // CHECK: {{^}}[[@LINE+1]]: int32 behind 1 1
        if (m < 9)
            sink = 2;
        else
            sink = 3;
        sink = 4;
    } else {
        sink = 5;
    }
}

// What comes after a return lies behind "not"; it is reached from one place alone.
APART static int early(int n, int m)
{
    // CHECK: {{^}}[[@LINE+1]]: int32 behind 1 2
    if (n > 33)
        return 1;
    sink = 6;
    // CHECK: {{^}}[[@LINE+1]]: int32 behind 1 1
    if (m > 44)
        sink = 7;
    sink = 8;
    return 0;
}

// Both must hold, and either one is enough: behind that lies nothing that needs one of them.
APART static void combined(unsigned n, unsigned m)
{
    unsigned both = (n > 51) & (m > 52), either = (n > 53) | (m > 54);

    if (both)
        sink = 9;
    sink = 10;
    if (either)
        sink = 11;
    // OPT: {{^}}[[@LINE-7]]: uint32 behind 1 0
    // OPT: {{^}}[[@LINE-8]]: uint32 behind 1 0
    // OPT: {{^}}[[@LINE-9]]: uint32 behind 0 1
    // OPT: {{^}}[[@LINE-10]]: uint32 behind 0 1
}

// Cases with one body have what is behind it in common. The last one shares the body of default.
APART static void chooses(int n, int m)
{
    // CHECK: {{^}}[[@LINE+1]]: switch behind 0 1 of 1 2 5 9 1@0 3@1 1@2 3@1
    switch (n) {
    case 9:
    case 2:
        sink = 12;
        // CHECK: {{^}}[[@LINE+1]]: int32 behind 1 1
        if (m < 61)
            sink = 13;
        sink = 14;
        break;
    case 5:
        sink = 15;
        break;
    case 1:
        sink = 16; // and on
    default:
        sink = 17;
    }
}

APART static void text(const char *s, const char *t)
{
    // CHECK: {{^}}[[@LINE+1]]: string behind 1 1
    if (strcmp(s, t) == 0)
        sink = 18;
    else
        sink = 19;
    // CHECK: {{^}}[[@LINE+1]]: find behind 1 1
    if (!strstr(s, t))
        sink = 20;
    else
        sink = 21;
}

// A function that is called from one place alone is part of it, and so is what it alone calls: 1 of
// the block, 3 of "alone", 1 of "last". Not what is called from elsewhere too.
APART static void last(void) { sink = 22; }
APART static void elsewhere(void) { sink = 23; }
APART static void alone(int n)
{
    if (n < 70)
        last();
    else
        sink = 24;
}
APART static void calls(int n, int m)
{
    // CHECK: {{^}}[[@LINE+1]]: int32 behind 5 1
    if (n < 60) {
        alone(m);
        elsewhere();
    } else {
        elsewhere();
    }
}

// Functions that call each other and themselves. "itself" has 3, and nobody else calls it; what calls
// "ping" is no single place.
static void pong(int n);
APART static void ping(int n)
{
    if (n > 80)
        pong(n - 1);
    sink = 25;
}
APART static void pong(int n)
{
    if (n > 81)
        ping(n - 1);
    sink = 26;
}
APART static void itself(int n)
{
    if (n > 82)
        itself(n - 1);
    sink = 27;
}
APART static void recursion(int n)
{
    // O0: {{^}}[[@LINE+1]]: int32 behind 4 1
    if (n > 83) {
        ping(n);
        itself(n);
    }
    sink = 28;
    // CHECK: {{^}}[[@LINE-45]]: int32 behind 2 1
    // O0: {{^}}[[@LINE-25]]: int32 behind 4 1
    // O0: {{^}}[[@LINE-14]]: int32 behind 1 1
    // O0: {{^}}[[@LINE-21]]: int32 behind 1 1
}

// Volatile, so that the optimiser knows none of the values.
static volatile int zero;
static const char *volatile some_text = "some text";
static const char *volatile some_word = "word";

void program(void)
{
    nested(zero, zero);
    early(zero, zero);
    combined((unsigned)zero, (unsigned)zero);
    chooses(zero + 2, zero);
    chooses(zero, zero);
    text(some_text, some_word);
    calls(zero + 65, zero);
    recursion(zero);
}

// REACHED-NOT: BROKEN
// REACHED: consistent: 1 images,
