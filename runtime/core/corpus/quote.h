/*
 * quote.h - text in Go's quotes. The lexer reads them (lexer.h).
 *
 * All functions append to out. They fail with CFZ_ENOMEM only, and then out is as it was.
 * Context: ordinary.
 */
#ifndef CFZ_QUOTE_H
#define CFZ_QUOTE_H

#include "core/buf.h"

/* cfz_quote appends text[0..len) in double quotes. */
int cfz_quote(const void *text, size_t len, struct cfz_buf *out, struct cfz_error *err);

/* cfz_quote_some is cfz_quote for error texts: "..." stands for what is beyond max bytes. */
int cfz_quote_some(const void *text, size_t len, size_t max, struct cfz_buf *out,
                   struct cfz_error *err);

/* cfz_quote_char appends a valid code point in single quotes. */
int cfz_quote_char(uint32_t rune, struct cfz_buf *out, struct cfz_error *err);

#endif
