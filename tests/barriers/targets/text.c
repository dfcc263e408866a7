/* text.c - barriers in text: keywords, numbers, checksums in digits. */
#include <cfuzz.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STRING(name) FUZZ_TEST(name, string)(cfuzz_t *t, const char *s)

STRING(FuzzKeyword)
{
    (void)t;
    if (strcmp(s, "suspend") == 0)
        abort();
}

STRING(FuzzHeaderName)
{
    (void)t;
    if (strncasecmp(s, "Keep-Alive:", 11) == 0)
        abort();
}

STRING(FuzzWithin)
{
    const char *p = strstr(s, "<!ENTITY");

    (void)t;
    if (p && strchr(p, '%'))
        abort();
}

/* A decimal number behind a sign. */
STRING(FuzzDecimal)
{
    char *end;
    long v;

    (void)t;
    if (s[0] != '@')
        return;
    v = strtol(s + 1, &end, 10);
    if (end != s + 1 && v == 27182)
        abort();
}

/* A number with a fraction, in a range. */
STRING(FuzzFraction)
{
    double x;

    (void)t;
    if (s[0] != 'r' || s[1] != '=')
        return;
    x = strtod(s + 2, NULL);
    if (x > 2.71828 && x < 2.7183)
        abort();
}

/* Sixteen hexadecimal digits. */
STRING(FuzzHexKey)
{
    uint64_t v = 0;

    (void)t;
    if (s[0] != '&')
        return;
    for (int i = 1; i < 17; i++) {
        int c = s[i], x;

        if (c >= '0' && c <= '9')
            x = c - '0';
        else if (c >= 'a' && c <= 'f')
            x = c - 'a' + 10;
        else
            return;
        v = v << 4 | (uint64_t)x;
    }
    if (v == 0xfeedface0b16b00b)
        abort();
}

/* A keyword in an own loop, any case. */
static int same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (toupper((unsigned char)*a) != *b)
            return 0;
    return *a == *b;
}

STRING(FuzzOwnLoop)
{
    (void)t;
    if (same(s, "CHECKOUT"))
        abort();
}

/* A keyword in code: each letter thirteen further. */
STRING(FuzzRotated)
{
    char w[16];
    int n = 0;

    (void)t;
    for (; s[n] && n < 15; n++) {
        char c = s[n];

        if (c >= 'a' && c <= 'z')
            c = (char)('a' + (c - 'a' + 13) % 26);
        w[n] = c;
    }
    w[n] = 0;
    if (strcmp(w, "umbrella") == 0)
        abort();
}

/* Four words. */
STRING(FuzzWords)
{
    static const char *const words[] = {"open", "session", "with", "RETRY"};

    (void)t;
    for (int i = 0; i < 4; i++) {
        char w[16];
        int n = 0;

        while (*s == ' ')
            s++;
        while (*s && *s != ' ') {
            if (n < 15)
                w[n++] = *s;
            s++;
        }
        w[n] = 0;
        if (i < 3 ? strcmp(w, words[i]) != 0 : strcasecmp(w, words[i]) != 0)
            return;
    }
    abort();
}

/* The sum of what stands between $ and *, in decimal digits behind it. */
STRING(FuzzDecimalSum)
{
    const char *p = s;
    unsigned sum = 0;

    (void)t;
    if (*p++ != '!')
        return;
    while (*p && *p != '*')
        sum += (unsigned char)*p++;
    if (*p != '*' || p - s < 10)
        return;
    if (strtoul(p + 1, NULL, 10) == sum && s[1] == 'G' && s[2] == 'P')
        abort();
}

/* Sixteen digits with a check digit. */
STRING(FuzzCheckDigit)
{
    int sum = 0;

    (void)t;
    for (int i = 0; i < 16; i++) {
        int x = s[i] - '0';

        if (x < 0 || x > 9)
            return;
        if (i % 2 == 0 && (x *= 2) > 9)
            x -= 9;
        sum += x;
    }
    if (s[16] == 0 && sum % 10 == 0 && memcmp(s, "4917", 4) == 0)
        abort();
}

/* A member of an object. */
static const char *blanks(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t')
        p++;
    return p;
}

static const char *quoted(const char *p, char *out, int room)
{
    int n = 0;

    if (*p++ != '"')
        return NULL;
    while (*p && *p != '"') {
        if (n < room - 1)
            out[n++] = *p;
        p++;
    }
    out[n] = 0;
    return *p == '"' ? p + 1 : NULL;
}

STRING(FuzzMember)
{
    char k[32], v[32];

    (void)t;
    s = blanks(s);
    if (*s++ != '{')
        return;
    for (;;) {
        s = blanks(s);
        if (!(s = quoted(s, k, sizeof k)))
            return;
        s = blanks(s);
        if (*s++ != ':')
            return;
        s = blanks(s);
        if (!(s = quoted(s, v, sizeof v)))
            return;
        s = blanks(s);
        if (strcmp(k, "level") == 0 && strcmp(v, "expert") == 0 && *s == '}')
            abort();
        if (*s++ != ',')
            return;
    }
}

