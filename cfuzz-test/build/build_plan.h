/*
 * build_plan.h - the commands that make a package's test binary. They are decided before
 * anything runs: for -n, for the key of the cache, and for ninja.
 */
#ifndef BUILD_PLAN_H
#define BUILD_PLAN_H

#include "build/compiler.h"
#include "core/buf.h"
#include "base/install.h"
#include "cli/options.h"
#include "build/package.h"

/* One command and the file it makes. It runs in the package directory. */
struct build_step {
    char *input;         /* the source; NULL for the link */
    char *output;        /* absolute */
    char *depfile;       /* absolute: what the compiler read; NULL for the link */
    char *program;       /* absolute: a header that names this program's main; or NULL */
    struct strlist argv; /* complete */
};

/* Strings belong to the struct. */
struct build_plan {
    char *key;                /* 32 hex digits over everything that can change the output */
    char *dir;                /* where outputs are: <cache>/build/<key> */
    char *binary;             /* <dir>/<name>.test */
    char *name;               /* "parse.test" */
    struct build_step *steps; /* one per source, then the link */
    size_t nsteps;
    struct strlist libraries; /* ours, which the link reads */
};

/*
 * build_plan_make plans the build of pkg with compiler c. The build is for engine, if that is not
 * NULL, else for fuzzing when opt->fuzz is set. Creates nothing. CFZ_EUSAGE, CFZ_ENOMEM; CFZ_EIO
 * when a part of cfuzz itself is missing.
 */
int build_plan_make(const struct options *opt, const struct package *pkg, const struct compiler *c,
                    const struct engine *engine, const struct install *in, struct build_plan *out,
                    struct cfz_error *err);
void build_plan_release(struct build_plan *plan);

/* build_plan_print writes "cd <dir>" and every command to stderr, as a shell would read them. */
int build_plan_print(const struct build_plan *plan, const struct package *pkg,
                     struct cfz_error *err);

/* build_plan_ninja adds to out the build.ninja of plan, which ninja reads in the package directory.
 */
int build_plan_ninja(const struct build_plan *plan, struct cfz_buf *out, struct cfz_error *err);

#endif
