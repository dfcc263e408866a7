/*
 * origin_client.c - see origin_client.h.
 */
#define _GNU_SOURCE
#include "process/origin_client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/environment.h"
#include "base/fd_limit.h"
#include "cli/report.h"
#include "cli/sanitizers.h"
#include "base/subprocess.h"
#include "process/stopped.h"
#include "process/temp_sweep.h"

/* A tick that comes so late means that the driver did not run. Guessed. */
enum { LATE_MS = 10 * LOOP_TICK_MS };

static void on_end(struct peer *p, const struct cfz_error *err)
{
    struct origin *o = p->owner;

    o->lost = true;
    if (err != NULL)
        cfz_error_keep(&o->err, err);
}

/* ---- HELLO and TEST ------------------------------------------------------- */

static int check_hello(struct origin *o, const struct cfz_msg *m, struct cfz_error *err)
{
    enum { OTHERS = CFZ_BUILD_ASAN | CFZ_BUILD_MSAN | CFZ_BUILD_TSAN | CFZ_BUILD_LSAN };
    const struct test_binary *bin = o->bin;

    if (m->u.hello.protocol != CFZ_PROTOCOL_VERSION || m->u.hello.abi != CFUZZ_ABI ||
        m->u.hello.shm_version != CFZ_SHM_VERSION)
        return cfz_fail(err, CFZ_EUSAGE,
                        "%s: built with another version of cfuzz (protocol %u, abi %u, memory %u; "
                        "this is %u, %u, %u): build it again",
                        bin->path, m->u.hello.protocol, m->u.hello.abi, m->u.hello.shm_version,
                        CFZ_PROTOCOL_VERSION, CFUZZ_ABI, CFZ_SHM_VERSION);
    for (size_t i = 0; i < sanitizers_count; i++) {
        const struct sanitizer *s = &sanitizers_all[i];

        /* UndefinedBehaviorSanitizer leaves no trace in a binary if it found nothing to check, and
         * the runtimes of the others contain its own. */
        if (s->bit == CFZ_BUILD_UBSAN && (!bin->prebuilt || (m->u.hello.build & OTHERS) != 0))
            continue;
        if ((bin->sanitizers & s->bit) != 0 && (m->u.hello.build & s->bit) == 0)
            return cfz_fail(err, CFZ_EUSAGE, "%s: was not built with %s, which -%s asks for",
                            bin->path, s->name, s->flag);
    }
    return 0;
}

static void on_hello(struct origin *o, const struct cfz_msg *m)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (check_hello(o, m, &err) < 0) {
        cfz_error_keep(&o->err, &err);
        return;
    }
    o->build = m->u.hello.build;
    o->nthreads = m->u.hello.nthreads;
    o->ncounters = m->u.hello.ncounters;
    o->want_tests = m->u.hello.ntests;
    o->tests = calloc(o->want_tests + 1, sizeof *o->tests);
    if (o->tests == NULL) {
        cfz_fail_nomem(&err);
        cfz_error_keep(&o->err, &err);
        return;
    }
    o->said_hello = true;
}

static void on_test(struct origin *o, const struct cfz_msg *m)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    const char *name, *types, *file;
    struct origin_test *t;

    if (!o->said_hello || o->ntests == o->want_tests) {
        cfz_fail(&err, CFZ_EINTERNAL, "communicating with fuzzing process: unexpected message");
        cfz_error_keep(&o->err, &err);
        return;
    }
    t = &o->tests[o->ntests];
    if (cfz_msg_test_parts(m, &name, &types, &file, t->kinds, &err) < 0) {
        cfz_error_keep(&o->err, &err);
        return;
    }
    t->index = m->u.test.index;
    t->line = m->u.test.line;
    t->has_setup = m->u.test.has_setup != 0;
    t->nvalues = m->u.test.nvalues;
    for (size_t i = 0; i < t->nvalues; i++)
        t->nslots += cfz_kind_is_slot(t->kinds[i]);
    t->name = strdup(name);
    t->types = strdup(types);
    t->file = strdup(file);
    o->ntests++;
    if (t->name == NULL || t->types == NULL || t->file == NULL) {
        cfz_fail_nomem(&err);
        cfz_error_keep(&o->err, &err);
    }
}

