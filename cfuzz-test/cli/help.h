/*
 * help.h - what cfuzz-test says about itself.
 */
#ifndef HELP_H
#define HELP_H

#include <stdbool.h>
#include <stdio.h>

/* help_usage prints the commands and every flag. usages has a line for each command, behind
 * "cfuzz-test ", and NULL at the end. */
void help_usage(FILE *to, const char *const *usages);

/* help_hint prints the lines that follow a usage error: how the command is used that a topic is of,
 * and where more is said; NULL: the command without a name. */
void help_hint(FILE *to, const char *topic);

/* help_topic prints one topic; false if there is no topic of that name. */
bool help_topic(FILE *to, const char *name);

/* help_version prints the version and for which clangs there are plugins. */
void help_version(FILE *to);

#endif
