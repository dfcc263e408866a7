/*
 * wavpack.c - WavPack opens a file in memory and unpacks the first samples.
 */
#include <stdio.h>
#include <string.h>

#include <wavpack.h>

#include "target.h"

enum { SAMPLES = 256, CHANNELS_MOST = 16, READS_MOST = 4 };

struct memory {
    const uint8_t *data;
    int64_t len, at;
};

static int32_t read_memory(void *ctx, void *to, int32_t n)
{
    struct memory *m = ctx;
    int64_t left = m->len - m->at;

    if (n > left)
        n = (int32_t)left;
    if (n > 0)
        memcpy(to, m->data + m->at, (size_t)n);
    m->at += n;
    return n;
}

static int64_t tell_memory(void *ctx)
{
    return ((struct memory *)ctx)->at;
}

static int seek_to(void *ctx, int64_t at)
{
    struct memory *m = ctx;

    if (at < 0 || at > m->len)
        return -1;
    m->at = at;
    return 0;
}

static int seek_by(void *ctx, int64_t delta, int mode)
{
    struct memory *m = ctx;

    return seek_to(ctx, delta + (mode == SEEK_CUR ? m->at : mode == SEEK_END ? m->len : 0));
}

static int push_back(void *ctx, int c)
{
    struct memory *m = ctx;

    if (m->at == 0)
        return EOF;
    m->at--;
    return c;
}

static int64_t length(void *ctx)
{
    return ((struct memory *)ctx)->len;
}

static int can_seek(void *ctx)
{
    (void)ctx;
    return 1;
}

void bench_target(const uint8_t *data, size_t len)
{
    static WavpackStreamReader64 calls = {.read_bytes = read_memory,
                                          .get_pos = tell_memory,
                                          .set_pos_abs = seek_to,
                                          .set_pos_rel = seek_by,
                                          .push_back_byte = push_back,
                                          .get_length = length,
                                          .can_seek = can_seek};
    static int32_t samples[SAMPLES * CHANNELS_MOST];
    struct memory m = {data, (int64_t)len, 0};
    char error[80];
    WavpackContext *file = WavpackOpenFileInputEx64(&calls, &m, NULL, error, OPEN_TAGS, 0);

    if (!file)
        return;
    if (WavpackGetNumChannels(file) <= CHANNELS_MOST)
        for (int i = 0; i < READS_MOST && WavpackUnpackSamples(file, samples, SAMPLES) > 0; i++)
            ;
    WavpackCloseFile(file);
}
