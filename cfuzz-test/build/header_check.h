/*
 * header_check.h - headers that were taken from the system although the project has its own.
 *
 * A test that includes <yaml.h> in the sources of libyaml, without -I, is compiled against the
 * version that is installed: it builds, and tests something else. Context: ordinary.
 */
#ifndef HEADER_CHECK_H
#define HEADER_CHECK_H

#include "build/build_plan.h"

/*
 * header_check_tell looks at what the compilers of plan read, and warns for each header of the
 * system of which the project has one of that name: in the package directory, or one of the
 * directories where projects have headers. Those of C and POSIX are not looked at.
 */
void header_check_tell(const struct build_plan *plan, const struct package *pkg);

/*
 * header_check_name returns what an include says to get the header at path, "yaml.h" of
 * "/usr/include/yaml.h"; NULL if it is not one of the system, or one of C or POSIX.
 */
const char *header_check_name(const char *path);

#endif
