/*
 * server.h - serves pages over HTTP, in a thread of its own, with libmicrohttpd.
 *
 * The thread reads what server_put gave it and nothing else. It answers GET and HEAD, which change
 * nothing, and POST of an action, which it notes. What asks for another host than the server has (a
 * page elsewhere whose name was made to lead here), or is posted by a page elsewhere, is refused.
 * Context: ordinary.
 */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>

#include "core/buf.h"

struct server;

/*
 * server_open listens at address: "host:port", or ":port" for this machine alone, which is
 * 127.0.0.1. Port 0 is any that is free. CFZ_EUSAGE "-http=8080: not an address: ...",
 * "-http=127.0.0.1:80: Permission denied", "-http=:8080: Address already in use".
 */
int server_open(const char *address, struct server **out, struct cfz_error *err);

/* server_url gives "http://127.0.0.1:43211/". Borrowed. */
const char *server_url(const struct server *s);

/* server_put has the page name, "index.html", be that text, which is taken over and left INIT; or
 * not be there any more, if it is empty. CFZ_ENOMEM. */
int server_put(struct server *s, const char *name, struct cfz_buf *text, struct cfz_error *err);

/* server_asked reports whether somebody asked for that page, NULL: for any, since it was called
 * last with that name. */
bool server_asked(struct server *s, const char *name);

/* server_offer makes name, "coverage-0", an action that may be posted. CFZ_ENOMEM. */
int server_offer(struct server *s, const char *name, struct cfz_error *err);
/* server_posted reports whether that action was posted since it was called last. */
bool server_posted(struct server *s, const char *name);

/* server_close ends the thread. s may be NULL. */
void server_close(struct server *s);

/*
 * server_split takes an address apart. *host is the caller's: "" where there is none, without the
 * brackets of [::1]; *port is borrowed from address. CFZ_EUSAGE. Exposed for tests.
 */
int server_split(const char *address, char **host, const char **port, struct cfz_error *err);

#endif
