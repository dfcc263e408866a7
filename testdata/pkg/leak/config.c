/*
 * Settings, one per line: "name=value". The last one of a name counts.
 *
 * Bug: memory leak. The value of a name that was set before is not freed. Needs
 * AddressSanitizer, which contains LeakSanitizer.
 */
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

struct config {
    char *value[26]; /* by the name's only letter */
};

static char *copy(const uint8_t *text, size_t len)
{
    char *p = malloc(len + 1);

    if (p != NULL) {
        memcpy(p, text, len);
        p[len] = '\0';
    }
    return p;
}

/* Returns the number of settings, or -1 for text that is none. */
static int config_parse(struct config *c, const uint8_t *text, size_t len)
{
    int n = 0;

    for (size_t i = 0; i < len; n++) {
        size_t end = i;

        while (end < len && text[end] != '\n')
            end++;
        if (end - i < 2 || text[i] < 'a' || text[i] > 'z' || text[i + 1] != '=')
            return -1;
        /* the bug: there may be one already */
        c->value[text[i] - 'a'] = copy(text + i + 2, end - i - 2);
        i = end + 1;
    }
    return n;
}

static void config_free(struct config *c)
{
    for (int i = 0; i < 26; i++)
        free(c->value[i]);
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzConfig)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a=1\nb=two\n"));
    cfuzz_add(f, CFUZZ_BYTES("c="));
}

FUZZ_TEST(FuzzConfig, []byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct config c = {{NULL}};

    if (config_parse(&c, text, len) < 0)
        cfuzz_log(t, "not a configuration");
    config_free(&c);
}
#endif
