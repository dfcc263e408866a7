/*
 * copies_test.c - the first stage: what it writes where, and in how many executions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/digits.h"
#include "program.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, string[] = {CFZ_KIND_STRING},
                           number[] = {CFZ_KIND_INT32};

/* A site where a byte is compared with a constant. */
static const struct cfz_site byte_equal = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .flags = CFZ_SITE_CONST_B};

static void set(struct program *p, const char *text)
{
    p->v[0].len = strlen(text);
    memcpy(p->v[0].data, text, p->v[0].len);
}

static void magic(struct program *p, const struct cfz_values *vs)
{
    uint32_t x;

    if (vs->v[0].len < 6)
        return;
    memcpy(&x, vs->v[0].data + 2, 4);
    p->solved = program_equal(p, 0, x, 0xdeadbeef);
}

static void test_magic(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, magic), 0);
    set(&p, "01234567");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.entries, 3); /* once plainly, twice traced: they agree */
    assert_int_equal(p.traced, 2);  /* candidates are executed without a trace */
    assert_int_equal(p.runs, 4);
    assert_memory_equal(p.v[0].data,
                        "01\xef\xbe\xad\xde"
                        "67",
                        8);
}

static void big_endian(struct program *p, const struct cfz_values *vs)
{
    uint16_t x;

    if (vs->v[0].len < 2)
        return;
    memcpy(&x, vs->v[0].data, 2);
    p->solved = program_equal(p, 0, __builtin_bswap16(x), 0x1234);
}

static void test_big_endian(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, big_endian), 0);
    set(&p, "xy");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "\x12\x34", 2);
}

static void argument(struct program *p, const struct cfz_values *vs)
{
    p->solved = program_equal(p, 0, vs->v[0].bits & UINT32_MAX, 4711);
}

static void test_argument(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, number, 1, argument), 0);
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.v[0].bits, 4711);
    assert_int_equal(p.runs, 4);
}

/* A number in digits of base 8 or 16, with zeros before it and whatever else around. */
static unsigned base_of_digits;

static void digits(struct program *p, const struct cfz_values *vs)
{
    uint64_t x = 0;

    for (size_t i = 2; i < 8 && i < vs->v[0].len; i++)
        x = x * base_of_digits + cfz_digit(vs->v[0].data[i]);
    if (vs->v[0].len >= 8 && program_equal(p, 0, x, 01234))
        p->is_news = true;
}

