/*
 * pointers.c - json-c reads a pointer from the first line of an input and JSON from the rest,
 * looks one up in the other, compares, copies and prints it.
 */
#include <stdlib.h>
#include <string.h>

#include "json.h"

#include "target.h"

static void use(struct json_object *o, const char *path)
{
    struct json_object *at = NULL, *copy = NULL;

    json_pointer_get(o, path, &at);
    if (json_object_deep_copy(o, &copy, NULL) == 0) {
        json_object_equal(o, copy);
        if (json_pointer_set(&copy, path, json_object_new_int(1)) == 0)
            json_object_to_json_string_ext(copy, JSON_C_TO_STRING_PRETTY);
        json_object_put(copy);
    }
    json_object_get_int64(at);
    json_object_get_double(at);
    json_object_to_json_string_ext(o, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);
}

void bench_target(const uint8_t *data, size_t len)
{
    struct json_tokener *tok = json_tokener_new_ex(16);
    const uint8_t *line = memchr(data, '\n', len);
    char path[64];
    size_t n = line ? (size_t)(line - data) : 0;
    struct json_object *o;

    if (!tok)
        return;
    if (line && n < sizeof path) {
        memcpy(path, data, n);
        path[n] = '\0';
        if (n > 0 && path[n - 1] == '!')
            json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        o = json_tokener_parse_ex(tok, (const char *)line + 1, (int)(len - n - 1));
        if (!o && json_tokener_get_error(tok) == json_tokener_continue)
            o = json_tokener_parse_ex(tok, "", 1);
        if (o) {
            use(o, path);
            json_object_put(o);
        }
    }
    json_tokener_free(tok);
}
