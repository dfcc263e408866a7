/*
 * dns.c - c-ares parses a reply of a name server as what it may be a reply to.
 */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include <ares.h>

#include "target.h"

enum { REPLY_MOST = 4096, ADDRESSES_MOST = 4 };

static void addresses(const uint8_t *data, int len)
{
    struct ares_addrttl four[ADDRESSES_MOST];
    struct ares_addr6ttl six[ADDRESSES_MOST];
    struct hostent *host = NULL;
    int n = ADDRESSES_MOST;

    if (ares_parse_a_reply(data, len, &host, four, &n) == ARES_SUCCESS && host)
        ares_free_hostent(host);
    host = NULL;
    n = ADDRESSES_MOST;
    if (ares_parse_aaaa_reply(data, len, &host, six, &n) == ARES_SUCCESS && host)
        ares_free_hostent(host);
}

static void names(const uint8_t *data, int len)
{
    static const uint8_t ADDRESS[4] = {127, 0, 0, 1};
    struct hostent *host = NULL;

    if (ares_parse_ptr_reply(data, len, ADDRESS, sizeof ADDRESS, AF_INET, &host) == ARES_SUCCESS && host)
        ares_free_hostent(host);
    host = NULL;
    if (ares_parse_ns_reply(data, len, &host) == ARES_SUCCESS && host)
        ares_free_hostent(host);
}

#define PARSE(KIND, TYPE)                                                \
    do {                                                                 \
        struct TYPE *reply = NULL;                                       \
        if (ares_parse_##KIND(data, len, &reply) == ARES_SUCCESS && reply) \
            ares_free_data(reply);                                       \
    } while (0)

void bench_target(const uint8_t *data, size_t length)
{
    int len = length < REPLY_MOST ? (int)length : REPLY_MOST;

    if (len == 0)
        return;
    addresses(data, len);
    names(data, len);
    PARSE(caa_reply, ares_caa_reply);
    PARSE(mx_reply, ares_mx_reply);
    PARSE(naptr_reply, ares_naptr_reply);
    PARSE(soa_reply, ares_soa_reply);
    PARSE(srv_reply, ares_srv_reply);
    PARSE(txt_reply, ares_txt_reply);
    PARSE(txt_reply_ext, ares_txt_ext);
    PARSE(uri_reply, ares_uri_reply);
}
