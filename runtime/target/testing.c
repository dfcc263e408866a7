/*
 * testing.c - the functions of cfuzz.h.
 *
 * Context: target, on the thread that entered the user's function; what logs and marks, on any
 * thread. Text goes to the log in shared memory, where the driver can read it after a crash, too.
 * Only two functions here allocate: cfuzz_setenv, whose libc counterpart does so itself, and
 * cfuzz_add_args, which runs in setup parts only.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include "target/executor.h"
#include "target/sanitizer.h"
#include "target/seed.h"
#include "target/temp_dirs.h"

/* ---- the log -------------------------------------------------------------------- */

/* Held while an item is formatted and added: threads of the tested code may log too. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

/* Notes what this run did, on any thread. Returns what it had done before. */
static uint32_t mark(struct cfz_scope *s, uint32_t dirt)
{
    return __atomic_fetch_or(&s->dirty, dirt, __ATOMIC_RELAXED);
}

static const char cut_note[] = "    ... (more text than cfuzz keeps was cut)\n";

/* Where an item of text goes: the log less room for cut_note. */
struct sink {
    struct cfz_proc_shm *shm;
    uint32_t at;
    bool cut;
};

static void sink_open(struct sink *k)
{
    k->shm = cfz_executor.shm;
    k->at = atomic_load_explicit(&k->shm->log_len, memory_order_relaxed);
    k->cut = k->at > CFZ_LOG_MAX - sizeof cut_note; /* an earlier item was cut */
}

static void sink_put(struct sink *k, const char *text, size_t len)
{
    size_t room = CFZ_LOG_MAX - sizeof cut_note;

    if (k->cut)
        return;
    if (len > room - k->at) {
        len = room - k->at;
        k->cut = true;
    }
    memcpy(k->shm->log + k->at, text, len);
    k->at += (uint32_t)len;
    if (k->cut) {
        if (k->at > 0 && k->shm->log[k->at - 1] != '\n')
            k->shm->log[k->at++] = '\n';
        memcpy(k->shm->log + k->at, cut_note, sizeof cut_note - 1);
        k->at += (uint32_t)sizeof cut_note - 1;
    }
}

static void sink_close(struct sink *k)
{
    atomic_store_explicit(&k->shm->log_len, k->at, memory_order_release);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash ? slash + 1 : file;
}

/* Adds one item: "file:line: text", every further line of it indented by 4. file may be NULL. The
 * caller holds log_lock. */
static void add_item(struct cfz_scope *s, const char *file, int line, const char *text)
{
    struct sink k;
    char place[NAME_MAX + 16];
    size_t len = strlen(text);
    uint32_t begin;

    sink_open(&k);
    begin = k.at;
    if (file) {
        snprintf(place, sizeof place, "%.*s:%d: ", NAME_MAX, base_name(file), line);
        sink_put(&k, place, strlen(place));
    }
    while (len > 0 && text[len - 1] == '\n')
        len--;
    for (size_t i = 0; i <= len;) {
        const char *nl = memchr(text + i, '\n', len - i);
        size_t n = nl ? (size_t)(nl - (text + i)) : len - i;

        if (i > 0)
            sink_put(&k, "    ", 4);
        sink_put(&k, text + i, n);
        sink_put(&k, "\n", 1);
        i += n + 1;
    }
    sink_close(&k);
    if (cfz_executor.on_log)
        cfz_executor.on_log(k.shm->log + begin, k.at - begin);
    mark(s, CFZ_DIRTY_LOGGED);
}

/* Formats an item and adds it. It is formatted into text first, to see its line ends. */
static void log_format(struct cfz_scope *s, const char *file, int line, const char *fmt, va_list ap)
{
    static char text[CFZ_LOG_MAX]; /* under log_lock */

    pthread_mutex_lock(&log_lock);
    vsnprintf(text, sizeof text, fmt, ap);
    add_item(s, file, line, text);
    pthread_mutex_unlock(&log_lock);
}

