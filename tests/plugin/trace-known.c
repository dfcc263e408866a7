// A comparison that has one outcome only, as what a byte can be when it is reached tells, has no site,
// nor has one that counts the rounds of a loop of so many.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s
#include <setjmp.h>
#include <stdint.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;

static inline int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

// The ways that return -1 go to the end at once, the others are left with 0 to 15.
APART static int inlines(const char *p)
{
    int c = digit(*p);

    // CHECK-NOT: trace-known.c:[[@LINE+1]]:
    if (c < 0)
        return -1;
    // CHECK: trace-known.c:[[@LINE+1]]:
    if (c > 11)
        sink = 1;
    return c;
}

// Behind the loop it is 0 or a comma.
APART static const char *searches(const char *p)
{
    char c;

    // CHECK: trace-known.c:[[@LINE+1]]:
    while ((c = *p) != 0 && c != ',')
        p++;
    // CHECK-NOT: trace-known.c:[[@LINE+1]]:
    if (c != 0 && c != ',')
        sink = 2;
    return p;
}

// A switch leaves what it does not name, and a value that a mask leaves is as good as a byte.
APART static int switches(unsigned n)
{
    unsigned low = n & 7;

    // CHECK: trace-known.c:[[@LINE+1]]:
    switch (low) {
    case 0:
    case 1:
        sink = 3;
        return 0;
    case 2:
        sink = 4;
        return 1;
    }
    sink = 5;
    // CHECK-NOT: trace-known.c:[[@LINE+1]]:
    return (low ^ 7) * 3 < 16 && (low ^ 7) != 6 ? 2 : 3;
}

// What is another one in each round is not known, though it is known where the loop begins.
APART static int rounds(const uint8_t *p)
{
    uint8_t level = 0;

    for (;;) {
        // CHECK-DAG: trace-known.c:[[@LINE+1]]:
        if (level == 40)
            return 1;
        // CHECK-DAG: trace-known.c:[[@LINE+1]]:
        if (*p == '(')
            level++;
        // CHECK-DAG: trace-known.c:[[@LINE+1]]:
        else if (*p == ')')
            level--;
        else
            return 0;
        p++;
    }
}

// Of two bytes each can be what the other one is not.
APART static int both(const char *p)
{
    int high = digit(p[0]), low;

    // CHECK-NOT: trace-known.c:[[@LINE+1]]:
    if (high < 0 || (low = digit(p[1])) < 0)
        return -1;
    // CHECK: trace-known.c:[[@LINE+1]]:
    if ((high << 4 | low) == 0x7e)
        sink = 6;
    // CHECK: trace-known.c:[[@LINE+1]]:
    return low > high;
}

// What a loop of so many rounds asks of their number has both outcomes whenever it runs.
APART static void counts(const volatile uint8_t *p)
{
    // CHECK-NOT: trace-known.c:[[@LINE+1]]:
    for (int i = 0; i < 60; i++) {
        // CHECK-NOT: trace-known.c:[[@LINE+1]]:
        if (i >= 20 && i < 28)
            sink = ' ';
        else
            sink = p[i];
    }
}

// Not where a byte decides whether it is asked, or how many rounds there are.
APART static void stops(const volatile uint8_t *p, int n)
{
    for (int i = 0; i < 60; i++)
        // CHECK: trace-known.c:[[@LINE+1]]:
        if (p[i] == 'x')
            // CHECK: trace-known.c:[[@LINE+1]]:
            if (i == 50)
                sink = 7;
    for (int i = 0; i < 60; i++) {
        // CHECK: trace-known.c:[[@LINE+1]]:
        if (i == 51)
            sink = 8;
        // CHECK: trace-known.c:[[@LINE+1]]:
        if (p[i] == 'y')
            break;
    }
    for (int i = 0; i < n; i++) {
        // CHECK: trace-known.c:[[@LINE+1]]:
        if (i == 52)
            sink = 9;
    }
}

static jmp_buf malformed;

APART static void expect(const volatile uint8_t *p, int c)
{
    if (*p != c)
        longjmp(malformed, 1);
}

// Nor where a function that is called may leave the loop.
APART static void leaves(const volatile uint8_t *p)
{
    for (int i = 0; i < 60; i++) {
        expect(&p[i], i ^ 'z');
        // CHECK: trace-known.c:[[@LINE+1]]:
        if (i == 53)
            sink = 10;
    }
}

void program(void)
{
    static const uint8_t zeros[60];

    static const char *volatile texts[] = {"7f", "a,b", "((x"};

    sink = inlines(texts[0]);
    sink = *searches(texts[1]);
    sink = switches((unsigned)texts[0][0]);
    sink = rounds((const uint8_t *)texts[2]);
    sink = both(texts[0]);
    counts(zeros);
    stops(zeros, sink % 60);
    if (!setjmp(malformed))
        leaves(zeros);
}
