/*
 * minimizer_together_test.c - values that hold each other where they are, and how the
 * tries grow with the length of the input. Results and numbers of tries are exact.
 */
#include "core/deflate/inflate.h"
#include "core/deflate/stored.h"
#include "minimizer_target.h"

static bool has(const struct cfz_value *v, uint8_t c)
{
    return count_byte(v, c) > 0;
}

static bool same_bytes(const struct cfz_value *a, const struct cfz_value *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static const char text[] = "the quick brown fox jumps over the lazy dog";
enum { LEN = sizeof text - 1 };

/* ---- bytes and numbers -------------------------------------------------------- */

static bool len_is_number(const struct cfz_values *vs)
{
    return vs->v[1].bits == vs->v[0].len && has(&vs->v[0], 'q') && has(&vs->v[0], 'z');
}
static bool size_with_nul(const struct cfz_values *vs)
{
    return vs->v[1].bits == vs->v[0].len + 1 && has(&vs->v[0], 'q') && has(&vs->v[0], 'z');
}
static bool last_index(const struct cfz_values *vs)
{
    return vs->v[1].bits + 1 == vs->v[0].len && has(&vs->v[0], 'q') && has(&vs->v[0], 'z');
}
static bool negative_is_no_length(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[1]) == -LEN && has(&vs->v[0], 'q');
}

static void bytes_shrink_with_their_length(void **state)
{
    static const struct {
        const char *name;
        enum cfz_kind bytes, number;
        fails_fn *fails;
        uint64_t in;
        const char *want;
        uint64_t want_number, tries;
    } cases[] = {
        {"len", CFZ_KIND_BYTES, CFZ_KIND_INT, len_is_number, LEN, "qz", 2, 177},
        {"len", CFZ_KIND_STRING, CFZ_KIND_UINT8, len_is_number, LEN, "qz", 2, 169},
        {"len + 1", CFZ_KIND_STRING, CFZ_KIND_UINT64, size_with_nul, LEN + 1, "qz", 3, 171},
        {"len - 1", CFZ_KIND_BYTES, CFZ_KIND_INT16, last_index, LEN - 1, "qz", 1, 171},
        {"-len", CFZ_KIND_BYTES, CFZ_KIND_INT, negative_is_no_length, (uint64_t)-LEN, "q",
         (uint64_t)-LEN, 192},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v[2] = {bytes_value(cases[i].bytes, text, LEN),
                                 {.kind = cases[i].number, .bits = cases[i].in}};
        uint64_t tries = minimize(v, 2, cases[i].fails, UINT64_MAX);

        if (!is(&v[0], cases[i].want, strlen(cases[i].want)) || v[1].bits != cases[i].want_number ||
            tries != cases[i].tries)
            fail_msg("%s: \"%.*s\", %lld after %llu tries", cases[i].name, (int)v[0].len,
                     (const char *)v[0].data, (long long)v[1].bits, (unsigned long long)tries);
        free(v[0].data);
    }
}

/* A length byte, then that many bytes; the last one is read one too far. */
static bool name_too_long(const struct cfz_values *vs)
{
    const struct cfz_value *v = &vs->v[0];

    return v->len > 0 && v->data[0] == v->len &&
           !(v->len > 1 && memchr(v->data + 1, 0, v->len - 1));
}
/* "RIFF", how many bytes follow (32 bits, least significant first), a 'q' among them. */
static bool chunk(const struct cfz_values *vs)
{
    const struct cfz_value *v = &vs->v[0];

    return v->len >= 9 && memcmp(v->data, "RIFF", 4) == 0 && v->data[4] == v->len - 8 &&
           memcmp(v->data + 5, "\0\0", 3) == 0 && memchr(v->data + 8, 'q', v->len - 8) != NULL;
}
static void bytes_shrink_with_length_fields(void **state)
{
    static const struct {
        const char *name;
        fails_fn *fails;
        size_t header, len;
        const char *in, *want;
        size_t want_len;
    } cases[] = {
        {"name", name_too_long, 1, 200, "\xc8", "\1", 1},
        {"chunk", chunk, 8, 108, "RIFF\x64\0\0", "RIFF\1\0\0\0q", 9},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t data[256];
        struct cfz_value v;
        uint64_t tries;

        memset(data, 'q', sizeof data);
        memcpy(data, cases[i].in, cases[i].header);
        v = bytes_value(CFZ_KIND_BYTES, data, cases[i].len);
        tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);
        if (!is(&v, cases[i].want, cases[i].want_len))
            fail_msg("%s: %zu bytes after %llu tries", cases[i].name, v.len,
                     (unsigned long long)tries);
        free(v.data);
    }
}

