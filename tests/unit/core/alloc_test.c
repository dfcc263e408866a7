/*
 * alloc_test.c - no memory: every allocation of values, encoding and corpora
 * fails once, and each time that is an error, leaks nothing and changes nothing.
 *
 * Wraps: malloc calloc realloc strdup
 */
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/corpus/corpus.h"
#include "core/corpus/encoding.h"
#include "core/corpus/flat.h"
#include "core/corpus/quote.h"
#include "core/io.h"

#include "failing_alloc.h"

/* What is tried: 0 or -1 like all of core. */
typedef int attempt_fn(struct cfz_error *err);

/* Calls attempt with the first, second, ... allocation failing until none is left to fail. */
static void check_every(attempt_fn *attempt, long least)
{
    long n;

    for (n = 0;; n++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        int ret;

        alloc_failed = false;
        fail_at = n;
        ret = attempt(&err);
        fail_at = -1;
        if (!alloc_failed) {
            if (ret < 0)
                fail_msg("%s", err.text);
            break;
        }
        if (ret == 0 || err.code != CFZ_ENOMEM || !strstr(err.text, "out of memory"))
            fail_msg("allocation %ld: %d, code %d, \"%s\"", n, ret, (int)err.code, err.text);
    }
    if (n < least)
        fail_msg("only %ld allocations: the test tests nothing", n);
}

/* ---- what is tried ------------------------------------------------------------------ */

static const char text[] = "go test fuzz v1\n[]byte(\"a\\x00bcdefgh\")\nstring(\"some text\")\n"
                           "bool(true)\nint8(-1)\nrune('x')\nfloat64(-2.5e-10)\n"
                           "math.Float32frombits(0x7fc00001)\nuint(5)\n";
static struct cfz_values sample;

static int try_parse(struct cfz_error *err)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    int ret = cfz_encoding_parse((const uint8_t *)text, sizeof text - 1, &vals, NULL, err);

    assert_int_equal(vals.n, ret < 0 ? 0 : 8);
    cfz_values_release(&vals);
    return ret;
}

/* The text of an error needs memory too. The error may be either then. */
static int try_parse_bad(struct cfz_error *err)
{
    static const char bad[] = "go test fuzz v1\nint(1)\nint8(300)\n";
    struct cfz_values vals = CFZ_VALUES_INIT;

    assert_int_equal(cfz_encoding_parse((const uint8_t *)bad, sizeof bad - 1, &vals, NULL, err),
                     -1);
    assert_int_equal(vals.n, 0);
    return err->code == CFZ_EFORMAT ? 0 : -1;
}

static int try_header_bad(struct cfz_error *err)
{
    assert_int_equal(cfz_encoding_parse((const uint8_t *)"\x01\n", 2, &sample, NULL, err), -1);
    assert_int_equal(sample.n, 8);
    return err->code == CFZ_EFORMAT ? 0 : -1;
}

static int try_write(struct cfz_error *err)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    int ret = cfz_encoding_write(&sample, &out, err);

    assert_int_equal(out.len, ret < 0 ? 0 : sizeof text - 1);
    cfz_buf_release(&out);
    return ret;
}

static int try_quote(struct cfz_error *err)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    char long_text[300];
    int ret;

    memset(long_text, '\n', sizeof long_text);
    ret = cfz_quote(long_text, sizeof long_text, &out, err);
    assert_int_equal(out.len, ret < 0 ? 0 : 602);
    cfz_buf_release(&out);
    return ret;
}

static int try_copy(struct cfz_error *err)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    int ret = cfz_values_copy(&vals, &sample, err);

    assert_int_equal(vals.n, ret < 0 ? 0 : 8);
    cfz_values_release(&vals);
    return ret;
}

static int try_zero(struct cfz_error *err)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_INT, CFZ_KIND_INT, CFZ_KIND_INT,  CFZ_KIND_INT,
                                          CFZ_KIND_INT, CFZ_KIND_INT, CFZ_KIND_BYTES};
    struct cfz_values vals = CFZ_VALUES_INIT;
    int ret = cfz_values_zero(&vals, kinds, 7, err);

    assert_int_equal(vals.n, ret < 0 ? 0 : 7);
    cfz_values_release(&vals);
    return ret;
}

static int try_unpack(struct cfz_error *err)
{
    enum cfz_kind kinds[8];
    struct cfz_values vals = CFZ_VALUES_INIT;
    uint8_t packed[256];
    int ret;

    for (size_t i = 0; i < 8; i++)
        kinds[i] = sample.v[i].kind;
    assert_true(cfz_values_packed_size(&sample) <= sizeof packed);
    cfz_values_pack(&sample, packed);
    ret = cfz_values_unpack(&vals, kinds, 8, packed, cfz_values_packed_size(&sample), err);
    assert_int_equal(vals.n, ret < 0 ? 0 : 8);
    cfz_values_release(&vals);
    return ret;
}

