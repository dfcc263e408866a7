/*
 * build_twins.h - fuzz tests that are defined twice in a package, found out when the link fails.
 *
 * Context: ordinary.
 */
#ifndef BUILD_TWINS_H
#define BUILD_TWINS_H

#include "build/build_plan.h"

/*
 * build_twins_explain looks in said, what the linker printed, for tests that several objects of
 * plan define. If there are some, it fails with CFZ_EFORMAT: "parse: FuzzParse is defined twice:
 * a.c:3, b.c:7", with "tests.h:3 (included by a.c)" where it stands in a header. Otherwise it
 * returns 0: the linker has to be quoted.
 */
int build_twins_explain(const struct build_plan *plan, const struct package *pkg, const char *said,
                        struct cfz_error *err);

#endif
