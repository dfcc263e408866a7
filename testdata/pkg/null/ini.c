/*
 * An INI reader: "[section]" lines and "key=value" lines.
 *
 * Bug: a NULL pointer is followed. A key before the first section has no section
 * to be counted in.
 */
#include <stdlib.h>
#include <string.h>

struct section {
    struct section *next;
    unsigned keys;
};

struct ini {
    struct section *first, *last;
};

static void ini_release(struct ini *ini)
{
    struct section *next;

    for (struct section *s = ini->first; s != NULL; s = next) {
        next = s->next;
        free(s);
    }
}

/* Returns 0, or -1 at a line that is none of the two. */
static int ini_parse(struct ini *ini, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
            struct section *s = calloc(1, sizeof *s);

            if (s == NULL)
                return -1;
            if (ini->last != NULL)
                ini->last->next = s;
            else
                ini->first = s;
            ini->last = s;
        } else if (memchr(text, '=', len) != NULL) {
            ini->last->keys++; /* the bug */
        } else if (len > 0 && text[0] != ';') {
            return -1;
        }
        text += len + (text[len] != '\0');
    }
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzIni)(cfuzz_f *f)
{
    cfuzz_add(f, "; settings\n[net]\nport=80\n\n[log]\nlevel=2\n");
}

FUZZ_TEST(FuzzIni, string)(cfuzz_t *t, const char *text)
{
    struct ini ini = {NULL, NULL};
    int ret = ini_parse(&ini, text);

    ini_release(&ini);
    if (ret < 0)
        cfuzz_skip(t, "not an INI file");
}
#endif
