/*
 * compiler.h - the C compiler that builds a package, and the plugin for it.
 */
#ifndef COMPILER_H
#define COMPILER_H

#include "base/install.h"
#include "cli/options.h"
#include "base/strlist.h"

/* Strings belong to the struct. */
struct compiler {
    struct strlist command; /* words: "ccache", "clang-19"; the last one is the compiler */
    char *path;             /* of the compiler, absolute, as PATH gave it */
    bool is_clang;
    int major;
    char version[32]; /* "19.1.7" */
    char *plugin;     /* absolute; NULL for gcc */
};

/*
 * compiler_find takes -cc, else CC, else the first of clang-19, clang-22,
 * clang-16, clang-14 and clang that is in PATH and has a plugin. Errors,
 * CFZ_EUSAGE: "no clang found: ...", "clang-15: no plugin for clang 15: there
 * are plugins for 14, 19". gcc needs no plugin.
 * What a compiler is gets remembered in <cache>/build/compilers, not with -n.
 */
int compiler_find(const struct options *opt, const struct install *in, struct compiler *out,
                  struct cfz_error *err);
void compiler_release(struct compiler *c);

/*
 * find_symbolizer gives the llvm-symbolizer that belongs to c (NULL: any that is
 * there), or NULL. The caller's, freed by free.
 */
char *find_symbolizer(const struct compiler *c);

/* find_program looks name up in PATH; a name with '/' stays. NULL when there is none; freed by
 * free. */
char *find_program(const char *name);

#endif
