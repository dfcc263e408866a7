/*
 * corpus_run.c - see corpus_run.h.
 */
#define _GNU_SOURCE
#include "corpus/corpus_run.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

int corpus_run_open(struct corpus_run *r, struct session *s, const struct origin_test *test,
                    struct cfz_error *err)
{
    *r = (struct corpus_run){.s = s, .corpus = FUZZ_CORPUS_INIT};
    if (host_start(s->origin, test, 0, &r->host, err) < 0)
        return -1;
    if (r->host->state != HOST_READY || r->host->verdict != CFZ_VERDICT_PASS)
        return cfz_fail(err, CFZ_EFORMAT,
                        "%s: its setup part failed or skipped: cfuzz-test -run=%s says how",
                        test->name, test->name);
    r->corpus.host = r->host;
    return 0;
}

void corpus_run_close(struct corpus_run *r)
{
    worker_free(r->worker);
    fuzz_corpus_release(&r->corpus);
    if (r->host != NULL)
        host_finish(r->host, NULL);
    *r = (struct corpus_run){0};
}

static int wait_while(struct corpus_run *r, enum worker_state state, struct cfz_error *err)
{
    bool crashed;

    while (r->worker->state == state) {
        if (origin_check(r->s->origin, err) < 0 || host_check(r->host, &crashed, err) < 0)
            return -1;
        if (r->s->loop.interrupts > 0)
            return cfz_fail(err, CFZ_EIO, "%s: interrupted", r->host->test->name);
        loop_pump(&r->s->loop);
    }
    return 0;
}

/* Takes what the worker reached: a feature is a counter and a range of its count. */
static int take_records(struct corpus_run *r, struct cover_input *cover, struct cfz_error *err)
{
    const struct cfz_record *record;

    while (cfz_outbox_peek(r->worker->shm, &record, NULL) == 0 && record != NULL) {
        const struct cfz_cov_bits *bits = cfz_record_bits(record);
        uint32_t n = record->type == CFZ_RECORD_BASE ? record->nbits : 0;
        uint32_t *v = realloc(cover->features, (cover->n + (size_t)n * 8 + 1) * sizeof(*v));

        if (v == NULL)
            return cfz_fail_nomem(err);
        cover->features = v;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < 8 && bits[i].index <= UINT32_MAX / 8; k++)
                if (bits[i].bits >> k & 1)
                    v[cover->n++] = bits[i].index * 8 + k;
        cfz_outbox_consume(r->worker->shm, record);
    }
    r->worker->records = false;
    return 0;
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

int corpus_run_input(struct corpus_run *r, const struct cfz_values *vs, struct cover_input *cover,
                     uint64_t *ns, bool *failed, struct cfz_error *err)
{
    struct ending e;
    uint64_t entry;
    bool added;

    *failed = false;
    if (fuzz_corpus_add(&r->corpus, vs, FROM_CACHE, CFZ_NO_ENTRY, NULL, &added, &entry, err) < 0)
        return -1;
    if (r->worker == NULL &&
        worker_new(r->host, r->host->test->name, 0, false, &r->worker, err) < 0)
        return -1;
    if (wait_while(r, WORKER_STARTING, err) < 0)
        return -1;
    *ns = now_ns();
    if (r->worker->state == WORKER_IDLE &&
        (worker_run(r->worker, entry, true, err) < 0 || wait_while(r, WORKER_BUSY, err) < 0))
        return -1;
    *ns = now_ns() - *ns;
    if (r->worker->state == WORKER_ANSWERED) {
        *failed = r->worker->result.verdict == CFZ_VERDICT_FAIL;
        if (take_records(r, cover, err) < 0)
            return -1;
        worker_take(r->worker);
        if (!r->worker->bloated && r->worker->state == WORKER_IDLE)
            return 0;
    } else {
        worker_describe(r->worker, &e);
        if (e.kind == ENDING_INTERNAL)
            return worker_broke(r->worker, &e, err);
        *failed = true;
    }
    worker_free(r->worker);
    r->worker = NULL;
    return 0;
}
