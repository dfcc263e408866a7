// Precompiled headers and preprocessed files lose no test.
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
//
// cfuzz.h in a header that was precompiled without the plugin, the test here:
// RUN: cp %S/Inputs/pch.h %t.h
// RUN: %cc -O1 -x c-header -o %t.h.pch %t.h
// RUN: %clang -O1 -include-pch %t.h.pch -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s
// With the plugin:
// RUN: %clang -O1 -x c-header -o %t.h.pch %t.h
// RUN: %clang -O1 -include-pch %t.h.pch -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s
// Errors still stand at the parameter and at the word:
// RUN: %clang -O1 -include-pch %t.h.pch -DWRONG -fsyntax-only -Xclang -verify %s
//
// The test itself in the header, precompiled without and with the plugin:
// RUN: %cc -O1 -DIN_HEADER -x c-header -o %t.h.pch %t.h
// RUN: %clang -O1 -DIN_HEADER -include-pch %t.h.pch -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s --check-prefixes=WORDS,CHECK
// RUN: %clang -O1 -DIN_HEADER -x c-header -o %t.h.pch %t.h
// RUN: %clang -O1 -DIN_HEADER -include-pch %t.h.pch -o %t.4 %s %t.rt.o && %t.4 | FileCheck %s --check-prefixes=WORDS,CHECK
//
// As ccache and distcc do: preprocess first, also without the plugin, compile the result.
// RUN: %clang -O1 -E -o %t.i %s -include %t.h && %clang -O1 -o %t.5 %t.i %t.rt.o && %t.5 | FileCheck %s
// RUN: %cc -O1 -E -o %t.i %s -include %t.h && %clang -O1 -o %t.6 %t.i %t.rt.o && %t.6 | FileCheck %s
// RUN: %clang -O1 -E -DWRONG -o %t.i %s -include %t.h && not %clang -fsyntax-only %t.i 2>&1 | FileCheck %s --check-prefix=WRONG
//
// The passes in another process than the AST part; the options go along.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clang -O1 -save-temps -fplugin-arg-cfuzz-rename-main=on -DMAIN -include %t.h -o %t.7 %s %t.rt.o
// RUN: %t.7 | FileCheck %s

#if !defined IN_HEADER && !defined WRONG
FUZZ_TEST(FuzzHere, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "n=%d", n);
}
#endif
#ifdef WRONG
FUZZ_TEST(FuzzHere, int)      // expected-note {{'int' is listed here}}
(cfuzz_t *t, double n)        // expected-error {{parameter 'n' of fuzz test 'FuzzHere' is 'double'}}
{ (void)t, (void)n; }
#endif
#ifdef MAIN
int main(void) { return 1; }
#endif
// WORDS: words {{.*}}.h:
// WORDS-NEXT: word 11: in a header
// CHECK: test FuzzHere(int) {{.*}} 8/4/n
// CHECK-NEXT: log: n=-32
// CHECK: consistent

// WRONG: precompiled.c:[[# @LINE-12]]:21: error: parameter 'n' of fuzz test 'FuzzHere' is 'double'
