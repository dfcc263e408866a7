/*
 * image.c - libpng reads an image, with its checksums: rows, ancillary chunks and the end.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "target.h"

enum { SIDE_MOST = 256 }; /* pixels; larger images cost time and show nothing new */

struct rest {
    const uint8_t *data;
    size_t len;
};

static void read_rest(png_structp png, png_bytep to, png_size_t n)
{
    struct rest *r = png_get_io_ptr(png);

    if (n > r->len)
        png_error(png, "end of data");
    memcpy(to, r->data, n);
    r->data += n;
    r->len -= n;
}

static void ignore(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

void bench_target(const uint8_t *data, size_t len)
{
    struct rest rest = {data, len};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_bytep volatile row = NULL;

    if (info && setjmp(png_jmpbuf(png)) == 0) {
        int passes;

        png_set_user_limits(png, SIDE_MOST, SIDE_MOST);
        png_set_chunk_malloc_max(png, 1 << 16);
        png_set_read_fn(png, &rest, read_rest);
        png_read_info(png, info);
        png_set_expand(png);
        png_set_gray_to_rgb(png);
        png_set_scale_16(png);
        passes = png_set_interlace_handling(png);
        png_read_update_info(png, info);
        row = malloc(png_get_rowbytes(png, info));
        for (int pass = 0; row && pass < passes; pass++)
            for (png_uint_32 y = 0; y < png_get_image_height(png, info); y++)
                png_read_row(png, row, NULL);
        png_read_end(png, info);
    }
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
}
