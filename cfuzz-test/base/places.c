/*
 * places.c - see places.h.
 */
#define _GNU_SOURCE
#include "base/places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/test_dirs.h"
#include "core/io.h"

/* Longest file of git's that is read, and longest note. */
enum { TEXT_MAX = 1 << 20 };

/* The content of the file at path, without the blanks at its end; false if there is none. */
static bool read_text(const char *path, struct cfz_buf *out)
{
    out->len = 0;
    if (cfz_io_read_file(AT_FDCWD, path, TEXT_MAX, out, NULL) < 0)
        return false;
    while (out->len > 0 && strchr(" \t\r\n", out->data[out->len - 1]) != NULL)
        cfz_buf_truncate(out, out->len - 1);
    return out->len > 0 && strlen(cfz_buf_str(out)) == out->len;
}

/* Replaces path by what name means in it: an absolute name, or one relative to it. */
static bool follow_name(struct cfz_buf *path, const char *name)
{
    struct cfz_buf joined = CFZ_BUF_INIT;
    bool ok = cfz_buf_printf(&joined, NULL, "%s%s%s", name[0] == '/' ? "" : cfz_buf_str(path),
                             name[0] == '/' ? "" : "/", name) == 0;
    char *real = ok ? realpath(cfz_buf_str(&joined), NULL) : NULL;

    path->len = 0;
    ok = real != NULL && cfz_buf_puts(path, real, NULL) == 0;
    free(real);
    cfz_buf_release(&joined);
    return ok;
}

/* ---- git ------------------------------------------------------------------------ */

/* Replaces path, a directory, by that of its repository's shared part, which has the configuration.
 * In worktrees and submodules .git is a file. */
static bool find_repository(struct cfz_buf *path)
{
    struct cfz_buf name = CFZ_BUF_INIT, file = CFZ_BUF_INIT;
    struct stat st;
    bool ok = false;

    if (cfz_buf_printf(&file, NULL, "%s/.git", cfz_buf_str(path)) < 0 ||
        stat(cfz_buf_str(&file), &st) < 0)
        goto out;
    if (S_ISDIR(st.st_mode)) {
        ok = follow_name(path, ".git");
        goto out;
    }
    if (!read_text(cfz_buf_str(&file), &name) || strncmp(cfz_buf_str(&name), "gitdir: ", 8) != 0 ||
        !follow_name(path, cfz_buf_str(&name) + 8))
        goto out;
    file.len = 0;
    if (cfz_buf_printf(&file, NULL, "%s/commondir", cfz_buf_str(path)) < 0)
        goto out;
    ok = !read_text(cfz_buf_str(&file), &name) || follow_name(path, cfz_buf_str(&name));
out:
    cfz_buf_release(&name);
    cfz_buf_release(&file);
    return ok;
}

/* The value of url in the section [remote "origin"] of a configuration, which is changed; or NULL.
 */
static char *origin_url(char *config)
{
    bool origin = false;

    for (char *rest = config, *line; (line = strsep(&rest, "\n")) != NULL;) {
        line += strspn(line, " \t");
        if (line[0] == '[') {
            origin = strncmp(line, "[remote \"origin\"]", 17) == 0;
        } else if (origin && strncmp(line, "url", 3) == 0) {
            line += 3 + strspn(line + 3, " \t");
            if (*line == '=') {
                line += 1 + strspn(line + 1, " \t");
                line[strcspn(line, "\r")] = '\0';
                return line;
            }
        }
    }
    return NULL;
}

/* Adds an origin in one form for all ways to reach it: host/path. */
static bool add_origin(struct cfz_buf *out, char *url)
{
    char *scheme = strstr(url, "://"), *at, *colon;
    size_t len;

    if (scheme != NULL)
        url = scheme + 3;
    at = strchr(url, '@');
    if (at != NULL && at < url + strcspn(url, "/"))
        url = at + 1;
    colon = strchr(url, ':');
    if (scheme == NULL && colon != NULL && colon < url + strcspn(url, "/"))
        *colon = '/';
    len = strlen(url);
    while (len > 0 && url[len - 1] == '/')
        len--;
    if (len > 4 && memcmp(url + len - 4, ".git", 4) == 0)
        len -= 4;
    return len > 0 && cfz_buf_append(out, url, len, NULL) == 0;
}

