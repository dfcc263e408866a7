/*
 * finding_test.c - what becomes of a failing input, and in which order: saved before anything else,
 * confirmed, made smaller, told. Executions, files and reports are scripted; the events are noted.
 *
 * Wraps: trial_run crash_minimize report_line worker_free crash_report_failed crash_report_died
 * Wraps: crash_file_save crash_file_remove crash_file_tell crash_file_print crash_file_exists
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "crash/crash_file.h"
#include "crash/crash_minimize.h"
#include "crash/crash_report.h"
#include "crash/finding.h"

/* ---- what a finding asks -------------------------------------------------------------- */

enum { SAME = 1, OTHER = 2 }; /* places of crashes */

static char events[512];      /* "<what> <input or file>; ..." */
static char said[256];        /* the lines that were printed */
static const char *runs;      /* of each execution: see __wrap_trial_run */
static const char *unwritten; /* the input that cannot be written, or NULL */
static enum cfz_code refusal; /* ... since */
static bool gone;             /* the file was removed when it is to be told of */
static const char *there;     /* the input whose file is there already, or NULL */
static unsigned executed;     /* runs */
static unsigned frees;        /* calls of worker_free with a worker */
static enum crash_class kind; /* of the crash that the input shows */

static struct {
    const char *best;    /* what it comes to; NULL: nothing smaller was accepted */
    unsigned tries;      /* how many executions it took */
    bool fails;          /* ... and then nothing can be executed any more */
    enum patience after; /* what is left of it then */
} minimizing;

static struct worker dead, alive;      /* found the input, one or the other */
static struct worker confirms, proves; /* execute it again: the first time, and later */

int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err);
int __wrap_crash_minimize(struct trial *t, struct crash_minimizing *m, struct cfz_values *vs,
                          struct cfz_error *err);
int __wrap_crash_file_save(const struct origin *o, const char *test, const struct cfz_values *input,
                           char name[17], bool *made, struct cfz_error *err);
void __wrap_crash_file_remove(const struct origin *o, const char *test, const char name[17]);
bool __wrap_crash_file_exists(const struct origin *o, const char *test, const char name[17]);
int __wrap_crash_file_tell(const struct origin *o, const char *test, const char *name,
                           struct cfz_buf *out, struct cfz_error *err);
int __wrap_crash_file_print(const char *test, const struct cfz_values *input, const char *why,
                            struct cfz_buf *out, struct cfz_error *err);
int __wrap_crash_report_failed(const struct worker *w, const char *name, uint64_t ns,
                               const struct cfz_values *input, struct cfz_buf *out,
                               struct cfz_error *err);
int __wrap_crash_report_died(const struct worker *w, const struct ending *e, unsigned depth,
                             const struct cfz_values *input, struct cfz_buf *out,
                             struct cfz_error *err);
void __wrap_worker_free(struct worker *w);
void __wrap_report_line(const char *fmt, ...);

static const char *text_of(const struct cfz_values *vs)
{
    return vs != NULL && vs->n > 0 ? (const char *)vs->v[0].data : "nothing";
}

static void note(const char *what, const char *whose)
{
    size_t len = strlen(events);

    snprintf(events + len, sizeof events - len, "%s %s; ", what, whose);
}

/* s dies of the crash, o of another one; h hangs; f fails and lives; p passes; v is not executed to
 * its end; e nothing can be executed any more. */
int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err)
{
    char how = *runs;

    (void)hang_ns;
    assert_true(fresh);
    assert_int_not_equal(how, '\0');
    runs++;
    note(t->traced ? "traced" : "run", text_of(vs));
    t->worker = executed++ == 0 ? &confirms : &proves;
    t->worker->hung = how == 'h';
    if (how == 'e')
        return cfz_fail(err, CFZ_EINTERNAL, "no more");
    *out = (struct trial_outcome){
        .verdict = how == 'v'
                       ? TRIAL_VOID
                       : (how == 'p' ? TRIAL_PASSED : (how == 'f' ? TRIAL_FAILED : TRIAL_DIED)),
        .signature = {.class = how == 'h' ? CRASH_HUNG : kind, .place = how == 'o' ? OTHER : SAME}};
    return 0;
}

