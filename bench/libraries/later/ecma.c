/*
 * ecma.c - Duktape compiles an input, and does not run it.
 */
#include <duktape.h>

#include "target.h"

enum { LEN_MOST = 4096 };

void bench_target(const uint8_t *data, size_t len)
{
    duk_context *ctx = duk_create_heap_default();

    if (!ctx)
        return;
    duk_push_string(ctx, "in");
    if (duk_pcompile_lstring_filename(ctx, 0, (const char *)data,
                                      len < LEN_MOST ? len : LEN_MOST) == 0)
        duk_dump_function(ctx);
    duk_destroy_heap(ctx);
}
