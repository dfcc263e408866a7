/*
 * link_libraries.h - the libraries that a project's own build links its objects with.
 *
 * A compilation database has flags of compilers alone. What is linked stands beside it:
 *
 *     CMake with make    CMakeFiles/TargetDirectories.txt names directories with a link.txt each
 *     CMake with ninja   build.ninja, LINK_LIBRARIES of a linker's edge
 *     meson              meson-info/intro-targets.json and intro-dependencies.json
 *
 * Libraries of the project itself are left out: a package brings their sources, or another copy
 * would be linked beside them. Context: ordinary.
 */
#ifndef LINK_LIBRARIES_H
#define LINK_LIBRARIES_H

#include "base/strlist.h"

/*
 * link_libraries_find adds to out the flags and files of libraries outside of the build directory
 * with which objects are linked, directly or in programs that are linked with their archive.
 * objects are absolute paths, sources those of their sources. What is not there or not understood
 * is passed over. Only CFZ_ENOMEM.
 */
int link_libraries_find(const char *build_dir, const struct strlist *objects,
                        const struct strlist *sources, struct strlist *out, struct cfz_error *err);

/*
 * link_libraries_keep adds to out those of a link's words that name libraries outside of build_dir:
 * -l, -L, -pthread, archives and shared objects. Relative names are to directory. Only CFZ_ENOMEM.
 */
int link_libraries_keep(const struct strlist *words, const char *directory, const char *build_dir,
                        struct strlist *out, struct cfz_error *err);

#endif
