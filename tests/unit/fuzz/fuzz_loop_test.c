/*
 * fuzz_loop_test.c - which step the loop takes on which state of a worker, and when a run ends.
 * Workers are made up: a script says what happens to them while the loop waits.
 *
 * Wraps: worker_new worker_free worker_run worker_fuzz worker_take worker_kill worker_stop
 * Wraps: worker_describe worker_mutated worker_scribbled worker_stale cfz_proc_shm_sane
 * Wraps: loop_pump
 * Wraps: fuzz_take_records fuzz_input_failed fuzz_worker_lost fuzz_check_host report_line
 * Wraps: fuzz_corpus_rest_failed totals_add_worker mutation_counts_add
 * Wraps: triage_lose_patience triage_settle
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz_failures.h"
#include "fuzz/fuzz_interesting.h"
#include "fuzz/fuzz_lines.h"
#include "fuzz/fuzz_loop.h"

/* ---- a run ------------------------------------------------------------------------------ */

enum { SEATS = 2, ENTRIES = 3, DEADLINE = 1000, EARLY = 10 };

static char test_name[] = "FuzzX";
static struct options opt;
static struct origin_test test = {.name = test_name};
static struct origin origin = {.opt = &opt};
static struct host host;
static struct cfz_run_shm run_shm;
static struct session session;
static struct seat seats[SEATS];
static struct worker workers[SEATS]; /* of each seat */
static struct cfz_proc_shm shms[SEATS];
static const struct cfz_proc_shm *counted; /* whose counts were added last */
static bool mad[SEATS];                    /* what shm says cannot be */
static bool stale[SEATS];                  /* what it shares with others was written over */
static enum ending_kind ends[SEATS];
static struct fuzz_entry entries[ENTRIES];
static struct coordinator c;
static struct finding finding;

static char events[1024];
static const char *script;
static bool host_fails;   /* fuzz_check_host does */
static bool turns;        /* triage_settle turns the loop once */
static bool records_fail; /* what workers found can't be kept */

static void __attribute__((format(printf, 1, 2))) note(const char *fmt, ...)
{
    size_t len = strlen(events);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(events + len, sizeof events - len, fmt, ap);
    va_end(ap);
    len = strlen(events);
    snprintf(events + len, sizeof events - len, "; ");
}

static int number(const struct worker *w)
{
    return (int)(w - workers);
}

static void progress(struct coordinator *co, bool last)
{
    assert_false(last);
    co->next_line = UINT64_MAX;
    note("line");
}

static void baseline_over(struct coordinator *co)
{
    if (co->baseline.total > 0)
        note("baseline over");
}

static const struct front front = {.progress = progress, .baseline_over = baseline_over};

static int begin(void **state)
{
    (void)state;
    opt = (struct options){.parallel = 1,
                           .seed = 42,
                           .fuzzmaxlen = 100,
                           .fuzzminimizetime = {.kind = LIMIT_COUNT, .count = 30}};
    host = (struct host){.origin = &origin, .test = &test, .state = HOST_READY, .run = &run_shm};
    session = (struct session){.origin = &origin};
    memset(seats, 0, sizeof seats);
    memset(mad, 0, sizeof mad);
    memset(stale, 0, sizeof stale);
    memset(entries, 0, sizeof entries);
    c = (struct coordinator){.opt = &opt,
                             .front = &front,
                             .s = &session,
                             .t = &test,
                             .host = &host,
                             .seats = seats,
                             .nseats = 1,
                             .deadline = DEADLINE,
                             .next_line = UINT64_MAX};
    c.corpus.entries = entries;
    budget_init(&c.budget, true, 100);
    events[0] = '\0';
    host_fails = turns = records_fail = false;
    return 0;
}

static int end(void **state)
{
    (void)state;
    queue_release(&c.baseline.waiting);
    return 0;
}

