// Link-time optimisation neither drops hooks nor mixes up sites, also of functions that were once without
// effects; our passes run when compiling only.
// REQUIRES: own-lld
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang %lld -O2 -g -flto -o %t.1 %S/trace-functions.c %t.rt.o && %t.1 | FileCheck %S/trace-functions.c
// RUN: %clang %lld -O2 -g -flto=thin -o %t.2 %S/trace-functions.c %t.rt.o && %t.2 | FileCheck %S/trace-functions.c
// RUN: %clang %lld -O2 -g -flto -o %t.3 %S/trace-records.c %t.rt.o && %t.3 | FileCheck %S/trace-records.c --check-prefixes=CHECK,OPT
// RUN: %clang %lld -O2 -g -flto=thin -DFIRST -c -o %t.a.o %s && %clang -O2 -g -flto=thin -c -o %t.b.o %s
// RUN: %clang %lld -O2 -flto=thin -o %t.4 %t.a.o %t.b.o %t.rt.o && %t.4 | FileCheck %s
// RUN: %clang %lld -O2 -g -flto=full -DFIRST -c -o %t.a.o %s && %clang -O2 -g -flto=full -c -o %t.b.o %s
// RUN: %clang %lld -O2 -flto=full -o %t.5 %t.a.o %t.b.o %t.rt.o && %t.5 | FileCheck %s
int no_effects(int n);
void program(void);
#ifdef FIRST
__attribute__((noinline)) int no_effects(int n)
{
    // CHECK: {{^}}[[@LINE+2]]: uint32 8 == 80'
    // CHECK: {{^}}[[@LINE+1]]: uint32 8 == 80'
    return n == 80 ? 3 : 4;
}
#else
static volatile int in = 8;
void program(void)
{
    int n = in;

    no_effects(n);
    if (n < 9)
        in += no_effects(n) - 4;
}
#endif
// CHECK: consistent: 1 images, 2 sites
