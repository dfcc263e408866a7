/*
 * crash_buckets.c - see crash_buckets.h.
 */
#include "crash/crash_buckets.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "process/seeds.h"

/* Whether an input with signature sig shows the crash of k, at either place. */
static bool shows(const struct crash_bucket *k, const struct crash_signature *sig)
{
    struct crash_signature there;

    if (k->traced == 0 || k->traced != sig->place)
        return crash_signature_equal(&k->signature, sig);
    there = k->signature;
    there.place = k->traced;
    return crash_signature_equal(&there, sig);
}

size_t crash_buckets_find(const struct crash_buckets *b, const struct crash_signature *sig)
{
    for (size_t i = 0; i < b->n; i++)
        if (shows(&b->v[i], sig))
            return i;
    return SIZE_MAX;
}

void crash_buckets_traced(struct crash_buckets *b, size_t index, uint64_t place)
{
    if (index < b->n && place != b->v[index].signature.place)
        b->v[index].traced = place;
}

int crash_buckets_add(struct crash_buckets *b, const struct crash_signature *sig, size_t *index,
                      bool *first, struct cfz_error *err)
{
    *first = false;
    *index = crash_buckets_find(b, sig);
    if (*index != SIZE_MAX) {
        b->v[*index].count++;
        return 0;
    }
    if (b->n == CRASH_BUCKETS_MAX) {
        b->others++;
        *index = SIZE_MAX;
        return 0;
    }
    if (array_grow((void **)&b->v, b->n, &b->cap, sizeof *b->v, err) < 0)
        return -1;
    b->v[b->n] = (struct crash_bucket){.signature = *sig, .count = 1};
    *index = b->n++;
    *first = true;
    return 0;
}

int crash_buckets_add_seed(struct crash_buckets *b, const struct crash_signature *sig,
                           const char *seed, size_t *index, struct cfz_error *err)
{
    bool first;

    if (crash_buckets_add(b, sig, index, &first, err) < 0)
        return -1;
    if (!first)
        return 0;
    b->v[*index].seed = strdup(seed);
    return b->v[*index].seed != NULL ? 0 : cfz_fail_nomem(err);
}

void crash_buckets_count(struct crash_buckets *b, size_t index, uint64_t n)
{
    if (index < b->n)
        b->v[index].count += n;
    else
        b->others += n;
}

uint64_t crash_buckets_total(const struct crash_buckets *b)
{
    uint64_t n = b->others;

    for (size_t i = 0; i < b->n; i++)
        n += b->v[i].count;
    return n;
}

size_t crash_buckets_known(const struct crash_buckets *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        n += b->v[i].seed != NULL || b->v[i].listed;
    return n;
}

size_t crash_buckets_listed(const struct crash_buckets *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        n += b->v[i].listed;
    return n;
}

int crash_buckets_summary(const struct crash_buckets *b, const char *test, struct cfz_buf *out,
                          struct cfz_error *err)
{
    uint64_t all = crash_buckets_total(b);
    size_t known = crash_buckets_known(b);

    if (cfz_buf_printf(out, err, "    Distinct crashes: %zu (%llu failing input%s)", b->n,
                       (unsigned long long)all, all == 1 ? "" : "s") < 0 ||
        (known > 0 && cfz_buf_printf(out, err, ", %zu known before", known) < 0) ||
        cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    for (size_t i = 0; i < b->n; i++) {
        const struct crash_bucket *k = &b->v[i];
        int ret;

        if (k->seed != NULL)
            ret = cfz_buf_printf(out, err, "        %6llu  known: %s  %s\n",
                                 (unsigned long long)k->count, k->seed, k->signature.where);
        else if (k->listed)
            ret = cfz_buf_printf(out, err, "        %6llu  known: in the baseline  %s\n",
                                 (unsigned long long)k->count, k->signature.where);
        else if (k->file[0] != '\0')
            ret = cfz_buf_printf(out, err, "        %6llu  " SEED_DIR "/%s/%s  %s\n",
                                 (unsigned long long)k->count, test, k->file, k->signature.where);
        else
            ret = cfz_buf_printf(out, err, "        %6llu  (not saved)  %s\n",
                                 (unsigned long long)k->count, k->signature.where);
        if (ret < 0)
            return -1;
    }
    if (b->others > 0)
        return cfz_buf_printf(out, err, "        %6llu  of further crashes, not saved\n",
                              (unsigned long long)b->others);
    return 0;
}

void crash_buckets_release(struct crash_buckets *b)
{
    for (size_t i = 0; i < b->n; i++)
        free(b->v[i].seed);
    free(b->v);
    *b = (struct crash_buckets)CRASH_BUCKETS_INIT;
}
