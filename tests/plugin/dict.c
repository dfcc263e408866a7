// CFUZZ_DICT is registered with the plugin, with -DCFUZZ_TEST, and with both: once each.
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O0 -Wall -Wextra -Werror -pedantic -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O2 -Wall -Wextra -Werror -pedantic -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s
// RUN: %clang -O2 -DCFUZZ_TEST -o %t.5 %s %t.rt.o && %t.5 | FileCheck %s
// RUN: %clang -O2 -x c++ -std=c++17 -o %t.6 %s -x none %t.rt.o && %t.6 | FileCheck %s
// RUN: %cc -O2 -DCFUZZ_TEST -Wall -Wextra -Werror -pedantic -c -o %t.o %s
// RUN: not %clang -fsyntax-only -DEMPTY %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %clang -fsyntax-only -DPOINTER %s 2>&1 | FileCheck %s --check-prefix=POINTER
#include <cfuzz.h>

CFUZZ_DICT("GET ", "w\x00rd", "\x89"
                              "PNG");
#define METHOD "POST"
CFUZZ_DICT(METHOD);
CFUZZ_DICT("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
           "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32");
#ifdef EMPTY
CFUZZ_DICT("a", ""); // EMPTY: dict.c:[[# @LINE]]:{{[0-9]+}}: error: {{.*}}negative
#endif
#ifdef POINTER
static const char *const word = "a";
CFUZZ_DICT(word); // POINTER: dict.c:[[# @LINE]]:{{[0-9]+}}: error:
#endif

FUZZ_TEST(FuzzHere, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "n=%d", n);
}

// CHECK: words {{.*}}dict.c:
// CHECK-NEXT: word 4: GET
// CHECK-NEXT: word 4: w<00>rd
// CHECK-NEXT: word 4: <89>PNG
// CHECK-NEXT: words {{.*}}dict.c:
// CHECK-NEXT: word 4: POST
// CHECK-NEXT: words {{.*}}dict.c:
// CHECK-NEXT: word 1: 1
// CHECK: word 2: 32
// CHECK-NEXT: test FuzzHere