/* A stream of zlib's that holds a 'q' and a 'z', to the end. */
static bool is_stream(const uint8_t *p, size_t n)
{
    uint8_t held[64];
    size_t used, len;

    return cfz_zlib_header(p, n) == 2 &&
           cfz_inflate(p + 2, n - 2, held, sizeof held, &used, &len) && used + 6 == n &&
           cfz_adler32(held, len) == ((uint32_t)p[n - 4] << 24 | (uint32_t)p[n - 3] << 16 |
                                      (uint32_t)p[n - 2] << 8 | p[n - 1]) &&
           memchr(held, 'q', len) != NULL && memchr(held, 'z', len) != NULL;
}
static bool stream(const struct cfz_values *vs)
{
    return is_stream(vs->v[0].data, vs->v[0].len);
}
static bool stream_in_chunk(const struct cfz_values *vs)
{
    const struct cfz_value *v = &vs->v[0];

    return v->len > 4 && memcmp(v->data, "\0\0\0", 3) == 0 && v->data[3] == v->len - 4 &&
           is_stream(v->data + 4, v->len - 4);
}
static void bytes_shrink_within_streams(void **state)
{
    static const struct {
        const char *name;
        fails_fn *fails;
        const char *chunk, *want;
        size_t chunk_len, want_len;
    } cases[] = {
        {"stream", stream, "", "\x78\x01\x01\x02\0\xfd\xffqz\1\x5e\0\xec", 0, 13},
        {"in a chunk", stream_in_chunk, "\0\0\0\x36",
         "\0\0\0\x0d\x78\x01\x01\x02\0\xfd\xffqz\1\x5e\0\xec", 4, 17},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct cfz_stored_around around = cfz_stored_around(CFZ_STORED_ZLIB);
        const size_t from = cases[i].chunk_len;
        uint8_t data[128];
        struct cfz_value v;
        uint64_t tries;

        memcpy(data, cases[i].chunk, from);
        memcpy(data + from + around.before, text, LEN);
        cfz_stored_write(CFZ_STORED_ZLIB, data + from, LEN);
        v = bytes_value(CFZ_KIND_BYTES, data, from + around.before + LEN + around.behind);
        tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);
        if (!is(&v, cases[i].want, cases[i].want_len))
            fail_msg("%s: %zu bytes after %llu tries", cases[i].name, v.len,
                     (unsigned long long)tries);
        free(v.data);
    }
}

/* What agrees by chance shrinks apart. */
static bool chance(const struct cfz_values *vs)
{
    return vs->v[1].bits == LEN && has(&vs->v[0], 'q');
}

static void numbers_equal_by_chance_stay(void **state)
{
    struct cfz_value v[2] = {bytes_value(CFZ_KIND_BYTES, text, LEN),
                             {.kind = CFZ_KIND_INT, .bits = LEN}};

    (void)state;
    minimize(v, 2, chance, UINT64_MAX);
    assert_true(is(&v[0], "q", 1));
    assert_int_equal(v[1].bits, LEN);
    free(v[0].data);
}

/* As a test of memcmp would: two buffers and their length. */
static bool compared(const struct cfz_values *vs)
{
    return same_bytes(&vs->v[0], &vs->v[1]) && vs->v[2].bits == vs->v[0].len && vs->v[2].bits >= 3;
}
static bool equally_long(const struct cfz_values *vs)
{
    return vs->v[0].len == vs->v[1].len && has(&vs->v[0], 'q') && has(&vs->v[1], '7');
}

static void twins_shrink_together(void **state)
{
    struct cfz_value v[3] = {bytes_value(CFZ_KIND_BYTES, text, LEN),
                             bytes_value(CFZ_KIND_STRING, text, LEN),
                             {.kind = CFZ_KIND_UINT, .bits = LEN}};
    char other[LEN];

    (void)state;
    minimize(v, 3, compared, UINT64_MAX);
    assert_true(is(&v[0], "000", 3));
    assert_true(is(&v[1], "000", 3));
    assert_int_equal(v[2].bits, 3);
    free(v[0].data);
    free(v[1].data);

    memset(other, 'x', LEN);
    other[LEN - 1] = '7';
    v[0] = bytes_value(CFZ_KIND_BYTES, text, LEN);
    v[1] = bytes_value(CFZ_KIND_BYTES, other, LEN);
    minimize(v, 2, equally_long, UINT64_MAX);
    assert_true(is(&v[0], "q0", 2));
    assert_true(is(&v[1], "07", 2));
    free(v[0].data);
    free(v[1].data);
}

