/*
 * js.c - MuJS compiles a script, which does not run.
 */
#include <stdlib.h>
#include <string.h>

#include <mujs.h>

#include "target.h"

enum { SIZE_MOST = 1 << 14 };

static void ignore(js_State *js, const char *text)
{
    (void)js;
    (void)text;
}

void bench_target(const uint8_t *data, size_t len)
{
    static char text[SIZE_MOST + 1];
    js_State *js = js_newstate(NULL, NULL, 0);

    if (!js)
        return;
    if (len > SIZE_MOST)
        len = SIZE_MOST;
    if (len > 0)
        memcpy(text, data, len);
    text[len] = '\0';
    js_setreport(js, ignore);
    js_ploadstring(js, "script", text);
    js_freestate(js);
}
