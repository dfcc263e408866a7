/*
 * Takes comments out of a source text, slash-star to star-slash.
 *
 * Bug: a hang. A comment that is not closed is searched for its end for ever.
 */
#include <string.h>
#include <stdint.h>

/* Writes at most len bytes to out; returns how many. */
static size_t strip_comments(const uint8_t *in, size_t len, uint8_t *out)
{
    size_t i = 0, n = 0;

    while (i < len) {
        if (in[i] == '/' && i + 1 < len && in[i + 1] == '*') {
            i += 2;
            for (;;) { /* the bug: nothing happens at the end */
                if (i + 1 < len) {
                    if (in[i] == '*' && in[i + 1] == '/')
                        break;
                    i++;
                }
            }
            i += 2;
        } else {
            out[n++] = in[i++];
        }
    }
    return n;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzComments)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("int a; /* one */ int b; /**/"));
    cfuzz_add(f, CFUZZ_BYTES("a / b * c"));
}

FUZZ_TEST(FuzzComments, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    uint8_t out[4096];
    size_t n;

    if (len > sizeof out)
        cfuzz_skip(t, "too long");
    n = strip_comments(data, len, out);
    if (n > len)
        cfuzz_error(t, "%zu bytes became %zu", len, n);
}
#endif
