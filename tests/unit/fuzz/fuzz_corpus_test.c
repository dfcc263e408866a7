/*
 * fuzz_corpus_test.c - the corpus of a run: numbers, copies, and no value twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz_corpus.h"

static const struct origin_test a_test = {
    .name = (char *)"FuzzX", .nvalues = 2, .kinds = {CFZ_KIND_BYTES, CFZ_KIND_INT32}, .nslots = 1};

static void make(struct cfz_values *vs, const char *data, size_t len, int32_t n)
{
    *vs = (struct cfz_values)CFZ_VALUES_INIT;
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(vs, CFZ_KIND_BYTES), data, len, NULL), 0);
    cfz_values_push(vs, CFZ_KIND_INT32)->bits = (uint64_t)(int64_t)n;
}

/* An empty corpus whose memory has n counters. */
static void begin(struct fuzz_corpus *c, struct host *host, uint64_t n)
{
    *host = (struct host){.test = &a_test, .run_fd = -1};
    *c = (struct fuzz_corpus)FUZZ_CORPUS_INIT;
    assert_int_equal(cfz_run_shm_new(n, &host->run, &host->run_fd, NULL), 0);
    c->host = host;
}

static void end(struct fuzz_corpus *c)
{
    struct host *host = c->host;

    fuzz_corpus_release(c);
    cfz_shm_unmap(host->run, host->run->size);
    close(host->run_fd);
}

static void test_add(void **state)
{
    struct host host;
    struct fuzz_corpus c;
    struct cfz_values vs, got = CFZ_VALUES_INIT;
    bool added;
    uint64_t index;

    (void)state;
    begin(&c, &host, 10);
    /* More than the first table and the first list hold; every third value is there already. */
    for (int i = 0; i < 3000; i++) {
        int n = i - i % 3;

        make(&vs, "data", (size_t)(n % 5), n);
        assert_int_equal(fuzz_corpus_add(&c, &vs, i == 0 ? FROM_SEED : FROM_CACHE, CFZ_NO_ENTRY,
                                         "name", &added, &index, NULL),
                         0);
        assert_int_equal(added, i % 3 == 0);
        assert_int_equal(index, n / 3);
        cfz_values_release(&vs);
    }
    assert_int_equal(c.n, 1000);
    assert_int_equal(host.run->nentries, 1000);
    assert_int_equal(cfz_run_shm_entry(host.run, 0)->flags, CFZ_ENTRY_SEED);
    assert_int_equal(cfz_run_shm_entry(host.run, 1)->flags, 0);
    assert_string_equal(c.entries[999].name, "name");
    assert_int_equal(fuzz_corpus_values(&c, 4, &got, NULL), 0);
    make(&vs, "da", 2, 12);
    assert_true(cfz_values_equal(&got, &vs));
    cfz_values_release(&vs);
    cfz_values_release(&got);
    end(&c);
}

/* What did not repeat is in the corpus of this run alone. */
static void test_keeps(void **state)
{
    struct host host;
    struct fuzz_corpus c;
    struct cfz_values vs;
    bool added;
    uint64_t index;

    (void)state;
    begin(&c, &host, 10);
    make(&vs, "data", 4, 1);
    assert_false(fuzz_corpus_has(&c, &vs));
    assert_false(fuzz_corpus_keeps(&c, &vs));
    assert_int_equal(fuzz_corpus_add(&c, &vs, FROM_RUN_UNSTABLE, 0, NULL, &added, &index, NULL), 0);
    assert_true(fuzz_corpus_has(&c, &vs));
    assert_false(fuzz_corpus_keeps(&c, &vs));
    cfz_values_release(&vs);
    make(&vs, "data", 4, 2);
    assert_int_equal(fuzz_corpus_add(&c, &vs, FROM_RUN, 0, "name", &added, &index, NULL), 0);
    assert_true(fuzz_corpus_has(&c, &vs));
    assert_true(fuzz_corpus_keeps(&c, &vs));
    cfz_values_release(&vs);
    end(&c);
}