static void on_message(struct peer *p, const struct cfz_msg *m)
{
    struct origin *o = p->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (m->type == CFZ_MSG_HELLO) {
        on_hello(o, m);
    } else if (m->type == CFZ_MSG_TEST) {
        on_test(o, m);
    } else if (!children_message(o->hosts, m)) {
        cfz_fail(&err, CFZ_EINTERNAL,
                 "communicating with fuzzing process: message %u from the origin", m->type);
        cfz_error_keep(&o->err, &err);
    }
}

/* ---- the process ---------------------------------------------------------- */

static void on_closed(uv_handle_t *h)
{
    free(h);
}

static void on_proc_exit(uv_process_t *proc, int64_t code, int signum)
{
    struct origin *o = proc->data;

    if (o != NULL) {
        peer_drain(&o->peer);
        o->exited = true;
        o->status = signum != 0 ? signum : (int)((code & 0xff) << 8); /* as waitpid packs it */
        o->proc = NULL;
        children_orphaned(o->hosts, o->status);
    }
    uv_close((uv_handle_t *)proc, on_closed);
}

static int spawn(struct origin *o, struct cfz_error *err)
{
    const struct test_binary *bin = o->bin;
    const struct environment_use use = {.reports_abort = o->opt->sanitized_abort,
                                        .fuzzes = o->opt->fuzzes};
    char flag[sizeof CFZ_ORIGIN_FLAG + 24];
    char *args[] = {bin->path, flag, NULL};
    uv_stdio_container_t stdio[4];
    uv_process_options_t opt = {0};
    struct strlist env = STRLIST_INIT;
    int child = -1, r, ret = -1;

    snprintf(flag, sizeof flag, CFZ_ORIGIN_FLAG "=%ld", (long)getpid());
    if (environment_for_target(bin->symbolizer, o->opt->harness_env, use, &env, err) < 0 ||
        (o->opt->profile_dir != NULL &&
         environment_profile(o->opt->profile_dir, bin->built.st_ino, &env, err) < 0))
        goto out;
    o->peer.on_message = on_message;
    o->peer.on_end = on_end;
    o->peer.owner = o;
    if (peer_open(&o->peer, o->loop->uv, &child, err) < 0)
        goto out;
    stdio[0].flags = UV_IGNORE;
    stdio[1].flags = UV_INHERIT_FD;
    stdio[1].data.fd = o->output.fd;
    stdio[2] = stdio[1];
    stdio[3].flags = UV_INHERIT_FD;
    stdio[3].data.fd = child;
    opt.file = bin->path;
    opt.args = args;
    opt.env = env.v;
    opt.cwd = bin->pkg->dir;
    opt.stdio = stdio;
    opt.stdio_count = 4;
    opt.exit_cb = on_proc_exit;
    opt.flags = UV_PROCESS_DETACHED; /* a session of its own: Ctrl-C is for the driver to act on */
    o->proc = malloc(sizeof *o->proc);
    if (o->proc == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    o->proc->data = o;
    fd_limit_restore(); /* the tested code is to find what it would without us */
    r = uv_spawn(o->loop->uv, o->proc, &opt);
    fd_limit_raise();
    if (r < 0) {
        cfz_fail(err, CFZ_EUSAGE, "start %s: %s", bin->path, uv_strerror(r));
        uv_close((uv_handle_t *)o->proc, on_closed);
        o->proc = NULL;
        goto out;
    }
    o->pid = uv_process_get_pid(o->proc);
    o->started = true;
    ret = 0;
out:
    if (child >= 0)
        close(child);
    strlist_release(&env);
    return ret;
}

/* Makes the error of a binary that never said hello, with the end of what it wrote. */
static int start_failed(struct origin *o, const char *why, struct cfz_error *err)
{
    struct cfz_buf tail = CFZ_BUF_INIT;

    output_show(&o->output, 2000, &tail, NULL);
    while (tail.len > 0 && tail.data[tail.len - 1] == '\n')
        tail.data[--tail.len] = '\0';
    if (o->exited && o->status == CFZ_EXIT_TESTS << 8 && tail.len > 0 &&
        strchr(cfz_buf_str(&tail), '\n') == NULL) {
        cfz_fail(err, CFZ_EUSAGE, "%s: %s", o->bin->path, cfz_buf_str(&tail));
        goto out;
    }
    if (o->exited && o->status == CFZ_EXIT_TESTS << 8 && tail.len > 0)
        cfz_fail(err, CFZ_EUSAGE, "%s:", o->bin->path);
    else
        cfz_fail(err, CFZ_EUSAGE, "%s: not a working test executable: %s%s", o->bin->path, why,
                 tail.len > 0 ? "; its output:" : "");
    cfz_error_add_lines(err, cfz_buf_str(&tail));
out:
    cfz_buf_release(&tail);
    return -1;
}

/* Looks after the time limits of all processes. */
static void on_tick(void *ctx, uint64_t now)
{
    struct origin *o = ctx;
    uint64_t late = now - o->ticked;

    /* Stopped with ^Z, say: what the processes did meanwhile is not known yet. */
    if (late > (uint64_t)LATE_MS * 1000000)
        children_shift(o->hosts, late, now);
    o->ticked = now;
    output_tick(&o->output);
    if (!o->exited && stopped_go_on(o->pid)) {
        stopped_tell(&o->stops, o->bin->pkg->name, "the test executable");
        children_excuse(o->hosts, now);
    }
    children_tick(o->hosts, now);
}

/* Waits until o has listed its tests. patience is how many Ctrl-C end that. */
static int wait_listed(struct origin *o, int patience, struct cfz_error *err)
{
    uint64_t start = uv_hrtime();
    struct loop *l = o->loop;

    while (!o->said_hello || o->ntests < o->want_tests) {
        char why[SUBPROCESS_STATUS_MAX + 64], status[SUBPROCESS_STATUS_MAX];

        if (o->err.code != CFZ_OK) {
            *err = o->err;
            return -1;
        }
        if (o->exited) {
            snprintf(why, sizeof why, "it ended with %s before it listed its tests",
                     subprocess_status_text(o->status, status));
            return start_failed(o, why, err);
        }
        if (l->terminated != 0 || l->interrupts >= patience)
            return cfz_fail(err, CFZ_EIO, "interrupted while %s was starting", o->bin->path);
        if (uv_hrtime() - start > (uint64_t)ORIGIN_START_MS * 1000000) {
            snprintf(why, sizeof why, "it did not list its tests within %d seconds",
                     ORIGIN_START_MS / 1000);
            return start_failed(o, why, err);
        }
        loop_pump(l);
    }
    return 0;
}

int origin_start(const struct options *opt, const struct test_binary *bin, struct loop *l,
                 struct origin **out, struct cfz_error *err)
{
    struct origin *o = calloc(1, sizeof *o);

    if (o == NULL)
        return cfz_fail_nomem(err);
    o->opt = opt;
    o->bin = bin;
    o->loop = l;
    o->peer = (struct peer)PEER_INIT;
    o->output = (struct output)OUTPUT_INIT;
    temp_sweep_begin();
    o->ticked = uv_hrtime();
    l->on_tick = on_tick;
    l->ctx = o;
    if (output_open(&o->output, err) < 0 || spawn(o, err) < 0 || wait_listed(o, 1, err) < 0) {
        origin_stop(o);
        return -1;
    }
    *out = o;
    return 0;
}

/* ---- starting it anew ------------------------------------------------------ */

static bool had_no_memory(const struct origin *o)
{
    return WIFEXITED(o->status) && WEXITSTATUS(o->status) == CFZ_EXIT_UNFORKED;
}

bool origin_lost(const struct origin *o)
{
    return o->exited && o->err.code == CFZ_OK && o->want_tests == o->ntests && o->tests != NULL &&
           (had_no_memory(o) ||
            (WIFSIGNALED(o->status) && !subprocess_is_crash_signal(WTERMSIG(o->status))));
}

static void free_tests(struct origin_test *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(v[i].name);
        free(v[i].types);
        free(v[i].file);
    }
    free(v);
}

