/*
 * standalone.h - a test binary that is run by hand: seeds as tests, in one process.
 */
#ifndef CFZ_STANDALONE_H
#define CFZ_STANDALONE_H

#include <stdbool.h>

struct cfz_standalone_options {
    const char *run; /* "FuzzX" or "FuzzX/<file or seed#0>", literally; NULL: all */
    bool verbose;
    bool list;
    bool short_mode; /* what cfuzz_short says */
};

/*
 * cfz_standalone_run runs tests in this process, without forks or signal handlers: for debuggers.
 * Seeds are those of the setup part and of testdata/corpus/<Name> below the current
 * directory. Prints what go test would. Returns 0 if all passed, 1 if a test failed, 2 if it
 * cannot run, or if there is no seed of the name that run has. A test that is not there is no
 * failure, as in Go.
 */
int cfz_standalone_run(const struct cfz_standalone_options *opt);

/* cfz_standalone_left says that the test called exit, and ends the process. It has a name for
 * debuggers to stop at. */
void cfz_standalone_left(const char *test, int status);

#endif
