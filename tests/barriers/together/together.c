/* together.c - barriers of two equations, of which no number alone keeps one and meets the other.
 */
#include <cfuzz.h>

#include <stdlib.h>

/* Two amounts: what both are, and what one has more than twice the other. */
FUZZ_TEST(FuzzAmounts, int64, int64)(cfuzz_t *t, int64_t a, int64_t b)
{
    (void)t;
    if ((uint64_t)a + (uint64_t)b != 918273645)
        return;
    if ((uint64_t)a - 2 * (uint64_t)b == 123456)
        abort();
}

static bool is_near(double a, double b)
{
    return a - b < 1e-9 && b - a < 1e-9;
}

/* Three weights: one in all, with a given centre. */
FUZZ_TEST(FuzzCentre, float64, float64, float64)(cfuzz_t *t, double a, double b, double c)
{
    (void)t;
    if (!(a > 0.05 && b > 0.05 && c > 0.05) || !is_near(a + b + c, 1))
        return;
    if (is_near(b + 2 * c, 1.375))
        abort();
}

/* The sides of a picture, sixteen to nine, and a tag of both. */
FUZZ_TEST(FuzzSides, uint32, uint32)(cfuzz_t *t, uint32_t width, uint32_t height)
{
    (void)t;
    if (width == 0 || (uint64_t)width * 9 != (uint64_t)height * 16)
        return;
    if ((width ^ height) == ((16 * 76543) ^ (9 * 76543)))
        abort();
}
