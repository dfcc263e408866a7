/*
 * lua.c - Lua loads a chunk, as text or as precompiled, which does not run.
 */
#include <stdlib.h>

#include <lua.h>
#include <lauxlib.h>

#include "target.h"

enum { ROOM_MOST = 1 << 22 };

static void *allocate(void *ctx, void *old, size_t old_size, size_t size)
{
    size_t *used = ctx, had = old ? old_size : 0;
    void *new;

    if (size == 0) {
        free(old);
        *used -= had;
        return NULL;
    }
    if (size > had && size - had > ROOM_MOST - *used)
        return NULL;
    new = realloc(old, size);
    if (new)
        *used = *used - had + size;
    return new;
}

void bench_target(const uint8_t *data, size_t len)
{
    size_t used = 0;
    lua_State *lua = lua_newstate(allocate, &used);

    if (!lua)
        return;
    luaL_loadbufferx(lua, (const char *)data, len, "chunk", "bt");
    lua_close(lua);
}
