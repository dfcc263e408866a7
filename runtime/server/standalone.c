/*
 * standalone.c - one process, one test after another, Go's output.
 *
 * A crash is left to happen where it happens, since a debugger is to see it there. With -v the name
 * of each seed is on the screen before it runs. A test that calls exit() has failed, whatever it
 * gives: to whoever runs tests 0 would say that it passed, and 77 that it was skipped.
 */
#define _GNU_SOURCE
#include "server/standalone.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/corpus/corpus.h"
#include "core/escape.h"
#include "coverage/counters.h"
#include "target/executor.h"
#include "target/harness.h"
#include "target/registry.h"

enum { PASSED = 0, FAILED = 1, CANNOT = 2 };

/* A seed, good or bad, before it runs. */
struct seed {
    char name[CFZ_NAME_MAX]; /* FuzzX/seed#0 */
    struct cfz_values vals;
    char *why; /* of a bad corpus file: owned; else NULL */
};

/* One test while it runs. */
struct run {
    const struct cfz_standalone_options *opt;
    const struct cfz_test *test;
    const char *only; /* the seed to run, without the test's name; NULL: all */
    struct seed *seeds;
    size_t nseeds, room;
    size_t nadded; /* of these, by cfuzz_add */
    size_t nran;
    struct cfz_buf lines; /* "--- PASS:" lines and logs of seeds, held back until the test's own */
    bool failed;
    bool seeds_known; /* the setup part neither failed nor skipped the test */
};

static int start_dir = -1; /* the directory that the program was started in */
static pid_t running;      /* the process, while code of the user's runs in it; else 0 */

__attribute__((noinline)) void cfz_standalone_left(const char *test, int status)
{
    fflush(NULL);
    fprintf(stderr, "%s: the test function called exit(%d)\n", test, status);
    printf("FAIL\n");
    fflush(NULL);
    _exit(FAILED);
}

/* An exit handler. */
static void left_early(int status, void *arg)
{
    (void)arg;
    if (running == 0 ||
        running != getpid()) /* a process that the test forked may end as it likes */
        return;
    cfz_standalone_left(cfz_executor.shm->name, status);
}

static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Appends text with each of its lines indented. */
static int indent(struct cfz_buf *out, const char *text, size_t len, const char *by,
                  struct cfz_error *err)
{
    for (size_t i = 0; i < len;) {
        const char *nl = memchr(text + i, '\n', len - i);
        size_t n = nl ? (size_t)(nl - (text + i)) + 1 : len - i;

        if (cfz_buf_puts(out, by, err) < 0 || cfz_buf_append(out, text + i, n, err) < 0)
            return -1;
        i += n;
    }
    return 0;
}

/* -v: items as they are logged. */
static void stream(const char *text, size_t len)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    if (indent(&b, text, len, "    ", NULL) == 0)
        fwrite(b.data, 1, b.len, stdout);
    fflush(stdout);
    cfz_buf_release(&b);
}

static const char *verdict_word(enum cfz_verdict v)
{
    return v == CFZ_VERDICT_FAIL ? "FAIL" : v == CFZ_VERDICT_SKIP ? "SKIP" : "PASS";
}

/* The result line and, unless it was streamed, the log of one test or seed. */
static int result(struct run *r, struct cfz_buf *out, const char *blanks, const char *name,
                  enum cfz_verdict v, double took, const char *log, size_t log_len,
                  struct cfz_error *err)
{
    char deeper[16];

    if (v != CFZ_VERDICT_FAIL && !r->opt->verbose)
        return 0;
    if (cfz_buf_printf(out, err, "%s--- %s: ", blanks, verdict_word(v)) < 0 ||
        cfz_buf_escape(out, name, strlen(name), CFZ_ESCAPE_LINE, err) < 0 ||
        cfz_buf_printf(out, err, " (%.2fs)\n", took) < 0)
        return -1;
    if (r->opt->verbose)
        return 0;
    snprintf(deeper, sizeof deeper, "%s    ", blanks);
    return indent(out, log, log_len, deeper, err);
}

static struct seed *new_seed(struct run *r, struct cfz_error *err)
{
    if (r->nseeds == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        struct seed *p = realloc(r->seeds, room * sizeof *p);

        if (!p) {
            cfz_fail(err, CFZ_ENOMEM, "seeds: out of memory");
            return NULL;
        }
        r->seeds = p;
        r->room = room;
    }
    memset(&r->seeds[r->nseeds], 0, sizeof *r->seeds);
    return &r->seeds[r->nseeds++];
}

/* cfuzz_add, from the setup part. */
static int keep_seed(void *ctx, const struct cfz_values *vs, struct cfz_error *err)
{
    struct run *r = ctx;
    struct seed *s = new_seed(r, err);

    if (!s)
        return -1;
    snprintf(s->name, sizeof s->name, "%s/seed#%zu", r->test->desc->name, r->nadded++);
    return cfz_values_copy(&s->vals, vs, err);
}

