/*
 * command_show.c - cfuzz-test show: an input as a C program.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "build/compile_commands.h"
#include "cli/flags.h"
#include "cli/report.h"
#include "commands/command.h"
#include "commands/prepare.h"
#include "fuzz/several.h"
#include "results/result_file.h"

/* Whether a file at that absolute path would be one of the package's sources. */
static bool would_be_source(const struct package *pkg, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    char *dir = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    char *real = dir != NULL ? realpath(dir, NULL) : NULL;
    bool would = real != NULL && pkg->executable == NULL && strcmp(real, pkg->dir) == 0 &&
                 slash[1] != '_' && slash[1] != '.' && dot > slash && dot[1] == 'c';

    free(real);
    free(dir);
    return would;
}

/* Builds pkg, and writes the program for input to out, or to stdout if that is NULL. */
static int show_input(const struct options *opt, struct package *pkg, const char *input,
                      const char *out, struct cfz_error *err)
{
    struct test_binaries bins = {NULL, 0};
    struct cfz_buf text = CFZ_BUF_INIT;
    char *file = out != NULL && out[0] != '/' ? realpath(".", NULL) : NULL;
    struct cfz_buf name = CFZ_BUF_INIT;
    int ret = -1;

    if (out != NULL && cfz_buf_printf(&name, err, "%s%s%s", file != NULL ? file : "",
                                      file != NULL ? "/" : "", out) < 0)
        goto out;
    if (out != NULL && would_be_source(pkg, cfz_buf_str(&name))) {
        cfz_fail(err, CFZ_EUSAGE,
                 "show: -o %s: it would be compiled with the package: begin its name with _", out);
        goto out;
    }
    if (pkg->executable == NULL &&
        (package_load(pkg, err) < 0 || compile_commands_apply(pkg, opt->build_dir, err) < 0))
        goto out;
    if (build_package(opt, pkg, &bins, err) < 0 ||
        several_show(opt, &bins, input, out != NULL ? cfz_buf_str(&name) : NULL, &text, err) < 0)
        goto out;
    if (out != NULL) {
        ret = result_file_write(out, &text, err);
    } else {
        report_bytes(cfz_buf_str(&text), text.len);
        ret = 0;
    }
out:
    free(file);
    cfz_buf_release(&name);
    cfz_buf_release(&text);
    test_binaries_release(&bins);
    return ret;
}

static int show(int argc, char **argv)
{
    static const char *const known[] = {"o",  "asan", "ubsan", "msan",  "tsan",
                                        "cc", "dir",  "p",     "short", NULL};
    const char *out;
    struct invocation c;

    if (!invocation_begin(&c, argc, argv, known, "show"))
        return invocation_end(&c);
    out = c.opt.out; /* of the program, not of the test binary */
    c.opt.out = NULL;
    if (c.args.n == 0 || strchr(c.args.v[0], '/') == NULL) {
        cfz_fail(&c.err, CFZ_EUSAGE, "show: name an input: FuzzX/<file>, or FuzzX/seed#0");
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (!invocation_packages(&c, (const char *const *)c.args.v + 1, c.args.n - 1, c.opt.dir))
        return invocation_end(&c);
    if (c.pkgs.n != 1) {
        cfz_fail(&c.err, CFZ_EUSAGE, "show: takes a single package");
        invocation_misused(&c);
    } else if (flags_check(&c.opt, c.pkgs.n, count_executables(&c.pkgs), &c.err) < 0) {
        invocation_misused(&c);
    } else if (show_input(&c.opt, &c.pkgs.v[0], c.args.v[0], out, &c.err) < 0) {
        invocation_failed(&c);
    }
    return invocation_end(&c);
}

const struct command command_show = {
    .name = "show", .usage = "show FuzzX/<file> [package]", .run = show};
