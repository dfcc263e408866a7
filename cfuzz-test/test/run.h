/*
 * run.h - the two things main does with a test binary.
 *
 * Both print to stdout everything but the last two lines, which are main's:
 * PASS or FAIL, and "ok  \t<package>\t0.003s" or its like. Neither exits.
 */
#ifndef RUN_H
#define RUN_H

#include "build/build.h"
#include "cli/options.h"

/*
 * Who is told of each input that runs as a test (options.watch): before its execution, and when it
 * is over, however it ended. With -parallel=1 nothing else of the test binary runs in between. One
 * that ended by another's doing is begun again: before comes twice then. A failure ends the run.
 */
struct input_watch {
    int (*before)(void *ctx, const struct test_binary *bin, const char *name,
                  struct cfz_error *err);
    int (*after)(void *ctx, const struct test_binary *bin, const char *name, struct cfz_error *err);
    void *ctx;
};

struct run_result {
    /* EXIT_PASSED; EXIT_FAILED; EXIT_USAGE or EXIT_INTERNAL when a part of the run could not be
     * made. What failed has been printed. */
    enum exit_status status;
    bool no_fuzz_tests; /* the binary holds none: main prints "?   \t<package>\t[no fuzz tests]" */
    bool no_tests_to_run; /* -run selected nothing; the warning has been printed */
    bool no_seeds_to_run; /* -run selected tests but none of their seeds; likewise */
    bool interrupted;     /* a signal ended it: main goes on to no further package */
    bool
        several; /* nothing was run: -fuzz selects several tests, which take turns (fuzz/turns.h) */
    bool not_fuzzed; /* it took turns with others, and there was no time for it */
    bool terminated; /* SIGTERM or SIGHUP, an error, but the run had failed: EXIT_FAILED */
};

/*
 * testrun_package runs the seeds of each test that -run and not -skip selects, in
 * workers, and fills res. Returns -1 where the run could not be made at all;
 * the text is for main to print: CFZ_EUSAGE (exit 2: the executable is not a test
 * binary, or its sanitizers are not those asked for), CFZ_EIO (exit 2),
 * CFZ_EINTERNAL (exit 3).
 */
int testrun_package(const struct options *opt, const struct test_binary *bin,
                    struct run_result *res, struct cfz_error *err);

/*
 * fuzz_package runs the seeds as testrun_package does, then fuzzes the test that
 * -fuzz selects until a limit, a failing input or Ctrl-C. Results and errors as
 * above; an error also ends a run that found failing inputs, which have been saved and
 * told then, and its exit status, the higher one, is the run's; but see terminated.
 */
int fuzz_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err);

#endif
