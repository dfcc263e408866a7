/*
 * result_place.h - where in the sources a crash is, as those want it who show it beside them.
 * Context: ordinary.
 */
#ifndef RESULT_PLACE_H
#define RESULT_PLACE_H

#include "core/error.h"

struct result_place {
    char *file; /* relative to root if it lies there, or else absolute; NULL: not known */
    unsigned line;
};

/*
 * result_place_find takes line, "parse.c:41" of the package in dir or an absolute path, apart. root
 * is an absolute path, links resolved. *p is the caller's, for result_place_release. CFZ_ENOMEM.
 */
int result_place_find(const char *dir, const char *line, const char *root, struct result_place *p,
                      struct cfz_error *err);
void result_place_release(struct result_place *p);

/* result_root returns what places are relative to: the checked out repository under GitHub Actions
 * (GITHUB_WORKSPACE), else the current directory. The caller frees it. NULL without memory. */
char *result_root(void);

#endif
