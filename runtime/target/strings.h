/*
 * strings.h - the strings of this program that may be words of its inputs, as the plugin listed
 * them (cfuzz_strings_init in abi.h).
 */
#ifndef CFZ_STRINGS_H
#define CFZ_STRINGS_H

#include <stddef.h>

/*
 * cfz_strings_each calls fn for up to most of them, evenly chosen where there are more. One that
 * several files have may come several times. They are borrowed from the program. What is loaded
 * later by dlopen is not among them. Context: ordinary.
 */
void cfz_strings_each(size_t most, void (*fn)(void *ctx, const void *word, size_t len), void *ctx);

#endif
