/*
 * libmicrohttpd.h - the functions of libmicrohttpd that are used here, in a library that is loaded
 * when something is to be served.
 */
#ifndef LIBMICROHTTPD_H
#define LIBMICROHTTPD_H

#include <microhttpd.h>

#include "base/library.h"

#define LIBMICROHTTPD_FUNCTIONS(X)                                                                 \
    X(MHD_add_response_header)                                                                     \
    X(MHD_create_response_from_buffer)                                                             \
    X(MHD_destroy_response)                                                                        \
    X(MHD_lookup_connection_value)                                                                 \
    X(MHD_queue_response)                                                                          \
    X(MHD_start_daemon)                                                                            \
    X(MHD_stop_daemon)

struct libmicrohttpd {
    LIBMICROHTTPD_FUNCTIONS(LIBRARY_MEMBER)
};

/* libmicrohttpd_load gives them. NULL with CFZ_EIO if the library cannot be loaded. */
const struct libmicrohttpd *libmicrohttpd_load(struct cfz_error *err);

#endif
