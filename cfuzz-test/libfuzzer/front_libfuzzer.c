/*
 * front_libfuzzer.c - fuzzing with libFuzzer's files and lines: see lf_modes.h, and fuzz/front.h.
 *
 *     INITED   the baseline is over        NEW   an interesting input
 *     pulse    executions have doubled     DONE  the end
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_limit.h"
#include "cli/report.h"
#include "core/corpus/flat.h"
#include "core/io.h"
#include "crash/finding.h"
#include "fuzz/coordinator.h"
#include "fuzz/coordinator_state.h"
#include "fuzz/fuzz_lines.h"
#include "libfuzzer/lf_artifact.h"
#include "libfuzzer/lf_input.h"
#include "libfuzzer/lf_modes.h"
#include "libfuzzer/lf_news.h"
#include "libfuzzer/lf_report.h"
#include "libfuzzer/lf_slow.h"
#include "process/rss.h"

enum { LINE_MS = 1000, MAX_LEN = 4096 /* where no file is longer; as in libFuzzer */ };

struct lf_fuzzing {
    struct lf_target *t;
    uint64_t files, smallest, largest, bytes; /* of the corpus */
    uint64_t pulse;                           /* executions at which the next pulse is due */
    uint64_t shown;                           /* bytes of the corpus now */
    uint64_t longest;                         /* entry */
    uint64_t looked;                          /* when the first directory was looked at */
    struct timespec changed;                  /* ... and had been changed */
    uint64_t crashes, ooms, timeouts;
    struct lf_slow slow;
    struct live_symbolizer symbolizer;
    unsigned peak_mb;
    int status;
    bool ready;
    bool told_of_loss; /* the first directory cannot be written to, which was told */
};

static volatile sig_atomic_t asked_to_end; /* SIGUSR1 or SIGUSR2 came */

static void on_signal(int signum)
{
    (void)signum;
    asked_to_end = 1;
}

static struct lf_fuzzing *fuzzing_of(const struct coordinator *c)
{
    return c->front_ctx;
}

static uint64_t seconds(const struct coordinator *c)
{
    return (c->s->loop.now - c->start) / 1000000000;
}

static uint64_t executed(const struct coordinator *c)
{
    return c->totals.baseline + fuzz_execs(c);
}

/* The memory of the processes that execute, in MiB: the most that one of them was seen to hold. */
static unsigned rss_mb(const struct coordinator *c)
{
    struct lf_fuzzing *f = fuzzing_of(c);

    for (unsigned i = 0; i < c->nseats && c->seats != NULL; i++) {
        const struct worker *w = c->seats[i].worker;

        if (w != NULL && w->pid > 0 && rss_bytes(w->pid) >> 20 > f->peak_mb)
            f->peak_mb = (unsigned)(rss_bytes(w->pid) >> 20);
    }
    return f->peak_mb;
}

/* ---- lines ------------------------------------------------------------------------- */

static void line(struct coordinator *c, const char *what, const char *rest)
{
    const struct lf_fuzzing *f = fuzzing_of(c);
    uint64_t n = executed(c), s = seconds(c);

    if (f->t->flags->verbosity == 0)
        return;
    if (f->t->flags->fork > 0)
        report_line("#%llu: cov: %llu ft: %llu corp: %zu exec/s: %llu oom/timeout/crash: "
                    "%llu/%llu/%llu time: %llus job: %u dft_time: 0",
                    (unsigned long long)n, (unsigned long long)c->host->run->covered,
                    (unsigned long long)c->host->run->features, c->corpus.n,
                    (unsigned long long)(s > 0 ? n / s : 0), (unsigned long long)f->ooms,
                    (unsigned long long)f->timeouts, (unsigned long long)f->crashes,
                    (unsigned long long)s, c->nseats);
    else
        report_line("#%llu\t%-6s cov: %llu ft: %llu corp: %zu/%llu%s lim: %llu exec/s: %llu rss: "
                    "%uMb%s",
                    (unsigned long long)n, what, (unsigned long long)c->host->run->covered,
                    (unsigned long long)c->host->run->features, c->corpus.n,
                    (unsigned long long)(f->shown >> 10 >= 1024  ? f->shown >> 20
                                         : f->shown >> 10 >= 100 ? f->shown >> 10
                                                                 : f->shown),
                    f->shown >> 10 >= 1024  ? "Mb"
                    : f->shown >> 10 >= 100 ? "Kb"
                                            : "b",
                    (unsigned long long)c->opt->fuzzmaxlen, (unsigned long long)(s > 0 ? n / s : 0),
                    rss_mb(c), rest);
}

