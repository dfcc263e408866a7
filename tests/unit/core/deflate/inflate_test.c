/*
 * inflate_test.c - deflate streams that zlib made are read; what is none is not.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/deflate/inflate.h"

/* What zlib made of bytes 97 + (i * i >> 3) % 7, i from 0 to 119: a block with a code of its own.
 */
enum { DYNAMIC_LEN = 120 };
static const uint8_t dynamic[] = {0xb5, 0xc9, 0xc1, 0x11, 0x00, 0x20, 0x0c, 0xc3, 0xb0, 0x59, 0x6d,
                                  0x92, 0x76, 0xff, 0x0d, 0x38, 0x86, 0x40, 0x5f, 0x01, 0x9e, 0x74,
                                  0xcd, 0x58, 0x42, 0x9d, 0xb8, 0xcd, 0x91, 0xe7, 0xdb, 0x5d};

static uint8_t out[1 << 16];

static void fails(const void *in, size_t n, size_t room)
{
    size_t used, len;

    assert_false(cfz_inflate(in, n, out, room, &used, &len));
}

/* Reads a stream of n bytes, with another behind it, and with room for what it holds only; not if a
 * byte is missing, or the room. */
static void reads(const void *in, size_t n, const void *wanted, size_t wanted_len)
{
    uint8_t more[256];
    size_t used, len;

    memcpy(more, in, n);
    more[n] = 0xff;
    assert_true(cfz_inflate(more, n + 1, out, wanted_len, &used, &len));
    assert_int_equal(used, n);
    assert_int_equal(len, wanted_len);
    assert_memory_equal(out, wanted, len);
    fails(in, n - 1, sizeof out);
    if (wanted_len > 0)
        fails(in, n, wanted_len - 1);
}

static void reads_what_zlib_made(void **state)
{
    uint8_t text[DYNAMIC_LEN];

    (void)state;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(97 + (i * i >> 3) % 7);
    reads("\x01\x03\x00\xfc\xff"
          "abc",
          8, "abc", 3);
    reads("\x4b\x4c\x4a\x4e\x84\x21\x00", 7, "abcabcabcabc", 12); /* the fixed code */
    reads("\x03\x00", 2, "", 0);
    reads(dynamic, sizeof dynamic, text, sizeof text);
    /* three blocks: a fixed one, an empty stored one, a fixed one */
    reads("\x4a\x4c\x4a\x06\x00\x00\x00\xff\xff\x4b\x49\x4d\x03\x00", 14, "abcdef", 6);
}

static void refuses_what_is_none(void **state)
{
    (void)state;
    fails("", 0, 9);
    fails("\x07", 1, 9); /* type 3 */
    fails("\x01\x03\x00\xfc\xfe"
          "abc",
          8, 9);                                   /* a complement that is wrong */
    fails("\x4b\x04\x22\x00", 4, 300);             /* 'a', then back further than there is */
    fails("\xfd\xff\xff\xff\xff\xff\xff", 7, 300); /* more literals than there can be */
    fails("\x05\x00\x00\x00\x00\x00\x00", 7, 300); /* a code without any symbol */
}

/* Not one of 2^16 beginnings is read beyond its end. */
static void ends_within_its_input(void **state)
{
    size_t used, len;

    (void)state;
    for (unsigned v = 0; v < 1 << 16; v++) {
        uint8_t in[] = {(uint8_t)v, (uint8_t)(v >> 8), 0x5a};

        if (cfz_inflate(in, sizeof in, out, sizeof out, &used, &len))
            assert_true(used <= sizeof in);
    }
}

static void knows_headers(void **state)
{
    static const uint8_t plain[] = {0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 0, 3, 'x'};
    static const uint8_t named[] = {0x1f, 0x8b, 8,   0x1e, 0, 0,   0,   0, 0,    3,   2,
                                    0,    'e',  'e', 'n',  0, 'c', 'c', 0, 0x12, 0x34};

    (void)state;
    assert_int_equal(cfz_zlib_header((const uint8_t *)"\x78\x9c", 2), 2);
    assert_int_equal(cfz_zlib_header((const uint8_t *)"\x78\x01", 1), 0);
    assert_int_equal(cfz_zlib_header((const uint8_t *)"\x78\x9d", 2), 0); /* no multiple of 31 */
    assert_int_equal(cfz_zlib_header((const uint8_t *)"\x79\x9c", 2), 0); /* not deflate */
    assert_int_equal(cfz_zlib_header((const uint8_t *)"\x78\xbb", 2), 0); /* a dictionary */
    assert_int_equal(cfz_gzip_header(plain, sizeof plain), 10);
    assert_int_equal(cfz_gzip_header(plain, 9), 0);
    for (size_t n = 0; n <= sizeof named; n++)
        assert_int_equal(cfz_gzip_header(named, n), n == sizeof named ? n : 0);
}

static void sums(void **state)
{
    static uint8_t ones[20000], text[100];

    (void)state;
    memset(ones, 0xff, sizeof ones);
    assert_int_equal(cfz_adler32(NULL, 0), 1);
    assert_int_equal(cfz_adler32((const uint8_t *)"abc", 3), 0x24d0127);
    assert_int_equal(cfz_adler32(ones, sizeof ones), 0x9f51d664);
    assert_int_equal(cfz_crc32(NULL, 0), 0);
    assert_int_equal(cfz_crc32((const uint8_t *)"abc", 3), 0x352441c2);
    assert_int_equal(cfz_crc32((const uint8_t *)"123456789", 9), 0xcbf43926); /* its check value */
    for (uint32_t n = 0, crc = UINT32_MAX; n < 100; n++) {                    /* bit by bit */
        assert_int_equal(cfz_crc32(text, n), ~crc);
        crc ^= text[n] = (uint8_t)(n * 37);
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
}

/* A byte that begins a header is one that may. */
static void knows_what_may_be_a_header(void **state)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    unsigned may = 0;

    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        bool is = false;

        for (unsigned k = 0; k < 256; k++)
            is = is || cfz_zlib_header((const uint8_t[]){(uint8_t)first, (uint8_t)k}, 2);
        is = is || first == gzip[0];
        assert_int_equal(cfz_may_be_header((uint8_t)first), is);
        may += is;
    }
    assert_int_equal(may, 9);
    assert_int_equal(cfz_gzip_header(gzip, sizeof gzip), sizeof gzip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_zlib_made),
        cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(ends_within_its_input),
        cmocka_unit_test(knows_headers),
        cmocka_unit_test(sums),
        cmocka_unit_test(knows_what_may_be_a_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