static void set_text(struct cfz_values *vs, const char *text)
{
    cfz_values_release(vs);
    assert_int_equal(
        cfz_value_set_bytes(cfz_values_push(vs, CFZ_KIND_BYTES), text, strlen(text) + 1, NULL), 0);
}

int __wrap_crash_minimize(struct trial *t, struct crash_minimizing *m, struct cfz_values *vs,
                          struct cfz_error *err)
{
    note("minimize", text_of(vs));
    if (minimizing.best != NULL)
        set_text(vs, minimizing.best);
    m->accepted = minimizing.best != NULL;
    m->tries = minimizing.tries;
    t->patience = minimizing.after;
    return minimizing.fails ? cfz_fail(err, CFZ_EINTERNAL, "no more") : 0;
}

int __wrap_crash_file_save(const struct origin *o, const char *test, const struct cfz_values *input,
                           char name[17], bool *made, struct cfz_error *err)
{
    (void)o;
    assert_string_equal(test, "FuzzX");
    note("save", text_of(input));
    if (unwritten != NULL && strcmp(unwritten, text_of(input)) == 0)
        return cfz_fail(err, refusal, "write %s: no room", text_of(input));
    snprintf(name, 17, "%s.file", text_of(input));
    *made = there == NULL || strcmp(there, text_of(input)) != 0;
    return 0;
}

void __wrap_crash_file_remove(const struct origin *o, const char *test, const char name[17])
{
    (void)o;
    (void)test;
    note("remove", name);
}

bool __wrap_crash_file_exists(const struct origin *o, const char *test, const char name[17])
{
    (void)o;
    (void)test;
    assert_string_not_equal(name, "");
    return !gone;
}

int __wrap_crash_file_tell(const struct origin *o, const char *test, const char *name,
                           struct cfz_buf *out, struct cfz_error *err)
{
    (void)o;
    (void)test;
    (void)out;
    (void)err;
    note("tell", name);
    return 0;
}

int __wrap_crash_file_print(const char *test, const struct cfz_values *input, const char *why,
                            struct cfz_buf *out, struct cfz_error *err)
{
    (void)test;
    note("print", text_of(input));
    return cfz_buf_printf(out, err, "%s\n", why);
}

static void note_report(const struct worker *w, const char *how, const struct cfz_values *input)
{
    char what[32];

    assert_true(w == &confirms || w == &proves || w == &dead || w == &alive);
    snprintf(what, sizeof what, "%s %s",
             w == &confirms ? "again" : (w == &proves ? "anew" : "found"), how);
    note(what, text_of(input));
}

int __wrap_crash_report_failed(const struct worker *w, const char *name, uint64_t ns,
                               const struct cfz_values *input, struct cfz_buf *out,
                               struct cfz_error *err)
{
    (void)ns;
    assert_string_equal(name, "FuzzX");
    note_report(w, "failed", input);
    return cfz_buf_puts(out, "failed\n", err);
}

int __wrap_crash_report_died(const struct worker *w, const struct ending *e, unsigned depth,
                             const struct cfz_values *input, struct cfz_buf *out,
                             struct cfz_error *err)
{
    (void)e;
    assert_int_equal(depth, 1);
    note_report(w, "died", input);
    return cfz_buf_puts(out, "died\n", err);
}

void __wrap_worker_free(struct worker *w)
{
    frees += w != NULL;
}

void __wrap_report_line(const char *fmt, ...)
{
    size_t len = strlen(said);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(said + len, sizeof said - len, fmt, ap);
    va_end(ap);
    strcat(said, "\n");
}

/* ---- a run ---------------------------------------------------------------------------- */