static void log_item(struct cfz_scope *s, const char *file, int line, const char *text)
{
    pthread_mutex_lock(&log_lock);
    add_item(s, file, line, text);
    pthread_mutex_unlock(&log_lock);
}

/* ---- misuse ------------------------------------------------------------------------ */

/* Ends the process at a call that cannot be answered, since there is no test to fail and nowhere to
 * return to. */
static void __attribute__((noreturn, format(printf, 1, 2))) give_up(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text - 1, fmt, ap);
    va_end(ap);
    strcat(text, "\n");
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        /* abort says the same */
    }
    abort(); /* the user's code is at fault: this is to be a crash of the test */
}

static bool same_thread(void)
{
    return cfz_executor.thread == (uint64_t)pthread_self();
}

/* Ends the process at a call for a run that is over, whose effect nobody would see. text is what
 * the call wanted to say, or "". */
static void __attribute__((noreturn)) too_late(const char *what, const char *text)
{
    bool later = cfz_executor.t.scope.active; /* then shm->name is that of another run */

    give_up("testing: %s was called after %s%s has completed%s%s", what,
            later ? "an earlier run of " : "",
            later ? cfz_executor.test->desc->name : cfz_executor.shm->name,
            text[0] != '\0' ? ": " : "", text);
}

/* Leaves the user's function. */
static void __attribute__((noreturn)) leave(struct cfz_scope *s, const char *what)
{
    if (!s->active)
        too_late(what, "");
    if (!same_thread())
        give_up("testing: %s was called on another thread than that of %s", what,
                cfz_executor.shm->name);
    /* In a handler of the program's its signal is blocked, and would stay so. */
    if (cfz_executor.has_handlers)
        sigprocmask(SIG_SETMASK, &cfz_executor.mask, NULL);
    longjmp(s->env, 1);
}

/* The execution of t, which must not be over. */
static struct cfz_scope *scope_of(const cfuzz_t *t, const char *what)
{
    struct cfz_scope *s = cfz_executor_scope(&cfz_executor, t);

    if (s == NULL)
        too_late(what, "");
    return s;
}

static bool in_target(void)
{
    return cfz_executor.t.scope.active;
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *uc, void *arg)
{
    struct cfz_proc_shm *shm = arg;
    uint64_t ip = _Unwind_GetIP(uc) - 1; /* in the call, not behind it */

    if (ip == UINT64_MAX || shm->nfail_frames >= CFZ_FAIL_FRAMES)
        return _URC_END_OF_STACK;
    shm->fail_frames[shm->nfail_frames++] = ip;
    return _URC_NO_REASON;
}

/* Marks the run failed. The first time, notes who called, and where the log ends: the text before
 * that is the failure's. Of threads that fail together one does. */
static void mark_failed(struct cfz_scope *s)
{
    if (!(mark(s, CFZ_DIRTY_FAILED) & CFZ_DIRTY_FAILED)) {
        struct cfz_proc_shm *shm = cfz_executor.shm;

        shm->nfail_frames = 0;
        _Unwind_Backtrace(on_frame, shm);
        atomic_store_explicit(&shm->fail_log_len,
                              atomic_load_explicit(&shm->log_len, memory_order_relaxed),
                              memory_order_relaxed);
    }
}

/* Called by functions for the setup part. If the test function runs, fails the test and leaves it,
 * with Go's text in our names. */
static void check_setup(const struct cfz_scope *s, const char *what, const char *file, int line)
{
    char text[160];

    if (!in_target()) {
        snprintf(text, sizeof text, "cfuzz_f_%s", what);
        if (!s->active)
            too_late(text, "");
        return;
    }
    snprintf(text, sizeof text,
             "testing: cfuzz_f_%s was called inside the fuzz target, use cfuzz_%s instead", what,
             what);
    log_item(&cfz_executor.t.scope, file, line, text);
    mark_failed(&cfz_executor.t.scope);
    leave(&cfz_executor.t.scope, what);
}

/* ---- cfuzz_t ----------------------------------------------------------------------- */

