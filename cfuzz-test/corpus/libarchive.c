/*
 * libarchive.c - see libarchive.h.
 */
#include "corpus/libarchive.h"

const struct libarchive *libarchive_load(struct cfz_error *err)
{
    static const char *const names[] = {LIBARCHIVE_FUNCTIONS(LIBRARY_NAME)};
    static union {
        struct libarchive calls;
        void *functions[sizeof names / sizeof names[0]];
    } u;

    if (u.functions[0] == NULL &&
        library_load(CFUZZ_LIBARCHIVE, names, sizeof names / sizeof names[0], u.functions, err) < 0)
        return NULL;
    return &u.calls;
}
