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

/* Whether dir may be replaced: it is empty, or a report. */
static int check(const char *dir, struct cfz_error *err)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    bool marked = false, any = false;

    if (d == NULL)
        return errno == ENOENT ? 0 : fail(dir, err);
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
                          "report: %s: it holds other files, and no report of cfuzz", dir);
}

/* dir without slashes at its end. The caller frees it. */
static char *plain(const char *dir)
{
    size_t len = strlen(dir);

    while (len > 1 && dir[len - 1] == '/')
        len--;
    return strndup(dir, len);
}

int report_dir_begin(const char *dir, char **made, struct cfz_error *err)
{
    char *name = plain(dir), *path;
    mode_t mask;

    *made = NULL;
    if (name == NULL || asprintf(&path, "%s.XXXXXX", name) < 0) {
        free(name);
        return cfz_fail_nomem(err);
    }
    if (check(name, err) < 0 || (mkdtemp(path) == NULL && fail(dir, err) < 0)) {
        free(name);
        free(path);
        return -1;
    }
    umask(mask = umask(0));
    chmod(path, 0777 & ~mask);
    free(name);
    *made = path;
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

/* Has made take the place of dir; what was there is removed. */
static int replace(const char *made, const char *dir, struct cfz_error *err)
{
    if (rename(made, dir) == 0) /* nothing was there, or an empty directory */
        return 0;
    if ((errno != ENOTEMPTY && errno != EEXIST) || check(dir, err) < 0)
        return err != NULL && err->code != CFZ_OK ? -1 : fail(dir, err);
    if (renameat2(AT_FDCWD, made, AT_FDCWD, dir, RENAME_EXCHANGE) < 0) {
        /* The file system cannot exchange them: for a moment there is none. */
        report_dir_drop(dir);
        if (rename(made, dir) < 0)
            return fail(dir, err);
        return 0;
    }
    report_dir_drop(made);
    return 0;
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
            cfz_error_wrap(err, "report: %s", made);
    }
    if (fd >= 0)
        close(fd);
    if (ret == 0)
        ret = replace(made, name, err);
    free(name);
    return ret;
}
