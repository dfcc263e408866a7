// A shared library announces its own flags and records, beside the program's; linked and dlopened.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: mkdir -p %t.d
// RUN: %clang -O1 -fPIC -shared -DLIBRARY -o %t.d/libcovered.so %s
// RUN: %clang -O1 -o %t.1 %s %t.rt.o -L%t.d -lcovered -Wl,-rpath,%t.d && %t.1 | FileCheck %s
// RUN: %clang -O1 -DOPEN='"%t.d/libcovered.so"' -rdynamic -o %t.2 %s %t.rt.o -ldl && %t.2 | FileCheck %s
// Without our runtime the library links and loads all the same.
// RUN: %cc -DPLAIN -o %t.3 %s -L%t.d -lcovered -Wl,-rpath,%t.d -Wl,--unresolved-symbols=ignore-in-shared-libs -Wl,-z,lazy
#include <cfuzz.h>

extern int covered(int n);

#if defined LIBRARY
int covered(int n)
{
    return n < 0 ? -n : n;
}
#elif defined PLAIN
int main(void)
{
    return covered(0);
}
#else
#ifdef OPEN
#include <dlfcn.h>
static int (*covered_)(int);
__attribute__((constructor)) static void open_library(void)
{
    void *library = dlopen(OPEN, RTLD_NOW);

    if (library)
        covered_ = (int (*)(int))dlsym(library, "covered");
}
#else
static int (*covered_)(int) = covered;
#endif
FUZZ_TEST(FuzzShared, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "%d", covered_ ? covered_(n) : -1);
}
#endif

// CHECK: log: 32
// CHECK-NOT: BROKEN
// CHECK-COUNT-2: module: {{[1-9]}} functions
// CHECK: consistent