static void test_digits(void **state)
{
    static struct program programs[3];
    static const struct {
        unsigned base;
        const char *input;
    } cases[] = {
        {8, "a:000777:"},
        {16, "a:000b0f:"},
        {16, "a:00B0FF:"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program *p = &programs[i];
        const struct cfz_recipe *r;

        base_of_digits = cases[i].base;
        p->sites[0] =
            (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
        assert_int_equal(program_begin(p, bytes, 1, digits), 0);
        set(p, cases[i].input);
        cfz_copies(&p->search, 2000);
        assert_true(p->is_news);
        r = cfz_site_recipe(p->search.goals, &p->sites[0]);
        assert_int_equal(r->set, CFZ_RECIPE_COPY);
        assert_int_equal(r->radix, cases[i].base);
        assert_int_equal(r->side, 0);
        assert_int_equal(r->at + r->width, 8);
    }
}

/* Two fields that have to be the same, and then a given number. */
static void twice(struct program *p, const struct cfz_values *vs)
{
    uint16_t x, y;

    if (vs->v[0].len < 9)
        return;
    memcpy(&x, vs->v[0].data + 1, 2);
    memcpy(&y, vs->v[0].data + 6, 2);
    p->solved = program_equal(p, 0, x, y) && program_equal(p, 1, x, 0x4142);
}

static void test_twice(void **state)
{
    static const struct cfz_site equal = {
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 16};
    static struct program p = {.sites = {equal,
                                         {.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 16,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, twice), 0);
    set(&p, ".xy...xy.");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    /* That x and y differ, by two values for each side; then the first place, the second, both. */
    assert_int_equal(p.runs, p.entries + 4 * 3 + 3);
    assert_memory_equal(p.v[0].data, ".BA...BA.", 9);

    /* At more places than a format has fields for it. */
    assert_int_equal(program_begin(&p, bytes, 1, twice), 0);
    p.runs = p.entries = 0;
    p.solved = false;
    set(&p, ".xy...xy.xyxyxyxyxyxyxy");
    cfz_copies(&p.search, 2000);
    assert_false(p.solved);
}

/* The same of names, which become longer. */
static void tags(struct program *p, const struct cfz_values *vs)
{
    char name[PROGRAM_ROOM], end[PROGRAM_ROOM], rest[2];

    memcpy(name, vs->v[0].data, vs->v[0].len);
    name[vs->v[0].len] = 0;
    if (sscanf(name, "<%[a-z]></%[a-z]%1[>]", name, end, rest) == 3)
        p->solved = program_text(p, 0, name, end) && program_text(p, 1, name, "table");
}

static void test_tags(void **state)
{
    static struct program p = {
        .sites = {{.kind = CFZ_SITE_STRING}, {.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, string, 1, tags), 0);
    set(&p, "<em></em>");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, 15);
    assert_memory_equal(p.v[0].data, "<table></table>", 15);
}

static void keyword(struct program *p, const struct cfz_values *vs)
{
    char s[PROGRAM_ROOM];

    memcpy(s, vs->v[0].data, vs->v[0].len);
    s[vs->v[0].len] = 0;
    p->solved = program_text(p, 0, s, "suspend");
}

static void test_keyword(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, string, 1, keyword), 0);
    cfz_copies(&p.search, 2000); /* from an empty string */
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, 7);
    assert_int_equal(p.runs, 4);
}

/* A goal that no copy meets gets a bounded number of candidates, however many entries arrive. */
static void never(struct program *p, const struct cfz_values *vs)
{
    program_equal(p, 0, vs->v[0].len ? vs->v[0].data[0] : 0, 0x1000);
}

static void test_bounded(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, never), 0);
    for (int i = 0; i < 100; i++) {
        set(&p, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        cfz_copies(&p.search, 2000);
    }
    assert_false(p.solved);
    assert_int_equal(p.entries, 300);
    assert_true(p.runs - p.entries <= 64);
}

/* What differs from one execution to the next marks its site, and no other. */
static unsigned calls;
static void counts(struct program *p, const struct cfz_values *vs)
{
    calls++;
    program_equal(p, 0, vs->v[0].bits, 5);
    program_equal(p, 1, calls & 1, 1);
    if (calls & 1)
        program_equal(p, 2, 0, 0);
    if (calls < 3) /* what is initialised once */
        program_equal(p, 3, 0, 0);
}

static void test_erratic(void **state)
{
    static struct program p = {
        .sites = {{.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32},
                  {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32},
                  {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32},
                  {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32}}};
    struct cfz_event e = {0};

    (void)state;
    assert_int_equal(program_begin(&p, number, 1, counts), 0);
    cfz_copies(&p.search, 2000);
    for (unsigned i = 0; i < 4; i++) {
        e.site = &p.sites[i];
        assert_int_equal(cfz_is_erratic(&p.search, &e), i == 1 || i == 2);
    }
    assert_int_equal(p.search.nerratic, 2);
    assert_int_equal(p.entries, 4);
    assert_false(p.search.odd);
}

/* The bound of an array gets its copies when all that the program asks has had them. */
static const enum cfz_kind numbers[] = {CFZ_KIND_UINT32, CFZ_KIND_UINT32};
static char order[2];
static unsigned norder;
static void index_first(struct program *p, const struct cfz_values *vs)
{
    bool leaves = program_leaves(p, 0, vs->v[0].bits & UINT32_MAX, 1000);

    if (norder == 0 && leaves)
        order[norder++] = 'b';
    if (program_equal(p, 1, vs->v[1].bits & UINT32_MAX, 77) && norder == 0)
        order[norder++] = 'e';
    p->solved = leaves;
}

