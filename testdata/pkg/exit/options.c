/*
 * Reads options as a server's configuration file has them: "port 8080\n".
 *
 * Bug: exit(). An unknown word is an error that is returned; a number that is
 * too large ends the program, which a library has no right to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    unsigned port, backlog;
};

static unsigned number(const char *s, const char *end)
{
    unsigned n = 0;

    for (; s < end && *s >= '0' && *s <= '9'; s++) {
        n = n * 10 + (unsigned)(*s - '0');
        if (n > 65535) {
            fprintf(stderr, "options: number too large\n");
            exit(3); /* the bug */
        }
    }
    return n;
}

/* Returns 0, or -1 with nothing promised about o. */
static int options_parse(struct options *o, const char *text, size_t len)
{
    const char *end = text + len;

    while (text < end) {
        const char *eol = memchr(text, '\n', (size_t)(end - text));

        if (eol == NULL)
            eol = end;
        if (eol - text > 5 && memcmp(text, "port ", 5) == 0)
            o->port = number(text + 5, eol);
        else if (eol - text > 8 && memcmp(text, "backlog ", 8) == 0)
            o->backlog = number(text + 8, eol);
        else if (eol > text && *text != '#')
            return -1;
        text = eol + 1;
    }
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzOptions)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("# web\nport 8080\nbacklog 16\n"));
}

FUZZ_TEST(FuzzOptions, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    struct options o = {0, 0};

    if (options_parse(&o, (const char *)data, len) < 0)
        cfuzz_skip(t, "not options");
    if (o.port > 65535)
        cfuzz_error(t, "port %u", o.port);
}
#endif
