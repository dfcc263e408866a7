/*
 * cover.c - see cover.h. The choice by rare features is that of afl-cmin (M. Zalewski).
 */
#include "corpus/cover.h"

#include <stdlib.h>
#include <string.h>

/* A feature that some input shows. */
struct feature {
    uint32_t id, holders, kept; /* inputs that show it, and of them those that are kept */
    uint32_t best;              /* the lightest of them */
};

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int find_id(const void *key, const void *feature)
{
    uint32_t x = *(const uint32_t *)key, y = ((const struct feature *)feature)->id;

    return (x > y) - (x < y);
}

static struct feature *find(struct feature *all, size_t n, uint32_t id)
{
    return bsearch(&id, all, n, sizeof(*all), find_id);
}

static int by_holders(const void *a, const void *b)
{
    const struct feature *x = *(struct feature *const *)a, *y = *(struct feature *const *)b;

    if (x->holders != y->holders)
        return x->holders > y->holders ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Lists the different features of all inputs, by id. */
static struct feature *list_features(const struct cover_input *v, size_t n, size_t *count)
{
    size_t total = 0, m = 0;
    uint32_t *ids;
    struct feature *all;

    for (size_t i = 0; i < n; i++)
        total += v[i].n;
    ids = malloc((total + 1) * sizeof(*ids));
    if (ids == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (v[i].n > 0)
            memcpy(ids + m, v[i].features, v[i].n * sizeof(*ids));
        m += v[i].n;
    }
    qsort(ids, total, sizeof(*ids), by_id);
    m = 0;
    for (size_t i = 0; i < total; i++)
        if (m == 0 || ids[m - 1] != ids[i])
            ids[m++] = ids[i];
    all = calloc(m + 1, sizeof(*all));
    for (size_t i = 0; all != NULL && i < m; i++)
        all[i].id = ids[i];
    free(ids);
    *count = m;
    return all;
}

/* Adds by to the count of kept inputs of all features of v. */
static void count_kept(struct feature *all, size_t n, const struct cover_input *v, int by)
{
    for (size_t i = 0; i < v->n; i++)
        find(all, n, v->features[i])->kept += (uint32_t)by;
}

/* Drops kept inputs of which the others show everything, heavy ones first. */
static void drop_superfluous(struct feature *all, size_t count, struct cover_input *v, size_t n)
{
    for (;;) {
        struct cover_input *heaviest = NULL;

        for (size_t i = 0; i < n; i++) {
            bool needed = !v[i].keep;

            for (size_t k = 0; k < v[i].n && !needed; k++)
                needed = find(all, count, v[i].features[k])->kept < 2;
            if (!needed && (heaviest == NULL || v[i].weight >= heaviest->weight))
                heaviest = &v[i];
        }
        if (heaviest == NULL)
            return;
        heaviest->keep = false;
        count_kept(all, count, heaviest, -1);
    }
}

int cover_choose(struct cover_input *v, size_t n, size_t *features, struct cfz_error *err)
{
    size_t count = 0;
    struct feature *all = list_features(v, n, &count);
    struct feature **order = calloc(count + 1, sizeof(*order));

    if (all == NULL || order == NULL) {
        free(all);
        free(order);
        return cfz_fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++) {
        v[i].keep = false;
        for (size_t k = 0; k < v[i].n; k++) {
            struct feature *f = find(all, count, v[i].features[k]);

            if (f->holders++ == 0 || v[i].weight < v[f->best].weight)
                f->best = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < count; i++)
        order[i] = &all[i];
    qsort(order, count, sizeof(*order), by_holders);
    for (size_t i = 0; i < count; i++) {
        struct cover_input *best = &v[order[i]->best];

        if (order[i]->kept > 0)
            continue;
        best->keep = true;
        count_kept(all, count, best, 1);
    }
    drop_superfluous(all, count, v, n);
    *features = count;
    free(all);
    free(order);
    return 0;
}
