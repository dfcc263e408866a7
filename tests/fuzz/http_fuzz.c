/*
 * http_fuzz.c - what -http is given, and what a browser says. The request itself libmicrohttpd
 * takes apart; ours is whose host and which page it asks for.
 */
//cfuzz:sources ../../cfuzz-test/base/library.c ../../cfuzz-test/http/libmicrohttpd.c
#include "fuzz.h"

#include "../../cfuzz-test/http/server.c"

FUZZ_SETUP(FuzzHttpAddress)(cfuzz_f *f)
{
    cfuzz_add(f, ":8080");
    cfuzz_add(f, "[::1]:0");
    cfuzz_add(f, "a:b:1");
    cfuzz_add(f, "host:65536");
}

/* An address is a host and a port, or refused. */
FUZZ_TEST(FuzzHttpAddress, string)(cfuzz_t *t, const char *address)
{
    const char *port;
    struct cfz_error err;
    char *host = NULL;

    error_clear(&err);
    if (server_split(address, &host, &port, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EUSAGE && host == NULL);
        return;
    }
    CHECK(t, port > address && port[-1] == ':' && atol(port) >= 0 && atol(port) <= 65535);
    CHECK(t, strspn(port, "0123456789") == strlen(port));
    CHECK(t, strlen(host) < strlen(address) && (strchr(host, ':') == NULL || address[0] == '['));
    free(host);
}

FUZZ_SETUP(FuzzHttpHost)(cfuzz_f *f)
{
    cfuzz_add(f, "localhost:80", "127.0.0.1");
    cfuzz_add(f, "[::1]", "::1");
    cfuzz_add(f, "[::1", "x");
    cfuzz_add(f, "evil.example", "localhost");
}

/* A host is ours only if its name is, whatever port it has. */
FUZZ_TEST(FuzzHttpHost, string, string)(cfuzz_t *t, const char *host, const char *ours)
{
    static const char *const local[] = {"localhost", "127.0.0.1", "[::1]"};
    struct server s = {.local = true, .host = strdup(ours)};
    bool named = strncasecmp(host, ours, strlen(ours)) == 0;

    CHECK(t, s.host != NULL);
    for (size_t i = 0; i < 3; i++)
        named |= strncasecmp(host, local[i], strlen(local[i])) == 0;
    CHECK(t, named || !is_our_host(&s, host));
    CHECK(t, is_our_host(&s, NULL) && is_our_host(&s, "LOCALHOST:1"));
    s.local = false;
    CHECK(t, is_our_host(&s, host));
    free(s.host);
}
