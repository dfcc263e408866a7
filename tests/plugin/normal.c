// A normal build has nothing of a fuzz test in it, and no warning: one line more than the last
// would be a symbol, a section or a section's name.
// RUN: %cc -O0 -Wall -Wextra -Werror -c -o %t.o %s && nm %t.o | FileCheck %s
// RUN: %cc -O2 -Wall -Wextra -Werror -c -o %t.o %s && nm %t.o | FileCheck %s
// RUN: %cc -O2 -c -o %t.o %s && not grep -q -i fuzz_ %t.o
#include <cfuzz.h>

CFUZZ_DICT("word", "w\x00rd");
FUZZ_SETUP(FuzzNothing)(cfuzz_f *f) { cfuzz_add(f, CFUZZ_BYTES("x"), 1); }
FUZZ_TEST(FuzzNothing, []byte, int)(cfuzz_t *t, const uint8_t *data, size_t n, int x)
{
    if (n > (size_t)x && data[0] == 'x')
        cfuzz_error(t, "x");
}
int real(void);
int real(void) { return 1; }
// CHECK-NOT: {{[Ff]uzz}}
// CHECK: T real
// CHECK-NOT: {{[Ff]uzz}}