/* Who lists inputs is told what each is called, where it is from, and its values. */
static void test_describe(void **state)
{
    static const struct {
        enum entry_from from;
        const char *name, *called;
        enum result_origin origin;
    } cases[] = {
        {FROM_SEED, "seed#0", "FuzzX/seed#0", ORIGIN_SEED},
        {FROM_SEED, "1f0c", "FuzzX/1f0c", ORIGIN_FILE},
        {FROM_CACHE, "77aa", "FuzzX/cache/77aa", ORIGIN_CACHE},
        {FROM_RUN, "88bb", "FuzzX/cache/88bb", ORIGIN_CACHE},
        {FROM_OTHERS, "99cc", "FuzzX/cache/99cc", ORIGIN_CACHE},
        {FROM_RUN_UNSTABLE, "-", "FuzzX/cache/-", ORIGIN_CACHE},
        {FROM_ZERO, NULL, "FuzzX/cache/zero values", ORIGIN_CACHE},
    };
    struct host host;
    struct fuzz_corpus c;
    struct cfz_values vs;
    bool added;
    uint64_t index;

    (void)state;
    begin(&c, &host, 10);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf name = CFZ_BUF_INIT, values = CFZ_BUF_INIT;
        struct result_input in;

        make(&vs, "da\n", 3, (int32_t)i);
        assert_int_equal(fuzz_corpus_add(&c, &vs, cases[i].from, CFZ_NO_ENTRY, cases[i].name,
                                         &added, &index, NULL),
                         0);
        assert_int_equal(fuzz_corpus_describe(&c, index, &name, &in, &values, NULL), 0);
        assert_string_equal(cfz_buf_str(&name), cases[i].called);
        assert_int_equal(in.origin, cases[i].origin);
        assert_int_equal(in.bytes, 3 + 4);
        assert_ptr_equal(strstr(in.values, "[]byte(\"da\\n\")\n"), in.values);
        cfz_values_release(&vs);
        cfz_buf_release(&name);
        cfz_buf_release(&values);
    }
    end(&c);
}

/* Adds what a run found, which is not there yet, as entry number want. */
static void add_found(struct fuzz_corpus *c, const char *data, size_t len, int32_t n, uint64_t want)
{
    struct cfz_values vs;
    bool added;
    uint64_t index;

    make(&vs, data, len, n);
    assert_int_equal(fuzz_corpus_add(c, &vs, FROM_RUN, CFZ_NO_ENTRY, NULL, &added, &index, NULL),
                     0);
    assert_true(added);
    assert_int_equal(index, want);
    cfz_values_release(&vs);
}

/* The same bytes shared out differently among the values are another input. */
static void test_shape(void **state)
{
    struct host host;
    struct fuzz_corpus c;

    (void)state;
    begin(&c, &host, 0);
    add_found(&c, "\0", 0, 0, 0);
    add_found(&c, "\0", 1, 0, 1);
    end(&c);
}

/* An entry of which it turns out that it fails rests from then on, as long as there are others. */
static void test_failed(void **state)
{
    static const struct {
        const char *data; /* of the input that failed */
        int32_t n;
        uint32_t flags[3]; /* of the entries then */
    } steps[] = {
        {"x", 2, {0, 0, CFZ_ENTRY_IDLE}},
        {"y", 1, {0, 0, CFZ_ENTRY_IDLE}}, /* no entry */
        {"x", 0, {CFZ_ENTRY_IDLE, 0, CFZ_ENTRY_IDLE}},
        {"x", 1, {CFZ_ENTRY_IDLE, 0, CFZ_ENTRY_IDLE}}, /* the last one */
    };
    struct host host;
    struct fuzz_corpus c;

    (void)state;
    begin(&c, &host, 0);
    for (int i = 0; i < 3; i++)
        add_found(&c, "x", 1, i, (uint64_t)i);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct cfz_values vs;

        make(&vs, steps[i].data, 1, steps[i].n);
        fuzz_corpus_failed(&c, &vs);
        cfz_values_release(&vs);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(cfz_run_shm_entry(host.run, k)->flags, steps[i].flags[k]);
    }
    assert_true(c.entries[0].failed && c.entries[1].failed && c.entries[2].failed);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),      cmocka_unit_test(test_keeps),
        cmocka_unit_test(test_describe), cmocka_unit_test(test_shape),
        cmocka_unit_test(test_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
