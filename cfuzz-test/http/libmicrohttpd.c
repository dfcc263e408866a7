/*
 * libmicrohttpd.c - see libmicrohttpd.h.
 */
#include "http/libmicrohttpd.h"

const struct libmicrohttpd *libmicrohttpd_load(struct cfz_error *err)
{
    static const char *const names[] = {LIBMICROHTTPD_FUNCTIONS(LIBRARY_NAME)};
    static union {
        struct libmicrohttpd calls;
        void *functions[sizeof names / sizeof names[0]];
    } u;

    if (u.functions[0] == NULL &&
        library_load(CFUZZ_LIBMICROHTTPD, names, sizeof names / sizeof names[0], u.functions, err) <
            0)
        return NULL;
    return &u.calls;
}
