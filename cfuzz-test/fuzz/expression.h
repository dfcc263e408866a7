/*
 * expression.h - the text of a comparison, from the source file it stands in.
 */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <time.h>

#include "core/buf.h"

/*
 * expression_in appends what is compared at a column of a source line, or the whole line without
 * blanks at its ends if the column points at nothing that compares. Columns count from 1; 0 is not
 * known. What is long is cut. Appends nothing for an empty line. CFZ_ENOMEM. Context: ordinary.
 */
int expression_in(const char *line, size_t len, unsigned column, struct cfz_buf *out,
                  struct cfz_error *err);

/* expression_read is expression_in for a line of the file at path, relative to dir. Appends nothing
 * if the file cannot be read, has no such line, or was changed after since, unless that is 0. */
int expression_read(const char *dir, const char *path, unsigned line, unsigned column, time_t since,
                    struct cfz_buf *out, struct cfz_error *err);

#endif
