/* defaults.c - barriers of settings that have a default: what an input does not say is compared
 * where it would have been read, so that an input which has all but this comes to no comparison.
 */
#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

struct connection {
    long port;
    size_t user;
    bool tls, named;
};

/* "db://user@host[:port][/name][?tls]" */
static bool read_connection(const char *text, struct connection *c)
{
    const char *at;
    char *end;

    if (strncmp(text, "db://", 5) != 0)
        return false;
    text += 5;
    at = strchr(text, '@');
    if (at == NULL)
        return false;
    c->user = (size_t)(at - text);
    for (text = at + 1; *text >= 'a' && *text <= 'z'; text++)
        ;
    if (text - at < 3)
        return false;
    if (*text == ':') {
        c->port = strtol(text + 1, &end, 10);
        if (end == text + 1 || c->port < 1 || c->port > 65535)
            return false;
        text = end;
    } else {
        c->port = 5432;
    }
    if (*text == '/') {
        for (text++; *text >= 'a' && *text <= 'z'; text++)
            c->named = true;
    }
    if (strcmp(text, "?tls") == 0)
        c->tls = true;
    return c->tls || *text == '\0';
}

FUZZ_TEST(FuzzDefaults, string)(cfuzz_t *t, const char *text)
{
    struct connection c = {0};

    (void)t;
    if (!read_connection(text, &c))
        return;
    if (c.tls && c.named && c.user > 3 && c.port == 6543)
        abort();
}
