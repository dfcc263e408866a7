/*
 * test_includes.c - see test_includes.h.
 */
#define _GNU_SOURCE
#include "build/test_includes.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/project.h"
#include "core/io.h"

#define MARK "FUZZ_TEST"

enum {
    HEADERS_MAX = 64, /* of one source, all together */
    HEADER_SIZE_MAX = 1 << 20,
};

struct search {
    const char *source; /* its text */
    size_t len;
    struct strlist dirs;    /* of which headers are */
    struct strlist headers; /* that are looked at, or will be: real paths */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether name[0..n) stands in text as a word. */
static bool has_word(const char *text, size_t len, const char *name, size_t n)
{
    const char *at = text;

    while (n > 0 && (at = memmem(at, len - (size_t)(at - text), name, n)) != NULL) {
        if ((at == text || !is_word(at[-1])) && (at + n == text + len || !is_word(at[n])))
            return true;
        at += n;
    }
    return false;
}

/* Where the line begins that at is in, of lines that end without a backslash. */
static const char *logical_line(const char *text, const char *at)
{
    while (at > text && !(at[-1] == '\n' && (at - text < 2 || at[-2] != '\\')))
        at--;
    return at;
}

/* If a line is "#define NAME...", returns NAME and its length; else NULL. */
static const char *defined_name(const char *line, size_t *n)
{
    const char *s = line + strspn(line, " \t");

    if (*s++ != '#')
        return NULL;
    s += strspn(s, " \t");
    if (strncmp(s, "define", 6) != 0 || (s[6] != ' ' && s[6] != '\t'))
        return NULL;
    s += 6 + strspn(s + 6, " \t");
    for (*n = 0; is_word(s[*n]); ++*n) {
    }
    return s;
}

/* Whether the text of a header brings a test into the source. */
static bool brings_test(const struct search *s, const char *text, size_t len)
{
    for (const char *at = text;
         (at = memmem(at, len - (size_t)(at - text), MARK, sizeof MARK - 1)) != NULL; at++) {
        size_t n;
        const char *name = defined_name(logical_line(text, at), &n);

        if (name == NULL || has_word(s->source, s->len, name, n))
            return true;
    }
    return false;
}

/* Notes dir/name to be looked at, if it is a file. False if it is none. */
static bool note(struct search *s, const char *dir, const char *name, size_t n)
{
    char *path, *real;
    bool found;

    if (asprintf(&path, "%s/%.*s", dir, (int)n, name) < 0)
        return false;
    real = realpath(path, NULL);
    found = real != NULL;
    if (found && s->headers.n < HEADERS_MAX && !strlist_has(&s->headers, real))
        strlist_add(&s->headers, real, NULL);
    free(path);
    free(real);
    return found;
}

/* Notes the headers that a text includes, which lies in dir. */
static void note_includes(struct search *s, const char *dir, const char *text)
{
    for (const char *line = text; line != NULL && *line != '\0';
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
        const char *c = line + strspn(line, " \t"), *end;
        bool found;

        if (*c++ != '#')
            continue;
        c += strspn(c, " \t");
        if (strncmp(c, "include", 7) != 0)
            continue;
        c += 7 + strspn(c + 7, " \t");
        if (*c != '"' && *c != '<')
            continue;
        end = c + 1 + strcspn(c + 1, "\">\n");
        if (*end == '\n' || *end == '\0' || end == c + 1)
            continue;
        found = *c == '"' && note(s, dir, c + 1, (size_t)(end - c - 1));
        for (size_t i = 0; i < s->dirs.n && !found; i++)
            found = note(s, s->dirs.v[i], c + 1, (size_t)(end - c - 1));
    }
}

/* Adds the -I directories of flags, and those above dir in which projects have headers. */
static int add_dirs(struct search *s, const char *dir, const struct strlist *flags)
{
    static const char *const usual[] = {"", "/include", "/src", "/tests", "/test", "/fuzz"};
    char *root = project_root(dir), *at = root != NULL ? strdup(dir) : NULL;
    int ret = 0;

    for (size_t i = 0; i < flags->n && ret == 0; i++) {
        const char *value = flags->v[i] + 2;

        if (strncmp(flags->v[i], "-I", 2) != 0)
            continue;
        if (*value == '\0' && i + 1 < flags->n)
            value = flags->v[++i];
        ret = strlist_addf(&s->dirs, NULL, "%s%s%s", value[0] == '/' ? "" : dir,
                           value[0] == '/' ? "" : "/", value);
    }
    while (at != NULL && ret == 0 && strlen(at) >= strlen(root)) {
        char *slash = strrchr(at, '/');

        for (size_t i = 0; i < sizeof usual / sizeof usual[0] && ret == 0; i++)
            ret = strlist_addf(&s->dirs, NULL, "%s%s", at, usual[i]);
        if (slash == NULL || slash == at)
            break;
        *slash = '\0';
    }
    free(at);
    free(root);
    return ret;
}

bool test_includes_find(const char *path, const char *text, size_t len, const char *dir,
                        const struct strlist *flags)
{
    struct search s = {text, len, STRLIST_INIT, STRLIST_INIT};
    struct cfz_buf header = CFZ_BUF_INIT;
    char *own = strndup(path, (size_t)(strrchr(path, '/') - path));
    bool found = false;

    if (own != NULL && add_dirs(&s, dir, flags) == 0)
        note_includes(&s, own, text);
    for (size_t i = 0; i < s.headers.n && !found; i++) {
        char *slash = strrchr(s.headers.v[i], '/');

        if (strcmp(slash, "/cfuzz.h") == 0 || strcmp(slash, "/cfuzz_stub.h") == 0)
            continue;
        header.len = 0;
        if (cfz_io_read_file(AT_FDCWD, s.headers.v[i], HEADER_SIZE_MAX, &header, NULL) < 0)
            continue;
        found = brings_test(&s, cfz_buf_str(&header), header.len);
        free(own);
        own = strndup(s.headers.v[i], (size_t)(slash - s.headers.v[i]));
        if (own != NULL && !found)
            note_includes(&s, own, cfz_buf_str(&header));
    }
    free(own);
    strlist_release(&s.dirs);
    strlist_release(&s.headers);
    cfz_buf_release(&header);
    return found;
}
