// Fix-its: what they replace and with what.
// RUN: not %clang -fsyntax-only -ferror-limit=0 -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s
// Applied, they leave nothing to say.
// RUN: cp %s %t.c && not %clang -fsyntax-only -ferror-limit=0 -Xclang -fixit %t.c && %clang -fsyntax-only -Werror %t.c
#include <cfuzz.h>

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:37-[[# @LINE+1]]:48}:"int "
FUZZ_TEST(FuzzA, int)(cfuzz_t *t,   const long a) { (void)t, (void)a; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:38-[[# @LINE+1]]:47}:"const uint8_t *"
FUZZ_TEST(FuzzB, []byte)(cfuzz_t *t, uint8_t *data, size_t n) { (void)t, (void)data, (void)n; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:59-[[# @LINE+1]]:63}:"size_t "
FUZZ_TEST(FuzzC, []byte)(cfuzz_t *t, const uint8_t *data, int n) { (void)t, (void)data, (void)n; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:57-[[# @LINE+1]]:57}:", size_t len"
FUZZ_TEST(FuzzD, []byte)(cfuzz_t *t, const uint8_t *data) { (void)t, (void)data; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:48-[[# @LINE+1]]:48}:", const char *value"
FUZZ_TEST(FuzzE, int, string)(cfuzz_t *t, int a) { (void)t, (void)a; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:21-[[# @LINE+1]]:21}:", float64"
FUZZ_TEST(FuzzF, int)(cfuzz_t *t, int a, double d) { (void)t, (void)a, (void)d; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:18-[[# @LINE+1]]:23}:"uint8"
FUZZ_TEST(FuzzG, uint7)(cfuzz_t *t, uint8_t a) { (void)t, (void)a; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:23-[[# @LINE+1]]:23}:"cfuzz_t *t, "
FUZZ_TEST(FuzzH, int)(int a) { (void)a; }

// CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:11-[[# @LINE+1]]:16}:"FuzzI"
FUZZ_TEST(Fuzzi, int)(cfuzz_t *t, int a) { (void)t, (void)a; }

FUZZ_TEST(FuzzJ, []byte, float64)(cfuzz_t *t, const uint8_t *p, size_t n, double d)
{
    (void)t, (void)p, (void)n, (void)d;
}
FUZZ_SETUP(FuzzJ)(cfuzz_f *f)
{
    // CHECK: fix-it:{{.*}}:{[[# @LINE+2]]:18-[[# @LINE+2]]:18}:"CFUZZ_BYTES("
    // CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:21-[[# @LINE+1]]:21}:")"
    cfuzz_add(f, "x", 1.0);
    // CHECK: fix-it:{{.*}}:{[[# @LINE+1]]:38-[[# @LINE+1]]:38}:".0"
    cfuzz_add(f, CFUZZ_BYTES("x"), 12);
}
