/*
 * lines.c - see lines.h.
 */
#define _GNU_SOURCE
#include "stack/lines.h"

#include <stdlib.h>
#include <string.h>

#include "stack/frames.h"
#include "stack/symbolizer.h"

/* "parse.c:41" of the place "/p/parse.c:41:9"; NULL if the line is not known. The caller's. */
static char *line_of(const char *place, size_t len, const char *dir)
{
    const char *column;

    frames_shorten(&place, &len, dir);
    column = memrchr(place, ':', len);
    if (column == NULL || (column - place >= 2 && memcmp(column - 2, ":0", 2) == 0))
        return NULL;
    return strndup(place, (size_t)(column - place));
}

static char *ask(const struct lines *l, uint64_t address)
{
    struct cfz_buf answer = CFZ_BUF_INIT;
    struct strlist question = STRLIST_INIT;
    struct symbolizer_walk w;
    struct symbolizer_frame f;
    char *text = NULL;

    if (strlist_add(&question, "-e", NULL) == 0 && strlist_add(&question, l->path, NULL) == 0 &&
        strlist_addf(&question, NULL, "0x%llx", (unsigned long long)address) == 0 &&
        symbolizer_ask(l->symbolizer, &question, &answer, NULL) == 0) {
        w = (struct symbolizer_walk){.at = cfz_buf_str(&answer)};
        if (symbolizer_next(&w, &f))
            text = line_of(f.place, f.place_len, l->dir);
    }
    strlist_release(&question);
    cfz_buf_release(&answer);
    return text;
}

const char *lines_find(struct lines *l, uint64_t address)
{
    for (size_t i = 0; i < l->n; i++) {
        if (l->v[i].address == address)
            return l->v[i].text;
    }
    if (l->symbolizer == NULL || l->n == LINES_MAX)
        return NULL;
    if (l->n == l->cap) {
        size_t cap = l->cap > 0 ? 2 * l->cap : 16;
        struct line *v = realloc(l->v, cap * sizeof *v);

        if (v == NULL)
            return NULL;
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n] = (struct line){address, ask(l, address)};
    return l->v[l->n++].text;
}

void lines_release(struct lines *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i].text);
    free(l->v);
    l->v = NULL;
    l->n = l->cap = 0;
}
