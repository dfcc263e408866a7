/*
 * clean.c - cfuzz-test clean.
 */
#define _GNU_SOURCE
#include "build/clean.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/places.h"
#include "base/shell.h"
#include "base/test_dirs.h"
#include "core/buf.h"
#include "cli/report.h"

/* Levels of directories, each of which holds a descriptor. Guessed: ours are flat. */
enum { DEPTH_MAX = 512 };

static int remove_tree(int dirfd, const char *name, const char *path, unsigned depth,
                       struct cfz_error *err);

/* Removes all that is in the open directory fd, which it closes. */
static int remove_content(int fd, const char *path, unsigned depth, struct cfz_error *err)
{
    DIR *dir = fdopendir(fd);
    struct cfz_buf below = CFZ_BUF_INIT;
    struct dirent *entry;
    int ret = -1;

    if (dir == NULL) {
        cfz_fail_errno(err, "%s", path);
        close(fd);
        return -1;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        below.len = 0;
        if (cfz_buf_printf(&below, err, "%s/%s", path, entry->d_name) < 0 ||
            remove_tree(dirfd(dir), entry->d_name, cfz_buf_str(&below), depth + 1, err) < 0)
            goto out;
    }
    ret = 0;
out:
    closedir(dir);
    cfz_buf_release(&below);
    return ret;
}

static int remove_tree(int dirfd, const char *name, const char *path, unsigned depth,
                       struct cfz_error *err)
{
    int fd;

    if (unlinkat(dirfd, name, 0) == 0 || errno == ENOENT)
        return 0; /* a file, or a symbolic link, or gone */
    if (errno != EISDIR && errno != EPERM)
        return cfz_fail_errno(err, "remove %s", path);
    if (depth > DEPTH_MAX)
        return cfz_fail(err, CFZ_EIO, "remove %s: nested too deeply", path);
    fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : cfz_fail_errno(err, "remove %s", path);
    if (remove_content(fd, path, depth, err) < 0)
        return -1;
    if (unlinkat(dirfd, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
        return cfz_fail_errno(err, "remove %s", path);
    return 0;
}

int clean_tree(int dirfd, const char *name, const char *path, struct cfz_error *err)
{
    return remove_tree(dirfd, name, path, 0, err);
}

static void print_removal(const char *path)
{
    struct cfz_buf line = CFZ_BUF_INIT;

    if (cfz_buf_puts(&line, "rm -rf ", NULL) == 0 && shell_quote_shown(&line, path, NULL) == 0)
        report_line("%s", cfz_buf_str(&line));
    cfz_buf_release(&line);
}

/* Removes the directory path, whose last component must not be a symbolic link. */
static int clean_path(const struct clean_options *opt, const char *path, struct cfz_error *err)
{
    if (opt->print)
        print_removal(path);
    return opt->dry_run ? 0 : clean_tree(AT_FDCWD, path, path, err);
}

/* Removes the tests' directories of one package. */
static int clean_package(const struct clean_options *opt, const struct package *pkg, int root,
                         struct cfz_error *err)
{
    struct cfz_buf below = CFZ_BUF_INIT;
    char *path = NULL;
    int fd = test_dirs_open(root, pkg->path), ret = -1;
    struct dirent *entry;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

    if (cache_fuzz_dir(pkg->path, NULL, &path, err) < 0)
        goto out;
    if (dir == NULL) {
        ret = errno == ENOENT ? 0 : cfz_fail_errno(err, "%s", path);
        goto out;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (!pattern_match_top(opt->run, entry->d_name) || !test_dirs_is_one(fd, entry->d_name))
            continue;
        below.len = 0;
        if (cfz_buf_printf(&below, err, "%s/%s", path, entry->d_name) < 0)
            goto out;
        if (opt->print)
            print_removal(cfz_buf_str(&below));
        if (!opt->dry_run && clean_tree(fd, entry->d_name, cfz_buf_str(&below), err) < 0)
            goto out;
    }
    ret = 0;
out:
    if (dir != NULL)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    free(path);
    cfz_buf_release(&below);
    return ret;
}

/* Removes how the tests of a package were fuzzed (history/history.h). */
static int clean_history(const struct clean_options *opt, const struct package *pkg,
                         struct cfz_error *err)
{
    static const char suffix[] = ".json";
    struct cfz_buf path = CFZ_BUF_INIT;
    struct dirent *entry;
    DIR *dir = NULL;
    char *root;
    int ret = -1;

    if (cache_history_dir(pkg->path, &root, err) < 0)
        return -1;
    dir = opendir(root);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        size_t len = strlen(entry->d_name);

        if (len < sizeof suffix || strcmp(entry->d_name + len - (sizeof suffix - 1), suffix) != 0)
            continue;
        entry->d_name[len - (sizeof suffix - 1)] = '\0';
        path.len = 0;
        if (!pattern_match_top(opt->run, entry->d_name))
            continue;
        if (cfz_buf_printf(&path, err, "%s/%s%s", root, entry->d_name, suffix) < 0)
            goto out;
        if (opt->print)
            print_removal(cfz_buf_str(&path));
        if (!opt->dry_run && unlink(cfz_buf_str(&path)) < 0 && errno != EISDIR && errno != ENOENT) {
            cfz_fail_errno(err, "remove %s", cfz_buf_str(&path));
            goto out;
        }
    }
    ret = 0;
out:
    if (dir != NULL)
        closedir(dir);
    cfz_buf_release(&path);
    free(root);
    return ret;
}

static int clean_packages(const struct clean_options *opt, const struct packages *pkgs,
                          const char *root, struct cfz_error *err)
{
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), ret = 0;

    if (fd < 0 && errno != ENOENT)
        return cfz_fail_errno(err, "%s", root);
    for (size_t i = 0; i < pkgs->n && ret == 0; i++) {
        struct places_taken taken = {NULL, false, 0};

        if (!opt->dry_run) /* what a moved package left at its old place goes, too */
            places_follow(pkgs->v[i].dir, pkgs->v[i].path, &taken);
        free(taken.from);
        ret = fd >= 0 ? clean_package(opt, &pkgs->v[i], fd, err) : 0;
        if (ret == 0)
            ret = clean_history(opt, &pkgs->v[i], err);
    }
    if (fd >= 0)
        close(fd);
    return ret;
}

int clean_run(const struct clean_options *opt, const struct packages *pkgs, struct cfz_error *err)
{
    char *path;
    int ret = 0;

    if (opt->fuzzcache) {
        if (cache_fuzz_dir(NULL, NULL, &path, err) < 0)
            return -1;
        ret = pkgs->n > 0 ? clean_packages(opt, pkgs, path, err) : clean_path(opt, path, err);
        free(path);
        if (ret == 0 && pkgs->n == 0) {
            if (cache_history_dir(NULL, &path, err) < 0)
                return -1;
            if (access(path, F_OK) == 0)
                ret = clean_path(opt, path, err);
            free(path);
        }
    }
    if (opt->cache && ret == 0) {
        if (cache_build_dir(NULL, &path, err) < 0)
            return -1;
        ret = clean_path(opt, path, err);
        free(path);
    }
    return ret;
}
