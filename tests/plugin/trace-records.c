// What is recorded, exactly. recorder.c also compares each run with a plain one, and the records with
// the counters that sites say stand behind them.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefixes=CHECK,O0
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: %clang -O3 -g -ffunction-sections -fno-pic -no-pie -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: %clang -Oz -g -o %t.4 %s %t.rt.o && %t.4 | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: %clang -O2 -o %t.5 %s %t.rt.o && %t.5 | FileCheck %s --check-prefix=NOLINES
// RUN: %clang -O2 -fplugin-arg-cfuzz-trace=off -o %t.6 %s %t.rt.o && %t.6 | FileCheck %s --check-prefix=OFF
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <strings.h>

void program(void);

#define APART __attribute__((noinline))

static volatile int sink;

APART static void integers(int n, unsigned u, int64_t l, uint16_t h, signed char c)
{
    // CHECK: {{^}}[[@LINE+1]]: int32 -5 < 77'
    if (n < 77)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: uint32 4000000000 > 9'
    if (u > 9)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: uint64 81985529216486895 == 81985529216486895'
    if (l == 0x123456789abcdef)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: int32 -5 == -5'
    if (n == -5)
        sink++;
    // O0: {{^}}[[@LINE+2]]: uint32 513 == 513'
    // OPT: {{^}}[[@LINE+1]]: uint16 513 == 513'
    if (h == 513)
        sink++;
    // O0: {{^}}[[@LINE+2]]: int32 -3 < 4'
    // OPT: {{^}}[[@LINE+1]]: int8 -3 < 4'
    if (c < 4)
        sink++;
    // The values of n, not of a truth made from it.
    // CHECK: {{^}}[[@LINE+1]]: int32 -5 < 100'
    sink = (n < 100) + 3;
}

APART static void wide(__int128 a, unsigned __int128 b)
{
    // CHECK: {{^}}[[@LINE+2]]: int64-high -1 < 5'
    // CHECK-NEXT: {{^}}[[@LINE+1]]: uint64 18446744073709551609 < 0'
    if (a < (__int128)5 << 64)
        sink++;
    // CHECK: {{^}}[[@LINE+2]]: uint64-high 1 == 1'
    // CHECK-NEXT: {{^}}[[@LINE+1]]: uint64 2 == 2'
    if (b == (((unsigned __int128)1 << 64) | 2))
        sink++;
}

APART static void floats(float f, double d, double nan)
{
    // CHECK: {{^}}[[@LINE+1]]: float32 1.5 == 1.5'
    if (f == 1.5f)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: float64 -0.25 < 3.5'
    if (d < 3.5)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: float64 {{-?nan (nan|\?!=)}}
    if (nan != nan)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: float64 {{-?}}nan > -0.25
    if (nan > d)
        sink++;
}

APART static int choose(int n)
{
    // CHECK: {{^}}[[@LINE+3]]: switch 1000 of 5 1000 -7
    // CHECK-NEXT: {{^}}[[@LINE+2]]: switch -7 of 5 1000 -7
    // CHECK-NEXT: {{^}}[[@LINE+1]]: switch 6 of 5 1000 -7
    switch (n) {
    case 5:
        sink = 1;
        break;
    case -7:
        sink = 2;
        break;
    case 1000:
        sink = 3;
        break;
    default:
        sink = 4;
    }
    return sink;
}

// Each case of a switch that chooses a value has a counter.
APART static const char *name(unsigned n)
{
    // CHECK: {{^}}[[@LINE+2]]: switch 3 of 1 2 3 4
    // CHECK-NEXT: {{^}}[[@LINE+1]]: switch 9 of 1 2 3 4
    switch (n) {
    case 1:
        return "one";
    case 2:
        return "two";
    case 3:
        return "three";
    case 4:
        return "four";
    }
    return "?";
}

APART static int extremes(int a, int b)
{
    // At -O2 one instruction, without a branch.
    // O0: {{^}}[[@LINE+2]]: int32 -9 < 12
    // OPT: {{^}}[[@LINE+1]]: int32 {{-9|12}} {{<|>}} {{12|-9}}
    return a < b ? a : b;
}

APART static void strings(const char *s, const unsigned char *p, size_t n)
{
    // CHECK: {{^}}[[@LINE+1]]: string "some text" "another one"' 0 0
    if (strcmp(s, "another one") == 0)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: string-n "some t" "some t" 6 0
    if (!strncmp(s, (const char *)p, n - 3))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: case "some text" "SOME TEXT"' 0 0
    if (!strcasecmp(s, "SOME TEXT"))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: case-n "some" "sOMF"' 4 0
    if (strncasecmp(s, "sOMFx", 4))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: mem "some text" "some test" 9 0
    if (memcmp(s, p, n) > 0)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: mem "some text" "some test" 9 0
    if (memcmp(s, p, n) == 0)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: find "some text" "te"' 0 0
    if (strstr(s, "te"))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: find-mem "some text" "test" 9 4
    if (!memmem(s, n, p + 5, 4))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: find-case "some text" "TEXT"' 0 0
    if (strcasestr(s, "TEXT") != NULL)
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: find-byte "some text"' 0 120
    if (strchr(s, 'x'))
        sink++;
    // CHECK: {{^}}[[@LINE+1]]: find-byte-mem "some text"' 9 255
    if (memchr(s, -1, n) == NULL)
        sink++;
}

// Of pointers it is recorded whether they are null, and of two of them nothing.
APART static void pointers(const char *p, const char *q)
{
    // CHECK: {{^}}[[@LINE+1]]: pointer8 1 {{[!=]}}= 0'
    if (!p)
        sink++;
    // CHECK-NOT: {{^}}[[@LINE+1]]:
    if (p == q)
        sink++;
}

// Volatile, so that the optimiser knows none of the values.
static volatile int minus5 = -5;
static volatile unsigned four_billion = 4000000000;
static volatile int64_t digits = 0x123456789abcdef;
static const char *volatile some_text = "some text";
static const char *volatile some_test = "some test";

void program(void)
{
    volatile double nan = __builtin_nan("");
    volatile __int128 big = -7;
    volatile unsigned __int128 bigger = ((unsigned __int128)1 << 64) | 2;
    volatile unsigned one = 3;

    integers(minus5, four_billion, digits, (uint16_t)(minus5 + 518), (signed char)(minus5 + 2));
    wide(big, bigger);
    floats(minus5 + 6.5f, minus5 + 4.75, nan);
    choose(minus5 + 1005);
    choose(minus5 - 2);
    choose(minus5 + 11);
    sink += name(one)[0];
    sink += name(one * 3)[0];
    sink += extremes(minus5 - 4, minus5 + 17);
    strings(some_text, (const unsigned char *)some_test, (size_t)(minus5 + 14));
    pointers(some_text, some_test);
}

// CHECK-NOT: BROKEN
// CHECK: consistent: 1 images,
// NOLINES-NOT: BROKEN
// NOLINES: 0: int32 -5 < 77'
// NOLINES: consistent: 1 images,
// OFF: consistent: 0 images, 0 sites
