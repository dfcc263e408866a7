/*
 * lf_artifact.c - see lf_artifact.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/lf_artifact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfuzzer/lf_input.h"
#include "results/result_file.h"

enum { SHOWN = 256 }; /* bytes of an input that is shown; as in libFuzzer */

int lf_base64(const uint8_t *bytes, size_t len, struct cfz_buf *out, struct cfz_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        uint32_t v = (uint32_t)bytes[i] << 16;
        char four[5] = "====";

        v |= n > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        v |= n > 2 ? bytes[i + 2] : 0;
        for (size_t k = 0; k <= n; k++)
            four[k] = digits[v >> (18 - 6 * k) & 63];
        if (cfz_buf_append(out, four, 4, err) < 0)
            return -1;
    }
    return 0;
}

/* Appends "0x46,0x55,\nFU\n". */
static int show(const struct cfz_buf *bytes, struct cfz_buf *out, struct cfz_error *err)
{
    for (size_t i = 0; i < bytes->len; i++)
        if (cfz_buf_printf(out, err, "0x%x,", bytes->data[i]) < 0)
            return -1;
    if (cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    for (size_t i = 0; i < bytes->len; i++) {
        uint8_t c = bytes->data[i];
        const char *how = c == '\\' || c == '"' ? "\\%c" : c >= ' ' && c < 0x7f ? "%c" : "\\%03o";

        if (cfz_buf_printf(out, err, how, c) < 0)
            return -1;
    }
    return cfz_buf_puts(out, "\n", err);
}

int lf_artifact_write(const struct lf_flags *f, const char *kind, const struct cfz_buf *original,
                      const struct cfz_buf *bytes, struct cfz_buf *out, struct cfz_error *err)
{
    const char *prefix = f->artifact_prefix != NULL ? f->artifact_prefix : "./";
    struct cfz_error why = CFZ_ERROR_INIT;
    char name[LF_NAME_MAX], *path;
    bool written;
    int ret = -1;

    lf_input_name(cfz_buf_str(original), original->len, name);
    if (f->exact_artifact_path != NULL)
        path = strdup(f->exact_artifact_path);
    else if (asprintf(&path, "%s%s-%s", prefix, kind, name) < 0)
        path = NULL;
    if (path == NULL)
        return cfz_fail_nomem(err);
    written = result_file_sync(path, bytes, &why) == 0;
    if (bytes->len <= SHOWN && strcmp(kind, LF_SLOW_UNIT) != 0 && show(bytes, out, err) < 0)
        goto out;
    if (written) {
        if (cfz_buf_printf(out, err, "artifact_prefix='%s'; Test unit written to %s\n", prefix,
                           path) < 0)
            goto out;
    } else if (cfz_buf_printf(out, err, "ERROR: %s: the input could not be written: %s\n", path,
                              why.sys != 0 ? strerror(why.sys) : why.text) < 0) {
        goto out;
    }
    if ((!written || bytes->len <= SHOWN) &&
        (cfz_buf_puts(out, "Base64: ", err) < 0 ||
         lf_base64((const uint8_t *)cfz_buf_str(bytes), bytes->len, out, err) < 0 ||
         cfz_buf_puts(out, "\n", err) < 0))
        goto out;
    ret = 0;
out:
    free(path);
    return ret;
}
