/*
 * flags.h - the command line: flags as Go spells them, with packages between or behind them.
 *
 * -flag, --flag, -flag=value, -flag value; a switch takes a value only after
 * '=' (-v=false). The last one wins, but of FLAG_FILES all count. "--" ends the flags.
 */
#ifndef FLAGS_H
#define FLAGS_H

#include "cli/options.h"
#include "base/strlist.h"

enum flag_kind {
    FLAG_SWITCH,    /* bool */
    FLAG_STRING,    /* const char * */
    FLAG_PATTERN,   /* const char *; compiled later */
    FLAG_FILES,     /* struct files: each time one more */
    FLAG_LIMIT,     /* struct fuzz_limit */
    FLAG_LIMIT_OFF, /* struct fuzz_limit; 0s and 0x are none */
    FLAG_COUNT,     /* uint32_t, 1 to 65535 */
    FLAG_NUMBER,    /* uint64_t */
    FLAG_SIZE,      /* uint64_t, 1 to CFZ_SLOT_SIZE */
    FLAG_DURATION,  /* int64_t ns, above 0 */
    FLAG_TIMEOUT,   /* int64_t ns, 0 or more */
    FLAG_SHUFFLE,   /* struct shuffle: off, on or a number */
    FLAG_SANITIZER, /* a bit of unsigned sanitizers */
};

enum flag_group { GROUP_CHOICE, GROUP_FUZZ, GROUP_TEST, GROUP_REPORT, GROUP_BUILD, GROUP_COUNT };

/* One line of flags.def. */
struct flag {
    const char *name;
    enum flag_kind kind;
    size_t offset; /* of the field in struct options */
    unsigned bit;  /* FLAG_SANITIZER */
    const char *argument;
    enum flag_group group;
    const char *dflt;
    const char *help;
};

extern const struct flag flags_all[];
extern const size_t flags_count;

/* flags_defaults sets what an empty command line means. It chooses a random seed. */
void flags_defaults(struct options *opt);

/*
 * flags_parse reads argv[0..argc), which does not hold the program's name, into opt, and adds what
 * is not a flag to args. opt's strings point into argv. If only is not NULL, just the flags it
 * names are known; NULL ends it. *help is set when -h or -help was given; what follows is not read
 * then. CFZ_EUSAGE in Go's words: "flag provided but not defined: -bogus", `invalid value "0x" for
 * flag -fuzztime: invalid count`.
 */
int flags_parse(int argc, char *const argv[], const char *const *only, struct options *opt,
                struct strlist *args, bool *help, struct cfz_error *err);

/*
 * flags_check refuses flags that cannot go together, and compiles the patterns.
 * nexecutables of the npackages packages are test executables. CFZ_EUSAGE: "cannot use -fuzz flag
 * with multiple packages"; CFZ_EFORMAT as pattern_new.
 */
int flags_check(struct options *opt, size_t npackages, size_t nexecutables, struct cfz_error *err);

/* flags_release frees the compiled patterns and the words. */
void flags_release(struct options *opt);

#endif
