// Two CFUZZ_DICT on lines of the same number in two files, as in a header and what includes it.
// RUN: %clang -O0 -Wall -Wextra -Werror -pedantic -c -o %t.o %s
// RUN: %cc -O0 -Wall -Wextra -Werror -pedantic -c -o %t.o %s
// RUN: %cc -DCFUZZ_TEST -Wall -Wextra -Werror -pedantic -c -o %t.o %s
#include <cfuzz.h>
#include "Inputs/dict_lines.h"
CFUZZ_DICT("source");
CFUZZ_DICT("more");

FUZZ_TEST_VALUES(FuzzLines, int)(int n)
{
    (void)n;
}