static int try_mismatch(struct cfz_error *err)
{
    static const enum cfz_kind kinds[8] = {CFZ_KIND_INT};

    assert_int_equal(cfz_values_check(&sample, kinds, 8, err), -1);
    return err->code == CFZ_ETYPE ? 0 : -1;
}

static char dir[40], path[64];

static int try_load(struct cfz_error *err)
{
    enum cfz_kind kinds[8];
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
    int ret;

    for (size_t i = 0; i < 8; i++)
        kinds[i] = sample.v[i].kind;
    ret = cfz_corpus_load(path, kinds, 8, &d, err);
    assert_int_equal(d.n, ret < 0 ? 0 : 2);
    if (ret == 0) { /* for want of memory nothing is called bad */
        assert_false(d.files[0].bad);
        assert_true(d.files[1].bad);
    }
    cfz_corpus_dir_release(&d);
    return ret;
}

static int try_save(struct cfz_error *err)
{
    char name[17] = "";
    int ret = cfz_corpus_save(path, &sample, 0, name, err);

    assert_int_equal(strlen(name), ret < 0 ? 0 : 16);
    return ret;
}

static int try_read(struct cfz_error *err)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    int ret = cfz_io_read_file(-100 /* AT_FDCWD */, "/proc/self/maps", 1 << 20, &out, err);

    assert_int_equal(out.len > 0, ret == 0);
    cfz_buf_release(&out);
    return ret;
}

/* Of bytes that are the text of a corpus file, and of such that are not. */
static int try_flat_read(const void *in, size_t len, const enum cfz_kind *kinds, size_t n,
                         struct cfz_error *err)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    int ret = cfz_flat_read(&vals, kinds, n, in, len, err);

    assert_int_equal(vals.n, ret < 0 ? 0 : n);
    cfz_values_release(&vals);
    return ret;
}

static int try_flat_plain(struct cfz_error *err)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_STRING};

    return try_flat_read("\3\0\0\0abcdef", 10, kinds, 2, err);
}

static int try_flat_text(struct cfz_error *err)
{
    enum cfz_kind kinds[8];

    for (size_t i = 0; i < 8; i++)
        kinds[i] = sample.v[i].kind;
    return try_flat_read(text, sizeof text - 1, kinds, 8, err);
}

/* Its flat form is the text of the corpus file, since the bytes are the text of another. */
static int try_flat_write(struct cfz_error *err)
{
    static const char inner[] = "go test fuzz v1\n[]byte(\"a\")\n";
    struct cfz_value v = {CFZ_KIND_BYTES, 0, (uint8_t *)inner, sizeof inner - 1, 0};
    const struct cfz_values vals = {&v, 1, 0};
    struct cfz_buf out = CFZ_BUF_INIT;
    int ret = cfz_flat_write(&vals, &out, err);

    assert_true(ret < 0 ? out.len == 0 : out.len > sizeof inner - 1);
    cfz_buf_release(&out);
    return ret;
}

/* ---- tests ---------------------------------------------------------------------------- */

static void test_encoding(void **state)
{
    (void)state;
    check_every(try_parse, 8);
    check_every(try_parse_bad, 3);
    check_every(try_header_bad, 1);
    check_every(try_write, 2);
    check_every(try_quote, 2);
}

static void test_flat(void **state)
{
    (void)state;
    check_every(try_flat_plain, 3);
    check_every(try_flat_text, 8);
    check_every(try_flat_write, 4);
}

static void test_values(void **state)
{
    (void)state;
    check_every(try_copy, 4);
    check_every(try_zero, 2);
    check_every(try_unpack, 4);
    check_every(try_mismatch, 2);
}

static void test_corpus(void **state)
{
    char name[17], bad[80];
    FILE *f;

    (void)state;
    check_every(try_save, 3); /* into a directory that is made, then is there */
    check_every(try_save, 3); /* the same again: compared with what is there */
    assert_int_equal(cfz_corpus_save(path, &sample, 0, name, NULL), 0);
    snprintf(bad, sizeof bad, "%s/z", path);
    f = fopen(bad, "w");
    assert_non_null(f);
    fputs("go test fuzz v1\nint(1)\n", f);
    assert_int_equal(fclose(f), 0);
    check_every(try_load, 15);
    check_every(try_read, 2);
}

static int setup(void **state)
{
    (void)state;
    strcpy(dir, "/tmp/cfuzz-alloc-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/c", dir);
    return cfz_encoding_parse((const uint8_t *)text, sizeof text - 1, &sample, NULL, NULL);
}

static int teardown(void **state)
{
    char command[64];

    (void)state;
    cfz_values_release(&sample);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encoding),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_corpus),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
