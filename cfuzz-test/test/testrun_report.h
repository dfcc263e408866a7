/*
 * testrun_report.h - what the user reads of tests that are run: seeds in their order, and the tree
 * of results. Errors are CFZ_ENOMEM unless told otherwise. Context: ordinary.
 */
#ifndef TESTRUN_REPORT_H
#define TESTRUN_REPORT_H

#include "test/testrun_state.h"

/* testrun_report_start tells that the test begins; it is printed with -v. */
void testrun_report_start(const struct test *t);

/* testrun_report_log takes what the seed of j logged and what the target printed, from its worker.
 */
int testrun_report_log(struct job *j, struct cfz_error *err);

/* testrun_report_values has the values of a seed that failed shown below its log: Go leaves it to
 * the log to tell what the seed was. */
int testrun_report_values(struct job *j, struct cfz_error *err);

/* testrun_report_seeds prints, or keeps for the tree, the seeds that are next in order and done.
 * With -failfast it sets t->stop behind the first that failed. */
int testrun_report_seeds(struct test *t, struct cfz_error *err);

/* testrun_report_setup keeps text of the setup part for below the header; with -v it prints it at
 * once. */
int testrun_report_setup(struct test *t, const char *text, size_t len, struct cfz_error *err);

/* testrun_report_host tells how the host ended where it should not have: as the test's failure.
 * Errors are those of crash_report_host. */
int testrun_report_host(struct test *t, struct cfz_error *err);

/* testrun_report_timeout prints that the time is up, and what ran then. */
void testrun_report_timeout(const struct test *t);

/* testrun_report_result tells the test's result and those of its seeds. Where it failed, and with
 * -v, it prints the tree of them. err may be NULL. */
int testrun_report_result(const struct test *t, enum outcome outcome, uint64_t ns,
                          struct cfz_error *err);

#endif