static bool same_tests(const struct origin_test *a, const struct origin_test *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i].index != b[i].index || strcmp(a[i].name, b[i].name) != 0 ||
            strcmp(a[i].types, b[i].types) != 0)
            return false;
    return true;
}

int origin_restart(struct origin *o, bool quiet, int patience, struct cfz_error *err)
{
    struct origin_test *tests = o->tests;
    size_t ntests = o->ntests;
    uint64_t ncounters = o->ncounters;
    char status[SUBPROCESS_STATUS_MAX];
    int ret = -1;

    CFZ_ASSERT(origin_lost(o));
    subprocess_status_text(o->status, status);
    if (!quiet && o->restarts == ORIGIN_RESTARTS_MAX)
        return cfz_fail(err, CFZ_EIO,
                        "the test executable was started anew %d times, and ended again: %s",
                        ORIGIN_RESTARTS_MAX,
                        had_no_memory(o) ? "the system has no memory for its "
                                           "messages"
                                         : status);
    if (!quiet) {
        report_line("%s: the test executable was ended: %s; it is started anew", o->bin->pkg->name,
                    had_no_memory(o) ? "the system had no memory for its messages" : status);
        o->restarts++;
    }
    peer_close(&o->peer);
    o->tests = NULL;
    o->ntests = o->want_tests = 0;
    o->started = o->said_hello = o->exited = o->lost = false;
    if (spawn(o, err) < 0) {
        o->exited = true;
    } else if (wait_listed(o, patience, err) == 0) {
        if (o->ntests != ntests || o->ncounters != ncounters ||
            !same_tests(tests, o->tests, ntests))
            cfz_fail(err, CFZ_EUSAGE, "%s: it is another program than when it was started first",
                     o->bin->path);
        else
            ret = 0;
    }
    free_tests(o->tests, o->ntests);
    o->tests = tests; /* hosts know them */
    o->ntests = o->want_tests = ntests;
    if (ret < 0 && err != NULL)
        cfz_error_keep(&o->err, err);
    return ret;
}

