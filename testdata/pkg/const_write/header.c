/*
 * Splits a header line "Name: value\r\n" into its parts.
 *
 * Bug: input that was promised not to change is written to. The end of the name
 * is marked by a NUL in place, const cast away. No sanitizer needed: the input
 * is read-only for the test.
 */
#include <stdint.h>
#include <string.h>

struct header {
    const char *name;
    const char *value;
    size_t value_len;
};

/* Returns 0, or -1 when line is no header. The parts point into line. */
static int header_split(struct header *h, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);

    if (colon == NULL || colon == line)
        return -1;
    for (const char *p = line; p < colon; p++)
        if (*p <= ' ' || *p > '~')
            return -1;
    len -= (size_t)(colon + 1 - line);
    h->name = line;
    h->value = colon + 1;
    while (len > 0 && *h->value == ' ') {
        h->value++;
        len--;
    }
    h->value_len = len;
    if (len >= 2 && h->value[len - 2] == '\r' && h->value[len - 1] == '\n') {
        h->value_len -= 2;
        *(char *)(uintptr_t)colon = '\0'; /* the bug */
    }
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzHeader)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("Host: example\n"));
    cfuzz_add(f, CFUZZ_BYTES("no header\r\n"));
}

FUZZ_TEST(FuzzHeader, []byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct header h;

    if (header_split(&h, (const char *)line, len) < 0)
        cfuzz_skip(t, "not a header");
    if (h.value_len > len)
        cfuzz_error(t, "value of %zu bytes in a line of %zu", h.value_len, len);
}
#endif