/* An entry of the baseline. */
static void add(uint64_t i, enum entry_from from, const char *name)
{
    static char names[ENTRIES][16];

    snprintf(names[i], sizeof names[i], "%s", name);
    entries[i] = (struct fuzz_entry){.from = from, .name = names[i]};
    assert_int_equal(queue_push(&c.baseline.waiting, i, NULL), 0);
    c.corpus.n++;
    c.baseline.left++;
    c.baseline.total++;
    c.baseline.due += from != FROM_CACHE;
}

/* Fuzzes with that script, and compares what was done. */
static void run(const char *what_happens, int want, const char *want_events)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    int ret;

    script = what_happens;
    ret = fuzz_loop(&c, &err);
    assert_string_equal(events, want_events);
    assert_int_equal(ret, want);
    assert_string_equal(script, ""); /* all of it has happened */
}

/* ---- what the loop asks ------------------------------------------------------------------- */

int __wrap_worker_new(struct host *h, const char *name, int64_t deadline_ns, bool guarded,
                      struct worker **out, struct cfz_error *err);
void __wrap_worker_free(struct worker *w);
int __wrap_worker_run(struct worker *w, uint64_t entry, bool all_bits, struct cfz_error *err);
int __wrap_worker_fuzz(struct worker *w, const struct fuzz_command *cmd, struct cfz_error *err);
void __wrap_worker_take(struct worker *w);
void __wrap_worker_kill(struct worker *w);
void __wrap_worker_stop(struct worker *w);
void __wrap_worker_describe(const struct worker *w, struct ending *e);
uint64_t __wrap_worker_mutated(const struct worker *w);
void __wrap_worker_scribbled(struct worker *w);
bool __wrap_cfz_proc_shm_sane(const struct cfz_proc_shm *s, bool commanded);
void __wrap_loop_pump(struct loop *l);
int __wrap_fuzz_take_records(struct coordinator *co, struct worker *w, struct cfz_error *err);
int __wrap_fuzz_input_failed(struct coordinator *co, struct worker *w, const struct ending *e,
                             bool *taken, struct cfz_error *err);
int __wrap_fuzz_worker_lost(struct coordinator *co, const struct worker *w, const struct ending *e,
                            struct cfz_error *err);
int __wrap_fuzz_check_host(struct coordinator *co, struct cfz_error *err);
void __wrap_report_line(const char *fmt, ...);
void __wrap_fuzz_corpus_rest_failed(struct fuzz_corpus *co);
void __wrap_totals_add_worker(struct totals *t, const struct cfz_proc_shm *shm);
void __wrap_mutation_counts_add(struct mutation_counts *m, const struct cfz_proc_shm *shm);
void __wrap_triage_lose_patience(struct triage *t, enum patience patience);
int __wrap_triage_settle(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err);

int __wrap_worker_new(struct host *h, const char *name, int64_t deadline_ns, bool guarded,
                      struct worker **out, struct cfz_error *err)
{
    struct seat *s = (struct seat *)(void *)((char *)out - offsetof(struct seat, worker));
    size_t i = (size_t)(s - seats);

    (void)err;
    assert_ptr_equal(h, &host);
    assert_string_equal(name, "FuzzX");
    assert_int_equal(deadline_ns, 0);
    note("new %zu%s", i, guarded ? " guarded" : "");
    workers[i] = (struct worker){.host = &host, .shm = &shms[i]};
    mad[i] = stale[i] = false;
    *out = &workers[i];
    return 0;
}

void __wrap_worker_free(struct worker *w)
{
    note("free %d", number(w));
}

int __wrap_worker_run(struct worker *w, uint64_t entry, bool all_bits, struct cfz_error *err)
{
    (void)err;
    assert_int_equal(w->state, WORKER_IDLE);
    assert_false(all_bits);
    note("run %d %s as %s", number(w), entries[entry].name, w->shm->name);
    w->state = WORKER_BUSY;
    w->fuzzing = false;
    w->running = true;
    w->entry = entry;
    return 0;
}

