/*
 * commands.c - see commands.h.
 */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"

const struct command *const commands_all[] = {
    &command_run,       &command_clean,
#ifndef CFUZZ_DRIVER_ALONE
    &command_corpus,    &command_ossfuzz,
#endif
    &command_libfuzzer, &command_report,  &command_show, &command_help, &command_version, NULL,
};

static bool is_named(const struct command *c, const char *word)
{
    if (c->name[0] == '\0')
        return false;
    for (size_t i = 0; i < sizeof c->also / sizeof c->also[0]; i++)
        if (c->also[i] != NULL && strcmp(c->also[i], word) == 0)
            return true;
    return strcmp(c->name, word) == 0;
}

const struct command *commands_find(int *argc, char ***argv)
{
    const struct command *found = NULL;

    for (size_t i = 0; *argc > 1 && found == NULL && commands_all[i] != NULL; i++)
        if (is_named(commands_all[i], (*argv)[1]))
            found = commands_all[i];
    *argc -= found != NULL ? 2 : 1;
    *argv += found != NULL ? 2 : 1;
    return found != NULL ? found : &command_run;
}

void commands_usage(void)
{
    const char *usages[sizeof commands_all / sizeof commands_all[0]] = {NULL};

    for (size_t i = 0; commands_all[i] != NULL; i++)
        usages[i] = commands_all[i]->usage;
    help_usage(stdout, usages);
}
