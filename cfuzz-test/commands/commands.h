/*
 * commands.h - all commands of cfuzz-test.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "commands/command.h"

/* In the order in which help has them, with NULL at the end. */
extern const struct command *const commands_all[];

/* commands_find gives the command that argv names, the program's arguments, and moves *argc and
 * *argv behind its name. */
const struct command *commands_find(int *argc, char ***argv);

/* commands_usage prints the commands and all flags. */
void commands_usage(void);

#endif
