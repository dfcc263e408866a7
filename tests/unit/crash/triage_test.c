/*
 * triage_test.c - which failing inputs become findings, in which order they are settled, and what
 * is counted. Findings and signatures are made up.
 *
 * Wraps: trial_identify trial_release finding_new finding_check finding_save finding_settle
 * Wraps: finding_tell finding_free crash_file_remove
 * Wraps: worker_stop worker_free report_line
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crash/triage.h"

/* ---- what triage asks ------------------------------------------------------------------ */

static char said[1024];       /* the lines that were printed */
static unsigned stops, frees; /* calls of worker_stop, and of worker_free with a worker */

void __wrap_report_line(const char *fmt, ...);
void __wrap_trial_identify(const struct trial *t, const struct worker *w, const struct ending *e,
                           struct crash_signature *sig);
void __wrap_trial_release(struct trial *t);
int __wrap_finding_new(const struct failure *from, const struct crash_signature *sig,
                       struct finding **out, struct cfz_error *err);
int __wrap_finding_check(struct finding *f, struct trial *t, bool *of_trace, struct cfz_error *err);
int __wrap_finding_save(struct finding *f, const struct origin *o, const char *test,
                        struct cfz_error *err);
int __wrap_finding_settle(struct finding *f, struct trial *t, struct fuzz_limit *left,
                          struct cfz_buf *blocks, struct cfz_error *err);
int __wrap_finding_tell(struct finding *f, const struct origin *o, const char *test,
                        const char *remark, struct cfz_buf *blocks, struct cfz_error *err);
void __wrap_finding_free(struct finding *f);
void __wrap_crash_file_remove(const struct origin *o, const char *test, const char name[17]);
void __wrap_worker_stop(struct worker *w);
void __wrap_worker_free(struct worker *w);

void __wrap_report_line(const char *fmt, ...)
{
    size_t len = strlen(said);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(said + len, sizeof said - len, fmt, ap);
    va_end(ap);
    strcat(said, "\n");
}

static bool is_marked; /* guards can tell the crash */

/* Worker n shows crash n, which is a hang of worker 0. */
void __wrap_trial_identify(const struct trial *t, const struct worker *w, const struct ending *e,
                           struct crash_signature *sig)
{
    (void)t;
    (void)e;
    *sig = (struct crash_signature){.class = w->child.id == 0 ? CRASH_HUNG : CRASH_SIGNAL,
                                    .place = w->child.id == 0 ? 50 : w->child.id,
                                    .marked = is_marked,
                                    .frames = 1};
    snprintf(sig->where, sizeof sig->where, "bug %d", (int)w->child.id);
}

void __wrap_trial_release(struct trial *t)
{
    (void)t;
}

int __wrap_finding_new(const struct failure *from, const struct crash_signature *sig,
                       struct finding **out, struct cfz_error *err)
{
    struct finding *f = calloc(1, sizeof *f);

    (void)err;
    assert_non_null(f);
    f->signature = *sig;
    f->dead = from->ending != NULL ? from->worker : NULL;
    *out = f;
    return 0;
}

static bool is_of_trace; /* what finding_check says */

int __wrap_finding_check(struct finding *f, struct trial *t, bool *of_trace, struct cfz_error *err)
{
    (void)t;
    (void)err;
    assert_true(f->suspect);
    *of_trace = is_of_trace;
    if (f->signature.class == CRASH_HUNG)
        f->signature.place = 77; /* where it is seen without tracing */
    return 0;
}

int __wrap_finding_save(struct finding *f, const struct origin *o, const char *test,
                        struct cfz_error *err)
{
    (void)o;
    (void)test;
    (void)err;
    snprintf(f->file, sizeof f->file, "found-%d", (int)f->signature.place);
    return 0;
}

static bool is_flaky; /* what finding_settle says */

/* Takes 10 of what is left, and puts another file in the place of the first, unless that is flaky.
 */
int __wrap_finding_settle(struct finding *f, struct trial *t, struct fuzz_limit *left,
                          struct cfz_buf *blocks, struct cfz_error *err)
{
    (void)t;
    f->unsure = is_flaky;
    if (is_flaky)
        return f->sample ? 0 : cfz_buf_printf(blocks, err, "flaky %s\n", f->file);
    snprintf(f->file, sizeof f->file, "small-%d", (int)f->signature.place);
    left->count -= 10;
    return cfz_buf_printf(blocks, err, "settled %s, left %d\n", f->file, (int)left->count);
}