/* Loads a corpus directory from where the program was started, wherever a setup part or a test has
 * gone to since, which it finds itself in again. */
static int load_from_start(const char *path, const struct cfz_test *test,
                           struct cfz_corpus_dir *dir, struct cfz_error *err)
{
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), ret;

    if (start_dir >= 0 && fchdir(start_dir) < 0)
        ret = cfz_fail_errno(err, "go back to the directory that it was started in");
    else
        ret = cfz_corpus_load(path, test->kinds, test->n, dir, err);
    if (here >= 0) {
        if (fchdir(here) < 0 && ret == 0)
            ret = cfz_fail_errno(err, "go to the current directory");
        close(here);
    }
    return ret;
}

static int load_files(struct run *r, struct cfz_error *err)
{
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    const char *path;
    int ret = -1;

    if (cfz_buf_printf(&text, err, "testdata/corpus/%s", r->test->desc->name) < 0)
        goto out;
    path = cfz_buf_str(&text);
    if (load_from_start(path, r->test, &dir, err) < 0)
        goto out;
    for (size_t i = 0; i < dir.n; i++) {
        struct seed *s = new_seed(r, err);

        if (!s)
            goto out;
        snprintf(s->name, sizeof s->name, "%s/%s", r->test->desc->name, dir.files[i].name);
        cfz_values_swap(&s->vals, &dir.files[i].vals);
        if (dir.files[i].bad) {
            s->why = strdup(dir.files[i].why);
            if (!s->why) {
                cfz_fail(err, CFZ_ENOMEM, "%s: out of memory", path);
                goto out;
            }
        }
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    cfz_corpus_dir_release(&dir);
    return ret;
}

static int run_seed(struct run *r, const struct seed *s, struct cfz_error *err)
{
    struct cfz_executor *x = &cfz_executor;
    enum cfz_verdict v;
    double start = seconds();

    if (r->only && strcmp(strchr(s->name, '/') + 1, r->only) != 0)
        return 0;
    r->nran++;
    if (r->opt->verbose) {
        struct cfz_buf shown = CFZ_BUF_INIT;

        cfz_buf_escape(&shown, s->name, strlen(s->name), CFZ_ESCAPE_LINE, NULL);
        printf("=== RUN   %s\n", cfz_buf_str(&shown));
        fflush(stdout);
        cfz_buf_release(&shown);
    }
    snprintf(x->shm->name, sizeof x->shm->name, "%s", s->name);
    if (s->why) {
        struct cfz_buf text = CFZ_BUF_INIT;
        int ret = -1;

        r->failed = true;
        if (cfz_buf_printf(&text, err, "%s\n", s->why) == 0) {
            if (r->opt->verbose)
                stream(cfz_buf_str(&text), text.len);
            ret = result(r, &r->lines, "    ", s->name, CFZ_VERDICT_FAIL, 0, cfz_buf_str(&text),
                         text.len, err);
        }
        cfz_buf_release(&text);
        return ret;
    }
    if (cfz_proc_set_input(x->shm, &s->vals, err) < 0)
        return -1;
    if (!cfz_slots_adopt(&x->slots))
        return cfz_fail(err, CFZ_EINTERNAL, "%s: not an input of this test", s->name);
    running = getpid();
    v = cfz_executor_run(x);
    running = 0;
    fflush(stdout);
    r->failed |= v == CFZ_VERDICT_FAIL;
    return result(r, &r->lines, "    ", s->name, v, seconds() - start, x->shm->log,
                  atomic_load(&x->shm->log_len), err);
}

static int run_seeds(struct run *r, struct cfz_error *err)
{
    if (load_files(r, err) < 0)
        return -1;
    for (size_t i = 0; i < r->nseeds; i++)
        if (run_seed(r, &r->seeds[i], err) < 0)
            return -1;
    return 0;
}

/* Runs one test; returns PASSED, FAILED or, with err, CANNOT. */
static int run_test(struct run *r, struct cfz_error *err)
{
    struct cfz_executor *x = &cfz_executor;
    struct cfz_buf own = CFZ_BUF_INIT, setup_log = CFZ_BUF_INIT;
    const char *name = r->test->desc->name;
    double start = seconds();
    enum cfz_verdict v;
    int fd = -1, ret = CANNOT;

    memset(x, 0, sizeof *x);
    x->test = r->test;
    x->short_mode = r->opt->short_mode;
    x->on_log = r->opt->verbose ? stream : NULL;
    if (cfz_proc_shm_new(r->test->nslots, &x->shm, &fd, err) < 0)
        return CANNOT;
    x->shm->pid = getpid();
    if (cfz_slots_reserve(&x->slots, r->test->kinds, r->test->n, err) < 0)
        goto out;
    if (cfz_is_harness(r->test))
        cfz_slots_align(&x->slots);
    if (cfz_slots_attach(&x->slots, x->shm, fd, err) < 0 || cfz_executor_begin(x, err) < 0)
        goto out;
    snprintf(x->shm->name, sizeof x->shm->name, "%s", name);
    if (r->opt->verbose) {
        printf("=== RUN   %s\n", name);
        fflush(stdout);
    }

    running = getpid();
    v = cfz_executor_setup(x, keep_seed, r);
    running = 0;
    if (cfz_buf_append(&setup_log, x->shm->log, atomic_load(&x->shm->log_len), err) < 0)
        goto out;
    atomic_store(&x->shm->log_len, 0);
    if (v == CFZ_VERDICT_PASS) {
        struct cfz_error why = CFZ_ERROR_INIT;

        r->seeds_known = true;
        if (run_seeds(r, &why) < 0) {
            r->failed = true;
            if (cfz_buf_printf(&setup_log, err, "%s\n", why.text) < 0)
                goto out;
            if (r->opt->verbose)
                printf("    %s\n", why.text);
        }
        snprintf(x->shm->name, sizeof x->shm->name, "%s", name);
    }
    running = getpid();
    v = cfz_executor_setup_done(x);
    running = 0;
    if (cfz_buf_append(&setup_log, x->shm->log, atomic_load(&x->shm->log_len), err) < 0)
        goto out;
    if (r->failed)
        v = CFZ_VERDICT_FAIL;
    if (result(r, &own, "", name, v, seconds() - start, cfz_buf_str(&setup_log), setup_log.len,
               err) < 0)
        goto out;
    printf("%s%s", cfz_buf_str(&own), cfz_buf_str(&r->lines));
    ret = v == CFZ_VERDICT_FAIL ? FAILED : PASSED;
out:
    fflush(stdout);
    cfz_buf_release(&own);
    cfz_buf_release(&setup_log);
    cfz_slots_release(&x->slots);
    cfz_shm_unmap(x->shm, x->shm->size);
    x->shm = NULL;
    close(fd);
    return ret;
}

static void run_release(struct run *r)
{
    for (size_t i = 0; i < r->nseeds; i++) {
        cfz_values_release(&r->seeds[i].vals);
        free(r->seeds[i].why);
    }
    free(r->seeds);
    cfz_buf_release(&r->lines);
}

/* Whether -run=want means this test; *only gets the seed it asks for. */
static bool wanted(const char *want, const char *name, const char **only)
{
    size_t len = strlen(name);

    *only = NULL;
    if (!want)
        return true;
    if (strncmp(want, name, len) != 0 || (want[len] != 0 && want[len] != '/'))
        return false;
    if (want[len] == '/')
        *only = want + len + 1;
    return true;
}

/* What it means that nothing ran: a name with a seed in it is a mistake, any other is as in Go. */
static int nothing_ran(const struct cfz_standalone_options *opt, bool may_have_it, int worst)
{
    if (opt->run && strchr(opt->run, '/') && !may_have_it && worst == PASSED) {
        fprintf(stderr, "-run=%s: no such test or seed\n", opt->run);
        return CANNOT;
    }
    fprintf(stderr, "testing: warning: no tests to run\n");
    return worst;
}

int cfz_standalone_run(const struct cfz_standalone_options *opt)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    const struct cfz_test *tests;
    size_t n, ran = 0;
    int worst = PASSED;
    bool may_have_it = false; /* a test was skipped whose seeds are not known then */

    on_exit(left_early, NULL);
    start_dir = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (cfz_harness_register(&err) < 0 || cfz_counters_prepare(&err) < 0 ||
        cfz_registry_load(&tests, &n, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return CANNOT;
    }
    for (size_t i = 0; i < n; i++) {
        struct run r = {.opt = opt, .test = &tests[i]};
        int status;

        if (!wanted(opt->run, tests[i].desc->name, &r.only))
            continue;
        if (opt->list) {
            printf("%s\n", tests[i].desc->name);
            continue;
        }
        status = run_test(&r, &err);
        ran += r.only ? r.nran : 1;
        may_have_it |= !r.seeds_known;
        run_release(&r);
        if (status == CANNOT) {
            fprintf(stderr, "%s: %s\n", tests[i].desc->name, err.text);
            return CANNOT;
        }
        if (status > worst)
            worst = status;
    }
    if (opt->list)
        return PASSED;
    if (ran == 0 && nothing_ran(opt, may_have_it, worst) == CANNOT)
        return CANNOT;
    printf("%s\n", worst == PASSED ? "PASS" : "FAIL");
    return worst;
}
