/*
 * repair_test.c - what is written for a goal breaks what the program checks before, and that is
 * mended without touching what was written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES},
                           table[] = {CFZ_KIND_BYTES, CFZ_KIND_INT32, CFZ_KIND_INT32};
static const struct cfz_site constant8 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .flags = CFZ_SITE_CONST_B};
static const struct cfz_site constant32 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32, .flags = CFZ_SITE_CONST_B};
static const struct cfz_site equal32 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
static const struct cfz_site memory = {.kind = CFZ_SITE_MEM, .flags = CFZ_SITE_CONST_B};

/* Ten digits, dashes between them, a last X for ten: whether the weighted sum is a multiple of 11.
 */
static bool is_book(struct program *p, const uint8_t *d, size_t n)
{
    uint32_t sum = 0, k = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t x = 10;

        if (program_equal(p, 0, d[i], '-'))
            continue;
        if (d[i] >= '0' && d[i] <= '9')
            x = d[i] - '0';
        else if (!program_equal(p, 1, d[i], 'X') || k != 9)
            return false;
        if (k == 10)
            return false;
        sum += (10 - k++) * x;
    }
    return program_equal(p, 2, k, 10) && program_equal(p, 3, sum % 11, 0);
}

/* The last digit is that X: another one has to make up for it. */
static void ends_with_x(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const size_t n = vs->v[0].len;

    p->solved = n > 0 && is_book(p, d, n) && program_equal(p, 4, d[n - 1], 'X');
}

/* The first ones are given, with two dashes: as many digits as before remain, and one makes up for
 * the others. */
static void begins_with(struct program *p, const struct cfz_values *vs)
{
    p->solved =
        is_book(p, vs->v[0].data, vs->v[0].len) && program_memory(p, 5, vs->v[0].data, "3-16-", 5);
}

static void solve_book(struct program *p, void (*body)(struct program *, const struct cfz_values *))
{
    p->sites[0] = p->sites[1] = constant8;
    p->sites[2] = p->sites[3] = constant32;
    p->sites[4] = constant8;
    p->sites[5] = memory;
    assert_int_equal(program_begin(p, bytes, 1, body), 0);
    memcpy(p->v[0].data, "1111111111", 10);
    p->v[0].len = 10;
    p->limit = 20000;
    cfz_solver_entry(&p->search, 0, 0);
    cfz_solver_entry(&p->search, 1, 0);
}

static void test_digits(void **state)
{
    static struct program p;

    (void)state;
    solve_book(&p, ends_with_x);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data + 9, "X", 1);
}

static void test_text_over_fewer(void **state)
{
    static struct program p;

    (void)state;
    solve_book(&p, begins_with);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "3-16-", 5);
    assert_int_equal(p.v[0].len, 12);
}

/* Rows and columns are as many as there are bytes: another number of rows needs more of these,
 * which stand before it in the image. */
static void rows(struct program *p, const struct cfz_values *vs)
{
    const uint32_t r = (uint32_t)vs->v[1].bits, c = (uint32_t)vs->v[2].bits;

    if (r > 40 || c > 40 || r < 3 || c < 3 || !program_equal(p, 0, r * c, vs->v[0].len))
        return;
    p->solved = program_equal(p, 1, r, c + 2);
}

static void test_argument(void **state)
{
    static struct program p;

    (void)state;
    p.sites[0] = p.sites[1] = equal32;
    assert_int_equal(program_begin(&p, table, 3, rows), 0);
    memcpy(p.v[0].data, "abcdefghi", 9);
    p.v[0].len = 9;
    p.v[1].bits = p.v[2].bits = 3;
    p.limit = 2000;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, 15);
    assert_int_equal(p.v[1].bits, 5);
    assert_memory_equal(p.v[0].data, "abcdefghi", 9);
}

/* Grams of so many kilograms, with up to four digits behind the point. */
static uint64_t weight_of(const struct cfz_value *v)
{
    uint64_t grams = 0, scale = 10000;
    size_t i = 0;

    for (; i < v->len && i < 5 && v->data[i] >= '0' && v->data[i] <= '9'; i++)
        grams = 10 * grams + (v->data[i] - '0') * scale;
    if (i < v->len && v->data[i] == '.')
        for (i++; i < v->len && v->data[i] >= '0' && v->data[i] <= '9' && scale > 1; i++)
            grams += (v->data[i] - '0') * (scale /= 10);
    return v->len - i == 2 && memcmp(v->data + i, "kg", 2) == 0 ? grams / 10 : 0;
}

