// What is accepted: all types and C's names for them, whatever the parameters are called in C.
// RUN: %clang -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang -fsyntax-only -Wall -Wextra -Werror -x c++ -std=c++17 %s
#include <cfuzz.h>

FUZZ_TEST(FuzzGo, []byte, string, bool, byte, rune, int8, int16, int32, int64, uint8, uint16,
          uint32, uint64, int, uint, float32, float64)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *s, bool b, uint8_t c, int32_t r,
 int8_t i8, int16_t i16, int32_t i32, int64_t i64, uint8_t u8, uint16_t u16, uint32_t u32,
 uint64_t u64, int i, unsigned u, float f, double d)
{
    (void)t, (void)data, (void)len, (void)s, (void)b, (void)c, (void)r, (void)i8, (void)i16;
    (void)i32, (void)i64, (void)u8, (void)u16, (void)u32, (void)u64, (void)i, (void)u, (void)f;
    (void)d;
}

FUZZ_TEST(FuzzC, size_t, uint16_t, unsigned long, double, char, unsigned, long long, float,
          const char *, signed char)
(cfuzz_t *t, size_t a, uint16_t b, unsigned long c, double d, char e, unsigned f, long long g,
 float h, const char *s, int8_t i)
{
    (void)t, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)s;
    (void)i;
}

// Any C type of the size and sign; typedefs, qualifiers of the parameter itself, arrays, enums.
typedef const uint8_t *bytes_t;
typedef size_t length_t;
typedef unsigned char octet;
enum colour { RED, GREEN };
enum level { LOW = -1, HIGH };
FUZZ_TEST(FuzzAny, []byte, []byte, []byte, uint32, int32, uint64, int, uint8)
(cfuzz_t *const t, bytes_t const a, const length_t an, const unsigned char *volatile b,
 unsigned long long bn, const octet c[], size_t cn, enum colour d, enum level e,
 volatile unsigned long f, const int g, char unsigned h)
{
    (void)t, (void)a, (void)an, (void)b, (void)bn, (void)c, (void)cn, (void)d, (void)e, (void)f;
    (void)g, (void)h;
}

// The words are not expanded: neither bool of C nor macros of the user's get in the way.
#define int8 nonsense
#define string also nonsense
FUZZ_TEST(FuzzMacros, int8, string, bool)(cfuzz_t *t, int8_t a, const char *s, bool b)
{
    (void)t, (void)a, (void)s, (void)b;
}

FUZZ_TEST(Fuzz, int)(cfuzz_t *t, int a)
{
    (void)t, (void)a;
}
FUZZ_TEST(Fuzz_lower, int)(cfuzz_t *, int)
#ifdef __cplusplus
{
}
#else
    ;
FUZZ_TEST(Fuzz_lower, int)(cfuzz_t *t, int a)
{
    (void)t, (void)a;
}
#endif
FUZZ_TEST(Fuzz9, int)(cfuzz_t *t, int a)
{
    (void)t, (void)a;
}