void origin_stop(struct origin *o)
{
    uint64_t deadline;
    bool killed = false;

    if (o == NULL)
        return;
    children_free(&o->hosts);
    if (o->started && !o->exited) {
        struct cfz_msg m;

        cfz_msg_init(&m, CFZ_MSG_QUIT);
        peer_send(&o->peer, &m, NULL, 0, NULL);
        deadline = uv_hrtime() + (uint64_t)ORIGIN_END_MS * 1000000;
        if (!o->said_hello || o->lost)
            deadline = 0;
        while (!o->exited) {
            if (!killed && uv_hrtime() >= deadline) {
                kill(-o->pid, SIGKILL); /* the session's first process group */
                kill(o->pid, SIGKILL);
                killed = true;
            }
            loop_pump(o->loop);
        }
    }
    if (o->started)
        temp_sweep_end();
    if (o->loop->ctx == o)
        o->loop->on_tick = NULL;
    if (o->proc != NULL)
        o->proc->data = NULL;
    peer_close(&o->peer);
    output_close(&o->output);
    free_tests(o->tests, o->ntests);
    free(o);
}

int origin_check(const struct origin *o, struct cfz_error *err)
{
    char status[SUBPROCESS_STATUS_MAX];

    if (o->loop->terminated != 0)
        return cfz_fail(err, CFZ_EIO, "ended by signal: %s",
                        subprocess_signal_name(o->loop->terminated, status));
    if (report_broken() != 0) {
        errno = report_broken();
        return cfz_fail_errno(err, "write to stdout");
    }
    if (o->err.code != CFZ_OK) {
        *err = o->err;
        return -1;
    }
    if (!o->exited)
        return 0;
    subprocess_status_text(o->status, status);
    if (had_no_memory(o) && o->said_hello)
        return cfz_fail(err, CFZ_EIO,
                        "the test executable ended: the system has no memory for its messages");
    if (WIFSIGNALED(o->status) && !subprocess_is_crash_signal(WTERMSIG(o->status)))
        return cfz_fail(err, CFZ_EIO, "the test executable was ended by somebody else: %s", status);
    return cfz_fail(err, CFZ_EINTERNAL, "the test executable ended unexpectedly: %s", status);
}
