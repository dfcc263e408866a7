/*
 * A package that needs flags, another directory's header and source, and a library.
 *
 * No bug known: the geometric mean lies between the smallest and the largest value.
 */
//cfuzz:cflags -Iinc -DMEAN_MAX=64 -DMEAN_UNIT='"units of one"'
//cfuzz:ldflags -lm
//cfuzz:sources ../flags_common/minmax.c
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "minmax.h"

#ifndef MEAN_MAX
#error "the cflags line was not read"
#endif

static double geometric_mean(const uint8_t *v, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += log(v[i] + 1.0);
    return exp(sum / (double)n) - 1.0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzMean)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x01\x04\x10"));
}

FUZZ_TEST(FuzzMean, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    struct minmax m;
    double mean;

    if (len == 0 || len > MEAN_MAX)
        cfuzz_skip(t, "length %zu", len);
    m = minmax(data, len);
    mean = geometric_mean(data, len);
    if (mean < m.min - 1e-6 || mean > m.max + 1e-6)
        cfuzz_error(t, "mean %g of %u..%u " MEAN_UNIT, mean, m.min, m.max);
}
#endif
