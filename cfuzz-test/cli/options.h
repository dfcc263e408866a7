/*
 * options.h - the parsed command line, as every part of the driver sees it.
 *
 * flags.def says how each flag is spelled. flags_defaults and flags_parse fill the struct,
 * flags_check compiles the patterns, and commands set package_list and words. Nothing changes it
 * afterwards; for a harness there is a copy with the settings of its own files (harness_files.h).
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/pattern.h"
#include "cli/sanitizers.h"
#include "core/dict.h"

/* The driver's exit codes. Where several packages run, the highest wins. */
enum exit_status {
    EXIT_PASSED = 0,   /* passed, limit reached, Ctrl-C with nothing found */
    EXIT_FAILED = 1,   /* a test or seed failed, or a crasher was found */
    EXIT_USAGE = 2,    /* usage, conflicting flags, build, environment */
    EXIT_INTERNAL = 3, /* our own bug, or a broken channel */
};

/* -fuzztime and -fuzzminimizetime: a duration or "Nx". */
struct fuzz_limit {
    enum {
        LIMIT_NONE, /* endless */
        LIMIT_TIME,
        LIMIT_COUNT, /* executions of mutated inputs, exactly */
    } kind;
    int64_t ns;     /* LIMIT_TIME, above 0 */
    uint64_t count; /* LIMIT_COUNT, above 0 */
};

/* Defaults of -hangtimeout and -rss; a re-run command names only other values. */
#define OPTIONS_HANGTIMEOUT_NS INT64_C(10000000000)
#define OPTIONS_SLOW_NS INT64_C(10000000)
enum { OPTIONS_RSS_MIB = 2048 };

/* Files of a flag that may be given several times, in their order. */
enum { OPTIONS_FILES_MAX = 64 };
struct files {
    const char *v[OPTIONS_FILES_MAX];
    size_t n;
};

struct strlist;

struct options {
    /* What to run: the texts as given, and below each its compiled form. Both are NULL for a flag
     * that was not given. */
    const char *run, *fuzz, *skip, *list;
    struct pattern *run_pattern, *fuzz_pattern, *skip_pattern, *list_pattern;

    const char *debug; /* -debug: "FuzzX/<seed>", or NULL */

    /* How to fuzz. */
    struct fuzz_limit fuzztime;
    uint32_t parallel; /* workers, or seeds run as tests, at once; 1 to 65535, by default the CPUs
                          that this process may use */
    bool seed_given;
    uint64_t seed;       /* of the generator; flags_defaults chose it at random if not given */
    uint64_t fuzzmaxlen; /* bytes that mutation may make of one argument; 1 to CFZ_SLOT_SIZE */
    bool fuzzmaxlen_given;
    bool hangtimeout_given, rss_given; /* as flags: no file of options wins over them */
    int64_t hangtimeout_ns; /* of one execution, and of one setup part; above 0 */
    /* CPU time after which an execution may be cut short; 0: never, as in a run of so many
     * executions with a seed and one worker, which is to repeat exactly, if it is not given. */
    int64_t slow_ns;
    bool slow_given;
    uint64_t rss_mib;     /* memory of a process that runs tests; 0: no limit */
    uint64_t alloc_mib;   /* ... of one allocation; 0: as rss_mib */
    bool sanitized_abort; /* handle_abort in the user's sanitizer options counts */
    bool fuzzes;          /* mutated inputs are executed: -fuzz, or so behind libFuzzer's flags */
    /* For minimizing: of each crash with keepfuzzing, else of all together. LIMIT_NONE: inputs stay
     * as found. */
    struct fuzz_limit fuzzminimizetime;
    bool minimize_given;
    bool solve; /* look at what comparisons want */
    unsigned
        fuzz_flags; /* of enum cfz_fuzz_flags (core/protocol.h): what libFuzzer's flags ask for */
    struct files dict;     /* -dict */
    struct cfz_dict words; /* theirs; command_run.c reads them */
    const char *dictout;   /* where words that helped are saved, or NULL */
    const char *corpus;    /* the directory of interesting inputs, or NULL: the cache */
    struct files sync;     /* -sync: directories that others find for, "flat:" before flat ones */
    bool keepfuzzing;      /* a failing input or seed does not end the run */

    /* What source lines are reached. */
    bool cover;                /* -cover, and what implies it */
    const char *cover_profile; /* -coverprofile: a file, or NULL */
    const char *covered_by;    /* -covered-by: "parse.c:120", or NULL */
    char *profile_dir;         /* where processes leave profiles (cover/profiles.h), or NULL */

    /* How to run tests. */
    bool cached;                     /* inputs of the cache are seeds too */
    const struct input_watch *watch; /* who is told of each input (test/run.h), or NULL */
    int64_t timeout_ns; /* of all tests of a package together, fuzzing left out; 0: no limit */
    bool failfast;      /* no further seed and no further test after the first failure */
    bool verbose;
    bool short_mode; /* what cfuzz_short says */
    uint32_t count;  /* how often each test runs, 1 to 65535 */
    struct shuffle {
        bool on;
        uint64_t seed; /* of the order; for -shuffle=on flags_parse chose it at random */
    } shuffle;

    /* What to build. */
    bool compile_only;           /* -c */
    const char *out;             /* -o, or NULL */
    const char *engine;          /* -engine, or NULL */
    bool libfuzzer;              /* -libfuzzer: out is a directory for executables of that kind */
    bool print_commands;         /* -x, also set by -n */
    bool dry_run;                /* -n: print, run nothing */
    const char *cc;              /* -cc, or NULL */
    const char *build_dir;       /* -p, or NULL */
    unsigned sanitizers;         /* of enum cfz_build_flags, those that sanitizers_all has */
    const char *sanitizers_text; /* -sanitizers, or NULL */
    struct sanitizer_sets sets;  /* ... taken apart. With some, sanitizers is one of them while that
                                    is run, and build_name what it is called: "asan+ubsan" */
    const char *build_name;
    const char *dir; /* -dir: package directory of a test executable, or NULL */

    /* Of a harness: its files without their suffixes, "/p/parse_fuzzer"; and its dictionary. NULL:
     * there are none. The sanitizers' variables, "ASAN_OPTIONS=...", of its .options file. */
    const char *harness, *harness_dict;
    const struct strlist *harness_env;
    /* Crashes that are known. */
    const char *baseline; /* -baseline: a file, or NULL */
    bool write_baseline;  /* -writebaseline */
    struct crash_baseline
        *crash_baseline; /* its content (crash/crash_baseline.h); run_packages.c reads it */

    /* What is told to programs. */
    bool json, tap;
    const char *junit, *sarif; /* files, or NULL */
    bool keep_results;         /* for results_list */

    const char *http;                    /* -http: an address, or NULL */
    const struct fuzz_watch *fuzz_watch; /* who is told how fuzzing goes (fuzz/fuzz_history.h) */

    /* Packages were named on the command line. As in Go, PASS is then not shown but with -v. */
    bool package_list;
    bool several_packages; /* there are several; commands say so */
};

#endif
