/*
 * command_clean.c - cfuzz-test clean: what the cache holds is removed.
 */
#include <string.h>

#include "build/clean.h"
#include "commands/invocation.h"
#include "commands/command.h"

/* Takes -fuzzcache and -cache, which only clean knows, out of argv. */
static int take_clean_flags(int argc, char **argv, struct clean_options *opt)
{
    int n = 0;

    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-' && argv[i][1] == '-');

        if (strcmp(name, "-fuzzcache") == 0)
            opt->fuzzcache = true;
        else if (strcmp(name, "-cache") == 0)
            opt->cache = true;
        else
            argv[n++] = argv[i];
    }
    return n;
}

static int clean(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "run", NULL};
    struct clean_options what = {0};
    struct invocation c;

    argc = take_clean_flags(argc, argv, &what);
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
