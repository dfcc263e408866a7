// lld drops dead functions with --gc-sections; what is left of flags, records and counters agrees.
// REQUIRES: lld
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O1 -ffunction-sections -c -o %t.o %s
// RUN: %clang %lld -o %t.1 %t.o %t.rt.o && %t.1 | FileCheck %s --check-prefixes=OUT,KEPT
// RUN: %clang %lld -Wl,--gc-sections -o %t.2 %t.o %t.rt.o && %t.2 | FileCheck %s --check-prefixes=OUT,DROPPED
// RUN: %clang %lld -Wl,--gc-sections -Wl,--icf=all -o %t.3 %t.o %t.rt.o && %t.3 | FileCheck %s --check-prefixes=OUT,DROPPED
// RUN: %clang -O0 -c -o %t.o %s
// RUN: %clang %lld -Wl,--gc-sections -o %t.4 %t.o %t.rt.o && %t.4 | FileCheck %s --check-prefix=OUT
// No function left that could be covered: the bounds are weak.
// RUN: %clang %lld -Wl,--gc-sections -DNOTHING -o %t.5 %s %t.rt.o && %t.5 | FileCheck %s --check-prefix=NOTHING
#include <cfuzz.h>

#ifdef NOTHING
int dead(int n);
int dead(int n) { return n == 1 ? 2 : n; }
// NOTHING-NOT: BROKEN
// NOTHING: consistent
#else
extern int dead1(int n), dead2(int n), alive(int n);
int dead1(int n) { return n == 1 ? 2 : n; }
__attribute__((noinline)) int alive(int n)
{
    if (n == 7)
        return 8;
    return n;
}
int dead2(int n) { return alive(n) == 1 ? 2 : n; }
FUZZ_TEST(FuzzLinked, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "%d", alive(n));
}
const struct known {
    const char *name;
    void (*fn)(void);
} known[] = {{"alive", (void (*)(void))alive}, {"FuzzLinked", (void (*)(void))FuzzLinked}, {0, 0}};
#endif

// OUT: log: -32
// OUT-NOT: BROKEN
// OUT-DAG: alive flag=1 counters={{[23]}} entry=1
// OUT-DAG: FuzzLinked flag=1 counters=1 entry=1
// KEPT: module: 4 functions
// DROPPED: module: 2 functions
// OUT: consistent
