/*
 * invocation.c - see invocation.h.
 */
#include "commands/invocation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/flags.h"
#include "cli/help.h"
#include "commands/commands.h"

/* Prints what went wrong, and returns the exit status for it. Error texts are safe to print
 * (error.h). */
enum exit_status explain(const struct cfz_error *err)
{
    if (err->code == CFZ_EINTERNAL) {
        fprintf(stderr, "cfuzz-test: internal failure: %s\n", err->text);
        return EXIT_INTERNAL;
    }
    if (err->code != CFZ_EIO || err->sys != EPIPE) /* nobody reads on: end quietly */
        fprintf(stderr, "cfuzz-test: %s\n", err->text);
    return EXIT_USAGE;
}

/* Prints a mistake on the command line in Go's bare words, and where to read on, unless the mistake
 * is in a pattern. */
static enum exit_status explain_usage(const struct cfz_error *err, const char *topic)
{
    fprintf(stderr, "%s\n", err->text);
    if (err->code != CFZ_EFORMAT)
        help_hint(stderr, topic);
    return EXIT_USAGE;
}

int invocation_own_flags(int argc, char **argv, const struct own_flag *own, size_t n)
{
    int left = 0;

    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-' && argv[i][1] == '-');
        size_t at = 0;

        while (at < n && strcmp(name, own[at].name) != 0)
            at++;
        if (at < n)
            *own[at].given = true;
        else
            argv[left++] = argv[i];
    }
    return left;
}

enum exit_status worse(enum exit_status a, enum exit_status b)
{
    return a > b ? a : b;
}

bool invocation_begin(struct invocation *c, int argc, char **argv, const char *const *known,
                      const char *topic)
{
    bool help;

    *c = (struct invocation){
        .args = STRLIST_INIT, .err = CFZ_ERROR_INIT, .status = EXIT_PASSED, .topic = topic};
    flags_defaults(&c->opt);
    if (flags_parse(argc, argv, known, &c->opt, &c->args, &help, &c->err) < 0) {
        invocation_misused(c);
        return false;
    }
    if (help && topic != NULL)
        help_topic(stdout, topic);
    else if (help)
        commands_usage();
    return !help;
}

bool invocation_packages(struct invocation *c, const char *const *names, size_t n, const char *dir)
{
    if (packages_find(names, n, dir, &c->pkgs, &c->err) == 0)
        return true;
    invocation_failed(c);
    return false;
}

void invocation_failed(struct invocation *c)
{
    c->status = worse(c->status, explain(&c->err));
}

void invocation_misused(struct invocation *c)
{
    c->status = worse(c->status, explain_usage(&c->err, c->topic));
}

int invocation_end(struct invocation *c)
{
    flags_release(&c->opt);
    packages_release(&c->pkgs);
    strlist_release(&c->args);
    return (int)c->status;
}
