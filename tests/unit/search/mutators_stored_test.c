/*
 * mutators_stored_test.c - bytes become a stored stream, compressed ones, too; and such streams
 * stay right as what they are in is changed. Scripted draws, exact results.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/deflate/inflate.h"
#include "search/image.h"
#include "search/mutators.h"
#include "core/deflate/stored.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define BYTES(text) ((struct bytes){text, sizeof(text) - 1})

enum { WRAP, DECOMPRESS, COMPRESS, ROOM = 256 };
enum { RAW_NONE, RAW_ANY, RAW_TOLD };

struct bytes {
    const char *p;
    size_t n;
};

static uint8_t data[ROOM];

static struct cfz_value value(struct bytes b)
{
    memcpy(data, b.p, b.n);
    return (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = data, .len = b.n, .cap = ROOM};
}

/* The mutation draws the boolean first. */
static bool mutate(int which, struct cfz_value *v, bool first, const uint32_t *draws, size_t n,
                   uint64_t limit)
{
    struct cfz_rand_script script = {.draws = draws, .n = n, .bools = first};
    struct cfz_rand r;
    bool applied;

    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    applied = cfz_mutation_apply(&cfz_stored_mutations[which], &r, v, limit);
    assert_int_equal(script.used, n);
    return applied;
}

static void is(const struct cfz_value *v, struct bytes wanted)
{
    assert_int_equal(v->len, wanted.n);
    assert_memory_equal(v->data, wanted.p, wanted.n);
}

#define BECOMES(applies, which, limit, before, after, first, ...)                                  \
    do {                                                                                           \
        static const uint32_t draws[] = {__VA_ARGS__};                                             \
        struct cfz_value v = value(BYTES(before));                                                 \
        assert_int_equal(mutate(which, &v, first, draws, COUNT(draws), limit), applies);           \
        is(&v, BYTES(after));                                                                      \
    } while (0)
#define MUTATED(which, limit, before, after, ...)                                                  \
    BECOMES(true, which, limit, before, after, __VA_ARGS__)
#define DECLINED(which, limit, before, ...)                                                        \
    BECOMES(false, which, limit, before, before, __VA_ARGS__)

/* Draws: kind, way, place, length. */
static void wraps(void **state)
{
    (void)state;
    MUTATED(WRAP, 99, "abc",
            "\x01\x03\0\xfc\xff"
            "abc",
            false, CFZ_STORED_RAW, 0);
    MUTATED(WRAP, 99, "abc",
            "\x78\x01\x01\x03\0\xfc\xff"
            "abc\x02\x4d\x01\x27",
            false, CFZ_STORED_ZLIB, 0);
    MUTATED(WRAP, 99, "abc",
            "\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x03\0\xfc\xff"
            "abc\xc2\x41\x24\x35\x03\0\0\0",
            false, CFZ_STORED_GZIP, 0);
    MUTATED(WRAP, 99, "abcd",
            "ab\x01\x02\0\xfd\xff"
            "cd",
            false, CFZ_STORED_RAW, 1, 2);
    MUTATED(WRAP, 99, "abcd",
            "a\x01\x02\0\xfd\xff"
            "bcd",
            false, CFZ_STORED_RAW, 2, 1, 1);
    MUTATED(WRAP, 8, "abc",
            "\x01\x03\0\xfc\xff"
            "abc",
            false, CFZ_STORED_RAW, 0);
    DECLINED(WRAP, 7, "abc", false, CFZ_STORED_RAW, 0);
}

