/*
 * lf_flags.h - libFuzzer's command line: -name=value, then files or directories.
 */
#ifndef LF_FLAGS_H
#define LF_FLAGS_H

#include <stddef.h>
#include <stdio.h>

#include "base/strlist.h"

/* Integers as given or by default; texts are NULL where they were not given, and point into argv.
 */
struct lf_flags {
#define INT(name, dflt, help) int name;
#define TEXT(name, help) const char *name;
#include "libfuzzer/lf_flags.def"
#undef INT
#undef TEXT
    struct strlist inputs; /* files or directories, in their order */
    struct strlist given;  /* the flags as they were written, for processes that this one starts */
};

/*
 * lf_flags_parse reads argv[0..argc), without the program's name. What is no flag of libFuzzer's is
 * told on stderr and passed over, as libFuzzer does: "--x", and "-name=value" of an unknown name. A
 * number that is not one is CFZ_EUSAGE: "-runs=x: not a number" (libFuzzer takes it for 0), or "out
 * of range". CFZ_ENOMEM.
 */
int lf_flags_parse(int argc, char *const argv[], struct lf_flags *out, struct cfz_error *err);
void lf_flags_release(struct lf_flags *f);

/* lf_flags_help prints what -help=1 does. program is how it was called. */
void lf_flags_help(FILE *out, const char *program);

#endif
