/*
 * bench/encoding.c - how fast corpus files are written and read.
 *
 *     encoding [milliseconds per row]
 *
 * Built by hand, in the source tree:
 *
 *     clang-19 -O2 -Iinclude -Iruntime bench/encoding.c build/obj/libcfz_core.a -lm -o encoding
 *
 * Rows are those of Go's benchmarks: a []byte of 1 to 1 Mi bytes that repeats 0 to
 * 255, written and read; rates are in bytes of the value. The last rows are files
 * of one float64, an int64 and a string each, in values per second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/corpus/encoding.h"

static double row_seconds = 0.1;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(int ret, const struct cfz_error *err)
{
    if (ret < 0) {
        fprintf(stderr, "encoding: %s\n", err->text);
        exit(1);
    }
}

static void write_once(const struct cfz_values *vs, struct cfz_buf *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    text->len = 0;
    check(cfz_encoding_write(vs, text, &err), &err);
}

static void read_once(struct cfz_values *vs, const struct cfz_buf *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    check(cfz_encoding_parse(text->data, text->len, vs, NULL, &err), &err);
}

/* Seconds for one writing, or reading, of vs: as often as fits into a row, and again in batches
 * so that looking at the clock does not count. */
static double measure(struct cfz_values *vs, bool reading)
{
    struct cfz_values out = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    double start, seconds;
    long batch = 1, n = 0;

    write_once(vs, &text);
    start = now();
    do {
        for (long i = 0; i < batch; i++) {
            if (reading)
                read_once(&out, &text);
            else
                write_once(vs, &text);
        }
        n += batch;
        seconds = now() - start;
        if (seconds < row_seconds / 10)
            batch *= 2;
    } while (seconds < row_seconds);
    cfz_values_release(&out);
    cfz_buf_release(&text);
    return seconds / (double)n;
}

static void row(const char *name, struct cfz_values *vs, double units, const char *unit)
{
    double writing = measure(vs, false), reading = measure(vs, true);

    printf("%-16s %12.1f %12.1f %12.2f %12.2f %s\n", name, writing * 1e9, reading * 1e9,
           units / writing / 1e6, units / reading / 1e6, unit);
}

int main(int argc, char **argv)
{
    enum { LEN_MAX = 1 << 20 };
    static uint8_t bytes[LEN_MAX];
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = bytes};
    struct cfz_values vs = {&v, 1, 0};
    char name[32];

    if (argc > 1)
        row_seconds = atof(argv[1]) / 1000;
    for (size_t i = 0; i < LEN_MAX; i++)
        bytes[i] = (uint8_t)i;
    printf("%-16s %12s %12s %12s %12s\n", "", "write ns", "read ns", "write", "read");
    for (v.len = 1; v.len <= LEN_MAX; v.len *= 2) {
        snprintf(name, sizeof name, "[]byte %zu", v.len);
        row(name, &vs, (double)v.len, "MB/s");
    }
    v = (struct cfz_value){.kind = CFZ_KIND_FLOAT64, .bits = 0x3fd5555555555555};
    row("float64 1/3", &vs, 1, "M/s");
    v = (struct cfz_value){.kind = CFZ_KIND_FLOAT64, .bits = 1};
    row("float64 5e-324", &vs, 1, "M/s");
    v = (struct cfz_value){.kind = CFZ_KIND_INT64, .bits = (uint64_t)-1234567890123};
    row("int64", &vs, 1, "M/s");
    v = (struct cfz_value){
        .kind = CFZ_KIND_STRING, .data = (uint8_t *)"GET / HTTP/1.1\r\n\r\n", .len = 18};
    row("string", &vs, 1, "M/s");
    return 0;
}
