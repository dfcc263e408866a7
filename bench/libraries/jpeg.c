/*
 * jpeg.c - libjpeg-turbo decodes an image of a bounded size.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "target.h"

enum { SIDE_MOST = 64, SCANS_MOST = 8 };

struct errors {
    struct jpeg_error_mgr manager; /* first: the library hands it back */
    jmp_buf back;
};

static void leave(j_common_ptr image)
{
    longjmp(((struct errors *)image->err)->back, 1);
}

static void ignore(j_common_ptr image, int level)
{
    (void)image;
    (void)level;
}

static void bound_scans(j_common_ptr image)
{
    j_decompress_ptr d = (j_decompress_ptr)image;

    if (image->is_decompressor && d->input_scan_number > SCANS_MOST)
        leave(image);
}

void bench_target(const uint8_t *data, size_t len)
{
    struct jpeg_decompress_struct image;
    struct errors errors;
    struct jpeg_progress_mgr progress = {.progress_monitor = bound_scans};
    JSAMPARRAY row;

    image.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    errors.manager.emit_message = ignore;
    jpeg_create_decompress(&image);
    if (setjmp(errors.back)) {
        jpeg_destroy_decompress(&image);
        return;
    }
    if (len == 0)
        leave((j_common_ptr)&image);
    image.progress = &progress;
    jpeg_mem_src(&image, data, len);
    jpeg_read_header(&image, TRUE);
    if (image.image_width > SIDE_MOST || image.image_height > SIDE_MOST)
        leave((j_common_ptr)&image);
    jpeg_start_decompress(&image);
    row = image.mem->alloc_sarray((j_common_ptr)&image, JPOOL_IMAGE,
                                  image.output_width * (JDIMENSION)image.output_components, 1);
    while (image.output_scanline < image.output_height)
        jpeg_read_scanlines(&image, row, 1);
    jpeg_finish_decompress(&image);
    jpeg_destroy_decompress(&image);
}
