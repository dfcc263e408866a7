/*
 * LEB128, the variable-length integers of DWARF and WebAssembly.
 *
 * No bug known: what is encoded decodes to itself, and what decodes has one
 * shortest form.
 */
#include <stddef.h>
#include <stdint.h>

enum { LEB128_MAX = 10 };

/* Returns the number of bytes written. */
static size_t leb128_encode(uint64_t v, uint8_t out[LEB128_MAX])
{
    size_t n = 0;

    do {
        out[n] = v & 0x7f;
        v >>= 7;
        if (v != 0)
            out[n] |= 0x80;
        n++;
    } while (v != 0);
    return n;
}

/* Returns the number of bytes read, 0 when in is no integer of 64 bits. */
static size_t leb128_decode(const uint8_t *in, size_t len, uint64_t *v)
{
    uint64_t result = 0;

    for (size_t n = 0; n < len && n < LEB128_MAX; n++) {
        uint64_t bits = in[n] & 0x7f;

        if (n == LEB128_MAX - 1 && bits > 1)
            return 0;
        result |= bits << (7 * n);
        if ((in[n] & 0x80) == 0) {
            *v = result;
            return n + 1;
        }
    }
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzLeb128)(cfuzz_f *f)
{
    cfuzz_add(f, 0);
    cfuzz_add(f, 624485);
    cfuzz_add(f, UINT64_MAX);
}

FUZZ_TEST(FuzzLeb128, uint64)(cfuzz_t *t, uint64_t v)
{
    uint8_t bytes[LEB128_MAX];
    size_t n = leb128_encode(v, bytes);
    uint64_t back = ~v;

    if (leb128_decode(bytes, n, &back) != n || back != v)
        cfuzz_error(t, "%llu came back as %llu", (unsigned long long)v, (unsigned long long)back);
}

FUZZ_SETUP(FuzzLeb128Bytes)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\xe5\x8e\x26"));
}

FUZZ_TEST(FuzzLeb128Bytes, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    uint8_t bytes[LEB128_MAX];
    uint64_t v;
    size_t n = leb128_decode(data, len, &v);

    if (n == 0)
        cfuzz_skip(t, "not an integer");
    if (leb128_encode(v, bytes) > n)
        cfuzz_error(t, "%zu bytes encode longer", n);
}
#endif