static bool program_below(struct program *p, unsigned site, uint64_t a, uint64_t b)
{
    if (p->tracing)
        cfuzz_trace_number(&p->sites[site], a, b);
    return a < b;
}

/* What a parcel of a kind weighs has to fit. */
static void parcel(struct program *p, const struct cfz_values *vs)
{
    static const struct {
        uint64_t least, most;
    } kinds[] = {{250, 2000}, {27350, 31500}};
    const uint64_t kind = vs->v[1].bits, weight = weight_of(&vs->v[0]);

    if (kind > 1 || program_below(p, 0, weight, kinds[kind].least) ||
        !program_below(p, 1, weight, kinds[kind].most))
        return;
    p->solved = program_equal(p, 2, kind, 1);
}

/* The kind is 0, as much else may be; and 1, which the text has a digit of, too, that leads on to
 * the second check. */
static void solve_parcel(struct program *p, const char *weight)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_STRING, CFZ_KIND_INT32};

    p->sites[0] = p->sites[1] = equal32;
    p->sites[0].predicate = p->sites[1].predicate = CFZ_REL_LESS;
    p->sites[2] = constant32;
    assert_int_equal(program_begin(p, kinds, 2, parcel), 0);
    p->v[0].len = strlen(weight);
    memcpy(p->v[0].data, weight, p->v[0].len);
    p->limit = 20000;
    cfz_solver_entry(&p->search, 0, 0);
    assert_true(p->solved);
    assert_int_equal(p->v[1].bits, 1);
    assert_in_range(weight_of(&p->v[0]), 27350, 31499);
}

static void test_flag_and_number_with_unit(void **state)
{
    static struct program p, q;

    (void)state;
    solve_parcel(&p, "1.5kg");
    assert_int_equal(p.runs, 535);
    solve_parcel(&q, "0.9004kg");
    assert_int_equal(q.runs, 596);
}

/* Reads numbers with points between them and a slash before the last one. Returns how many. */
static uint32_t read_numbers(const char *s, uint64_t part[5])
{
    uint32_t n = 0;

    while (n < 5 && *s >= '0' && *s <= '9') {
        char *end;

        part[n++] = strtoull(s, &end, 10);
        if (*end != (n < 4 ? '.' : '/'))
            return *end == 0 ? n : 0;
        s = end + 1;
    }
    return 0;
}

/* The network of an address with so many bits: the others have to be zero. */
static bool is_network(struct program *p, const struct cfz_values *vs, uint64_t part[5],
                       uint32_t *net, uint32_t *mask)
{
    char s[64] = "";

    memcpy(s, vs->v[0].data, vs->v[0].len < 63 ? vs->v[0].len : 63);
    if (!program_equal(p, 0, read_numbers(s, part), 5) ||
        !program_equal(p, 1, (part[0] | part[1] | part[2] | part[3]) >> 8, 0) ||
        !program_equal(p, 2, part[4] == 0 || part[4] > 32, 0))
        return false;
    *net = (uint32_t)(part[0] << 24 | part[1] << 16 | part[2] << 8 | part[3]);
    *mask = ~(uint32_t)0 << (32 - part[4]);
    return program_equal(p, 3, *net & ~*mask, 0);
}

/* Of 32 bits each one is the network's: each other number of bits leaves the path, and the last
 * number of the address has to be another one as well. */
static void has_bits(struct program *p, const struct cfz_values *vs)
{
    uint64_t part[5];
    uint32_t net, mask;

    p->solved = is_network(p, vs, part, &net, &mask) && program_equal(p, 4, part[4], 26);
}

/* One more of the second number leaves the path; 32 more do not. */
static void has_host(struct program *p, const struct cfz_values *vs)
{
    uint64_t part[5];
    uint32_t net, mask;

    p->solved = is_network(p, vs, part, &net, &mask) && program_equal(p, 5, part[4], 11) &&
                program_equal(p, 4, net, (uint32_t)vs->v[1].bits & mask);
}

