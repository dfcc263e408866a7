// Numbers that an optimiser compares at once are compared one by one in the copy, and each is a part of
// the condition that asks for all.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t %s %t.rt.o && %t | FileCheck %s
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

void program(void)
{
    struct header h = {in[0], in[1], in[2], in[3]};

    sink = fields(&h);
}
// CHECK-NOT: BROKEN
