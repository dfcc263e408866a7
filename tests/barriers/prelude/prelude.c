/* prelude.c - barriers of programs that do with text of their own first what they do with the
 * input. */
#include <cfuzz.h>

#include "../targets/read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

enum { ADD = 1, TURN, MIX, EXPECT, RECORD = 5 }; /* an operation and its number */

struct machine {
    uint32_t sum;
    unsigned as_expected;
};

__attribute__((noinline)) static void expect(struct machine *m, uint32_t x)
{
    if (m->sum == x)
        m->as_expected++;
}

__attribute__((noinline)) static void run(struct machine *m, const uint8_t *d, size_t n)
{
    for (; n >= RECORD; d += RECORD, n -= RECORD) {
        uint32_t x = le32(d + 1);

        if (d[0] == ADD)
            m->sum += x;
        else if (d[0] == TURN)
            m->sum = m->sum << (x & 15) | m->sum >> (32 - (x & 15)) % 32;
        else if (d[0] == MIX)
            m->sum ^= x;
        else if (d[0] == EXPECT)
            expect(m, x);
        else
            return;
    }
}

/* Rounds of the program's own text, behind each of which is never what is expected. */
static void run_own(struct machine *m, uint32_t rounds)
{
    for (uint32_t i = 1; i <= rounds; i++) {
        const uint8_t own[3 * RECORD] = {ADD, (uint8_t)i, 0x4d, 0,   0, TURN, 3,
                                         0,   0,          0,    MIX, 0, 0x91, 0x35};

        run(m, own, sizeof own);
        expect(m, ~m->sum);
    }
}

/* What the input expects is found: the sum that the program's own text left. Then the program reads
 * more of its own. */
BYTES(FuzzOwnFirst)
{
    struct machine m = {0};

    (void)t;
    run_own(&m, 90);
    run(&m, d, n);
    if (m.as_expected > 0)
        abort();
    run_own(&m, 4);
}
