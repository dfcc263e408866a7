/*
 * llvm_tools.c - see llvm_tools.h.
 */
#define _GNU_SOURCE
#include "cover/llvm_tools.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/subprocess.h"

/* Runs argv, whose stdout goes to out. What it says on stderr is the error if it fails. */
static int run(const struct strlist *argv, struct cfz_buf *out, struct cfz_buf *said,
               struct cfz_error *err)
{
    const char *slash = strrchr(argv->v[0], '/');
    int status;

    if (subprocess_run(
            &(struct subprocess){.argv = (const char *const *)argv->v, .out = out, .err = said},
            &status, err) < 0)
        return -1;
    if (status == 0)
        return 0;
    cfz_fail(err, CFZ_EFORMAT, "%s failed:", slash != NULL ? slash + 1 : argv->v[0]);
    return cfz_error_add_lines(err, cfz_buf_str(said));
}

int llvm_merge(const struct test_binary *bin, const struct strlist *raw, const char *out,
               struct cfz_error *err)
{
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf said = CFZ_BUF_INIT;
    int ret = -1;

    /* A program that the target started, of another LLVM say, may have left a profile too. */
    if (STRLIST_ADD(&argv, err, bin->llvm_profdata, "merge", "-sparse", "-failure-mode=all", "-o",
                    out) == 0 &&
        strlist_add_all(&argv, raw, err) == 0)
        ret = run(&argv, &said, &said, err);
    strlist_release(&argv);
    cfz_buf_release(&said);
    return ret;
}

int llvm_export(const struct test_binary *bin, const char *profile, const char *source,
                struct cfz_buf *out, struct cfz_error *err)
{
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf said = CFZ_BUF_INIT;
    int ret = -1;

    if (STRLIST_ADD(&argv, err, bin->llvm_cov, "export", "-format=lcov", bin->path) < 0 ||
        strlist_addf(&argv, err, "-instr-profile=%s", profile) < 0 ||
        (source != NULL && strlist_add(&argv, source, err) < 0))
        goto out;
    ret = run(&argv, out, &said, err);
    if (ret == 0 && strstr(cfz_buf_str(&said), "have mismatched data") != NULL)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: the profile is of another build", bin->path);
out:
    strlist_release(&argv);
    cfz_buf_release(&said);
    return ret;
}