/* ---- numbers -------------------------------------------------------------------- */

static int64_t number(const struct cfz_values *vs, size_t i)
{
    return cfz_value_int(&vs->v[i]);
}
static bool equal_from_1000(const struct cfz_values *vs)
{
    return number(vs, 0) == number(vs, 1) && number(vs, 0) >= 1000;
}
static bool distance_of_5(const struct cfz_values *vs)
{
    return number(vs, 0) - number(vs, 1) == 5 && number(vs, 1) >= 70;
}
static bool sum_is_zero(const struct cfz_values *vs)
{
    return number(vs, 0) + number(vs, 1) == 0 && number(vs, 0) > 100;
}
static bool three_equal(const struct cfz_values *vs)
{
    return number(vs, 0) == number(vs, 1) && number(vs, 1) == number(vs, 2) && number(vs, 0) != 0;
}
static bool unrelated(const struct cfz_values *vs)
{
    return number(vs, 0) >= 300 && number(vs, 1) >= 70000 && number(vs, 2) < -65;
}

static void integers_are_lowered_together(void **state)
{
    static const struct {
        const char *name;
        enum cfz_kind kinds[3];
        fails_fn *fails;
        int64_t in[3], want[3];
        uint64_t tries;
    } cases[] = {
        {"equal",
         {CFZ_KIND_INT, CFZ_KIND_INT64},
         equal_from_1000,
         {99999, 99999},
         {1000, 1000},
         687},
        {"distance", {CFZ_KIND_UINT16, CFZ_KIND_INT}, distance_of_5, {12345, 12340}, {75, 70}, 468},
        {"sum", {CFZ_KIND_INT, CFZ_KIND_INT16}, sum_is_zero, {9999, -9999}, {101, -101}, 551},
        {"three",
         {CFZ_KIND_INT, CFZ_KIND_UINT32, CFZ_KIND_INT64},
         three_equal,
         {123456, 123456, 123456},
         {1, 1, 1},
         338},
        {"unrelated",
         {CFZ_KIND_INT, CFZ_KIND_UINT32, CFZ_KIND_INT64},
         unrelated,
         {123456, 123456, -123456},
         {300, 70000, -66},
         772},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v[3];
        size_t n = cases[i].kinds[2] ? 3 : 2;
        uint64_t tries;

        for (size_t j = 0; j < n; j++)
            v[j] = (struct cfz_value){.kind = cases[i].kinds[j], .bits = (uint64_t)cases[i].in[j]};
        tries = minimize(v, n, cases[i].fails, UINT64_MAX);
        for (size_t j = 0; j < n; j++) {
            if (cfz_value_int(&v[j]) != cases[i].want[j] || tries != cases[i].tries)
                fail_msg("%s[%zu]: %lld after %llu tries", cases[i].name, j,
                         (long long)cfz_value_int(&v[j]), (unsigned long long)tries);
        }
    }
}

/* The quick form leaves that out. */
static void quick_is_each_by_itself(void **state)
{
    struct cfz_value v[3] = {bytes_value(CFZ_KIND_BYTES, text, LEN),
                             {.kind = CFZ_KIND_INT, .bits = LEN},
                             {.kind = CFZ_KIND_INT, .bits = LEN}};
    struct cfz_values one = {v, 2, 2}, two = {v + 1, 2, 2};
    struct target t = {.fails = len_is_number};
    uint64_t budget = UINT64_MAX;
    uint8_t room[LEN];

    (void)state;
    cfz_minimize_quick(&one, &budget, try_target, &t, room);
    assert_true(is(&v[0], "qz", 2)); /* of bytes company costs nothing where there is none */
    assert_int_equal(v[1].bits, 2);
    v[1].bits = v[2].bits = 99999;
    t = (struct target){.fails = equal_from_1000};
    cfz_minimize_quick(&two, &budget, try_target, &t, room);
    assert_int_equal(v[1].bits, 99999);
    assert_int_equal(t.accepted, 0);
    free(v[0].data);
}

/* ---- growth ------------------------------------------------------------------------ */

static const char magic[] = "\x8f"
                            "ELF\0\1\2\377"; /* some have no plain replacement */

