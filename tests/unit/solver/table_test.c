/*
 * table_test.c - words and numbers that are looked up in a table of the program: each is a goal of
 * its own, whichever operand of the comparison is the input's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

enum { ENTRIES = 6 };

static bool table_first, unrolled;
static unsigned found;    /* a bit for each entry that an input named */
static uint64_t found_at; /* the execution with which the last one was */

static const struct cfz_site equal32 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};

static void find(const struct program *p, unsigned i)
{
    if (!(found & 1U << i))
        found_at = p->runs;
    found |= 1U << i;
}

static void words(struct program *p, const struct cfz_values *vs)
{
    static const char *const table[ENTRIES] = {"street",   "satellite", "terrain",
                                               "nautical", "transit",   "hiking"};
    char s[PROGRAM_ROOM];

    memcpy(s, vs->v[0].data, vs->v[0].len);
    s[vs->v[0].len] = 0;
    for (unsigned i = 0; i < ENTRIES; i++)
        if (program_text(p, unrolled ? i : 0, table_first ? table[i] : s,
                         table_first ? s : table[i])) {
            find(p, i);
            return;
        }
}

static void numbers(struct program *p, const struct cfz_values *vs)
{
    static const uint32_t table[ENTRIES] = {0x10c4ea60, 0x04036001, 0x1d6b0003,
                                            0x2e8a5707, 0x077d5588, 0x054c02e1};
    const uint32_t id = (uint32_t)vs->v[0].bits;

    for (unsigned i = 0; i < ENTRIES; i++)
        if (program_equal(p, 0, table_first ? table[i] : id, table_first ? id : table[i])) {
            find(p, i);
            return;
        }
}

/* Executions with which all entries of the table are found; 0 if some are not. */
static uint64_t executions(struct program *p, enum cfz_kind kind, const struct cfz_site *site,
                           void (*body)(struct program *, const struct cfz_values *))
{
    for (unsigned i = 0; i < ENTRIES; i++)
        p->sites[i] = *site;
    assert_int_equal(program_begin(p, &kind, 1, body), 0);
    if (kind == CFZ_KIND_STRING) {
        p->v[0].len = 1;
        p->data[0][0] = 'x';
    }
    found = 0;
    cfz_solver_entry(&p->search, 0, 0);
    return found == (1U << ENTRIES) - 1 ? found_at : 0;
}

static uint64_t of_words(struct program *p, bool is_first, bool is_unrolled)
{
    static const struct cfz_site site = {.kind = CFZ_SITE_STRING};

    table_first = is_first;
    unrolled = is_unrolled;
    return executions(p, CFZ_KIND_STRING, &site, words);
}

static uint64_t of_numbers(struct program *p, bool is_first)
{
    table_first = is_first;
    return executions(p, CFZ_KIND_UINT32, &equal32, numbers);
}

/* As many executions, whichever operand is the table's. */
static void test_words(void **state)
{
    static struct program p, q;

    (void)state;
    assert_int_equal(of_words(&p, false, false), 15);
    assert_int_equal(of_words(&q, true, false), 15);
}

/* A loop of which the compiler made six comparisons: of each it is looked once whether it compares
 * the same again. */
static void test_words_apart(void **state)
{
    static struct program p, q;

    (void)state;
    assert_int_equal(of_words(&p, false, true), 20);
    assert_int_equal(of_words(&q, true, true), 20);
}

static void test_numbers(void **state)
{
    static struct program p, q;

    (void)state;
    assert_int_equal(of_numbers(&p, false), 24);
    assert_int_equal(of_numbers(&q, true), 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_apart),
        cmocka_unit_test(test_numbers),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
