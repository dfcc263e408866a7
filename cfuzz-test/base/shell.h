/*
 * shell.h - words of a command line, as a shell reads them: for people to paste, and for ninja to
 * run.
 */
#ifndef SHELL_H
#define SHELL_H

#include "core/buf.h"

/* shell_quote adds word to out so that a POSIX shell reads it back as one word. CFZ_ENOMEM. */
int shell_quote(struct cfz_buf *out, const char *word, struct cfz_error *err);

/*
 * shell_quote_shown is shell_quote for people: where word holds what is not to be printed as it is
 * (core/escape.h), it is written as $'...' with \033 for such a byte. bash, zsh, ksh and busybox read
 * that, and POSIX has it since 2024; dash does not.
 */
int shell_quote_shown(struct cfz_buf *out, const char *word, struct cfz_error *err);

#endif