int __wrap_worker_fuzz(struct worker *w, const struct fuzz_command *cmd, struct cfz_error *err)
{
    (void)err;
    assert_int_equal(w->state, WORKER_IDLE);
    assert_int_equal(cmd->max_len, 100);
    assert_string_equal(w->shm->name, "FuzzX");
    if (cmd->seed == UINT64_MAX)
        note("fuzz %d %d, on", number(w), (int)cmd->limit);
    else
        note("fuzz %d %d, seed %d/%d sync %d minimize %d", number(w), (int)cmd->limit,
             (int)cmd->seed, (int)cmd->k, (int)cmd->sync, (int)cmd->minimize);
    w->state = WORKER_BUSY;
    w->fuzzing = true;
    w->running = false;
    w->limit = cmd->limit;
    return 0;
}

void __wrap_worker_take(struct worker *w)
{
    assert_int_equal(w->state, WORKER_ANSWERED);
    w->state = WORKER_IDLE;
}

void __wrap_worker_kill(struct worker *w)
{
    note("kill %d", number(w));
}

void __wrap_worker_stop(struct worker *w)
{
    note("stop %d", number(w));
}

void __wrap_worker_describe(const struct worker *w, struct ending *e)
{
    assert_int_equal(w->state, WORKER_GONE);
    *e = (struct ending){.kind = ends[number(w)]};
}

uint64_t __wrap_worker_mutated(const struct worker *w)
{
    (void)w;
    return EARLY;
}

bool __wrap_worker_stale(const struct worker *w);
bool __wrap_worker_stale(const struct worker *w)
{
    return stale[number(w)];
}

void __wrap_worker_scribbled(struct worker *w)
{
    note("scribbled %d", number(w));
    w->state = WORKER_BUSY;
}

bool __wrap_cfz_proc_shm_sane(const struct cfz_proc_shm *s, bool commanded)
{
    assert_true(commanded);
    return !mad[s - shms];
}

/* What happened to the worker of a seat: one letter. */
static void happen(struct worker *w, char what)
{
    struct worker *const old = w;

    assert_non_null(w);
    switch (what) {
    case 'i': /* it is ready */
        w->state = WORKER_IDLE;
        return;
    case 'r': /* it has records */
        w->records = true;
        return;
    case 'b': /* it holds too much memory */
        w->bloated = true;
        return;
    case 'm': /* its target writes over shared memory */
        mad[number(w)] = true;
        return;
    case 's': /* another's target writes over what they share */
        stale[number(w)] = true;
        return;
    case 'p': /* it passes all inputs, */
    case 'e': /* ends early, */
    case 'h': /* the same, since the tested code had changed, */
    case 'f': /* fails after some, */
    case 'z': /* did nothing */
        assert_int_equal(w->state, WORKER_BUSY);
        w->state = WORKER_ANSWERED;
        w->records = true;
        w->result.verdict = what == 'f' ? CFZ_VERDICT_FAIL : CFZ_VERDICT_PASS;
        w->result.drifted = what == 'h';
        w->result.mutated = what == 'p' ? w->limit : what == 'z' ? 0 : EARLY;
        return;
    case 'd': /* it dies of its input, */
    case 'o': /* somebody else ends it, */
    case 'k': /* we ended it */
        w->was_busy = w->state == WORKER_BUSY;
        w->state = WORKER_GONE;
        w->records = true;
        ends[number(old)] = what == 'd'   ? ENDING_CRASH
                            : what == 'o' ? ENDING_OUTSIDE
                                          : ENDING_STOPPED;
        return;
    default:
        fail_msg("%c in a script", what);
    }
}

/* While the loop waits, the next word of the script happens: seat and letter, any number of times;
 * T: the time is up; C: Ctrl-C; L: a line is due. */
void __wrap_loop_pump(struct loop *l)
{
    if (*script == '\0')
        fail_msg("the loop waits for ever; so far: %s", events);
    for (; *script != '\0' && *script != ' '; script++) {
        if (*script == 'T') {
            l->now = DEADLINE;
        } else if (*script == 'C') {
            l->interrupts++;
        } else if (*script == 'L') {
            c.next_line = l->now;
        } else {
            happen(seats[script[0] - '0'].worker, script[1]);
            script++;
        }
    }
    script += *script == ' ';
}

