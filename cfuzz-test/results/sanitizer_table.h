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
#include <stdint.h>

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
    char *text;                             /* what was said of that input, or "" */
};

/* A package that was not built in a build, or could not be run to its end. */
struct sanitizer_broken {
    size_t column;
    char *package, *why;
};

struct sanitizer_table {
    char *columns[SANITIZER_COLUMNS_MAX];  /* their names */
    char *left_out[SANITIZER_COLUMNS_MAX]; /* why nothing runs there, or NULL */
    int64_t at[SANITIZER_COLUMNS_MAX];     /* when they ran, seconds since 1970 */
    size_t ncolumns;
    struct sanitizer_row *rows;
    size_t nrows, cap;
    size_t *index; /* of rows, by their names, each plus 1; 2 * cap, open addressing */
    struct sanitizer_crash *crashes;
    size_t ncrashes, crashes_cap;
    struct sanitizer_broken *broken;
    size_t nbroken;
};

/* These fail with CFZ_ENOMEM. All texts are copied. */

/* sanitizer_table_column begins a build, which results belong to from here on. left_out says why
 * nothing runs in it, or is NULL. There is room for every legal set (cli/sanitizers.h). */
int sanitizer_table_column(struct sanitizer_table *t, const char *name, const char *left_out,
                           struct cfz_error *err);
/* sanitizer_table_add adds what became of a test or an input. */
int sanitizer_table_add(struct sanitizer_table *t, const char *package, const struct result *r,
                        struct cfz_error *err);
/* These add to the build that was begun last what was kept of it: what became of a row, a crash
 * that it showed (c->column is left out), that a package could not be run. */
int sanitizer_table_cell(struct sanitizer_table *t, const char *package, const char *test,
                         enum sanitizer_cell cell, struct cfz_error *err);
int sanitizer_table_crash(struct sanitizer_table *t, const struct sanitizer_crash *c,
                          struct cfz_error *err);
int sanitizer_table_broken(struct sanitizer_table *t, const char *package, const char *why,
                           struct cfz_error *err);
/* sanitizer_table_write appends the lines above. packages: they are told, there may be several. */
int sanitizer_table_write(const struct sanitizer_table *t, bool packages, struct cfz_buf *out,
                          struct cfz_error *err);
/* sanitizer_cell_word is the word for a cell in the lines above; sanitizer_cell_of is the cell that
 * it is for, CELL_NONE for one of no meaning. */
const char *sanitizer_cell_word(enum sanitizer_cell cell);
enum sanitizer_cell sanitizer_cell_of(const char *word);
/* sanitizer_row_is_shown reports whether a row is shown alone: its input failed in some build. */
bool sanitizer_row_is_shown(const struct sanitizer_table *t, const struct sanitizer_row *r);
/* sanitizer_table_has reports whether there is a row of that package. */
bool sanitizer_table_has(const struct sanitizer_table *t, const char *package);
void sanitizer_table_release(struct sanitizer_table *t); /* leaves all zero */

#endif
