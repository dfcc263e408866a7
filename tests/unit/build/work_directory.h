/*
 * work_directory.h - what the tests of build/ share: a directory for each test, files in it, and
 * lists as text.
 */
#ifndef WORK_DIRECTORY_H
#define WORK_DIRECTORY_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/clean.h"
#include "build/compile_commands.h"
#include "build/package.h"
#include "core/io.h"

/* Each test starts in an empty directory of its own. */
static char *work;

static inline int enter_directory(void **state)
{
    char path[] = "/tmp/cfuzz-build-test.XXXXXX";

    (void)state;
    if (mkdtemp(path) == NULL || chdir(path) < 0)
        return -1;
    work = realpath(path, NULL);
    return work != NULL ? 0 : -1;
}

static inline int leave_directory(void **state)
{
    int rc = chdir("/") == 0 ? clean_tree(AT_FDCWD, work, work, NULL) : -1;

    (void)state;
    free(work);
    return rc;
}

/* Writes a file, and makes its directories. */
static inline void put(const char *path, const char *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    char *dir = strdup(path), *slash = strrchr(dir, '/');

    if (slash != NULL) {
        *slash = '\0';
        assert_int_equal(cfz_io_mkdirs(dir, &err), 0);
    }
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, &err),
                     0);
    free(dir);
}

/* Joins the words with '|', so that a list is one string to compare. */
static inline const char *joined(const struct strlist *l)
{
    static char text[1000];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < l->n; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i > 0 ? "|" : "", l->v[i]);
    return text;
}

/* Loads the one package that arg names. */
static inline struct packages load(const char *arg)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct packages pkgs = {NULL, 0};

    if (packages_find(&arg, 1, NULL, &pkgs, &err) < 0 || package_load(&pkgs.v[0], &err) < 0 ||
        compile_commands_apply(&pkgs.v[0], NULL, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(pkgs.n, 1);
    return pkgs;
}

#endif
