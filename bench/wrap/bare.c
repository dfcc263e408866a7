/*
 * bare.c - no engine: one byte of the seed changed, the target called, the byte
 * put back. What no engine on this machine can be expected to beat.
 *
 *     bare CPU_SECONDS LENGTH SEED_FILE
 *
 * Linked with a target that has inline counters, it also clears all of them
 * before a call and looks at all of them after it, as the simplest engine would
 * have to; without, it only calls. The last line is "execs: N counters: N".
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "target.h"

enum { MODULES_MAX = 64, BATCH = 1024 /* executions between two looks at the clock */ };

static struct {
    uint8_t *start, *end;
} modules[MODULES_MAX];
static size_t n_modules;
static uint64_t news; /* counters seen set for the first time */
static uint8_t *seen; /* by index over all modules */

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
    for (size_t i = 0; i < n_modules; i++)
        if (modules[i].start == start)
            return; /* every object file announces the section that all share */
    if (start == end || n_modules == MODULES_MAX)
        return;
    modules[n_modules].start = start;
    modules[n_modules++].end = end;
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
    (void)start;
    (void)end;
}

static void clear(void)
{
    for (size_t i = 0; i < n_modules; i++)
        memset(modules[i].start, 0, (size_t)(modules[i].end - modules[i].start));
}

static void look(const uint8_t *counters, size_t n, uint8_t *known)
{
    for (size_t i = 0; i < n; i++) {
        if (counters[i] & ~known[i]) {
            known[i] |= counters[i];
            news++;
        }
    }
}

static void scan(void)
{
    uint8_t *known = seen;

    for (size_t m = 0; m < n_modules; m++) {
        const uint8_t *p = modules[m].start;
        uint64_t word;

        for (; modules[m].end - p >= (ptrdiff_t)sizeof(word); p += sizeof(word)) {
            memcpy(&word, p, sizeof(word));
            if (word != 0)
                look(p, sizeof(word), known);
            known += sizeof(word);
        }
        look(p, (size_t)(modules[m].end - p), known);
        known += modules[m].end - p;
    }
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    uint64_t random = 0x2545f4914f6cdd1du, execs = 0;
    size_t len, counters = 0;
    uint8_t *data;
    double limit;
    FILE *seed;

    if (argc != 4 || (limit = atof(argv[1])) <= 0 || (len = (size_t)atol(argv[2])) == 0) {
        fprintf(stderr, "usage: bare CPU_SECONDS LENGTH SEED_FILE\n");
        return 2;
    }
    for (size_t i = 0; i < n_modules; i++)
        counters += (size_t)(modules[i].end - modules[i].start);
    data = calloc(1, len);
    seen = calloc(1, counters + 1);
    seed = fopen(argv[3], "rb");
    if (data == NULL || seen == NULL || seed == NULL) {
        fprintf(stderr, "bare: %s: cannot be read, or no memory\n", argv[3]);
        return 2;
    }
    if (fread(data, 1, len, seed) < len)
        clearerr(seed); /* the rest stays zero */
    fclose(seed);
    do {
        for (int i = 0; i < BATCH; i++) {
            uint8_t *at, before;

            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            at = &data[(random >> 8) % len];
            before = *at;
            *at = (uint8_t)(random >> 48);
            clear();
            bench_target(data, len);
            scan();
            *at = before;
        }
        execs += BATCH;
    } while (cpu_seconds() < limit);
    printf("execs: %" PRIu64 " counters: %zu new: %" PRIu64 "\n", execs, counters, news);
    free(data);
    free(seen);
    return 0;
}