/* The length of entry i as bytes. */
static uint64_t length_of(const struct coordinator *c, uint64_t i)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_buf bytes = CFZ_BUF_INIT;
    uint64_t len = 0;

    if (fuzz_corpus_values(&c->corpus, i, &vs, NULL) == 0 && cfz_flat_write(&vs, &bytes, NULL) == 0)
        len = bytes.len;
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return len;
}

static void count_length(struct lf_fuzzing *f, uint64_t len)
{
    f->shown += len;
    if (len > f->longest)
        f->longest = len;
}

static void reached(struct coordinator *c, const struct worker *w, const uint64_t *pcs, size_t n)
{
    struct lf_fuzzing *f = fuzzing_of(c);

    lf_news_places(f->t->flags, &f->symbolizer, w, pcs, n);
}

static void interesting(struct coordinator *c, uint64_t index, const struct lineage *lineage)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    uint64_t len = length_of(c, index);
    struct cfz_buf rest = CFZ_BUF_INIT;

    count_length(f, len);
    if (f->t->flags->fork > 0)
        return; /* such a run has a line now and then only */
    cfz_buf_printf(&rest, NULL, " L: %llu/%llu ", (unsigned long long)len,
                   (unsigned long long)f->longest);
    lf_news_lineage(lineage, &rest, NULL);
    line(c, "NEW", cfz_buf_str(&rest));
    cfz_buf_release(&rest);
}

static void progress(struct coordinator *c, bool last)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    uint64_t n = executed(c);

    c->next_line = c->s->loop.now + (uint64_t)LINE_MS * 1000000;
    rss_mb(c);
    if (last || !f->ready)
        return;
    if (f->t->flags->fork > 0) {
        line(c, "", "");
        return;
    }
    if (n < f->pulse)
        return;
    while (f->pulse <= n)
        f->pulse *= 2;
    line(c, "pulse", "");
}

static void baseline_over(struct coordinator *c)
{
    struct lf_fuzzing *f = fuzzing_of(c);

    f->ready = true;
    f->pulse = 2 * (executed(c) > 0 ? executed(c) : 1);
    if (c->host->ncounters == 0)
        report_line(
            "WARNING: no interesting inputs were found so far. Is the code instrumented for "
            "coverage?");
    if (f->t->flags->fork == 0)
        line(c, "INITED", "");
}

/* ---- files ------------------------------------------------------------------------- */

static const char *first_directory(const struct lf_fuzzing *f)
{
    return f->t->flags->inputs.n > 0 ? f->t->flags->inputs.v[0] : NULL;
}

static int load_file(struct coordinator *c, const char *path, struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    size_t before = c->corpus.n;
    int ret = 0;

    if (lf_input_read(path, &bytes, &why) < 0) {
        report_line("WARNING: %s", why.text); /* somebody may have removed it */
        goto out;
    }
    if (c->opt->fuzzmaxlen_given && bytes.len > c->opt->fuzzmaxlen)
        cfz_buf_truncate(&bytes, c->opt->fuzzmaxlen); /* as libFuzzer does */
    ret = lf_input_values(f->t->test, &bytes, &vs, err);
    if (ret == 0)
        ret = fuzz_load_entry(&c->corpus, &c->baseline, &vs, FROM_CACHE, "-", err);
    if (ret == 0 && c->corpus.n > before)
        count_length(f, bytes.len);
out:
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return ret;
}

