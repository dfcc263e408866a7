// Functions of all kinds behave traced as they do plain: parameters in registers and in memory, frames,
// recursion, pointers to functions, functions that cannot be copied, and those that cannot have a gate:
// with variable arguments, or structs by value.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s
// RUN: %clang -O2 -g -fno-optimize-sibling-calls -fno-omit-frame-pointer -fstack-protector-all -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s
// RUN: %clang -O3 -g -fno-pic -no-pie -Wl,--gc-sections -ffunction-sections -o %t.4 %s %t.rt.o && %t.4 | FileCheck %s
// RUN: %clang -O2 -g -mavx -o %t.5 %s %t.rt.o && (! grep -qw avx /proc/cpuinfo || %t.5) > %t.5.out
// RUN: ! grep -qw avx /proc/cpuinfo || FileCheck %s < %t.5.out
// RUN: %t.0 | FileCheck %s --check-prefix=NEVER && %t.2 | FileCheck %s --check-prefix=NEVER
// RUN: %clang -O2 -g -S -emit-llvm -o %t.ll %s && FileCheck %s --check-prefix=IR < %t.ll
// RUN: FileCheck %s --check-prefix=COPY "--implicit-check-not=@by_value.traced(" "--implicit-check-not=@sum.traced(" "--implicit-check-not=@operand.traced(" < %t.ll
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void program(void);
static volatile int in[8] = {0, 1, 2, 3, 4, 5, 6, 7};

#define APART __attribute__((noinline))

static void must(int ok, int line)
{
    if (!ok) {
        printf("BROKEN: line %d\n", line);
        exit(1);
    }
}
#define MUST(x) must((x), __LINE__)

struct large {
    int64_t n[9];
};

// CHECK-DAG: {{^}}[[@LINE+3]]: uint64 3 == 3'
APART struct large by_value(struct large a, int b, struct large c)
{
    if (a.n[3] == 3)
        a.n[0] = c.n[8] + b;
    return a;
}
static struct large (*volatile by_value_pointer)(struct large, int, struct large) = by_value;

// No gate, no reason against a copy.
// CHECK-DAG: {{^}}[[@LINE+3]]: uint32 6 == 6'
APART static int64_t inner(struct large a, int b)
{
    return b == 6 ? a.n[2] : 0;
}
// COPY-DAG: @inner.traced(

// CHECK-DAG: {{^}}[[@LINE+4]]: int32 11 < 12'
APART long double many(int a, double b, long double c, int d, int e, int f, int g, int h, float i,
                       int j, int k)
{
    if (k < 12)
        return a + b + c + d + e + f + g + h + i + j + k;
    return 0;
}

// CHECK-DAG: {{^}}[[@LINE+3]]: uint32 2 == 2'
APART int sum(int n, ...)
{
    int total = n == 2 ? 100 : 0;
    va_list ap;

    va_start(ap, n);
    for (int i = 0; i < 19; i++)
        total += i & 1 ? (int)va_arg(ap, double) : va_arg(ap, int);
    va_end(ap);
    return total;
}
static int (*volatile sum_pointer)(int, ...) = sum;

// The copy calls the copy: everything that is below a gate is recorded.
// CHECK-DAG: {{^}}[[@LINE+5]]: uint32 4 == 0'
// CHECK-DAG: {{^}}[[@LINE+4]]: uint32 2 == 0'
// CHECK-DAG: {{^}}[[@LINE+3]]: uint32 0 == 0'
APART int depth(int n)
{
    if (n == 0)
        return in[1];
    return depth(n - 2) * in[1] + 1;
}

// CHECK-DAG: {{^}}[[@LINE+4]]: uint32 5 == 5'
APART static int frame(int n)
{
    int fixed[16], *variable = alloca(sizeof(int) * (size_t)(n + 16));
    if (n == 5)
        in[0] = 0;
    for (int i = 0; i != 16; i++)
        fixed[i] = i + n;
    memcpy(variable + n + 1, fixed, 40);
    return variable[n + 3];
}

static jmp_buf env;
// CHECK-DAG: {{^}}[[@LINE+3]]: uint32 6 == 6'
APART static void jump(int n)
{
    if (n == 6)
        longjmp(env, n);
}
// CHECK-DAG: {{^}}[[@LINE+6]]: uint32 0 == 6'
// CHECK-DAG: {{^}}[[@LINE+5]]: uint32 6 == 6'
APART static int catch (int n)
{
    volatile int before = n;
    int got = setjmp(env);
    if (got == 6)
        return before;
    jump(n);
    return -1;
}

