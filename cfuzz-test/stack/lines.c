/*
 * lines.c - see lines.h.
 */
#define _GNU_SOURCE
#include "stack/lines.h"

#include <stdbool.h>
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

/* Appends a frame to what is known of an address. Without memory the frame counts as not known. */
static void add_frame(struct line *to, const struct symbolizer_frame *f, const char *dir)
{
    struct line_frame *v = realloc(to->v, (to->n + 1) * sizeof *v);

    if (v == NULL)
        return;
    to->v = v;
    v[to->n] = (struct line_frame){NULL, NULL};
    if (f->function_len != 2 || memcmp(f->function, "??", 2) != 0)
        v[to->n].function = strndup(f->function, f->function_len);
    v[to->n].line = line_of(f->place, f->place_len, dir);
    if (v[to->n].function != NULL || v[to->n].line != NULL)
        to->n++;
}

/* Asks for the addresses at from and behind it. */
static void ask(struct lines *l, size_t from)
{
    struct cfz_buf answer = CFZ_BUF_INIT;
    struct strlist questions = STRLIST_INIT;
    struct symbolizer_walk w;
    struct symbolizer_frame f;
    /* As whole stacks are asked for (symbolize.c), which is so known already; only a path with a
     * quotation mark cannot be. */
    bool apart = strchr(l->path, '"') != NULL, ok = true;

    if (apart)
        ok =
            strlist_add(&questions, "-e", NULL) == 0 && strlist_add(&questions, l->path, NULL) == 0;
    for (size_t i = from; i < l->n && ok; i++)
        ok = strlist_addf(&questions, NULL, apart ? "%s0x%llx" : "\"%s\" 0x%llx",
                          apart ? "" : l->path, (unsigned long long)l->v[i].address) == 0;
    if (ok && symbolizer_ask(l->symbolizer, &questions, &answer, NULL) == 0) {
        w = (struct symbolizer_walk){.at = cfz_buf_str(&answer)};
        while (symbolizer_next(&w, &f) && from + f.address < l->n)
            add_frame(&l->v[from + f.address], &f, l->dir);
    }
    strlist_release(&questions);
    cfz_buf_release(&answer);
}

static const struct line *have(const struct lines *l, uint64_t address)
{
    for (size_t i = 0; i < l->n; i++) {
        if (l->v[i].address == address)
            return &l->v[i];
    }
    return NULL;
}

/* Enters an address of which nothing is known yet. Returns false if there is no room. */
static bool enter(struct lines *l, uint64_t address)
{
    if (l->n == LINES_MAX)
        return false;
    if (l->n == l->cap) {
        size_t cap = l->cap > 0 ? 2 * l->cap : 16;
        struct line *v = realloc(l->v, cap * sizeof *v);

        if (v == NULL)
            return false;
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = (struct line){.address = address};
    return true;
}

void lines_ask(struct lines *l, const uint64_t *addresses, size_t n)
{
    size_t from = l->n;

    if (l->symbolizer == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        if (have(l, addresses[i]) == NULL && !enter(l, addresses[i]))
            break;
    }
    if (l->n > from)
        ask(l, from);
}

const struct line *lines_find(struct lines *l, uint64_t address)
{
    lines_ask(l, &address, 1);
    return have(l, address);
}

void lines_release(struct lines *l)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t k = 0; k < l->v[i].n; k++) {
            free(l->v[i].v[k].function);
            free(l->v[i].v[k].line);
        }
        free(l->v[i].v);
    }
    free(l->v);
    l->v = NULL;
    l->n = l->cap = 0;
}