int __wrap_finding_tell(struct finding *f, const struct origin *o, const char *test,
                        const char *remark, struct cfz_buf *blocks, struct cfz_error *err)
{
    (void)o;
    assert_string_equal(remark, "");
    return cfz_buf_printf(blocks, err, "told %s of %s\n", f->file, test);
}

void __wrap_finding_free(struct finding *f)
{
    cfz_buf_release(&f->lines);
    free(f);
}

static char removed[64]; /* files, each with a space behind it */

void __wrap_crash_file_remove(const struct origin *o, const char *test, const char file[17])
{
    (void)o;
    assert_string_equal(test, "FuzzX");
    strcat(removed, file);
    strcat(removed, " ");
}

void __wrap_worker_stop(struct worker *w)
{
    assert_non_null(w);
    stops++;
}

void __wrap_worker_free(struct worker *w)
{
    frees += w != NULL;
}

/* ---- a run ----------------------------------------------------------------------------- */

static char dir[] = "/p", path[] = "/nowhere", name[] = "FuzzX";
static struct package pkg = {.dir = dir};
static struct test_binary bin = {.path = path, .pkg = &pkg};
static struct options opt;
static struct origin origin = {.opt = &opt, .bin = &bin};
static struct origin_test test = {.name = name};
static struct cfz_run_shm run;
static struct host host = {.origin = &origin, .test = &test, .run = &run};
static struct worker workers[4];
static const struct ending ending = {.kind = ENDING_CRASH};

static void begin(struct triage *t, bool keep)
{
    said[0] = '\0';
    stops = frees = 0;
    opt = (struct options){.keepfuzzing = keep,
                           .fuzzminimizetime = {.kind = LIMIT_COUNT, .count = 100}};
    memset(&run, 0, sizeof run);
    for (uint64_t i = 0; i < 4; i++)
        workers[i] = (struct worker){.host = &host, .child.id = i};
    triage_init(t, &host, NULL, NULL);
}

/* Input of worker i fails; died: the worker with it. Returns whether triage has the worker now. */
static bool input_fails(struct triage *t, unsigned i, bool died)
{
    struct failure f = {
        .worker = &workers[i], .ending = died ? &ending : NULL, .name = "FuzzX", .lost = "x"};
    bool taken;

    assert_int_equal(triage_add(t, &f, &taken, NULL), 0);
    return taken;
}

static void test_first_ends(void **state)
{
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct triage t;

    (void)state;
    begin(&t, false);
    assert_true(input_fails(&t, 1, true));
    assert_ptr_equal(t.last, t.waiting);
    assert_false(input_fails(&t, 1, true)); /* met before: the worker stays the caller's */
    assert_null(t.last);
    assert_false(input_fails(&t, 2, false)); /* it lives */
    assert_string_equal(said, "fuzz: found a failing input: bug 1\nfuzz: another crash: bug 2\n");
    /* As they were found; what minimizing may take is for all of them. */
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_null(t.waiting);
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks), "settled small-1, left 90\n"
                                              "\n    crash 2: bug 2\n"
                                              "settled small-2, left 80\n");
    assert_int_equal(crash_buckets_total(&t.buckets), 3);
    cfz_buf_release(&blocks);
    triage_release(&t);
}

static void test_keep(void **state)
{
    struct failure seed = {.worker = &workers[3], .name = "FuzzX/seed#0", .lost = ""};
    uint64_t guarded[CFZ_KNOWN_MAX] = {0};
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct triage t;

    (void)state;
    begin(&t, true);
    assert_int_equal(triage_add_seed(&t, &seed, NULL), 0);
    input_fails(&t, 3, true);
    assert_null(t.waiting); /* a seed showed it: not saved */
    input_fails(&t, 1, true);
    input_fails(&t, 2, true);
    assert_string_equal(said, "fuzz: new crash: bug 1\nfuzz: new crash: bug 2\n");
    /* Each crash has the whole limit. */
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    t.guarded[5] = 1;
    t.guarded[6] = 77; /* none */
    guarded[5] = 40;
    guarded[6] = 2;
    triage_count(&t, guarded);
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks),
                        "    crash 1: bug 1\n"
                        "settled small-1, left 90\n"
                        "\n    crash 2: bug 2\n"
                        "settled small-2, left 90\n"
                        "\n    Distinct crashes: 3 (46 failing inputs), 1 known before\n"
                        "             2  known: FuzzX/seed#0  bug 3\n"
                        "            41  testdata/corpus/FuzzX/small-1  bug 1\n"
                        "             1  testdata/corpus/FuzzX/small-2  bug 2\n"
                        "             2  of further crashes, not saved\n");
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* Settles what waits, which is flaky or not. */
static void settles(struct triage *t, struct cfz_buf *blocks, bool flaky)
{
    is_flaky = flaky;
    assert_int_equal(triage_settle(t, blocks, NULL), 0);
    is_flaky = false;
}

