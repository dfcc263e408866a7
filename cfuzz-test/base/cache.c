/*
 * cache.c - see cache.h.
 */
#define _GNU_SOURCE
#include "base/cache.h"

#include <grp.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io.h"

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

int cache_history_dir(const char *package_path, char **out, struct cfz_error *err)
{
    char *root;
    int ret;

    if (cache_root(&root, err) < 0)
        return -1;
    ret = package_path == NULL ? make(out, err, "%s/history", root)
                               : make(out, err, "%s/history/%s", root, package_path);
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

/* Whether the group is the user's alone. Many systems make such a group for each user: it has the
 * user's name, is the one of the account, and has no other members. */
static bool is_own_group(gid_t gid)
{
    const struct passwd *user = getpwuid(geteuid());
    const struct group *group;
    char *name;
    bool own;

    if (user == NULL || user->pw_gid != gid)
        return false;
    name = strdup(user->pw_name);
    group = getgrgid(gid);
    own = name != NULL && group != NULL && strcmp(group->gr_name, name) == 0;
    for (char **member = own ? group->gr_mem : NULL; own && *member != NULL; member++)
        own = strcmp(*member, name) == 0;
    free(name);
    return own;
}

static int check_directory(const char *path, const struct stat *st, bool is_root,
                           struct cfz_error *err)
{
    /* The root holds only directories, each of which is checked. If the root has the sticky bit,
     * nobody else can replace ours. */
    bool shared =
        (st->st_mode & S_IWOTH) != 0 || ((st->st_mode & S_IWGRP) != 0 && !is_own_group(st->st_gid));

    if (st->st_uid != geteuid() && st->st_uid != 0)
        return cfz_fail(err, CFZ_EUSAGE,
                        "%s: a directory of the cache that belongs to another user (uid %u) is not "
                        "used: what lies there is run; set CFUZZCACHE to a directory of your own",
                        path, (unsigned)st->st_uid);
    if (shared && !(is_root && (st->st_mode & S_ISVTX) != 0))
        return cfz_fail(
            err, CFZ_EUSAGE,
            "%s: a directory of the cache that others may write (mode %04o) is not used: "
            "what lies there is run; remove it, or, if nobody did, chmod go-w",
            path, (unsigned)st->st_mode & 07777);
    return 0;
}

int cache_check(const char *path, struct cfz_error *err)
{
    char *root, *part = NULL;
    struct stat st;
    int ret = -1;

    if (cache_root(&root, err) < 0)
        return -1;
    part = strdup(path);
    if (part == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    /* What cannot be looked at, or is not a directory, cannot be used either: whoever tries says
     * why. */
    for (size_t at = strlen(root); at <= strlen(path); at++) {
        bool is_root = at == strlen(root);

        if (path[at] != '/' && path[at] != '\0')
            continue;
        part[at] = '\0';
        if ((is_root ? stat : lstat)(part, &st) < 0)
            break;
        if (S_ISLNK(st.st_mode)) {
            cfz_fail(err, CFZ_EUSAGE, "%s: a symbolic link in the cache is not followed", part);
            goto out;
        }
        if (S_ISDIR(st.st_mode) && check_directory(part, &st, is_root, err) < 0)
            goto out;
        part[at] = path[at];
    }
    ret = 0;
out:
    free(part);
    free(root);
    return ret;
}

int cache_make_dir(const char *path, struct cfz_error *err)
{
    mode_t mask = umask(0);
    int ret;

    umask(mask | S_IWGRP | S_IWOTH);
    ret = cache_check(path, err); /* before anything is written */
    if (ret == 0)
        ret = cfz_io_mkdirs(path, err);
    umask(mask);
    return ret == 0 ? cache_check(path, err) : -1;
}
