/*
 * engine.h - test binaries that another engine runs: what that changes about compiling and linking.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "base/strlist.h"
#include "cli/options.h"

/* What -engine names. Strings belong to the struct. */
struct engine {
    const char *compiler;    /* the engine's own, or NULL: any clang */
    const char *prefix;      /* how the names of its compilers begin; NULL with compiler */
    struct strlist cflags;   /* for each source */
    struct strlist link;     /* flags of the link */
    struct strlist archives; /* absolute: what the link reads before ours */
    bool static_ffi;         /* link libffi.a, which is there: the executable runs elsewhere */
    struct strlist linker;   /* the command that links instead of the compiler; empty: none */
};

/*
 * engine_find fills *out with what opt->engine needs: "libfuzzer", "afl", "honggfuzz", or "env" for
 * what $LIB_FUZZING_ENGINE says, where $CFLAGS have the coverage and $CXX links. It is released by
 * engine_release, also after failure. CFZ_EUSAGE for another name, or a variable that is not set.
 */
int engine_find(const struct options *opt, struct engine *out, struct cfz_error *err);
void engine_release(struct engine *e);

/* engine_has_static_ffi reports whether libffi.a is where linkers look. What runs elsewhere needs
 * it. */
bool engine_has_static_ffi(void);

#endif
