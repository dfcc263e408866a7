/* numerals.c - barriers of numbers in text, of which none alone keeps one equation and meets
 * another.
 */
#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

/* Reads n numbers of at most three digits with a sign between them; NULL if text is not that. */
static const char *read_numbers(const char *text, char between, unsigned *x, int n)
{
    for (int i = 0; i < n; i++) {
        const char *from = text;

        if (i > 0 && *text++ != between)
            return NULL;
        for (x[i] = 0, from = text; *text >= '0' && *text <= '9' && text - from < 3; text++)
            x[i] = 10 * x[i] + (unsigned)(*text - '0');
        if (text == from)
            return NULL;
    }
    return text;
}

static bool read_address(const char *text, uint32_t *address)
{
    unsigned x[4];

    text = read_numbers(text, '.', x, 4);
    if (!text || *text || x[0] > 255 || x[1] > 255 || x[2] > 255 || x[3] > 255)
        return false;
    *address = x[0] << 24 | x[1] << 16 | x[2] << 8 | x[3];
    return true;
}

/* Two addresses of one network of a kind. */
FUZZ_TEST(FuzzNeighbours, string, string)(cfuzz_t *t, const char *from, const char *to)
{
    uint32_t a, b;

    (void)t;
    if (!read_address(from, &a) || !read_address(to, &b) || a == b)
        return;
    if ((a & 0xffff0000) != (b & 0xffff0000))
        return;
    if (a >> 16 == 0xc0a8)
        abort();
}

/* A network with a mask, and an address in it of a kind. */
FUZZ_TEST(FuzzNetwork, string, string)(cfuzz_t *t, const char *network, const char *address)
{
    const char *slash = strchr(network, '/');
    char first[16];
    uint32_t net, a, mask;
    unsigned bits;

    (void)t;
    if (!slash || slash - network >= 16)
        return;
    memcpy(first, network, (size_t)(slash - network));
    first[slash - network] = '\0';
    slash = read_numbers(slash + 1, ' ', &bits, 1);
    if (!slash || *slash || bits == 0 || bits > 32 || !read_address(first, &net) ||
        !read_address(address, &a))
        return;
    mask = UINT32_MAX << (32 - bits);
    if ((net & ~mask) != 0 || (a & mask) != net)
        return;
    if (a >> 24 == 172)
        abort();
}

/* Three shares of a hundred, with a given centre. */
FUZZ_TEST(FuzzShares, string)(cfuzz_t *t, const char *text)
{
    unsigned x[3];
    const char *end = read_numbers(text, '/', x, 3);

    (void)t;
    if (!end || *end || x[0] == 0 || x[1] == 0 || x[2] == 0 || x[0] + x[1] + x[2] != 100)
        return;
    if (x[1] + 2 * x[2] == 137)
        abort();
}
