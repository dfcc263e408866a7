/*
 * cfuzz_main.c - reads the command line of a test binary.
 */
#include "server/cfuzz_main.h"

#include <stdio.h>
#include <string.h>

#include "server/origin.h"
#include "server/standalone.h"

enum { EXIT_USAGE = 2 };

static void usage(FILE *out, const char *program)
{
    fprintf(out,
            "usage: %s [-run=FuzzX[/<file or seed#0>]] [-v] [-short] [-list]\n"
            "\n"
            "Runs the seeds of fuzz tests in this one process, for a debugger. The names are\n"
            "literal; patterns, fuzzing and everything else: cfuzz-test %s.\n"
            "\n"
            "  -run=NAME  only this test, or this seed of it\n"
            "  -v         also what passed, and its log\n"
            "  -short     have cfuzz_short say so\n"
            "  -list      print the names of the tests\n",
            program, program);
}

/* Whether arg is -name or --name. */
static bool is_flag(const char *arg, const char *name)
{
    if (arg[0] != '-')
        return false;
    return strcmp(arg + (arg[1] == '-' ? 2 : 1), name) == 0;
}

/* The text after -name= or --name=, or NULL. */
static const char *flag_value(const char *arg, const char *name)
{
    size_t len = strlen(name);

    if (arg[0] != '-')
        return NULL;
    arg += arg[1] == '-' ? 2 : 1;
    return strncmp(arg, name, len) == 0 && arg[len] == '=' ? arg + len + 1 : NULL;
}

int cfz_main(int argc, char **argv)
{
    struct cfz_standalone_options opt = {NULL, false, false, false};

    if (cfz_origin_requested(argc, argv))
        return cfz_origin_run();
    for (int i = 1; i < argc; i++) {
        const char *value = flag_value(argv[i], "run");

        if (value) {
            opt.run = value;
        } else if (is_flag(argv[i], "run")) {
            if (i + 1 == argc) {
                fprintf(stderr, "-run: the name of a test is missing\n");
                return EXIT_USAGE;
            }
            opt.run = argv[++i];
        } else if (is_flag(argv[i], "v")) {
            opt.verbose = true;
        } else if (is_flag(argv[i], "short")) {
            opt.short_mode = true;
        } else if (is_flag(argv[i], "list")) {
            opt.list = true;
        } else if (is_flag(argv[i], "h") || is_flag(argv[i], "help")) {
            usage(stdout, argv[0]);
            return 0;
        } else {
            fprintf(stderr, "%s: unknown %s\n", argv[i], argv[i][0] == '-' ? "flag" : "argument");
            usage(stderr, argv[0]);
            return EXIT_USAGE;
        }
    }
    return cfz_standalone_run(&opt);
}
