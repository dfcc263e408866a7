// Words that stand in one text are listed one by one: those that tables of places and lengths tell, if they make up
// the text, and those that end in zeros, from eight on. Of a text without such tables there are none.
// RUN: %clang -O0 -c -o %t.0.o %s && %clang -O2 -c -o %t.2.o %s
// RUN: %python %S/Inputs/strings.py %t.0.o | FileCheck --match-full-lines %s
// RUN: %python %S/Inputs/strings.py %t.2.o | FileCheck --match-full-lines %s
// RUN: %clang -O2 -fsanitize=address,undefined -c -o %t.a.o %s
// RUN: %python %S/Inputs/strings.py %t.a.o | FileCheck --match-full-lines %s
//
// CHECK-NOT: {{.+}}
// CHECK: 'zero'
// CHECK-NEXT: 'one'
// CHECK-NEXT: 'two'
// CHECK-NEXT: 'three'
// CHECK-NEXT: 'four'
// CHECK-NEXT: 'five'
// CHECK-NEXT: 'six'
// CHECK-NEXT: 'seven'
// CHECK-NEXT: 'REINDEX'
// CHECK-NEXT: 'INDEXED'
// CHECK-NEXT: 'INDEX'
// CHECK-NEXT: 'DESC'
// CHECK-NEXT: 'ESCAPE'
// CHECK-NEXT: 'EACH'
// CHECK-NEXT: 'CHECK'
// CHECK-NEXT: 'KEY'
// CHECK-NEXT: 'WORDS'
// CHECK-NEXT: 'ARE'
// CHECK-NEXT: 'DONE'
// CHECK-NOT: {{.+}}
#include <cfuzz.h>

#define N 18 /* an array of up to 16 bytes would be a word itself */

const char ended[] = "zero\0one\0two\0three\0four\0five\0six\0seven\0";
const char few[] = "the first\0the second of the long ones";
const char text[] = {'R', 'E', 'I', 'N', 'D', 'E', 'X', 'E', 'D', 'E', 'S', 'C', 'A', 'P', 'E', 'A', 'C',
                     'H', 'E', 'C', 'K', 'E', 'Y', 'W', 'O', 'R', 'D', 'S', 'A', 'R', 'E', 'D', 'O', 'N', 'E'};
const unsigned short places[N] = {0, 2, 2, 8, 9, 14, 16, 20, 23, 28, 31, 20, 20, 20, 20, 20, 20, 20};
const unsigned char lengths[N] = {7, 7, 5, 4, 6, 4, 5, 3, 5, 3, 4, 3, 3, 3, 3, 3, 3, 3};
/* Neither its end nor words of a length that is allowed. */
const unsigned char short_of_it[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17},
                    next[N] = {40, 50, 33, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const char other[] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',
                      's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'};

FUZZ_TEST(FuzzNothing, string)(cfuzz_t *t, const char *arg)
{
    (void)t;
    (void)arg;
}
