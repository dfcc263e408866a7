/*
 * zstd.c - Zstandard decompresses a few frames, with their checksums.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "target.h"

enum { OUT_MOST = 1 << 14, WINDOW_LOG_MOST = 20 };

void bench_target(const uint8_t *data, size_t len)
{
    static char out[OUT_MOST];
    ZSTD_DCtx *ctx = ZSTD_createDCtx();
    ZSTD_inBuffer from = {data, len, 0};
    ZSTD_outBuffer to = {out, sizeof out, 0};

    if (!ctx)
        return;
    ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
    while (from.pos < from.size && to.pos < to.size) {
        size_t before = from.pos + to.pos;
        size_t result = ZSTD_decompressStream(ctx, &to, &from);

        if (ZSTD_isError(result) || from.pos + to.pos == before)
            break;
    }
    ZSTD_freeDCtx(ctx);
}
