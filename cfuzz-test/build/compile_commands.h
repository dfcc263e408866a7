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
 * one above it, there also in build and builddir. It stores its path in p->compile_commands and the
 * flags in p->sources[].flags; a source that is not listed (a file of tests
 * only, say) gets those of the first one that is. It is not an error if there is no such file.
 * CFZ_EFORMAT "<path>: line 3: <why>", "<path>: entry 0: <why>".
 */
int compile_commands_apply(struct package *p, struct cfz_error *err);

/*
 * compile_commands_flags adds to out those flags of a compiler command that matter for another
 * build of the same file. It leaves out the compiler, inputs and outputs, dependency files, -Werror
 * (it was meant for another compiler) and -flto. Relative paths are resolved against directory.
 * Only CFZ_ENOMEM.
 */
int compile_commands_flags(const struct strlist *command, const char *directory,
                           struct strlist *out, struct cfz_error *err);

#endif
