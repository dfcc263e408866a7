/*
 * brotli.c - the decoder of Brotli unpacks a stream, up to a limit.
 */
#include <brotli/decode.h>

#include "target.h"

enum { WRITTEN_MOST = 1 << 18 };

void bench_target(const uint8_t *data, size_t len)
{
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    size_t written = 0;

    if (!state)
        return;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && written < WRITTEN_MOST) {
        uint8_t out[4096], *to = out;
        size_t room = sizeof out;

        result = BrotliDecoderDecompressStream(state, &len, &data, &room, &to, &written);
    }
    BrotliDecoderDestroyInstance(state);
}
