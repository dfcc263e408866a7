/*
 * buf.h - growable bytes. Context: ordinary.
 */
#ifndef CFZ_BUF_H
#define CFZ_BUF_H

#include <stdint.h>

#include "core/error.h"
#include "core/escape.h"

/* data is malloc'ed, or NULL before anything was added. A NUL follows the bytes; len does not count it. */
struct cfz_buf {
    uint8_t *data;
    size_t len, cap;
};

#define CFZ_BUF_INIT {NULL, 0, 0}

void cfz_buf_release(struct cfz_buf *b); /* frees, leaves INIT; does nothing to INIT */
/* Each of these fails with CFZ_ENOMEM only, leaving b as it was. err may be NULL. */
int cfz_buf_reserve(struct cfz_buf *b, size_t more, struct cfz_error *err);
int cfz_buf_append(struct cfz_buf *b, const void *data, size_t len, struct cfz_error *err);
int cfz_buf_puts(struct cfz_buf *b, const char *s, struct cfz_error *err);
int cfz_buf_printf(struct cfz_buf *b, struct cfz_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends text as it is to be shown (escape.h), or, without memory, a part of it. Escaping twice is
 * escaping once. */
int cfz_buf_escape(struct cfz_buf *b, const char *text, size_t len, enum cfz_escape_what what,
                   struct cfz_error *err);
void cfz_buf_truncate(struct cfz_buf *b, size_t len); /* makes it shorter; len is at most b->len */
const char *cfz_buf_str(const struct cfz_buf *b); /* never NULL; borrowed until b changes */

#endif
