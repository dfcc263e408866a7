/*
 * front_own.c - cfuzz-test's own front, see front.h; and the one for turns, see front_turns.h.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "core/corpus/corpus.h"
#include "core/io.h"
#include "fuzz/front_turns.h"
#include "fuzz/fuzz_history.h"
#include "fuzz/fuzz_lines.h"
#include "fuzz/fuzz_sharing.h"
#include "process/cached.h"
#include "process/kept_goals.h"
#include "results/status_line.h"

enum { BLOCKED_OF_TURN = 2 }; /* comparisons that are told below a test's line, without -v */

/* Removes the temporary files in dir of drivers that were killed while they wrote. What cannot be
 * removed does no harm, since such names are not read. */
static void sweep(const char *dir)
{
    int fd = dir != NULL ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    cfz_io_sweep(fd, NULL);
    close(fd);
}

static void sweep_all(const struct coordinator *c)
{
    char *seeds = seeds_dir(c->s->origin->bin->pkg->dir, c->t->name);

    sweep(seeds);
    sweep(c->cache_dir);
    free(seeds);
}

/* Finds the directory of interesting inputs. That of -corpus is made if it is missing. */
static int find_cache(struct coordinator *c, struct cfz_error *err)
{
    if (c->opt->corpus != NULL && cfz_io_mkdirs(c->opt->corpus, err) < 0) {
        if (err != NULL)
            err->code = CFZ_EUSAGE;
        return cfz_error_wrap(err, "-corpus");
    }
    return cached_dir(c->opt, c->s->origin->bin->pkg, c->t->name, &c->cache_dir, err);
}

static int load(struct coordinator *c, bool *bad, struct cfz_error *err)
{
    if (find_cache(c, err) < 0)
        return -1;
    sweep_all(c);
    if (c->opt->corpus == NULL && c->opt->solve &&
        kept_goals_load(c->cache_dir, c->host->run, c->host->run_fd, err) < 0)
        return -1;
    return fuzz_load(&c->corpus, &c->seeds, c->cache_dir, &c->baseline, &c->blocks, bad, err);
}

static void began(struct coordinator *c)
{
    const struct options *opt = c->opt;

    fuzz_history_begin(c);
    c->goals_kept = c->s->loop.now;
    if (opt->parallel == 1)
        report_line("fuzz: seed %llu; -seed=%llu -parallel=1 repeats this run from the same corpus",
                    (unsigned long long)opt->seed, (unsigned long long)opt->seed);
    else /* what several workers do depends on time as well */
        report_line("fuzz: seed %llu", (unsigned long long)opt->seed);
    if (status_line_wanted() && !opt->json && !opt->tap)
        status_line_open();
}

static int keep(struct coordinator *c, const struct cfz_values *vs, char name[17],
                struct cfz_error *err)
{
    if (access(c->cache_dir, F_OK) < 0 &&
        (c->opt->corpus != NULL ? cfz_io_mkdirs : cache_make_dir)(c->cache_dir, err) < 0)
        return -1;
    return cfz_corpus_save(c->cache_dir, vs, CFZ_IO_REPLACE, name, err);
}

/* Keeps what is known of goals, unless inputs failed: what led there is in no corpus and is to be
 * found again. A run does not fail for that. */
static void keep_goals(struct coordinator *c)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (c->goals.len == 0 || c->opt->corpus != NULL || c->failed || c->triage.buckets.n > 0)
        return;
    if (kept_goals_save(c->cache_dir, &c->goals, &err) < 0)
        report_line("warning: what was solved is not kept: %s", err.text);
    c->goals.len = 0;
    c->goals_kept = c->s->loop.now;
}

static void turn(struct coordinator *c)
{
    static const uint64_t minute = UINT64_C(60000000000);

    fuzz_history_sample(c);
    if (c->goals.len > 0 && c->s->loop.now - c->goals_kept >= minute)
        keep_goals(c);
}

static int ended(struct coordinator *c, int ret, struct cfz_error *err)
{
    int rc = 0;

    status_line_close();
    fuzz_print_progress(c, true); /* also before an error */
    fuzz_print_totals(c);
    sharing_end(c);
    keep_goals(c);
    if (words_tell(&c->words, c->opt, err) < 0)
        rc = -1;
    if (ret == 0 && rc == 0)
        fuzz_print_obstacles(c);
    if (triage_tell(&c->triage, &c->blocks, rc < 0 ? NULL : err) < 0)
        rc = -1;
    fuzz_history_end(c);
    return rc;
}

