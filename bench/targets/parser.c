/*
 * parser.c - the parser of parser.h, a program of its own.
 */
#include "parser.h"
#include "target.h"

void bench_target(const uint8_t *data, size_t len)
{
    parser_run(data, len);
}
