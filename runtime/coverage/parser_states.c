/*
 * parser_states.c - see parser_states.h.
 */
#include "coverage/parser_states.h"

#include <stddef.h>
#include <string.h>

#include "abi.h"
#include "core/hash.h"

extern const struct cfz_func_rec __start_cfuzz_parsers[]
    __attribute__((weak, visibility("hidden")));
extern const struct cfz_func_rec __stop_cfuzz_parsers[] __attribute__((weak, visibility("hidden")));

bool cfz_parser_states_any(void)
{
    return __stop_cfuzz_parsers > __start_cfuzz_parsers;
}

/* The sum of hashes of those of n counters that have counted; from: the number of the first. */
static uint64_t sum_of(const uint8_t *counters, size_t n, uint64_t from)
{
    uint64_t sum = 0, eight;

    for (size_t i = 0; i < n; i += sizeof eight) {
        const size_t some = n - i < sizeof eight ? n - i : sizeof eight;

        eight = 0;
        memcpy(&eight, counters + i, some);
        for (size_t k = 0; eight != 0 && k < some; k++)
            if (counters[i + k] != 0)
                sum += cfz_hash_mix(from + i + k);
    }
    return sum;
}

uint64_t cfz_parser_states(void)
{
    uint64_t sum = 0, from = 1;

    for (const struct cfz_func_rec *r = __start_cfuzz_parsers; r < __stop_cfuzz_parsers; r++) {
        sum += sum_of((const uint8_t *)&r->counters + r->counters, r->n, from);
        from += r->n;
    }
    return sum;
}
