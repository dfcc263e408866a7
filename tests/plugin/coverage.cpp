// C++: inline functions, templates and constructors of two objects become one each; both linkers.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clangxx -O0 -c -o %t.a0.o %s && %clangxx -O0 -DSECOND -c -o %t.b0.o %s
// RUN: %clangxx -o %t.0 %t.a0.o %t.b0.o %t.rt.o && %t.0 | FileCheck %s
// RUN: %clangxx -O2 -c -o %t.a2.o %s && %clangxx -O2 -DSECOND -c -o %t.b2.o %s
// RUN: %clangxx -Wl,--gc-sections -o %t.2 %t.a2.o %t.b2.o %t.rt.o && %t.2 | FileCheck %s
// The same inline function from objects with other counters: what the linker takes fits itself.
// RUN: %clangxx -o %t.3 %t.a0.o %t.b2.o %t.rt.o && %t.3 | FileCheck %s
// RUN: %clangxx -o %t.4 %t.b0.o %t.a2.o %t.rt.o && %t.4 | FileCheck %s
// And from an object that was compiled without the plugin:
// RUN: %cxx -O1 -DSECOND -DCFUZZ_TEST -c -o %t.bn.o %s
// RUN: %clangxx -o %t.5 %t.bn.o %t.a2.o %t.rt.o && %t.5 --list | FileCheck %s --check-prefix=PLAIN
#include <cfuzz.h>

struct counted {
  __attribute__((noinline)) explicit counted(int n) : value(n > 5 ? n : 5) {}
  __attribute__((noinline)) virtual ~counted() { value = 0; }
  int value;
};

template <typename T> __attribute__((noinline)) T twice(T n) {
  if (n > 100)
    return 100;
  return n + n;
}

inline __attribute__((noinline)) int shared(int n) {
  if (n == 1)
    return 2;
  return n == 3 ? 4 : n;
}

#ifdef SECOND
FUZZ_TEST(FuzzSecond, int8)(cfuzz_t *t, int8_t n) {
  counted c(n);
  cfuzz_log(t, "second %d %d %d", shared(n), twice<int>(n), c.value);
}
#else
FUZZ_TEST(FuzzFirst, int)(cfuzz_t *t, int n) {
  counted c(n);
  cfuzz_log(t, "first %d %d %d", shared(n), twice<int>(n), c.value);
}
extern const struct known {
  const char *name;
  void (*fn)(void);
} known[] = {{"shared", (void (*)(void))(int (*)(int))shared},
             {"twice", (void (*)(void))(int (*)(int))twice<int>},
             {nullptr, nullptr}};
#endif

// CHECK-DAG: first -32 -64 5
// CHECK-DAG: second -8 -16 5
// CHECK-NOT: BROKEN
// CHECK-DAG: shared flag=1 counters={{[0-9]+}} entry=2
// CHECK-DAG: twice flag=1 counters={{[0-9]+}} entry=2
// CHECK: consistent

// PLAIN-NOT: {{BROKEN|shared flag}}
// PLAIN: consistent