static void test_bounds_last(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_GREATER | CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B | CFZ_SITE_UNASKED},
                                         {.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, numbers, 2, index_first), 0);
    p.v[0].bits = 5;
    p.v[1].bits = 9;
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.v[0].bits, 1000);
    assert_int_equal(order[0], 'e');
}

/* One byte of many that are alike. */
static void far_in(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len == 40)
        p->solved = program_equal(p, 0, vs->v[0].data[33], 'z');
}

/* Of many places those from the change on come first, and then those at the beginning. */
static void test_from_the_change(void **state)
{
    static const struct {
        uint32_t from;
        uint64_t runs; /* 3 of the entry itself */
        bool solved;
    } cases[] = {{33, 4, true}, {31, 6, true}, {0, 7, false}, {34, 7, false}, {40, 7, false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct program p;

        p = (struct program){.sites = {byte_equal}};
        assert_int_equal(program_begin(&p, bytes, 1, far_in), 0);
        set(&p, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        p.search.from = cases[i].from;
        cfz_copies(&p.search, 2000);
        assert_int_equal(p.solved, cases[i].solved);
        assert_int_equal(p.runs, cases[i].runs);
    }
}

/* A mark, and one byte of many that are alike at some place behind it. */
static uint32_t behind;
static void marked(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len == 40 && program_equal(p, 0, d[20], 'M'))
        p->solved = program_equal(p, 1, d[behind], 'z');
}

/* In turn with these, places from where the comparison before stood. */
static void test_from_the_comparison_before(void **state)
{
    static const struct {
        uint32_t behind;
        uint64_t runs; /* 3 of the entry itself, 2 that turn the mark */
        bool solved;
    } cases[] = {{0, 6, true}, {21, 7, true}, {1, 8, true}, {22, 9, true}, {2, 9, false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct program programs[5];
        struct program *p = &programs[i];

        p->sites[0] = p->sites[1] = byte_equal;
        assert_int_equal(program_begin(p, bytes, 1, marked), 0);
        set(p, "aaaaaaaaaaaaaaaaaaaaMaaaaaaaaaaaaaaaaaaa");
        behind = cases[i].behind;
        cfz_copies(&p->search, 2000);
        assert_int_equal(p->solved, cases[i].solved);
        assert_int_equal(p->runs, cases[i].runs);
    }
}

/* A length that three times a count and eight more have to be, and what is new of that. */
static void length_of(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len == 8 && program_equal(p, 0, (uint64_t)d[3] << 8 | d[4], 3 * d[5] + 8))
        p->is_news = true;
}

/* What solved an equality of two operands is a recipe: the place, and how it is written. */
static void test_recipe(void **state)
{
    static struct program p = {
        .sites = {{.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 64}}};
    const struct cfz_recipe want = {
        .set = CFZ_RECIPE_COPY, .width = 2, .big_endian = 1, .at = 3, .from_end = 5};
    const struct cfz_recipe *r;

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, length_of), 0);
    set(&p, "..._00..");
    cfz_copies(&p.search, 2000);
    r = cfz_site_recipe(p.search.goals, &p.sites[0]);
    assert_memory_equal(r, &want, sizeof want);
    assert_int_equal(p.search.goals->nrecipes, 1);

    /* What is always the same needs no recipe. */
    assert_int_equal(program_begin(&p, bytes, 1, length_of), 0);
    p.sites[0].flags = CFZ_SITE_CONST_B;
    set(&p, "..._00..");
    cfz_copies(&p.search, 2000);
    assert_int_equal(p.search.goals->nrecipes, 0);
}