static void solve_network(struct program *p, const char *from, const char *to, size_t n,
                          void (*body)(struct program *, const struct cfz_values *))
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_STRING, CFZ_KIND_UINT32};

    for (int i = 0; i < 6; i++)
        p->sites[i] = constant32;
    if (n > 1)
        p->sites[4] = equal32;
    assert_int_equal(program_begin(p, kinds, n, body), 0);
    p->v[0].len = strlen(from);
    memcpy(p->v[0].data, from, p->v[0].len + 1);
    p->v[1].bits = 0xc0a80007;
    p->limit = 5000;
    cfz_solver_entry(&p->search, 0, 0);
    assert_true(p->solved);
    assert_int_equal(p->v[0].len, strlen(to));
    assert_memory_equal(p->v[0].data, to, strlen(to));
}

static void test_numeral(void **state)
{
    static struct program p;

    (void)state;
    solve_network(&p, "1.1.1.1/32", "1.1.1.0/26", 1, has_bits);
}

static void test_powers(void **state)
{
    static struct program p;

    (void)state;
    solve_network(&p, "1.0.0.0/11", "192.160.0.0/11", 2, has_host);
    assert_int_equal(p.v[1].bits, 0xc0a80007);
}

/* A packet whose first two bytes say how long the rest is behind four bytes, in words of four, and
 * that is to be shorter than 19 bytes. */
static void is_short(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const uint32_t n = (uint32_t)vs->v[0].len;
    uint32_t rest;

    if (n < 4)
        return;
    rest = d[0] << 8 | d[1];
    if (!program_equal(p, 0, rest % 4, 0) || !program_equal(p, 1, rest + 4, n))
        return;
    if (p->tracing)
        cfuzz_trace_number(&p->sites[2], n, 19);
    p->solved = n < 19 && program_equal(p, 3, d[2], 'x');
}

/* No change of a length alone stays on the path: the size of the value is taken for the operand. */
static void test_size(void **state)
{
    static const uint8_t whole[40] = {0, 36, 'x', 'y'}, cut[16] = {0, 12, 'x', 'y'};
    static struct program p;

    (void)state;
    p.sites[0] = p.sites[3] = constant32;
    p.sites[1] = equal32;
    p.sites[2] = constant32;
    p.sites[2].predicate = CFZ_REL_LESS;
    assert_int_equal(program_begin(&p, bytes, 1, is_short), 0);
    p.v[0].len = sizeof whole;
    memcpy(p.v[0].data, whole, sizeof whole);
    p.limit = 1000;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, sizeof cut);
    assert_memory_equal(p.v[0].data, cut, sizeof cut);
}

/* A word with its length in decimal before it, as in "$3\r\nDEL\r\n". */
static void is_word(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const size_t n = vs->v[0].len;
    char word[16] = "";
    uint32_t len = 0;
    size_t at = 1;

    if (n == 0 || !program_equal(p, 0, d[0], '$'))
        return;
    for (; at < n && at < 4 && d[at] >= '0' && d[at] <= '9'; at++)
        len = 10 * len + d[at] - '0';
    if (len >= sizeof word || at + 4 + len > n || memcmp(d + at, "\r\n", 2) != 0)
        return;
    memcpy(word, d + at + 2, len);
    at += 2 + len;
    if (program_equal(p, 1, d[at], '\r') && program_equal(p, 2, d[at + 1], '\n'))
        p->solved = program_text(p, 3, word, "RENAME");
}

/* Over the word that is there it would take more than the word; in its place it is a longer one,
 * whose length the digit before it has to be. */
static void test_word(void **state)
{
    static const char shorter[] = "$3\r\nDEL\r\n", longer[] = "$6\r\nRENAME\r\n";
    static struct program p;

    (void)state;
    p.sites[0] = p.sites[1] = p.sites[2] = constant8;
    p.sites[3] = (struct cfz_site){.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(&p, bytes, 1, is_word), 0);
    p.v[0].len = sizeof shorter - 1;
    memcpy(p.v[0].data, shorter, sizeof shorter);
    p.limit = 12000;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, sizeof longer - 1);
    assert_memory_equal(p.v[0].data, longer, sizeof longer - 1);
}

/* Numbers of samples, of sixteen bits each, and of their bytes, of which there are a thousand. */
static void samples(struct program *p, const struct cfz_values *vs)
{
    uint32_t h[2];

    if (vs->v[0].len != sizeof h)
        return;
    memcpy(h, vs->v[0].data, sizeof h);
    if (h[0] == 0 || !program_equal(p, 0, h[1] * 8 / h[0], 16))
        return;
    p->solved = program_equal(p, 1, h[1], 1000);
}

