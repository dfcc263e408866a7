/*
 * bilevel.c - jbig2dec decodes a file of JBIG2 in memory, with a bound on what it may take.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <jbig2.h>

#include "target.h"

enum { ROOM_MOST = 1 << 22 };

struct room {
    Jbig2Allocator allocator; /* first: the library hands it back */
    size_t used;
};

/* The size is kept before each block. */
union block {
    size_t size;
    max_align_t align;
};

static void *take(Jbig2Allocator *allocator, size_t size)
{
    struct room *room = (struct room *)allocator;
    union block *block;

    if (size == 0 || size > ROOM_MOST - room->used)
        return NULL;
    block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    room->used += size;
    return block + 1;
}

static void give(Jbig2Allocator *allocator, void *p)
{
    union block *block = p;

    if (!block)
        return;
    ((struct room *)allocator)->used -= block[-1].size;
    free(block - 1);
}

static void *take_more(Jbig2Allocator *allocator, void *p, size_t size)
{
    struct room *room = (struct room *)allocator;
    union block *block = p;

    if (!p)
        return take(allocator, size);
    if (size == 0) {
        give(allocator, p);
        return NULL;
    }
    if (size > ROOM_MOST - (room->used - block[-1].size))
        return NULL;
    room->used = room->used - block[-1].size + size;
    block = realloc(block - 1, sizeof *block + size);
    if (!block)
        abort();
    block->size = size;
    return block + 1;
}

static void ignore(void *ctx, const char *message, Jbig2Severity severity, uint32_t segment)
{
    (void)ctx;
    (void)message;
    (void)severity;
    (void)segment;
}

void bench_target(const uint8_t *data, size_t len)
{
    struct room room = {{take, give, take_more}, 0};
    Jbig2Ctx *ctx = jbig2_ctx_new(&room.allocator, 0, NULL, ignore, NULL);
    Jbig2Image *page;

    if (!ctx)
        return;
    if (jbig2_data_in(ctx, data, len) == 0)
        while ((page = jbig2_page_out(ctx)))
            jbig2_release_page(ctx, page);
    jbig2_ctx_free(ctx);
}
