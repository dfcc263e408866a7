// Flags that were set before, and what functions return, are compared with 0 where a branch asks for
// them: no comparison of this function tells.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefixes=RECORD
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 | FileCheck %s --check-prefixes=RECORD,OPT
// RUN: %clang -O2 -g -fsanitize=undefined -fsanitize-trap=undefined -o %t.u %s %t.rt.o && %t.u | FileCheck %s --check-prefix=OPT
#include <stdbool.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;

APART static bool is_odd(int n)
{
    return n & 1;
}

/* What is asked at the end was found out in a loop. */
APART static void settings(const char *s)
{
    bool on = false, quiet = false;

    for (; *s; s++) {
        if (*s == 'o')
            on = s[1] == 'n';
        if (*s == 'q')
            quiet = true;
    }
    // CHECK: trace-flags.c:[[@LINE+3]]: uint8 {{.*}} {{[!=]=}} B true={{own|none}} false={{own|none}}
    // RECORD: {{^}}[[@LINE+2]]: {{u?}}int8 1 {{[!=]=}} 0'
    // OPT: {{^}}[[@LINE+1]]: uint8 0 {{[!=]=}} 0'
    if (on && quiet)
        sink++;
}

APART static void results(int n)
{
    // CHECK: trace-flags.c:[[@LINE+2]]: uint8 {{.*}} {{[!=]=}} B
    // RECORD: {{^}}[[@LINE+1]]: {{u?}}int8 1 {{[!=]=}} 0'
    if (is_odd(n))
        sink++;
    // A truth that comes together from comparisons has no site besides theirs.
    // CHECK-NOT: trace-flags.c:[[@LINE+1]]: uint8
    if (n > 3 && n < 9)
        sink++;
}

/* A number that has a default is compared where it is read, long before the branch: then what has all
 * but the number does not come to a comparison with it. */
APART static void defaults(int number, bool given, int other)
{
    int port = 443;

    if (given) {
        port = number;
        sink++;
    }
    if (other != 7)
        return;
    for (int i = 0; i < other; i++)
        sink += i;
    // CHECK: trace-flags.c:[[@LINE+3]]: {{uint8 column (9|14) !=|u?int32 column 14 ==}} B true=own false=own
    // OPT: {{^}}[[@LINE+2]]: {{uint8 0 != 0|u?int32 443 == 8443}}'
    // OPT: {{^}}[[@LINE+1]]: {{uint8 1 != 0|u?int32 8443 == 8443}}'
    if (port == 8443)
        sink++;
}

void program(void)
{
    static volatile int seven = 7, none, port = 8443;
    static const char *volatile text = "on";
    static volatile int number = 5;

    settings(text);
    results(number);
    defaults(none, none != 0, seven);
    defaults(port, seven != 0, seven);
}
