// A long double of x87 is told by its first 64 bits; where equality is asked, a second site has the last 16.
// REQUIRES: x86
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 sites | FileCheck %s && %t.1 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=RECORD
long double strtold(const char *, char **);

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;
static volatile long double half = 0.5L;

APART static void ranges(long double x)
{
    // CHECK: trace-long-doubles.c:[[@LINE+2]]: float80 {{.*}}
    // RECORD: [[@LINE+1]]: float80 0.5 > 48.25'
    if (x > 48.25L)
        sink++;
}

APART static void equals(long double x)
{
    // CHECK: trace-long-doubles.c:[[@LINE+4]]: float80 {{.*}}
    // CHECK: trace-long-doubles.c:[[@LINE+3]]: uint16 {{.*}}
    // RECORD: [[@LINE+2]]: float80 0.5 {{[=!]=|\?!=}} 0.3'
    // RECORD: [[@LINE+1]]: uint16 0 {{[=!]=}} 39322'
    if (x == 0.3L)
        sink++;
}

// Neither part of one that differs in the other says which way the program went.
APART static void differs(long double x)
{
    // CHECK: trace-long-doubles.c:[[@LINE+2]]: float80 {{.*}} true=none false=none
    // CHECK: trace-long-doubles.c:[[@LINE+1]]: uint16 {{.*}} true=none false=none
    if (x == 4.25L)
        sink++;
}

APART static void reads(const char *s)
{
    // CHECK: trace-long-doubles.c:[[@LINE+3]]: bound float80
    // RECORD: [[@LINE+2]]: bound float80 17 != 0'
    // RECORD: [[@LINE+2]]: float80 17 < 48.25'
    long double x = strtold(s, (char **)0);
    if (x < 48.25L)
        sink++;
}

void program(void)
{
    ranges(half);
    equals(half);
    differs(2 * half);
    reads("17");
}
// CHECK-NOT: BROKEN
// RECORD-NOT: BROKEN
