/* checks.c - what is written for one check breaks another one before it. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

/* A book's number of ten digits, dashes between them: its weighted sum is a multiple of 11, an X at
 * the end stands for ten, and its first groups are given. */
BYTES(FuzzBook)
{
    unsigned sum = 0, k = 0;

    (void)t;
    for (size_t i = 0; i < n; i++) {
        unsigned x = 10;

        if (d[i] == '-')
            continue;
        if (d[i] >= '0' && d[i] <= '9')
            x = d[i] - '0';
        else if (d[i] != 'X' || k != 9)
            return;
        if (k == 10)
            return;
        sum += (10 - k++) * x;
    }
    if (k == 10 && sum % 11 == 0 && d[n - 1] == 'X' && memcmp(d, "3-16-", 5) == 0)
        abort();
}

/* A statement of twelve words with blanks between them. */
BYTES(FuzzStatement)
{
    static const char *const words[] = {"let", "x", "=",      "if", "(", "y",
                                        ")",   "{", "return", "1",  ";", "}"};
    char text[96], *rest, *word;
    size_t k = 0;

    (void)t;
    if (n >= sizeof text)
        return;
    memcpy(text, d, n);
    text[n] = '\0';
    for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (k == 12 || strcmp(word, words[k++]) != 0)
            return;
    if (k == 12)
        abort();
}

/* Rows times columns as many as there are cells, two rows more than columns, and a diagonal. */
FUZZ_TEST(FuzzRows, [] byte, int, int)(cfuzz_t *t, const uint8_t *d, size_t n, int rows, int columns)
{
    (void)t;
    if (rows < 3 || columns < 3 || rows > 40 || columns > 40 || (size_t)(rows * columns) != n)
        return;
    for (int i = 0; i < 3; i++)
        if (d[i * columns + i] != 'A' + i)
            return;
    if (rows == columns + 2)
        abort();
}

/* A header whose fields are each right or not, and only at the end asks for all: one is how much
 * follows, one a sum of the others. */
BYTES(FuzzParts)
{
    struct {
        uint16_t version, kind;
        uint32_t size;
        uint8_t tag[4];
        uint16_t sum;
    } h;
    bool version, kind, size, tag, sum;

    (void)t;
    if (n < sizeof h)
        return;
    memcpy(&h, d, sizeof h);
    version = h.version == 0x0203;
    kind = h.kind == 0xbeef;
    size = h.size == n - sizeof h;
    tag = memcmp(h.tag, "CONJ", 4) == 0;
    sum = h.sum == (uint16_t)(h.version + h.kind + h.size);
    if (version & kind & size & tag & sum)
        abort();
}

/* Samples of sixteen bits: how many there are, and how many bytes they have, as many as follow. */
BYTES(FuzzSamples)
{
    uint32_t magic, samples, size;

    (void)t;
    if (n < 12)
        return;
    memcpy(&magic, d, 4);
    memcpy(&samples, d + 4, 4);
    memcpy(&size, d + 8, 4);
    if (magic != 0x204d4350 || samples == 0 || samples > 1 << 20 || size * 8 / samples != 16)
        return;
    if (n > 40 && size == n - 12)
        abort();
}

/* A picture: its width, height and bits, what these make up, and as much that follows. */
BYTES(FuzzBitmap)
{
    struct {
        uint16_t magic, width, height, bits;
        uint32_t size;
    } h;

    (void)t;
    if (n < sizeof h)
        return;
    memcpy(&h, d, sizeof h);
    if (h.magic != 0x4d42 || h.width < 4 || h.height < 4 || (h.bits != 8 && h.bits != 24))
        return;
    if (h.size != (uint32_t)h.width * h.height * (h.bits / 8U))
        return;
    if (h.size == n - sizeof h && h.bits == 24)
        abort();
}
