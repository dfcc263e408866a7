// Numbers that an optimiser compares at once are compared one by one in the copy, and each is a
// part of the condition that asks for all. RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t %s %t.rt.o && %t | FileCheck %s
// RUN: %t | FileCheck %s --check-prefix=NOT
// Wider vectors, of 32 bytes.
// RUN: %clang -O2 -g -mavx2 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=WIDE
// WIDE: define internal {{.*}}@verify32.traced(
// WIDE: call void @cfuzz_trace_text({{.*}} i64 32,
// RUN: %t sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
//
// The one that executes as before has them as vectors.
// IR: define {{.*}}@fields({{.*}}{
// IR: icmp {{eq|ne}} <4 x i32>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void program(void);
static volatile uint32_t in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static volatile int sink;

struct header {
    uint32_t a, b, c, d;
};

// CHECK-DAG: {{^}}[[@LINE+7]]: uint32 1 {{==|!=}} 287454020'
// CHECK-DAG: {{^}}[[@LINE+6]]: uint32 2 {{==|!=}} 1432778632'
// CHECK-DAG: {{^}}[[@LINE+5]]: uint32 3 {{==|!=}} 3'
// CHECK-DAG: {{^}}[[@LINE+4]]: uint32 4 {{==|!=}} 16909060'
// SITES-COUNT-4: trace-vectors.c:[[@LINE+3]]: uint32 column {{.*}} B {{true=joined false=none|true=none false=joined}}
__attribute__((noinline)) static int fields(const struct header *h)
{
    if ((h->a == 0x11223344) & (h->b == 0x55667788) & (h->c == 3) & (h->d == 0x01020304))
        return in[6] > 9;
    return in[7];
}

// Bytes are compared as memory, without a comparison as well.
// CHECK-DAG: {{^}}[[@LINE+8]]: mem "bcdefghibcdefghi" "sixteen bytes ok"
// SITES: trace-vectors.c:[[@LINE+7]]: mem column {{[0-9]+}} never B true=none false=none
static const uint8_t token[17] = "sixteen bytes ok";
__attribute__((noinline)) static int verify(const uint8_t *a, const uint8_t *b)
{
    unsigned differs = 0;

    for (int i = 0; i < 16; i++)
        differs |= a[i] ^ b[i];
    return (int)(1 & ((differs - 1) >> 8)) - 1;
}

typedef uint8_t v32 __attribute__((vector_size(32)));
void verify32(const v32 *a, const v32 *b, v32 *equal);
void verify32(const v32 *a, const v32 *b, v32 *equal)
{
    *equal = (v32)(*a == *b);
}

// Differences of numbers that are collected: parts of what is asked for in the end.
// CHECK-DAG: {{^}}[[@LINE+6]]: uint32 1 == 305419896'
// CHECK-DAG: {{^}}[[@LINE+5]]: uint32 2 == 77'
// SITES: trace-vectors.c:[[@LINE+4]]: uint32 column {{[0-9]+}} == B true=joined false=none
// SITES: trace-vectors.c:[[@LINE+3]]: uint32 column {{[0-9]+}} == B true=joined false=none
__attribute__((noinline)) static int differences(uint32_t a, uint32_t b)
{
    if (((a ^ 0x12345678) | (b ^ 77)) == 0)
        return in[6] > 9;
    return in[7];
}

// Also in a variable that is volatile, which stays one.
// CHECK-DAG: {{^}}[[@LINE+7]]: uint8 98 == 110'
// CHECK-DAG: {{^}}[[@LINE+6]]: uint8 99 == 111'
__attribute__((noinline)) static int in_variable(const uint8_t *a, const uint8_t *b)
{
    volatile uint8_t differs = 0;

    for (int i = 0; i < 2; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}

// Not what a variable is set to.
__attribute__((noinline)) static uint8_t last_change(uint8_t a, uint8_t b)
{
    volatile uint8_t changed = 1;

    // NOT-NOT: {{^}}[[@LINE+1]]:
    changed = a ^ b;
    return changed;
}

// What is collected of bits otherwise is none.
__attribute__((noinline)) static uint32_t mixed(uint32_t a, uint32_t b, uint32_t c)
{
    // NOT-NOT: {{^}}[[@LINE+1]]:
    return (a ^ b) | (~c & (b ^ a >> 3));
}

__attribute__((noinline)) static uint8_t checksum(const uint8_t *a)
{
    uint8_t sum = 0;
    for (int i = 0; i < 13; i++)
        // NOT-NOT: {{^}}[[@LINE+1]]: {{uint8|mem}}
        sum ^= a[i] ^ 0x5a;
    return sum;
}

void program(void)
{
    struct header h = {in[0], in[1], in[2], in[3]};
    uint8_t bytes[16];
    v32 wide = {1, 2, 3};

    for (int i = 0; i < 16; i++)
        bytes[i] = (uint8_t)('a' + in[i % 8]);
    sink = fields(&h);
    sink = verify(bytes, token);
    verify32(&wide, &wide, &wide);
    sink = differences(in[0], in[1]);
    sink = in_variable(bytes, (const uint8_t *)"no") + last_change(bytes[0], bytes[1]);
    sink = (int)mixed(in[0], in[1], in[2]) + checksum(bytes);
}
// CHECK-NOT: BROKEN
// NOT: consistent
