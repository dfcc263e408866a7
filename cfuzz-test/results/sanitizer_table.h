/*
 * sanitizer_table.h - what each build of -sanitizers made of each input, side by side.
 *
 *     input                     none  asan+ubsan  msan  tsan
 *     FuzzURL/seed#1            pass  FAIL        pass  -
 *     FuzzURL: 12 others        pass  pass        pass  -
 *     asan+ubsan: AddressSanitizer: heap-buffer-overflow at url.c:7: FuzzURL/seed#1
 *         cfuzz-test -sanitizers=asan+ubsan -run=FuzzURL/seed#1
 *     tsan: left out: ...
 *
 * A row is an input that failed in some build; those of a test that did in none are counted.
 * Context: ordinary.
 */
#ifndef SANITIZER_TABLE_H
#define SANITIZER_TABLE_H

#include <stdbool.h>

#include "core/buf.h"
#include "results/result.h"

enum sanitizer_cell {
    CELL_NONE, /* "-": it did not run there */
    CELL_PASSED,
    CELL_SKIPPED,
    CELL_KNOWN, /* it failed, and the crash baseline lists that crash */
    CELL_FAILED,
    CELL_BROKEN, /* of a package: it was not built, or could not be run to its end */
};

enum { SANITIZER_COLUMNS_MAX = 16 };

struct sanitizer_row {
    char *package, *test; /* test "" stands for the package itself */
    unsigned char cell[SANITIZER_COLUMNS_MAX];
};

/* A crash that a build showed, and the first input that showed it. */
struct sanitizer_crash {
    size_t column;
    size_t inputs;                          /* that showed it */
    char *package, *test, *where, *command; /* command may be "" */
};

struct sanitizer_table {
    char *columns[SANITIZER_COLUMNS_MAX];  /* their names */
    char *left_out[SANITIZER_COLUMNS_MAX]; /* why nothing runs there, or NULL */
    size_t ncolumns;
    struct sanitizer_row *rows;
    size_t nrows, cap;
    size_t *index; /* of rows, by their names, each plus 1; 2 * cap, open addressing */
    struct sanitizer_crash *crashes;
    size_t ncrashes, crashes_cap;
};

/* These fail with CFZ_ENOMEM. All texts are copied. */

/* sanitizer_table_column begins a build, which results belong to from here on. left_out says why
 * nothing runs in it, or is NULL. There is room for every legal set (cli/sanitizers.h). */
int sanitizer_table_column(struct sanitizer_table *t, const char *name, const char *left_out,
                           struct cfz_error *err);
/* sanitizer_table_add adds what became of a test or an input. */
int sanitizer_table_add(struct sanitizer_table *t, const char *package, const struct result *r,
                        struct cfz_error *err);
/* sanitizer_table_write appends the lines above. packages: they are told, there may be several. */
int sanitizer_table_write(const struct sanitizer_table *t, bool packages, struct cfz_buf *out,
                          struct cfz_error *err);
/* sanitizer_cell_word is the word for a cell in the lines above. */
const char *sanitizer_cell_word(enum sanitizer_cell cell);
/* sanitizer_row_is_shown reports whether a row is shown alone: its input failed in some build. */
bool sanitizer_row_is_shown(const struct sanitizer_table *t, const struct sanitizer_row *r);
void sanitizer_table_release(struct sanitizer_table *t); /* leaves all zero */

#endif