/* Collects what the command line names: directories, -seed_inputs. */
static int collect(const struct lf_fuzzing *f, struct lf_files *files, struct cfz_error *err)
{
    const struct lf_flags *flags = f->t->flags;
    struct cfz_buf list = CFZ_BUF_INIT;
    char *copy = NULL, *rest = NULL;
    int ret = 0;

    for (size_t i = 0; i < flags->inputs.n && ret == 0; i++) {
        size_t before = files->n;

        ret = lf_files_list(files, flags->inputs.v[i], err);
        if (flags->fork == 0)
            report_line("INFO: %8zu files found in %s", files->n - before, flags->inputs.v[i]);
    }
    if (ret < 0 || flags->seed_inputs == NULL)
        return ret;
    if (flags->seed_inputs[0] == '@')
        ret = lf_input_read(flags->seed_inputs + 1, &list, err);
    else
        ret = cfz_buf_puts(&list, flags->seed_inputs, err);
    copy = ret == 0 ? strdup(cfz_buf_str(&list)) : NULL;
    for (char *name = copy != NULL ? strtok_r(copy, ",\n", &rest) : NULL; name != NULL && ret == 0;
         name = strtok_r(NULL, ",\n", &rest))
        ret = lf_files_add(files, name, err);
    free(copy);
    cfz_buf_release(&list);
    return ret;
}

static int load(struct coordinator *c, bool *bad, struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct lf_files files = LF_FILES_INIT;
    struct cfz_values zero = CFZ_VALUES_INIT;
    int ret = -1;

    (void)bad;
    if (collect(f, &files, err) < 0)
        goto out;
    for (size_t i = 0; i < files.n; i++)
        if (files.v[i].size > f->largest)
            f->largest = files.v[i].size;
    if (!c->opt->fuzzmaxlen_given) {
        f->t->opt.fuzzmaxlen = f->largest > MAX_LEN ? f->largest : MAX_LEN;
        if (f->t->opt.fuzzmaxlen > CFZ_SLOT_SIZE)
            f->t->opt.fuzzmaxlen = CFZ_SLOT_SIZE;
        report_line(
            "INFO: -max_len is not provided; libFuzzer will not generate inputs larger than "
            "%llu bytes",
            (unsigned long long)f->t->opt.fuzzmaxlen);
    }
    lf_files_sort(&files, 0);
    for (size_t i = 0; i < files.n; i++) {
        f->bytes += files.v[i].size;
        if (load_file(c, files.v[i].path, err) < 0)
            goto out;
    }
    for (size_t i = 0; i < c->seeds.n; i++) {
        struct seed *seed = &c->seeds.v[i]; /* those of cfuzz_add; files are in directories */

        if (!seed->is_file && seed->bad == NULL &&
            fuzz_load_entry(&c->corpus, &c->baseline, &seed->vals, FROM_CACHE, "-", err) < 0)
            goto out;
    }
    if (files.n > 0 && f->t->flags->fork == 0)
        report_line("INFO: seed corpus: files: %zu min: %llub max: %llub total: %llub rss: %uMb",
                    files.n, (unsigned long long)files.v[0].size, (unsigned long long)f->largest,
                    (unsigned long long)f->bytes, rss_mb(c));
    else if (files.n == 0 && f->t->flags->fork == 0)
        report_line("INFO: A corpus is not provided, starting from an empty corpus");
    f->files = files.n;
    if (f->t->flags->fork > 0) {
        report_line("INFO: -fork=%d: fuzzing in separate process(s)", f->t->flags->fork);
        report_line("INFO: -fork=%d: %zu seed inputs, starting to fuzz in %s", f->t->flags->fork,
                    files.n, first_directory(f) != NULL ? first_directory(f) : "memory");
    }
    ret = 0;
    if (c->corpus.n == 0 && (ret = cfz_values_zero(&zero, c->t->kinds, c->t->nvalues, err)) == 0)
        ret = fuzz_load_entry(&c->corpus, &c->baseline, &zero, FROM_ZERO, NULL, err);
out:
    cfz_values_release(&zero);
    lf_files_release(&files);
    return ret;
}

