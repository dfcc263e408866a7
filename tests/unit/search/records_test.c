/*
 * records_test.c - where parts of an input begin, by the comparisons that read them; and parts of
 * one input in another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program.h"
#include "search/records.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

enum { TAG, LENGTH, VALUE }; /* sites */

/* A tag, a length and as many bytes, until the end. */
static void tags(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len;

    while (n >= 2) {
        size_t len = d[1] & 15;

        program_equal(p, TAG, d[0], 'x');
        program_equal(p, LENGTH, len, 9);
        if (len > n - 2)
            return;
        for (size_t i = 0; i < len; i++)
            program_equal(p, VALUE, d[2 + i], 0xff);
        d += 2 + len;
        n -= 2 + len;
    }
}

/* Lines of a letter and more, each up to the next ";". */
static void lines(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    bool begins = true;

    for (size_t i = 0; i < vs->v[0].len; i++) {
        program_equal(p, begins ? TAG : VALUE, d[i], begins ? 'x' : ';');
        begins = d[i] == ';';
    }
}

static struct program p;

static void read_image(const char *data, struct cfz_image *im)
{
    assert_true(program_read(&p, data, im));
}

static int setup(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        p.sites[i] =
            (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8};
    return program_begin(&p, bytes, 1, tags);
}

static void finds_fields(void **state)
{
    static const struct cfz_field want[] = {{0, TAG}, {1, LENGTH}, {2, VALUE}, {3, VALUE},
                                            {4, TAG}, {5, LENGTH}, {6, VALUE}};
    static struct cfz_image im;
    struct cfz_records r;

    (void)state;
    read_image("a2bcd1e", &im);
    assert_true(cfz_records_find(&p.search, &im, &r));
    assert_true(r.known);
    assert_int_equal(r.n, sizeof want / sizeof want[0]);
    for (uint32_t i = 0; i < r.n; i++) {
        assert_int_equal(r.fields[i].p, want[i].p);
        assert_int_equal(r.fields[i].site, p.sites[want[i].site].id);
    }
    p.limit = p.runs + 3;
    assert_false(cfz_records_find(&p.search, &im, &r)); /* the search is over */
    assert_false(r.known);
    p.limit = UINT64_MAX;
    p.search.over = false;
}

/* Draws: how; the field of the other input; from where a field here is looked for, that the same
 * comparison reads; for each part 0 if it goes up to any field. */
static void mixes(void **state)
{
    enum { BEFORE, INSTEAD, BEHIND, WITHOUT, DRAWS = 8 };
    static const struct {
        uint32_t draws[DRAWS];
        const char *want;
    } cases[] = {
        {{BEFORE, 0, 0, 1, 1}, "z3XYZa2bcd1e"},
        {{BEFORE, 0, 4, 1, 1}, "a2bcz3XYZd1e"},
        {{BEHIND, 0, 0, 1, 1}, "a2bcz3XYZd1e"},
        {{BEHIND, 0, 4, 1, 1}, "a2bcd1ez3XYZ"},
        {{INSTEAD, 0, 4, 1, 1}, "a2bcz3XYZ"},
        {{INSTEAD, 1, 0, 1, 1}, "a3XYZ1e"}, /* from one length to the next */
        {{WITHOUT, 0, 1}, "d1e"},
        {{WITHOUT, 1, 1}, "a1e"},
        {{WITHOUT, 4, 1}, "a2bc"},
        {{BEFORE, 0, 0, 0, 0, 1}, "za2bcd1e"},
    };
    static struct cfz_image im, other, start;
    struct cfz_records own, others;

    (void)state;
    read_image("z3XYZ", &other);
    assert_true(cfz_records_find(&p.search, &other, &others));
    read_image("a2bcd1e", &start);
    assert_true(cfz_records_find(&p.search, &start, &own));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_rand_script script = {.draws = cases[i].draws, .n = DRAWS};
        struct cfz_rand r;

        cfz_rand_init(&r, 0, 1);
        r.script = &script;
        cfz_image_copy(&im, &start);
        assert_true(cfz_records_mix(&r, &im, &own, &other, &others));
        assert_int_equal(cfz_image_size(&im), strlen(cases[i].want));
        assert_memory_equal(im.bytes, cases[i].want, strlen(cases[i].want));
    }
    own.n = 1; /* all of the input: nothing to mix */
    assert_false(cfz_records_mix(&p.rand, &im, &own, &other, &others));
}

