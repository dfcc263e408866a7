/*
 * xz.c - liblzma decodes .xz, .lzma or .lz, with their checksums.
 */
#include <lzma.h>

#include "target.h"

enum { ROOM_MOST = 1 << 22, OUT_MOST = 1 << 14 };

void bench_target(const uint8_t *data, size_t len)
{
    static uint8_t out[OUT_MOST];
    lzma_stream stream = LZMA_STREAM_INIT;

    if (lzma_auto_decoder(&stream, ROOM_MOST, LZMA_CONCATENATED) != LZMA_OK)
        return;
    stream.next_in = data;
    stream.avail_in = len;
    stream.next_out = out;
    stream.avail_out = sizeof out;
    while (lzma_code(&stream, LZMA_FINISH) == LZMA_OK && stream.avail_out > 0)
        ;
    lzma_end(&stream);
}
