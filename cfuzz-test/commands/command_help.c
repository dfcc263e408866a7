/*
 * command_help.c - cfuzz-test help, and cfuzz-test version.
 */
#include <stdio.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/report.h"
#include "commands/commands.h"

static int help(int argc, char **argv)
{
    if (argc == 0) {
        commands_usage();
        return EXIT_PASSED;
    }
    if (argc == 1 && help_topic(stdout, argv[0]))
        return EXIT_PASSED;
    report_message("cfuzz-test: help %s: no such topic", argv[0]);
    fputs("Run 'cfuzz-test help' for a list.\n", stderr);
    return EXIT_USAGE;
}

static int version(int argc, char **argv)
{
    (void)argv;
    if (argc > 0) {
        fputs("usage: cfuzz-test version\n", stderr);
        return EXIT_USAGE;
    }
    help_version(stdout);
    return EXIT_PASSED;
}

const struct command command_help = {
    .name = "help", .usage = "help [topic]", .anywhere = true, .run = help};
const struct command command_version = {.name = "version",
                                        .also = {"-version", "--version"},
                                        .usage = "version",
                                        .anywhere = true,
                                        .run = version};
