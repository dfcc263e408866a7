/* A header to precompile: includes cfuzz.h, and has a test of its own if asked. */
#include <cfuzz.h>
#include <stdio.h>

#ifdef IN_HEADER
CFUZZ_DICT("in a header");
FUZZ_TEST(FuzzHere, int)(cfuzz_t *t, int n)
{
    cfuzz_log(t, "n=%d", n);
}
#endif
