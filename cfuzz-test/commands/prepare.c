/*
 * prepare.c - see prepare.h.
 */
#include "commands/prepare.h"

#include <stdio.h>
#include <sys/stat.h>

#include "build/compile_commands.h"
#include "build/engine_copy.h"
#include "cli/report.h"
#include "cover/covered_by.h"
#include "libfuzzer/lf_install.h"

struct build_label build_label(const struct options *opt)
{
    struct build_label l = {""};

    if (opt->build_name != NULL)
        snprintf(l.text, sizeof l.text, " [%s]", opt->build_name);
    return l;
}

/* Copies the binaries where -c and -o want them. */
static int copy_binaries(const struct options *opt, const struct package *pkg,
                         const struct test_binaries *bins, struct cfz_error *err)
{
    struct stat st;

    if (bins->n > 1 && opt->out != NULL && (stat(opt->out, &st) < 0 || !S_ISDIR(st.st_mode)))
        return cfz_fail(err, CFZ_EUSAGE, "-o %s: not a directory, and %s has %zu test binaries",
                        opt->out, pkg->name, bins->n);
    for (size_t i = 0; i < bins->n; i++)
        if (build_copy(&bins->v[i], opt->out, err) < 0)
            return -1;
    return 0;
}

/* -engine: an executable for each test, whose paths are printed. */
static int leave_executables(const struct options *opt, const struct package *pkg,
                             const struct test_binaries *bins, struct cfz_error *err)
{
    struct engine_tests tests = {STRLIST_INIT, STRLIST_INIT};
    const char *dir = opt->out != NULL ? opt->out : ".";
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < bins->n; i++)
        ret = engine_copy(opt, &bins->v[i], dir, &tests, err);
    for (size_t i = 0; i < tests.names.n; i++)
        report_line("%s/%s", dir, tests.names.v[i]);
    if (ret == 0 && tests.names.n == 0)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: no fuzz tests%s%s", pkg->name,
                       opt->fuzz != NULL ? " that match -fuzz=" : "",
                       opt->fuzz != NULL ? opt->fuzz : "");
    engine_tests_release(&tests);
    return ret;
}

static enum exit_status setup_failed(const struct options *opt, const struct package *pkg,
                                     const struct cfz_error *err)
{
    explain(err);
    report_line("FAIL\t%s%s\t[setup failed]", pkg->name, build_label(opt).text);
    return EXIT_USAGE;
}

enum exit_status prepare(const struct options *opt, struct package *pkg, struct test_binaries *bins,
                         bool *done, struct cfz_error *err)
{
    *done = true;
    if (pkg->executable == NULL && package_load(pkg, err) < 0)
        return setup_failed(opt, pkg, err);
    if (opt->covered_by != NULL && opt->several_packages &&
        ((pkg->among_others && !pkg->mentions_tests) || !covered_by_concerns(opt, pkg)))
        return EXIT_PASSED;
    if (pkg->among_others && !pkg->mentions_tests && (opt->fuzz == NULL || opt->several_packages)) {
        report_line("?   \t%s%s\t[no fuzz tests]", pkg->name, build_label(opt).text);
        return EXIT_PASSED;
    }
    if (pkg->executable == NULL && compile_commands_apply(pkg, opt->build_dir, err) < 0)
        return setup_failed(opt, pkg, err);
    if (build_package(opt, pkg, bins, err) < 0) {
        enum exit_status status = explain(err);

        report_line("FAIL\t%s%s\t[build failed]", pkg->name, build_label(opt).text);
        return status;
    }
    if (opt->dry_run)
        return EXIT_PASSED;
    if (opt->engine != NULL)
        return leave_executables(opt, pkg, bins, err) < 0 ? explain(err) : EXIT_PASSED;
    if (opt->libfuzzer
            ? lf_install(opt, bins, err) < 0
            : (opt->compile_only || opt->out != NULL) && copy_binaries(opt, pkg, bins, err) < 0)
        return explain(err);
    *done = opt->compile_only;
    return EXIT_PASSED;
}

size_t count_executables(const struct packages *pkgs)
{
    size_t n = 0;

    for (size_t i = 0; i < pkgs->n; i++)
        n += pkgs->v[i].executable != NULL;
    return n;
}
