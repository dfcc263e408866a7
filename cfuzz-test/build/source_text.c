/*
 * source_text.c - see source_text.h.
 */
#include "build/source_text.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The end of the comment or the quoted text that begins at s, or s if none does. */
static const char *skip_quoted(const char *s, const char *end)
{
    char quote = *s;

    if (end - s >= 2 && s[0] == '/' && s[1] == '/') {
        while (s < end && *s != '\n')
            s += *s == '\\' && end - s >= 2 ? 2 : 1;
        return s;
    }
    if (end - s >= 2 && s[0] == '/' && s[1] == '*') {
        for (s += 2; end - s >= 2; s++)
            if (s[0] == '*' && s[1] == '/')
                return s + 2;
        return end;
    }
    if (quote != '"' && quote != '\'')
        return s;
    for (s++; s < end && *s != quote && *s != '\n'; s++)
        if (*s == '\\' && end - s >= 2)
            s++;
    return s < end ? s + 1 : end;
}

/* Skips blanks, line ends and comments. */
static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end) {
        const char *next = *s == '/' ? skip_quoted(s, end) : s;

        if (next == s && !isspace((unsigned char)*s))
            break;
        s = next > s ? next : s + 1;
    }
    return s;
}

/* The end of what is between parentheses, s being at the first; end if there is no closing one. */
static const char *skip_parentheses(const char *s, const char *end)
{
    int depth = 0;

    while (s < end) {
        const char *next = skip_quoted(s, end);

        if (next > s) {
            s = next;
            continue;
        }
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
        s++;
        if (depth == 0)
            return s;
    }
    return end;
}

static bool is_it(const char *s, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(s, word, len) == 0;
}

/* The end of the next word from s on that reads as one of the two; NULL if there is none. */
static const char *find_word(const char *s, const char *end, const char *word, const char *other)
{
    while (s < end) {
        const char *next = skip_quoted(s, end), *begin = s;

        if (next > s) {
            s = next;
            continue;
        }
        if (!is_word(*s)) {
            s++;
            continue;
        }
        while (s < end && is_word(*s))
            s++;
        if (is_it(begin, (size_t)(s - begin), word) || is_it(begin, (size_t)(s - begin), other))
            return s;
    }
    return NULL;
}

bool source_defines(const char *text, size_t len, const char *function)
{
    const char *s = text, *end = text + len;

    while ((s = find_word(s, end, function, function)) != NULL) {
        s = skip_blanks(s, end);
        if (s == end || *s != '(')
            continue;
        s = skip_blanks(skip_parentheses(s, end), end);
        if (s < end && (*s == '{' || is_word(*s))) /* a word: parameters as before C89 */
            return true;
    }
    return false;
}

/* The line, from 1, in which at stands. */
static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;

    for (const char *s = text; s < at; s++)
        line += *s == '\n';
    return line;
}

/* Whether a body comes before the end of a declaration, s being behind its parameters. */
static bool has_body(const char *s, const char *end)
{
    while ((s = skip_blanks(s, end)) < end && is_word(*s)) {
        while (s < end && is_word(*s)) /* an attribute, noexcept */
            s++;
        s = skip_blanks(s, end);
        if (s < end && *s == '(')
            s = skip_parentheses(s, end);
    }
    return s < end && *s == '{';
}

size_t source_function_line(const char *text, size_t len, const char *name)
{
    const char *s = text, *end = text + len;

    while ((s = find_word(s, end, name, name)) != NULL) {
        const char *word = s, *behind = skip_blanks(s, end);

        if (behind == end || *behind != '(')
            continue;
        s = skip_parentheses(behind, end);
        if (has_body(s, end))
            return line_of(text, word);
    }
    return 0;
}

size_t source_test_line(const char *text, size_t len, const char *name)
{
    const char *s = text, *end = text + len;
    size_t name_len = strlen(name);

    while ((s = find_word(s, end, "FUZZ_TEST", "FUZZ_TEST_VALUES")) != NULL) {
        const char *word = skip_blanks(s, end);

        if (word == end || *word != '(')
            continue;
        word = skip_blanks(word + 1, end);
        if ((size_t)(end - word) <= name_len || memcmp(word, name, name_len) != 0 ||
            is_word(word[name_len]))
            continue;
        return line_of(text, s);
    }
    return 0;
}
