/*
 * report_dir.c - the directory of a report: made beside the one that it replaces, then renamed.
 */
#define _GNU_SOURCE
#include "report/site.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io.h"
#include "report/assets.h"

#define MARK ".cfuzz-report"

static int fail(const char *dir, struct cfz_error *err)
{
    cfz_fail_errno(err, "report: %s", dir);
    if (err != NULL)
        err->code = CFZ_EUSAGE;
    return -1;
}

/* Whether dir, which was given as shown, may be replaced: it is empty, or a report. */
static int check(const char *dir, const char *shown, struct cfz_error *err)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    bool marked = false, any = false;

    if (d == NULL)
        return errno == ENOENT ? 0 : fail(shown, err);
    while ((e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        any = true;
        marked |= strcmp(e->d_name, MARK) == 0;
    }
    closedir(d);
    return !any || marked
               ? 0
               : cfz_fail(err, CFZ_EUSAGE,
                          "report: %s: it holds other files, and no report of cfuzz", shown);
}

/* dir with links followed, and without slashes at its end, also if it is not there yet. The caller
 * frees it. */
static char *plain(const char *dir)
{
    char *real = realpath(dir, NULL);
    size_t len = strlen(dir);

    if (real != NULL)
        return real;
    while (len > 1 && dir[len - 1] == '/')
        len--;
    return strndup(dir, len);
}

/* Makes a directory beside name, or with the temporary files where that may not be and name is
 * there to be written to. The caller frees its path. */
static char *make_beside(const char *name, const char *shown, struct cfz_error *err)
{
    const char *tmp = getenv("TMPDIR");
    char *path = NULL;
    int why;

    if (asprintf(&path, "%s.XXXXXX", name) < 0) {
        cfz_fail_nomem(err);
        return NULL;
    }
    if (mkdtemp(path) != NULL)
        return path;
    why = errno;
    free(path);
    path = NULL;
    if (access(name, W_OK) == 0 &&
        asprintf(&path, "%s/cfuzz-report-XXXXXX", tmp != NULL && tmp[0] == '/' ? tmp : "/tmp") < 0)
        path = NULL;
    if (path == NULL || mkdtemp(path) == NULL) {
        errno = path == NULL ? why : errno;
        fail(shown, err);
        free(path);
        return NULL;
    }
    return path;
}

int report_dir_begin(const char *dir, char **made, struct cfz_error *err)
{
    char *name = plain(dir);
    mode_t mask;

    *made = NULL;
    if (name == NULL)
        return cfz_fail_nomem(err);
    if (check(name, dir, err) == 0)
        *made = make_beside(name, dir, err);
    free(name);
    if (*made == NULL)
        return -1;
    umask(mask = umask(0));
    chmod(*made, 0777 & ~mask);
    return 0;
}

void report_dir_drop(const char *made)
{
    int fd = made != NULL ? open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(fd, e->d_name, 0);
    if (d != NULL)
        closedir(d);
    if (made != NULL)
        rmdir(made);
}

static int write_page(int fd, const char *name, struct cfz_buf *text, struct cfz_error *err)
{
    int ret = cfz_io_write_file(fd, name, text->data, text->len, 0, err);

    text->len = 0;
    return ret;
}

/* Writes the pages of a package. */
static int write_package(int fd, const struct report *r, const struct report_package *p,
                         struct cfz_buf *text, struct cfz_error *err)
{
    char name[64];