static char test_name[] = "FuzzX";
static const struct options opt = {.hangtimeout_ns = INT64_C(10000000000)};
static struct origin origin = {.opt = &opt};
static struct origin_test test = {.name = test_name};
static struct host host = {.origin = &origin, .test = &test};
static const struct ending ending = {.kind = ENDING_CRASH};
static const struct crash_signature signature = {.class = CRASH_SIGNAL, .place = SAME};

static int begin(void **state)
{
    (void)state;
    events[0] = said[0] = '\0';
    runs = "";
    unwritten = there = NULL;
    refusal = CFZ_EIO;
    frees = executed = 0;
    kind = CRASH_SIGNAL;
    memset(&minimizing, 0, sizeof minimizing);
    dead = alive = confirms = proves = (struct worker){.host = &host};
    return 0;
}

/* A worker found the input text, which is NULL if the target wrote over it. */
static int find(const char *text, bool died, struct finding **f, struct cfz_error *err)
{
    struct cfz_values input = CFZ_VALUES_INIT;
    const struct failure from = {.worker = died ? &dead : &alive,
                                 .ending = died ? &ending : NULL,
                                 .name = "FuzzX",
                                 .input = text != NULL ? &input : NULL,
                                 .lost = "a length is wrong"};
    struct crash_signature sig = signature;
    int ret;

    sig.class = kind;
    if (text != NULL)
        set_text(&input, text);
    ret = finding_new(&from, &sig, f, err);
    if (ret == 0)
        ret = finding_save(*f, host.origin, host.test->name, err);
    cfz_values_release(&input); /* nothing, if it was moved */
    return ret;
}

/* ---- a suspect ------------------------------------------------------------------------ */

static void test_suspect(void **state)
{
    static const struct {
        const char *runs, *want;
        bool of_trace;
    } cases[] = {
        {"s", "run a; ", false}, /* it fails without being traced */
        {"pps.", "run a; run a; run a; run a; ", false},
        {"pppps", "run a; run a; run a; run a; traced a; ", true},
        {"pppph", "run a; run a; run a; run a; traced a; ", true},
        {"ppppp", "run a; run a; run a; run a; traced a; ", false}, /* flaky */
        {"ppppv", "run a; run a; run a; run a; traced a; ", false}, /* nobody knows */
        {"v", "run a; ", false},
    };
    struct trial t = {.host = &host};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct finding f = {.signature = signature, .suspect = true, .have = true};
        bool of_trace = !cases[i].of_trace;

        events[0] = '\0';
        runs = cases[i].runs;
        set_text(&f.input, "a");
        assert_int_equal(finding_check(&f, &t, &of_trace, NULL), 0);
        assert_string_equal(events, cases[i].want);
        assert_true(of_trace == cases[i].of_trace);
        assert_true(f.suspect == of_trace);
        assert_false(t.traced);
        cfz_values_release(&f.input);
    }
}

/* A hang is told by where its loop begins, and that is another line where it is traced. */
static void test_suspect_hangs(void **state)
{
    struct finding f = {
        .signature = {.class = CRASH_HUNG, .place = OTHER}, .suspect = true, .have = true};
    struct trial t = {.host = &host};
    bool of_trace = true;

    (void)state;
    runs = "h";
    set_text(&f.input, "a");
    assert_int_equal(finding_check(&f, &t, &of_trace, NULL), 0);
    assert_false(of_trace);
    assert_int_equal(f.signature.place, SAME);
    runs = "pphp"; /* once in four: it is flaky, and told as it was found */
    f.signature.place = OTHER;
    assert_int_equal(finding_check(&f, &t, &of_trace, NULL), 0);
    assert_int_equal(f.signature.place, OTHER);
    cfz_values_release(&f.input);
}

