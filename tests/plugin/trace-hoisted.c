// A comparison that an optimizer computes before others that are asked first is told of where its
// branch asks, with the counters behind it.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s --check-prefix=SITES && %t.2 | FileCheck %s
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
#define APART __attribute__((noinline))

void program(void);
static volatile int sink;

/* The sum is compared as soon as the loop ends, and asked for last. */
APART static void digits(const char *s)
{
    unsigned sum = 0, n = 0;

    for (; *s >= '0' && *s <= '9'; s++, n++)
        sum += *s - '0';
    // SITES: trace-hoisted.c:[[@LINE+5]]: {{u?}}int32 {{.*}} == B true=own false=own
    // CHECK: {{^}}[[@LINE+3]]: {{u?}}int32 3 {{[!=]=}} 4'
    // CHECK-NOT: {{^}}[[@LINE+3]]:
    // CHECK: {{^}}[[@LINE+1]]: {{u?}}int32 4 {{[!=]=}} 4'
    if (*s == 0 && n == 4 &&
        sum == 10)
        sink++;
    // CHECK-NEXT: {{^}}[[@LINE-2]]: {{u?}}int32 10 {{[!=]=}} 10'
}

void program(void)
{
    static const char *volatile text[] = {"127", "1234"};

    digits(text[0]);
    digits(text[1]);
}
