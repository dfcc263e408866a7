/*
 * result.h - what is known of a test, a seed or a crash that results tell of. All is borrowed.
 */
#ifndef RESULT_H
#define RESULT_H

#include <stdint.h>

enum result_kind {
    RESULT_PASSED,
    RESULT_SKIPPED,
    RESULT_FAILED,
    RESULT_BROKEN, /* of a package: it was not built, or could not be run to its end */
};

/* What is known of how a test failed. Texts that are not known are "". */
struct result_crash {
    const char *kind;     /* "Segmentation fault", "AddressSanitizer: heap-buffer-overflow" */
    const char *where;    /* kind and place in one line: "Segmentation fault at parse.c:41" */
    const char *line;     /* "parse.c:41", relative to the package if it lies there */
    const char *function; /* ... and the function that it lies in */
    const char *identity; /* equal for two failures that are one crash */
    const char *file;     /* of the input, relative to the package */
    const char *command;  /* runs the input again */
};

#define RESULT_CRASH_INIT                                                                          \
    {                                                                                              \
        "", "", "", "", "", "", ""                                                                 \
    }

/* Where an input comes from. */
enum result_origin {
    ORIGIN_SEED,  /* cfuzz_add, or an archive of seeds */
    ORIGIN_FILE,  /* a file in testdata/corpus */
    ORIGIN_CACHE, /* fuzzing kept it */
};

/* What an input is, for those who list them. */
struct result_input {
    enum result_origin origin;
    uint64_t bytes;     /* of its values together */
    const char *values; /* one a line, long ones cut (report_values); "" of what is no input */
};

/* A test or a seed that is over. */
struct result {
    const char *test;      /* "FuzzX" or "FuzzX/seed#0" */
    enum result_kind kind; /* not RESULT_BROKEN */
    uint64_t ns;
    const char *text;                 /* lines that say why, or NULL */
    const struct result_crash *crash; /* of one that failed, or NULL */
    const struct result_input *input; /* of a seed, if results are kept (options.h); else NULL */
};

/* How fuzzing a test goes. */
struct fuzz_status {
    const char *doing; /* "baseline", "fuzzing", "confirming", "minimizing", "stopping", "done" */
    uint64_t elapsed_ns;
    uint64_t execs; /* of mutated inputs */
    double rate;    /* of them, a second */
    /* How long all workers execute what they execute; 0: not worth telling. */
    uint64_t executing_ns;
    uint64_t interesting, total;
    uint64_t baseline, of_baseline; /* inputs of the baseline that were run, of all */
    uint64_t covered, counters;     /* counters 0: the build has none */
    uint64_t crashes;               /* distinct ones */
    unsigned workers;
    uint64_t since_find_ns; /* since the last interesting input, or since the beginning */
};

#endif
