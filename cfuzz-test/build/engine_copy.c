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
#include "base/symtab.h"
#include "cli/report.h"
#include "core/buf.h"
#include "core/corpus/flat.h"

/* Takes "cfuzz-flat-v1 FuzzX []byte,int" apart: adds the name. Other lines are the engine's. */
static int add_name(const char *line, const char *path, struct strlist *names,
                    struct cfz_error *err)
{
    static const char prefix[] = "cfuzz-flat-v";
    int version, begin = 0, end = 0;

    if (strncmp(line, prefix, sizeof(prefix) - 1) != 0)
        return 0;
    if (sscanf(line + sizeof(prefix) - 1, "%d %n%*s%n", &version, &begin, &end) != 1 ||
        version != CFZ_FLAT_VERSION || end == 0)
        return cfz_fail(err, CFZ_EFORMAT, "%s: %s: another version of the flat form", path, line);
    return strlist_addf(names, err, "%.*s", end - begin, line + sizeof(prefix) - 1 + begin);
}

/* Asks the executable which tests it has. */
static int list_tests(const char *path, struct strlist *names, struct cfz_error *err)
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
        ret = add_name(line, path, names, err);
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

int engine_copy(const struct options *opt, const struct test_binary *bin, const char *dir,
                struct cfz_error *err)
{
    struct strlist names = STRLIST_INIT, paths = STRLIST_INIT;
    bool known_symbols, ours;
    int ret = -1;

    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        return cfz_fail_errno(err, "create %s", dir);
    ours = symtab_mentions(bin->path, "cfz_engine_test", &known_symbols);
    if (known_symbols && !ours) /* a harness that defines LLVMFuzzerTestOneInput itself */
        ret = strlist_addf(&names, err, "%s", strrchr(bin->pkg->dir, '/') + 1);
    else
        ret = list_tests(bin->path, &names, err);
    for (size_t i = 0; ret == 0 && i < names.n; i++) {
        if (opt->fuzz_pattern != NULL && !pattern_match_top(opt->fuzz_pattern, names.v[i]))
            continue;
        ret = strlist_addf(&paths, err, "%s/%s", dir, names.v[i]);
        if (ret == 0)
            ret = put(bin, paths.n > 1 ? paths.v[0] : NULL, paths.v[paths.n - 1], err);
        if (ret == 0)
            report_line("%s", paths.v[paths.n - 1]);
    }
    if (ret == 0 && paths.n == 0)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: no fuzz tests%s%s", bin->pkg->name,
                       opt->fuzz != NULL ? " that match -fuzz=" : "",
                       opt->fuzz != NULL ? opt->fuzz : "");
    strlist_release(&names);
    strlist_release(&paths);
    return ret;
}
