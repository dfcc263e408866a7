/*
 * vorbis.c - libvorbisfile opens a stream of Ogg in memory and decodes the first samples.
 */
#include <string.h>

#include <vorbis/vorbisfile.h>

#include "target.h"

enum { READS_MOST = 16 };

struct memory {
    const uint8_t *data;
    size_t len, at;
};

static size_t read_memory(void *to, size_t size, size_t n, void *ctx)
{
    struct memory *m = ctx;
    size_t left = (m->len - m->at) / (size ? size : 1);

    if (n > left)
        n = left;
    if (n * size > 0)
        memcpy(to, m->data + m->at, n * size);
    m->at += n * size;
    return n;
}

static int seek_memory(void *ctx, ogg_int64_t offset, int origin)
{
    struct memory *m = ctx;
    ogg_int64_t base = origin == SEEK_CUR ? (ogg_int64_t)m->at : origin == SEEK_END ? (ogg_int64_t)m->len : 0;

    if (base + offset < 0 || base + offset > (ogg_int64_t)m->len)
        return -1;
    m->at = (size_t)(base + offset);
    return 0;
}

static long tell_memory(void *ctx)
{
    return (long)((struct memory *)ctx)->at;
}

void bench_target(const uint8_t *data, size_t len)
{
    static const ov_callbacks CALLS = {read_memory, seek_memory, NULL, tell_memory};
    struct memory m = {data, len, 0};
    OggVorbis_File file;
    char samples[1024];
    int part;

    if (ov_open_callbacks(&m, &file, NULL, 0, CALLS) < 0)
        return;
    for (int i = 0; i < READS_MOST && ov_read(&file, samples, sizeof samples, 0, 2, 1, &part) != 0; i++)
        ;
    ov_clear(&file);
}
