/*
 * run_packages.h - the order of events for each package: it is built, its seeds run or it is
 * fuzzed, and it is said what became of it.
 */
#ifndef RUN_PACKAGES_H
#define RUN_PACKAGES_H

#include <time.h>

#include "commands/invocation.h"
#include "cover/lcov.h"
#include "test/run.h"

/* What the packages of a run have in common. */
struct course {
    bool interrupted;         /* a signal ended it: no further package */
    bool matched, unseeded;   /* of packages in which -run selected tests: seeds too, or none */
    struct lcov coverage;     /* -cover: of all packages */
    bool asked, reached;      /* -covered-by: the line is one of a package; some input reaches it */
    struct cfz_error no_code; /* ... why it was not asked about, though a package has the file */
};

#define COURSE_INIT                                                                                \
    {                                                                                              \
        .coverage = LCOV_INIT, .no_code = CFZ_ERROR_INIT                                           \
    }

/* run_packages does with all packages what opt asks for. *err is of no use afterwards: what failed
 * has been printed. */
enum exit_status run_packages(const struct options *opt, struct packages *pkgs,
                              struct course *course, struct cfz_error *err);
/* run_builds is run_packages of the packages that args names, in one build of -sanitizers after the
 * other; then it prints their table. */
enum exit_status run_builds(struct options *opt, const struct strlist *args, struct course *course,
                            struct cfz_error *err);

/* read_baseline reads the crash baseline for a run with opt's sanitizers, if there is to be one. */
int read_baseline(struct options *opt, struct cfz_error *err);

/* run_seeds runs the seeds of a package. With -cover, adds what they reached to *coverage. */
int run_seeds(const struct options *opt, const struct package *pkg,
              const struct test_binaries *bins, struct run_result *res, struct lcov *coverage,
              struct cfz_error *err);
/* drop_lines takes lines that nobody is to see (report_divert). */
int drop_lines(void *ctx, const char *lines, size_t len, struct cfz_error *err);

double seconds_since(const struct timespec *start);

#endif
