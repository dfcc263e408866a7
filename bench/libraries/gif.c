/*
 * gif.c - giflib reads an image in memory: all frames, colour maps and extensions.
 */
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "target.h"

enum { ROOM_MOST = 1 << 16 }; /* bytes; larger frames cost time and show nothing new */

struct rest {
    const uint8_t *data;
    size_t len;
};

void *openbsd_reallocarray(void *old, size_t n, size_t size);

/* What giflib gets its rasters with. */
void *openbsd_reallocarray(void *old, size_t n, size_t size)
{
    if (n == 0 || size == 0 || n > ROOM_MOST / size)
        return NULL;
    return realloc(old, n * size);
}

static int read_rest(GifFileType *gif, GifByteType *to, int n)
{
    struct rest *r = gif->UserData;

    if ((size_t)n > r->len)
        n = (int)r->len;
    if (n > 0)
        memcpy(to, r->data, (size_t)n);
    r->data += n;
    r->len -= (size_t)n;
    return n;
}

void bench_target(const uint8_t *data, size_t len)
{
    struct rest rest = {data, len};
    GifFileType *gif = DGifOpen(&rest, read_rest, NULL);

    if (!gif)
        return;
    if (DGifSlurp(gif) == GIF_OK) {
        GraphicsControlBlock block;

        for (int i = 0; i < gif->ImageCount; i++)
            DGifSavedExtensionToGCB(gif, i, &block);
    }
    DGifCloseFile(gif, NULL);
}
