/*
 * lines.c - see lines.h.
 */
#define _GNU_SOURCE
#include "stack/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/subprocess.h"

/* The line in the symbolizer's answer "function\npath:line:column\n...", the caller's; or NULL. */
static char *line_of(const struct lines *l, const char *answer)
{
    const char *place = strchr(answer, '\n'), *end, *colon;
    size_t dirlen = strlen(l->dir);

    if (place == NULL)
        return NULL;
    place++;
    end = place + strcspn(place, "\n");
    colon = memrchr(place, ':', (size_t)(end - place)); /* before the column */
    if (colon == NULL || strncmp(place, "??", 2) == 0 || strncmp(colon - 2, ":0", 2) == 0)
        return NULL;
    if (strncmp(place, l->dir, dirlen) == 0 && place[dirlen] == '/')
        place += dirlen + 1;
    return strndup(place, (size_t)(colon - place));
}

static char *ask(const struct lines *l, uint64_t address)
{
    struct cfz_buf answer = CFZ_BUF_INIT, noise = CFZ_BUF_INIT;
    char obj[32], *text = NULL;
    const char *argv[] = {l->symbolizer, "--output-style=LLVM", "-e", l->path, obj, NULL};
    struct subprocess p = {.argv = argv, .out = &answer, .err = &noise};
    int status;

    snprintf(obj, sizeof obj, "0x%llx", (unsigned long long)address);
    if (subprocess_run(&p, &status, NULL) == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        text = line_of(l, cfz_buf_str(&answer));
    cfz_buf_release(&answer);
    cfz_buf_release(&noise);
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
