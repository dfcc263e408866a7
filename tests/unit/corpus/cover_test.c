/*
 * cover_test.c - which inputs are kept of a corpus.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpus/cover.h"

enum { MOST = 5 };

static const struct {
    const char *name;
    /* Features of inputs, a letter each, and weights. */
    const char *inputs[MOST];
    uint64_t weights[MOST];
    const char *want; /* 'x' is kept */
    size_t features;
} cases[] = {
    {"none", {NULL}, {0}, "", 0},
    {"one that shows nothing", {""}, {1}, ".", 0},
    {"one", {"ab"}, {1}, "x", 2},
    {"of equal ones the first", {"ab", "ab"}, {1, 1}, "x.", 2},
    {"of equal ones the lighter", {"ab", "ab"}, {2, 1}, ".x", 2},
    {"one that shows all", {"a", "abc", "bc"}, {1, 2, 1}, "x.x", 3},
    {"one that nobody else shows", {"ab", "abc"}, {1, 9}, ".x", 3},
    {"superfluous after all", {"ab", "ac", "bd"}, {1, 5, 5}, ".xx", 4},
    {"three of four", {"ax", "bx", "cx", "x"}, {3, 3, 3, 1}, "xxx.", 4},
};

static void test_choose(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cover_input v[MOST] = {{0}};
        uint32_t features[MOST][8];
        char got[MOST + 1] = "";
        size_t n = strlen(cases[i].want), count = 99;

        for (size_t k = 0; k < n; k++) {
            v[k].features = features[k];
            v[k].weight = cases[i].weights[k];
            for (const char *c = cases[i].inputs[k]; *c != '\0'; c++)
                features[k][v[k].n++] = (uint32_t)*c * 1000;
        }
        assert_int_equal(cover_choose(v, n, &count, NULL), 0);
        for (size_t k = 0; k < n; k++)
            got[k] = v[k].keep ? 'x' : '.';
        if (strcmp(got, cases[i].want) != 0 || count != cases[i].features)
            fail_msg("%s: %s and %zu features", cases[i].name, got, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
