/*
 * typed.c - next to no work on four values, to see what passing and mutating
 * them costs. bench_target is the same work with a single one of them varied.
 */
#include "target.h"

static volatile unsigned sink;

void bench_typed(const uint8_t *data, size_t len, int number, double real, const char *text)
{
    if (len > 0 && data[len - 1] == 'z')
        sink = 1;
    if (number == 1000)
        sink = 2;
    if (real > 1e9)
        sink = 3;
    if (text[0] == 'k')
        sink = 4;
}

void bench_target(const uint8_t *data, size_t len)
{
    bench_typed(data, len, (int)len, 1.5, "text");
}
