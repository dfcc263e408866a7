/*
 * cfuzz.h - stands for cfuzz's own where tests of tests/barriers are built for libFuzzer: tests that take one
 * []byte and only look at it.
 */
#ifndef BENCH_BARRIERS_CFUZZ_H
#define BENCH_BARRIERS_CFUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct cfuzz cfuzz_t;

#define FUZZ_TEST(name, ...) static __attribute__((unused)) void name

#endif
