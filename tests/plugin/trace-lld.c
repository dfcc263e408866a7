// lld drops the copies and sites of dead functions, and what is left is consistent.
// REQUIRES: lld
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O1 -g -c -o %t.o %s
// RUN: %clang %lld -o %t.1 %t.o %t.rt.o && %t.1 | FileCheck %s --check-prefixes=OUT,KEPT
// RUN: %clang %lld -Wl,--gc-sections -o %t.2 %t.o %t.rt.o && %t.2 | FileCheck %s --check-prefixes=OUT,DROPPED
// RUN: %clang %lld -Wl,--gc-sections -Wl,--icf=all -o %t.3 %t.o %t.rt.o && %t.3 | FileCheck %s --check-prefixes=OUT,DROPPED
int dead(int n), alive(int n);
void program(void);
static volatile int in = 4;

int dead(int n)
{
    switch (n) {
    case 1:
        return in;
    case 20:
        return in + 1;
    case 300:
        return in + 2;
    case 4000:
        return in + 3;
    }
    return n;
}
__attribute__((noinline)) int alive(int n) { return n == 5 ? 6 : 7; }
void program(void) { in += alive(in) - 7; }
// OUT: uint32 4 == 5'
// KEPT: consistent: 1 images, 2 sites
// DROPPED: consistent: 1 images, 1 sites
