/*
 * link_hints.h - what would bring the functions that a failed link lacks.
 *
 * Context: ordinary.
 */
#ifndef LINK_HINTS_H
#define LINK_HINTS_H

#include "build/package.h"

/*
 * link_hints_undefined adds to out the names that the linker says are undefined, each once: GNU's
 * "undefined reference to `pow'" and LLVM's "undefined symbol: pow". Only CFZ_ENOMEM.
 */
int link_hints_undefined(const char *said, struct strlist *out, struct cfz_error *err);

/*
 * link_hints_library returns the directive that brings the library which has the function name:
 * "ldflags -lm", "pkg-config glib-2.0"; NULL if none is known.
 */
const char *link_hints_library(const char *name);

/*
 * link_hints_tell prints, for what said lacks, the lines to add to a source of pkg: a library's, or
 * that of sources elsewhere in the project which define the function. It prints nothing about what
 * it does not know.
 */
void link_hints_tell(const struct package *pkg, const char *said);

#endif
