/*
 * totals.c - see totals.h.
 */
#include "fuzz/totals.h"

#include <stddef.h>

/* So many percent of at least so many executions that the test skipped are worth a warning. */
enum { SKIPPED_PERCENT = 99, SKIPPED_OF = 1000 };

static uint64_t load(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void totals_add_worker(struct totals *t, const struct cfz_proc_shm *shm)
{
    if (shm == NULL || !cfz_proc_shm_sane(shm, false))
        return; /* the target wrote over what it counted */
    t->confirming += load(&shm->confirming);
    t->tracing += load(&shm->tracing);
    t->checking += load(&shm->checking);
    t->minimizing += load(&shm->minimizing);
    t->skipped += load(&shm->skipped);
    t->cut += load(&shm->cut);
    t->forgotten += load(&shm->unstable);
    t->erratic_sites += load(&shm->erratic_sites);
    t->erratic_inputs += load(&shm->erratic_inputs);
    for (size_t i = 0; i < CFZ_KNOWN_MAX; i++)
        t->guarded[i] += load(&shm->known[i]);
}

void totals_merge(struct cfz_run_shm *run, const struct cfz_cov_bits *bits, size_t n)
{
    uint8_t *mask = cfz_run_mask(run);

    for (size_t i = 0; i < n; i++) {
        uint32_t at = bits[i].index;
        bool covered = at < run->mask_len && mask[at] != 0;

        run->features += cfz_cov_merge(mask, run->mask_len, &bits[i], 1);
        if (covered || at >= run->mask_len || mask[at] == 0)
            continue;
        run->covered++;
        if (run->mask_end <= at)
            run->mask_end = at + 1;
    }
}

uint64_t totals_counters(const struct cfz_run_shm *run, uint64_t at_start)
{
    return run->mask_end > at_start ? run->mask_end : at_start;
}

static unsigned percent(uint64_t part, uint64_t all)
{
    if (part >= all)
        return all == 0 ? 0 : 100;
    return (unsigned)(100.0 * (double)part / (double)all);
}

/* Appends ", <n> <what>" unless there were none. */
static int item(struct cfz_buf *out, uint64_t n, const char *what, struct cfz_error *err)
{
    return n == 0 ? 0 : cfz_buf_printf(out, err, ", %llu %s", (unsigned long long)n, what);
}

static int executions(struct cfz_buf *out, const struct totals *t, struct cfz_error *err)
{
    uint64_t run = t->mutated + t->baseline;

    if (cfz_buf_printf(out, err, "fuzz: executions: %llu mutated", (unsigned long long)t->mutated) <
            0 ||
        item(out, t->baseline, "baseline", err) < 0 ||
        item(out, t->confirming, "to confirm interesting inputs", err) < 0 ||
        item(out, t->minimizing, "to minimize them", err) < 0 ||
        item(out, t->tracing, "to trace inputs", err) < 0 ||
        item(out, t->checking, "to see that no state stays", err) < 0 ||
        item(out, t->settling, "for failing inputs", err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    if (t->cut > 0 &&
        cfz_buf_printf(out, err,
                       "fuzz: cut short: %llu slow execution%s, as these took much of the time; "
                       "-slow=0 lets them end\n",
                       (unsigned long long)t->cut, t->cut == 1 ? "" : "s") < 0)
        return -1;
    if (t->skipped == 0)
        return 0;
    if (cfz_buf_printf(out, err, "fuzz: skipped by the test: %llu of %llu (%u%%)\n",
                       (unsigned long long)t->skipped, (unsigned long long)run,
                       percent(t->skipped, run)) < 0)
        return -1;
    if (run < SKIPPED_OF || percent(t->skipped, run) < SKIPPED_PERCENT)
        return 0;
    return cfz_buf_printf(
        out, err,
        "warning: the test skipped %u%% of its inputs, so that little was tested: "
        "add seeds that it takes, or skip less\n",
        percent(t->skipped, run));
}

/* What the search for what comparisons want (runtime/search) met. */
static int search(struct cfz_buf *out, const struct totals *t, struct cfz_error *err)
{
    if (t->erratic_sites + t->erratic_inputs > 0) {
        if (cfz_buf_puts(out, "fuzz: search: left alone", err) < 0)
            return -1;
        if (t->erratic_sites > 0 &&
            cfz_buf_printf(out, err,
                           " %llu comparison%s that differ%s from one execution of an input to "
                           "the next",
                           (unsigned long long)t->erratic_sites, t->erratic_sites == 1 ? "" : "s",
                           t->erratic_sites == 1 ? "s" : "") < 0)
            return -1;
        if (t->erratic_inputs > 0 &&
            cfz_buf_printf(out, err, "%s %llu input%s that run%s differently when traced",
                           t->erratic_sites > 0 ? "," : "", (unsigned long long)t->erratic_inputs,
                           t->erratic_inputs == 1 ? "" : "s",
                           t->erratic_inputs == 1 ? "s" : "") < 0)
            return -1;
        if (cfz_buf_puts(out, "\n", err) < 0)
            return -1;
    }
    if (t->of_trace == 0)
        return 0;
    return cfz_buf_printf(out, err,
                          "fuzz: search: %llu input%s failed only when traced, which takes more "
                          "stack and time: not saved\n",
                          (unsigned long long)t->of_trace, t->of_trace == 1 ? "" : "s");
}

int totals_report(struct cfz_buf *out, const struct totals *t, struct cfz_error *err)
{
    if (executions(out, t, err) < 0)
        return -1;
    if (t->counters &&
        cfz_buf_printf(out, err,
                       "fuzz: coverage: %llu of %llu counters (%u%%), %llu more than the "
                       "baseline\n",
                       (unsigned long long)t->covered, (unsigned long long)t->ncounters,
                       percent(t->covered, t->ncounters),
                       (unsigned long long)(t->covered - t->covered_before_fuzzing)) < 0)
        return -1;
    if (cfz_buf_printf(out, err, "fuzz: corpus: %llu input%s, %llu new",
                       (unsigned long long)t->corpus, t->corpus == 1 ? "" : "s",
                       (unsigned long long)t->found) < 0)
        return -1;
    if (t->unstable > 0 &&
        cfz_buf_printf(out, err, "; %llu with unstable coverage, not kept in the cache",
                       (unsigned long long)t->unstable) < 0)
        return -1;
    if (t->forgotten > 0 &&
        cfz_buf_printf(out, err, "; forgot %llu whose new coverage did not come again",
                       (unsigned long long)t->forgotten) < 0)
        return -1;
    if (cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    if (search(out, t, err) < 0)
        return -1;
    if (t->bloated > 0 &&
        cfz_buf_printf(out, err, "fuzz: processes replaced for their memory: %llu\n",
                       (unsigned long long)t->bloated) < 0)
        return -1;
    if (t->drifted > 0 &&
        cfz_buf_printf(out, err, "fuzz: processes replaced as the tested code had changed: %llu\n",
                       (unsigned long long)t->drifted) < 0)
        return -1;
    if (t->counters && t->covered <= 1 && t->mutated > 0 && t->crashes == 0 &&
        cfz_buf_printf(out, err,
                       "warning: no input reached more than %llu counter%s: the tested code may be "
                       "built elsewhere, or the compiler have removed it: use its result\n",
                       (unsigned long long)t->covered, t->covered == 1 ? "" : "s") < 0)
        return -1;
    if (t->crashes == 0)
        return 0;
    if (cfz_buf_printf(out, err, "fuzz: failing inputs: %llu, of %llu kind%s",
                       (unsigned long long)t->crashes, (unsigned long long)t->distinct,
                       t->distinct == 1 ? "" : "s") < 0 ||
        item(out, t->of_seeds, "known before", err) < 0)
        return -1;
    return cfz_buf_puts(out, "\n", err);
}
