// A number of which the lowest bits are compared is one of so many bits: it goes round there. Flags, and
// what is compared with sign, are as long as they are.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t %s %t.rt.o && %t sites | FileCheck %s
#include <stddef.h>
#include <stdint.h>

void program(void);
static volatile uint64_t in = 7, other = 9;
static volatile int sink;

// CHECK: trace-masked.c:[[@LINE+4]]: uint32 column {{.*}} B true=own
__attribute__((noinline)) static int overflows(uint32_t width, uint8_t channels)
{
    size_t row = (size_t)width * channels + 1;
    if ((uint32_t)row == 0)
        sink = 1;
    return (int)(row >> 32);
}

// CHECK: trace-masked.c:[[@LINE+3]]: uint16 column
__attribute__((noinline)) static void both(uint64_t a, uint64_t b)
{
    if ((a & 0xffff) == (b & 0xffff))
        sink = 2;
}

// CHECK: trace-masked.c:[[@LINE+3]]: uint64 column
__attribute__((noinline)) static void flags(uint64_t a)
{
    if ((a & 7) == 5)
        sink = 3;
}

// CHECK: trace-masked.c:[[@LINE+3]]: uint64 column
__attribute__((noinline)) static void high(uint64_t a)
{
    if ((a & 0xffff00) == 0x120000)
        sink = 4;
}

void program(void)
{
    sink = overflows((uint32_t)in, 3);
    both(in, other);
    flags(in);
    high(in);
}
