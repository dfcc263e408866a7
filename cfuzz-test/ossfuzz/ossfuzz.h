/*
 * ossfuzz.h - the fuzz tests of packages as fuzz targets of OSS-Fuzz: what its build.sh calls.
 * Context: ordinary.
 */
#ifndef OSSFUZZ_H
#define OSSFUZZ_H

#include "build/package.h"
#include "cli/options.h"

/*
 * ossfuzz_run builds the tests of all packages that have any into $OUT, as FUZZING_ENGINE,
 * SANITIZER, LIB_FUZZING_ENGINE, CC, CXX and CFLAGS say, and beside each FuzzX its seeds,
 * FuzzX_seed_corpus.zip, and its words, FuzzX.dict; beside a harness of libFuzzer what lies beside
 * its source: options, dictionary, seeds. What was made is printed. A package that cannot
 * be built is told, sets *status, and the others go on. CFZ_EUSAGE for a variable that is not set
 * or has no value that is known; CFZ_EIO if $OUT cannot be written.
 */
int ossfuzz_run(const struct options *opt, struct packages *pkgs, enum exit_status *status,
                struct cfz_error *err);

/*
 * ossfuzz_init writes what ClusterFuzzLite and OSS-Fuzz want to find: .clusterfuzzlite/, oss-fuzz/
 * and .github/workflows/clusterfuzzlite.yml below the current directory, and prints their names. It
 * writes nothing if one of the files is there: CFZ_EEXIST.
 */
int ossfuzz_init(struct cfz_error *err);

#endif
