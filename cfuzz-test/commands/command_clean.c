/*
 * command_clean.c - cfuzz-test clean: what the cache holds is removed.
 */
#include <string.h>

#include "build/clean.h"
#include "commands/invocation.h"
#include "commands/command.h"

/* Whether -run is given, and empty, as in "-run=$TEST" of a shell that has no TEST. Elsewhere that
 * is as if it were not given, which here would be to remove everything. */
static bool has_empty_run(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *flag = argv[i] + strspn(argv[i], "-");

        if (flag > argv[i] &&
            (strcmp(flag, "run=") == 0 ||
             (strcmp(flag, "run") == 0 && i + 1 < argc && argv[i + 1][0] == '\0')))
            return true;
    }
    return false;
}

static int clean(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "run", NULL};
    struct clean_options what = {0};
    const struct own_flag own[] = {{"-fuzzcache", &what.fuzzcache}, {"-cache", &what.cache}};
    struct invocation c;

    argc = invocation_own_flags(argc, argv, own, sizeof(own) / sizeof(own[0]));
    if (!invocation_begin(&c, argc, argv, known, "clean"))
        return invocation_end(&c);
    if (has_empty_run(argc, argv)) {
        cfz_fail(&c.err, CFZ_EUSAGE,
                 "clean: -run=: empty: leave it out to remove the inputs of all");
        invocation_misused(&c);
        return invocation_end(&c);
    }
    what.print = c.opt.print_commands;
    what.dry_run = c.opt.dry_run;
    if (!what.fuzzcache && !what.cache) {
        cfz_fail(&c.err, CFZ_EUSAGE, "clean: nothing to remove: give -fuzzcache or -cache");
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (what.cache && (c.args.n > 0 || c.opt.run != NULL)) {
        cfz_fail(&c.err, CFZ_EUSAGE, "cannot use -cache flag with %s",
                 c.args.n > 0 ? "packages" : "-run");
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (c.opt.run != NULL && pattern_new("run", c.opt.run, &c.opt.run_pattern, &c.err) < 0) {
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (c.opt.run != NULL && strchr(c.opt.run, '/') != NULL) {
        cfz_fail(&c.err, CFZ_EUSAGE,
                 "clean: -run=%s: inputs of a test are removed all or none: a pattern without '/'",
                 c.opt.run);
        invocation_misused(&c);
        return invocation_end(&c);
    }
    what.run = c.opt.run_pattern;
    /* -run selects tests of packages: of the current directory, as elsewhere, if none is named. */
    if ((c.args.n == 0 && c.opt.run == NULL) ||
        invocation_packages(&c, (const char *const *)c.args.v, c.args.n, NULL)) {
        if (clean_run(&what, &c.pkgs, &c.err) < 0)
            invocation_failed(&c);
    }
    return invocation_end(&c);
}

const struct command command_clean = {
    .name = "clean", .usage = "clean -fuzzcache [packages]", .run = clean};
