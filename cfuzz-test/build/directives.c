/*
 * directives.c - the //cfuzz: comment lines of a C source.
 */
#define _GNU_SOURCE
#include "build/directives.h"

#include <stdbool.h>
#include <string.h>

#include "cli/suggest.h"

#define PREFIX "//cfuzz:"
#define BLOCK_PREFIX "/*cfuzz:"

void directives_release(struct directives *d)
{
    strlist_release(&d->cflags);
    strlist_release(&d->ldflags);
    strlist_release(&d->sources);
    strlist_release(&d->exclude);
    strlist_release(&d->pkg_config);
}

/* line[0..len) is what follows the prefix: a word, blanks, the rest. */
static int parse_line(const char *line, size_t len, struct directives *out, struct cfz_error *err)
{
    const struct {
        const char *word;
        struct strlist *list;
    } known[] = {
        {"cflags", &out->cflags},   {"ldflags", &out->ldflags},       {"sources", &out->sources},
        {"exclude", &out->exclude}, {"pkg-config", &out->pkg_config},
    };
    struct suggestion meant = {.word = line};
    size_t word = 0;

    while (word < len && line[word] != ' ' && line[word] != '\t' && line[word] != '\r')
        word++;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strlen(known[i].word) == word && memcmp(known[i].word, line, word) == 0)
            return strlist_split(known[i].list, line + word, len - word, err);
    meant.len = word;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        suggest_offer(&meant, known[i].word);
    return cfz_fail(err, CFZ_EFORMAT, "unknown directive " PREFIX "%.*s%s%s%s", (int)word, line,
                    meant.best != NULL ? "; did you mean " PREFIX : "",
                    meant.best != NULL ? meant.best : "", meant.best != NULL ? "?" : "");
}

int directives_parse(const char *text, size_t len, struct directives *out, struct cfz_error *err)
{
    const char *end = text + len;
    size_t number = 1;

    for (const char *line = text; line < end; number++) {
        const char *eol = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((eol != NULL ? eol : end) - line), used = n;
        bool block =
            n >= strlen(BLOCK_PREFIX) && memcmp(line, BLOCK_PREFIX, strlen(BLOCK_PREFIX)) == 0;

        if (block) {
            const char *tail =
                memmem(line + strlen(BLOCK_PREFIX), n - strlen(BLOCK_PREFIX), "*/", 2);

            if (tail == NULL) {
                cfz_fail(err, CFZ_EFORMAT, BLOCK_PREFIX "...: the comment has to end on its line");
                return cfz_error_wrap(err, "line %zu", number);
            }
            used = (size_t)(tail - line);
        }
        if ((block || (n >= strlen(PREFIX) && memcmp(line, PREFIX, strlen(PREFIX)) == 0)) &&
            parse_line(line + strlen(PREFIX), used - strlen(PREFIX), out, err) < 0)
            return cfz_error_wrap(err, "line %zu", number);
        line += n + 1;
    }
    return 0;
}
