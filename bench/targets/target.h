/*
 * target.h - what a target of the benchmark defines, and a wrapper of an engine calls.
 *
 * The same object code is behind every engine: a target knows no engine, and the
 * wrappers in bench/wrap/ do nothing but pass their input on.
 */
#ifndef BENCH_TARGET_H
#define BENCH_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* bench_target runs one input; data is borrowed and may be NULL when len is 0. */
void bench_target(const uint8_t *data, size_t len);

/* bench_typed is the target of typed.c, for engines that have types; text ends with a NUL. */
void bench_typed(const uint8_t *data, size_t len, int number, double real, const char *text);

#endif
