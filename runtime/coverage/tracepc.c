/*
 * tracepc.c - counters for code that announces none: gcc's -fsanitize-coverage=trace-pc
 * and clang's trace-pc-guard.
 *
 * Each call of a hook counts in a map of 64 Ki counters, at a place hashed from the return address
 * or dealt out by guard. The map announces itself as one more module. Each block of 256 counters
 * acts as a function with a flag, so that a scan costs what ran. Only an instrumented object refers
 * to this file, so the linker takes it from the archive only when it is needed.
 *
 * Context of the hooks: any.
 */
#include <stdint.h>

#include "abi.h"
#include "core/protocol.h"

enum { MAP_BITS = 16, MAP_SIZE = 1 << MAP_BITS, BLOCK = 256, BLOCKS = MAP_SIZE / BLOCK };

static uint8_t map[MAP_SIZE] __attribute__((aligned(64)));
static uint8_t flags[BLOCKS] __attribute__((aligned(64)));
static struct cfz_func_rec recs[BLOCKS];
static uint32_t nguards;

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

__attribute__((constructor(101))) static void announce(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        recs[i].counters = (int32_t)(&map[i * BLOCK] - (uint8_t *)&recs[i].counters);
        recs[i].n = BLOCK;
    }
    __sanitizer_cov_8bit_counters_init(map, map + MAP_SIZE);
    cfuzz_module_init(CFUZZ_ABI, flags, flags + BLOCKS, recs, recs + BLOCKS);
}

static inline void count(uint32_t at)
{
    map[at]++;
    flags[at / BLOCK] = 1;
}

void __sanitizer_cov_trace_pc(void)
{
    /* Fibonacci hashing: neighbouring addresses spread over the map. */
    uint64_t pc = (uintptr_t)__builtin_return_address(0) - (uintptr_t)map; /* whatever ASLR did */

    count((uint32_t)(pc * 0x9e3779b97f4a7c15U >> (64 - MAP_BITS)));
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end)
{
    if (start == end || *start)
        return; /* once per module, though every object calls */
    for (uint32_t *g = start; g < end; g++)
        *g = ++nguards;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    count(*guard % MAP_SIZE);
}
