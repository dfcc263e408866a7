/*
 * empty.c - does nothing: what is measured is the engine alone. The volatile
 * store keeps the function from being dropped; it is one block, one counter.
 */
#include "target.h"

static volatile size_t sink;

void bench_target(const uint8_t *data, size_t len)
{
    (void)data;
    sink = len;
}
