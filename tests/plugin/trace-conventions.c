// Functions of other calling conventions than C's behave traced as they do plain, with a gate or without; and
// what compiles without the plugin compiles with it.
// REQUIRES: x86
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s
// RUN: %clang -O0 -DARM --target=aarch64-linux-gnu -ffreestanding -march=armv8.5-a+sve -S -o /dev/null %s
// RUN: %clang -O2 -DARM --target=aarch64-linux-gnu -ffreestanding -march=armv8.5-a+sve -S -o /dev/null %s
// CHECK-NOT: BROKEN
// CHECK: consistent:
// CHECK-NOT: BROKEN
#define APART __attribute__((noinline))

APART __attribute__((swiftcall)) int
swift(int n, __attribute__((swift_context)) void *c, __attribute__((swift_error_result)) void **e)
{
    if (n > 3)
        *e = c;
    return n + 1;
}

#ifdef ARM
#include <arm_sve.h>

typedef int vector __attribute__((vector_size(16)));

APART __attribute__((aarch64_vector_pcs)) int vectors(int n, vector a)
{
    return n > 2 ? a[0] : 4;
}

APART int lengths(svint32_t a, svint32_t b, svint32_t c, svint32_t d, svint32_t e, svint32_t f,
                  svint32_t g, svint32_t h, svint32_t i, int n)
{
    return n > 2 ? (int)svaddv(svptrue_b32(), svadd_x(svptrue_b32(), a, i)) : 3;
}
#else
#include <stdio.h>
#include <stdlib.h>

typedef float vector __attribute__((vector_size(16)));

APART __attribute__((ms_abi)) float vectors(vector a, vector b, vector c, vector d, vector e, int n)
{
    return n > 2 ? a[0] + b[1] + c[2] + d[3] + e[3] : b[1];
}

APART __attribute__((ms_abi)) long real(int n, long double x)
{
    return n > 2 ? (long)x : 3;
}

APART __attribute__((vectorcall)) float registers(vector a, vector b, vector c, vector d, vector e,
                                                  vector f, vector g, int n)
{
    return n > 2 ? a[0] + b[1] + c[2] + d[3] + e[3] + f[0] + g[1] : b[1];
}

static void must(int ok, int line)
{
    if (!ok) {
        printf("BROKEN: line %d\n", line);
        exit(1);
    }
}
#define MUST(x) must((x), __LINE__)

void program(void);
void program(void)
{
    static volatile int three = 3, two = 2;
    vector v = {1, 2, 3, 4};
    void *error = 0;
    int here = 0;

    MUST(swift(three + 1, &here, &error) == 5 && error == &here);
    MUST(vectors(v, v, v, v, v, three) == 14 && vectors(v, v, v, v, v, two) == 2);
    MUST(real(three, 5) == 5 && real(two, 5) == 3);
    MUST(registers(v, v, v, v, v, v, v, three) == 17 && registers(v, v, v, v, v, v, v, two) == 2);
}
#endif