/* Draws: which streams without a header count, place, how sizes or lengths change. */
static void decompresses(void **state)
{
    (void)state;
    MUTATED(DECOMPRESS, 99, "\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27",
            "\x78\x9c\x01\x03\0\xfc\xff"
            "abc\x02\x4d\x01\x27",
            false, RAW_NONE, 0, 5);
    /* from place 6 round the end */
    MUTATED(DECOMPRESS, 99,
            "12\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27"
            "34",
            "12\x78\x9c\x01\x03\0\xfc\xff"
            "abc\x02\x4d\x01\x27"
            "34",
            false, RAW_NONE, 6, 5);
    /* a header with a name stays; the checksum was wrong */
    MUTATED(DECOMPRESS, 99, "\x1f\x8b\x08\x08\0\0\0\0\0\x03n\0\x4b\x4c\x4a\x06\0........",
            "\x1f\x8b\x08\x08\0\0\0\0\0\x03n\0\x01\x03\0\xfc\xff"
            "abc\xc2\x41\x24\x35\x03\0\0\0",
            false, RAW_NONE, 0, 1, 3, 3, 3, 3);
    /* the length of what it is in: 5 bytes become 8; of two bytes, and of four, which is its size
     */
    MUTATED(DECOMPRESS, 99, "\0\x0bTAGS\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27....",
            "\0\x0eTAGS\x78\x9c\x01\x03\0\xfc\xff"
            "abc\x02\x4d\x01\x27....",
            false, RAW_NONE, 0, 5);
    MUTATED(DECOMPRESS, 99, "\0\0\0\x0bTAGS\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27....",
            "\0\0\0\x0eTAGS\x78\x9c\x01\x03\0\xfc\xff"
            "abc\x02\x4d\x01\x27....",
            false, RAW_NONE, 0, 0);
    MUTATED(DECOMPRESS, 99,
            "PK\x4b\x4c\x4a\x4e\x84\x21\x00"
            "..",
            "PK\x01\x0c\0\xf3\xff"
            "abcabcabcabc..",
            true, RAW_ANY, 2, 5);
    DECLINED(DECOMPRESS, 99,
             "PK\x4b\x4c\x4a\x4e\x84\x21\x00"
             "..",
             false, RAW_NONE, 2);
    DECLINED(DECOMPRESS, 18,
             "PK\x4b\x4c\x4a\x4e\x84\x21\x00"
             "..",
             true, RAW_ANY, 2); /* no room */
    DECLINED(DECOMPRESS, 99, "\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01", false, RAW_NONE,
             0); /* cut short */
    DECLINED(DECOMPRESS, 99,
             "\x78\x01\x01\x03\0\xfc\xff"
             "abc\x02\x4d\x01\x27",
             false, RAW_NONE, 0);
}

#define FIXED "\x4b\x4c\x4a\x4e\x84\x21\x00"
#define HELD                                                                                       \
    "\x01\x0c\0\xf3\xff"                                                                           \
    "abcabcabcabc"

/* A size of 7 becomes 17, and the offset of what is behind the stream moves along, or not. */
static void sizes_follow(void **state)
{
    (void)state;
    MUTATED(DECOMPRESS, 99, "\x07\0\0\0" FIXED "\x0b\0\0\0", "\x11\0\0\0" HELD "\x15\0\0\0", false,
            RAW_TOLD, 0, 0);
    MUTATED(DECOMPRESS, 99, "\x07\0\0\0" FIXED "\x0b\0\0\0", "\x11\0\0\0" HELD "\x0b\0\0\0", false,
            RAW_TOLD, 0, 1);
    MUTATED(DECOMPRESS, 99, "\x07\0\0\0" FIXED "\x0b\0\0\0", "\x11\0\0\0" HELD "\x15\0\0\0", true,
            RAW_TOLD, 0, 1);
    MUTATED(DECOMPRESS, 99, "....\0\0\0\x07" FIXED "\0\0\0\x0e\0\0\0\x0f\0\0\0\x1c",
            "....\0\0\0\x11" HELD "\0\0\0\x0e\0\0\0\x19\0\0\0\x1c", false, RAW_TOLD, 5, 0);
    DECLINED(DECOMPRESS, 99, "\x08\0\0\0" FIXED "\x0b\0\0\0", false, RAW_TOLD, 0);
}

/* Whatever codes are drawn, it holds the same, and its length is right. */
static void compresses(void **state)
{
    static const char before[] = "\0\0\0\x0bTAGS\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27....";
    struct cfz_rand r;
    int other = 0;

    (void)state;
    cfz_rand_init(&r, 1, 1);
    for (int k = 0; k < 100; k++) {
        struct cfz_value v = value(BYTES(before));
        uint8_t held[8];
        size_t used, len;

        assert_true(cfz_mutation_apply(&cfz_stored_mutations[COMPRESS], &r, &v, ROOM));
        assert_memory_equal(data + 4, before + 4, 6);
        assert_true(cfz_inflate(data + 10, v.len - 10, held, sizeof held, &used, &len));
        assert_int_equal(v.len, 10 + used + 8);
        assert_int_equal(len, 3);
        assert_memory_equal(held, "abc", 3);
        assert_memory_equal(data + 10 + used, before + 15, 8);
        assert_memory_equal(data, "\0\0\0", 3);
        assert_int_equal(data[3], 2 + used + 4);
        other += used != 5;
    }
    assert_true(other > 0);
}

