// With -DCFUZZ_TEST as well there is one registration, the plugin's; in both orders of descriptors.
// RUN: %clang -DCFUZZ_TEST -O0 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -DCFUZZ_TEST -O0 -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=OUT
// RUN: %clang -DCFUZZ_TEST -O2 -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s --check-prefix=OUT
// Across files, two tests of one name do not link.
// RUN: %clang -O1 -c -o %t.a.o %s && %clang -O1 -c -DOTHER -o %t.b.o %s
// RUN: not %clang -o %t.4 %t.a.o %t.b.o %t.rt.o 2>&1 | FileCheck %s --check-prefix=LINK
#include <cfuzz.h>

// IR: @cfuzz_test_FuzzOnce = global {{.*}}@cfuzz_call_FuzzOnce{{.*}}, section "cfuzz_tests", align 8
// IR-NOT: section "cfuzz_tests"{{.*}}@cfuzz_test_FuzzOnce
// OUT: setup FuzzOnce() register-twice.c:[[# @LINE+2]]
// OUT: test FuzzOnce(int) register-twice.c:[[# @LINE+2]] 8/4/n
FUZZ_SETUP(FuzzOnce)(cfuzz_f *f) { (void)f; }
FUZZ_TEST(FuzzOnce, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "n=%d", n);
}
// OUT-NEXT: log: n=-32
// OUT-NOT: FuzzOnce
// OUT: consistent

// LINK-DAG: multiple definition of `cfuzz_test_FuzzOnce'
// LINK-DAG: multiple definition of `cfuzz_setup_desc_FuzzOnce'
