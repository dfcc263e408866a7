/*
 * oracle.c - cfuzz's side of the comparison with Go; run.sh says how it goes.
 *
 *     oracle write DIR   writes cfuzz-values: random values of every type, each with
 *                        its corpus file; and cfuzz-verdicts: texts, each with what
 *                        the decoder makes of it
 *     oracle read DIR    reads go-values, the same by Go, and compares
 *
 * Files are sequences of records: 4 bytes of length, little endian, and the bytes.
 * A flat value is its kind in a byte, then its bytes, or its bits in 8 bytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/corpus/encoding.h"
#include "core/io.h"
#include "core/text.h"

enum { PER_TYPE = 10000, VERDICTS = 60000, FILE_MAX = 1 << 28 };

static uint64_t state = 1;

/* splitmix64: the same numbers in every run. */
static uint64_t rnd(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "oracle: %s: %s\n", what, why);
    exit(1);
}

static void check(int ret, const struct cfz_error *err, const char *what)
{
    if (ret < 0)
        die(what, err->text);
}

/* ---- records -------------------------------------------------------------------- */

static void put_record(struct cfz_buf *out, const void *data, size_t len)
{
    uint8_t n[4] = {(uint8_t)len, (uint8_t)(len >> 8), (uint8_t)(len >> 16), (uint8_t)(len >> 24)};
    struct cfz_error err = CFZ_ERROR_INIT;

    check(cfz_buf_append(out, n, sizeof n, &err), &err, "record");
    check(cfz_buf_append(out, data, len, &err), &err, "record");
}

static bool get_record(const struct cfz_buf *in, size_t *pos, const uint8_t **data, size_t *len)
{
    const uint8_t *p;

    if (*pos == in->len)
        return false;
    if (in->len - *pos < 4)
        die("go-values", "cut off");
    p = in->data + *pos;
    *len = p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
    *data = p + 4;
    *pos += 4;
    if (in->len - *pos < *len)
        die("go-values", "cut off");
    *pos += *len;
    return true;
}

static void write_records(int dir, const char *name, struct cfz_buf *records)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    check(cfz_io_write_file(dir, name, records->data, records->len, CFZ_IO_REPLACE, &err), &err,
          name);
    cfz_buf_release(records);
}

/* ---- values --------------------------------------------------------------------- */

static uint64_t canonical(enum cfz_kind kind, uint64_t bits)
{
    unsigned width = cfz_kind_width(kind);

    if (width == 64)
        return bits;
    bits &= (UINT64_C(1) << width) - 1;
    if (cfz_kind_is_signed(kind) && bits >> (width - 1))
        bits |= ~UINT64_C(0) << width;
    return bits;
}

static size_t random_text(uint8_t *p)
{
    size_t len = 0;

    for (uint64_t n = rnd() % 24; n > 0; n--) {
        uint32_t rune = (uint32_t)(rnd() % (rnd() % 2 ? 0x3000 : 0x110000));

        switch (rnd() % 3) {
        case 0:
            p[len++] = (uint8_t)(rnd() % 128);
            break;
        case 1:
            p[len++] = (uint8_t)rnd();
            break;
        default:
            if (cfz_rune_is_valid(rune))
                len += cfz_utf8_encode(rune, p + len);
        }
    }
    return len;
}

/* Bits that favour the edges of a type; for floats also powers of two and their neighbours. */
static uint64_t random_bits(enum cfz_kind kind)
{
    uint64_t bits = rnd() >> rnd() % 64;

    if (rnd() % 2)
        bits = 0 - bits;
    if (cfz_kind_is_float(kind) && rnd() % 4 == 0) {
        unsigned fraction = kind == CFZ_KIND_FLOAT32 ? 23 : 52;

        bits = (rnd() << fraction) + rnd() % 3 - 1;
    }
    return canonical(kind, bits);
}

static void write_values(int dir)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_buf records = CFZ_BUF_INIT;
    uint8_t flat[128];

    for (int k = 1; k < CFZ_KIND_COUNT; k++) {
        for (int i = 0; i < PER_TYPE; i++) {
            struct cfz_value v = {.kind = (enum cfz_kind)k};
            struct cfz_values vs = {&v, 1, 0};
            struct cfz_buf text = CFZ_BUF_INIT;
            size_t len = 8;

            flat[0] = (uint8_t)k;
            if (cfz_kind_is_slot(v.kind)) {
                v.data = flat + 1;
                v.len = len = random_text(flat + 1);
            } else {
                v.bits = random_bits(v.kind);
                memcpy(flat + 1, &v.bits, 8);
            }
            put_record(&records, flat, 1 + len);
            check(cfz_encoding_write(&vs, &text, &err), &err, "encode");
            put_record(&records, text.data, text.len);
            cfz_buf_release(&text);
        }
    }
    write_records(dir, "cfuzz-values", &records);
}

