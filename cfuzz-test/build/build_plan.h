/*
 * build_plan.h - the commands that make a package's test binaries. They are decided before
 * anything runs: for -n, for the key of the cache, and for ninja.
 *
 * A package has one test binary. But if several of its sources are harnesses, each of these is a
 * program of its own, as in the project that it comes from: there is a binary for each, of it and
 * all sources that are not harnesses; and one of the latter alone, if they have fuzz tests.
 */
#ifndef BUILD_PLAN_H
#define BUILD_PLAN_H

#include "build/compiler.h"
#include "core/buf.h"
#include "base/install.h"
#include "cli/options.h"
#include "build/package.h"

/* For each link: calls of these come to runtime/target/ours_wrap.c and actions_wrap.c, where the C
 * library's are weak, so that -u has to take them out of libc.a, with -static. */
#define LINK_SIGNALS                                                                               \
    "-Wl,--wrap=kill,--wrap=killpg,--wrap=sigqueue,--wrap=tgkill,"                                 \
    "--wrap=signal,--wrap=__sysv_signal,--wrap=sigaction,"                                         \
    "-u,kill,-u,killpg,-u,sigqueue,-u,tgkill,-u,signal,-u,__sysv_signal,-u,sigaction"

/* One command and the file it makes. It runs in the package directory. */
struct build_step {
    char *input;         /* the source; NULL for a link */
    char *output;        /* absolute */
    char *depfile;       /* absolute: what the compiler or linker read; NULL if it does not say */
    char *program;       /* absolute: a header that names this program's main; or NULL */
    char *names_harness; /* absolute: a header that holds the name of this harness; or NULL */
    const char *harness; /* of a harness, or of the link of one among several: its name; or NULL */
    struct strlist argv; /* complete */

    /* Where it stands in the plan. */
    size_t source;          /* of a compilation: index in the package */
    bool unregistered;      /* of a compilation: without the fuzz tests of the source */
    struct strlist objects; /* of a link */
};

/* Strings belong to the struct, but for those of the package. */
struct build_plan {
    char *key;                /* 32 hex digits over everything that can change the output */
    char *dir;                /* where outputs are: <cache>/build/<key> */
    struct build_step *steps; /* ncompiles compilations, then at least one link */
    size_t ncompiles, nsteps;
    struct strlist libraries; /* ours, which each link reads */
};

/*
 * build_plan_make plans the build of pkg with compiler c, which has cxx if pkg has C++ sources. The
 * build is for engine, if that is not NULL, else for fuzzing when opt->fuzz is set. For an engine each
 * harness is a program of its own, also if there is one. pkg outlives the plan. Creates nothing.
 * CFZ_EUSAGE, CFZ_ENOMEM; CFZ_EIO when a part of cfuzz itself is missing.
 */
int build_plan_make(const struct options *opt, const struct package *pkg, const struct compiler *c,
                    const struct engine *engine, const struct install *in, struct build_plan *out,
                    struct cfz_error *err);
void build_plan_release(struct build_plan *plan);

/* build_plan_is_foreign_standard tells that a flag chooses a version of C for a C++ compiler, or
 * the other way about, which that would refuse. */
bool build_plan_is_foreign_standard(const char *flag, bool cxx);

/* build_plan_print writes "cd <dir>" and every command to stderr, as a shell would read them. */
int build_plan_print(const struct build_plan *plan, const struct package *pkg,
                     struct cfz_error *err);

/* build_plan_ninja adds to out the build.ninja of plan, which ninja reads in the package directory.
 */
int build_plan_ninja(const struct build_plan *plan, struct cfz_buf *out, struct cfz_error *err);

#endif