/* Logs for t. If that run is over, the text becomes part of the message that says so. */
static struct cfz_scope *say(const cfuzz_t *t, const char *what, const char *file, int line,
                             const char *fmt, va_list ap)
{
    struct cfz_scope *s = cfz_executor_scope(&cfz_executor, t);

    if (s == NULL) {
        char text[192];
        int n = snprintf(text, sizeof text, "%.64s:%d: ", base_name(file), line);

        vsnprintf(text + n, sizeof text - (size_t)n, fmt, ap);
        too_late(what, text);
    }
    log_format(s, file, line, fmt, ap);
    return s;
}

#define SAY(s, t, what)                                                                            \
    do {                                                                                           \
        va_list ap;                                                                                \
        va_start(ap, fmt);                                                                         \
        (s) = say((t), (what), file, line, fmt, ap);                                               \
        va_end(ap);                                                                                \
    } while (0)

void cfuzz_log_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
{
    struct cfz_scope *s;

    SAY(s, t, "cfuzz_log");
    (void)s;
}

void cfuzz_error_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
{
    struct cfz_scope *s;

    SAY(s, t, "cfuzz_error");
    mark_failed(s);
}

void cfuzz_fatal_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
{
    struct cfz_scope *s;

    SAY(s, t, "cfuzz_fatal");
    mark_failed(s);
    leave(s, "cfuzz_fatal");
}

void cfuzz_skip_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
{
    struct cfz_scope *s;

    SAY(s, t, "cfuzz_skip");
    mark(s, CFZ_DIRTY_SKIPPED);
    leave(s, "cfuzz_skip");
}

void cfuzz_fail(cfuzz_t *t)
{
    mark_failed(scope_of(t, "cfuzz_fail"));
}

void cfuzz_fail_now(cfuzz_t *t)
{
    struct cfz_scope *s = scope_of(t, "cfuzz_fail_now");

    mark_failed(s);
    leave(s, "cfuzz_fail_now");
}

void cfuzz_skip_now(cfuzz_t *t)
{
    struct cfz_scope *s = scope_of(t, "cfuzz_skip_now");

    mark(s, CFZ_DIRTY_SKIPPED);
    leave(s, "cfuzz_skip_now");
}

/* What cfuzz_failed and cfuzz_skipped answer. A thread that outlives its execution gets false. */
static bool marked(const cfuzz_t *t, uint32_t dirt)
{
    const struct cfz_scope *s = cfz_executor_scope(&cfz_executor, t);

    return s != NULL && (__atomic_load_n(&s->dirty, __ATOMIC_RELAXED) & dirt) != 0;
}

bool cfuzz_failed(const cfuzz_t *t)
{
    return marked(t, CFZ_DIRTY_FAILED);
}

bool cfuzz_skipped(const cfuzz_t *t)
{
    return marked(t, CFZ_DIRTY_SKIPPED);
}

const char *cfuzz_name(const cfuzz_t *t)
{
    (void)t;
    return cfz_executor.shm->name;
}

/* Fails a run, of the setup part or of the test function, and leaves it. */
static void __attribute__((noreturn, format(printf, 2, 3)))
fail_scope(struct cfz_scope *s, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    log_format(s, NULL, 0, fmt, ap);
    va_end(ap);
    mark_failed(s);
    leave(s, "fail");
}

static void add_cleanup(struct cfz_scope *s, void (*fn)(void *arg), void *arg)
{
    if (s->ncleanup == CFZ_CLEANUPS_MAX || !cfz_scope_undo_push(s, fn, arg))
        fail_scope(s, "cleanup: more than %d in one run", CFZ_CLEANUPS_MAX);
    s->ncleanup++;
}

void cfuzz_cleanup(cfuzz_t *t, void (*fn)(void *arg), void *arg)
{
    add_cleanup(scope_of(t, "cfuzz_cleanup"), fn, arg);
}

