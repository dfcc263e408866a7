/*
 * result_place.c - see result_place.h.
 */
#define _GNU_SOURCE
#include "results/result_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *result_root(void)
{
    const char *workspace = getenv("GITHUB_WORKSPACE");
    char *root = workspace != NULL && workspace[0] == '/' ? realpath(workspace, NULL) : NULL;

    return root != NULL ? root : realpath(".", NULL);
}

int result_place_find(const char *dir, const char *line, const char *root, struct result_place *p,
                      struct cfz_error *err)
{
    const char *colon = strrchr(line, ':');
    char *whole, *real;
    size_t len;

    *p = (struct result_place){NULL, 0};
    if (colon == NULL || colon == line)
        return 0;
    if (asprintf(&whole, "%s%s%.*s", line[0] == '/' ? "" : dir, line[0] == '/' ? "" : "/",
                 (int)(colon - line), line) < 0)
        return cfz_fail_nomem(err);
    real = realpath(whole, NULL); /* NULL: the sources are not here */
    if (real != NULL) {
        free(whole);
        whole = real;
    }
    len = strlen(root);
    if (len > 1 && strncmp(whole, root, len) == 0 && whole[len] == '/')
        memmove(whole, whole + len + 1, strlen(whole + len + 1) + 1);
    p->file = whole;
    p->line = (unsigned)strtoul(colon + 1, NULL, 10);
    return 0;
}

void result_place_release(struct result_place *p)
{
    free(p->file);
    *p = (struct result_place){NULL, 0};
}
