/*
 * testrun.h - fuzz tests as unit tests: each seed once, each in a process of its
 * own, reported in order.
 */
#ifndef TESTRUN_H
#define TESTRUN_H

#include "core/rand.h"
#include "test/run.h"
#include "process/session.h"

struct testrun {
    bool ran; /* -run selected something */
    bool failed;
    bool interrupted; /* Ctrl-C: the rest was not run */
    /* EXIT_FAILED when failed; EXIT_USAGE or EXIT_INTERNAL when some seed or test could not be run
     * for a reason that lies outside of it. What it was has been printed. */
    enum exit_status status;
    struct cfz_rand order; /* of -shuffle */
};

/*
 * testrun_tests runs the tests that -run and not -skip selects, -count times; with
 * but_fuzzed not those that -fuzz selects. What failed is printed and no error, nor
 * is what could not be run: the seeds and tests behind it run all the same. CFZ_EIO,
 * CFZ_EINTERNAL as origin_check, CFZ_ENOMEM.
 */
int testrun_tests(const struct options *opt, struct session *s, bool but_fuzzed, struct testrun *r,
                  struct cfz_error *err);

#endif
