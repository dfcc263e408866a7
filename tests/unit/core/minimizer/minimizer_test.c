/*
 * minimizer_test.c - final values, numbers of tries, and what must hold at any
 * try: only values that were accepted are kept. Of numbers: minimizer_num_test.c;
 * of values that hold each other: minimizer_together_test.c.
 */
#include "minimizer_target.h"

/* ---- Go's table ------------------------------------------------------------ */

static bool three_ones(const struct cfz_values *vs)
{
    return count_byte(&vs->v[0], 1) == 3;
}
static bool three_one_digits(const struct cfz_values *vs)
{
    return count_byte(&vs->v[0], '1') == 3;
}
static bool two_but_not_1_2(const struct cfz_values *vs)
{
    return vs->v[0].len >= 2 && !is(&vs->v[0], "\1\2", 2);
}
static bool one_of_two(const struct cfz_values *vs)
{
    return is(&vs->v[0], "\0\1\2\3\4\5", 6) || is(&vs->v[0], "\0\4\5", 3);
}
static bool len_is_3(const struct cfz_values *vs)
{
    return vs->v[0].len == 3;
}
static bool len_is_5(const struct cfz_values *vs)
{
    return vs->v[0].len == 5;
}
static bool begins_with_letter(const struct cfz_values *vs)
{
    const struct cfz_value *v = &vs->v[0];

    return v->len > 0 &&
           ((v->data[0] >= 'A' && v->data[0] <= 'Z') || (v->data[0] >= 'a' && v->data[0] <= 'z'));
}

