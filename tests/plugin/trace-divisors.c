// A divisor is compared with 0, unless the program does that itself.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 sites | FileCheck %s && %t.0 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O2 -g -fsanitize=undefined -fsanitize-trap=undefined -o %t.u %s %t.rt.o && %t.u sites | FileCheck %s
// RUN: %t.2 sites | FileCheck %s --check-prefix=OPT
#include <stdint.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int64_t sink;

APART static void divides(int n, uint64_t u, int16_t h)
{
    // CHECK: trace-divisors.c:[[@LINE+2]]: int32 column {{[0-9]+}} == B true=none false=none
    // RECORD: [[@LINE+1]]: int32 -7 == 0'
    sink = 100 / n;
    // CHECK: trace-divisors.c:[[@LINE+2]]: uint64 column {{[0-9]+}} == B true=none false=none
    // RECORD: [[@LINE+1]]: uint64 9 == 0'
    sink = (int64_t)(1000 % u);
    // CHECK-NOT: trace-divisors.c:[[@LINE+1]]:
    sink = sink / 3;
    // CHECK: trace-divisors.c:[[@LINE+1]]: int{{[0-9]+}} column {{[0-9]+}} == B
    sink = sink % h;
}

// OPT: trace-divisors.c:[[@LINE+3]]: {{u?}}int32 {{.*}} == B
APART static int asks(int n)
{
    if (n == 0)
        return 1;
    // OPT-NOT: trace-divisors.c:[[@LINE+1]]:
    return 100 / n;
}

void program(void)
{
    static volatile int numbers[] = {-7, 9, 4, 5};

    divides(numbers[0], (uint64_t)numbers[1], (int16_t)numbers[2]);
    sink = asks(numbers[3]);
}