/* The eight bytes in order, anywhere. */
static bool magic_in_order(const struct cfz_values *vs)
{
    size_t found = 0;

    for (size_t i = 0; i < vs->v[0].len && found < 8; i++)
        found += vs->v[0].data[i] == (uint8_t)magic[found];
    return found == 8;
}
static bool magic_and_len(const struct cfz_values *vs)
{
    return magic_in_order(vs) && vs->v[1].bits == vs->v[0].len;
}
static bool magic_and_twin(const struct cfz_values *vs)
{
    return magic_in_order(vs) && vs->v[1].bits == vs->v[0].len && same_bytes(&vs->v[0], &vs->v[2]);
}

static size_t original_len;

/* Every byte matters, and how many there are. */
static bool all_matter(const struct cfz_values *vs)
{
    for (size_t i = 0; i < vs->v[0].len; i++)
        if (vs->v[0].data[i] != (uint8_t)(i * i % 251 | 128))
            return false;
    return vs->v[0].len == original_len;
}
static bool every_second_matters(const struct cfz_values *vs)
{
    return count_byte(&vs->v[0], 0xff) == original_len / 2;
}

/* n bytes, eight of which matter, spread over all of them. */
static struct cfz_value spread(size_t n)
{
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .len = n, .cap = n, .data = malloc(n)};

    assert_non_null(v.data);
    for (size_t i = 0; i < n; i++)
        v.data[i] = (uint8_t)('a' + i * 31 % 24);
    for (size_t i = 0; i < 8; i++)
        v.data[n / 64 + n * i / 9] = (uint8_t)magic[i];
    return v;
}

/* Four times the bytes cost a fixed number of tries more: 8 log n, not n. */
static void tries_grow_like_log_n(void **state)
{
    static const struct {
        fails_fn *fails;
        size_t n; /* values */
        uint64_t tries[4];
    } cases[] = {
        {magic_in_order, 1, {774, 808, 841, 877}},
        {magic_and_len, 2, {964, 1016, 1065, 1120}},
        {magic_and_twin, 3, {2558, 2644, 2731, 2820}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t k = 0; k < 4; k++) {
            size_t len = (size_t)1024 << 2 * k;
            struct cfz_value v[3] = {
                spread(len), {.kind = CFZ_KIND_UINT, .bits = len}, spread(len)};
            uint64_t tries = minimize(v, cases[i].n, cases[i].fails, UINT64_MAX);

            assert_true(is(&v[0], magic, 8));
            if (cases[i].n > 1)
                assert_int_equal(v[1].bits, 8);
            if (cases[i].n > 2)
                assert_true(is(&v[2], magic, 8));
            if (tries != cases[i].tries[k])
                fail_msg("growth[%zu], %zu bytes: %llu tries", i, len, (unsigned long long)tries);
            free(v[0].data);
            free(v[2].data);
        }
    }
}

/* What cannot be shrunk costs the same, however long it is; what can be shrunk only byte by byte
 * costs as many tries as it has bytes, some three times. */
static void hostile_bytes_cost_a_few_tries_each(void **state)
{
    static const struct {
        fails_fn *fails;
        size_t sizes; /* from 1 KiB, each four times the one before */
        uint64_t tries[4];
        size_t left[4];
    } cases[] = {
        {all_matter, 4, {1536, 1536, 1536, 1536}, {1024, 4096, 16384, 65536}},
        {every_second_matters, 3, {4086, 11862, 42608}, {512, 2048, 8192}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t k = 0; k < cases[i].sizes; k++) {
            struct cfz_value v = spread((size_t)1024 << 2 * k);
            uint64_t tries;

            original_len = v.len;
            for (size_t j = 0; j < v.len; j++)
                v.data[j] = i == 0 ? (uint8_t)(j * j % 251 | 128) : j % 2 == 0 ? 0xff : 'a';
            tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);
            if (tries != cases[i].tries[k] || v.len != cases[i].left[k])
                fail_msg("hostile[%zu], %zu bytes: %zu after %llu tries", i, original_len, v.len,
                         (unsigned long long)tries);
            free(v.data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_shrink_with_their_length),
        cmocka_unit_test(bytes_shrink_with_length_fields),
        cmocka_unit_test(bytes_shrink_within_streams),
        cmocka_unit_test(numbers_equal_by_chance_stay),
        cmocka_unit_test(twins_shrink_together),
        cmocka_unit_test(integers_are_lowered_together),
        cmocka_unit_test(quick_is_each_by_itself),
        cmocka_unit_test(tries_grow_like_log_n),
        cmocka_unit_test(hostile_bytes_cost_a_few_tries_each),
    };

    return cmocka_run_group_tests_name("minimizer_together", tests, NULL, NULL);
}
