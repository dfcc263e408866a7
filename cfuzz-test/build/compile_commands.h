/*
 * compile_commands.h - the flags that a project's own build gives its sources, from
 * the compilation database that CMake, meson, bear and others write.
 */
#ifndef COMPILE_COMMANDS_H
#define COMPILE_COMMANDS_H

#include "build/package.h"

/*
 * compile_commands_apply completes a package that package_load filled. It looks for a
 * compile_commands.json that lists one of the package's sources, in the package directory and each
 * one above it; and, of each level where a project or a part of one begins, in its build
 * directories: those directly below, and below those called build, out and the like one further. Of
 * several that list a source of the package, the newest on the nearest level counts. With
 * build_dir, of -p, it is the one there and no other. It stores its path in p->compile_commands and
 * the flags in p->sources[].flags; a source that is not listed (a file of tests only, say) gets
 * those of the first one that is. It is not an error if there is no such file. CFZ_EFORMAT "<path>:
 * line 3: <why>", "<path>: entry 0: <why>"; CFZ_EUSAGE "-p=out: no compile_commands.json in it".
 */
int compile_commands_apply(struct package *p, const char *build_dir, struct cfz_error *err);

/*
 * compile_commands_flags adds to out those flags of a compiler command that matter for another
 * build of the same file. It leaves out the compiler, inputs and outputs, dependency files, -Werror
 * (it was meant for another compiler), -flto, what gcc alone knows, and -DNDEBUG, in which case it
 * sets *ndebug. Relative paths are resolved against directory. Only CFZ_ENOMEM.
 */
int compile_commands_flags(const struct strlist *command, const char *directory,
                           struct strlist *out, bool *ndebug, struct cfz_error *err);

#endif
