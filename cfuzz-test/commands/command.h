/*
 * command.h - a command of cfuzz-test: what its name on the command line stands for.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>

struct command {
    const char *name;    /* "report"; "" for what runs where no command is named */
    const char *also[2]; /* other spellings, or NULL */
    const char *usage;   /* in one line, behind "cfuzz-test " */
    bool anywhere;       /* it needs neither files nor processes */
    /* Carries it out. argv[0..argc) stands behind the name. Returns the exit status. */
    int (*run)(int argc, char **argv);
};

extern const struct command command_run, command_clean, command_libfuzzer, command_report,
    command_show, command_help, command_version;
#ifndef CFUZZ_DRIVER_ALONE /* the driver that lies beside executables has neither these commands   \
                              nor their library */
extern const struct command command_corpus, command_ossfuzz;
#endif

#endif
