/*
 * lf_target.h - the test binary behind libFuzzer's command line, ready to execute inputs: its
 * options from libFuzzer's flags, its processes, the one test. Context: ordinary.
 */
#ifndef LF_TARGET_H
#define LF_TARGET_H

#include "crash/trial.h"
#include "libfuzzer/lf_flags.h"
#include "process/session.h"

/* Exit statuses of libFuzzer's that no flag sets. */
enum {
    LF_EXIT_OK = 0,
    LF_EXIT_ERROR = 1,   /* of the command line, a file, or cfuzz */
    LF_EXIT_OOM = 71,    /* an input took too much memory */
    LF_EXIT_STOPPED = 72 /* SIGINT, SIGTERM */
};

/* The address of one that is open stays. */
struct lf_target {
    const struct lf_flags *flags;
    const char *program; /* how the executable was called, for messages */
    struct options opt;
    struct package pkg;
    struct test_binary bin;
    struct session s;
    const struct origin_test *test;
    struct host *host; /* NULL until lf_target_host */
    struct symtab symtab;
    struct lines lines;
    struct trial trial; /* of the host */
};

/*
 * lf_target_open starts executable and finds the test: the one that is named by the last component
 * of wanted, or of the executable's path if that is NULL ("FuzzX", "/out/FuzzX", "bin@FuzzX"); else
 * the only one there is. What the user did not set is
 * libFuzzer's default. fuzzes says that mutated inputs are going to be executed. CFZ_EUSAGE: no
 * test, or several; else as session_open. On failure nothing is left.
 */
int lf_target_open(struct lf_target *t, const char *executable, const char *wanted,
                   const struct lf_flags *flags, bool fuzzes, struct cfz_error *err);
void lf_target_close(struct lf_target *t);

/* lf_target_host runs the setup part, so that t->trial can execute inputs. CFZ_EUSAGE if that
 * failed or skipped; CFZ_EIO, CFZ_EINTERNAL. */
int lf_target_host(struct lf_target *t, struct cfz_error *err);

/* lf_target_wait is one turn of the loop, for modes other than fuzzing. CFZ_EIO with EINTR in sys
 * after SIGINT; otherwise as origin_check. */
int lf_target_wait(void *target, struct cfz_error *err);

/* lf_target_told_to_stop: the error is that a signal told us to. */
bool lf_target_told_to_stop(const struct lf_target *t);

/* lf_target_greet prints the lines that libFuzzer begins with: seed, modules, counters. */
void lf_target_greet(const struct lf_target *t);

#endif