/* Two bytes at 2 that are what the last two make. */
static void digest_of(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len == 8 && program_memory(p, 0, d + 2, (uint8_t[]){d[6] ^ 5, d[7] ^ 9}, 2))
        p->is_news = true;
}

/* The same of memory, of either side; not of strings, nor where it is always the same. */
static void test_recipe_of_memory(void **state)
{
    static const struct {
        struct cfz_site site;
        bool learns;
    } cases[] = {{{.kind = CFZ_SITE_MEM}, true},
                 {{.kind = CFZ_SITE_STRING_N}, false},
                 {{.kind = CFZ_SITE_MEM, .flags = CFZ_SITE_CONST_B}, false}};
    const struct cfz_recipe want = {.set = CFZ_RECIPE_BYTES, .at = 2, .from_end = 6};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct program programs[3];
        struct program *p = &programs[i];

        p->sites[0] = cases[i].site;
        assert_int_equal(program_begin(p, bytes, 1, digest_of), 0);
        set(p, "..cd..yz");
        cfz_copies(&p->search, 2000);
        assert_int_equal(p->is_news, cases[i].learns || i > 0);
        assert_int_equal(p->search.goals->nrecipes, cases[i].learns);
        if (cases[i].learns)
            assert_memory_equal(cfz_site_recipe(p->search.goals, &p->sites[0]), &want, sizeof want);
    }
}

/* A text that ends where something else is wanted. */
static char wanted;
static void ends(struct program *p, const struct cfz_values *vs)
{
    uint8_t c = vs->v[0].len > 2 ? vs->v[0].data[2] : 0;

    if (vs->v[0].len >= 2)
        p->solved = wanted ? program_equal(p, 0, c, (uint8_t)wanted) : !program_equal(p, 0, c, 0);
}

static void test_end_of_text(void **state)
{
    static const char want[] = {'}', 0};

    (void)state;
    for (size_t i = 0; i < sizeof want; i++) {
        static struct program p;

        wanted = want[i];
        p = (struct program){.sites = {byte_equal}};
        assert_int_equal(program_begin(&p, string, 1, ends), 0);
        set(&p, "{:");
        cfz_copies(&p.search, 2000);
        assert_true(p.solved);
        assert_int_equal(p.runs, 4);
        assert_int_equal(p.v[0].len, 3);
        assert_int_equal(p.v[0].data[2], wanted ? wanted : 1);
    }
}

/* A number behind a mark, 0 where there is none. */
static void number_behind(struct program *p, const struct cfz_values *vs)
{
    char s[PROGRAM_ROOM];

    memcpy(s, vs->v[0].data, vs->v[0].len);
    s[vs->v[0].len] = 0;
    if (s[0] == 'n' && s[1] == '=')
        p->solved = program_equal(p, 0, (uint32_t)strtoul(s + 2, NULL, 10), 4711);
}

static void test_no_number_yet(void **state)
{
    (void)state;
    for (int constant = 0; constant < 2; constant++) {
        static struct program p;

        p = (struct program){.sites = {{.kind = CFZ_SITE_INT,
                                        .predicate = CFZ_REL_EQUAL,
                                        .width = 32,
                                        .flags = constant ? CFZ_SITE_CONST_B : 0}}};
        assert_int_equal(program_begin(&p, string, 1, number_behind), 0);
        set(&p, "n=");
        cfz_copies(&p.search, 2000);
        assert_int_equal(p.solved, constant); /* what is reckoned is the solver's */
        if (constant)
            assert_memory_equal(p.v[0].data, "n=4711", 6);
    }
}

/* What is behind the NUL of a shorter text does not count. */
static void word_in_buffer(struct program *p, const struct cfz_values *vs)
{
    char word[8] = "#######";

    if (vs->v[0].len > 7)
        return;
    memcpy(word, vs->v[0].data, vs->v[0].len);
    word[vs->v[0].len] = 0;
    if (p->tracing)
        cfuzz_trace_text(&p->sites[0], word, 6, "turbo", 6);
    p->solved = memcmp(word, "turbo", 6) == 0;
}