const struct front front_own = {
    .load = load,
    .began = began,
    .keep = keep,
    .baseline_over = fuzz_print_baseline,
    .progress = fuzz_print_progress,
    .turn = turn,
    .ended = ended,
};

/* ---- turns ---------------------------------------------------------------------------------- */

static void turn_began(struct coordinator *c)
{
    const struct options *opt = c->opt;

    fuzz_history_begin(c);
    if (opt->fuzztime.kind == LIMIT_COUNT)
        report_line("fuzz: turn of %s (%s): %llu inputs, seed %llu", c->t->name,
                    c->s->origin->bin->pkg->name, (unsigned long long)opt->fuzztime.count,
                    (unsigned long long)opt->seed);
    else if (opt->fuzztime.kind == LIMIT_NONE)
        report_line("fuzz: turn of %s (%s), the only one left: no limit, seed %llu", c->t->name,
                    c->s->origin->bin->pkg->name, (unsigned long long)opt->seed);
    else
        report_line("fuzz: turn of %s (%s): %.1fs, seed %llu", c->t->name,
                    c->s->origin->bin->pkg->name, (double)opt->fuzztime.ns / 1e9,
                    (unsigned long long)opt->seed);
    if (status_line_wanted() && !opt->json && !opt->tap)
        status_line_open();
}

/* Lines of progress come where a turn takes long, and not at its beginning. */
static void turn_progress(struct coordinator *c, bool last)
{
    if (c->next_line == 0 && !status_line_is_open())
        c->next_line = c->s->loop.now + UINT64_C(3000000000);
    else
        fuzz_print_progress(c, last);
}

static void turn_baseline_over(struct coordinator *c)
{
    c->progress.since_ns = c->fuzzing_ns;
}

void turn_summary_release(struct turn_summary *sum)
{
    words_release(&sum->words);
    cfz_buf_release(&sum->blocked);
    strlist_release(&sum->told);
}

/* Without memory it is told once more. */
static bool turn_told(struct coordinator *c, const char *name)
{
    struct turn_summary *sum = c->front_ctx;
    bool told = strlist_has(&sum->told, name);

    if (!told)
        strlist_add(&sum->told, name, NULL);
    return told;
}

/* Tells of the crashes of a turn, if there are any that no turn told of. What it saved is a seed of
 * the next one. */
static int turn_tell_crashes(struct coordinator *c, struct turn_summary *sum, struct cfz_error *err)
{
    const struct crash_buckets *b = &c->triage.buckets;

    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].file[0] != '\0' &&
            strlist_addf(&sum->told, err, "%s/%s", c->t->name, b->v[i].file) < 0)
            return -1;
    if (c->blocks.len == 0 && c->triage.waiting == NULL)
        return 0;
    return triage_tell(&c->triage, &c->blocks, err);
}

/* Notes what the summary of all tests tells below this one's line. */
static int turn_note(struct coordinator *c, struct turn_summary *sum, bool passed,
                     struct cfz_error *err)
{
    sum->blocked.len = 0;
    if (passed && fuzz_obstacles_matter(c) &&
        fuzz_obstacle_text(c, c->opt->verbose ? CFZ_OBSTACLES_MAX : BLOCKED_OF_TURN, &sum->blocked,
                           err) < 0)
        return -1;
    return words_add(&sum->words, &c->words, err);
}

static int turn_ended(struct coordinator *c, int ret, struct cfz_error *err)
{
    struct turn_summary *sum = c->front_ctx;
    int rc;

    status_line_close();
    fuzz_add_totals(c);
    sum->execs += c->totals.mutated;
    sum->found += c->totals.found;
    sum->total = c->totals.corpus;
    sum->covered = c->totals.covered;
    sum->counters = c->totals.ncounters;
    sum->over = c->fuzzing;
    if (sum->over)
        sum->baseline_ns = c->fuzzing_ns;
    keep_goals(c);
    rc = turn_note(c, sum, ret == 0, err);
    if (turn_tell_crashes(c, sum, rc < 0 ? NULL : err) < 0)
        rc = -1;
    fuzz_history_end(c);
    return rc;
}

const struct front front_turns = {
    .load = load,
    .began = turn_began,
    .keep = keep,
    .baseline_over = turn_baseline_over,
    .progress = turn_progress,
    .told = turn_told,
    .in_turns = true,
    .turn = turn,
    .ended = turn_ended,
};