/* What is at another place each time that it is not traced is the crash that is there. */
static void test_suspect_elsewhere(void **state)
{
    struct finding f = {.signature = signature, .suspect = true, .have = true};
    struct trial t = {.host = &host};
    bool of_trace = true;

    (void)state;
    f.signature.place = SAME;
    runs = "opoo"; /* flaky, and told as it was found */
    set_text(&f.input, "a");
    assert_int_equal(finding_check(&f, &t, &of_trace, NULL), 0);
    assert_false(of_trace);
    assert_int_equal(f.signature.place, SAME);
    runs = "oooo";
    assert_int_equal(finding_check(&f, &t, &of_trace, NULL), 0);
    assert_false(of_trace);
    assert_int_equal(f.signature.place, OTHER);
    cfz_values_release(&f.input);
}

/* ---- taking it ------------------------------------------------------------------------ */

static void test_new(void **state)
{
    static const struct {
        const char *input;
        bool died;
        const char *unwritten, *there;
        const char *events, *file, *lines;
        bool made;
    } cases[] = {
        {"long", true, NULL, NULL, "save long; ", "long.file", "", true},
        {"long", true, NULL, "long", "save long; ", "long.file", "", false},
        {"long", true, "long", NULL, "save long; ", "", "", false},
        /* What a worker that lives shows is noted at once: it goes on with other inputs. */
        {"long", false, NULL, NULL, "found failed long; save long; ", "long.file", "failed\n",
         true},
        {NULL, true, NULL, NULL, "", "",
         "    The failing input is lost, the target wrote over it: a length is wrong\n", false},
        {NULL, false, NULL, NULL, "found failed nothing; ", "",
         "    The failing input is lost, the target wrote over it: a length is wrong\nfailed\n",
         false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct finding *f;

        begin(state);
        unwritten = cases[i].unwritten;
        there = cases[i].there;
        assert_int_equal(find(cases[i].input, cases[i].died, &f, NULL), 0);
        assert_string_equal(events, cases[i].events);
        assert_string_equal(f->file, cases[i].file);
        assert_string_equal(cfz_buf_str(&f->lines), cases[i].lines);
        assert_int_equal(f->have, cases[i].input != NULL);
        assert_int_equal(f->made, cases[i].made);
        assert_int_equal(f->io.code, cases[i].unwritten != NULL ? CFZ_EIO : CFZ_OK);
        assert_ptr_equal(f->dead, cases[i].died ? &dead : NULL);
        finding_free(f);
        assert_int_equal(frees, cases[i].died); /* one that lives stays the caller's */
    }
}

static void test_save_without_memory(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct finding *f = NULL;

    (void)state;
    unwritten = "long";
    refusal = CFZ_ENOMEM;
    assert_int_equal(find("long", true, &f, &err), -1);
    assert_int_equal(err.code, CFZ_ENOMEM);
    finding_free(f);
}

/* ---- settling it ---------------------------------------------------------------------- */

#define FLAKY "    flaky: it did not fail again, 4 times in fresh processes\n"
#define PASS_AGAIN                                                                                 \
    "    To run it again may pass: what earlier inputs left (static variables, files, threads), "  \
    "or time, may matter.\n"
#define CUT_SHORT                                                                                  \
    "    Minimizing was cut short: a smaller input, which failed in the same way, is in "          \
    "testdata/corpus/FuzzX/small.file\n"

static const struct settling {
    const char *name;
    const char *runs;
    const char *best; /* of minimizing, which takes 5 tries */
    enum patience before, after;
    enum crash_class class;
    bool fails;
    const char *unwritten, *there;
    const char *events, *blocks, *file, *smaller;
    int ret;
} settlings[] = {
    {.name = "the smaller one takes its place",
     .runs = "ss",
     .best = "small",
     .events = "run long; minimize long; run small; save small; remove long.file; "
               "anew died small; tell small.file; ",
     .file = "small.file"},
    {.name = "a file that was there before stays",
     .runs = "ss",
     .best = "small",
     .there = "long",
     .events = "run long; minimize long; run small; save small; anew died small; "
               "tell small.file; ",
     .file = "small.file"},
    {.name = "nothing smaller: the process that died of it is still there to tell",
     .runs = "s",
     .events = "run long; minimize long; again died long; tell long.file; ",
     .file = "long.file"},
    {.name = "it fails and lives: executed once more, so that the report is its own",
     .runs = "ff",
     .events = "run long; minimize long; run long; anew failed long; tell long.file; ",
     .blocks = "failed\n",
     .file = "long.file"},
    {.name = "another crash in a fresh process: nothing is made smaller by that",
     .runs = "oooo",
     .best = "small",
     .events = "run long; run long; run long; run long; found died long; tell long.file; ",
     .blocks = "died\n    flaky: in a fresh process it fails in another way: \n" PASS_AGAIN,
     .file = "long.file"},
    {.name = "the smaller one shows another crash in a fresh process",
     .runs = "so",
     .best = "small",
     .events = "run long; minimize long; run small; again died long; tell long.file; ",
     .file = "long.file"},
    {.name = "... or passes",
     .runs = "sp",
     .best = "small",
     .events = "run long; minimize long; run small; again died long; tell long.file; ",
     .file = "long.file"},
    {.name = "... or cannot be executed: both stay",
     .runs = "sv",
     .best = "small",
     .events = "run long; minimize long; run small; save small; found died long; tell long.file; ",
     .blocks = "died\n" CUT_SHORT,
     .file = "long.file",
     .smaller = "small.file"},
    {.name = "nothing can be executed any more, at its turn",
     .runs = "se",
     .best = "small",
     .events = "run long; minimize long; run small; save small; found died long; tell long.file; ",
     .blocks = "died\n" CUT_SHORT,
     .file = "long.file",
     .smaller = "small.file",
     .ret = -1},
    {.name = "... or while it is minimized",
     .runs = "s",
     .best = "small",
     .fails = true,
     .events = "run long; minimize long; save small; found died long; tell long.file; ",
     .blocks = "died\n" CUT_SHORT,
     .file = "long.file",
     .smaller = "small.file",
     .ret = -1},
    {.name = "... before anything smaller was accepted",
     .runs = "s",
     .fails = true,
     .events = "run long; minimize long; found died long; tell long.file; ",
     .file = "long.file",
     .ret = -1},
    {.name = "... or before it is confirmed",
     .runs = "e",
     .events = "run long; found died long; tell long.file; ",
     .file = "long.file",
     .ret = -1},
    {.name = "flaky: stays as it was found",
     .runs = "pppp",
     .events = "run long; run long; run long; run long; found died long; tell long.file; ",
     .blocks = "died\n" FLAKY PASS_AGAIN,
     .file = "long.file"},
    {.name = "no patience",
     .before = PATIENCE_NONE,
     .events = "found died long; tell long.file; ",
     .file = "long.file"},
    {.name = "the time is up: confirmed alone",
     .runs = "s",
     .before = PATIENCE_CONFIRM,
     .events = "run long; again died long; tell long.file; ",
     .file = "long.file"},
    {.name = "a smaller hang that hangs",
     .runs = "hh",
     .best = "small",
     .class = CRASH_HUNG,
     .events = "run long; minimize long; run small; save small; remove long.file; "
               "anew died small; tell small.file; ",
     .file = "small.file"},
    {.name = "no time to see that a smaller hang hangs: dropped",
     .runs = "hh",
     .best = "small",
     .class = CRASH_HUNG,
     .after = PATIENCE_CONFIRM,
     .events = "run long; minimize long; run small; found died long; tell long.file; ",
     .file = "long.file"},
    {.name = "... and if nothing can be executed any more",
     .runs = "h",
     .best = "small",
     .class = CRASH_HUNG,
     .fails = true,
     .events = "run long; minimize long; found died long; tell long.file; ",
     .file = "long.file",
     .ret = -1},
    {.name = "no time to see the hang itself again: told as it was found",
     .runs = "h",
     .class = CRASH_HUNG,
     .after = PATIENCE_CONFIRM,
     .events = "run long; minimize long; found died long; tell long.file; ",
     .file = "long.file"},
    {.name = "no time to see whether a smaller crash hangs now: both stay",
     .runs = "sh",
     .best = "small",
     .after = PATIENCE_CONFIRM,
     .events = "run long; minimize long; run small; save small; found died long; tell long.file; ",
     .blocks = "died\n" CUT_SHORT,
     .file = "long.file",
     .smaller = "small.file"},
    {.name = "the time is up while it is minimized, and the smaller one crashes",
     .runs = "ss",
     .best = "small",
     .after = PATIENCE_CONFIRM,
     .events = "run long; minimize long; run small; save small; remove long.file; "
               "anew died small; tell small.file; ",
     .file = "small.file"},
    {.name = "the smaller one cannot be written: the first file stays",
     .runs = "ss",
     .best = "small",
     .unwritten = "small",
     .events = "run long; minimize long; run small; save small; anew died long; tell long.file; ",
     .file = "long.file"},
    {.name = "the first one could not be written, the smaller one can",
     .runs = "ss",
     .best = "small",
     .unwritten = "long",
     .events = "run long; minimize long; run small; save small; anew died small; "
               "tell small.file; ",
     .file = "small.file"},
    {.name = "it cannot be written: printed",
     .runs = "s",
     .before = PATIENCE_CONFIRM,
     .unwritten = "long",
     .events = "run long; again died long; print long; ",
     .blocks = "died\nwrite long: no room\n",
     .file = ""},
};

static void test_settle(void **state)
{
    for (size_t i = 0; i < sizeof settlings / sizeof settlings[0]; i++) {
        const struct settling *s = &settlings[i];
        struct trial t = {.host = &host, .patience = s->before};
        struct fuzz_limit left = {.kind = LIMIT_COUNT, .count = 100};
        struct cfz_buf blocks = CFZ_BUF_INIT;
        struct finding *f;

        begin(state);
        unwritten = s->unwritten;
        there = s->there;
        kind = s->class == CRASH_HUNG ? CRASH_HUNG : CRASH_SIGNAL;
        assert_int_equal(find("long", true, &f, NULL), 0);
        events[0] = '\0';
        runs = s->runs != NULL ? s->runs : "";
        minimizing.best = s->best;
        minimizing.tries = 5;
        minimizing.fails = s->fails;
        minimizing.after = s->after;
        if (finding_settle(f, &t, &left, &blocks, NULL) != s->ret ||
            strcmp(events, s->events) != 0 || *runs != '\0')
            print_error("%s\n", s->name);
        assert_string_equal(events, s->events);
        assert_string_equal(runs, "");
        assert_string_equal(cfz_buf_str(&blocks), s->blocks != NULL ? s->blocks : "died\n");
        assert_string_equal(f->file, s->file);
        assert_string_equal(f->smaller, s->smaller != NULL ? s->smaller : "");
        assert_int_equal(left.count, strstr(events, "minimize") != NULL ? 95 : 100);
        finding_free(f);
        cfz_buf_release(&blocks);
    }
}

static void test_lost(void **state)
{
    struct trial t = {.host = &host};
    struct fuzz_limit left = {.kind = LIMIT_COUNT, .count = 100};
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct finding *f;

    (void)state;
    assert_int_equal(find(NULL, true, &f, NULL), 0);
    assert_int_equal(finding_settle(f, &t, &left, &blocks, NULL), 0);
    assert_string_equal(events, "found died nothing; ");
    assert_string_equal(
        cfz_buf_str(&blocks),
        "    The failing input is lost, the target wrote over it: a length is wrong\ndied\n");
    finding_free(f);
    cfz_buf_release(&blocks);
}

/* What is executed may remove the file that was saved before. */
static void test_gone(void **state)
{
    struct trial t = {.host = &host, .patience = PATIENCE_CONFIRM};
    struct fuzz_limit left = {.kind = LIMIT_COUNT, .count = 100};

    for (int i = 0; i < 2; i++) {
        struct cfz_buf blocks = CFZ_BUF_INIT;
        struct finding *f;

        begin(state);
        assert_int_equal(find("long", true, &f, NULL), 0);
        events[0] = '\0';
        runs = "s";
        gone = true;
        unwritten = i == 1 ? "long" : NULL;
        assert_int_equal(finding_settle(f, &t, &left, &blocks, NULL), 0);
        assert_string_equal(events, i == 1 ? "run long; again died long; save long; print long; "
                                           : "run long; again died long; save long; tell "
                                             "long.file; ");
        gone = false;
        finding_free(f);
        cfz_buf_release(&blocks);
    }
}

/* What minimizing may take is for several findings, and nothing is tried when it is used up. */
static void test_limit(void **state)
{
    struct trial t = {.host = &host};
    struct fuzz_limit left = {.kind = LIMIT_COUNT, .count = 7};
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct finding *f;

    (void)state;
    assert_int_equal(find("long", true, &f, NULL), 0);
    events[0] = '\0';
    minimizing.tries = 5;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(left.count, i == 0 ? 7 : 2);
        runs = "ss";
        assert_int_equal(finding_settle(f, &t, &left, &blocks, NULL), 0);
    }
    assert_int_equal(left.kind, LIMIT_NONE);
    events[0] = '\0';
    executed = 0;
    runs = "s";
    assert_int_equal(finding_settle(f, &t, &left, &blocks, NULL), 0);
    assert_string_equal(events, "run long; again died long; tell long.file; ");
    finding_free(f);
    cfz_buf_release(&blocks);
}