/* An input of worker i ends it: while it is traced, or in a way that guards tell by its mark. */
static void dies(struct triage *t, unsigned i, bool traced, bool marked)
{
    struct cfz_proc_shm *shm = aligned_alloc(CFZ_SHM_PAGE, sizeof *shm);
    struct cfz_values input = CFZ_VALUES_INIT;
    struct failure f = {.worker = &workers[i], .ending = &ending, .name = "FuzzX", .input = &input};
    bool taken;

    assert_non_null(shm);
    memset(shm, 0, sizeof *shm);
    shm->traced = traced;
    shm->crash.nframes = 1;
    shm->crash.frames[0] = i;
    workers[i].shm = shm;
    workers[i].fuzzing = true;
    is_marked = marked;
    assert_int_equal(triage_add(t, &f, &taken, NULL), 0);
    is_marked = false;
    workers[i].shm = NULL;
    workers[i].fuzzing = false;
    free(shm);
}

static void dies_traced(struct triage *t, unsigned i)
{
    dies(t, i, true, false);
}

/* Returns whether an input waits then. */
static bool dies_marked(struct triage *t, unsigned i)
{
    dies(t, i, false, true);
    return t->waiting != NULL;
}

/* Of a crash without an input that fails each time further ones are tried: first all that workers
 * report, then so many at each doubling of what a worker met. The first that fails takes its place.
 */
static void test_unsure(void **state)
{
    const uint64_t never = UINT64_MAX;
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct triage t;

    (void)state;
    begin(&t, true);
    removed[0] = '\0';
    assert_true(dies_marked(&t, 1));
    t.last->made = true;
    assert_int_equal(run.known[0].patience, never);
    settles(&t, &blocks, true);
    assert_int_equal(blocks.len, 0); /* it is told at the end, or not at all */
    assert_int_equal(run.known[0].patience, 0);
    for (unsigned i = 1; i <= 32; i++) {
        assert_true(dies_marked(&t, 1));
        assert_null(t.last);
        assert_int_equal(run.known[0].patience, never);
        assert_null(t.waiting->next);
        assert_false(dies_marked(&t, 1) && t.waiting->next); /* one at a time */
        settles(&t, &blocks, true);
        assert_int_equal(run.known[0].patience, i < 16 ? 0 : i < 24 ? 1 : i < 32 ? 2 : 4);
    }
    assert_string_equal(said, "fuzz: new crash: bug 1\n");
    assert_string_equal(t.buckets.v[0].file, "found-1");
    assert_true(dies_marked(&t, 1));
    settles(&t, &blocks, false);
    assert_string_equal(removed, "found-1 ");
    assert_string_equal(said,
                        "fuzz: new crash: bug 1\nfuzz: an input that fails each time took the "
                        "place of one that did not: bug 1\n");
    assert_int_equal(run.known[0].patience, never);
    assert_false(dies_marked(&t, 1)); /* there is one now */
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks),
                        "    crash 1: bug 1\n"
                        "settled small-1, left 90\n"
                        "\n    Distinct crashes: 1 (67 failing inputs)\n"
                        "            67  testdata/corpus/FuzzX/small-1  bug 1\n");
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* What stays unsure is told last. Where no guard knows the crash, every input is reported, and
 * those are tried whose number is a power of two. */
