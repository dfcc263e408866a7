/*
 * library.h - a shared library that few commands need, loaded where it is needed.
 *
 * Loading libarchive and libmicrohttpd, with the twenty libraries that these need, would take
 * longer than everything else that the driver does in a short run (decision 096).
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>

#include "core/error.h"

/*
 * library_load loads the library of that name, which stays loaded, and stores the addresses of n
 * of its functions in functions, in the order of names: all of them, or none. CFZ_EIO
 * "libarchive.so.13: cannot open shared object file: ...". Context: ordinary.
 */
int library_load(const char *soname, const char *const *names, size_t n, void **functions,
                 struct cfz_error *err);

/*
 * LIBRARY_MEMBER declares a member of a struct that holds functions of a library, and LIBRARY_NAME
 * gives its name as text: for a list of them, #define CALLS(X) X(archive_read_new) ...
 */
#define LIBRARY_MEMBER(function) __typeof__(&function) function;
#define LIBRARY_NAME(function) #function,

#endif
