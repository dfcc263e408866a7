/*
 * http.c - http-parser reads requests or responses in two pieces, and the URLs of requests.
 */
#include <string.h>

#include <http_parser.h>

#include "target.h"

static int on_url(http_parser *p, const char *at, size_t len)
{
    struct http_parser_url url;

    http_parser_url_init(&url);
    return http_parser_parse_url(at, len, p->method == HTTP_CONNECT, &url) != 0;
}

static int on_data(http_parser *p, const char *at, size_t len)
{
    (void)p;
    (void)at;
    (void)len;
    return 0;
}

static int on_headers(http_parser *p)
{
    http_should_keep_alive(p);
    return 0;
}

static int on_complete(http_parser *p)
{
    return http_body_is_final(p) && p->status_code == 599;
}

void bench_target(const uint8_t *data, size_t len)
{
    const http_parser_settings settings = {.on_url = on_url,
                                           .on_header_field = on_data,
                                           .on_header_value = on_data,
                                           .on_headers_complete = on_headers,
                                           .on_body = on_data,
                                           .on_message_complete = on_complete};
    http_parser p;
    size_t half = len / 2;

    http_parser_init(&p, HTTP_BOTH);
    if (http_parser_execute(&p, &settings, (const char *)data, half) == half && !p.upgrade)
        http_parser_execute(&p, &settings, (const char *)data + half, len - half);
    if (HTTP_PARSER_ERRNO(&p) == HPE_OK && !p.upgrade)
        http_parser_execute(&p, &settings, NULL, 0);
}
