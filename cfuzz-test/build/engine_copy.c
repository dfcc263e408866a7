/*
 * engine_copy.c - see engine_copy.h. What the executables do, runtime/engine/adapter.c says.
 */
#define _GNU_SOURCE
#include "build/engine_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "core/buf.h"
#include "core/corpus/flat.h"

void engine_tests_release(struct engine_tests *tests)
{
    strlist_release(&tests->names);
    strlist_release(&tests->types);
}

static int add_test(struct engine_tests *tests, const char *name, size_t len, const char *types,
                    struct cfz_error *err)
{
    if (strlist_addf(&tests->names, err, "%.*s", (int)len, name) < 0)
        return -1;
    return strlist_add(&tests->types, types, err);
}

/* Takes "cfuzz-flat-v1 FuzzX []byte,int" apart. Other lines are the engine's. */
static int take_line(const char *line, const char *path, struct engine_tests *tests,
                     struct cfz_error *err)
{
    static const char prefix[] = "cfuzz-flat-v";
    const char *name, *types;
    char *end;
    long version;

    if (strncmp(line, prefix, sizeof(prefix) - 1) != 0)
        return 0;
    version = strtol(line + sizeof(prefix) - 1, &end, 10);
    name = end + 1;
    types = version == CFZ_FLAT_VERSION && *end == ' ' ? strchr(name, ' ') : NULL;
    if (types == NULL)
        return cfz_fail(err, CFZ_EFORMAT, "%s: %s: another version of the flat form than %d", path,
                        line, CFZ_FLAT_VERSION);
    return add_test(tests, name, (size_t)(types - name), types + 1, err);
}

/* Asks the executable which tests it has. */
static int list_tests(const char *path, struct engine_tests *tests, struct cfz_error *err)
{
    const char *const argv[] = {path, "-cfuzz-list", NULL};
    struct cfz_buf out = CFZ_BUF_INIT, errors = CFZ_BUF_INIT;
    char text[SUBPROCESS_STATUS_MAX], *line, *rest;
    int status, ret = -1;

    if (subprocess_run(&(struct subprocess){.argv = argv, .out = &out, .err = &errors}, &status,
                       err) < 0)
        goto out;
    if (status != 0) {
        cfz_fail(err, CFZ_EFORMAT, "%s: cannot list its tests: %s", path,
                 subprocess_status_text(status, text));
        cfz_error_add_lines(err, cfz_buf_str(&errors));
        goto out;
    }
    ret = 0;
    for (rest = (char *)out.data; ret == 0 && (line = strsep(&rest, "\n")) != NULL;)
        ret = take_line(line, path, tests, err);
out:
    cfz_buf_release(&out);
    cfz_buf_release(&errors);
    return ret;
}

/* Gives the executable at first another name, or copies bin there. */
static int put(const struct test_binary *bin, const char *first, const char *path,
               struct cfz_error *err)
{
    char *temporary = NULL;
    bool linked = false;

    if (first != NULL && asprintf(&temporary, "%s.new", path) < 0)
        return cfz_fail_nomem(err);
    if (first != NULL) {
        unlink(temporary);
        linked = link(first, temporary) == 0 && rename(temporary, path) == 0;
        if (!linked)
            unlink(temporary);
        unlink(temporary); /* rename leaves it where both names are one file already */
        free(temporary);
    }
    return linked ? 0 : build_copy(bin, path, err);
}

int engine_list(const struct test_binary *bin, struct engine_tests *tests, struct cfz_error *err)
{
    if (bin->harness != NULL)
        return add_test(tests, bin->harness, strlen(bin->harness), "", err);
    return list_tests(bin->path, tests, err);
}

int engine_copy(const struct options *opt, const struct test_binary *bin, const char *dir,
                struct engine_tests *tests, struct cfz_error *err)
{
    struct engine_tests all = {STRLIST_INIT, STRLIST_INIT};
    struct cfz_buf first = CFZ_BUF_INIT, path = CFZ_BUF_INIT;
    int ret;

    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        return cfz_fail_errno(err, "create %s", dir);
    ret = engine_list(bin, &all, err);
    for (size_t i = 0; ret == 0 && i < all.names.n; i++) {
        const char *name = all.names.v[i];

        if (opt->fuzz_pattern != NULL && !pattern_match_top(opt->fuzz_pattern, name))
            continue;
        cfz_buf_truncate(&path, 0);
        ret = cfz_buf_printf(&path, err, "%s/%s", dir, name);
        if (ret == 0)
            ret = put(bin, first.len > 0 ? cfz_buf_str(&first) : NULL, cfz_buf_str(&path), err);
        if (ret == 0 && first.len == 0)
            ret = cfz_buf_puts(&first, cfz_buf_str(&path), err);
        if (ret == 0)
            ret = add_test(tests, name, strlen(name), all.types.v[i], err);
    }
    engine_tests_release(&all);
    cfz_buf_release(&first);
    cfz_buf_release(&path);
    return ret;
}
