/*
 * server.c - see server.h.
 */
#define _GNU_SOURCE
#include "http/server.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/libmicrohttpd.h"

static const struct libmicrohttpd *lib; /* NULL until a server is opened */

enum {
    PAGES_MAX = 4096,
    CONNECTIONS = 32,
    IDLE_S = 10, /* a connection that says nothing is closed */
    URL_MAX = 512,
};

struct page {
    char *name;
    struct cfz_buf text;
    bool action; /* it is posted, and has no text */
    bool asked;  /* or posted */
};

struct server {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of the pages */
    struct page *pages;
    size_t npages;
    atomic_bool asked;
    bool local; /* it is for this machine alone */
    char *host; /* as it was given */
    char url[URL_MAX];
};

/* ---- answers, in the server's thread --------------------------------------------------------- */

/* Whether the host that a request names is this one: a page of somebody else's may have a name that
 * leads here, and is not to read what is served. */
static bool is_our_host(const struct server *s, const char *host)
{
    static const char *const local[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t len;

    if (!s->local || host == NULL)
        return true;
    len = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        if (len == strlen(local[i]) && strncasecmp(host, local[i], len) == 0)
            return true;
    return len == strlen(s->host) && strncasecmp(host, s->host, len) == 0;
}

static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const char *type,
                              const void *text, size_t len)
{
    static const struct {
        const char *name, *value;
    } headers[] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
         "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    };
    struct MHD_Response *r =
        lib->MHD_create_response_from_buffer(len, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result ret;

    if (r == NULL)
        return MHD_NO;
    lib->MHD_add_response_header(r, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        lib->MHD_add_response_header(r, headers[i].name, headers[i].value);
    ret = lib->MHD_queue_response(to, status, r);
    lib->MHD_destroy_response(r);
    return ret;
}

static enum MHD_Result answer_line(struct MHD_Connection *to, unsigned status, const char *line)
{
    return answer(to, status, "text/plain; charset=utf-8", line, strlen(line));
}

static const char *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL && strcmp(dot, ".css") == 0  ? "text/css; charset=utf-8"
           : dot != NULL && strcmp(dot, ".js") == 0 ? "text/javascript; charset=utf-8"
                                                    : "text/html; charset=utf-8";
}

/* Whether a page of ours asks, or none: browsers say of a POST whose page it comes from. */
static bool is_our_page(struct MHD_Connection *to)
{
    const char *origin = lib->MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Origin");
    const char *host = lib->MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Host");

    return origin == NULL || (host != NULL && strncmp(origin, "http://", 7) == 0 &&
                              strcasecmp(origin + 7, host) == 0);
}

/* Whether more follows the head of a request. */
static bool has_body(struct MHD_Connection *to)
{
    const char *len = lib->MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Content-Length");

    return (len != NULL && strcmp(len, "0") != 0) ||
           lib->MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Transfer-Encoding") != NULL;
}

static enum MHD_Result on_post(struct server *s, struct MHD_Connection *to, const char *name)
{
    bool found = false;

    if (!is_our_page(to))
        return answer_line(to, MHD_HTTP_FORBIDDEN, "another page asks for this\n");
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->npages && !found; i++)
        if (s->pages[i].action && strcmp(s->pages[i].name, name) == 0)
            found = s->pages[i].asked = true;
    pthread_mutex_unlock(&s->lock);
    if (found)
        atomic_store(&s->asked, true);
    return found ? answer_line(to, MHD_HTTP_ACCEPTED, "it will be done\n")
                 : answer_line(to, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *to, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **state)
{
    struct server *s = ctx;
    const char *name = url[0] == '/' && url[1] != '\0' ? url + 1 : "index.html";
    enum MHD_Result ret = MHD_NO;
    bool found = false;

    (void)version;
    (void)upload;
    (void)upload_size;
    (void)state;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0 && strcmp(method, "POST") != 0)
        return answer_line(to, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    if (!is_our_host(s, lib->MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Host")))
        return answer_line(to, MHD_HTTP_FORBIDDEN, "this is not that host\n");
    if (strcmp(method, "POST") == 0 && !has_body(to))
        return on_post(s, to, name);
    if (strcmp(method, "POST") == 0)
        return answer_line(to, MHD_HTTP_METHOD_NOT_ALLOWED, "nothing is uploaded here\n");
    atomic_store(&s->asked, true);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->npages && !found; i++)
        if (strcmp(s->pages[i].name, name) == 0 && s->pages[i].text.len > 0) {
            found = s->pages[i].asked = true;
            ret =
                answer(to, MHD_HTTP_OK, type_of(name), s->pages[i].text.data, s->pages[i].text.len);
        }
    pthread_mutex_unlock(&s->lock);
    return found ? ret : answer_line(to, MHD_HTTP_NOT_FOUND, "no such page\n");
}

/* ---- the driver's side --------------------------------------------------------------------------
 */

int server_split(const char *address, char **host, const char **port, struct cfz_error *err)
{
    const char *colon = strrchr(address, ':');
    size_t len = colon != NULL ? (size_t)(colon - address) : 0;
    const char *from = address;
    char *end = NULL;
    unsigned long number = 0;

    if (colon != NULL && colon[1] >= '0' && colon[1] <= '9')
        number = strtoul(colon + 1, &end, 10);
    if (end == NULL || *end != '\0' || number > 65535)
        return cfz_fail(err, CFZ_EUSAGE, "-http=%s: not an address: host:port, or :8080", address);
    if (len >= 2 && from[0] == '[' && from[len - 1] == ']') {
        from++;
        len -= 2;
    } else if (memchr(from, ':', len) != NULL) {
        return cfz_fail(err, CFZ_EUSAGE, "-http=%s: not an address: [::1]:8080 is one of IPv6",
                        address);
    }
    *host = strndup(from, len);
    *port = colon + 1;
    return *host != NULL ? 0 : cfz_fail_nomem(err);
}

/* A socket that listens there, or -1 with errno. */
static int listen_at(const struct addrinfo *at)
{
    int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol), on = 1, saved;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, CONNECTIONS) == 0)
        return fd;
    saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

