/*
 * hash_set.c - see hash_set.h.
 */
#include "base/hash_set.h"

#include <stdlib.h>

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
uint64_t hash_set_text(uint64_t hash, const char *text)
{
    uint64_t h = hash ^ UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

/* The place of h: taken by it, or free. */
static size_t place_of(const struct hash_set *s, uint64_t h)
{
    size_t at = (size_t)(h ^ h >> 32) & (s->cap - 1);

    while (s->v[at] != 0 && s->v[at] != h)
        at = (at + 1) & (s->cap - 1);
    return at;
}

/* Keeps the table at most half full, with room for one more. */
static int grow(struct hash_set *s, struct cfz_error *err)
{
    struct hash_set bigger = {NULL, s->n, s->cap == 0 ? 256 : 2 * s->cap};

    if (2 * (s->n + 1) <= s->cap)
        return 0;
    bigger.v = calloc(bigger.cap, sizeof *bigger.v);
    if (bigger.v == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < s->cap; i++)
        if (s->v[i] != 0)
            bigger.v[place_of(&bigger, s->v[i])] = s->v[i];
    free(s->v);
    *s = bigger;
    return 0;
}

int hash_set_add(struct hash_set *s, uint64_t h, bool *added, struct cfz_error *err)
{
    size_t at;

    h = h == 0 ? 1 : h;
    if (grow(s, err) < 0)
        return -1;
    at = place_of(s, h);
    if (added != NULL)
        *added = s->v[at] == 0;
    s->n += s->v[at] == 0;
    s->v[at] = h;
    return 0;
}

bool hash_set_has(const struct hash_set *s, uint64_t h)
{
    h = h == 0 ? 1 : h;
    return s->cap > 0 && s->v[place_of(s, h)] == h;
}

void hash_set_release(struct hash_set *s)
{
    free(s->v);
    *s = (struct hash_set)HASH_SET_INIT;
}
