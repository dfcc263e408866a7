/*
 * big.c - the parser of parser.h inside a big program: the functions of gen_big.py
 * are linked in, could be reached for all the compiler knows, and never are.
 */
#include "parser.h"
#include "target.h"

extern void (*const big_functions[])(const uint8_t *);
extern const unsigned big_count;

static volatile int never; /* 0 for ever */

void bench_target(const uint8_t *data, size_t len)
{
    if (never && len > 0)
        big_functions[data[0] % big_count](data);
    parser_run(data, len);
}
