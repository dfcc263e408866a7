/*
 * PackBits, the run-length code of TIFF and of old paint programs.
 *
 * Bug: heap overflow. packbits_size counts a run of equal bytes one too short,
 * so packbits_decode writes past the buffer that was sized by it. Needs
 * AddressSanitizer: the byte after a malloc'ed block is usually padding.
 */
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

/* A control byte c: below 128, c + 1 literal bytes follow; above, the next byte stands
 * 257 - c times; 128 means nothing. */
static size_t packbits_size(const uint8_t *in, size_t len)
{
    size_t pos = 0, size = 0;

    while (pos < len) {
        unsigned c = in[pos++];

        if (c < 128) {
            size += c + 1;
            pos += c + 1;
        } else if (c > 128) {
            size += 256 - c; /* the bug: 257 */
            pos++;
        }
    }
    return size;
}

/* Returns the number of bytes written, or -1 when in ends within a run. */
static long packbits_decode(const uint8_t *in, size_t len, uint8_t *out)
{
    size_t pos = 0;
    uint8_t *start = out;

    while (pos < len) {
        size_t c = in[pos++];

        if (c < 128) {
            if (len - pos < c + 1)
                return -1;
            memcpy(out, in + pos, c + 1);
            out += c + 1;
            pos += c + 1;
        } else if (c > 128) {
            if (pos == len)
                return -1;
            memset(out, in[pos++], 257 - c);
            out += 257 - c;
        }
    }
    return (long)(out - start);
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzPackBits)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x02" "abc" "\x00" "z"));
    cfuzz_add(f, CFUZZ_BYTES(""));
}

FUZZ_TEST(FuzzPackBits, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    size_t size = packbits_size(data, len);
    uint8_t *out = malloc(size);
    long n;

    if (out == NULL)
        cfuzz_skip(t, "%zu bytes: out of memory", size);
    n = packbits_decode(data, len, out);
    free(out);
    if (n < 0)
        cfuzz_skip(t, "ends within a run");
}
#endif
