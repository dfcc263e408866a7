/* typed.c - barriers between typed arguments. */
#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

FUZZ_TEST(FuzzDouble, float64)(cfuzz_t *t, double x)
{
    (void)t;
    if (x > 1234.5 && x < 1234.50001)
        abort();
}

FUZZ_TEST(FuzzProduct, int, int)(cfuzz_t *t, int a, int b)
{
    (void)t;
    if (a > 1 && b > 1 && (long long)a * b == 1234567890)
        abort();
}

FUZZ_TEST(FuzzLengthArgument, string, int)(cfuzz_t *t, const char *s, int n)
{
    (void)t;
    if (n > 40 && strlen(s) == (size_t)n)
        abort();
}

FUZZ_TEST(FuzzDateArgument, string, int)(cfuzz_t *t, const char *s, int days)
{
    (void)t;
    if (strlen(s) == 10 && s[4] == '/' && s[7] == '/' && atoi(s) == 1999 && atoi(s + 5) == 12 &&
        atoi(s + 8) == 31 && days == 365)
        abort();
}

enum mode { MODE_IDLE, MODE_READ, MODE_WRITE = 77, MODE_ADMIN = 4711 };

FUZZ_TEST(FuzzEnumAndMask, int, uint32)(cfuzz_t *t, int mode, uint32_t flags)
{
    static volatile int last;

    (void)t;
    switch (mode) {
    case MODE_IDLE:
        last = 1;
        break;
    case MODE_READ:
        last = 2;
        break;
    case MODE_WRITE:
        last = 3;
        break;
    case MODE_ADMIN:
        if ((flags & 0xf0f0) == 0x5030)
            abort();
        break;
    default:
        last = 0;
    }
}

FUZZ_TEST(FuzzTwice, int64, int64)(cfuzz_t *t, int64_t a, int64_t b)
{
    (void)t;
    if (a > 2000000 && a < 2000000000000 && b == a * 2 + 3)
        abort();
}

FUZZ_TEST(FuzzArithmetic, uint32)(cfuzz_t *t, uint32_t x)
{
    static volatile uint32_t wanted = 0x7e1d52c3;

    (void)t;
    if (x * 5 + 9 == wanted)
        abort();
}

FUZZ_TEST(FuzzFloatOfInt, int, float32)(cfuzz_t *t, int n, float f)
{
    (void)t;
    if ((float)n / 4 == 1000.25F && f == (float)n)
        abort();
}

FUZZ_TEST(FuzzRune, rune, string)(cfuzz_t *t, int32_t c, const char *s)
{
    (void)t;
    if (c == 0x1F600 && strcmp(s, "grin") == 0)
        abort();
}

FUZZ_TEST(FuzzPlace, []byte, uint16)(cfuzz_t *t, const uint8_t *d, size_t n, uint16_t at)
{
    (void)t;
    if (at > 300 && at < n && d[at] == 0xa7)
        abort();
}

static int measured[1234567];
static int *volatile behind = measured + sizeof measured / sizeof measured[0];

/* Nothing is asked of the index: an array has a size, and pointers are compared. */
__attribute__((noinline)) static bool is_behind(const int *at)
{
    return at == behind;
}

FUZZ_TEST(FuzzIndex, uint64)(cfuzz_t *t, uint64_t a)
{
    (void)t;
    if (is_behind(&measured[a % (sizeof measured / sizeof measured[0] + 1)]))
        abort();
}

FUZZ_TEST(FuzzIndexOfRow, int, int)(cfuzz_t *t, int row, int column)
{
    (void)t;
    if (row >= 0 && row < 12346 && column >= 0 && column <= 100 &&
        is_behind(&measured[row * 100 + column - 33]))
        abort();
}

/* A product with a sum, turned round; and a number that depends on the other one. */
FUZZ_TEST(FuzzCarries, uint32, uint32)(cfuzz_t *t, uint32_t a, uint32_t b)
{
    static volatile uint32_t first = 0x6d2f81c3, second = 0x90b7e45a;
    uint32_t x = (a ^ 0x3c6ef372) * 0x85ebca6b + 0x1b873593;

    (void)t;
    x = x << 13 | x >> 19;
    if (x != first)
        return;
    b -= a * 9;
    if (((b << 5 | b >> 27) ^ x) == second)
        abort();
}

/* Two numbers and their product. */
FUZZ_TEST(FuzzFactors, uint64, uint64)(cfuzz_t *t, uint64_t a, uint64_t b)
{
    (void)t;
    if (a > 1 && b > 1 && a < UINT32_MAX && b < UINT32_MAX && a * b == 4294967291U * (uint64_t)4294967279U)
        abort();
}

FUZZ_TEST(FuzzMixed, uint32)(cfuzz_t *t, uint32_t x)
{
    (void)t;
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    x ^= x >> 16;
    if (x == 0x12345678)
        abort();
}
