/*
 * fuzz.h - what the fuzz tests of cfuzz share.
 */
#ifndef FUZZ_H
#define FUZZ_H

#define _GNU_SOURCE

#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/escape.h"

/* CHECK fails the test where cond is not true. */
#define CHECK(t, cond) ((cond) ? (void)0 : cfuzz_fatal(t, "not true: %s", #cond))

/* error_clear makes err what it is before anything failed. An INIT would write 4 KiB each time. */
static inline void error_clear(struct cfz_error *err)
{
    err->code = CFZ_OK;
    err->sys = 0;
    err->text[0] = '\0';
}

/* check_error checks what every error promises: a code, and a text that is safe to print. */
static inline void check_error(cfuzz_t *t, const struct cfz_error *err)
{
    size_t len = strnlen(err->text, sizeof err->text), n, used;
    char shown[CFZ_ESCAPED_MAX];

    CHECK(t, err->code != CFZ_OK && err->code != CFZ_EINTERNAL);
    CHECK(t, len > 0 && len < sizeof err->text);
    for (size_t at = 0; at < len; at += used) {
        used = cfz_escape_next(err->text + at, len - at, CFZ_ESCAPE_LINE, shown, &n);
        /* A text that is cut may end inside a character. */
        CHECK(t, n == used || at + 4 >= CFZ_ERROR_TEXT_MAX - 1);
    }
}

#endif
