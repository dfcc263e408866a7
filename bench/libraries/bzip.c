/*
 * bzip.c - bzip2 decompresses a stream, the fast way and, if it is valid, the one with less memory.
 */
#include <stdlib.h>

#include <bzlib.h>

#include "target.h"

enum { ROOM = 1 << 16 };

void bz_internal_error(int code);

/* An assertion of the library's. */
void bz_internal_error(int code)
{
    (void)code;
    abort();
}

void bench_target(const uint8_t *data, size_t len)
{
    static char room[ROOM];

    for (int small = 0; small < 2; small++) {
        unsigned n = sizeof room;

        if (BZ2_bzBuffToBuffDecompress(room, &n, (char *)data, (unsigned)len, small, 0) != BZ_OK)
            break;
    }
}
