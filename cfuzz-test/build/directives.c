/*
 * directives.c - the //cfuzz: comment lines of a C or C++ source.
 */
#define _GNU_SOURCE
#include "build/directives.h"

#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#include "cli/suggest.h"

#define PREFIX "//cfuzz:"
#define BLOCK_PREFIX "/*cfuzz:"

void directives_release(struct directives *d)
{
    strlist_release(&d->cflags);
    strlist_release(&d->cxxflags);
    strlist_release(&d->ldflags);
    strlist_release(&d->sources);
    strlist_release(&d->comparators);
    strlist_release(&d->exclude);
    strlist_release(&d->pkg_config);
    strlist_release(&d->sources_lines);
    strlist_release(&d->exclude_lines);
    strlist_release(&d->pkg_config_lines);
}

static bool is_identifier(const char *s)
{
    for (const char *c = s; *c != '\0'; c++)
        if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
              (c > s && *c >= '0' && *c <= '9')))
            return false;
    return *s != '\0';
}

/* A parameter number: 0 to 63, in one or two digits. */
static bool is_parameter(const char *s)
{
    return s[0] >= '0' && s[0] <= '9' &&
           (s[1] == '\0' || (s[1] >= '0' && s[1] <= '9' && s[2] == '\0' && atoi(s) < 64));
}

/* words[0..n) of a //cfuzz:compare line: name, a, b and perhaps a size. */
static int add_comparator(const struct strlist *words, size_t number, struct directives *out,
                          struct cfz_error *err)
{
    static const char *const what[] = {"a", "b", "the size"};

    if (words->n < 3 || words->n > 4)
        return cfz_fail(err, CFZ_EFORMAT,
                        PREFIX "compare: %zu words; it takes a function, the numbers of the two "
                               "parameters that it compares, and perhaps that of their size",
                        words->n);
    if (!is_identifier(words->v[0]))
        return cfz_fail(err, CFZ_EFORMAT, PREFIX "compare: \"%s\" is not the name of a function",
                        words->v[0]);
    for (size_t i = 1; i < words->n; i++) {
        if (!is_parameter(words->v[i]))
            return cfz_fail(err, CFZ_EFORMAT,
                            PREFIX "compare: \"%s\" is not the number of a parameter: 0 for the "
                                   "first, up to 63",
                            words->v[i]);
        for (size_t k = 1; k < i; k++)
            if (atoi(words->v[i]) == atoi(words->v[k]))
                return cfz_fail(err, CFZ_EFORMAT, PREFIX "compare: parameter %s is both %s and %s",
                                words->v[i], what[k - 1], what[i - 1]);
    }
    return strlist_addf(&out->comparators, err, "%s:%d:%d%s%s@%zu", words->v[0], atoi(words->v[1]),
                        atoi(words->v[2]), words->n == 4 ? ":" : "",
                        words->n == 4 ? words->v[3] : "", number);
}

static int parse_comparator(const char *rest, size_t len, size_t number, struct directives *out,
                            struct cfz_error *err)
{
    struct strlist words = STRLIST_INIT;
    int ret = -1;

    if (strlist_split(&words, rest, len, err) == 0)
        ret = add_comparator(&words, number, out, err);
    strlist_release(&words);
    return ret;
}

/* Adds the words in text[0..len) to list, and the number of their line to lines, if that is asked
 * for. */
static int add_words(const char *text, size_t len, size_t number, struct strlist *list,
                     struct strlist *lines, struct cfz_error *err)
{
    if (strlist_split(list, text, len, err) < 0)
        return -1;
    while (lines != NULL && lines->n < list->n)
        if (strlist_addf(lines, err, "%zu", number) < 0)
            return -1;
    return 0;
}

/* line[0..len), of that number, is what follows the prefix: a word, blanks, the rest. */
static int parse_line(const char *line, size_t len, size_t number, struct directives *out,
                      struct cfz_error *err)
{
    const struct {
        const char *word;
        struct strlist *list, *lines;
    } known[] = {
        {"cflags", &out->cflags, NULL},
        {"ldflags", &out->ldflags, NULL},
        {"sources", &out->sources, &out->sources_lines},
        {"exclude", &out->exclude, &out->exclude_lines},
        {"pkg-config", &out->pkg_config, &out->pkg_config_lines},
        {"cxxflags", &out->cxxflags, NULL},
    };
    struct suggestion meant = {.word = line};
    size_t word = 0;

    while (word < len && line[word] != ' ' && line[word] != '\t' && line[word] != '\r')
        word++;
    if (word == strlen("compare") && memcmp(line, "compare", word) == 0)
        return parse_comparator(line + word, len - word, number, out, err);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strlen(known[i].word) == word && memcmp(known[i].word, line, word) == 0)
            return add_words(line + word, len - word, number, known[i].list, known[i].lines, err);
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
            parse_line(line + strlen(PREFIX), used - strlen(PREFIX), number, out, err) < 0)
            return cfz_error_wrap(err, "line %zu", number);
        line += n + 1;
    }
    return 0;
}
