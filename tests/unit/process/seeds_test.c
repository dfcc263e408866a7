/*
 * seeds_test.c - paths as the user of a package knows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "process/seeds.h"

static void test_shorten(void **state)
{
    static const struct {
        const char *text, *dir, *want;
    } cases[] = {
        {"/a/b/testdata/x: bad", "/a/b", "testdata/x: bad"},
        {"read /a/b/x: /a/b/y", "/a/b", "read x: y"},
        {"/a/bc/x", "/a/b", "/a/bc/x"},
        {"/a/b", "/a/b", "/a/b"},
        {"/cache/a/b/x", "/a/b", "/cache/a/b/x"},
        {"open /cache/a/b/x: /a/b/y", "/a/b", "open /cache/a/b/x: y"},
        {"nothing", "/a/b", "nothing"},
        {"/x", "", "/x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];

        strcpy(text, cases[i].text);
        seeds_shorten(text, cases[i].dir);
        assert_string_equal(text, cases[i].want);
    }
}

static void test_dir(void **state)
{
    char *path = seeds_dir("/a/b", "FuzzX");

    (void)state;
    assert_string_equal(path, "/a/b/testdata/corpus/FuzzX");
    free(path);
}

static struct seed make(enum cfz_kind kind, uint64_t bits, const char *text)
{
    struct seed s = {.vals = CFZ_VALUES_INIT};
    struct cfz_value *v = cfz_values_push(&s.vals, kind);

    assert_non_null(v);
    if (text != NULL)
        assert_int_equal(cfz_value_set_bytes(v, text, strlen(text), NULL), 0);
    else
        v->bits = bits;
    return s;
}

static void test_find_equal(void **state)
{
    enum { N = 8, MANY = 3000 };
    struct seed seeds[N] = {
        make(CFZ_KIND_BYTES, 0, "a"), make(CFZ_KIND_BYTES, 0, "b"), make(CFZ_KIND_STRING, 0, "a"),
        make(CFZ_KIND_BYTES, 0, "a"), {.bad = (char *)"bad"},       {.bad = (char *)"bad"},
        make(CFZ_KIND_BYTES, 0, ""),  make(CFZ_KIND_BYTES, 0, "a"),
    };
    static const size_t want[N] = {0, 1, 2, 0, 4, 5, 6, 0};
    static struct seed many[MANY];
    static const struct seed *v[MANY];
    static size_t same[MANY];

    (void)state;
    for (size_t i = 0; i < N; i++)
        v[i] = &seeds[i];
    assert_int_equal(seeds_find_equal(v, N, same, NULL), 0);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(same[i], want[i]);
    for (size_t i = 0; i < N; i++)
        cfz_values_release(&seeds[i].vals);

    for (size_t i = 0; i < MANY; i++) { /* more than one chain of the table */
        many[i] = make(CFZ_KIND_INT64, i % 1000, NULL);
        v[i] = &many[i];
    }
    assert_int_equal(seeds_find_equal(v, MANY, same, NULL), 0);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(same[i], i % 1000);
        cfz_values_release(&many[i].vals);
    }
    assert_int_equal(seeds_find_equal(v, 0, same, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shorten),
        cmocka_unit_test(test_dir),
        cmocka_unit_test(test_find_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