/* Makes the directory that holds those of this run. */
static void make_temp_root(struct cfz_scope *s)
{
    char path[sizeof s->temp_root - sizeof "-XXXXXX"];
    bool made;

    cfz_temp_dirs_init(getpid());
    if (!cfz_temp_dirs_path(cfz_executor.shm->pid, s == &cfz_executor.f.scope, path, sizeof path))
        fail_scope(s, "temp_dir: the name of %s is too long", getenv("TMPDIR"));
    strcpy(s->temp_root, path);
    made = mkdir(s->temp_root, 0700) == 0;
    if (!made && errno == EEXIST) { /* an earlier run made it unremovable */
        strcat(s->temp_root, "-XXXXXX");
        made = mkdtemp(s->temp_root) != NULL;
    }
    if (!made) {
        int why = errno;

        s->temp_root[0] = 0;
        fail_scope(s, "temp_dir: mkdir: %s: %s", strerror(why), path);
    }
    if (!cfz_scope_undo_push(s, cfz_scope_remove_temp, s)) {
        cfz_scope_remove_temp(s);
        fail_scope(s, "temp_dir: too much to clean up");
    }
}

/* Makes a new directory in that of this run. The first call makes that, too. */
static const char *temp_dir(struct cfz_scope *s)
{
    char *path = s->temp + s->temp_used;
    size_t room = sizeof s->temp - s->temp_used;
    int n;

    if (!s->temp_root[0])
        make_temp_root(s);
    n = snprintf(path, room, "%s/%03u", s->temp_root, ++s->ntemp);
    if (n < 0 || (size_t)n >= room)
        fail_scope(s, "temp_dir: more than %u directories in one run", s->ntemp - 1);
    if (mkdir(path, 0777) < 0)
        fail_scope(s, "temp_dir: mkdir: %s: %s", strerror(errno), path);
    s->temp_used += (size_t)n + 1;
    return path;
}

const char *cfuzz_temp_dir(cfuzz_t *t)
{
    return temp_dir(scope_of(t, "cfuzz_temp_dir"));
}

static void set_env(struct cfz_scope *s, const char *name, const char *value)
{
    struct cfz_env_change *c;
    const char *old = getenv(name);

    if (s->nenv == CFZ_SETENV_MAX)
        fail_scope(s, "setenv %s: more than %d variables in one run", name, CFZ_SETENV_MAX);
    c = &s->changes[s->nenv];
    c->name = strdup(name);
    c->old = old ? strdup(old) : NULL;
    if (!c->name || (old && !c->old))
        fail_scope(s, "setenv %s: out of memory", name);
    if (setenv(name, value, 1) < 0)
        fail_scope(s, "setenv %s: %s", name, strerror(errno));
    s->nenv++;
    if (!cfz_scope_undo_push(s, cfz_scope_restore_env, s)) {
        cfz_scope_restore_env(s);
        fail_scope(s, "setenv %s: too much to clean up", name);
    }
}

void cfuzz_setenv(cfuzz_t *t, const char *name, const char *value)
{
    struct cfz_scope *s = scope_of(t, "cfuzz_setenv");

    if (s->dirty & CFZ_DIRTY_PARALLEL)
        fail_scope(s, "testing: cfuzz_setenv called after cfuzz_parallel; cannot set "
                      "environment variables in parallel tests");
    set_env(s, name, value);
    s->dirty |= CFZ_DIRTY_SETENV;
}

bool cfuzz_deadline(const cfuzz_t *t, int64_t *ns)
{
    (void)t;
    if (cfz_executor.deadline_ns == 0)
        return false;
    *ns = cfz_executor.deadline_ns;
    if (__msan_unpoison) /* written by code that MemorySanitizer did not see */
        __msan_unpoison(ns, sizeof *ns);
    return true;
}

/* Nothing runs in parallel. Go's rules are checked all the same, so that a test is right in both.
 */
void cfuzz_parallel(cfuzz_t *t)
{
    struct cfz_scope *s = scope_of(t, "cfuzz_parallel");

    if (s->dirty & CFZ_DIRTY_PARALLEL)
        fail_scope(s, "testing: cfuzz_parallel called multiple times");
    if (s->dirty & CFZ_DIRTY_SETENV)
        fail_scope(s, "testing: cfuzz_parallel called after cfuzz_setenv; cannot set "
                      "environment variables in parallel tests");
    s->dirty |= CFZ_DIRTY_PARALLEL;
}

