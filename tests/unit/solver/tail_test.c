/*
 * tail_test.c - what is appended to an input, and what comes before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solving.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, mixed[] = {CFZ_KIND_BYTES, CFZ_KIND_INT32};
static const struct cfz_site equal = {.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B};
static struct cfz_image im;

/* Words between separators, as far as they are those of a list; what is behind a NUL is not seen.
 */
static void words_between(struct program *p, const struct cfz_values *vs, const char *separators)
{
    static const char *const list[] = {"let", "x", "be"};
    char text[PROGRAM_ROOM], *save, *word;

    memcpy(text, vs->v[0].data, vs->v[0].len);
    text[vs->v[0].len] = '\0';
    word = strtok_r(text, separators, &save);
    for (unsigned k = 0; k < 3 && word; k++) {
        if (!program_text(p, 0, word, list[k]))
            return;
        word = strtok_r(NULL, separators, &save);
    }
    program_equal(p, 1, 1, 1);
}

static void by_blanks(struct program *p, const struct cfz_values *vs)
{
    words_between(p, vs, " ");
}

static void by_bars(struct program *p, const struct cfz_values *vs)
{
    words_between(p, vs, "|");
}

/* Each byte is compared. */
static void any(struct program *p, const struct cfz_values *vs)
{
    for (size_t i = 0; i < vs->v[0].len; i++)
        program_equal(p, 1, vs->v[0].data[i], 'x');
}

static void begin(struct program *p, void (*body)(struct program *, const struct cfz_values *),
                  const void *text, size_t n)
{
    p->sites[0] = equal;
    p->sites[1] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                    .predicate = CFZ_REL_EQUAL,
                                    .width = 8,
                                    .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(p, bytes, 1, body), 0);
    memcpy(p->v[0].data, text, n);
    p->v[0].len = n;
    assert_true(cfz_image_read(&im, &p->vs));
    assert_int_equal(cfz_search_try(&p->search, &im, true), CFZ_RAN);
    cfz_tail_see();
}

static void assert_tail(struct program *p, const void *want, uint32_t n)
{
    assert_true(cfz_tail_add_word(&p->search, &im));
    assert_int_equal(cfz_image_size(&im), n);
    assert_memory_equal(im.bytes, want, n);
}

/* What shows more as it is has no separator, after one execution. */
static void test_plain(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, any, "ab", 2);
    assert_tail(&p, "abAAAAAAAA", 10);
    assert_int_equal(p.runs, 2);
    assert_int_equal(cfz_trace.nevents, 10); /* the last execution is that of the result */
}

/* A separator of the input comes before the usual ones. */
static void test_separators(void **state)
{
    static struct program p, q;

    (void)state;
    begin(&p, by_blanks, "let", 3);
    assert_tail(&p, "let AAAAAAA", 11);
    assert_int_equal(p.runs, 3);
    begin(&q, by_bars, "let|x", 5);
    assert_tail(&q, "let|x|AAAAAAA", 13);
    assert_int_equal(q.runs, 3);
}

/* What is behind a NUL shows nothing: the tail comes in its place. */
static void test_nul(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, by_blanks, "let x\0_", 7);
    assert_tail(&p, "let x AAAAAAA", 13);
}

/* Nothing shows more: the letters alone, and the trace is theirs. */
static void test_none(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, by_bars, "set", 3);
    assert_tail(&p, "setAAAAAAAA", 11);
    assert_int_equal(cfz_trace.nevents, 1);
    assert_int_equal(p.runs, 7); /* once without, four separators, and twice the result */
}

/* Numbers become one where they are zero; there may be no room, or no execution. */
static void test_bounds(void **state)
{
    static struct program p, q;

    (void)state;
    assert_int_equal(program_begin(&p, mixed, 2, any), 0);
    assert_true(cfz_image_read(&im, &p.vs));
    assert_true(cfz_tail_add(&im, 3, 'z'));
    assert_int_equal(cfz_image_size(&im), 7);
    assert_memory_equal(im.bytes, "zzz\1\0\0\0", 7);
    im.n = 1;
    im.at[1] = CFZ_IMAGE_MAX;
    assert_false(cfz_tail_add(&im, 1, 'z'));
    begin(&q, by_blanks, "let", 3);
    q.limit = 2;
    assert_false(cfz_tail_add_word(&q.search, &im));
    assert_int_equal(q.runs, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain), cmocka_unit_test(test_separators), cmocka_unit_test(test_nul),
        cmocka_unit_test(test_none), cmocka_unit_test(test_bounds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
