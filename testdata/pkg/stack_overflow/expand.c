/*
 * Expands variables: "a=one;b=$a two;" defines, "$b" is replaced by "one two".
 *
 * Bug: stack overflow. A variable that refers to itself is expanded for ever.
 */
#include <string.h>

struct text {
    const char *p;
    size_t len;
};

struct vars {
    struct text value[26];
};

/* Returns the length of what t expands to, without writing it. */
static size_t expand(const struct vars *v, struct text t)
{
    size_t n = 0;

    for (size_t i = 0; i < t.len; i++) {
        unsigned name;

        if (t.p[i] != '$' || i + 1 == t.len) {
            n++;
            continue;
        }
        name = (unsigned char)t.p[++i] - 'a';
        if (name < 26)
            n += expand(v, v->value[name]); /* the bug: as deep as it goes */
    }
    return n;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzExpand)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a=one;b=$a two;$b"));
    cfuzz_add(f, CFUZZ_BYTES("x=;$x"));
}

FUZZ_TEST(FuzzExpand, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    const char *p = (const char *)data, *end = p + len;
    struct vars vars = {{{NULL, 0}}};

    if (len > 64)
        cfuzz_skip(t, "too long: nested definitions grow without bound");
    while (end - p > 2 && p[1] == '=' && p[0] >= 'a' && p[0] <= 'z') {
        const char *semicolon = memchr(p, ';', (size_t)(end - p));

        if (semicolon == NULL)
            cfuzz_skip(t, "definition without end");
        vars.value[p[0] - 'a'] = (struct text){p + 2, (size_t)(semicolon - p - 2)};
        p = semicolon + 1;
    }
    cfuzz_log(t, "%zu characters", expand(&vars, (struct text){p, (size_t)(end - p)}));
}
#endif