static bool is_local(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return (ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24) == 127;
    return a->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

/* Writes the URL of a socket that listens. */
static void name_url(struct server *s, int fd)
{
    struct sockaddr_storage at;
    socklen_t len = sizeof at;
    char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";

    if (getsockname(fd, (struct sockaddr *)&at, &len) == 0) {
        getnameinfo((struct sockaddr *)&at, len, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV);
        s->local = is_local((struct sockaddr *)&at);
    }
    snprintf(s->url, sizeof s->url, strchr(host, ':') != NULL ? "http://[%s]:%s/" : "http://%s:%s/",
             host, port);
}

/* Opens the socket for an address. */
static int open_socket(const char *address, const char *host, const char *port,
                       struct cfz_error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    int r = getaddrinfo(host[0] != '\0' ? host : "127.0.0.1", port, &hints, &found), fd = -1;

    if (r != 0)
        return cfz_fail(err, CFZ_EUSAGE, "-http=%s: %s", address, gai_strerror(r));
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next)
        fd = listen_at(at);
    if (fd < 0) {
        cfz_fail_errno(err, "-http=%s", address);
        if (err != NULL)
            err->code = CFZ_EUSAGE;
    }
    freeaddrinfo(found);
    return fd;
}

/* Starts the thread, which takes no signals: those are the driver's. */
static struct MHD_Daemon *start(struct server *s, int fd)
{
    struct MHD_Daemon *d;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    d = lib->MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL,
                              on_request, s, MHD_OPTION_LISTEN_SOCKET, fd,
                              MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                              MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return d;
}

int server_open(const char *address, struct server **out, struct cfz_error *err)
{
    struct server *s = calloc(1, sizeof *s);
    const char *port;
    int fd = -1;

    *out = NULL;
    if (s == NULL)
        return cfz_fail_nomem(err);
    pthread_mutex_init(&s->lock, NULL);
    lib = libmicrohttpd_load(err);
    if (lib == NULL)
        goto failed;
    if (server_split(address, &s->host, &port, err) < 0)
        goto failed;
    fd = open_socket(address, s->host, port, err);
    if (fd < 0)
        goto failed;
    name_url(s, fd);
    s->daemon = start(s, fd);
    if (s->daemon == NULL) {
        cfz_fail(err, CFZ_EIO, "-http=%s: the server cannot be started", address);
        goto failed;
    }
    *out = s;
    return 0;
failed:
    if (fd >= 0)
        close(fd);
    server_close(s);
    return -1;
}

const char *server_url(const struct server *s)
{
    return s->url;
}

int server_put(struct server *s, const char *name, struct cfz_buf *text, struct cfz_error *err)
{
    struct page *v;
    size_t i = 0;
    int ret = 0;

    pthread_mutex_lock(&s->lock);
    while (i < s->npages && strcmp(s->pages[i].name, name) != 0)
        i++;
    if (i == s->npages && s->npages < PAGES_MAX) {
        char *copy = strdup(name);

        v = realloc(s->pages, (s->npages + 1) * sizeof *v);
        if (v != NULL)
            s->pages = v;
        if (v == NULL || copy == NULL) {
            free(copy);
            ret = cfz_fail_nomem(err);
        } else {
            s->pages[s->npages++] = (struct page){.name = copy, .text = CFZ_BUF_INIT};
        }
    }
    if (i < s->npages) {
        cfz_buf_release(&s->pages[i].text);
        s->pages[i].text = *text;
        *text = (struct cfz_buf)CFZ_BUF_INIT;
    }
    pthread_mutex_unlock(&s->lock);
    return ret;
}

/* The page of that name, or NULL. The lock is held. */
static struct page *find(struct server *s, const char *name)
{
    for (size_t i = 0; i < s->npages; i++)
        if (strcmp(s->pages[i].name, name) == 0)
            return &s->pages[i];
    return NULL;
}

bool server_asked(struct server *s, const char *name)
{
    struct page *p;
    bool asked;

    if (name == NULL)
        return atomic_exchange(&s->asked, false);
    pthread_mutex_lock(&s->lock);
    p = find(s, name);
    asked = p != NULL && p->asked;
    if (p != NULL)
        p->asked = false;
    pthread_mutex_unlock(&s->lock);
    return asked;
}

int server_offer(struct server *s, const char *name, struct cfz_error *err)
{
    struct cfz_buf none = CFZ_BUF_INIT;
    struct page *p;

    if (server_put(s, name, &none, err) < 0)
        return -1;
    pthread_mutex_lock(&s->lock);
    p = find(s, name);
    if (p != NULL)
        p->action = true;
    pthread_mutex_unlock(&s->lock);
    return 0;
}

bool server_posted(struct server *s, const char *name)
{
    return server_asked(s, name);
}

void server_close(struct server *s)
{
    if (s == NULL)
        return;
    if (s->daemon != NULL)
        lib->MHD_stop_daemon(s->daemon);
    for (size_t i = 0; i < s->npages; i++) {
        free(s->pages[i].name);
        cfz_buf_release(&s->pages[i].text);
    }
    free(s->pages);
    free(s->host);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
