/*
 * shell.h - words of a command line, as a shell reads them: for people to paste, and for ninja to
 * run.
 */
#ifndef SHELL_H
#define SHELL_H

#include "core/buf.h"

/* shell_quote adds word to out so that a POSIX shell reads it back as one word. CFZ_ENOMEM. */
int shell_quote(struct cfz_buf *out, const char *word, struct cfz_error *err);

#endif
