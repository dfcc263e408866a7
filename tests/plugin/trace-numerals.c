// A number that the C library reads from text is compared with 0, unless the program does that itself.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 sites | FileCheck %s && %t.1 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=RECORD
/* As they are declared, without what a header makes of them. */
long strtol(const char *, char **, int), labs(long);
int atoi(const char *);
double strtod(const char *, char **);

#define APART __attribute__((noinline))

void program(void);
static volatile long sink;
static volatile double real;

APART static void reads(const char *s, char **end)
{
    // CHECK: trace-numerals.c:[[@LINE+2]]: bound int64 column {{[0-9]+}} != B true=none false=none
    // RECORD: [[@LINE+1]]: bound int64 17 != 0'
    sink = strtol(s, end, 10);
    // CHECK: trace-numerals.c:[[@LINE+2]]: bound int32
    // RECORD: [[@LINE+1]]: bound int32 17 != 0'
    sink += atoi(s);
    // CHECK: trace-numerals.c:[[@LINE+2]]: bound float64 column {{[0-9]+}} != B true=none false=none
    // RECORD: [[@LINE+1]]: bound float64 17 != 0'
    real = strtod(s, end);
}

APART static void asks(const char *s)
{
    // CHECK-NOT: trace-numerals.c:[[@LINE+1]]: bound
    long n = strtol(s, (char **)0, 10);

    if (n != 0)
        sink = n;
    // CHECK-NOT: trace-numerals.c:[[@LINE+1]]: bound
    sink += labs(n);
}

void program(void)
{
    char *end;

    reads("17 apples", &end);
    asks("18");
}
// CHECK-NOT: BROKEN
// RECORD-NOT: BROKEN
