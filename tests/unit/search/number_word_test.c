/*
 * number_word_test.c - words that a program compares as numbers, as both stages of the search see
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static struct cfz_site number_of(unsigned bits)
{
    return (struct cfz_site){.kind = CFZ_SITE_INT,
                             .predicate = CFZ_REL_EQUAL,
                             .width = (uint8_t)bits,
                             .flags = CFZ_SITE_CONST_B};
}

static void assert_word(unsigned bits, uint64_t v, const char *want)
{
    const struct cfz_site site = number_of(bits);
    uint8_t text[8];

    assert_int_equal(cfz_number_word(&site, v, text), strlen(want));
    assert_memory_equal(text, want, strlen(want));
}

static void test_word(void **state)
{
    struct cfz_site site = number_of(32);
    uint8_t text[8];

    (void)state;
    assert_word(32, 0x594144, "DAY");
    assert_word(64, 0x594c48544e4f4d, "MONTHLY");
    assert_word(32, 0x4b4f, "OK");
    assert_word(32, 0x49484452, "");   /* no NUL: it may be a tag of which the first byte is last */
    assert_word(32, 0x41, "");         /* a letter is no word */
    assert_word(32, 0x44004144, "");   /* something behind a NUL */
    assert_word(32, 0x8a4144, "");     /* no ASCII */
    assert_word(24, 0x44004b4f, "OK"); /* as many bits as the site has */
    assert_word(64, 0, "");
    site.kind = CFZ_SITE_FLOAT;
    assert_int_equal(cfz_number_word(&site, 0x594144, text), 0);
}

static void test_head(void **state)
{
    struct cfz_site site = number_of(32);
    uint8_t text[8];

    (void)state;
    assert_int_equal(cfz_number_head(&site, 0xdc0f0041, text), 1); /* behind the NUL is anything */
    assert_int_equal(text[0], 'A');
    assert_int_equal(cfz_number_head(&site, 0x44434241, text), 4);
    assert_int_equal(cfz_number_head(&site, 0x44434200, text), 0);
}

/* "key=": the key, in a buffer in which something was before. */
static void key(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const size_t n = vs->v[0].len;
    uint32_t word = 0xc0ffee42;
    size_t k = 0;

    while (k < n && d[k] != '=')
        k++;
    if (k == n || k > 3)
        return;
    memcpy(&word, d, k);
    ((uint8_t *)&word)[k] = 0;
    if (program_equal(p, 0, word, 0x594144))
        p->solved = p->is_news = true;
}

static void begin(struct program *p, const char *input)
{
    static const enum cfz_kind kind[] = {CFZ_KIND_STRING};

    p->sites[0] = number_of(32);
    assert_int_equal(program_begin(p, kind, 1, key), 0);
    p->v[0].len = strlen(input);
    memcpy(p->data[0], input, p->v[0].len);
}

/* The first stage finds what is there of the word, and puts the other one in its place. */
static void test_first_stage(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, "k=v");
    cfz_copies(&p.search, 100);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, 5);
    assert_memory_equal(p.v[0].data, "DAY=v", 5);
    assert_int_equal(p.runs, 5);
}

static void test_solver(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, "on=v");
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "DAY=v", 5);
    assert_string_equal(cfz_solver_step_name(), "text for text");
    assert_int_equal(p.runs, 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_word),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_first_stage),
        cmocka_unit_test(test_solver),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