/* Zeros may not get into a string. */
static void leaves_strings_alone(void **state)
{
    (void)state;
    for (int which = WRAP; which <= COMPRESS; which++) {
        static const uint32_t none[1];
        struct cfz_value v = value(BYTES("\x1f\x78\x9c\x4b\x4c\x4a\x4e\x84\x21"));

        v.kind = CFZ_KIND_STRING;
        assert_false(mutate(which, &v, false, none, 0, 99));
        is(&v, BYTES("\x1f\x78\x9c\x4b\x4c\x4a\x4e\x84\x21"));
    }
}

#define ZLIB_ABC                                                                                   \
    "\x78\x01\x01\x03\0\xfc\xff"                                                                   \
    "abc\x02\x4d\x01\x27"

/* What becomes of from, changed to to, once its streams are written anew. */
static void keeps(struct bytes from, struct bytes to, struct bytes wanted)
{
    struct cfz_stored s = {.on = true};
    struct cfz_value v[] = {{.kind = CFZ_KIND_INT32}, value(from)}, twice;
    struct cfz_values vs = {v, 2, 0};
    struct cfz_image im;

    cfz_stored_find(&s, &vs);
    v[1] = value(to);
    assert_true(cfz_image_read(&im, &vs));
    cfz_stored_keep_in(&s, 0, v[0].data, v[0].len);
    is(&v[1], to);
    cfz_stored_keep_in(&s, 1, v[1].data, v[1].len);
    is(&v[1], wanted);
    twice = v[1];
    cfz_stored_keep(&s, &vs);
    is(&twice, wanted);

    cfz_image_keep_streams(&im, &s);
    assert_int_equal(cfz_image_size(&im), 4 + wanted.n);
    assert_memory_equal(im.bytes + 4, wanted.p, wanted.n);

    s.on = false;
    cfz_stored_find(&s, &vs);
    assert_int_equal(s.n, 0);
}

static void keeps_streams_right(void **state)
{
    (void)state;
    /* a byte changed, one more, one less */
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abd\x02\x4d\x01\x27"),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abd\x02\x4e\x01\x28"));
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abcd\x02\x4d\x01\x27"),
          BYTES("\x78\x01\x01\x04\0\xfb\xff"
                "abcd\x03\xd8\x01\x8b"));
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "ab\x02\x4d\x01\x27"),
          BYTES("\x78\x01\x01\x02\0\xfd\xff"
                "ab\x01\x26\0\xc4"));
    /* its length or its checksum was changed */
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x78\x01\x01\x09\0\xfc\xff"
                "abc\x02\x4d\x01\x28"),
          BYTES(ZLIB_ABC));
    /* something before it, behind it, and in both of two */
    keeps(BYTES("12" ZLIB_ABC "34"), BYTES("1" ZLIB_ABC "34"), BYTES("1" ZLIB_ABC "34"));
    keeps(BYTES("12" ZLIB_ABC "34567890"), BYTES("12" ZLIB_ABC "345678901"),
          BYTES("12" ZLIB_ABC "345678901"));
    keeps(BYTES("\x01\x01\0\xfe\xffx" ZLIB_ABC), BYTES("\x01\x01\0\xfe\xffxy" ZLIB_ABC),
          BYTES("\x01\x02\0\xfd\xffxy" ZLIB_ABC));
    /* gzip */
    keeps(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x03\0\xfc\xff"
                "abc\xc2\x41\x24\x35\x03\0\0\0"),
          BYTES("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x03\0\xfc\xff"
                "a\xc2\x41\x24\x35\x03\0\0\0"),
          BYTES("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x01\0\xfe\xff"
                "a\x43\xbe\xb7\xe8\x01\0\0\0"));
}

static void leaves_others_alone(void **state)
{
    (void)state;
    /* its checksum was wrong at first; its header is no longer one; it is cut short */
    keeps(BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abc...."),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abd...."),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "abd...."));
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x79\x01\x01\x03\0\xfc\xff"
                "abd\x02\x4d\x01\x27"),
          BYTES("\x79\x01\x01\x03\0\xfc\xff"
                "abd\x02\x4d\x01\x27"));
    keeps(BYTES(ZLIB_ABC),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "\x02\x4d\x01"),
          BYTES("\x78\x01\x01\x03\0\xfc\xff"
                "\x02\x4d\x01"));
    keeps(BYTES(""), BYTES(""), BYTES(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps),
        cmocka_unit_test(decompresses),
        cmocka_unit_test(sizes_follow),
        cmocka_unit_test(compresses),
        cmocka_unit_test(leaves_strings_alone),
        cmocka_unit_test(keeps_streams_right),
        cmocka_unit_test(leaves_others_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
