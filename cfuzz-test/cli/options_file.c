/*
 * options_file.c - see options_file.h.
 */
#define _GNU_SOURCE
#include "cli/options_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a line. */
struct words {
    const char *p;
    size_t len;
};

static struct words trim(const char *p, size_t len)
{
    while (len > 0 && strchr(" \t\r", p[0]) != NULL)
        p++, len--;
    while (len > 0 && strchr(" \t\r", p[len - 1]) != NULL)
        len--;
    return (struct words){p, len};
}

static bool is(struct words w, const char *text)
{
    return w.len == strlen(text) && memcmp(w.p, text, w.len) == 0;
}

void options_file_release(struct options_file *f)
{
    free(f->dict);
    strlist_release(&f->env);
    *f = (struct options_file)OPTIONS_FILE_INIT;
}

/* A number, or "random(1, 100)", which stands for its upper end. */
static int parse_number(struct words name, struct words value, uint64_t *out, struct cfz_error *err)
{
    char text[40], *end;
    const char *p = text, *comma;
    unsigned long long n;

    snprintf(text, sizeof text, "%.*s", (int)(value.len < 39 ? value.len : 39), value.p);
    comma = strchr(text, ',');
    if (strncmp(text, "random(", 7) == 0 && comma != NULL)
        for (p = comma + 1; *p == ' '; p++)
            ;
    errno = 0;
    n = strtoull(p, &end, 10);
    if (p != text && *end == ')')
        end++;
    if (*p < '0' || *p > '9' || *end != '\0' || errno != 0 || value.len >= sizeof text)
        return cfz_fail(err, CFZ_EFORMAT, "%.*s: \"%.*s\" is not a number", (int)name.len, name.p,
                        (int)value.len, value.p);
    *out = n;
    return 0;
}

/* Adds "name=value" to the variable of a sanitizer. */
static int add_setting(struct options_file *f, const char *variable, struct words name,
                       struct words value, struct cfz_error *err)
{
    size_t len = strlen(variable);

    for (size_t i = 0; i < f->env.n; i++) {
        char *more;

        if (strncmp(f->env.v[i], variable, len) != 0)
            continue;
        if (asprintf(&more, "%s:%.*s=%.*s", f->env.v[i], (int)name.len, name.p, (int)value.len,
                     value.p) < 0)
            return cfz_fail_nomem(err);
        free(f->env.v[i]);
        f->env.v[i] = more;
        return 0;
    }
    return strlist_addf(&f->env, err, "%s=%.*s=%.*s", variable, (int)name.len, name.p,
                        (int)value.len, value.p);
}

static int parse_setting(struct options_file *f, struct words section, struct words name,
                         struct words value, struct cfz_error *err)
{
    static const char *const sanitizers[][2] = {{"asan", "ASAN_OPTIONS"},
                                                {"msan", "MSAN_OPTIONS"},
                                                {"tsan", "TSAN_OPTIONS"},
                                                {"ubsan", "UBSAN_OPTIONS"}};
    const struct {
        const char *name;
        uint64_t *number;
        bool *has;
    } numbers[] = {{"max_len", &f->max_len, &f->has_max_len},
                   {"timeout", &f->timeout_s, &f->has_timeout},
                   {"rss_limit_mb", &f->rss_mib, &f->has_rss}};

    for (size_t i = 0; i < sizeof sanitizers / sizeof sanitizers[0]; i++)
        if (is(section, sanitizers[i][0]))
            return add_setting(f, sanitizers[i][1], name, value, err);
    if (!is(section, "libfuzzer"))
        return 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (is(name, numbers[i].name)) {
            *numbers[i].has = true;
            return parse_number(name, value, numbers[i].number, err);
        }
    if (!is(name, "dict"))
        return 0;
    free(f->dict);
    f->dict = strndup(value.p, value.len);
    return f->dict != NULL ? 0 : cfz_fail_nomem(err);
}

/* One line that is neither empty nor a comment. */
static int parse_line(struct options_file *f, struct words line, struct words *section,
                      struct cfz_error *err)
{
    const char *sign;

    if (line.p[0] == '[' && line.p[line.len - 1] == ']') {
        *section = trim(line.p + 1, line.len - 2);
        return 0;
    }
    sign = memchr(line.p, '=', line.len);
    if (sign == NULL)
        sign = memchr(line.p, ':', line.len);
    if (sign == NULL || sign == line.p || section->len == 0)
        return cfz_fail(err, CFZ_EFORMAT, "neither [section] nor name = value%s",
                        sign != NULL && sign != line.p ? " of a section" : "");
    return parse_setting(f, *section, trim(line.p, (size_t)(sign - line.p)),
                         trim(sign + 1, line.len - (size_t)(sign + 1 - line.p)), err);
}

int options_file_parse(const char *text, size_t len, struct options_file *out,
                       struct cfz_error *err)
{
    const char *end = text + len;
    struct words section = {"", 0};
    size_t number = 1;

    if (len > 0 && memchr(text, '\0', len) != NULL)
        return cfz_fail(err, CFZ_EFORMAT, "not text: it has a NUL");
    for (const char *line = text; line < end; number++) {
        const char *eol = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((eol != NULL ? eol : end) - line);
        struct words w = trim(line, n);

        if (w.len > 0 && w.p[0] != '#' && w.p[0] != ';' && parse_line(out, w, &section, err) < 0)
            return cfz_error_wrap(err, "line %zu", number);
        line += n + 1;
    }
    return 0;
}