static int keep(struct coordinator *c, const struct cfz_values *vs, char name[17],
                struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    char file[LF_NAME_MAX];
    int dir = -1, ret = -1;

    if (cfz_flat_write(vs, &bytes, err) < 0)
        goto out;
    lf_input_name(cfz_buf_str(&bytes), bytes.len, file);
    snprintf(name, 17, "%.16s", file);
    ret = 0;
    if (first_directory(f) == NULL)
        goto out;
    dir = open(first_directory(f), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        cfz_fail_errno(&why, "open %s", first_directory(f));
    else if (cfz_io_write_file(dir, file, cfz_buf_str(&bytes), bytes.len, 0, &why) < 0 &&
             why.code == CFZ_EEXIST)
        why.code = CFZ_OK;
    /* libFuzzer goes on, and so a crash is not lost to a full disk or a corpus that is read alone.
     */
    if (why.code != CFZ_OK && !f->told_of_loss) {
        report_line("WARNING: new inputs are not kept: %s", why.text);
        f->told_of_loss = true;
    }
out:
    if (dir >= 0)
        close(dir);
    cfz_buf_release(&bytes);
    return ret;
}

/* Takes files that others put into the first directory. Those it has already change nothing. */
static int reload(struct coordinator *c, struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct lf_files files = LF_FILES_INIT;
    size_t before = c->corpus.n;
    struct stat st;
    int ret;

    if (stat(first_directory(f), &st) < 0 ||
        (st.st_mtim.tv_sec == f->changed.tv_sec && st.st_mtim.tv_nsec == f->changed.tv_nsec))
        return 0;
    f->changed = st.st_mtim;
    ret = lf_files_list(&files, first_directory(f), err);
    for (size_t i = 0; i < files.n && ret == 0; i++)
        ret = load_file(c, files.v[i].path, err);
    lf_files_release(&files);
    if (c->corpus.n == before)
        return ret;
    /* They are executed when a worker has nothing to do. */
    for (unsigned i = 0; i < c->nseats; i++) {
        if (c->seats[i].worker != NULL)
            worker_yield(c->seats[i].worker);
    }
    line(c, "RELOAD", "");
    return ret;
}

/* ---- the run -------------------------------------------------------------------------- */

static void began(struct coordinator *c)
{
    const struct lf_flags *flags = fuzzing_of(c)->t->flags;
    uint64_t runs = flags->runs > 0 ? (uint64_t)flags->runs : 0;

    if (flags->max_total_time > 0)
        c->deadline = c->start + (uint64_t)flags->max_total_time * 1000000000;
    if (flags->runs < 0)
        return;
    /* -runs counts the corpus too, which runs in any case. */
    if (runs > c->baseline.left)
        budget_init(&c->budget, true, runs - c->baseline.left);
    else
        c->idle_after_baseline = true;
}

static void turn(struct coordinator *c)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    const struct lf_flags *flags = f->t->flags;
    struct cfz_error why = CFZ_ERROR_INIT;

    if (lf_slow_look(&f->slow, c, flags, &why) < 0)
        report_line("WARNING: %s", why.text);
    if (c->stopping)
        return;
    if (asked_to_end) {
        report_line("==%d== INFO: libFuzzer: exiting as requested", (int)getpid());
        coordinator_stop(c);
        return;
    }
    if (c->s->loop.now - f->looked < (uint64_t)1000000000)
        return;
    f->looked = c->s->loop.now;
    if (flags->stop_file != NULL && access(flags->stop_file, F_OK) == 0) {
        report_line("INFO: stop file %s exists, ending", flags->stop_file);
        coordinator_stop(c);
        return;
    }
    if (c->fuzzing && flags->reload > 0 && first_directory(f) != NULL &&
        seconds(c) % (uint64_t)flags->reload == 0 && reload(c, &why) < 0)
        report_line("WARNING: %s: not looked at: %s", first_directory(f), why.text);
}

/* Whether the run goes on after a failure of that kind. */
static bool is_ignored(const struct lf_flags *f, enum lf_kind kind)
{
    if (f->fork == 0)
        return false;
    return kind == LF_OOM       ? f->ignore_ooms != 0
           : kind == LF_TIMEOUT ? f->ignore_timeouts != 0
                                : f->ignore_crashes != 0;
}

/* Appends "MS: 1 BitFlip-; base unit: 3c..." of a failing input: how it was made, and of what. */
static int add_origin(struct coordinator *c, const struct lineage *lineage, struct cfz_buf *out,
                      struct cfz_error *err)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_buf bytes = CFZ_BUF_INIT;
    char base[LF_NAME_MAX] = "0000000000000000000000000000000000000000";
    int ret = 0;

    if (lineage->entry < c->corpus.n) {
        ret = fuzz_corpus_values(&c->corpus, lineage->entry, &vs, err);
        if (ret == 0)
            ret = cfz_flat_write(&vs, &bytes, err);
        if (ret == 0)
            lf_input_name(cfz_buf_str(&bytes), bytes.len, base);
    }
    if (ret == 0)
        ret = lf_news_lineage(lineage, out, err);
    if (ret == 0)
        ret = cfz_buf_printf(out, err, "; base unit: %s\n", base);
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return ret;
}

