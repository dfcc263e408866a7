/*
 * command_libfuzzer.c - cfuzz-test libfuzzer: a test behind libFuzzer's command line.
 */
#include "commands/command.h"
#include "libfuzzer/libfuzzer.h"

const struct command command_libfuzzer = {
    .name = "libfuzzer",
    .usage = "libfuzzer <executable> <test> [libFuzzer's flags] [files]",
    .run = libfuzzer_command};
