// An index is compared with the size of its array, unless it cannot leave it.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 sites | FileCheck %s && %t.1 | FileCheck %s --check-prefixes=RECORD,NEGATIVE
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 | FileCheck %s --check-prefixes=RECORD,NEGATIVE
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefixes=RECORD,NEGATIVE
// RUN: %clang -O2 -g -fsanitize=bounds -fsanitize-trap=bounds -o %t.u %s %t.rt.o && %t.u | FileCheck %s --check-prefix=RECORD
#include <stdint.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int64_t sink;
static volatile int table[100];
static volatile short matrix[7][9];
static volatile struct record {
    int n, m;
} records[5];
static volatile char bytes[256];

APART static void leaves(uint64_t u, int row, int column)
{
    // CHECK: trace-bounds.c:[[@LINE+2]]: bound {{u?}}int64 column {{[0-9]+}} >= B true=none false=none
    // RECORD: [[@LINE+1]]: bound {{u?}}int64 99 >= 100'
    sink = table[u % 101];
    // RECORD-DAG: [[@LINE+4]]: bound {{u?}}int{{32|64}} 3 >= 7'
    // RECORD-DAG: [[@LINE+3]]: bound {{u?}}int{{32|64}} 8 >= 9'
    // NEGATIVE-DAG: [[@LINE+2]]: bound int{{32|64}} 3 < 0'
    // NEGATIVE-DAG: [[@LINE+1]]: bound int{{32|64}} 8 < 0'
    sink = matrix[row][column];
    // RECORD-DAG: [[@LINE+1]]: bound {{u?}}int{{32|64}} 3 >= 5'
    sink = records[row].n;
}

// A char is negative, or within.
APART static void text(const char *s)
{
    // CHECK-NOT: trace-bounds.c:[[@LINE+3]]: {{.*}} >=
    // CHECK: trace-bounds.c:[[@LINE+2]]: bound int{{8|64}} column {{[0-9]+}} < B
    // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: {{.*}} >=
    sink = bytes[(signed char)s[0]];
}

APART static void stays(const uint8_t *s, unsigned n, int i)
{
    // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: bound
    sink = bytes[s[0]];
    // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: bound
    sink = table[n & 63];
    // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: bound
    sink = table[n % 100];
    if (i >= 0 && i < 100)
        // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: bound
        sink = table[i];
    for (int k = 0; k < 100; k++)
        // CHECK-NOT: trace-bounds.c:[[@LINE+1]]: bound
        sink = table[k];
}

// One that is compared with too much can leave.
APART static void nearly(unsigned i)
{
    if (i <= 100)
        // CHECK: trace-bounds.c:[[@LINE+1]]: bound uint{{32|64}} column {{[0-9]+}} >= B
        sink = table[i];
}

void program(void)
{
    static volatile int numbers[] = {99, 17, 3, 8, 40};
    static char *volatile word = "a";

    leaves((uint64_t)numbers[0], numbers[2], numbers[3]);
    text(word);
    stays((const uint8_t *)word, (unsigned)numbers[0], numbers[1]);
    nearly((unsigned)numbers[4]);
}