bool places_project(const char *dir, struct cfz_buf *out)
{
    struct cfz_buf path = CFZ_BUF_INIT, config = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    size_t top = strlen(dir);
    char *url;
    bool ok = false;

    for (;; top--) { /* the first directory from dir on upwards that has a .git */
        path.len = 0;
        if ((dir[top] == '\0' || dir[top] == '/') &&
            cfz_buf_printf(&path, NULL, "%.*s/.git", (int)top, dir) == 0 &&
            access(cfz_buf_str(&path), F_OK) == 0)
            break;
        if (top == 0)
            goto out;
    }
    path.len = 0;
    if (cfz_buf_printf(&path, NULL, "%.*s", (int)top, top > 0 ? dir : "/") < 0 ||
        !find_repository(&path) ||
        cfz_buf_printf(&config, NULL, "%s/config", cfz_buf_str(&path)) < 0)
        goto out;
    url = read_text(cfz_buf_str(&config), &text) ? origin_url((char *)text.data) : NULL;
    if (url == NULL || !add_origin(out, url))
        if (cfz_buf_puts(out, cfz_buf_str(&path), NULL) < 0)
            goto out;
    ok = cfz_buf_append(out, "", 1, NULL) == 0 && cfz_buf_puts(out, dir + top, NULL) == 0;
out:
    cfz_buf_release(&path);
    cfz_buf_release(&config);
    cfz_buf_release(&text);
    return ok;
}

/* ---- notes ---------------------------------------------------------------------- */

/* The directory's own note; empty where the file system does not say when a directory was made. */
static bool directory_key(const char *dir, struct cfz_buf *out)
{
    struct statx st;

    out->len = 0;
    if (statx(AT_FDCWD, dir, 0, STATX_INO | STATX_BTIME, &st) < 0 ||
        (st.stx_mask & (STATX_INO | STATX_BTIME)) != (STATX_INO | STATX_BTIME))
        return false;
    return cfz_buf_printf(out, NULL, "d-%llx-%llx.%09x", (unsigned long long)st.stx_ino,
                          (unsigned long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec) == 0;
}

static bool project_key(const char *dir, struct cfz_buf *out)
{
    struct cfz_buf project = CFZ_BUF_INIT;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    bool ok = places_project(dir, &project);

    out->len = 0;
    if (ok) {
        SHA256Data(project.data, project.len, digest);
        ok = cfz_buf_printf(out, NULL, "g-%.32s", digest) == 0;
    }
    cfz_buf_release(&project);
    return ok;
}

/* The package's path in the note key, or NULL. A path is without "..", so that it stays in the
 * cache. */
static char *read_note(const char *notes, const char *key)
{
    struct cfz_buf path = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    char *found = NULL;

    if (cfz_buf_printf(&path, NULL, "%s/%s", notes, key) == 0 &&
        cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), TEXT_MAX, &text, NULL) == 0 &&
        text.len > 1 && text.data[text.len - 1] == '\n' &&
        memchr(text.data, '\0', text.len) == NULL && strstr(cfz_buf_str(&text), "..") == NULL)
        found = strndup((char *)text.data, text.len - 1);
    cfz_buf_release(&path);
    cfz_buf_release(&text);
    return found;
}

static void write_note(const char *notes, const char *key, const char *package_path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int fd = -1;

    if (cfz_buf_printf(&text, NULL, "%s\n", package_path) == 0)
        fd = open(notes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        cfz_io_write_file(fd, key, text.data, text.len, CFZ_IO_REPLACE, NULL);
        close(fd);
    }
    cfz_buf_release(&text);
}

/* ---- inputs --------------------------------------------------------------------- */

