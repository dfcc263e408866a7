/*
 * One test with every type there is, in the order of cfuzz.h.
 *
 * No bug known: what printf writes, sscanf reads back.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzAllTypes)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("bytes\0more"), "text", true, 'b', 200, 0x1f600, -5, -128, -32768,
              INT64_MIN, 65535, 4000000000u, UINT64_MAX, -7, 7u, 1.5f, -0.0);
    cfuzz_add(f, CFUZZ_BYTES(""), "", false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0f, 0.0);
}

FUZZ_TEST(FuzzAllTypes, []byte, string, bool, byte, uint8, rune, int32, int8, int16, int64, uint16,
          uint32, uint64, int, uint, float32, float64)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *text, bool b, uint8_t by, uint8_t u8,
 int32_t r, int32_t i32, int8_t i8, int16_t i16, int64_t i64, uint16_t u16, uint32_t u32,
 uint64_t u64, int i, unsigned u, float f32, double f64)
{
    char line[400];
    int b2, i2;
    unsigned u2;
    uint8_t by2, u82;
    int32_t r2, i322;
    int8_t i82;
    int16_t i162;
    int64_t i642;
    uint16_t u162;
    uint32_t u322;
    uint64_t u642;
    float f322;
    double f642;
    int n;

    if (len > 0 && memchr(data, data[len - 1], len) == NULL)
        cfuzz_error(t, "the last byte is not there");
    if (strlen(text) > 0 && text[strlen(text) - 1] == '\0')
        cfuzz_error(t, "a NUL before the end");
    snprintf(line, sizeof line,
             "%d %" PRIu8 " %" PRIu8 " %" PRId32 " %" PRId32 " %" PRId8 " %" PRId16 " %" PRId64
             " %" PRIu16 " %" PRIu32 " %" PRIu64 " %d %u %a %a",
             b, by, u8, r, i32, i8, i16, i64, u16, u32, u64, i, u, (double)f32, f64);
    n = sscanf(line,
               "%d %" SCNu8 " %" SCNu8 " %" SCNd32 " %" SCNd32 " %" SCNd8 " %" SCNd16 " %" SCNd64
               " %" SCNu16 " %" SCNu32 " %" SCNu64 " %d %u %a %la",
               &b2, &by2, &u82, &r2, &i322, &i82, &i162, &i642, &u162, &u322, &u642, &i2, &u2,
               &f322, &f642);
    if (n != 15)
        cfuzz_fatal(t, "%d of 15 values in \"%s\"", n, line);
    if (b2 != b || by2 != by || u82 != u8 || r2 != r || i322 != i32 || i82 != i8 || i162 != i16 ||
        i642 != i64 || u162 != u16 || u322 != u32 || u642 != u64 || i2 != i || u2 != u)
        cfuzz_error(t, "an integer changed: %s", line);
    if ((f32 == f32 && f322 != f32) || (f64 == f64 && f642 != f64)) /* a NaN equals nothing */
        cfuzz_error(t, "a float changed: %s", line);
}
#endif
