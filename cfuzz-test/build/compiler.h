/*
 * compiler.h - the C compiler that builds a package, the C++ compiler beside it, and the plugin
 * for both.
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
    char *plugin; /* absolute; NULL for gcc, and for a clang without one where an engine needs it */
    char *cxx;    /* the C++ compiler beside path, absolute; NULL: not looked for */
};

/*
 * compiler_find takes -cc, else CC, else the first of clang-<N>, for the majors N of
 * cmake/llvm-versions in their order, and clang that is in PATH and has a plugin. Errors,
 * CFZ_EUSAGE: "no clang found: ...", "clang-15: no plugin for clang 15: plugins in <directory>: 14,
 * 19 (...)". gcc needs no plugin. The kind and version of a compiler are remembered in
 * <cache>/build/compilers, but with -n nothing is written.
 *
 * With an engine (NULL: none) it has to be one of the engine's if it has some, and is that by
 * default. A clang without a plugin will do, then: tests register themselves, and the engine has
 * the coverage.
 */
int compiler_find(const struct options *opt, const struct engine *engine, const struct install *in,
                  struct compiler *out, struct cfz_error *err);
/*
 * compiler_find_cxx looks for the C++ compiler beside c->path: clang++-19 for clang-19, g++ for
 * gcc. CFZ_EUSAGE "/usr/bin/clang++-19: no such program: C++ sources need the C++ compiler beside
 * clang-19". With an engine it is the command that links for it, if there is one, else that of the
 * engine, afl-clang-fast++ for afl-clang-fast.
 */
int compiler_find_cxx(const struct engine *engine, struct compiler *c, struct cfz_error *err);

void compiler_release(struct compiler *c);

/*
 * compiler_choose takes cc, the words of a command, which an error says that which ("-cc:") gave.
 * Where cc is NULL or empty it takes the first of <program>-<N>, program being "clang" or
 * "clang++". may_write: whether the compiler may be remembered. Errors as those of compiler_find.
 */
int compiler_choose(const char *which, const char *cc, const char *program,
                    const struct install *in, bool may_write, struct compiler *out,
                    struct cfz_error *err);

/*
 * find_symbolizer gives the path of the llvm-symbolizer that belongs to c, else of any that is
 * there, or NULL. c may be NULL. The caller frees it with free.
 */
char *find_symbolizer(const struct compiler *c);

/*
 * find_llvm_tool gives the path of a tool of c's LLVM, "llvm-cov": the one beside the compiler,
 * else llvm-cov-<major>, which versions of other majors cannot stand in for. Where c is NULL any
 * version will do. CFZ_EUSAGE "llvm-cov-19: not found (Debian package llvm-19)". The caller frees
 * it with free.
 */
char *find_llvm_tool(const struct compiler *c, const char *tool, struct cfz_error *err);

/* find_program looks name up in PATH; one with '/' is only made absolute. NULL if there is no such
 * program. The caller frees it with free. */
char *find_program(const char *name);

#endif
