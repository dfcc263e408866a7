/*
 * options.h - the parsed command line, as every part of the driver sees it.
 *
 * flags.def says how each flag is spelled, flags.c fills this struct, main.c
 * completes it (packages, compiled patterns). Nothing changes it afterwards.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/pattern.h"

/* The driver's exit codes. Where several packages run, the highest wins. */
enum exit_status {
    EXIT_PASSED = 0,   /* passed, limit reached, Ctrl-C with nothing found */
    EXIT_FAILED = 1,   /* a test or seed failed, or a crasher was found */
    EXIT_USAGE = 2,    /* usage, conflicting flags, build, environment */
    EXIT_INTERNAL = 3, /* our own bug, or a broken channel */
};

/* -fuzztime: a duration or "Nx". */
struct fuzz_limit {
    enum {
        LIMIT_NONE, /* endless */
        LIMIT_TIME,
        LIMIT_COUNT, /* executions of mutated inputs, exactly */
    } kind;
    int64_t ns;     /* LIMIT_TIME, above 0 */
    uint64_t count; /* LIMIT_COUNT, above 0 */
};

/* What an execution may take, by default. */
#define OPTIONS_HANGTIMEOUT_NS INT64_C(10000000000)
enum { OPTIONS_RSS_MIB = 2048 };

struct options {
    /* What to run. Texts as given, NULL when not; the compiled form beside each, NULL when the text
     * is. */
    const char *run, *fuzz, *skip, *list;
    struct pattern *run_pattern, *fuzz_pattern, *skip_pattern, *list_pattern;

    /* How to fuzz. */
    struct fuzz_limit fuzztime;
    uint32_t
        parallel; /* workers and tests at once, 1 or more; default the CPUs this process may use */
    bool seed_given;
    uint64_t seed;       /* of the generator; when not given, main.c chose one at random */
    uint64_t fuzzmaxlen; /* bytes mutation may make of one argument, 1 or more */
    bool fuzzmaxlen_given;
    int64_t hangtimeout_ns;             /* one execution, and one setup part; above 0 */
    uint64_t rss_mib;                   /* memory of a process that runs tests; 0: no limit */
    struct fuzz_limit fuzzminimizetime; /* of one input; LIMIT_NONE: inputs stay as found */
    bool keepfuzzing;                   /* a failing input does not end the run */

    /* How to run tests. */
    int64_t timeout_ns; /* the whole of one package's unit tests; 0 for none */
    bool failfast;      /* no further seed and no further test after the first failure */
    bool verbose;
    bool short_mode; /* what cfuzz_short says */
    uint32_t count;  /* how often each test runs, 1 or more */
    struct shuffle {
        bool on;
        uint64_t seed; /* of the order; with -shuffle=on one chosen at random */
    } shuffle;

    /* What to build. */
    bool compile_only;   /* -c */
    const char *out;     /* -o, or NULL */
    bool print_commands; /* -x, also set by -n */
    bool dry_run;        /* -n: print, run nothing */
    const char *cc;      /* -cc, or NULL */
    unsigned
        sanitizers;  /* enum cfz_build_flags: CFZ_BUILD_ASAN, _UBSAN, _MSAN, _TSAN as asked for */
    const char *dir; /* -dir: package directory of a test executable, or NULL */

    bool package_list; /* packages were named on the command line; as in Go, PASS is then not shown
                        */
};

#endif
