/*
 * testrun.h - fuzz tests as unit tests: each seed once, each in a process of its
 * own, reported in order.
 */
#ifndef TESTRUN_H
#define TESTRUN_H

#include "run.h"
#include "session.h"

struct testrun {
    bool ran; /* -run selected something */
    bool failed;
    bool interrupted; /* Ctrl-C: the rest was not run */
};

/*
 * testrun_tests runs the tests that -run and not -skip selects; with but_fuzzed
 * not those that -fuzz selects. What failed is printed and no error. CFZ_EIO,
 * CFZ_EINTERNAL as session_check.
 */
int testrun_tests(struct session *s, bool but_fuzzed, struct testrun *r, struct cfz_error *err);

#endif
