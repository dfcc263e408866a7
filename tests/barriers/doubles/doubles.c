/* doubles.c - barriers of long doubles: as they lie in memory, and as the C library reads them. */
#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

/* Two numbers, each in 16 bytes: one in a range, one that has to be exact. */
FUZZ_TEST(FuzzLongDoubles, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    long double x[2];

    (void)t;
    if (len < sizeof x)
        return;
    memcpy(x, data, sizeof x);
    if (x[0] > 22222221.9L && x[0] < 22222225.1L && x[1] == 2.718281828459045235360287L)
        abort();
}

/* A number in text, in a range of a millionth. */
FUZZ_TEST(FuzzLatitude, string)(cfuzz_t *t, const char *s)
{
    char *end;
    long double x = strtold(s, &end);

    (void)t;
    if (end == s || *end != 'N')
        return;
    if (x > 48.137154L && x < 48.137155L)
        abort();
}