bool cfuzz_short(const cfuzz_t *t)
{
    (void)t;
    return cfz_executor.short_mode;
}

/* ---- cfuzz_f ----------------------------------------------------------------------- */

#define LOG(scope)                                                                                 \
    do {                                                                                           \
        va_list ap;                                                                                \
        va_start(ap, fmt);                                                                         \
        log_format((scope), file, line, fmt, ap);                                                  \
        va_end(ap);                                                                                \
    } while (0)

void cfuzz_f_log_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
{
    check_setup(&f->scope, "log", file, line);
    LOG(&f->scope);
}

void cfuzz_f_error_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
{
    check_setup(&f->scope, "error", file, line);
    LOG(&f->scope);
    mark(&f->scope, CFZ_DIRTY_FAILED);
}

void cfuzz_f_fatal_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
{
    check_setup(&f->scope, "fatal", file, line);
    LOG(&f->scope);
    mark(&f->scope, CFZ_DIRTY_FAILED);
    leave(&f->scope, "cfuzz_f_fatal");
}

void cfuzz_f_skip_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
{
    check_setup(&f->scope, "skip", file, line);
    LOG(&f->scope);
    mark(&f->scope, CFZ_DIRTY_SKIPPED);
    leave(&f->scope, "cfuzz_f_skip");
}

void cfuzz_f_fail(cfuzz_f *f)
{
    check_setup(&f->scope, "fail", NULL, 0);
    mark(&f->scope, CFZ_DIRTY_FAILED);
}

void cfuzz_f_fail_now(cfuzz_f *f)
{
    check_setup(&f->scope, "fail_now", NULL, 0);
    mark(&f->scope, CFZ_DIRTY_FAILED);
    leave(&f->scope, "cfuzz_f_fail_now");
}

void cfuzz_f_skip_now(cfuzz_f *f)
{
    check_setup(&f->scope, "skip_now", NULL, 0);
    mark(&f->scope, CFZ_DIRTY_SKIPPED);
    leave(&f->scope, "cfuzz_f_skip_now");
}

/* cfuzz_f_failed and cfuzz_f_name may be used in a test function, so they do not check. */
bool cfuzz_f_failed(const cfuzz_f *f)
{
    return f->scope.dirty & CFZ_DIRTY_FAILED;
}

const char *cfuzz_f_name(const cfuzz_f *f)
{
    return f->test->desc->name;
}

bool cfuzz_f_skipped(const cfuzz_f *f)
{
    check_setup(&f->scope, "skipped", NULL, 0);
    return f->scope.dirty & CFZ_DIRTY_SKIPPED;
}

void cfuzz_f_cleanup(cfuzz_f *f, void (*fn)(void *arg), void *arg)
{
    check_setup(&f->scope, "cleanup", NULL, 0);
    add_cleanup(&f->scope, fn, arg);
}

const char *cfuzz_f_temp_dir(cfuzz_f *f)
{
    check_setup(&f->scope, "temp_dir", NULL, 0);
    return temp_dir(&f->scope);
}

void cfuzz_f_setenv(cfuzz_f *f, const char *name, const char *value)
{
    check_setup(&f->scope, "setenv", NULL, 0);
    set_env(&f->scope, name, value);
}

bool cfuzz_f_short(const cfuzz_f *f)
{
    check_setup(&f->scope, "short", NULL, 0);
    return cfz_executor.short_mode;
}

void cfuzz_add_args(cfuzz_f *f, const char *file, int line, const struct cfuzz_arg *args, size_t n)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (!f->scope.active || !f->seed)
        return; /* called in the test function, or in cleanups after it: ignored, as in Go */
    if (cfz_seed_bind(args, n, f->test->kinds, f->test->n, &vs, &err) < 0 ||
        f->seed(f->seed_ctx, &vs, &err) < 0)
        cfuzz_f_error_at(f, file, line, "%s", err.text);
    cfz_values_release(&vs);
}
