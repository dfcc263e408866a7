// Traced copies under address sanitizer: no report, and the same records.
// REQUIRES: asan
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -fsanitize=address -o %t.0 %S/trace-functions.c %t.rt.o && %t.0 2>&1 | FileCheck %S/trace-functions.c --implicit-check-not=Sanitizer
// RUN: %clang -O2 -g -fsanitize=address -o %t.2 %S/trace-functions.c %t.rt.o && %t.2 2>&1 | FileCheck %S/trace-functions.c --implicit-check-not=Sanitizer
// RUN: %clang -O1 -g -fsanitize=address -o %t.1 %S/trace-records.c %t.rt.o && %t.1 2>&1 | FileCheck %S/trace-records.c --check-prefixes=CHECK,OPT --implicit-check-not=Sanitizer
int unused;
// A call that reads too far is reported before its hook, with the lines of the function. Its name is
// that of the copy: symbolizers prefer symbols to debug information.
// RUN: %clang -O1 -g -fsanitize=address -o %t.3 %s %t.rt.o && not %t.3 2>&1 | FileCheck %s
#include <string.h>
#include <stdlib.h>

void program(void);
static volatile int runs;

__attribute__((noinline)) static int reads(const char *p, size_t n)
{
    return memcmp(p, "0123456789", n) == 0;
}

void program(void)
{
    char *p = malloc(4);

    memcpy(p, "0123", 4);
    unused += reads(p, runs++ ? 10 : 4);
    free(p);
}
// CHECK: heap-buffer-overflow
// CHECK: in {{reads.traced .*}}trace-asan.c:[[@LINE-12]]
// CHECK: in {{program.traced .*}}trace-asan.c:[[@LINE-5]]
