/*
 * install.h - where cfuzz's own files are, found from where this executable is.
 *
 *     <prefix>/bin/cfuzz-test
 *     <prefix>/lib/cfuzz/libcfuzz.a, libcfuzz_main.a, cfuzz-plugin-<N>.so
 *     <prefix>/include/cfuzz.h
 *
 * The build tree has the same layout.
 */
#ifndef INSTALL_H
#define INSTALL_H

#include <limits.h>

#include "core/error.h"

enum { INSTALL_PLUGINS_MAX = 32 };

/* Absolute paths; strings belong to the struct. */
struct install {
    char *lib;                        /* .../lib/cfuzz */
    char *include;                    /* .../include */
    int plugins[INSTALL_PLUGINS_MAX]; /* the LLVM majors that have a plugin, ascending */
    size_t nplugins;
};

/* install_self gives the absolute path of this program, which may have been found through PATH.
 * CFZ_EIO. */
int install_self(char path[PATH_MAX], struct cfz_error *err);

/* install_find does not check that the files are there; without plugins the list is empty. CFZ_EIO,
 * CFZ_ENOMEM. */
int install_find(struct install *out, struct cfz_error *err);
void install_release(struct install *in);

/* install_has_plugin reports whether there is a plugin for LLVM major. */
bool install_has_plugin(const struct install *in, int major);

#define INSTALL_LIST_MAX 160

/* install_list_plugins writes "14, 16, 19", or "none". Returns text. */
const char *install_list_plugins(const struct install *in, char text[INSTALL_LIST_MAX]);

#endif
