/*
 * harness_files.h - the files beside a harness that say how it is fuzzed: <harness>.options and
 * <harness>.dict; and <harness>_seed_corpus.zip, which seeds.c reads. Context: ordinary.
 */
#ifndef HARNESS_FILES_H
#define HARNESS_FILES_H

#include "build/build.h"
#include "cli/options.h"
#include "cli/options_file.h"

/* Strings belong to the struct. */
struct harness_files {
    struct options opt; /* for the test binary of the harness; a copy, which borrows from it */
    char *base;         /* "/p/parse_fuzzer" */
    char *dict;
    struct options_file file;
};

/*
 * harness_files_open finds the harness that bin has, if it has one, reads what lies beside its
 * source, or beside a test executable, and sets out->opt to opt with these settings, over which
 * flags win. It is released by harness_files_release, also after failure. CFZ_EFORMAT
 * "parse_fuzzer.options: line 3: <why>", CFZ_EUSAGE "parse_fuzzer.options: dict = x.dict: no such
 * file", CFZ_EIO.
 */
int harness_files_open(const struct options *opt, const struct test_binary *bin,
                       struct harness_files *out, struct cfz_error *err);
void harness_files_release(struct harness_files *f);

#endif
