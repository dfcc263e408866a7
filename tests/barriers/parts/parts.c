/* parts.c - barriers of parts that each say how long they are. */
#include <cfuzz.h>

#include <stdbool.h>

#include "../targets/read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

enum { FRAME = 0xc0, SCAN = 0xda, HEAD = 4 };

static bool is_declared(const uint8_t *ids, unsigned n, uint8_t id)
{
    for (unsigned i = 0; i < n; i++)
        if (ids[3 * i] == id)
            return true;
    return false;
}

/* A frame that declares parts, and then a scan of up to four of them. Either begins with its kind,
 * its length and how many parts it has, which have to agree; what is asked of their number is asked
 * after that. */
BYTES(FuzzScan)
{
    const uint8_t *ids = NULL;
    unsigned declared = 0, count;

    (void)t;
    for (; n >= HEAD; d += HEAD + 3 * count, n -= HEAD + 3 * count) {
        uint32_t length = (uint32_t)d[1] << 8 | d[2];

        count = d[3];
        if (d[0] == SCAN && ids) {
            if (length != 2 * count + 6 || count < 1 || count > 4 || n < HEAD + 2 * count)
                return;
            for (unsigned i = 0; i < count; i++)
                if (!is_declared(ids, declared, d[HEAD + 2 * i]))
                    return;
            abort();
        }
        if (d[0] != FRAME || ids || count == 0 || length != 3 * count + 8 || n < HEAD + 3 * count)
            return;
        ids = d + HEAD;
        declared = count;
    }
}
