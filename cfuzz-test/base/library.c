/*
 * library.c - see library.h.
 */
#include "base/library.h"

#include <dlfcn.h>

int library_load(const char *soname, const char *const *names, size_t n, void **functions,
                 struct cfz_error *err)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL), *f = library;

    for (size_t i = 0; i < n && f != NULL; i++)
        f = dlsym(library, names[i]);
    if (f == NULL)
        return cfz_fail(err, CFZ_EIO, "%s", dlerror()); /* it begins with the library's name */
    for (size_t i = 0; i < n; i++)
        functions[i] = dlsym(library, names[i]);
    return 0;
}
