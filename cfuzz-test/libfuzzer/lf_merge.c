/*
 * lf_merge.c - see lf_modes.h.
 *
 *     files of all directories --> control file --> each executed --> chosen --> copied
 *                                       \_ goes on from a merge that was killed
 *
 * libFuzzer executes in a process of its own, since a failing input ends that; here it ends a
 * worker.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report.h"
#include "core/io.h"
#include "fuzz/fuzz_corpus.h"
#include "libfuzzer/lf_artifact.h"
#include "libfuzzer/lf_control.h"
#include "libfuzzer/lf_input.h"
#include "libfuzzer/lf_modes.h"
#include "libfuzzer/lf_report.h"

enum { CONTROL_MAX = 1 << 30 };

struct merging {
    struct lf_target *t;
    struct lf_control control;
    size_t known;  /* files whose features an earlier merge noted */
    bool going_on; /* a merge that was killed */
    int fd;        /* of the control file, at its end; -1: none */
    struct fuzz_corpus corpus;
    struct worker *worker;
    uint64_t executed, shown, pulse; /* shown: features so far */
    uint8_t *mask;                   /* by counter: the features that were shown */
    uint64_t mask_len, covered;
};

/* ---- the files ---------------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
    const struct lf_control_file *x = a, *y = b;

    return strcmp(x->path, y->path);
}

/* Takes what an earlier merge noted of the same files; old is put in another order. */
static void take_known(struct merging *m, struct lf_control *old)
{
    if (old->n == 0)
        return;
    qsort(old->v, old->n, sizeof *old->v, by_path);
    for (size_t i = 0; i < m->control.n; i++) {
        struct lf_control_file *f = &m->control.v[i];
        struct lf_control_file *o = bsearch(f, old->v, old->n, sizeof *old->v, by_path);

        if (o == NULL || !o->done || f->size != o->size)
            continue;
        f->features = o->features;
        f->done = f->started = true;
        o->features = (struct lf_feature_set){NULL, 0};
        o->done = false;
        m->known++;
    }
}

