/*
 * command_clean.c - cfuzz-test clean: what the cache holds is removed.
 */
#include <string.h>

#include "build/clean.h"
#include "commands/invocation.h"
#include "commands/command.h"

static int clean(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "run", NULL};
    struct clean_options what = {0};
    const struct own_flag own[] = {{"-fuzzcache", &what.fuzzcache}, {"-cache", &what.cache}};
    struct invocation c;

    argc = invocation_own_flags(argc, argv, own, sizeof(own) / sizeof(own[0]));
    if (!invocation_begin(&c, argc, argv, known, "clean"))
        return invocation_end(&c);
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
