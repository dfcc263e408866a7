/*
 * webp.c - libwebp decodes an image, and, if it is valid, once more with half the size.
 */
#include <webp/decode.h>

#include "target.h"

enum { SIDE_MOST = 128 }; /* pixels; larger images cost time and show nothing new */

void bench_target(const uint8_t *data, size_t len)
{
    for (int scaled = 0; scaled < 2; scaled++) {
        WebPDecoderConfig config;
        VP8StatusCode status;

        if (!WebPInitDecoderConfig(&config) ||
            WebPGetFeatures(data, len, &config.input) != VP8_STATUS_OK ||
            config.input.width > SIDE_MOST || config.input.height > SIDE_MOST)
            return;
        config.output.colorspace = scaled ? MODE_YUVA : MODE_RGBA;
        config.options.use_scaling = scaled;
        config.options.scaled_width = (config.input.width + 1) / 2;
        config.options.scaled_height = (config.input.height + 1) / 2;
        status = WebPDecode(data, len, &config);
        WebPFreeDecBuffer(&config.output);
        if (status != VP8_STATUS_OK)
            return;
    }
}
