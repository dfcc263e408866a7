/*
 * crash_set.c - see crash_set.h.
 */
#include "crash/crash_set.h"

#include <stdlib.h>
#include <string.h>

#include "process/seeds.h"

int crash_set_add(struct crash_set *s, const struct crash_id *id, size_t *index, bool *first,
                  struct cfz_error *err)
{
    *first = false;
    for (size_t i = 0; i < s->n; i++) {
        if (crash_id_equal(&s->v[i].id, id)) {
            s->v[i].count++;
            *index = i;
            return 0;
        }
    }
    if (s->n == CRASH_SET_MAX) {
        s->others++;
        *index = SIZE_MAX;
        return 0;
    }
    if (s->n == s->cap) {
        size_t cap = s->cap > 0 ? 2 * s->cap : 8;
        struct crash_kept *v = realloc(s->v, cap * sizeof *v);

        if (v == NULL)
            return cfz_fail_nomem(err);
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n] = (struct crash_kept){.id = *id, .count = 1};
    *index = s->n++;
    *first = true;
    return 0;
}

int crash_set_know(struct crash_set *s, const struct crash_id *id, const char *seed, size_t *index,
                   struct cfz_error *err)
{
    bool first;

    if (crash_set_add(s, id, index, &first, err) < 0)
        return -1;
    if (!first)
        return 0;
    s->v[*index].known = strdup(seed);
    return s->v[*index].known != NULL ? 0 : cfz_fail_nomem(err);
}

size_t crash_set_known(const struct crash_set *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->v[i].known != NULL;
    return n;
}

int crash_set_summary(const struct crash_set *s, const char *test, struct cfz_buf *out,
                      struct cfz_error *err)
{
    uint64_t all = s->others;
    size_t known = crash_set_known(s);

    for (size_t i = 0; i < s->n; i++)
        all += s->v[i].count;
    if (cfz_buf_printf(out, err, "    Distinct crashes: %zu (%llu failing input%s)", s->n,
                       (unsigned long long)all, all == 1 ? "" : "s") < 0 ||
        (known > 0 && cfz_buf_printf(out, err, ", %zu known before", known) < 0) ||
        cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        const struct crash_kept *k = &s->v[i];
        int ret;

        if (k->known != NULL)
            ret = cfz_buf_printf(out, err, "        %6llu  known: %s  %s\n",
                                 (unsigned long long)k->count, k->known, k->id.where);
        else if (k->file[0] != '\0')
            ret = cfz_buf_printf(out, err, "        %6llu  " SEED_DIR "/%s/%s  %s\n",
                                 (unsigned long long)k->count, test, k->file, k->id.where);
        else
            ret = cfz_buf_printf(out, err, "        %6llu  (not saved)  %s\n",
                                 (unsigned long long)k->count, k->id.where);
        if (ret < 0)
            return -1;
    }
    if (s->others > 0)
        return cfz_buf_printf(out, err, "        %6llu  of further crashes, not saved\n",
                              (unsigned long long)s->others);
    return 0;
}

void crash_set_release(struct crash_set *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->v[i].known);
    free(s->v);
    *s = (struct crash_set)CRASH_SET_INIT;
}