// CHECK-DAG: {{^}}[[@LINE+1]]: uint32 7 == 7'
static int pointed(int n) { return n == 7 ? in[4] : in[5]; }
static int (*volatile pointer)(int) = pointed;

// What cannot be copied asks at each hook.
// CHECK-DAG: {{^}}[[@LINE+1]]: uint32 1 == 8'
APART static int called(int n) { return n == 8 ? in[3] : in[2]; }
APART int computed(int n)
{
    static void *const labels[] = {&&zero, &&one};
    // CHECK-DAG: {{^}}[[@LINE+1]]: uint32 1 == 19'
    if (n == 19)
        return 0;
    goto *labels[n & 1];
one:
    return called(n);
zero:
    return 7;
}
// IR-NOT: @computed.traced(

APART int labelled(int n)
{
    // CHECK-DAG: {{^}}[[@LINE+1]]: uint32 3 == 21'
    if (n == 21)
        return 0;
    __asm__ volatile("a_label_of_ours:\n nop");
    return n;
}
// IR-NOT: @labelled.traced(

// Nor does one that is a second copy's as well as the first one's.
APART int operand(int n)
{
    // CHECK-DAG: {{^}}[[@LINE+1]]: uint32 3 == 25'
    if (n == 25)
        return 0;
    __asm__ volatile("/* here */ 2: place_%c0: nop\n .comm room_%c0, 4" ::"i"(25));
    return n;
}

// A number is no label of that kind.
// CHECK-DAG: {{^}}[[@LINE+3]]: uint32 2 == 22'
APART int numbered(int n)
{
    if (n == 22)
        return 0;
    __asm__ volatile("1:\n nop\n 2: 3: nop" ::);
    return n;
}
// COPY-DAG: @numbered.traced(

__attribute__((weak)) int replaceable(int n);
// CHECK-DAG: {{^}}[[@LINE+1]]: uint32 3 == 23'
int replaceable(int n) { return n == 23 ? in[0] : in[1]; }

// Hooks are seen although this depends on nothing but its argument, and its results are used twice.
// CHECK-DAG: {{^}}[[@LINE+2]]: uint32 4 == 24'
// CHECK-DAG: {{^}}[[@LINE+1]]: uint32 24 == 24'
APART static int pure(int n) { return n == 24 ? 5 : 6; }
// IR: define internal {{.*}}@pure({{.*}} #[[PURE:[0-9]+]]
// IR-NOT: attributes #[[PURE]] = { {{.*}}{{readnone|memory\(none\)}}

__attribute__((constructor)) static void early(void)
{
    MUST(in[4] == 4 && depth(in[2]) == 2);
}
// IR-NOT: @early.traced(

void program(void)
{
    struct large a = {{1, 2, 3, 3, 5, 6, 7, 8, 9}}, c = {{8, 7, 6, 5, 4, 3, 2, 1, 70}};

    a = by_value(a, in[5], c);
    MUST(a.n[0] == 75 && a.n[8] == 9);
    a = by_value_pointer(a, in[3], c);
    MUST(a.n[0] == 73 && a.n[8] == 9 && inner(a, in[6]) == 3);
    MUST(many(in[1], 2, 3, in[4], in[5], in[6], in[7], 8, 9, 10, in[5] + in[6]) == 66);
    MUST(sum(in[2], 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11, 12.0, 13, 14.0, 15, 16.0, 17, 18.0,
             in[7] + 12) == 290);
    MUST(sum_pointer(in[2], 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11, 12.0, 13, 14.0, 15, 16.0, 17,
                     18.0, in[7] + 12) == 290);
    MUST(depth(in[4]) == 3);
    MUST(frame(in[5]) == 7);
    MUST(catch (in[6]) == 6);
    MUST(pointer(in[7]) == 4);
    MUST(computed(in[1]) == 2);
    MUST(labelled(in[3]) == 3 && operand(in[3]) == 3);
    MUST(numbered(in[2]) == 2);
    MUST(replaceable(in[3]) == 1);
    MUST(pure(in[4]) == 6 && pure(in[4] + 20) == 5);
}

// NEVER: consistent
// CHECK-NOT: BROKEN
// CHECK: consistent
