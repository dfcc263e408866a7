/*
 * corpus_command.h - cfuzz-test corpus: what it does with the inputs of one test. Context:
 * ordinary.
 */
#ifndef CORPUS_COMMAND_H
#define CORPUS_COMMAND_H

#include "base/strlist.h"
#include "build/build.h"
#include "cli/options.h"

struct corpus_command {
    const char *verb, *test;
    const struct strlist *from; /* files, directories and archives of others */
    bool fix;                   /* check: migrate what can be */
    bool cache;                 /* the interesting inputs, instead of seeds and crashers */
};

/* corpus_verb_known reports whether there is such a command. */
bool corpus_verb_known(const char *verb);

/* corpus_command_check fails with CFZ_EUSAGE where a command, which is known, was given a flag or an
 * operand that it does not take. */
int corpus_command_check(const struct options *opt, const struct corpus_command *command,
                         struct cfz_error *err);

/*
 * corpus_command_run carries out a command for a test of bin, and prints what it did. opt->out is
 * where inputs go, NULL: where the command says; with opt->dry_run nothing is written. *status is
 * EXIT_FAILED if some inputs could not be used; each was told on stderr. CFZ_EUSAGE: no such test;
 * else what building, starting and writing fail with.
 */
int corpus_command_run(const struct options *opt, const struct corpus_command *command,
                       const struct test_binary *bin, enum exit_status *status,
                       struct cfz_error *err);

#endif