int __wrap_fuzz_take_records(struct coordinator *co, struct worker *w, struct cfz_error *err)
{
    (void)co;
    note("records %d", number(w));
    w->records = false;
    return records_fail ? cfz_fail(err, CFZ_EIO, "no space") : 0;
}

/* As fuzz_failures.c does it; each crash is a new one. A worker that died becomes the finding's. */
int __wrap_fuzz_input_failed(struct coordinator *co, struct worker *w, const struct ending *e,
                             bool *taken, struct cfz_error *err)
{
    (void)err;
    note("%s %d", e != NULL ? "died" : "failed", number(w));
    *taken = e != NULL && w->fuzzing;
    if (!w->fuzzing && co->corpus.entries[w->entry].from == FROM_SEED) {
        co->idle_after_baseline = !co->triage.keep;
        return 0;
    }
    co->triage.waiting = &finding;
    if (!co->triage.keep)
        coordinator_stop(co);
    return 0;
}

int __wrap_fuzz_worker_lost(struct coordinator *co, const struct worker *w, const struct ending *e,
                            struct cfz_error *err)
{
    (void)co;
    (void)e;
    (void)err;
    note("lost %d", number(w));
    return 0;
}

int __wrap_fuzz_check_host(struct coordinator *co, struct cfz_error *err)
{
    (void)co;
    return host_fails ? cfz_fail(err, CFZ_EIO, "gone") : 0;
}

