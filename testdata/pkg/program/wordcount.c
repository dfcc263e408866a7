/*
 * A whole program, main() included, with its fuzz test beside the code.
 *
 * No bug known. In a test build the program's own main is set aside.
 */
#include <stdio.h>
#include <stdint.h>

struct counts {
    size_t lines, words, bytes;
};

static void count(struct counts *c, const uint8_t *data, size_t len)
{
    int in_word = 0;

    for (size_t i = 0; i < len; i++) {
        int space = data[i] == ' ' || (data[i] >= '\t' && data[i] <= '\r');

        c->lines += data[i] == '\n';
        c->words += !space && !in_word;
        in_word = !space;
    }
    c->bytes += len;
}

int main(void)
{
    static uint8_t data[1 << 20];
    struct counts c = {0, 0, 0};

    count(&c, data, fread(data, 1, sizeof data, stdin));
    printf("%zu %zu %zu\n", c.lines, c.words, c.bytes);
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzCount)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("one two\nthree\n"));
}

FUZZ_TEST(FuzzCount, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    struct counts c = {0, 0, 0};

    count(&c, data, len);
    if (c.bytes != len || c.lines > len || c.words > (len + 1) / 2)
        cfuzz_error(t, "%zu lines, %zu words in %zu bytes", c.lines, c.words, len);
}
#endif
