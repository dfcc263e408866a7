/* escapes.c - barriers of bytes that a parser takes as part of a value only where they are escaped:
 * as themselves they end it, are refused, or are made blanks. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes a part of an URL. False if it is none, or too long. */
static bool decode(const char *s, const char *end, char *out, size_t room)
{
    size_t n = 0;

    for (; s < end; s++) {
        int high, low;

        if (n + 1 == room)
            return false;
        if (*s != '%') {
            out[n++] = *s == '+' ? ' ' : *s;
            continue;
        }
        if (end - s < 3 || (high = digit((char)(s[1] | 0x20))) < 0 ||
            (low = digit((char)(s[2] | 0x20))) < 0)
            return false;
        out[n++] = (char)(high << 4 | low);
        s += 2;
    }
    out[n] = 0;
    return true;
}

/* A query: the name of a user has a "&" in it. */
FUZZ_TEST(FuzzQuery, string)(cfuzz_t *t, const char *s)
{
    char key[32], value[64];

    (void)t;
    while (*s) {
        const char *end = s + strcspn(s, "&"), *is = memchr(s, '=', (size_t)(end - s));

        if (!is || !decode(s, is, key, sizeof key) || !decode(is + 1, end, value, sizeof value))
            return;
        for (const char *p = value; *p && strcmp(key, "user") == 0; p++)
            if (*p == '&')
                abort();
        s = *end ? end + 1 : end;
    }
}

/* A text in quotes at *s, without control characters but those that are escaped. */
static bool quoted(const char **s, char *out, size_t room)
{
    static const char names[] = "\"\\/nrt", are[] = "\"\\/\n\r\t";
    size_t n = 0;

    if (*(*s)++ != '"')
        return false;
    while (**s != '"') {
        char c = *(*s)++;

        if ((unsigned char)c < ' ' || n + 1 == room)
            return false;
        if (c == '\\') {
            const char *name = **s ? strchr(names, *(*s)++) : NULL;

            if (!name)
                return false;
            c = are[name - names];
        }
        out[n++] = c;
    }
    ++*s;
    out[n] = 0;
    return true;
}

/* An object of JSON: the name of a host ends a header's line. */
FUZZ_TEST(FuzzHost, string)(cfuzz_t *t, const char *s)
{
    char key[32], value[64];

    (void)t;
    if (*s != '{')
        return;
    do {
        s++;
        if (!quoted(&s, key, sizeof key) || *s++ != ':' || !quoted(&s, value, sizeof value))
            return;
        if (strcmp(key, "host") == 0 && value[0] && strcmp(value + 1, "\r\n") == 0)
            abort();
    } while (*s == ',');
}

/* Lines like name = "text": a prompt ends with an escape character. */
FUZZ_TEST(FuzzPrompt, string)(cfuzz_t *t, const char *s)
{
    char name[16], text[64];

    (void)t;
    while (*s) {
        size_t n = 0, k = 0;

        for (; *s >= 'a' && *s <= 'z' && n + 1 < sizeof name; n++)
            name[n] = *s++;
        name[n] = 0;
        if (strncmp(s, " = \"", 4) != 0)
            return;
        for (s += 4; *s != '"' && k + 1 < sizeof text; k++) {
            int high, low;

            if (*s < ' ' || *s > '~')
                return;
            text[k] = *s++;
            if (text[k] != '\\')
                continue;
            if (*s++ != 'x' || (high = digit(s[0])) < 0 || (low = digit(s[1])) < 0)
                return;
            text[k] = (char)(high << 4 | low);
            s += 2;
        }
        if (*s++ != '"')
            return;
        if (strcmp(name, "prompt") == 0 && k > 4 && text[k - 1] == '\033')
            abort();
        s += *s == '\n';
    }
}

/* What a name space may be called. As in every document, that of "xml" is bound first. */
static void bind(const char *name)
{
    for (; *name; name++)
        if (*name == '\n')
            abort();
}

/* The value of an attribute: white space becomes blanks where it is no reference. */
static const char *value_of(const char *s, char *out, size_t room)
{
    size_t n = 0;

    for (; *s != '"'; n++) {
        int c = (unsigned char)*s++;

        if (c == 0 || c == '<' || n + 1 == room)
            return NULL;
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
        if (c == '&') {
            char *end;

            if (*s++ != '#' || *s < '0' || *s > '9')
                return NULL;
            c = (int)strtol(s, &end, 10);
            if (*end != ';' || c <= 0 || c > 0x7f)
                return NULL;
            s = end + 1;
        }
        out[n] = (char)c;
    }
    out[n] = 0;
    return s + 1;
}

/* A tag: the name space of its names has a line end in it. */
FUZZ_TEST(FuzzNameSpace, string)(cfuzz_t *t, const char *s)
{
    (void)t;
    bind("http://www.w3.org/XML/1998/namespace");
    if (*s++ != '<')
        return;
    while (*s >= 'a' && *s <= 'z')
        s++;
    while (*s == ' ') {
        char name[16], value[64];
        size_t n = 0;

        for (s++; *s >= 'a' && *s <= 'z' && n + 1 < sizeof name; n++)
            name[n] = *s++;
        name[n] = 0;
        if (*s++ != '=' || *s++ != '"' || !(s = value_of(s, value, sizeof value)))
            return;
        if (strcmp(name, "xmlns") == 0)
            bind(value);
    }
}
