/*
 * fuzz_interesting.c - see fuzz_interesting.h.
 */
#include "fuzz/fuzz_interesting.h"

#include "core/corpus/corpus.h"
#include "cli/debug.h"
#include "fuzz/fuzz_sharing.h"
#include "process/lineage.h"
#include "results/results.h"

/* Whether one of the bits is of an edge that no input has shown. */
static bool has_new_edge(const struct cfz_run_shm *run, const struct cfz_cov_bits *bits, size_t n)
{
    const uint8_t *mask = (const uint8_t *)run + run->mask_off;

    for (size_t i = 0; i < n; i++)
        if (bits[i].index < run->mask_len && mask[bits[i].index] == 0)
            return true;
    return false;
}

/* Appends, of the counters that a record has bits of, where those are that no input has shown. */
static int new_places(const struct cfz_run_shm *run, const struct cfz_record *r,
                      struct cfz_buf *out, struct cfz_error *err)
{
    const uint8_t *mask = (const uint8_t *)run + run->mask_off;
    const struct cfz_cov_bits *bits = cfz_record_bits(r);
    const uint64_t *pcs = cfz_record_pcs(r);
    int ret = 0;

    for (size_t i = 0; i < r->nbits && ret == 0; i++)
        if (pcs[i] != 0 && bits[i].index < run->mask_len && mask[bits[i].index] == 0)
            ret = cfz_buf_append(out, &pcs[i], sizeof pcs[i], err);
    return ret;
}

/* Has the front say that entry index, of which w reported the record, is new. */
static void say(struct coordinator *c, const struct worker *w, const struct cfz_record *r,
                const struct cfz_buf *places, uint64_t index)
{
    struct lineage lineage;

    if (c->front->reached != NULL && places->len > 0)
        c->front->reached(c, w, (const uint64_t *)(const void *)places->data, places->len / 8);
    if (c->front->interesting == NULL)
        return;
    lineage_read(w->shm, r->lineage.v, r->lineage.n, r->entry, &lineage);
    c->front->interesting(c, index, &lineage);
}

static int take_interesting(struct coordinator *c, const struct worker *w,
                            const struct cfz_record *r, struct cfz_error *err)
{
    struct cfz_run_shm *run = c->host->run;
    const struct cfz_cov_bits *bits = cfz_record_bits(r);
    bool added, unstable = (r->flags & CFZ_RECORD_UNSTABLE) != 0;
    uint64_t index, fresh;
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf places = CFZ_BUF_INIT;
    char name[17] = "-";
    enum entry_from from;
    int ret = -1;

    fresh = cfz_cov_count_new(cfz_run_mask(run), run->mask_len, bits, r->nbits);
    if (fresh == 0) {
        if (debug_fuzz())
            debug_line("worker reported interesting input that doesn't expand coverage, parent: %s",
                       fuzz_corpus_id(&c->corpus, r->entry));
        return 0; /* another worker was first */
    }
    if (cfz_values_unpack(&vals, c->t->kinds, c->t->nvalues, cfz_record_packed(r), r->packed, err) <
        0)
        goto out;
    /* First to disk, so that the entry has its name. */
    if (!unstable && !fuzz_corpus_keeps(&c->corpus, &vals) &&
        (c->front->keep(c, &vals, name, err) < 0 || sharing_kept(c, name, err) < 0))
        goto out;
    from = unstable                            ? FROM_RUN_UNSTABLE
           : has_new_edge(run, bits, r->nbits) ? FROM_RUN
                                               : FROM_RUN_COUNTS;
    if (fuzz_corpus_add(&c->corpus, &vals, from, r->entry, name, &added, &index, err) < 0)
        goto out;
    if ((r->flags & CFZ_RECORD_PCS) != 0 && new_places(run, r, &places, err) < 0)
        goto out;
    /* Also if the values are in the corpus already: coverage that varies is reported only once. */
    totals_merge(run, bits, r->nbits);
    if (added) {
        uint32_t generation =
            r->entry < c->corpus.n ? c->corpus.entries[r->entry].generation + 1 : 1;

        c->corpus.entries[index].generation = generation;
        c->corpus.entries[index].ns = r->ns;
        c->progress.interesting++;
        c->progress.total++;
        c->totals.unstable += unstable;
        mutation_counts_input(&c->mutations, &r->lineage);
        say(c, w, r, &places, index);
        c->found_at = c->s->loop.now;
        results_fuzz_find(c->t->name, name, r->packed, fresh, c->progress.total);
        if (debug_fuzz())
            debug_line("new interesting input, id: %s, parent: %s, gen: %u, new bits: %llu, total "
                       "counters: %llu, size: %llu%s",
                       name, fuzz_corpus_id(&c->corpus, r->entry), generation,
                       (unsigned long long)fresh, (unsigned long long)run->covered,
                       (unsigned long long)r->packed, unstable ? ", unstable" : "");
    } else if (debug_fuzz()) {
        debug_line("ignoring duplicate input which increased coverage, id: %s",
                   fuzz_corpus_id(&c->corpus, index));
    }
    ret = 0;
out:
    cfz_buf_release(&places);
    cfz_values_release(&vals);
    return ret;
}

/* Takes what a worker knows of goals in the place of what was told before. */
static int take_goals(struct coordinator *c, const struct cfz_record *r, struct cfz_error *err)
{
    c->goals.len = 0;
    if (r->packed > CFZ_GOALS_SIZE_MAX)
        return 0; /* the target wrote over it */
    return cfz_buf_append(&c->goals, cfz_record_packed(r), r->packed, err);
}

int fuzz_take_records(struct coordinator *c, struct worker *w, struct cfz_error *err)
{
    struct cfz_run_shm *run = c->host->run;
    const struct cfz_record *r;
    struct cfz_error why = CFZ_ERROR_INIT;

    for (;;) {
        if (cfz_outbox_peek(w->shm, &r, NULL) < 0) {
            /* If the worker is gone, its ending tells the cause, and the outbox is left alone. */
            if (w->state != WORKER_GONE)
                worker_scribbled(w);
            break;
        }
        if (r == NULL)
            break;
        if (r->type == CFZ_RECORD_BASE) {
            sharing_base(
                c, w,
                cfz_cov_count_new(cfz_run_mask(run), run->mask_len, cfz_record_bits(r), r->nbits));
            totals_merge(run, cfz_record_bits(r), r->nbits);
        } else if (r->type == CFZ_RECORD_INTERESTING && take_interesting(c, w, r, &why) < 0) {
            if (why.code != CFZ_EFORMAT) {
                if (err != NULL)
                    *err = why;
                return -1;
            }
            worker_scribbled(w); /* values that no test has */
            break;
        } else if (r->type == CFZ_RECORD_WORD &&
                   words_note(&c->words, cfz_record_packed(r), r->packed, err) < 0) {
            return -1;
        } else if (r->type == CFZ_RECORD_GOALS && take_goals(c, r, err) < 0) {
            return -1;
        }
        cfz_outbox_consume(w->shm, r);
    }
    return worker_records_taken(w, err);
}