/* Of few bytes the quotient is 0, whatever becomes of one byte of the divisor: what moves it is
 * known from where it is right. */
static void test_quotient(void **state)
{
    static const uint32_t from[] = {0x100000, 0x200000};
    static struct program p;
    static struct cfz_image im;
    struct cfz_goal g;
    uint32_t to[2];

    (void)state;
    p.sites[0] = p.sites[1] = constant32;
    assert_int_equal(program_begin(&p, bytes, 1, samples), 0);
    p.v[0].len = sizeof from;
    memcpy(p.v[0].data, from, sizeof from);
    p.limit = 20000;
    assert_true(program_last_goal(&p, &im, &g));
    cfz_solver_goal(&p.search, &im, &g);
    assert_true(p.solved);
    memcpy(to, p.v[0].data, sizeof to);
    assert_int_equal(to[1], 1000);
    assert_int_equal(to[1] * 8 / to[0], 16);
    assert_string_equal(cfz_solver_step_name(), "repair");
}

static int map(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    return cfz_solver_map(&err);
}

/* Two words, each of which sets a flag: that of the second is asked for. */
static void two_words(struct program *p, const struct cfz_values *vs)
{
    const char *s = (const char *)vs->v[0].data;
    bool on;

    if (vs->v[0].len != 6 || s[2] != ' ' || s[5] != ';')
        return;
    program_memory(p, 0, s, "to", 2);
    on = program_memory(p, 1, s + 3, "on", 2);
    p->solved = program_equal(p, 2, on, 1);
}

static void test_flag_behind_text(void **state)
{
    static struct program p;
    static struct cfz_image im;
    struct cfz_goal g;

    (void)state;
    p.sites[0] = p.sites[1] = memory;
    p.sites[2] = constant8;
    assert_int_equal(program_begin(&p, bytes, 1, two_words), 0);
    p.v[0].len = 6;
    memcpy(p.v[0].data, "ab cd;", 6);
    p.limit = 5000;
    assert_true(program_last_goal(&p, &im, &g));
    cfz_solver_goal(&p.search, &im, &g);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "ab on;", 6);
    assert_string_equal(cfz_solver_step_name(), "outcomes");
    assert_int_equal(p.runs, 86);
}

/* Three settings are right each, the last one first. */
static void settings(struct program *p, const struct cfz_values *vs)
{
    static const unsigned wanted[] = {4711, 3456, 2789};
    char text[64];
    unsigned x[3], flags = 0;

    if (vs->v[0].len >= sizeof text)
        return;
    memcpy(text, vs->v[0].data, vs->v[0].len);
    text[vs->v[0].len] = '\0';
    if (sscanf(text, "a=%u;b=%u;c=%u;", &x[0], &x[1], &x[2]) != 3)
        return;
    for (unsigned i = 3; i-- > 0;)
        flags |= (unsigned)program_equal(p, i, x[i], wanted[i]) << i;
    p->solved = program_equal(p, 3, flags, 7);
}

/* Numbers that get longer move the ones that are still to be turned. */
static void test_flags_of_text(void **state)
{
    static struct program p;
    static struct cfz_image im;
    struct cfz_goal g;

    (void)state;
    for (int i = 0; i < 4; i++)
        p.sites[i] = constant32;
    assert_int_equal(program_begin(&p, bytes, 1, settings), 0);
    p.limit = 20000;
    assert_true(program_read(&p, "a=1;b=1;c=1;", &im));
    assert_true(program_last_goal(&p, &im, &g));
    cfz_solver_goal(&p.search, &im, &g);
    assert_true(p.solved);
    assert_int_equal(p.v[0].len, 21);
    assert_memory_equal(p.v[0].data, "a=4711;b=3456;c=2789;", 21);
    assert_string_equal(cfz_solver_step_name(), "outcomes");
    assert_int_equal(p.runs, 160);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits),
                                       cmocka_unit_test(test_text_over_fewer),
                                       cmocka_unit_test(test_argument),
                                       cmocka_unit_test(test_numeral),
                                       cmocka_unit_test(test_flag_and_number_with_unit),
                                       cmocka_unit_test(test_powers),
                                       cmocka_unit_test(test_size),
                                       cmocka_unit_test(test_word),
                                       cmocka_unit_test(test_quotient),
                                       cmocka_unit_test(test_flag_behind_text),
                                       cmocka_unit_test(test_flags_of_text)};

    return cmocka_run_group_tests(tests, map, NULL);
}