/* Settles a finding of text, of which minimizing made best in so many tries, and looks at the lines
 * that were printed. */
static void settle_says(const char *text, const char *outcomes, const char *best, unsigned tries,
                        const char *lines)
{
    struct trial t = {.host = &host};
    struct fuzz_limit left = {.kind = LIMIT_COUNT, .count = 100};
    struct cfz_buf blocks = CFZ_BUF_INIT;
    struct finding *f;

    said[0] = '\0';
    assert_int_equal(find(text, true, &f, NULL), 0);
    runs = outcomes;
    minimizing.best = best;
    minimizing.tries = tries;
    assert_int_equal(finding_settle(f, &t, &left, &blocks, NULL), 0);
    assert_string_equal(said, lines);
    finding_free(f);
    cfz_buf_release(&blocks);
}

static void test_lines(void **state)
{
    (void)state;
    /* "go test fuzz v1\n[]byte(\"long\x00\")\n", and with "a" */
    settle_says("long", "ss", "a", 1,
                "fuzz: minimizing 35-byte failing input file\n"
                "fuzz: minimized failing input file from 35 to 32 bytes in 1 try\n");
    /* As long as it was, with other values. */
    settle_says("2", "ss", "a", 1,
                "fuzz: minimizing 32-byte failing input file\n"
                "fuzz: simplified failing input file of 32 bytes in 1 try\n");
    settle_says("2", "ss", "ab", 1,
                "fuzz: minimizing 32-byte failing input file\n"
                "fuzz: simplified failing input file of 33 bytes in 1 try\n");
    /* As it was; and what was made of it passes in a fresh process. */
    settle_says("2", "ss", NULL, 2,
                "fuzz: minimizing 32-byte failing input file\n"
                "fuzz: failing input file stays at 32 bytes after 2 tries\n");
    settle_says("2", "sps", "a", 3,
                "fuzz: minimizing 32-byte failing input file\n"
                "fuzz: failing input file stays at 32 bytes after 3 tries\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_suspect, begin),
        cmocka_unit_test_setup(test_suspect_hangs, begin),
        cmocka_unit_test_setup(test_suspect_elsewhere, begin),
        cmocka_unit_test_setup(test_new, begin),
        cmocka_unit_test_setup(test_save_without_memory, begin),
        cmocka_unit_test_setup(test_settle, begin),
        cmocka_unit_test_setup(test_lost, begin),
        cmocka_unit_test_setup(test_gone, begin),
        cmocka_unit_test_setup(test_limit, begin),
        cmocka_unit_test_setup(test_lines, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