/* Whether the package's directory in the cache has a test with inputs. */
static bool has_inputs(int package)
{
    int fd = package >= 0 ? openat(package, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    bool any = false;

    while (dir != NULL && !any && (entry = readdir(dir)) != NULL)
        any = test_dirs_is_one(package, entry->d_name);
    if (dir != NULL)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return any;
}

/* Has the files of the directory from be in to as well, one of them with two names: they are never
 * changed. With moved they are there no longer. */
static size_t take_files(int from, int to, bool moved)
{
    DIR *dir = fdopendir(from);
    struct dirent *entry;
    size_t n = 0;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        bool goals = strcmp(entry->d_name, CACHE_GOALS) == 0;

        if (entry->d_name[0] == '.' && !goals)
            continue;
        if (linkat(from, entry->d_name, to, entry->d_name, 0) < 0 && errno != EEXIST)
            continue;
        n += !goals;
        if (moved)
            unlinkat(from, entry->d_name, 0);
    }
    if (dir != NULL)
        closedir(dir);
    else
        close(from);
    return n;
}

static size_t take_inputs(int from, int to, bool moved)
{
    int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    size_t n = 0;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *test = entry->d_name;
        int source, target;

        if (!test_dirs_is_one(from, test))
            continue;
        mkdirat(to, test, 0755);
        source = openat(from, test, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        target = openat(to, test, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (source >= 0 && target >= 0)
            n += take_files(source, target, moved);
        else if (source >= 0)
            close(source);
        if (target >= 0)
            close(target);
        if (moved)
            unlinkat(from, test, AT_REMOVEDIR);
    }
    if (dir != NULL)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return n;
}

/* Opens a package's directory in the cache, which is trusted (cache_check); -1 if it is not there.
 */
static int open_package(const char *package_path, bool make)
{
    char *path = NULL;
    int fd = -1;

    if (cache_fuzz_dir(package_path, NULL, &path, NULL) == 0 &&
        (make ? cache_make_dir(path, NULL) : cache_check(path, NULL)) == 0)
        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    free(path);
    return fd;
}

/* Whether nothing is at a package's path any more. What was put there since may use the inputs. */
static bool is_gone(const char *package_path)
{
    struct cfz_buf dir = CFZ_BUF_INIT;
    bool gone = cfz_buf_printf(&dir, NULL, "/%s", package_path) == 0 &&
                access(cfz_buf_str(&dir), F_OK) < 0 && errno == ENOENT;

    cfz_buf_release(&dir);
    return gone;
}

static void take_over(const char *from, const char *to, struct places_taken *out)
{
    int source = open_package(from, false), target = -1;

    out->moved = is_gone(from);
    if (source >= 0 && has_inputs(source))
        target = open_package(to, true);
    if (target >= 0 && (out->n = take_inputs(source, target, out->moved)) > 0 &&
        asprintf(&out->from, "/%s", from) < 0)
        out->from = NULL;
    if (source >= 0)
        close(source);
    if (target >= 0)
        close(target);
}

void places_follow(const char *dir, const char *package_path, struct places_taken *out)
{
    struct cfz_buf directory = CFZ_BUF_INIT, project = CFZ_BUF_INIT, notes = CFZ_BUF_INIT;
    bool has_directory = directory_key(dir, &directory), has_project = project_key(dir, &project);
    char *root = NULL, *was = NULL, *other = NULL;
    int here = -1;

    *out = (struct places_taken){NULL, false, 0};
    if (cache_root(&root, NULL) < 0 || cfz_buf_printf(&notes, NULL, "%s/places", root) < 0 ||
        cache_make_dir(cfz_buf_str(&notes), NULL) < 0)
        goto out;
    if (has_directory)
        was = read_note(cfz_buf_str(&notes), cfz_buf_str(&directory));
    if (has_project)
        other = read_note(cfz_buf_str(&notes), cfz_buf_str(&project));
    here = open_package(package_path, false);
    if (was != NULL && strcmp(was, package_path) != 0)
        take_over(was, package_path, out);
    else if (was == NULL && other != NULL && strcmp(other, package_path) != 0 && !has_inputs(here))
        take_over(other, package_path, out);
    if (has_directory && (was == NULL || strcmp(was, package_path) != 0))
        write_note(cfz_buf_str(&notes), cfz_buf_str(&directory), package_path);
    if (has_project && (other == NULL || strcmp(other, package_path) != 0))
        write_note(cfz_buf_str(&notes), cfz_buf_str(&project), package_path);
out:
    if (here >= 0)
        close(here);
    free(root);
    free(was);
    free(other);
    cfz_buf_release(&directory);
    cfz_buf_release(&project);
    cfz_buf_release(&notes);
}
