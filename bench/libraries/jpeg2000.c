/*
 * jpeg2000.c - OpenJPEG decodes a code stream, or a file with boxes, of a bounded size.
 */
#include <string.h>

#include <openjpeg.h>

#include "target.h"

enum { SIDE_MOST = 64, CHANNELS_MOST = 4 };

struct memory {
    const uint8_t *data;
    size_t len, at;
};

static OPJ_SIZE_T read_memory(void *to, OPJ_SIZE_T n, void *ctx)
{
    struct memory *m = ctx;

    if (m->at == m->len)
        return (OPJ_SIZE_T)-1;
    if (n > m->len - m->at)
        n = m->len - m->at;
    memcpy(to, m->data + m->at, n);
    m->at += n;
    return n;
}

static OPJ_OFF_T skip_memory(OPJ_OFF_T n, void *ctx)
{
    struct memory *m = ctx;

    if (n < 0 || (size_t)n > m->len - m->at)
        n = (OPJ_OFF_T)(m->len - m->at);
    m->at += (size_t)n;
    return n;
}

static OPJ_BOOL seek_memory(OPJ_OFF_T at, void *ctx)
{
    struct memory *m = ctx;

    if (at < 0 || (size_t)at > m->len)
        return OPJ_FALSE;
    m->at = (size_t)at;
    return OPJ_TRUE;
}

static void decode(opj_stream_t *stream, opj_codec_t *codec)
{
    opj_dparameters_t how;
    opj_image_t *image = NULL;

    opj_set_default_decoder_parameters(&how);
    if (opj_setup_decoder(codec, &how) && opj_read_header(stream, codec, &image) &&
        image->numcomps <= CHANNELS_MOST && image->x1 - image->x0 <= SIDE_MOST &&
        image->y1 - image->y0 <= SIDE_MOST && opj_decode(codec, stream, image))
        opj_end_decompress(codec, stream);
    opj_image_destroy(image);
}

void bench_target(const uint8_t *data, size_t len)
{
    static const uint8_t BOXES[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
    struct memory m = {data, len, 0};
    int boxes = len >= sizeof BOXES && memcmp(data, BOXES, sizeof BOXES) == 0;
    opj_stream_t *stream = opj_stream_create(len < 4096 ? 4096 : len, OPJ_TRUE);
    opj_codec_t *codec = opj_create_decompress(boxes ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);

    if (stream && codec) {
        opj_stream_set_read_function(stream, read_memory);
        opj_stream_set_skip_function(stream, skip_memory);
        opj_stream_set_seek_function(stream, seek_memory);
        opj_stream_set_user_data(stream, &m, NULL);
        opj_stream_set_user_data_length(stream, len);
        decode(stream, codec);
    }
    opj_destroy_codec(codec);
    opj_stream_destroy(stream);
}
