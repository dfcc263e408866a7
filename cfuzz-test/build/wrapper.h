/*
 * wrapper.h - cfuzz-cc and cfuzz-c++: the command line of a compiler, with what makes the build
 * instrumented, and its programs test binaries.
 */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "build/compiler.h"

/*
 * wrapper_command appends the command that does what the arguments args[0..n) ask of a compiler: c
 * itself, our flags as far as they concern what is asked for, then the arguments as they are, then
 * for a program the runtime.
 *
 *   C or C++ is compiled    coverage and registered tests, CFUZZ; main keeps its name
 *   a program is linked     the runtime, and its main where there is no other
 *   a shared library        may leave the runtime's functions to the program
 *   anything else           nothing is added: -E, --version, assembler, -nostdlib
 *
 * What is there already is not added again. CFZ_EIO for a file of arguments, "@objects: <why>",
 * that cannot be read; CFZ_ENOMEM.
 */
int wrapper_command(const struct compiler *c, const struct install *in, const char *const *args,
                    size_t n, struct strlist *out, struct cfz_error *err);

#endif
