/*
 * nearest_ways_test.c - which inputs of a goal are kept that are as near on different paths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program.h"
#include "search/nearest.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

enum { GOAL, MORE }; /* sites; of MORE there are six */

/* The first byte is to be 100. Each of the others that is no blank has a site of its own. */
static void one(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    for (size_t i = 1; i < vs->v[0].len && i < 7; i++)
        if (d[i] != ' ')
            program_equal(p, MORE + (unsigned)(i - 1), d[i], 'x');
    program_equal(p, GOAL, d[0], 100);
}

static struct program p;
static struct cfz_image im;

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        p.sites[i] =
            (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8};
    p.sites[GOAL].behind_true = 9; /* its turn comes first */
    return program_begin(&p, bytes, 1, one) < 0 || cfz_nearest_map(&err) < 0;
}

static void see(const char *data)
{
    assert_true(program_read(&p, data, &im));
    assert_int_equal(cfz_search_try(&p.search, &im, true), CFZ_RAN);
    cfz_nearest_see(&p.search, &im);
}

static void has(const struct cfz_nearest *n, const char *const want[], uint32_t nwant)
{
    assert_int_equal(n->nways, nwant);
    for (uint32_t k = 0; k < nwant; k++) {
        bool found = false;

        for (uint32_t i = 0; i < n->nways; i++)
            found |= cfz_image_size(&n->ways[i].im) == strlen(want[k]) &&
                     memcmp(n->ways[i].im.bytes, want[k], strlen(want[k])) == 0;
        assert_true(found);
    }
}

/* Two places are for the smallest inputs, and two for what the other three do not show. */
static void keeps_what_others_do_not_show(void **state)
{
    const struct cfz_nearest *n;

    (void)state;
    see("A");
    n = cfz_nearest_next(&p.search);
    assert_ptr_equal(n->goal.site, &p.sites[GOAL]);
    see("Ab");
    see("A b");
    see("A  b");
    has(n, (const char *const[]){"A", "Ab", "A b", "A  b"}, 4);
    see("A  bbb"); /* three that no other shows, for one */
    has(n, (const char *const[]){"A", "Ab", "A  bbb", "A  b"}, 4);
    see("A  bb"); /* more than the one beside it, but all is shown */
    has(n, (const char *const[]){"A", "Ab", "A  bbb", "A  b"}, 4);
    see("A b b"); /* one that no other shows, where there was none */
    has(n, (const char *const[]){"A", "Ab", "A  bbb", "A b b"}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_what_others_do_not_show)};

    return cmocka_run_group_tests(tests, setup, NULL);
}