/* Base64 of a word. */
STRING(FuzzBase64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char out[32];
    unsigned bits = 0, have = 0, n = 0;

    (void)t;
    for (; *s && n < sizeof out - 1; s++) {
        const char *p = strchr(digits, *s);

        if (!p)
            return;
        bits = bits << 6 | (unsigned)(p - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (char)(bits >> have);
        }
    }
    out[n] = 0;
    if (strcmp(out, "sesame") == 0)
        abort();
}

/* Three words of a table, in an order. */
STRING(FuzzTable)
{
    static const char *const table[] = {"amber", "beige", "coral", "denim", "ebony", "fawn"};
    int state = 0;

    (void)t;
    for (int i = 0; i < 8 && *s; i++) {
        char w[12];
        int n = 0, k = 0;

        while (*s && *s != ',') {
            if (n < 11)
                w[n++] = *s;
            s++;
        }
        w[n] = 0;
        if (*s)
            s++;
        while (k < 6 && strcmp(w, table[k]) != 0)
            k++;
        if (state == 0 && k == 4)
            state = 1;
        else if (state == 1 && k == 1)
            state = 2;
        else if (state == 2 && k == 5)
            abort();
    }
}

/* Parentheses, eight deep. */
STRING(FuzzDepth)
{
    int depth = 0;

    (void)t;
    for (; *s; s++) {
        if (*s == '(')
            depth++;
        else if (*s == ')' && depth-- == 0)
            return;
        if (depth == 8 && s[1] == ')')
            abort();
    }
}

/* A date. */
STRING(FuzzDate)
{
    int y, m, d;

    (void)t;
    if (sscanf(s, "%d-%d-%d", &y, &m, &d) == 3 && y == 2031 && m == 11 && d == 28)
        abort();
}

/* A table of commands says how each is compared. */
STRING(FuzzPointer)
{
    static int (*const how[])(const char *, const char *) = {strcmp, strcasecmp};
    static volatile int one = 1;

    (void)t;
    if (how[one](s, "Rewind-Tape") == 0)
        abort();
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

/* Two words, each looked up in a sorted table: few of its words are compared. */
STRING(FuzzSortedWords)
{
    static const char *const table[] = {"alignas", "begin", "catch",    "delete", "elif", "friend",
                                        "goto",    "halt",  "implicit", "jump",   "keep", "loop",
                                        "match",   "next",  "only",     "pragma", "quit", "raise",
                                        "select",  "table", "until",    "virtual"};
    const char *const *found[2] = {NULL, NULL};

    (void)t;
    for (int k = 0; k < 2; k++) {
        char word[12];
        size_t n = 0;

        for (; *s >= 'a' && *s <= 'z'; s++) {
            if (n == sizeof word - 1)
                return;
            word[n++] = *s;
        }
        word[n] = 0;
        found[k] = bsearch(word, table, sizeof table / sizeof table[0], sizeof table[0], by_name);
        if (found[k] == NULL || *s++ != (k == 0 ? '.' : ';'))
            return;
    }
    if (found[0] == &table[18] && found[1] == &table[8])
        abort();
}

/* An address of four numbers of up to 255, with a mask that fits, and a second one within. */
FUZZ_TEST(FuzzAddress, string, uint32)(cfuzz_t *t, const char *s, uint32_t host)
{
    unsigned part[4], bits;
    uint32_t net = 0, mask;

    (void)t;
    if (sscanf(s, "%u.%u.%u.%u/%u", &part[0], &part[1], &part[2], &part[3], &bits) != 5)
        return;
    for (int k = 0; k < 4; k++) {
        if (part[k] > 255)
            return;
        net = net << 8 | part[k];
    }
    if (bits < 8 || bits > 30)
        return;
    mask = ~(uint32_t)0 << (32 - bits);
    if ((net & ~mask) == 0 && host == 0xc0a82a07 && (host & mask) == net)
        abort();
}

/* Lines of a name and a value, of which three have to be there, each with its own. */
STRING(FuzzSettings)
{
    long depth = 1;
    bool on = false, there = false;

    (void)t;
    while (*s) {
        size_t n = strcspn(s, "\n"), name = strcspn(s, "=");
        const char *value = s + name + 1;

        if (name >= n)
            return;
        if (name == 5 && strncmp(s, "depth", 5) == 0)
            depth = strtol(value, NULL, 10);
        else if (name == 4 && strncmp(s, "mode", 4) == 0)
            on = n - name == 5 && strncmp(value, "full", 4) == 0;
        else if (name == 3 && strncmp(s, "log", 3) == 0)
            there = value[0] == '/';
        s += n + (s[n] == '\n');
    }
    if (depth == 73 && on && there)
        abort();
}
