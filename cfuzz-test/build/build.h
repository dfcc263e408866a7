/*
 * build.h - from a package to its test binaries: one, or one for each of several harnesses
 * (build_plan.h).
 *
 * Products live in <cache>/build/<key>/, where the key covers everything that
 * can change the output but the sources and what they include; ninja and build_inputs.h see to
 * those. Several drivers may build one package at the same time.
 */
#ifndef BUILD_H
#define BUILD_H

#include <sys/stat.h>

#include "cli/options.h"
#include "build/package.h"

/* What runs. Strings belong to the struct. */
struct test_binary {
    const struct package *pkg; /* borrowed: names, package directory, cache path */
    bool several;              /* the package has other binaries too */
    bool first;                /* it is the first of them */
    const char *harness;       /* of several, which of the package's harnesses it is; or NULL */
    char *path;                /* absolute */
    bool prebuilt;             /* a test executable of the user; HELLO says what it is */
    bool instrumented;         /* we built it, with coverage instrumentation */
    /* What it was built with; of a prebuilt one, what was asked for and has to agree. */
    unsigned sanitizers;
    char *symbolizer; /* absolute path of an llvm-symbolizer, or NULL */
    /* With -cover: the tools of the compiler's LLVM, absolute, and the file as it was found. */
    char *llvm_profdata, *llvm_cov;
    struct stat built;
};

struct test_binaries {
    struct test_binary *v; /* that of the package's own fuzz tests, if there is one, is the first */
    size_t n;
};

/*
 * build_package builds pkg, or takes its test executable, and fills *out. Commands and compiler
 * messages go to stderr. With -n nothing is built, and paths are where binaries would be. out is
 * released by test_binaries_release, also after failure. CFZ_EUSAGE: no usable compiler ("no clang
 * found: ..."), or with -cover no tool; CFZ_EFORMAT "<name>: build failed", after the compiler's
 * own text; CFZ_EIO.
 */
int build_package(const struct options *opt, const struct package *pkg, struct test_binaries *out,
                  struct cfz_error *err);
void test_binaries_release(struct test_binaries *b);

/*
 * build_copy copies the test binary to path, or into it if it is a directory. A NULL path is
 * its own name, <package>.test or <harness>.test, in the current directory. The copy appears whole
 * or not at all; but what is no regular file, /dev/null or a pipe, is written to as it is. CFZ_EEXIST:
 * there is a file that no build made, such as a source. CFZ_EIO.
 */
int build_copy(const struct test_binary *bin, const char *path, struct cfz_error *err);

#endif
