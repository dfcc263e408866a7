/*
 * json_text.c - see json_text.h.
 */
#include "results/json_text.h"

#include <string.h>

#include "core/buf.h"

json_t *json_text(const char *text)
{
    struct cfz_buf shown = CFZ_BUF_INIT;
    json_t *out = NULL;

    if (cfz_buf_escape(&shown, text, strlen(text), CFZ_ESCAPE_TEXT, NULL) == 0)
        out = json_string(cfz_buf_str(&shown));
    cfz_buf_release(&shown);
    return out;
}