static void finals_of_go(void **state)
{
    static const struct {
        const char *name;
        enum cfz_kind kind;
        fails_fn *fails;
        struct {
            const char *data;
            size_t len;
        } in, want;
    } cases[] = {
        {"ones_byte", CFZ_KIND_BYTES, three_ones,
         B("\0\0\1\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), B("\1\1\1")},
        {"single_bytes", CFZ_KIND_BYTES, two_but_not_1_2, B("\1\2\3\4\5"), B("00")},
        {"set_of_bytes", CFZ_KIND_BYTES, one_of_two, B("\0\1\2\3\4\5"), B("\0\4\5")},
        {"non_ascii_bytes", CFZ_KIND_BYTES, len_is_3, B("\xe0\xb8\x97"), B("000")},
        {"ones_string", CFZ_KIND_STRING, three_one_digits, B("001010001000000000000000000"),
         B("111")},
        {"string_length", CFZ_KIND_STRING, len_is_5, B("zzzzz"), B("00000")},
        {"string_with_letter", CFZ_KIND_STRING, begins_with_letter, B("ZZZZZ"), B("A")},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = bytes_value(cases[i].kind, cases[i].in.data, cases[i].in.len);

        minimize(&v, 1, cases[i].fails, UINT64_MAX);
        if (!is(&v, cases[i].want.data, cases[i].want.len))
            fail_msg("%s: %zu bytes: %.*s", cases[i].name, v.len, (int)v.len, v.data);
        free(v.data);
    }
}

/* ---- bytes ------------------------------------------------------------------ */

static bool always(const struct cfz_values *vs)
{
    (void)vs;
    return true;
}

static void bytes_become_empty(void **state)
{
    struct cfz_value v = bytes_value(CFZ_KIND_BYTES, "x", 1);
    struct cfz_value s = bytes_value(CFZ_KIND_STRING, "some text", 9);

    (void)state;
    assert_int_equal(minimize(&v, 1, always, UINT64_MAX), 1);
    assert_int_equal(v.len, 0);
    assert_int_equal(minimize(&v, 1, always, UINT64_MAX), 0); /* nothing left to try */
    minimize(&s, 1, always, UINT64_MAX);
    assert_int_equal(s.len, 0);
    free(v.data);
    free(s.data);
}

static bool no_nul(const struct cfz_values *vs)
{
    assert_null(memchr(vs->v[0].data, 0, vs->v[0].len));
    return begins_with_letter(vs) && vs->v[0].len > 3;
}

static void strings_get_no_nul(void **state)
{
    struct cfz_value v = bytes_value(CFZ_KIND_STRING, "\1hello \377\1 world", 15);

    (void)state;
    v.data[0] = 'q';
    minimize(&v, 1, no_nul, UINT64_MAX);
    assert_true(is(&v, "A000", 4));
    free(v.data);
}

/* ---- 64 KiB of which 8 bytes matter ------------------------------------------ */

enum { BIG = 65536, AT = 40000 };
static const char magic[] = "\x8f"
                            "ELF\0\1\2\377"; /* some have no plain replacement */

static bool magic_in_order(const struct cfz_values *vs)
{
    size_t found = 0;

    for (size_t i = 0; i < vs->v[0].len && found < 8; i++)
        found += vs->v[0].data[i] == (uint8_t)magic[found];
    return found == 8;
}

static bool magic_together(const struct cfz_values *vs)
{
    for (size_t i = 0; i + 8 <= vs->v[0].len; i++)
        if (memcmp(vs->v[0].data + i, magic, 8) == 0)
            return true;
    return false;
}

static bool magic_at_offset(const struct cfz_values *vs)
{
    return vs->v[0].len >= AT + 8 && memcmp(vs->v[0].data + AT, magic, 8) == 0;
}

static bool magic_scattered_at_offsets(const struct cfz_values *vs)
{
    for (size_t i = 0; i < 8; i++)
        if (vs->v[0].len <= 8000 * i + 77 || vs->v[0].data[8000 * i + 77] != (uint8_t)magic[i])
            return false;
    return true;
}

static bool whole_is_64k(const struct cfz_values *vs)
{
    return vs->v[0].len == BIG && magic_at_offset(vs);
}

static void big_inputs_in_few_tries(void **state)
{
    static const struct {
        const char *name;
        fails_fn *fails;
        size_t step; /* between the bytes that matter */
        size_t at;   /* of the first */
        size_t want_len;
        uint64_t tries; /* at the most; less than 2,000 are promised */
    } cases[] = {
        {"in order", magic_in_order, 8000, 77, 8, 871},
        {"at the end", magic_in_order, 1, BIG - 8, 8, 677},
        {"together", magic_together, 1, AT, 8, 688},
        {"at an offset", magic_at_offset, 1, AT, AT + 8, 1490},
        {"scattered at offsets", magic_scattered_at_offsets, 8000, 77, 56078, 1771},
        {"and nothing can go", whole_is_64k, 1, AT, BIG, 1349},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = {.kind = CFZ_KIND_BYTES, .len = BIG, .cap = BIG};
        uint64_t tries;

        v.data = malloc(BIG);
        assert_non_null(v.data);
        for (size_t j = 0; j < BIG; j++)
            v.data[j] = (uint8_t)('a' + j * 31 % 24);
        for (size_t j = 0; j < 8; j++)
            v.data[cases[i].at + cases[i].step * j] = (uint8_t)magic[j];
        tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);
        if (tries > cases[i].tries)
            fail_msg("%s: %llu tries", cases[i].name, (unsigned long long)tries);
        assert_int_equal(v.len, cases[i].want_len);
        /* And all that does not matter is plain. */
        assert_true(count_byte(&v, '0') == v.len - 8);
        free(v.data);
    }
}

static bool all_matter(const struct cfz_values *vs)
{
    for (size_t i = 0; i < vs->v[0].len; i++)
        if (vs->v[0].data[i] != (uint8_t)(i * i % 251 | 128))
            return false;
    return vs->v[0].len == BIG;
}

/* Input that cannot be shrunk is given up long before each byte was tried. */
static void hopeless_input_is_given_up(void **state)
{
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .len = BIG, .cap = BIG};

    (void)state;
    v.data = malloc(BIG);
    assert_non_null(v.data);
    for (size_t i = 0; i < BIG; i++)
        v.data[i] = (uint8_t)(i * i % 251 | 128);
    assert_int_equal(minimize(&v, 1, all_matter, UINT64_MAX), 2 * 768);
    free(v.data);
}

static bool nine_hundred(const struct cfz_values *vs)
{
    return count_byte(&vs->v[0], 0xff) == 900;
}

/* All large blocks are refused here, which must not use up the patience for small ones. */
static void many_scattered_bytes(void **state)
{
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .len = 10000, .cap = 10000};

    (void)state;
    v.data = malloc(10000);
    assert_non_null(v.data);
    for (size_t i = 0; i < 10000; i++)
        v.data[i] = i % 11 == 7 && i < 9900 ? 0xff : 'a';
    assert_true(minimize(&v, 1, nine_hundred, UINT64_MAX) < 12000);
    assert_int_equal(v.len, 900);
    free(v.data);
}

/* ---- several values, budgets ------------------------------------------------------ */

/* The number says how many bytes are needed: shrinking one lets the other shrink. */
static bool bytes_for_number(const struct cfz_values *vs)
{
    return vs->v[1].len >= vs->v[0].bits && vs->v[0].bits >= 3 && vs->v[2].bits == 1;
}

static bool number_for_bytes(const struct cfz_values *vs)
{
    return vs->v[1].len >= 2 && vs->v[0].bits + 1 > vs->v[1].len;
}

