/*
 * tiff.c - libtiff reads the first images of a file in memory, as red, green, blue and alpha.
 */
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

#include "target.h"

enum { PIXELS_MOST = 1 << 14, IMAGES_MOST = 4, ROOM_MOST = 1 << 20 };

struct memory {
    const uint8_t *data;
    size_t len, at;
};

static tmsize_t read_memory(thandle_t file, void *to, tmsize_t size)
{
    struct memory *m = file;
    size_t left = m->at < m->len ? m->len - m->at : 0;
    size_t n = (size_t)size < left ? (size_t)size : left;

    if (n > 0)
        memcpy(to, m->data + m->at, n);
    m->at += n;
    return (tmsize_t)n;
}

static tmsize_t write_memory(thandle_t file, void *from, tmsize_t size)
{
    (void)file;
    (void)from;
    (void)size;
    return 0;
}

static toff_t seek_memory(thandle_t file, toff_t offset, int origin)
{
    struct memory *m = file;

    m->at = origin == SEEK_CUR ? m->at + offset : origin == SEEK_END ? m->len + offset : offset;
    return m->at;
}

static int close_memory(thandle_t file)
{
    (void)file;
    return 0;
}

static toff_t size_memory(thandle_t file)
{
    return ((struct memory *)file)->len;
}

static int ignore(TIFF *tiff, void *ctx, const char *module, const char *format, va_list args)
{
    (void)tiff;
    (void)ctx;
    (void)module;
    (void)format;
    (void)args;
    return 1;
}

static void read_image(TIFF *tiff)
{
    uint32_t width = 0, height = 0, *pixels;

    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    if (width == 0 || height == 0 || width > PIXELS_MOST || height > PIXELS_MOST / width)
        return;
    pixels = calloc((size_t)width * height, sizeof *pixels);
    if (pixels)
        TIFFReadRGBAImage(tiff, width, height, pixels, 0);
    free(pixels);
}

void bench_target(const uint8_t *data, size_t len)
{
    struct memory m = {data, len, 0};
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFF *tiff;

    if (!options)
        return;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, ROOM_MOST);
    TIFFOpenOptionsSetErrorHandlerExtR(options, ignore, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
    tiff = TIFFClientOpenExt("memory", "rm", &m, read_memory, write_memory, seek_memory,
                             close_memory, size_memory, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (!tiff)
        return;
    for (int i = 0; i < IMAGES_MOST; i++) {
        read_image(tiff);
        if (!TIFFReadDirectory(tiff))
            break;
    }
    TIFFClose(tiff);
}
