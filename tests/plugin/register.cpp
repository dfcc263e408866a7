// C++: namespaces, anonymous ones and linkage blocks keep their tests, under one plain symbol each.
// RUN: %clangxx -O0 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clangxx -O0 -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=OUT
// RUN: %clangxx -O2 -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s --check-prefix=OUT
// RUN: %clangxx -O2 -fno-exceptions -DCFUZZ_TEST -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s --check-prefix=OUT
#include <cfuzz.h>

// IR-DAG: @cfuzz_test_FuzzSpace = global {{.*}}, section "cfuzz_tests", align 8
// IR-DAG: @cfuzz_test_FuzzHidden = global
// IR-DAG: @cfuzz_test_FuzzC = global
// IR-DAG: @cfuzz_setup_desc_FuzzSpace = global
namespace outer {
FUZZ_TEST(FuzzSpace, []byte, bool)(cfuzz_t *t, const uint8_t *, size_t n, bool b) {
  cfuzz_log(t, "space %zu %d", n, b);
}
FUZZ_SETUP(FuzzSpace)(cfuzz_f *f) { cfuzz_add(f, CFUZZ_BYTES("x"), true); }
namespace {
FUZZ_TEST(FuzzHidden, int16)(cfuzz_t *t, int16_t n) { cfuzz_log(t, "hidden %d", n); }
} // namespace
} // namespace outer
extern "C" {
FUZZ_TEST(FuzzC, string)(cfuzz_t *t, const char *s) { cfuzz_log(t, "c %s", s); }
}

// OUT-DAG: seed of 3 arguments
// OUT-DAG: log: space 5 1
// OUT-DAG: log: hidden -16
// OUT-DAG: log: c string
// OUT: consistent
