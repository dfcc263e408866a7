/* callers.c - barriers of functions that others call, too, with whatever they ask for. */
#include <cfuzz.h>

#include "../targets/read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

enum { KINDS = 4, TYPES = 3, RECORD = 6, OWN = 150 };

static const uint32_t types[KINDS][TYPES] = {{0x58595a20, 0x63757276, 0x70617261},
                                             {0x64657363, 0x6d6c7563, 0x74657874},
                                             {0x73663332, 0x75663332, 0x75693038},
                                             {0x6d667431, 0x6d667432, 0x6d414220}};

__attribute__((noinline)) static int is_supported(unsigned kind, uint32_t type)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (types[kind][i] == type)
            return 1;
    return 0;
}

__attribute__((noinline)) static unsigned write_own(unsigned rounds)
{
    unsigned n = 0;

    for (unsigned i = 0; i < rounds; i++)
        n += (unsigned)is_supported(i % KINDS, types[i % KINDS][i / KINDS % TYPES] + i % 5 / 4);
    return n;
}

/* Two records of different kinds, each with a type that its kind has. Then the program writes a
 * file of its own, which has all of them, and some that are wrong. */
BYTES(FuzzCallers)
{
    unsigned last = KINDS, as_wanted = 0;

    (void)t;
    for (; n >= RECORD; d += RECORD, n -= RECORD) {
        unsigned kind = d[0];

        if (kind >= KINDS || kind == last || d[1] != 0)
            break;
        if (!is_supported(kind, be32(d + 2)))
            break;
        last = kind;
        if (++as_wanted == 2)
            abort();
    }
    if (write_own(OWN) == 0)
        abort();
}

/* A number that is one, or another of which the lowest four bits do not matter: what comes behind
 * the former masks it, and no byte alone leads from one to the other. */
BYTES(FuzzMasked)
{
    (void)t;
    if (n < 12)
        return;
    if (le32(d) != 0xfd2fb528 && le32(d) >> 4 != 0x184d2a5)
        return;
    if (le32(d + 4) == 0)
        return;
    if ((le32(d) & ~(uint32_t)15) == 0x184d2a50 && le32(d + 8) == 77)
        abort();
}
