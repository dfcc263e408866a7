/*
 * sanitizers.h - the sanitizers that a package can be built with: the lines SANITIZER_FLAG of
 * flags.def, as a table; and the sets of them that -sanitizers names.
 *
 * What differs from one to the other stays where it is used, by these names: the options in
 * process/environment.c, the first lines of reports in stack/sanitizer_report.c, the prefixes of
 * functions in crash/crash_signature.c. Their unit tests run over this table.
 */
#ifndef SANITIZERS_H
#define SANITIZERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct sanitizer {
    const char *flag;  /* "asan", of cfuzz-test; also in "ASAN_OPTIONS" and "__asan_..." */
    unsigned bit;      /* CFZ_BUILD_ASAN of enum cfz_build_flags; in options.sanitizers and HELLO */
    const char *value; /* "address", of the compiler's -fsanitize= */
    const char *name;  /* "AddressSanitizer", as reports and messages have it */
};

/* In the order in which they are in help, commands and messages. */
extern const struct sanitizer sanitizers_all[];
extern const size_t sanitizers_count;

/* sanitizers_conflict gives two of the set that cannot be in one build, and returns true; false
 * where it is legal. Of AddressSanitizer, MemorySanitizer and ThreadSanitizer each wants the
 * address space for itself. */
bool sanitizers_conflict(unsigned set, const struct sanitizer **a, const struct sanitizer **b);

#define SANITIZERS_NAME_MAX 64
/* sanitizers_name writes the set as -sanitizers has it: "asan+ubsan", and "none" for 0. Returns
 * text. */
const char *sanitizers_name(unsigned set, char text[SANITIZERS_NAME_MAX]);

/* What -sanitizers asks for: one run of all tests with each of these sets. */
struct sanitizer_sets {
    unsigned v[16];
    size_t n;  /* 0: the flag was not given */
    bool some; /* "all": those that the compiler does not have are left out */
};

/*
 * sanitizer_sets_parse reads "all", or sets with commas between them: "none,asan+ubsan,msan". all
 * is no sanitizer, AddressSanitizer with UndefinedBehaviorSanitizer, and each other one alone.
 * CFZ_EUSAGE: "-sanitizers=asan+msan: -asan and -msan cannot be in one build", "-sanitizers=assan:
 * no such sanitizer; did you mean asan?".
 */
int sanitizer_sets_parse(const char *text, struct sanitizer_sets *out, struct cfz_error *err);

#endif
