/*
 * result_list.h - the results of a run, kept for the files that are written at its end. Context:
 * ordinary.
 */
#ifndef RESULT_LIST_H
#define RESULT_LIST_H

#include <time.h>

#include "core/buf.h"
#include "results/result.h"

struct result_package {
    char *name, *dir, *why; /* why may be NULL */
    char *build;            /* which of -sanitizers it is, "asan+ubsan"; or NULL */
    enum result_kind kind;
    double seconds;
    time_t began;
    struct result *v; /* texts are owned, and never NULL; crash and input may be */
    size_t n, cap;
};

struct result_list {
    struct result_package *v;
    size_t n, cap;
    size_t at; /* the package that results are added to */
};

#define RESULT_LIST_INIT                                                                           \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/* These fail with CFZ_ENOMEM. result_list_add adds to the package that was begun or gone back to
 * last, and copies r.
 */
int result_list_begin(struct result_list *l, const char *name, const char *dir, const char *build,
                      struct cfz_error *err);
/* result_list_again goes back to a package that was begun. */
void result_list_again(struct result_list *l, const char *name, const char *dir);
int result_list_add(struct result_list *l, const struct result *r, struct cfz_error *err);
int result_list_end(struct result_list *l, enum result_kind kind, double seconds, const char *why,
                    struct cfz_error *err);

void result_list_release(struct result_list *l); /* leaves INIT */

/* result_message is what to say of r in one line: the line of its text that begins with the place
 * of the crash, "parse.c:41: bad length"; or else kind and place; or the first line of its text; or
 * "". Its length is in *len. Borrowed from r. */
const char *result_message(const struct result *r, size_t *len);

#endif