/* What a mix of start with other makes; bools has the draws of either way from the first or from
 * the second on. */
static void mix_lines(const char *start, const char *other, size_t bools, const uint32_t *draws,
                      const char *want)
{
    static struct cfz_image im, from;
    struct cfz_rand_script script = {.draws = draws, .n = 8, .bools = bools};
    struct cfz_records own, others;
    struct cfz_rand r;
    bool itself = other == NULL;

    read_image(itself ? start : other, &from);
    assert_true(cfz_records_find(&p.search, &from, &others));
    read_image(start, &im);
    assert_true(cfz_records_find(&p.search, &im, &own));
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_true(cfz_records_mix(&r, &im, &own, &from, itself ? &own : &others));
    assert_int_equal(cfz_image_size(&im), strlen(want));
    assert_memory_equal(im.bytes, want, strlen(want));
}

/* The last line of an input has no ";", and gets one where another follows. Draws as above. */
static void parts_lines(void **state)
{
    enum { BEFORE, INSTEAD, BEHIND };

    (void)state;
    p.body = lines;
    mix_lines("a1;b2", "z9", 0, (const uint32_t[8]){BEFORE, 0, 0, 1, 1}, "z9;a1;b2");
    mix_lines("a1;b2", "z9", 0, (const uint32_t[8]){INSTEAD, 0, 0, 1, 1}, "z9;b2");
    mix_lines("a1;b2", "z9", 0, (const uint32_t[8]){INSTEAD, 0, 3, 1, 1}, "a1;z9");
    mix_lines("a1;b2", "z9", 0, (const uint32_t[8]){BEHIND, 0, 3, 1, 1}, "a1;b2;z9");
    mix_lines("a1", "z9;y8", 0, (const uint32_t[8]){BEHIND, 0, 0, 1, 1}, "a1;z9;");
    mix_lines("a1;b2", "z9;y8", 0, (const uint32_t[8]){BEFORE, 0, 0, 1, 1}, "z9;a1;b2");
    mix_lines("a1zb2", "z9", 0, (const uint32_t[8]){BEHIND, 0, 0, 1, 1}, "a1zb2z9"); /* one line */
    /* Bools the other way round: a line, looked for from field 1 on; nothing that parts it. */
    mix_lines("a1;b2", "z9;y8", 1, (const uint32_t[8]){BEFORE, 1, 0, 1, 1}, "y8a1;b2");
    p.body = tags;
}

/* A copy of an own part goes behind it, with one more in a byte of its head. */
static void counts_up(void **state)
{
    (void)state;
    p.body = lines;
    mix_lines("a1;b2", NULL, 0, (const uint32_t[8]){0, 0, 0, 1, 1, 1}, "a1;a2;b2");
    mix_lines("a1;b2", NULL, 0, (const uint32_t[8]){0, 0, 0, 1, 1, 0}, "a1;b1;b2");
    p.body = tags;
}

/* An input that is too long is known to have no fields. */
static void leaves_long_ones(void **state)
{
    static char text[CFZ_RECORDS_BYTES + 2];
    static struct cfz_image im;
    struct cfz_records r;
    uint64_t runs = p.runs;

    (void)state;
    memset(text, '0', sizeof text - 1);
    read_image(text, &im);
    assert_true(cfz_records_find(&p.search, &im, &r));
    assert_true(r.known);
    assert_int_equal(r.n, 0);
    assert_int_equal(p.runs, runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_fields), cmocka_unit_test(mixes),
                                       cmocka_unit_test(parts_lines), cmocka_unit_test(counts_up),
                                       cmocka_unit_test(leaves_long_ones)};

    return cmocka_run_group_tests(tests, setup, NULL);
}