/* A magic that begins with a NUL is no text, whatever the input ends with. */
static void magic_in_memory(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len < 4)
        return;
    if (p->tracing)
        cfuzz_trace_text(&p->sites[0], vs->v[0].data, 4, "\0asm", 4);
    p->solved = memcmp(vs->v[0].data, "\0asm", 4) == 0;
}

static void test_no_text_in_memory(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_MEM, .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, magic_in_memory), 0);
    memcpy(p.v[0].data, "abc", 4);
    p.v[0].len = 4;
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.runs, 4);
}

static void test_text_in_memory(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_MEM, .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, string, 1, word_in_buffer), 0);
    set(&p, "on");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.runs, 4); /* in the place of "on" */
}

/* A number of which the lowest four bits are masked, read where only one other number comes. */
static void masked(struct program *p, const struct cfz_values *vs)
{
    uint32_t x;

    if (vs->v[0].len < 6)
        return;
    memcpy(&x, vs->v[0].data + 1, 4);
    if (x == 0xfd2fb528 || x >> 4 == 0x184d2a5)
        p->solved = program_equal(p, 0, x & ~(uint32_t)15, 0x184d2a50);
}

static void test_masked(void **state)
{
    static struct program p = {.sites = {{.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, masked), 0);
    set(&p, ".\x28\xb5\x2f\xfd..");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_int_equal(p.runs, p.entries + 1);
    assert_memory_equal(p.v[0].data, ".\x58\x2a\x4d\x18..", 7); /* the masked bits stay */
}

/* A check that the program makes of numbers of its own, too, and what it returns. */
static bool is_known(struct program *p, uint32_t x)
{
    bool known = program_equal(p, 0, x, 0x58595a20);

    return known | program_equal(p, 1, x, 0x63757276);
}

static void returned(struct program *p, const struct cfz_values *vs)
{
    uint32_t x;

    if (vs->v[0].len < 6)
        return;
    memcpy(&x, vs->v[0].data + 1, 4);
    p->solved = !program_equal(p, 2, is_known(p, x), 0);
    is_known(p, 0x58595a20);
    is_known(p, 0x63757276);
}

static void test_returned(void **state)
{
    static const struct cfz_site equal = {
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32, .flags = CFZ_SITE_CONST_B};
    static struct program p = {.sites = {equal,
                                         equal,
                                         {.kind = CFZ_SITE_INT,
                                          .predicate = CFZ_REL_EQUAL,
                                          .width = 32,
                                          .flags = CFZ_SITE_CONST_B,
                                          .behind_false = 2}}};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, returned), 0);
    set(&p, "_cold__");
    cfz_copies(&p.search, 2000);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "_vruc__", 7); /* the nearest before */
    assert_int_equal(p.runs, p.entries + 4);        /* three for what it returned, behind the end */

    /* Where there is nothing behind it, it is not worth that. */
    p.sites[2].behind_false = 0;
    p.solved = false;
    p.runs = p.entries = 0;
    assert_int_equal(program_begin(&p, bytes, 1, returned), 0);
    set(&p, "_cold__");
    cfz_copies(&p.search, 2000);
    assert_false(p.solved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masked),
        cmocka_unit_test(test_returned),
        cmocka_unit_test(test_magic),
        cmocka_unit_test(test_big_endian),
        cmocka_unit_test(test_argument),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_keyword),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_erratic),
        cmocka_unit_test(test_bounds_last),
        cmocka_unit_test(test_from_the_change),
        cmocka_unit_test(test_end_of_text),
        cmocka_unit_test(test_no_number_yet),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_text_in_memory),
        cmocka_unit_test(test_no_text_in_memory),
        cmocka_unit_test(test_recipe),
        cmocka_unit_test(test_recipe_of_memory),
        cmocka_unit_test(test_from_the_comparison_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