void __wrap_report_line(const char *fmt, ...)
{
    char line[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    note("\"%s\"", line);
}

void __wrap_fuzz_corpus_rest_failed(struct fuzz_corpus *co)
{
    assert_ptr_equal(co, &c.corpus);
}

void __wrap_totals_add_worker(struct totals *t, const struct cfz_proc_shm *shm)
{
    (void)t;
    note("count %d", (int)(shm - shms));
    counted = shm;
}

/* It is the same worker. */
void __wrap_mutation_counts_add(struct mutation_counts *m, const struct cfz_proc_shm *shm)
{
    (void)m;
    assert_ptr_equal(shm, counted);
}

void __wrap_triage_lose_patience(struct triage *t, enum patience patience)
{
    if (t->trial.patience >= patience)
        return;
    t->trial.patience = patience;
    note(patience == PATIENCE_NONE ? "no patience" : "patience to confirm");
}

int __wrap_triage_settle(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err)
{
    (void)blocks;
    note("settle");
    t->waiting = NULL;
    t->settling = true;
    if (turns && fuzz_turn(&c, err) < 0)
        return -1;
    t->settling = false;
    note("settled");
    return 0;
}

/* ---- the way of a run ----------------------------------------------------------------------- */

static void test_count(void **state)
{
    (void)state;
    add(0, FROM_SEED, "seed#0");
    run("0i 0p 0p", 0,
        "line; new 0; run 0 seed#0 as FuzzX/seed#0; records 0; "
        "baseline over; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; stop 0; ");
    assert_int_equal(c.budget.done, 100);
}

/* Each entry goes to whoever is idle, and nobody fuzzes before all are answered. */
static void test_two_workers(void **state)
{
    (void)state;
    opt.parallel = c.nseats = 2;
    budget_init(&c.budget, true, 2);
    add(0, FROM_SEED, "seed#0");
    add(1, FROM_CACHE, "cached");
    add(2, FROM_CACHE, "another");
    run("0i1i 0p1p 0p 0p1p", 0,
        "line; new 0; new 1; run 0 seed#0 as FuzzX/seed#0; run 1 cached as FuzzX; "
        "records 0; run 0 another as FuzzX; records 1; "
        "records 0; baseline over; fuzz 0 1, seed 42/0 sync 0 minimize 30; "
        "fuzz 1 1, seed 42/1 sync 0 minimize 30; "
        "records 0; records 1; stop 0; stop 1; ");
}

/* What a worker that ended early did not use is handed out again; its generator goes on. */
static void test_rest_of_the_budget(void **state)
{
    (void)state;
    run("0i 0e 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; fuzz 0 90, on; "
        "records 0; stop 0; ");
    assert_int_equal(c.budget.done, 100);
}

static void test_minimize_limit(void **state)
{
    static const struct {
        struct fuzz_limit limit;
        const char *fuzz;
    } cases[] = {
        {{.kind = LIMIT_NONE}, "fuzz 0 100, seed 42/0 sync 4096 minimize 0; "},
        {{.kind = LIMIT_COUNT, .count = 511}, "fuzz 0 100, seed 42/0 sync 4096 minimize 511; "},
        {{.kind = LIMIT_COUNT, .count = 513}, "fuzz 0 100, seed 42/0 sync 4096 minimize 512; "},
        {{.kind = LIMIT_TIME, .ns = 1}, "fuzz 0 100, seed 42/0 sync 4096 minimize 512; "},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char want[256];

        begin(state);
        opt.fuzzminimizetime = cases[i].limit;
        snprintf(want, sizeof want, "line; new 0; %srecords 0; stop 0; ", cases[i].fuzz);
        run("0i 0p", 0, want);
    }
}

static void test_lines(void **state)
{
    (void)state;
    run("0i L 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; line; "
        "records 0; stop 0; ");
}

/* ---- ends ---------------------------------------------------------------------------------- */

/* The other seeds still run, and then nothing is fuzzed. */
static void test_seed_fails(void **state)
{
    (void)state;
    add(0, FROM_SEED, "seed#0");
    add(1, FROM_SEED, "seed#1");
    run("0i 0f 0p", 0,
        "line; new 0; run 0 seed#0 as FuzzX/seed#0; records 0; failed 0; "
        "run 0 seed#1 as FuzzX/seed#1; records 0; stop 0; ");
    assert_false(c.fuzzing);
}

static void test_seed_dies(void **state)
{
    (void)state;
    add(0, FROM_SEED, "seed#0");
    run("0i 0d", 0,
        "line; new 0; run 0 seed#0 as FuzzX/seed#0; records 0; count 0; died 0; free 0; ");
    assert_int_equal(c.baseline.left, 0);
}

/* It is settled when all others have come to their end. */
static void test_input_fails(void **state)
{
    (void)state;
    opt.parallel = c.nseats = 2;
    run("0i1i 0f 1e", 0,
        "line; new 0; new 1; fuzz 0 25, seed 42/0 sync 0 minimize 30; "
        "fuzz 1 19, seed 42/1 sync 0 minimize 30; records 0; failed 0; stop 0; stop 1; "
        "records 1; settle; settled; ");
}

/* Settling waits for its own worker, when there is no other one any more. */
static void test_input_kills(void **state)
{
    (void)state;
    turns = true;
    run("0i 0d L", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; count 0; died 0; "
        "stop 0; settle; settled; ");
    assert_int_equal(c.budget.done, EARLY);
    assert_int_equal(c.budget.left, 90);
}

/* Seeds run to their end, cached inputs do not. */
static void test_time_is_up(void **state)
{
    (void)state;
    add(0, FROM_SEED, "seed#0");
    add(1, FROM_SEED, "seed#1");
    add(2, FROM_CACHE, "cached");
    run("0i T 0p 0p", 0,
        "line; new 0; run 0 seed#0 as FuzzX/seed#0; records 0; "
        "run 0 seed#1 as FuzzX/seed#1; records 0; patience to confirm; stop 0; "
        "\"fuzz: the time was up before 1 cached input had been run\"; ");
}

/* A cached input that was put back, before a seed: that one still runs. */
static void test_time_is_up_for_cached(void **state)
{
    (void)state;
    add(0, FROM_CACHE, "cached");
    add(1, FROM_SEED, "seed#0");
    run("T0i 0p", 0,
        "line; new 0; run 0 seed#0 as FuzzX/seed#0; records 0; patience to confirm; stop 0; "
        "\"fuzz: the time was up before 1 cached input had been run\"; ");
}

static void test_interrupts(void **state)
{
    (void)state;
    run("0i C 0e", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; no patience; stop 0; "
        "records 0; ");
    begin(state);
    run("0i C C 0k", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; no patience; stop 0; kill 0; "
        "records 0; count 0; lost 0; free 0; ");
}

/* A crash that comes with the end of host or origin is taken before the error. */
static void test_origin_gone(void **state)
{
    (void)state;
    host_fails = true;
    seats[0].worker = &workers[0];
    workers[0] = (struct worker){.state = WORKER_BUSY, .fuzzing = true, .shm = &shms[0]};
    c.budget.out = workers[0].limit = c.budget.left;
    c.budget.left = 0;
    happen(&workers[0], 'f');
    run("", -1, "line; records 0; failed 0; stop 0; ");
}

/* What was found cannot be kept, and the run ends with that. Inputs that ended a worker meanwhile
 * are told: also that of the one whose records it was. */
static void test_cannot_keep(void **state)
{
    (void)state;
    opt.parallel = c.nseats = 2;
    records_fail = true;
    run("0i1i 0r1d", -1,
        "line; new 0; new 1; fuzz 0 25, seed 42/0 sync 0 minimize 30; "
        "fuzz 1 19, seed 42/1 sync 0 minimize 30; records 0; count 1; died 1; stop 0; stop 1; ");
    begin(state);
    records_fail = true;
    run("0i 0f", -1,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; failed 0; stop 0; ");
}

/* ---- with -keepfuzzing ------------------------------------------------------------------------
 */

/* Several workers go on while a crash is settled. */
static void test_keep(void **state)
{
    (void)state;
    opt.parallel = c.nseats = 2;
    c.triage.keep = turns = true;
    run("0i1i 0d 1p 0i 0p C 0e1e", 0,
        "line; new 0 guarded; new 1 guarded; fuzz 0 25, seed 42/0 sync 0 minimize 30; "
        "fuzz 1 19, seed 42/1 sync 0 minimize 30; records 0; count 0; died 0; "
        "settle; new 0 guarded; settled; "
        "records 1; fuzz 1 18, on; fuzz 0 14, seed 42/2 sync 0 minimize 30; "
        "records 0; fuzz 0 10, on; no patience; stop 0; stop 1; records 0; records 1; ");
}

/* A single one waits until the crash is settled, so that the run can be repeated. */
static void test_keep_repeats(void **state)
{
    (void)state;
    c.triage.keep = turns = true;
    run("0i 0f L 0d L 0i 0p", 0,
        "line; new 0 guarded; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; failed 0; "
        "settle; settled; fuzz 0 90, on; line; records 0; count 0; died 0; "
        "settle; settled; new 0 guarded; line; fuzz 0 80, seed 42/1 sync 4096 minimize 30; "
        "records 0; stop 0; ");
}

/* ---- workers ------------------------------------------------------------------------------- */

static void test_lost(void **state)
{
    (void)state;
    run("0i 0o 0i 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; count 0; lost 0; "
        "free 0; new 0; fuzz 0 90, seed 42/1 sync 4096 minimize 30; records 0; stop 0; ");
}

/* A worker that dies between inputs has no failing input, and has returned what it was given. */
static void test_dies_idle(void **state)
{
    (void)state;
    opt.parallel = c.nseats = 2;
    budget_init(&c.budget, true, 2);
    run("0i1i 1p 1d 0p", 0,
        "line; new 0; new 1; fuzz 0 1, seed 42/0 sync 0 minimize 30; "
        "fuzz 1 1, seed 42/1 sync 0 minimize 30; records 1; records 1; count 1; lost 1; free 1; "
        "new 1; records 0; stop 0; stop 1; ");
    assert_int_equal(c.budget.done, 2);
}

/* The host is gone: nothing is forked. */
static void test_host_gone(void **state)
{
    (void)state;
    host.state = HOST_GONE;
    run("C", 0, "line; no patience; ");
}

/* An answer of a worker whose memory is wrong does not count; its death does. */
static void test_scribbled(void **state)
{
    (void)state;
    run("0i 0m0f 0d", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; scribbled 0; "
        "records 0; count 0; died 0; stop 0; settle; settled; ");
}

/* Replaced between two commands, and told once. */
static void test_bloated(void **state)
{
    (void)state;
    opt.rss_mib = 7;
    run("0i 0b0e 0i 0b0e 0i 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; "
        "\"fuzz: a fuzzing process held more than 7 MiB (-rss) between inputs, and was replaced: "
        "the tested code may leak memory\"; count 0; free 0; "
        "new 0; fuzz 0 90, seed 42/1 sync 4096 minimize 30; records 0; count 0; free 0; "
        "new 0; fuzz 0 80, seed 42/2 sync 4096 minimize 30; records 0; stop 0; ");
    assert_int_equal(c.totals.bloated, 2);
}

/* Replaced by one that goes on where it ended; told once. */
static void test_drifted(void **state)
{
    (void)state;
    run("0i 0h 0i 0h 0i 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; "
        "\"fuzz: an input covered less than half of what it had covered before in a fuzzing "
        "process, "
        "which was replaced: the tested code keeps state from input to input\"; count 0; free 0; "
        "new 0; fuzz 0 90, seed 42/1 sync 4096 minimize 30; records 0; count 0; free 0; "
        "new 0; fuzz 0 80, seed 42/2 sync 4096 minimize 30; records 0; stop 0; ");
    assert_int_equal(c.totals.drifted, 2);
}

/* What a worker shares with others was written over: it is replaced when its command is over, also
 * when it has none, or had not begun. What it found counts. */
static void test_stale(void **state)
{
    (void)state;
    run("0i 0s0e 0i 0s0z 0s0i 0i 0s0f", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; count 0; free 0; "
        "new 0; fuzz 0 90, seed 42/1 sync 4096 minimize 30; records 0; count 0; free 0; "
        "new 0; count 0; free 0; "
        "new 0; fuzz 0 90, seed 42/2 sync 4096 minimize 30; records 0; failed 0; stop 0; "
        "count 0; free 0; settle; settled; ");
}

static void test_does_nothing(void **state)
{
    (void)state;
    run("0i 0z", -1, "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; ");
    /* It may, if it holds too much memory or is to end. */
    begin(state);
    run("0i 0b0z 0i 0p", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; records 0; "
        "\"fuzz: a fuzzing process held more than 0 MiB (-rss) between inputs, and was replaced: "
        "the tested code may leak memory\"; count 0; free 0; "
        "new 0; fuzz 0 100, seed 42/1 sync 4096 minimize 30; records 0; stop 0; ");
    begin(state);
    run("0i C 0z", 0,
        "line; new 0; fuzz 0 100, seed 42/0 sync 4096 minimize 30; no patience; stop 0; "
        "records 0; ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_count),          TEST(test_two_workers),  TEST(test_rest_of_the_budget),
        TEST(test_minimize_limit), TEST(test_lines),        TEST(test_seed_fails),
        TEST(test_seed_dies),      TEST(test_input_fails),  TEST(test_input_kills),
        TEST(test_time_is_up),     TEST(test_interrupts),   TEST(test_origin_gone),
        TEST(test_keep),           TEST(test_keep_repeats), TEST(test_lost),
        TEST(test_dies_idle),      TEST(test_host_gone),    TEST(test_scribbled),
        TEST(test_bloated),        TEST(test_drifted),      TEST(test_does_nothing),
        TEST(test_stale),          TEST(test_cannot_keep),  TEST(test_time_is_up_for_cached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
