/*
 * lf_install.c - see lf_install.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/lf_install.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/install.h"
#include "base/strlist.h"
#include "core/io.h"
#include "core/protocol.h"
#include "process/session.h"

/* Takes the names of the tests that are selected. */
static int list_tests(const struct options *opt, const struct test_binary *bin,
                      struct strlist *names, struct cfz_error *err)
{
    struct session s;
    int ret = 0;

    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    for (size_t i = 0; i < s.origin->ntests && ret == 0; i++)
        if (pattern_match_top(opt->fuzz_pattern, s.origin->tests[i].name) &&
            !pattern_skips(opt->skip_pattern, s.origin->tests[i].name))
            ret = strlist_add(names, s.origin->tests[i].name, err);
    session_close(&s);
    return ret;
}

/* Puts a file at DIR/name: a link to an earlier one, or a copy of path. */
static int put(const char *dir, const char *name, const char *earlier, char *path,
               struct cfz_error *err)
{
    const struct test_binary file = {.path = path};
    char *to, *from = NULL;
    int ret = -1;

    if (asprintf(&to, "%s/%s", dir, name) < 0)
        return cfz_fail_nomem(err);
    if (earlier != NULL && asprintf(&from, "%s/%s", dir, earlier) < 0)
        from = NULL;
    if (from != NULL && unlink(to) < 0 && errno != ENOENT)
        cfz_fail_errno(err, "%s", to);
    else if (from != NULL && link(from, to) == 0)
        ret = 0;
    else
        ret = build_copy(&file, to, err);
    free(to);
    free(from);
    return ret;
}

/* Puts the tests of one binary there, and counts them. */
static int put_binary(const struct options *opt, const struct test_binary *bin, size_t *n,
                      struct cfz_error *err)
{
    struct strlist names = STRLIST_INIT;
    int ret = list_tests(opt, bin, &names, err);

    for (size_t i = 0; i < names.n && ret == 0; i++)
        ret = put(opt->out, names.v[i], i > 0 ? names.v[0] : NULL, bin->path, err);
    *n += names.n;
    strlist_release(&names);
    return ret;
}

int lf_install(const struct options *opt, const struct test_binaries *bins, struct cfz_error *err)
{
    struct install in = {0};
    char *driver = NULL;
    size_t n = 0;
    int ret = -1;

    if (install_find(&in, err) < 0)
        goto out;
    if (asprintf(&driver, "%s/" CFZ_LIBFUZZER_DRIVER, in.lib) < 0) {
        driver = NULL;
        cfz_fail_nomem(err);
        goto out;
    }
    if (access(driver, R_OK) < 0) {
        cfz_fail(err, CFZ_EUSAGE, "%s: %s: cfuzz was installed without it", driver,
                 strerror(errno));
        goto out;
    }
    if (cfz_io_mkdirs(opt->out, err) < 0)
        goto out;
    for (size_t i = 0; i < bins->n; i++)
        if (put_binary(opt, &bins->v[i], &n, err) < 0)
            goto out;
    if (n == 0)
        cfz_fail(err, CFZ_EUSAGE, "%s: no fuzz tests to build",
                 bins->n > 0 ? bins->v[0].pkg->name : opt->out);
    else
        ret = put(opt->out, CFZ_LIBFUZZER_DRIVER, NULL, driver, err);
out:
    install_release(&in);
    free(driver);
    return ret;
}
