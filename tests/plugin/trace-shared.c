// Each linked image has a byte of its own that turns tracing on, also one that is opened late.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: mkdir -p %t.d
// RUN: %clang -O2 -g -fPIC -fsemantic-interposition -shared -DLIBRARY -o %t.d/libtraced.so %s
// RUN: %clang -O2 -g -o %t.1 %s %t.rt.o -L%t.d -ltraced -Wl,-rpath,%t.d && %t.1 | FileCheck %s
// RUN: %clang -O2 -g -DOPEN='"%t.d/libtraced.so"' -rdynamic -o %t.2 %s %t.rt.o -ldl && %t.2 | FileCheck %s
void program(void);
int in_library(int n), again(int n);

#ifdef LIBRARY
// The library's own name may be taken by the program's, so copies call it by name.
int again(int n)
{
    return n < 21 ? n : 21;
}
int in_library(int n)
{
    // CHECK-DAG: {{^}}[[@LINE+1]]: int32 9 < 20'
    if (n < 20)
        return again(n);
    return 2;
}
#else
#ifdef OPEN
#include <dlfcn.h>
static int (*library)(int);
__attribute__((constructor)) static void open_library(void)
{
    library = (int (*)(int))dlsym(dlopen(OPEN, RTLD_NOW), "in_library");
}
#else
static int (*volatile library)(int) = in_library;
#endif
static volatile int in = 8, got;
int again(int n)
{
    // CHECK-DAG: {{^}}[[@LINE+1]]: int32 9 > 5'
    return n > 5 ? 70 : 0;
}
void program(void)
{
    // CHECK-DAG: {{^}}[[@LINE+1]]: int32 8 < 18'
    if (in < 18)
        got = library(in + 1);
}
#endif
// CHECK-NOT: BROKEN
// CHECK: consistent: 2 images