    for (size_t i = 0; i < p->ntests; i++) {
        snprintf(name, sizeof name, "test-%zu.html", report_test_number(r, &p->tests[i]));
        if (page_test(text, r, p, &p->tests[i], err) < 0 || write_page(fd, name, text, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < p->coverage.n; i++) {
        snprintf(name, sizeof name, "source-%zu-%zu.html", report_package_number(r, p), i);
        if (page_source(text, p, &p->coverage.v[i], err) < 0 || write_page(fd, name, text, err) < 0)
            return -1;
    }
    return 0;
}

static int write_all(int fd, const struct report *r, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_io_write_file(fd, "report.css", asset_css, asset_css_len, 0, err) < 0 ||
        cfz_io_write_file(fd, "report.js", asset_js, asset_js_len, 0, err) < 0 ||
        cfz_io_write_file(fd, MARK, "", 0, 0, err) < 0 || page_index(&text, r, err) < 0 ||
        write_page(fd, "index.html", &text, err) < 0)
        goto out;
    ret = 0;
    for (size_t i = 0; i < r->n && ret == 0; i++)
        ret = write_package(fd, r, &r->v[i], &text, err);
out:
    cfz_buf_release(&text);
    return ret;
}

/* Moves the files of made into dir, whose own place cannot be taken, as that of a mount point; what
 * was there is removed. The mark comes first, so that what is half done is a report's. */
static int move_into(const char *made, const char *dir, const char *shown, struct cfz_error *err)
{
    int from = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int to = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = -1;
    DIR *old = to >= 0 ? opendir(dir) : NULL, *d = from >= 0 ? opendir(made) : NULL;
    struct cfz_buf text = CFZ_BUF_INIT;
    struct dirent *e;

    if (old == NULL || d == NULL || cfz_io_write_file(to, MARK, "", 0, CFZ_IO_REPLACE, NULL) < 0) {
        fail(shown, err);
        goto out;
    }
    while ((e = readdir(old)) != NULL)
        if (e->d_type != DT_DIR && strcmp(e->d_name, MARK) != 0)
            unlinkat(to, e->d_name, 0);
    while ((e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        text.len = 0;
        if (cfz_io_read_file(from, e->d_name, SIZE_MAX, &text, err) < 0 ||
            cfz_io_write_file(to, e->d_name, text.data, text.len, CFZ_IO_REPLACE, err) < 0) {
            cfz_error_wrap(err, "report: %s", shown);
            goto out;
        }
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    if (old != NULL)
        closedir(old);
    if (d != NULL)
        closedir(d);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return ret;
}

/* Whether the place of dir cannot be taken, by the errno of a rename: it is a mount point, or what
 * it is in must not be changed. */
static bool is_fixed(int why)
{
    return why == EBUSY || why == EXDEV || why == EACCES || why == EROFS || why == EPERM;
}

/* Whether dir is the current directory, which somebody's shell may be in, too. */
static bool is_current(const char *dir)
{
    struct stat a, b;

    return stat(dir, &a) == 0 && stat(".", &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Has made take the place of dir; what was there is removed. */
static int replace(const char *made, const char *dir, const char *shown, struct cfz_error *err)
{
    bool inside = is_current(dir);
    int ret = 0;

    if (!inside && rename(made, dir) == 0) /* nothing was there, or an empty directory */
        return 0;
    if (!inside && errno != ENOTEMPTY && errno != EEXIST && !is_fixed(errno))
        return fail(shown, err);
    if (check(dir, shown, err) < 0)
        return -1;
    if (!inside && renameat2(AT_FDCWD, made, AT_FDCWD, dir, RENAME_EXCHANGE) == 0) {
        report_dir_drop(made);
        return 0;
    }
    if (inside || is_fixed(errno)) {
        ret = move_into(made, dir, shown, err);
        report_dir_drop(made);
        return ret;
    }
    /* The file system cannot exchange them: for a moment there is none. */
    report_dir_drop(dir);
    return rename(made, dir) < 0 ? fail(shown, err) : 0;
}

int report_dir_write(const struct report *r, const char *made, const char *dir,
                     struct cfz_error *err)
{
    int fd = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
    char *name = plain(dir);

    if (fd < 0 || name == NULL) {
        ret = fd < 0 ? cfz_fail_errno(err, "report: %s", made) : cfz_fail_nomem(err);
    } else {
        ret = write_all(fd, r, err);
        if (ret < 0)
            cfz_error_wrap(err, "report: %s", dir);
    }
    if (fd >= 0)
        close(fd);
    if (ret == 0)
        ret = replace(made, name, dir, err);
    free(name);
    return ret;
}