/* Whether a file of Go holds the value that goes with it, and is what we write for it. */
static bool same(const uint8_t *flat, size_t flat_len, const uint8_t *file, size_t len)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_values vals = CFZ_VALUES_INIT, want;
    struct cfz_value v = {.kind = (enum cfz_kind)flat[0]};
    struct cfz_buf text = CFZ_BUF_INIT;
    bool ok = false;

    if (cfz_kind_is_slot(v.kind)) {
        v.data = (uint8_t *)flat + 1;
        v.len = flat_len - 1;
    } else {
        memcpy(&v.bits, flat + 1, 8);
    }
    want = (struct cfz_values){&v, 1, 0};
    if (cfz_encoding_parse(file, len, &vals, NULL, &err) < 0) {
        fprintf(stderr, "oracle: %.*s: %s\n", (int)len, (const char *)file, err.text);
    } else if (!cfz_values_equal(&vals, &want)) {
        fprintf(stderr, "oracle: %.*s: read as another value\n", (int)len, (const char *)file);
    } else {
        check(cfz_encoding_write(&vals, &text, &err), &err, "encode");
        ok = text.len == len && memcmp(text.data, file, len) == 0;
        if (!ok)
            fprintf(stderr, "oracle: Go writes %.*s cfuzz %s", (int)len, (const char *)file,
                    cfz_buf_str(&text));
    }
    cfz_values_release(&vals);
    cfz_buf_release(&text);
    return ok;
}

static int read_values(int dir)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_buf in = CFZ_BUF_INIT;
    const uint8_t *flat, *file;
    size_t pos = 0, flat_len, len, count[CFZ_KIND_COUNT] = {0}, bad = 0, all = 0;

    check(cfz_io_read_file(dir, "go-values", FILE_MAX, &in, &err), &err, "go-values");
    while (get_record(&in, &pos, &flat, &flat_len) && get_record(&in, &pos, &file, &len)) {
        if (flat_len == 0 || flat[0] >= CFZ_KIND_COUNT)
            die("go-values", "no such kind");
        count[flat[0]]++;
        all++;
        if (!same(flat, flat_len, file, len))
            bad++;
    }
    cfz_buf_release(&in);
    for (int k = 1; k < CFZ_KIND_COUNT; k++)
        if (count[k] < PER_TYPE)
            die("go-values", "values are missing");
    printf("%zu files of Go, %zu differ\n", all, bad);
    return bad > 0;
}

/* ---- verdicts --------------------------------------------------------------------- */

static const char *const bases[] = {
    "int(-0x1f)",
    "int8(017)",
    "uint(1_000)",
    "byte(0b101)",
    "[]byte(\"a\\xff\\u1234\\\"\")",
    "string(`a` ) // c",
    "string(\"a\"...,)",
    "float64(-12.5e+10)",
    "float32(0x1.8p-2)",
    "float32(3.4028235e38)",
    "float64(<-Inf)",
    "math.Float64frombits(0x7ff8000000000002)",
    "math.Float32frombits(1)",
    "byte('\\'')",
    "byte('\\377')",
    "rune('\\U0010ffff')",
    "rune(0xd800)",
    "bool(true)",
    "float32(NaN)",
    "/* c */ int ( 1 , )",
    "int(1)[2].x{3}",
    "[...]byte{1, 2: 3}",
    "f(1, (2), a[1:2], b.(c))",
};

static size_t mutate(char *text, size_t len, size_t cap)
{
    static const char pool[] =
        "()[]{}.,:\"'`\\/*-+<!^&~_ 0123456789abcefinptuxBEINPUX\r\t\0\xff\xc2\x85\xef\xbb\xbf";

    for (uint64_t n = rnd() % 4; n > 0; n--) {
        size_t at = rnd() % (len + 1);
        char c = pool[rnd() % (sizeof pool - 1)];

        if (rnd() % 2 == 0 && at < len) {
            text[at] = c;
        } else if (rnd() % 2 == 0 && len < cap) {
            memmove(text + at + 1, text + at, len - at);
            text[at] = c;
            len++;
        } else if (at < len) {
            memmove(text + at, text + at + 1, len - at - 1);
            len--;
        }
    }
    return len;
}

static void put_verdict(struct cfz_buf *records, const char *text, size_t len)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf verdict = CFZ_BUF_INIT, again = CFZ_BUF_INIT;

    if (cfz_encoding_parse((const uint8_t *)text, len, &vals, NULL, &err) < 0) {
        check(cfz_buf_printf(&verdict, &err, "bad %s", err.text), &err, "verdict");
    } else {
        if (vals.n > 0)
            check(cfz_encoding_write(&vals, &again, &err), &err, "encode");
        check(cfz_buf_printf(&verdict, &err, "ok %s", cfz_buf_str(&again)), &err, "verdict");
    }
    put_record(records, text, len);
    put_record(records, verdict.data, verdict.len);
    cfz_values_release(&vals);
    cfz_buf_release(&verdict);
    cfz_buf_release(&again);
}

static void write_verdicts(int dir)
{
    struct cfz_buf records = CFZ_BUF_INIT;
    size_t header = strlen(CFZ_ENCODING_HEADER "\n");
    char text[256];

    for (int i = 0; i < VERDICTS; i++) {
        const char *base = bases[(size_t)i % (sizeof bases / sizeof *bases)];
        size_t len = strlen(base);

        memcpy(text, CFZ_ENCODING_HEADER "\n", header);
        memcpy(text + header, base, len);
        len = mutate(text + header, len, sizeof text - header);
        put_verdict(&records, text, header + len);
    }
    write_records(dir, "cfuzz-verdicts", &records);
}

int main(int argc, char **argv)
{
    int dir;

    if (argc != 3)
        die("usage", "oracle read|write DIR");
    dir = open(argv[2], O_RDONLY | O_DIRECTORY);
    if (dir < 0)
        die(argv[2], "cannot be opened");
    if (strcmp(argv[1], "read") == 0)
        return read_values(dir);
    write_values(dir);
    write_verdicts(dir);
    return 0;
}
