/*
 * bench/mutator.c - how long one mutation takes.
 *
 *     mutator [milliseconds per row]
 *
 * Built by hand, in the source tree:
 *
 *     clang-19 -O2 -Iinclude -Iruntime bench/mutator.c build/obj/libcfz_search.a \
 *         build/obj/libcfz_core.a -lm -o mutator
 *
 * Rows are those of Go's benchmarks: []byte and string of 1 to 100,000 bytes,
 * then every type with a small value. Each row starts from seed 123 and sets the
 * value back to its length before each mutation, so that mutations of one length
 * are timed; "from base" also copies the bytes back, as a chain of mutations does
 * at its start. The last row mutates all types as one test's values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "search/mutator.h"

enum {
    SIZE_MAX_TIMED = 100000,
    CAP = SIZE_MAX_TIMED + 8192, /* so that no insertion is refused */
    BATCH = 1000,                /* mutations between two looks at the clock */
};

static uint8_t base[CAP];
static double row_seconds = 0.2;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct cfz_value make(enum cfz_kind kind, size_t len)
{
    struct cfz_value v = {.kind = kind, .bits = 0};

    if (!(kind == CFZ_KIND_BYTES || kind == CFZ_KIND_STRING))
        return v;
    v.data = malloc(CAP);
    if (v.data == NULL) {
        fprintf(stderr, "mutator: out of memory\n");
        exit(1);
    }
    memcpy(v.data, base, CAP);
    v.len = len;
    v.cap = CAP;
    return v;
}

/* Prints the nanoseconds per mutation of values that are set back to what they were each time. */
static void row(const char *what, struct cfz_value *values, size_t n, bool copy_back)
{
    struct cfz_values vs = {values, n, n};
    struct cfz_mutator m = {.max_len = CAP};
    struct cfz_value start[CFZ_VALUES_MAX];
    unsigned long long count = 0;
    double begin, end;

    memcpy(start, values, n * sizeof values[0]);
    cfz_rand_init(&m.rand, 123, 1);
    begin = now();
    do {
        for (int i = 0; i < BATCH; i++) {
            size_t changed = cfz_mutate(&m, &vs);

            values[changed].len = start[changed].len;
            values[changed].bits = start[changed].bits;
            if (copy_back)
                memcpy(values[changed].data, base, start[changed].len);
        }
        count += BATCH;
        end = now();
    } while (end - begin < row_seconds);
    printf("%-32s %12.1f ns %14.0f /s\n", what, (end - begin) * 1e9 / (double)count,
           (double)count / (end - begin));
}

static void sizes(const char *type, enum cfz_kind kind, bool copy_back)
{
    static const size_t lens[] = {1, 10, 100, 1000, 10000, 100000};

    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        struct cfz_value v = make(kind, lens[i]);
        char what[64];

        snprintf(what, sizeof what, "%s, %zu bytes%s", type, lens[i],
                 copy_back ? ", from base" : "");
        row(what, &v, 1, copy_back);
        free(v.data);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        enum cfz_kind kind;
    } types[] = {
        {"[]byte", CFZ_KIND_BYTES},    {"string", CFZ_KIND_STRING},   {"bool", CFZ_KIND_BOOL},
        {"float32", CFZ_KIND_FLOAT32}, {"float64", CFZ_KIND_FLOAT64}, {"int", CFZ_KIND_INT},
        {"int8", CFZ_KIND_INT8},       {"int16", CFZ_KIND_INT16},     {"int32", CFZ_KIND_INT32},
        {"int64", CFZ_KIND_INT64},     {"uint8", CFZ_KIND_UINT8},     {"uint16", CFZ_KIND_UINT16},
        {"uint32", CFZ_KIND_UINT32},   {"uint64", CFZ_KIND_UINT64},
    };
    enum { N = sizeof types / sizeof types[0] };
    struct cfz_value all[N];

    if (argc > 1)
        row_seconds = atof(argv[1]) / 1000;
    for (size_t i = 0; i < CAP; i++)
        base[i] = (uint8_t)(1 + i * 7 % 255);

    sizes("[]byte", CFZ_KIND_BYTES, false);
    sizes("[]byte", CFZ_KIND_BYTES, true);
    sizes("string", CFZ_KIND_STRING, false);
    for (size_t i = 0; i < N; i++) {
        all[i] = make(types[i].kind, 16);
        all[i].bits = types[i].kind == CFZ_KIND_FLOAT32   ? 0x3fc00000         /* 1.5 */
                      : types[i].kind == CFZ_KIND_FLOAT64 ? 0x3ff8000000000000 /* 1.5 */
                                                          : 1;
        row(types[i].name, &all[i], 1, false);
    }
    row("all types", all, N, false);
    for (size_t i = 0; i < N; i++)
        free(all[i].data);
    return 0;
}
