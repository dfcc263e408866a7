/*
 * parse.c - a sample: two fuzz tests beside what they test.
 */
#include <stdlib.h>
#include <string.h>
#include <cfuzz.h>

CFUZZ_DICT("MAGIC");

FUZZ_SETUP(FuzzParse)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("one"), 1);
}

/* Reads past the end of what it copied. */
FUZZ_TEST(FuzzParse, [] byte, int)(cfuzz_t *t, const uint8_t *p, size_t len, int n)
{
    char *copy;

    if (len != 5 || memcmp(p, "MAGIC", 5) != 0 || n != 7)
        return;
    copy = malloc(len);
    memcpy(copy, p, len);
    cfuzz_log(t, "%d", *(volatile char *)(copy + n));
    free(copy);
}

/* Overflows, and decides by what was never written. */
FUZZ_TEST(FuzzSum, int32)(cfuzz_t *t, int32_t n)
{
    int32_t memory[2];

    memory[n & 1] = n;
    if (n == 2147483647)
        cfuzz_log(t, "%d", n + memory[1]);
    if (n == 1234 && memory[1] == 5)
        cfuzz_log(t, "five");
    if (n == 4321)
        cfuzz_error(t, "said %d", n);
}
