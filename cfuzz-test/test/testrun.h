/*
 * testrun.h - fuzz tests as unit tests: each seed once, each in a process of its
 * own, reported in order.
 */
#ifndef TESTRUN_H
#define TESTRUN_H

#include "test/testrun_state.h"

/*
 * testrun_tests runs the tests that -run and not -skip selects, -count times; with
 * but_fuzzed not those that -fuzz selects. What failed is printed and no error, nor
 * is what could not be run: the seeds and tests behind it run all the same. CFZ_EIO,
 * CFZ_EINTERNAL as origin_check, CFZ_ENOMEM.
 */
int testrun_tests(const struct options *opt, struct session *s, bool but_fuzzed, struct testrun *r,
                  struct cfz_error *err);

#endif
