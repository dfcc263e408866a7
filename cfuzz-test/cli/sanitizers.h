/*
 * sanitizers.h - the sanitizers that a package can be built with: the lines SANITIZER_FLAG of
 * flags.def, as a table.
 *
 * What differs from one to the other stays where it is used, by these names: the options in
 * process/environment.c, the first lines of reports in stack/sanitizer_report.c, the prefixes of
 * functions in crash/crash_signature.c. Their unit tests run over this table.
 */
#ifndef SANITIZERS_H
#define SANITIZERS_H

#include <stddef.h>

struct sanitizer {
    const char *flag;  /* "asan", of cfuzz-test; also in "ASAN_OPTIONS" and "__asan_..." */
    unsigned bit;      /* CFZ_BUILD_ASAN of enum cfz_build_flags; in options.sanitizers and HELLO */
    const char *value; /* "address", of the compiler's -fsanitize= */
    const char *name;  /* "AddressSanitizer", as reports and messages have it */
};

/* In the order in which they are in help, commands and messages. */
extern const struct sanitizer sanitizers_all[];
extern const size_t sanitizers_count;

#endif
