/*
 * lcov.h - lines, functions and branches of sources and how often they ran, read and written in
 * lcov's format (geninfo(1) describes it). Context: ordinary.
 */
#ifndef LCOV_H
#define LCOV_H

#include <stdbool.h>

#include "core/buf.h"

struct lcov_line {
    unsigned line;
    uint64_t count;
};

struct lcov_function {
    char *name; /* as it is in the source, or a C++ linker name */
    unsigned line;
    uint64_t count;
};

/* One outcome of a condition. */
struct lcov_branch {
    unsigned line, block, branch;
    bool evaluated; /* the condition was */
    uint64_t taken;
};

/* Strings and arrays belong to the struct. Each array is ordered by lines. */
struct lcov_file {
    char *path;
    struct lcov_line *lines;
    size_t nlines, lines_cap;
    struct lcov_function *functions;
    size_t nfunctions, functions_cap;
    struct lcov_branch *branches;
    size_t nbranches, branches_cap;
};

struct lcov {
    struct lcov_file *v; /* in the order of their paths */
    size_t n, cap;
};

#define LCOV_INIT                                                                                  \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

/* What a file is called, given its path in the text: a path that the caller frees, or NULL to leave
 * the file out. Sets *failed for want of memory. */
typedef char *lcov_name_fn(void *ctx, const char *path, bool *failed);

/*
 * lcov_read adds what text says to out; what stands in both is added up, so that a source that is
 * in two programs is there once. name may be NULL: every file counts, by the path that it has.
 * CFZ_EFORMAT "line 3: <why>", CFZ_ENOMEM; out may hold a part then.
 */
int lcov_read(struct lcov *out, const char *text, lcov_name_fn *name, void *ctx,
              struct cfz_error *err);

/* lcov_add adds all of from to out. CFZ_ENOMEM. */
int lcov_add(struct lcov *out, const struct lcov *from, struct cfz_error *err);

/* lcov_write appends l as lcov and genhtml read it. CFZ_ENOMEM. */
int lcov_write(struct cfz_buf *out, const struct lcov *l, struct cfz_error *err);

/* lcov_find gives the file of that path, or NULL. Borrowed until l changes. */
const struct lcov_file *lcov_find(const struct lcov *l, const char *path);

/* lcov_line_of gives the line of f, or NULL if there is no code on it. */
const struct lcov_line *lcov_line_of(const struct lcov_file *f, unsigned line);

/* How many lines with code there are, and how many of them ran; and of functions. */
struct lcov_counts {
    uint64_t lines, lines_run, functions, functions_run;
};
struct lcov_counts lcov_count_file(const struct lcov_file *f);
struct lcov_counts lcov_count(const struct lcov *l);

#define LCOV_PERCENT_MAX 16
/* lcov_percent writes "83.1%" of all. It is 100.0% only if nothing is missing, and 0.0% only if all
 * is. Returns text; all is above 0. */
const char *lcov_percent(uint64_t part, uint64_t all, char text[LCOV_PERCENT_MAX]);

void lcov_release(struct lcov *l); /* leaves INIT */

#endif
