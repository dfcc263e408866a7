/*
 * cache.c - see cache.h.
 */
#define _GNU_SOURCE
#include "base/cache.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *env(const char *name)
{
    const char *v = getenv(name);

    return v != NULL && v[0] != '\0' ? v : NULL;
}

/* Formats into a string of the caller's. */
static int make(char **out, struct cfz_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int make(char **out, struct cfz_error *err, const char *fmt, ...)
{
    char *s = NULL;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&s, fmt, ap);
    va_end(ap);
    if (n < 0)
        return cfz_fail_nomem(err);
    *out = s;
    return 0;
}

int cache_root(char **out, struct cfz_error *err)
{
    const char *dir = env("CFUZZCACHE");

    if (dir != NULL) {
        if (dir[0] != '/')
            return cfz_fail(err, CFZ_EUSAGE, "CFUZZCACHE is not an absolute path: %s", dir);
        return make(out, err, "%s", dir);
    }
    /* The base directory specification says that a relative one is to be ignored. */
    dir = env("XDG_CACHE_HOME");
    if (dir != NULL && dir[0] == '/')
        return make(out, err, "%s/cfuzz", dir);
    dir = env("HOME");
    if (dir == NULL || dir[0] != '/')
        return cfz_fail(
            err, CFZ_EUSAGE,
            "no place for the cache: neither CFUZZCACHE, XDG_CACHE_HOME nor HOME is set");
    return make(out, err, "%s/.cache/cfuzz", dir);
}

int cache_fuzz_dir(const char *package_path, const char *test, char **out, struct cfz_error *err)
{
    char *root;
    int ret;

    if (cache_root(&root, err) < 0)
        return -1;
    if (package_path == NULL)
        ret = make(out, err, "%s/fuzz", root);
    else if (test == NULL)
        ret = make(out, err, "%s/fuzz/%s", root, package_path);
    else
        ret = make(out, err, "%s/fuzz/%s/%s", root, package_path, test);
    free(root);
    return ret;
}

int cache_build_dir(const char *key, char **out, struct cfz_error *err)
{
    char *root;
    int ret;

    if (cache_root(&root, err) < 0)
        return -1;
    ret = key == NULL ? make(out, err, "%s/build", root) : make(out, err, "%s/build/%s", root, key);
    free(root);
    return ret;
}