static int found(struct coordinator *c, struct finding *found, struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct cfz_buf text = CFZ_BUF_INIT, bytes = CFZ_BUF_INIT;
    struct lf_failure what = {.kind = LF_CRASH, .status = f->t->flags->error_exitcode};
    int ret = -1;

    if (found->dead != NULL) {
        if (lf_report(f->t, found->dead, &found->ending, &what, &text, err) < 0)
            goto out;
    } else if (lf_report_said(c->t->name, cfz_buf_str(&found->lines), &text, err) < 0) {
        goto out;
    }
    if (add_origin(c, &found->lineage, &text, err) < 0)
        goto out;
    if (found->have &&
        (cfz_flat_write(&found->input, &bytes, err) < 0 ||
         lf_artifact_write(f->t->flags, lf_kinds[what.kind], &bytes, &bytes, &text, err) < 0))
        goto out;
    lf_print(&text);
    f->crashes += what.kind == LF_CRASH || what.kind == LF_LEAK;
    f->ooms += what.kind == LF_OOM;
    f->timeouts += what.kind == LF_TIMEOUT;
    if (!is_ignored(f->t->flags, what.kind)) {
        if (f->status == LF_EXIT_OK)
            f->status = what.status;
        coordinator_stop(c);
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    cfz_buf_release(&bytes);
    return ret;
}

static int ended(struct coordinator *c, int ret, struct cfz_error *err)
{
    struct lf_fuzzing *f = fuzzing_of(c);
    struct cfz_buf blocks = CFZ_BUF_INIT;
    uint64_t n = executed(c), s = seconds(c);
    int rc = triage_tell(&c->triage, &blocks, err);

    cfz_buf_release(&blocks);
    if (ret == 0 && f->status == LF_EXIT_OK && c->s->loop.interrupts == 0) {
        if (!f->ready)
            baseline_over(c);
        line(c, "DONE", "");
        report_line("Done %llu runs in %llu second(s)", (unsigned long long)n,
                    (unsigned long long)s);
    }
    if (f->t->flags->fork > 0)
        report_line("INFO: exiting: %d time: %llus", f->status, (unsigned long long)s);
    if (f->t->flags->print_final_stats == 0)
        return rc;
    report_line("stat::number_of_executed_units: %llu", (unsigned long long)n);
    report_line("stat::average_exec_per_sec:     %llu", (unsigned long long)(s > 0 ? n / s : 0));
    report_line("stat::new_units_added:          %llu",
                (unsigned long long)c->progress.interesting);
    report_line("stat::slowest_unit_time_sec:    %llu",
                (unsigned long long)(f->slow.slowest_ns / 1000000000));
    report_line("stat::peak_rss_mb:              %u", rss_mb(c));
    return rc;
}

static const struct front front_libfuzzer = {
    .load = load,
    .began = began,
    .keep = keep,
    .reached = reached,
    .interesting = interesting,
    .baseline_over = baseline_over,
    .progress = progress,
    .turn = turn,
    .found = found,
    .ended = ended,
};

int lf_fuzz(struct lf_target *t, int *status, struct cfz_error *err)
{
    struct lf_fuzzing f = {.t = t, .pulse = 1};
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct fuzz_outcome out;
    int ret;

    sigaction(SIGUSR1, &sa, NULL);
    sigaction(SIGUSR2, &sa, NULL);
    live_symbolizer_init(&f.symbolizer, t->bin.symbolizer);
    ret = coordinator_run_for(&front_libfuzzer, &f, &t->opt, &t->s, t->test, &out, err);
    lf_slow_release(&f.slow);
    live_symbolizer_end(&f.symbolizer);
    *status = f.status;
    if (ret == 0 && f.status == LF_EXIT_OK && out.failed && t->flags->fork == 0)
        *status = LF_EXIT_ERROR; /* the setup part failed */
    return ret;
}
