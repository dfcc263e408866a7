/*
 * command_ossfuzz.c - cfuzz-test ossfuzz: fuzz targets for OSS-Fuzz and ClusterFuzzLite.
 */
#include <string.h>

#include "commands/invocation.h"
#include "commands/command.h"
#include "ossfuzz/ossfuzz.h"

static int ossfuzz(int argc, char **argv)
{
    static const char *const known[] = {"x", "p", "cc", NULL};
    static const char *const everything[] = {"./..."};
    bool init = argc == 1 && (strcmp(argv[0], "-init") == 0 || strcmp(argv[0], "--init") == 0);
    struct invocation c;

    if (!invocation_begin(&c, init ? 0 : argc, argv, known, "ossfuzz"))
        return invocation_end(&c);
    if (init) {
        if (ossfuzz_init(&c.err) < 0)
            invocation_failed(&c);
    } else if (invocation_packages(&c, c.args.n > 0 ? (const char *const *)c.args.v : everything,
                                   c.args.n > 0 ? c.args.n : 1, NULL) &&
               ossfuzz_run(&c.opt, &c.pkgs, &c.status, &c.err) < 0) {
        c.status = explain(&c.err);
    }
    return invocation_end(&c);
}

const struct command command_ossfuzz = {
    .name = "ossfuzz", .usage = "ossfuzz [-init] [packages]", .run = ossfuzz};