static void test_unsure_at_the_end(void **state)
{
    struct cfz_values input = CFZ_VALUES_INIT;
    struct failure f = {.worker = &workers[2], .name = "FuzzX", .input = &input};
    struct cfz_buf blocks = CFZ_BUF_INIT;
    unsigned tried = 0;
    struct triage t;
    bool taken;

    (void)state;
    begin(&t, true);
    assert_int_equal(triage_add(&t, &f, &taken, NULL), 0);
    settles(&t, &blocks, true);
    input_fails(&t, 1, false);
    settles(&t, &blocks, false);
    for (unsigned i = 2; i <= 64; i++) {
        assert_int_equal(triage_add(&t, &f, &taken, NULL), 0);
        if (t.waiting == NULL)
            continue;
        settles(&t, &blocks, true);
        tried++;
    }
    assert_int_equal(tried, 6);
    assert_int_equal(triage_add(&t, &f, &taken, NULL), 0);
    t.buckets.v[0].count = 127;
    triage_lose_patience(&t, PATIENCE_CONFIRM); /* no more are tried */
    assert_int_equal(triage_add(&t, &f, &taken, NULL), 0);
    assert_null(t.waiting);
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks),
                        "    crash 1: bug 1\n"
                        "settled small-1, left 90\n"
                        "\n    crash 2: bug 2\n"
                        "flaky found-2\n"
                        "\n    Distinct crashes: 2 (129 failing inputs)\n"
                        "           128  testdata/corpus/FuzzX/found-2  bug 2\n"
                        "             1  testdata/corpus/FuzzX/small-1  bug 1\n");
    assert_string_equal(removed, "found-1 "); /* of the test before */
    cfz_buf_release(&blocks);
    triage_release(&t);
}

static char taken_over[256]; /* the crashes that the owner was given */

static int take_over(void *ctx, struct finding *f, struct cfz_error *err)
{
    (void)ctx;
    (void)err;
    strcat(taken_over, f->signature.where);
    strcat(taken_over, "; ");
    return 0;
}

