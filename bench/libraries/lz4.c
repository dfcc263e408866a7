/*
 * lz4.c - LZ4's frame decoder reads a frame in two pieces, into small buffers.
 */
#include <lz4frame.h>

#include "target.h"

enum { ROUNDS_MOST = 2000, OUT = 4096, OUT_MOST = 1 << 20 };

void bench_target(const uint8_t *data, size_t len)
{
    static char out[OUT];
    LZ4F_dctx *ctx;
    size_t at = 0, total = 0;

    if (LZ4F_isError(LZ4F_createDecompressionContext(&ctx, LZ4F_VERSION)))
        return;
    for (int i = 0; i < ROUNDS_MOST && total < OUT_MOST; i++) {
        size_t end = at < len / 3 ? len / 3 : len, in = end - at, room = OUT;
        size_t r = LZ4F_decompress(ctx, out, &room, data + at, &in, NULL);

        at += in;
        total += room;
        if (LZ4F_isError(r) || (at == len && room < OUT))
            break;
    }
    LZ4F_freeDecompressionContext(ctx);
}