static void values_together(void **state)
{
    struct cfz_value v[4] = {
        {.kind = CFZ_KIND_UINT16, .bits = 20},
        bytes_value(CFZ_KIND_BYTES, "abcdefghijklmnopqrstuvwxyz", 26),
        {.kind = CFZ_KIND_BOOL, .bits = 1},
        bytes_value(CFZ_KIND_STRING, "not needed", 10),
    };

    (void)state;
    minimize(v, 4, bytes_for_number, UINT64_MAX);
    assert_int_equal(v[0].bits, 3);
    assert_true(is(&v[1], "000", 3));
    assert_int_equal(v[2].bits, 1);
    assert_int_equal(v[3].len, 0);
    free(v[1].data);
    free(v[3].data);

    /* Here the first one can shrink only when the second has: it takes a second round. */
    v[0].bits = 1000;
    v[1] = bytes_value(CFZ_KIND_BYTES, "abcdefghijklmnopqrstuvwxyz", 26);
    minimize(v, 2, number_for_bytes, UINT64_MAX);
    assert_int_equal(v[0].bits, 2);
    assert_true(is(&v[1], "00", 2));
    free(v[1].data);
}

/* Remembers what it accepted last. */
struct memory {
    struct target target;
    uint64_t number;
    uint8_t bytes[64];
    size_t len;
};

static bool try_and_remember(void *ctx, const struct cfz_values *cand)
{
    struct memory *seen = ctx;

    if (!try_target(&seen->target, cand))
        return false;
    seen->number = cand->v[0].bits;
    seen->len = cand->v[1].len;
    memcpy(seen->bytes, cand->v[1].data, cand->v[1].len);
    return true;
}

static bool number_and_letters(const struct cfz_values *vs)
{
    return vs->v[0].bits >= 100 && count_byte(&vs->v[1], 'q') > 0 && count_byte(&vs->v[1], 'z') > 0;
}

/* Wherever a budget ends, or the callback ends it, the best so far is what is left. */
static void best_so_far_is_kept(void **state)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    uint64_t all = UINT64_MAX;
    size_t shortest = 0;

    (void)state;
    for (int by_callback = 0; by_callback < 2; by_callback++) {
        for (uint64_t stop = 1; stop < all; stop++) {
            struct cfz_value v[2] = {{.kind = CFZ_KIND_UINT32, .bits = 5000},
                                     bytes_value(CFZ_KIND_STRING, text, sizeof text - 1)};
            struct cfz_values vs = {v, 2, 2};
            uint64_t budget = by_callback ? UINT64_MAX : stop;
            struct memory seen = {.target = {.fails = number_and_letters,
                                             .stop_after = by_callback ? stop : 0,
                                             .budget = &budget},
                                  .number = 5000,
                                  .len = sizeof text - 1};

            memcpy(seen.bytes, text, seen.len);
            assert_int_equal(cfz_minimize(&vs, &budget, try_and_remember, &seen, NULL), 0);
            assert_int_equal(v[0].bits, seen.number);
            assert_true(is(&v[1], (const char *)seen.bytes, seen.len));
            if (seen.target.tries < stop)
                all = stop; /* it ended by itself */
            else
                assert_int_equal(budget, 0);
            shortest = v[1].len;
            free(v[1].data);
        }
        assert_int_equal(shortest, 2);
    }
}

static void no_budget_no_tries(void **state)
{
    struct cfz_value v = bytes_value(CFZ_KIND_BYTES, "abc", 3);

    (void)state;
    assert_int_equal(minimize(&v, 1, always, 0), 0);
    assert_true(is(&v, "abc", 3));
    free(v.data);
}

/* So that an impossible allocation fails instead of ending the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void without_memory_nothing_is_tried(void **state)
{
    uint8_t byte = 'x';
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = &byte, .len = SIZE_MAX / 4};
    struct cfz_values vs = {&v, 1, 1};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct target t = {.fails = always};
    uint64_t budget = 10;

    (void)state;
    assert_int_equal(cfz_minimize(&vs, &budget, try_target, &t, &err), -1);
    assert_int_equal(err.code, CFZ_ENOMEM);
    assert_string_equal(err.text, "minimizing: no memory for 4611686018427387903 bytes");
    assert_int_equal(budget, 10);
    assert_int_equal(t.tries, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finals_of_go),
        cmocka_unit_test(bytes_become_empty),
        cmocka_unit_test(strings_get_no_nul),
        cmocka_unit_test(big_inputs_in_few_tries),
        cmocka_unit_test(hopeless_input_is_given_up),
        cmocka_unit_test(many_scattered_bytes),
        cmocka_unit_test(values_together),
        cmocka_unit_test(best_so_far_is_kept),
        cmocka_unit_test(no_budget_no_tries),
        cmocka_unit_test(without_memory_nothing_is_tried),
    };

    return cmocka_run_group_tests_name("minimizer", tests, NULL, NULL);
}
