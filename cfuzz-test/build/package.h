/*
 * package.h - packages: directories of C and C++ sources that hold fuzz tests, or test
 * executables that were built elsewhere.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "base/strlist.h"

/* One C or C++ file. Every compiler runs in the package directory. */
struct package_source {
    char *path; /* absolute */
    char *real; /* the same without symbolic links */
    /* Those of this file in compile_commands.json, relative paths made absolute. */
    struct strlist flags;
    bool own;         /* it lies in the package directory, so that its tests count */
    bool spells_test; /* FUZZ_TEST stands in it, or it has it through a header (test_includes.h) */
    bool has_main;    /* ... and a definition of main */
    bool is_cxx;      /* it is C++ */
    /* It defines LLVMFuzzerTestOneInput, on harness_line: the name of that test, which is the
     * file's without its suffix; else NULL. */
    char *harness;
    size_t harness_line;
    const char *part; /* another function of a harness that it defines, on part_line; or NULL */
    size_t part_line;
};

struct package {
    char *given;       /* as on the command line, or found below it: "." */
    char *name;        /* the same for reports; "." as the directory's base name */
    char *dir;         /* real, absolute; testdata/ is here */
    char *path;        /* its place in the cache: dir without the leading '/' */
    char *executable;  /* absolute: a test executable instead of sources; NULL for a directory */
    bool among_others; /* found through "...", or beside others: it may well have no tests */

    struct package_source *sources; /* sorted by path; none with an executable */
    size_t nsources;
    struct strlist cflags;   /* of //cfuzz:cflags lines, in order of files and lines */
    struct strlist ldflags;  /* of //cfuzz:ldflags lines */
    struct strlist excluded; /* absolute: what //cfuzz:exclude lines of own sources name */
    /* Of //cfuzz:compare lines: function, parameters, place: "my_memeq:0:1:2@/p/a_test.c:3". */
    struct strlist comparators;
    char *compile_commands; /* the compile_commands.json in use, or NULL */
    struct strlist
        libraries;   /* with which the build beside it links the sources (link_libraries.h) */
    bool had_ndebug; /* -DNDEBUG stood there and was left out */
    char *gone;      /* a directory in which commands ran there, and which is not; or NULL */
    char *unlisted;  /* without compile_commands: the nearest database, which lists no source of
                      * the package; or NULL */
    struct strlist cxxflags; /* of //cfuzz:cxxflags lines */
    bool mentions_tests;     /* some file of the directory has FUZZ_TEST, or is a harness */
    bool mentions_own_tests; /* some file of the directory spells FUZZ_TEST, or includes a header
                              * elsewhere that has it */
    size_t nharnesses;       /* sources that are one */
};

struct packages {
    struct package *v;
    size_t n;
};

/*
 * packages_find resolves the command line's package arguments: a directory, a
 * test executable, or "<directory>/..." for it and every directory below it that
 * holds C files. Directories that begin with '.' or '_', testdata and build trees are passed over.
 * Without arguments it is the current directory. exec_dir is the package
 * directory of executables (-dir), NULL for the current one. Sources are not
 * read yet. CFZ_EUSAGE: "<arg>: no such file or directory", "<arg>: neither a
 * directory nor a test executable".
 */
int packages_find(const char *const *args, size_t nargs, const char *exec_dir, struct packages *out,
                  struct cfz_error *err);
void packages_release(struct packages *p);

/*
 * package_load finds the sources of a directory package: its .c, .cc, .cpp and .cxx files whose
 * names begin with neither '.' nor '_', without what //cfuzz:exclude names, what //cfuzz:sources
 * adds, and the flags that
 * //cfuzz:cflags, //cfuzz:cxxflags and //cfuzz:ldflags give. (Those of compile_commands.json are
 * compile_commands_apply's.) CFZ_EUSAGE "<name>: no C or C++ source files", but for a package among
 * others, which then has none; CFZ_EFORMAT "<file>: line <n>: <why>" for a bad //cfuzz: line;
 * CFZ_EUSAGE "<file>: //cfuzz:sources <word>: no such file",
 * "<file>: //cfuzz:exclude <word>: no source matches",
 * "<name>: two harnesses are named <harness>: a.c:3, a.cc:7", "<file>:<line>: <function> is
 * defined, but no source of <name> defines LLVMFuzzerTestOneInput".
 */
int package_load(struct package *p, struct cfz_error *err);

#endif
