/*
 * cfuzz_bytes.c - a target as a fuzz test of cfuzz.
 */
#include <cfuzz.h>

#include "count.h"
#include "target.h"

FUZZ_TEST(FuzzBench, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    bench_count(len);
    bench_target(data, len);
}
