/*
 * Reads the query part of a URL: "q=fuzz%20test&lang=c".
 *
 * This is the package of `make demo`. Bug: an escape that is cut off, "%4" at
 * the very end, has its missing digits read from beyond the text. In production
 * that byte exists and is something else's; nobody notices for years.
 */
#include <string.h>

enum { FIELD_MAX = 64 };

struct field {
    char name[FIELD_MAX], value[FIELD_MAX];
};

static int hex(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/*
 * Decodes text up to one of the characters in stop into out[FIELD_MAX], NUL-terminated.
 * Returns where it stopped, or NULL for a bad escape or a field that is too long.
 */
static const char *decode(const char *p, const char *end, const char *stop, char *out)
{
    size_t n = 0;

    while (p < end && strchr(stop, *p) == NULL) {
        if (n == FIELD_MAX - 1)
            return NULL;
        if (*p == '%') {
            int high = hex((unsigned char)p[1]);
            int low = hex((unsigned char)p[2]);

            if (high < 0 || low < 0)
                return NULL;
            out[n++] = (char)(high << 4 | low);
            p += 3;
        } else {
            out[n++] = *p == '+' ? ' ' : *p;
            p++;
        }
    }
    out[n] = '\0';
    return p;
}

/* Reads one field and returns where the next begins, end after the last; NULL if malformed. */
static const char *query_next(const char *p, const char *end, struct field *f)
{
    p = decode(p, end, "=&", f->name);
    if (p == NULL || f->name[0] == '\0')
        return NULL;
    f->value[0] = '\0';
    if (p < end && *p == '=')
        p = decode(p + 1, end, "&", f->value);
    if (p != NULL && p < end)
        p++;
    return p;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzQuery)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("q=fuzz%20test&lang=c"));
    cfuzz_add(f, CFUZZ_BYTES("debug&page=2"));
    cfuzz_add(f, CFUZZ_BYTES(""));
}

FUZZ_TEST(FuzzQuery, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    const char *p = (const char *)data, *end = p + len;
    size_t fields = 0;

    while (p < end) {
        struct field f;

        p = query_next(p, end, &f);
        if (p == NULL)
            cfuzz_skip(t, "not a query");
        fields++;
    }
    if (fields > (len + 1) / 2)
        cfuzz_error(t, "%zu fields in %zu bytes", fields, len);
}
#endif
