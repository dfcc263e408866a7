/*
 * flac.c - libFLAC decodes the first frames of a stream in memory, and those after a seek to its middle.
 */
#include <string.h>

#include <FLAC/stream_decoder.h>

#include "target.h"

enum { FRAMES_MOST = 8 };

struct memory {
    const uint8_t *data;
    size_t len, at;
    int frames;
};

static FLAC__StreamDecoderReadStatus read_memory(const FLAC__StreamDecoder *decoder, FLAC__byte *to, size_t *size,
                                                 void *ctx)
{
    struct memory *m = ctx;
    size_t left = m->len - m->at;

    (void)decoder;
    if (*size > left)
        *size = left;
    if (*size == 0)
        return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
    memcpy(to, m->data + m->at, *size);
    m->at += *size;
    return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static FLAC__StreamDecoderSeekStatus seek_memory(const FLAC__StreamDecoder *decoder, FLAC__uint64 at, void *ctx)
{
    struct memory *m = ctx;

    (void)decoder;
    if (at > m->len)
        return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR;
    m->at = (size_t)at;
    return FLAC__STREAM_DECODER_SEEK_STATUS_OK;
}

static FLAC__StreamDecoderTellStatus tell_memory(const FLAC__StreamDecoder *decoder, FLAC__uint64 *at, void *ctx)
{
    (void)decoder;
    *at = ((struct memory *)ctx)->at;
    return FLAC__STREAM_DECODER_TELL_STATUS_OK;
}

static FLAC__StreamDecoderLengthStatus size_memory(const FLAC__StreamDecoder *decoder, FLAC__uint64 *size, void *ctx)
{
    (void)decoder;
    *size = ((struct memory *)ctx)->len;
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK;
}

static FLAC__bool at_end(const FLAC__StreamDecoder *decoder, void *ctx)
{
    struct memory *m = ctx;

    (void)decoder;
    return m->at == m->len;
}

static FLAC__StreamDecoderWriteStatus write_frame(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                  const FLAC__int32 *const *samples, void *ctx)
{
    (void)decoder;
    (void)frame;
    (void)samples;
    return --((struct memory *)ctx)->frames > 0 ? FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
                                                : FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
}

static void ignore_metadata(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *metadata, void *ctx)
{
    (void)decoder;
    (void)metadata;
    (void)ctx;
}

static void ignore_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *ctx)
{
    (void)decoder;
    (void)status;
    (void)ctx;
}

void bench_target(const uint8_t *data, size_t len)
{
    struct memory m = {data, len, 0, FRAMES_MOST};
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();

    if (!decoder)
        return;
    FLAC__stream_decoder_set_metadata_respond_all(decoder);
    FLAC__stream_decoder_set_md5_checking(decoder, 1);
    if (FLAC__stream_decoder_init_stream(decoder, read_memory, seek_memory, tell_memory, size_memory, at_end,
                                         write_frame, ignore_metadata, ignore_error, &m) ==
        FLAC__STREAM_DECODER_INIT_STATUS_OK) {
        if (FLAC__stream_decoder_process_until_end_of_stream(decoder)) {
            m.frames = FRAMES_MOST;
            FLAC__stream_decoder_seek_absolute(decoder, FLAC__stream_decoder_get_total_samples(decoder) / 2);
        }
        FLAC__stream_decoder_finish(decoder);
    }
    FLAC__stream_decoder_delete(decoder);
}
