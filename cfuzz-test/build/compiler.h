/*
 * compiler.h - the C compiler that builds a package, and the plugin for it.
 */
#ifndef COMPILER_H
#define COMPILER_H

#include "base/install.h"
#include "build/engine.h"
#include "cli/options.h"
#include "base/strlist.h"

/* Strings belong to the struct. */
struct compiler {
    struct strlist
        command; /* "ccache", "clang-19"; the last word that is not a flag is the compiler */
    char *path;  /* of the compiler, absolute, as PATH gave it */
    bool is_clang;
    int major;
    char version[32]; /* "19.1.7" */
    char *plugin;     /* absolute; NULL for gcc, and for a clang without one where an engine needs it */
};

/*
 * compiler_find takes -cc, else CC, else the first of clang-<N>, for the majors N of
 * cmake/llvm-versions in their order, and clang that is in PATH and has a plugin. Errors,
 * CFZ_EUSAGE: "no clang found: ...", "clang-15: no plugin for clang 15: plugins in <directory>: 14,
 * 19 (...)". gcc needs no plugin. The kind and version of a compiler are remembered in
 * <cache>/build/compilers, but with -n nothing is written.
 *
 * With an engine (NULL: none) it has to be one of the engine's if it has some, and is that by default.
 * A clang without a plugin will do, then: tests register themselves, and the engine has the coverage.
 */
int compiler_find(const struct options *opt, const struct engine *engine, const struct install *in,
                  struct compiler *out, struct cfz_error *err);
void compiler_release(struct compiler *c);

/*
 * find_symbolizer gives the path of the llvm-symbolizer that belongs to c, else of any that is
 * there, or NULL. c may be NULL. The caller frees it with free.
 */
char *find_symbolizer(const struct compiler *c);

/* find_program looks name up in PATH; one with '/' is only made absolute. NULL if there is no such
 * program. The caller frees it with free. */
char *find_program(const char *name);

#endif