/* A hang waits behind the others until a fifth of the run is more than two executions of it. */
static void test_hang_waits(void **state)
{
    const uint64_t s = 1000000000;
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct triage t;

    (void)state;
    begin(&t, true);
    opt.hangtimeout_ns = 10 * (int64_t)s;
    assert_false(triage_due(&t, true));
    input_fails(&t, 0, true);
    assert_false(triage_due(&t, true));
    assert_true(triage_due(&t, false)); /* where others are fuzzing, or at the end */
    input_fails(&t, 1, true);
    input_fails(&t, 2, true);
    assert_true(triage_due(&t, true));
    assert_int_equal(t.waiting->signature.class, CRASH_HUNG); /* a question changes nothing */
    assert_true(triage_next(&t, true));
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_true(triage_next(&t, true));
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks), "    crash 1: bug 1\n"
                                              "settled small-1, left 90\n"
                                              "\n    crash 2: bug 2\n"
                                              "settled small-2, left 90\n");
    assert_false(triage_due(&t, true));
    assert_false(triage_next(&t, true));
    t.began -= 99 * s;
    assert_false(triage_due(&t, true));
    t.began -= 101 * s; /* what settling took, a moment, is in it */
    t.settled = 19 * s;
    assert_true(triage_due(&t, true));
    t.settled = 21 * s;
    assert_false(triage_due(&t, true));
    assert_int_equal(t.waiting->signature.class, CRASH_HUNG);
    t.found = take_over; /* nothing is executed for it */
    assert_true(triage_due(&t, true));
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* What a traced execution shows first is not believed, saved or said before it was checked. */
static void test_suspect(void **state)
{
    struct cfz_buf blocks = CFZ_BUF_INIT;
    enum suspicion what;
    struct triage t;

    (void)state;
    begin(&t, false);
    dies_traced(&t, 1);
    assert_true(t.last->suspect);
    assert_string_equal(said, "");
    assert_string_equal(t.last->file, "");
    is_of_trace = true;
    assert_int_equal(t.settled, 0);
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_true(t.settled > 0); /* it is time in which nothing is fuzzed, too */
    assert_int_equal(what, SUSPECT_OF_TRACE);
    assert_null(t.waiting);
    assert_int_equal(t.of_trace, 1);
    assert_int_equal(crash_buckets_total(&t.buckets), 0);

    dies_traced(&t, 1);
    is_of_trace = false;
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_int_equal(what, SUSPECT_NEW);
    assert_false(t.waiting->suspect);
    assert_string_equal(said, "fuzz: found a failing input: bug 1\n");
    dies_traced(&t, 1); /* known: there is nothing to check */
    assert_null(t.last);
    dies_traced(&t, 2);
    input_fails(&t, 2, true); /* meanwhile another worker meets it */
    assert_string_equal(said, "fuzz: found a failing input: bug 1\nfuzz: another crash: bug 2\n");
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_int_equal(what, SUSPECT_KNOWN);
    assert_int_equal(crash_buckets_total(&t.buckets), 4);
    dies_traced(&t, 3); /* the run ends before it can be checked */
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks), "settled small-1, left 90\n"
                                              "\n    crash 2: bug 2\n"
                                              "told found-2 of FuzzX\n"
                                              "\n    crash 3: bug 3\n"
                                              "told found-3 of FuzzX\n");
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* A hang that was met while traced is checked once: the next one is known by either place. */
static void test_suspect_hangs(void **state)
{
    struct cfz_buf blocks = CFZ_BUF_INIT;
    enum suspicion what;
    struct triage t;

    (void)state;
    begin(&t, true);
    is_of_trace = false;
    dies_traced(&t, 0);
    assert_true(t.last->suspect);
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_int_equal(what, SUSPECT_NEW);
    assert_int_equal(t.buckets.v[0].signature.place, 77);
    dies_traced(&t, 0);
    assert_null(t.last);
    assert_int_equal(t.buckets.n, 1);
    assert_int_equal(t.buckets.v[0].count, 2);
    assert_false(t.listed);
    opt.crash_baseline = (struct crash_baseline *)&opt; /* it is not asked about one that was met */
    t.buckets.v[0].listed = true;
    dies_traced(&t, 0);
    assert_true(t.listed);
    opt.crash_baseline = NULL;
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    dies_traced(&t, 1); /* a crash has one place */
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_int_equal(t.buckets.v[1].traced, 0);
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* An owner that keeps and tells crashes itself is given each once; the rest is counting. */
static void test_owner_keeps(void **state)
{
    struct cfz_buf blocks = CFZ_BUF_INIT;
    enum suspicion what;
    struct triage t;

    (void)state;
    begin(&t, true);
    t.found = take_over;
    taken_over[0] = '\0';
    input_fails(&t, 1, true);
    input_fails(&t, 1, true);
    assert_int_equal(triage_settle(&t, &blocks, NULL), 0);
    assert_null(t.waiting);
    dies_traced(&t, 2);
    assert_string_equal(taken_over, "bug 1; ");
    is_of_trace = false;
    assert_int_equal(triage_check(&t, &what, NULL), 0);
    assert_string_equal(taken_over, "bug 1; bug 2; ");
    dies_traced(&t, 3); /* the run ends before it can be checked */
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(taken_over, "bug 1; bug 2; bug 3; ");
    assert_string_equal(said, "");
    assert_int_equal(blocks.len, 0);
    assert_int_equal(crash_buckets_total(&t.buckets), 4);
    triage_release(&t);
}

/* Ctrl-C: what waits is told as it was found, and the dead go before their host does. */
static void test_told(void **state)
{
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct triage t;

    (void)state;
    begin(&t, false);
    input_fails(&t, 1, true);
    input_fails(&t, 2, true);
    triage_free_workers(&t);
    assert_int_equal(frees, 2);
    assert_null(t.waiting->dead);
    assert_int_equal(triage_tell(&t, &blocks, NULL), 0);
    assert_string_equal(cfz_buf_str(&blocks), "told found-1 of FuzzX\n"
                                              "\n    crash 2: bug 2\n"
                                              "told found-2 of FuzzX\n");
    assert_null(t.waiting);
    cfz_buf_release(&blocks);
    triage_release(&t);
}

/* Patience is only lost; a worker that tries what there is no patience for is stopped. */
static void test_patience(void **state)
{
    struct triage t;

    (void)state;
    begin(&t, false);
    t.trial.worker = &workers[1];
    triage_lose_patience(&t, PATIENCE_CONFIRM); /* it confirms: that may go on */
    assert_int_equal(stops, 0);
    triage_lose_patience(&t, PATIENCE_NONE);
    assert_int_equal(stops, 1);
    triage_lose_patience(&t, PATIENCE_CONFIRM);
    assert_int_equal(t.trial.patience, PATIENCE_NONE);
    assert_int_equal(stops, 1);
    t.trial.patience = PATIENCE_FULL;
    t.trial.minimizing = true;
    triage_lose_patience(&t, PATIENCE_CONFIRM);
    assert_int_equal(stops, 2);
    t.trial.worker = NULL;
    triage_lose_patience(&t, PATIENCE_NONE);
    assert_int_equal(stops, 2);
    triage_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_ends),    cmocka_unit_test(test_keep),
        cmocka_unit_test(test_hang_waits),    cmocka_unit_test(test_suspect),
        cmocka_unit_test(test_suspect_hangs), cmocka_unit_test(test_owner_keeps),
        cmocka_unit_test(test_told),          cmocka_unit_test(test_patience),
        cmocka_unit_test(test_unsure),        cmocka_unit_test(test_unsure_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
