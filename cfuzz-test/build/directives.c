/*
 * directives.c - the //cfuzz: comment lines of a C source.
 */
#include "build/directives.h"

#include <string.h>

#define PREFIX "//cfuzz:"

void directives_release(struct directives *d)
{
    strlist_release(&d->cflags);
    strlist_release(&d->ldflags);
    strlist_release(&d->sources);
}

/* line[0..len) is what follows the prefix: a word, blanks, the rest. */
static int parse_line(const char *line, size_t len, struct directives *out, struct cfz_error *err)
{
    const struct {
        const char *word;
        struct strlist *list;
    } known[] = {
        {"cflags", &out->cflags},
        {"ldflags", &out->ldflags},
        {"sources", &out->sources},
    };
    size_t word = 0;

    while (word < len && line[word] != ' ' && line[word] != '\t' && line[word] != '\r')
        word++;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strlen(known[i].word) == word && memcmp(known[i].word, line, word) == 0)
            return strlist_split(known[i].list, line + word, len - word, err);
    return cfz_fail(err, CFZ_EFORMAT, "unknown directive " PREFIX "%.*s", (int)word, line);
}

int directives_parse(const char *text, size_t len, struct directives *out, struct cfz_error *err)
{
    const char *end = text + len;
    size_t number = 1;

    for (const char *line = text; line < end; number++) {
        const char *eol = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((eol != NULL ? eol : end) - line);

        if (n >= strlen(PREFIX) && memcmp(line, PREFIX, strlen(PREFIX)) == 0 &&
            parse_line(line + strlen(PREFIX), n - strlen(PREFIX), out, err) < 0)
            return cfz_error_wrap(err, "line %zu", number);
        line += n + 1;
    }
    return 0;
}