/* Makes the list of files from the directories. */
static int collect(struct merging *m, struct cfz_error *err)
{
    const struct strlist *dirs = &m->t->flags->inputs;
    struct lf_files files = LF_FILES_INIT;
    int ret = -1;

    for (size_t i = 0; i < dirs->n; i++) {
        if (lf_files_list(&files, dirs->v[i], err) < 0)
            goto out;
        if (i == 0) {
            lf_files_sort(&files, 0);
            m->control.first = files.n;
        }
    }
    lf_files_sort(&files, m->control.first);
    m->control.v = calloc(files.n + 1, sizeof *m->control.v);
    if (m->control.v == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    for (; m->control.n < files.n; m->control.n++) {
        m->control.v[m->control.n].path = files.v[m->control.n].path;
        m->control.v[m->control.n].size = files.v[m->control.n].size;
        files.v[m->control.n].path = NULL;
    }
    ret = 0;
out:
    lf_files_release(&files);
    return ret;
}

/* Reads the control file into *old, and sees whether a merge that was killed goes on. */
static int look_at_control(struct merging *m, struct lf_control *old, struct cfz_error *err)
{
    const char *path = m->t->flags->merge_control_file;
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    size_t started = 0;
    int ret = 0;

    if (path == NULL || !lf_is_file(path))
        return 0;
    if (cfz_io_read_file(AT_FDCWD, path, CONTROL_MAX, &text, err) < 0)
        return -1;
    if (text.len == 0)
        goto out;
    report_line("MERGE-OUTER: non-empty control file provided: '%s'", path);
    if (lf_control_parse(cfz_buf_str(&text), text.len, old, &why) < 0) {
        if (why.code == CFZ_ENOMEM) {
            *err = why;
            ret = -1;
        } else {
            report_line("MERGE-OUTER: bad control file, will overwrite it: %s", why.text);
        }
        goto out;
    }
    while (started < old->n && old->v[started].started)
        started++;
    report_line("MERGE-OUTER: control file ok, %zu files total, first not processed file %zu",
                old->n, started);
    if (started > 0 && started < old->n && !old->v[started - 1].done)
        report_line(
            "MERGE-OUTER: '%s' will be skipped as unlucky (merge has stumbled on it the last "
            "time)",
            old->v[started - 1].path);
    m->going_on = started < old->n;
    if (!m->going_on)
        report_line(
            "MERGE-OUTER: starting merge from scratch, but reusing coverage information from "
            "the given control file");
out:
    cfz_buf_release(&text);
    return ret;
}

/* Writes the control file anew, as far as it is known, and leaves it open at its end. */
static int begin_control(struct merging *m, struct cfz_error *err)
{
    const char *path = m->t->flags->merge_control_file;
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (path == NULL)
        return 0;
    m->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (m->fd < 0)
        return cfz_fail_errno(err, "create %s", path);
    if (lf_control_head(&m->control, &text, err) < 0)
        goto out;
    for (size_t i = 0; i < m->control.n; i++)
        if ((m->control.v[i].started && lf_control_started(&m->control, i, &text, err) < 0) ||
            (m->control.v[i].done && lf_control_done(&m->control, i, &text, err) < 0))
            goto out;
    ret = cfz_io_write_all(m->fd, cfz_buf_str(&text), text.len, err);
    if (ret < 0)
        cfz_error_wrap(err, "%s", path);
out:
    cfz_buf_release(&text);
    return ret;
}

/* Fills the list of files, and takes what the control file knows. */
static int prepare(struct merging *m, struct cfz_error *err)
{
    struct lf_control old = LF_CONTROL_INIT;
    int ret = -1;

    if (look_at_control(m, &old, err) < 0)
        goto out;
    if (m->going_on) {
        m->control = old;
        old = (struct lf_control)LF_CONTROL_INIT;
        for (size_t i = 0; i < m->control.n; i++)
            m->known += m->control.v[i].started;
    } else {
        if (collect(m, err) < 0)
            goto out;
        take_known(m, &old);
    }
    report_line("MERGE-OUTER: %zu files, %zu in the initial corpus, %zu processed earlier",
                m->control.n, m->control.first, m->known);
    ret = begin_control(m, err);
out:
    lf_control_release(&old);
    return ret;
}

/* ---- executing ---------------------------------------------------------------------- */

static int note(struct merging *m, const struct cfz_buf *text, struct cfz_error *err)
{
    if (m->fd < 0)
        return 0;
    return cfz_io_write_all(m->fd, cfz_buf_str(text), text->len, err) < 0
               ? cfz_error_wrap(err, "%s", m->t->flags->merge_control_file)
               : 0;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Adds the bits of a record to the features of f. */
static int add_bits(struct merging *m, struct lf_control_file *f, const struct cfz_record *r,
                    struct cfz_error *err)
{
    const struct cfz_cov_bits *bits = cfz_record_bits(r);
    struct lf_feature_set *s = &f->features;
    uint32_t *v = realloc(s->v, (s->n + (size_t)r->nbits * 8 + 1) * sizeof *v);

    if (v == NULL)
        return cfz_fail_nomem(err);
    s->v = v;
    for (uint32_t i = 0; i < r->nbits; i++) {
        if (bits[i].index > UINT32_MAX / 8)
            continue;
        for (uint32_t k = 0; k < 8; k++)
            if (bits[i].bits >> k & 1)
                s->v[s->n++] = bits[i].index * 8 + k;
        if (bits[i].index < m->mask_len) {
            m->covered += m->mask[bits[i].index] == 0;
            m->shown += (unsigned)__builtin_popcount(bits[i].bits & 0xff & ~m->mask[bits[i].index]);
            m->mask[bits[i].index] |= (uint8_t)bits[i].bits;
        }
    }
    return 0;
}

/* Takes what the worker says about file f. */
static int take_records(struct merging *m, struct lf_control_file *f, struct cfz_error *err)
{
    const struct cfz_record *r;

    while (cfz_outbox_peek(m->worker->shm, &r, NULL) == 0 && r != NULL) {
        if (r->type == CFZ_RECORD_BASE && add_bits(m, f, r, err) < 0)
            return -1;
        cfz_outbox_consume(m->worker->shm, r);
    }
    m->worker->records = false;
    if (f->features.n > 0)
        qsort(f->features.v, f->features.n, sizeof *f->features.v, by_value);
    return 0;
}

/* Waits while the worker is in the given state. */
static int wait_while(struct merging *m, enum worker_state state, struct cfz_error *err)
{
    while (m->worker->state == state)
        if (lf_target_wait(m->t, err) < 0)
            return -1;
    return 0;
}

/* Prints a failing execution, and keeps its input. e: how the worker died, or NULL. */
static int tell_failure(struct merging *m, const char *path, const struct cfz_buf *bytes,
                        const struct ending *e, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct lf_failure what;
    int ret = lf_report(m->t, m->worker, e, &what, &text, err);

    if (ret == 0)
        ret = lf_artifact_write(m->t->flags, lf_kinds[what.kind], bytes, bytes, &text, err);
    if (ret == 0) {
        lf_print(&text);
        report_line("MERGE-INNER: '%s' caused a failure", path);
    }
    cfz_buf_release(&text);
    return ret;
}

/* The worker executes entry, of file i. *failed: the input failed. */
static int execute(struct merging *m, size_t i, uint64_t entry, const struct cfz_buf *bytes,
                   struct cfz_error *err)
{
    struct lf_control_file *f = &m->control.v[i];
    struct ending e;

    if (m->worker == NULL &&
        worker_new(m->t->host, m->t->test->name, 0, false, &m->worker, err) < 0)
        return -1;
    if (wait_while(m, WORKER_STARTING, err) < 0)
        return -1;
    if (m->worker->state == WORKER_IDLE &&
        (worker_run(m->worker, entry, true, err) < 0 || wait_while(m, WORKER_BUSY, err) < 0))
        return -1;
    m->executed++;
    if (m->worker->state == WORKER_ANSWERED) {
        bool failed = m->worker->result.verdict == CFZ_VERDICT_FAIL;

        if (take_records(m, f, err) < 0)
            return -1;
        f->done = !failed;
        if (failed && tell_failure(m, f->path, bytes, NULL, err) < 0)
            return -1;
        worker_take(m->worker);
        if (!m->worker->bloated && m->worker->state == WORKER_IDLE)
            return 0;
    } else {
        worker_describe(m->worker, &e);
        if (e.kind == ENDING_INTERNAL)
            return worker_broke(m->worker, &e, err);
        if (e.kind == ENDING_CRASH && tell_failure(m, f->path, bytes, &e, err) < 0)
            return -1;
        if (e.kind != ENDING_CRASH)
            report_line("MERGE-INNER: '%s' was not executed to its end: %s", f->path, e.text);
    }
    worker_free(m->worker);
    m->worker = NULL;
    return 0;
}

static void line(const struct merging *m, const char *what)
{
    report_line("#%llu\t%-6s cov: %llu ft: %llu exec/s: 0 rss: %lluMb",
                (unsigned long long)m->executed, what, (unsigned long long)m->covered,
                (unsigned long long)m->shown,
                (unsigned long long)(m->worker != NULL ? m->worker->rss >> 20 : 0));
}

static int process(struct merging *m, size_t i, struct cfz_error *err)
{
    struct lf_control_file *f = &m->control.v[i];
    struct cfz_buf bytes = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    struct stat st;
    uint64_t entry;
    bool added;
    int ret = -1;

    f->started = true;
    if (f->size == 0 && stat(f->path, &st) == 0) /* a control file that goes on does not say it */
        f->size = (uint64_t)st.st_size;
    if (lf_control_started(&m->control, i, &text, err) < 0 || note(m, &text, err) < 0)
        goto out;
    cfz_buf_truncate(&text, 0);
    if (lf_input_read(f->path, &bytes, &why) < 0) {
        report_line("WARNING: %s", why.text);
        ret = 0;
        goto out;
    }
    if (lf_input_values(m->t->test, &bytes, &vs, err) < 0 ||
        fuzz_corpus_add(&m->corpus, &vs, FROM_CACHE, CFZ_NO_ENTRY, NULL, &added, &entry, err) < 0 ||
        execute(m, i, entry, &bytes, err) < 0)
        goto out;
    if (f->done && (lf_control_done(&m->control, i, &text, err) < 0 || note(m, &text, err) < 0))
        goto out;
    if (m->executed >= m->pulse) {
        line(m, "pulse");
        m->pulse *= 2;
    }
    ret = 0;
out:
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    cfz_buf_release(&text);
    return ret;
}

static int process_all(struct merging *m, struct cfz_error *err)
{
    size_t left = 0;

    for (size_t i = 0; i < m->control.n; i++)
        left += !m->control.v[i].started;
    report_line("MERGE-OUTER: attempt 1");
    report_line("MERGE-INNER: %zu total files; %zu processed earlier; will process %zu files now",
                m->control.n, m->control.n - left, left);
    if (left == 0)
        return 0;
    if (lf_target_host(m->t, err) < 0)
        return -1;
    m->corpus = (struct fuzz_corpus)FUZZ_CORPUS_INIT;
    m->corpus.host = m->t->host;
    m->mask_len = m->t->host->run->mask_len;
    m->mask = calloc(m->mask_len + 1, 1);
    if (m->mask == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < m->control.n; i++) {
        if (!m->control.v[i].started && process(m, i, err) < 0)
            return -1;
        if (i + 1 == m->control.first)
            line(m, "LOADED");
    }
    line(m, "DONE");
    report_line("MERGE-OUTER: successful in 1 attempt(s)");
    return 0;
}

/* ---- copying -------------------------------------------------------------------------- */

/* Copies file f into the first directory, by the name of its content. */
static int copy(const struct merging *m, const struct lf_control_file *f, int dir,
                struct cfz_error *err)
{
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    char name[LF_NAME_MAX];
    int ret = lf_input_read(f->path, &bytes, err);

    if (ret == 0) {
        lf_input_name(cfz_buf_str(&bytes), bytes.len, name);
        if (cfz_io_write_file(dir, name, cfz_buf_str(&bytes), bytes.len, 0, &why) < 0 &&
            why.code != CFZ_EEXIST) {
            ret = -1;
            if (err != NULL)
                *err = why;
            cfz_error_wrap(err, "%s", m->t->flags->inputs.v[0]);
        }
    }
    cfz_buf_release(&bytes);
    return ret;
}

static int copy_chosen(struct merging *m, struct cfz_error *err)
{
    bool *chosen = calloc(m->control.n + 1, sizeof *chosen);
    const char *out = m->t->flags->inputs.v[0];
    uint64_t features, counters;
    size_t n = 0;
    int dir = -1, ret = -1;

    if (chosen == NULL)
        return cfz_fail_nomem(err);
    if (lf_choose(&m->control, m->t->flags->set_cover_merge != 0, chosen, &features, &counters,
                  err) < 0)
        goto out;
    dir = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) {
        cfz_fail_errno(err, "open %s", out);
        goto out;
    }
    for (size_t i = 0; i < m->control.n; i++) {
        if (!chosen[i])
            continue;
        if (copy(m, &m->control.v[i], dir, err) < 0)
            goto out;
        n++;
    }
    report_line("MERGE-OUTER: %zu new files with %llu new features added; %llu new coverage edges",
                n, (unsigned long long)features, (unsigned long long)counters);
    ret = 0;
out:
    if (dir >= 0)
        close(dir);
    free(chosen);
    return ret;
}

int lf_merge(struct lf_target *t, int *status, struct cfz_error *err)
{
    struct merging m = {.t = t, .fd = -1, .pulse = 1};
    int ret = -1;

    *status = LF_EXIT_OK;
    if (t->flags->inputs.n < 2) {
        report_line("INFO: Merge requires two or more corpus dirs");
        return 0;
    }
    if (prepare(&m, err) == 0 && process_all(&m, err) == 0)
        ret = copy_chosen(&m, err);
    if (m.fd >= 0)
        close(m.fd);
    worker_free(m.worker);
    fuzz_corpus_release(&m.corpus);
    lf_control_release(&m.control);
    free(m.mask);
    return ret;
}
