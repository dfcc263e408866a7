/*
 * tracker.c - libxmp loads a module of music in one of many formats, and plays a few frames.
 */
#include <xmp.h>

#include "target.h"

enum { FRAMES = 16, RATE = 8000 };

void bench_target(const uint8_t *data, size_t len)
{
    xmp_context ctx = xmp_create_context();

    if (!ctx)
        return;
    if (xmp_load_module_from_memory(ctx, data, (long)len) == 0) {
        if (xmp_start_player(ctx, RATE, 0) == 0) {
            for (int i = 0; i < FRAMES && xmp_play_frame(ctx) == 0; i++)
                ;
            xmp_end_player(ctx);
        }
        xmp_release_module(ctx);
    }
    xmp_free_context(ctx);
}
