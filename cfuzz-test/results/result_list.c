/*
 * result_list.c - see result_list.h.
 */
#define _GNU_SOURCE
#include "results/result_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static char *copy(const char *text)
{
    return strdup(text != NULL ? text : "");
}

static void crash_free(struct result_crash *c)
{
    if (c == NULL)
        return;
    free((char *)c->kind);
    free((char *)c->where);
    free((char *)c->line);
    free((char *)c->function);
    free((char *)c->identity);
    free((char *)c->file);
    free((char *)c->command);
    free(c);
}

static struct result_crash *crash_copy(const struct result_crash *from)
{
    struct result_crash *c = malloc(sizeof *c);

    if (c == NULL)
        return NULL;
    *c = (struct result_crash){.kind = copy(from->kind),
                               .where = copy(from->where),
                               .line = copy(from->line),
                               .function = copy(from->function),
                               .identity = copy(from->identity),
                               .file = copy(from->file),
                               .command = copy(from->command)};
    if (c->kind == NULL || c->where == NULL || c->line == NULL || c->function == NULL ||
        c->identity == NULL || c->file == NULL || c->command == NULL) {
        crash_free(c);
        return NULL;
    }
    return c;
}

static void input_free(struct result_input *in)
{
    if (in != NULL)
        free((char *)in->values);
    free(in);
}

static struct result_input *input_copy(const struct result_input *from)
{
    struct result_input *in = malloc(sizeof *in);

    if (in == NULL)
        return NULL;
    *in = (struct result_input){from->origin, from->bytes, copy(from->values)};
    if (in->values == NULL) {
        input_free(in);
        return NULL;
    }
    return in;
}

static void result_free(struct result *r)
{
    free((char *)r->test);
    free((char *)r->text);
    input_free((struct result_input *)r->input);
    crash_free((struct result_crash *)r->crash);
}

int result_list_begin(struct result_list *l, const char *name, const char *dir, const char *build,
                      struct cfz_error *err)
{
    struct result_package p = {.name = copy(name),
                               .dir = copy(dir),
                               .build = build != NULL ? strdup(build) : NULL,
                               .began = time(NULL)};

    if (p.name == NULL || p.dir == NULL || (build != NULL && p.build == NULL) ||
        array_grow((void **)&l->v, l->n, &l->cap, sizeof *l->v, err) < 0) {
        free(p.name);
        free(p.dir);
        free(p.build);
        return cfz_fail_nomem(err);
    }
    l->at = l->n;
    l->v[l->n++] = p;
    return 0;
}

void result_list_again(struct result_list *l, const char *name, const char *dir)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].name, name) == 0 && strcmp(l->v[i].dir, dir) == 0)
            l->at = i;
}

int result_list_add(struct result_list *l, const struct result *r, struct cfz_error *err)
{
    struct result_package *p = l->n > 0 ? &l->v[l->at] : NULL;
    struct result c = *r;

    if (p == NULL)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: a result without a package", r->test);
    c.test = copy(r->test);
    c.text = copy(r->text);
    c.crash = r->crash != NULL ? crash_copy(r->crash) : NULL;
    c.input = r->input != NULL ? input_copy(r->input) : NULL;
    if (c.test == NULL || c.text == NULL || (r->crash != NULL && c.crash == NULL) ||
        (r->input != NULL && c.input == NULL) ||
        array_grow((void **)&p->v, p->n, &p->cap, sizeof *p->v, err) < 0) {
        result_free(&c);
        return cfz_fail_nomem(err);
    }
    p->v[p->n++] = c;
    return 0;
}

int result_list_end(struct result_list *l, enum result_kind kind, double seconds, const char *why,
                    struct cfz_error *err)
{
    struct result_package *p = l->n > 0 ? &l->v[l->at] : NULL;

    if (p == NULL)
        return cfz_fail(err, CFZ_EINTERNAL, "the end of a package that did not begin");
    p->kind = kind;
    p->seconds = seconds;
    if (why != NULL && (p->why = strdup(why)) == NULL)
        return cfz_fail_nomem(err);
    return 0;
}

void result_list_release(struct result_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct result_package *p = &l->v[i];

        for (size_t k = 0; k < p->n; k++)
            result_free(&p->v[k]);
        free(p->v);
        free(p->name);
        free(p->dir);
        free(p->why);
        free(p->build);
    }
    free(l->v);
    *l = (struct result_list)RESULT_LIST_INIT;
}

/* The line of text that begins, behind blanks, with what and a colon; NULL if there is none. */
static const char *line_of(const char *text, const char *what, size_t *len)
{
    size_t n = strlen(what);

    while (n > 0 && *text != '\0') {
        text += strspn(text, " \t");
        *len = strcspn(text, "\n");
        if (strncmp(text, what, n) == 0 && text[n] == ':')
            return text;
        text += *len + (text[*len] == '\n');
    }
    return NULL;
}

/* The last line of text that is not indented further than the first one: cfuzz_skip is the last to
 * say something, and lines of its own that follow are. */
static const char *last_message(const char *text)
{
    const size_t first = strspn(text, " \t");
    const char *last = text;

    for (const char *line = text; *line != '\0'; line += line[0] == '\n') {
        if (line[strspn(line, " \t")] != '\n' && strspn(line, " \t") <= first)
            last = line;
        line += strcspn(line, "\n");
    }
    return last;
}

const char *result_message(const struct result *r, size_t *len)
{
    const char *text = r->text != NULL ? r->text : "";
    bool failed = r->kind != RESULT_SKIPPED; /* a known crash says so in its first line */
    const char *line = failed && r->crash != NULL ? line_of(text, r->crash->line, len) : NULL;

    if (line != NULL)
        return line;
    if (failed && r->crash != NULL && r->crash->where[0] != '\0') {
        *len = strlen(r->crash->where);
        return r->crash->where;
    }
    text += strspn(text, "\n");
    if (r->kind == RESULT_SKIPPED && r->crash == NULL)
        text = last_message(text);
    text += strspn(text, " \t\n");
    *len = strcspn(text, "\n");
    return text;
}
