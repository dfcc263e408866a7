/*
 * crash_buckets.c - see crash_buckets.h.
 */
#include "crash/crash_buckets.h"

#include <stdlib.h>
#include <string.h>

#include "process/seeds.h"

int crash_buckets_add(struct crash_buckets *s, const struct crash_signature *id, size_t *index,
                      bool *first, struct cfz_error *err)
{
    *first = false;
    for (size_t i = 0; i < s->n; i++) {
        if (crash_signature_equal(&s->v[i].id, id)) {
            s->v[i].count++;
            *index = i;
            return 0;
        }
    }
    if (s->n == CRASH_BUCKETS_MAX) {
        s->others++;
        *index = SIZE_MAX;
        return 0;
    }
    if (s->n == s->cap) {
        size_t cap = s->cap > 0 ? 2 * s->cap : 8;
        struct crash_bucket *v = realloc(s->v, cap * sizeof *v);

        if (v == NULL)
            return cfz_fail_nomem(err);
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n] = (struct crash_bucket){.id = *id, .count = 1};
    *index = s->n++;
    *first = true;
    return 0;
}

int crash_buckets_add_seed(struct crash_buckets *s, const struct crash_signature *id,
                           const char *seed, size_t *index, struct cfz_error *err)
{
    bool first;

    if (crash_buckets_add(s, id, index, &first, err) < 0)
        return -1;
    if (!first)
        return 0;
    s->v[*index].known = strdup(seed);
    return s->v[*index].known != NULL ? 0 : cfz_fail_nomem(err);
}

size_t crash_buckets_of_seeds(const struct crash_buckets *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->v[i].known != NULL;
    return n;
}

int crash_buckets_summary(const struct crash_buckets *s, const char *test, struct cfz_buf *out,
                          struct cfz_error *err)
{
    uint64_t all = s->others;
    size_t known = crash_buckets_of_seeds(s);

    for (size_t i = 0; i < s->n; i++)
        all += s->v[i].count;
    if (cfz_buf_printf(out, err, "    Distinct crashes: %zu (%llu failing input%s)", s->n,
                       (unsigned long long)all, all == 1 ? "" : "s") < 0 ||
        (known > 0 && cfz_buf_printf(out, err, ", %zu known before", known) < 0) ||
        cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        const struct crash_bucket *k = &s->v[i];
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

void crash_buckets_release(struct crash_buckets *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->v[i].known);
    free(s->v);
    *s = (struct crash_buckets)CRASH_BUCKETS_INIT;
}
