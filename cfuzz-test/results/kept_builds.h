/*
 * kept_builds.h - what each build of -sanitizers made of the inputs of a package when it ran last,
 * for the report.
 *
 * <cache>/history/<package path>/.builds.json, which a run of all tests writes at its end:
 *
 *     {"version": 1, "builds": [{
 *         "name": "asan+ubsan",
 *         "at": 1766415600,               when it ran, seconds since 1970
 *         "left_out": "...",              why it could not run, or not there
 *         "broken": "...",                why the package could not be run in it, or not there
 *         "inputs": {"FuzzX/seed#0": "pass", ...},        words of sanitizer_cell_word
 *         "crashes": [{"where": "...", "test": "FuzzX/seed#1", "inputs": 2, "command": "...",
 *                      "said": "..."}]
 *     }, ...]}
 *
 * A build that runs again replaces what is kept of it; the others stay, each with its time. A file
 * that is damaged or of another version is begun anew. Context: ordinary.
 */
#ifndef KEPT_BUILDS_H
#define KEPT_BUILDS_H

#include "results/sanitizer_table.h"

/* kept_builds_file gives the path of the file of a package, NULL without a cache. The caller frees
 * it. */
char *kept_builds_file(const char *package_path);

/*
 * kept_builds_load adds to *out, which has no build yet, what the file at path has. Its rows are of
 * the package that is called that. What cannot be used is as if it were not there. CFZ_ENOMEM.
 */
int kept_builds_load(const char *path, const char *package, struct sanitizer_table *out,
                     struct cfz_error *err);

/* kept_builds_save keeps what t has of that package, and makes the directory. CFZ_EIO, CFZ_ENOMEM;
 * the file is as it was then. */
int kept_builds_save(const char *path, const char *package, const struct sanitizer_table *t,
                     struct cfz_error *err);

#endif
