/*
 * command_corpus.c - cfuzz-test corpus: inputs in and out of the corpora of a test.
 */
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "commands/command.h"
#include "commands/prepare.h"
#include "corpus/corpus_command.h"
#include "fuzz/several.h"

/* Builds the package, and has its corpus dealt with. */
static void build_and_run(struct invocation *c, const struct corpus_command *corpus)
{
    struct test_binaries bins = {NULL, 0};
    struct options building = c->opt;
    size_t which;
    bool done;

    building.dry_run = building.print_commands = false; /* -n and -o are of inputs here */
    building.out = NULL;
    building.fuzz = strcmp(corpus->verb, "minimize") == 0 ? "." : NULL; /* with counters */
    c->status = prepare(&building, &c->pkgs.v[0], &bins, &done, &c->err);
    if (c->status == EXIT_PASSED &&
        (several_find(&building, &bins, corpus->test, &which, &c->err) < 0 ||
         corpus_command_run(&c->opt, corpus, &bins.v[which], &c->status, &c->err) < 0))
        c->status = explain(&c->err);
    test_binaries_release(&bins);
}

static int misused(struct invocation *c)
{
    fputs("Run 'cfuzz-test help corpus' for the commands.\n", stderr);
    c->status = EXIT_USAGE;
    return invocation_end(c);
}

static int corpus(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "o", "dir", "p", "cc", NULL};
    struct strlist from = STRLIST_INIT;
    struct corpus_command what = {.from = &from};
    const struct own_flag own[] = {{"-cache", &what.cache}, {"-fix", &what.fix}};
    struct invocation c;

    argc = invocation_own_flags(argc, argv, own, sizeof(own) / sizeof(own[0]));
    if (!invocation_begin(&c, argc, argv, known, "corpus"))
        return invocation_end(&c);
    if (c.args.n < 2 || !corpus_verb_known(c.args.v[0])) {
        if (c.args.n > 0 && !corpus_verb_known(c.args.v[0]))
            report_message("corpus %s: no such command", c.args.v[0]);
        else
            report_message("corpus: give a command and the name of a fuzz test");
        return misused(&c);
    }
    what.verb = c.args.v[0];
    what.test = c.args.v[1];
    for (size_t i = 2; i < c.args.n && c.status == EXIT_PASSED; i++)
        if (strlist_add(&from, c.args.v[i], &c.err) < 0)
            invocation_failed(&c);
    if (c.status == EXIT_PASSED && corpus_command_check(&c.opt, &what, &c.err) < 0) {
        report_message("%s", c.err.text);
        strlist_release(&from);
        return misused(&c);
    }
    if (c.status == EXIT_PASSED && invocation_packages(&c, &c.opt.dir, c.opt.dir != NULL, NULL))
        build_and_run(&c, &what);
    strlist_release(&from);
    return invocation_end(&c);
}

const struct command command_corpus = {
    .name = "corpus",
    .usage = "corpus import|export|list|show|check|minimize test [files]",
    .run = corpus};
