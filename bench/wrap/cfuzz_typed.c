/*
 * cfuzz_typed.c - typed.c as a fuzz test of cfuzz, with all its types.
 */
#include <cfuzz.h>

#include "target.h"

FUZZ_TEST(FuzzBench, [] byte, int, float64, string)
(cfuzz_t *t, const uint8_t *data, size_t len, int number, double real, const char *text)
{
    (void)t;
    bench_typed(data, len, number, real, text);
}
