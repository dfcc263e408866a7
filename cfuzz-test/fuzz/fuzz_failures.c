/*
 * fuzz_failures.c - see fuzz_failures.h.
 */
#include "fuzz/fuzz_failures.h"

#include "crash/crasher.h"
#include "cli/debug.h"
#include "fuzz/fuzz_loop.h"
#include "fuzz/fuzz_interesting.h"
#include "process/seeds.h"

enum {
    /* Workers may be killed from outside (out of memory, an operator) and are replaced, but not
     * for ever. Guessed. */
    RESTARTS_MAX = 100,
    RESTARTS_WINDOW_MS = 60000,
};

/* ---- inputs ----------------------------------------------------------- */

void fuzz_baseline_answered(struct coordinator *c, const struct worker *w)
{
    c->baseline.left--;
    c->baseline.due -= c->corpus.entries[w->entry].from != FROM_CACHE;
    c->totals.baseline++;
    if (debug_fuzz())
        debug_line("processed an initial input, id: %s, size: %llu, exec time: %lluns",
                   fuzz_entry_id(c, w->entry),
                   (unsigned long long)cfz_run_shm_entry(c->host->run, w->entry)->size,
                   (unsigned long long)w->result.ns);
    if (c->corpus.entries[w->entry].from != FROM_ZERO)
        c->baseline.counted++;
}

/* Entry i of the baseline, a seed, failed; the block that tells of it is at the end of blocks. The
 * user has it already, so the run only ends after the others, and with -keepfuzzing goes on. */
static void seed_failed(struct coordinator *c, uint64_t i)
{
    c->failed = true;
    c->corpus.entries[i].failed = true;
    report_line("failure while testing seed corpus entry: %s/%s", c->t->name,
                c->corpus.entries[i].name);
    c->idle_after_baseline = !c->triage.keep;
}

/* The name that heads the block of an input that failed: seeds have one. */
static const char *block_name(const struct coordinator *c, const struct worker *w)
{
    return w->fuzzing ? c->t->name : w->shm->name;
}

/* The input of w, which failed or died; *have is false, with the reason in why, if it was
 * destroyed. */
static int input_of(struct coordinator *c, const struct worker *w, struct cfz_values *input,
                    bool *have, struct cfz_error *why, struct cfz_error *err)
{
    *have = true;
    if (!w->fuzzing)
        return fuzz_corpus_values(&c->corpus, w->entry, input, err);
    *have = cfz_proc_input(w->shm, c->t->kinds, c->t->nvalues, input, why) == 0;
    return 0;
}

/* After triage_add. */
static void debug_crasher(const struct coordinator *c, const struct worker *w, size_t size)
{
    const struct finding *f = c->triage.last;
    uint64_t parent = w->fuzzing ? w->shm->parent : w->entry; /* the target may have scribbled */
    unsigned generation = parent < c->corpus.n ? c->corpus.entries[parent].generation : 0;

    if (f == NULL)
        debug_line("ignoring crasher that was met before, parent: %s, gen: %u, size: %zu",
                   fuzz_entry_id(c, parent), generation + w->fuzzing, size);
    else
        debug_line("found crasher, id: %s, parent: %s, gen: %u, size: %zu, exec time: %lluns",
                   f->file[0] != '\0' ? f->file : "-", fuzz_entry_id(c, parent),
                   generation + w->fuzzing, size, (unsigned long long)f->ns);
}

int fuzz_input_failed(struct coordinator *c, struct worker *w, const struct ending *e, bool *taken,
                      struct cfz_error *err)
{
    bool have, seed = !w->fuzzing && c->corpus.entries[w->entry].from == FROM_SEED;
    struct cfz_values input = CFZ_VALUES_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret = -1;

    *taken = false;
    if (input_of(c, w, &input, &have, &why, err) < 0)
        goto out;
    if (!seed) {
        size_t size = cfz_values_packed_size(&input);

        c->failed = true;
        if (!w->fuzzing)
            c->corpus.entries[w->entry].failed = true;
        ret = triage_add(&c->triage, w, e, block_name(c, w), have ? &input : NULL, why.text, taken,
                         err);
        if (ret == 0 && debug_fuzz())
            debug_crasher(c, w, size);
        if (!c->triage.keep)
            fuzz_stop(c);
        goto out;
    }
    if (triage_add_seed(&c->triage, w, e, err) < 0)
        goto out;
    if (e == NULL) {
        if (crasher_failed(w, w->shm->name, w->result.ns, have ? &input : NULL, &c->blocks, err) <
            0)
            goto out;
    } else if (report_result(&c->blocks, 1, "FAIL", w->shm->name, 0, err) < 0 ||
               crasher_died(w, e, 2, &input, &c->blocks, err) < 0) {
        goto out;
    }
    seed_failed(c, w->entry);
    ret = 0;
out:
    cfz_values_release(&input);
    return ret;
}

/* ---- workers ------------------------------------------------------------------ */

/* Counts restarts of workers that somebody else ended; false when there are too many. */
static bool may_restart(struct coordinator *c)
{
    if (c->restarts == 0 ||
        c->s->now - c->restarts_since > (uint64_t)RESTARTS_WINDOW_MS * 1000000) {
        c->restarts = 0;
        c->restarts_since = c->s->now;
    }
    return ++c->restarts <= RESTARTS_MAX;
}

/* Somebody else ended w, which ran an entry of the baseline: once more, then it is given up. */
static int baseline_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                         struct cfz_error *err)
{
    bool again = c->baseline.lost_entry != w->entry + 1;

    c->baseline.lost_entry = w->entry + 1;
    if (again)
        return queue_push_front(&c->baseline.waiting, w->entry, err);
    fuzz_baseline_answered(c, w);
    if (c->corpus.entries[w->entry].from != FROM_SEED)
        return 0;
    if (report_result(&c->blocks, 1, "FAIL", w->shm->name, 0, err) < 0 ||
        crasher_died(w, e, 2, NULL, &c->blocks, err) < 0)
        return -1;
    seed_failed(c, w->entry);
    return 0;
}

static void fail(struct coordinator *c)
{
    c->failed = true;
    fuzz_stop(c);
}

int fuzz_worker_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                     struct cfz_error *err)
{
    if (e->kind == ENDING_INTERNAL && !c->killed)
        return worker_broke(w, e, err);
    if (c->stopping)
        return 0;
    if (e->kind == ENDING_STOPPED) {
        fuzz_stop(c);
        return 0;
    }
    if (e->kind == ENDING_CRASH || !may_restart(c)) {
        /* Between inputs: a thread of the target. Nothing to save. */
        fail(c);
        return crasher_died(w, e, 1, NULL, &c->blocks, err);
    }
    report_line("fuzz: %s", e->text);
    return w->was_busy && !w->fuzzing ? baseline_lost(c, w, e, err) : 0;
}

int fuzz_check_host(struct coordinator *c, struct cfz_error *err)
{
    bool crashed;

    if (host_check(c->host, &crashed, err) == 0)
        return 0;
    if (crashed) { /* a thread that the setup part started */
        c->failed = true;
        crasher_host_died(c->host, &c->blocks, NULL);
    }
    return -1;
}
