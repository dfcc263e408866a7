/*
 * ending.c - see ending.h.
 */
#include "process/ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "core/exit_codes.h"
#include "core/protocol.h"
#include "cli/report.h"
#include "base/subprocess.h"

/* ---- what may be running, and the four kinds of ending ------------------------------ */

#define DIED "fuzzing process hung or terminated unexpectedly"

/* Whether user code was running: the test function, or the setup part in a host. */
static bool in_user_code(const struct ending_facts *f)
{
    return f->state == CFZ_STATE_TARGET || f->state == CFZ_STATE_SETUP;
}

static const char *user_code(const struct ending_facts *f)
{
    return f->state == CFZ_STATE_SETUP ? "setup part" : "test function";
}

/* Whose doing the end was. Between executions it is that of a thread. */
static const char *who(const struct ending_facts *f)
{
    return f->state == CFZ_STATE_SETUP    ? "the setup part"
           : f->state == CFZ_STATE_TARGET ? "the test function"
                                          : "a thread that the tested code started";
}

/* Whether the process held half of the limit or more. If so, a SIGKILL is taken for the system's,
 * which ran out of memory. Guessed. */
static bool near_memory_limit(const struct ending_facts *f)
{
    return f->memory_mib > 0 && f->seen_mib >= f->memory_mib / 2;
}

/* The process ended in code of ours, or idle, by its own doing. */
static void internal(const struct ending_facts *f, const char *status, struct ending *e)
{
    if (f->stale) {
        e->kind = ENDING_OUTSIDE;
        e->stale = true;
        snprintf(e->text, sizeof e->text,
                 "fuzzing process ended, since the test function in another one wrote over memory "
                 "that they share; it is replaced: %s",
                 f->stuck ? "it did not answer" : status);
        return;
    }
    e->kind = ENDING_INTERNAL;
    if (f->state == CFZ_STATE_STARTING)
        snprintf(e->text, sizeof e->text, "fuzzing process terminated without fuzzing: %s", status);
    else
        snprintf(e->text, sizeof e->text,
                 "fuzzing process exited unexpectedly due to an internal failure: %s%s%s", status,
                 f->log != NULL && f->log[0] != '\0' ? ": " : "", f->log != NULL ? f->log : "");
    e->text[strcspn(e->text, "\n")] = '\0';
}

static void crash(struct ending *e, const char *status)
{
    e->kind = ENDING_CRASH;
    snprintf(e->text, sizeof e->text, DIED ": %s", status);
}

/* Whether the mark says what ended the process, and not only that memory was written over. */
static bool has_cause(const struct ending_facts *f)
{
    return f->crash == CFZ_CRASH_SIGNAL || f->crash == CFZ_CRASH_SANITIZER ||
           f->crash == CFZ_CRASH_ALLOC || f->crash == CFZ_CRASH_EXIT ||
           f->crash == CFZ_CRASH_KILL || f->crash == CFZ_CRASH_MISUSE ||
           f->crash == CFZ_CRASH_MUTATOR;
}

static void scribbled(const struct ending_facts *f, const char *status, struct ending *e)
{
    static const char what[] = "wrote over the memory that it shares with cfuzz-test";

    e->kind = ENDING_CRASH;
    e->scribbled = true;
    if (f->killed || f->crash == CFZ_CRASH_SCRIBBLED) {
        snprintf(e->text, sizeof e->text, DIED ": the %s %s", user_code(f), what);
    } else {
        crash(e, status);
        snprintf(e->why, sizeof e->why, "the %s %s", user_code(f), what);
    }
}

static const char *whom(int code)
{
    switch (code) {
    case CFZ_WHOM_PARENT:
        return "its parent, a process of cfuzz-test,";
    case CFZ_WHOM_ALL:
        return "all processes (kill -1)";
    default:
        return "a process of cfuzz-test";
    }
}

static void outside(struct ending *e, const char *status)
{
    e->kind = ENDING_OUTSIDE;
    snprintf(e->text, sizeof e->text,
             "fuzzing process terminated by unexpected signal; no crash will be recorded: %s",
             status);
}

/* ---- three questions, in this order ------------------------------------------------ */

/* Did it leave a mark that says all, or was it over a limit? Returns whether e is decided. */
static bool by_mark_or_limit(const struct ending_facts *f, const char *status, struct ending *e)
{
    char limit[REPORT_DURATION_MAX], name[SUBPROCESS_STATUS_MAX];

    if (f->scribbled && !f->hung && !f->stopped && !f->memory && !has_cause(f)) {
        scribbled(f, status, e);
    } else if (f->crash == CFZ_CRASH_INTERNAL) {
        internal(f, status, e);
    } else if (f->stopped) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text, DIED ": stopped: a signal stopped the %s again and again",
                 user_code(f));
    } else if (f->hung) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text, DIED ": hung: the %s did not end within %s", user_code(f),
                 report_duration(f->hang_ns, limit));
    } else if (f->memory) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text,
                 DIED ": out of memory: the %s used more than %llu MiB (-rss)", user_code(f),
                 (unsigned long long)f->memory_mib);
    } else if (f->crash == CFZ_CRASH_ALLOC) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text,
                 DIED ": out of memory: the %s asked for %llu MiB at once, more than %llu (-rss)",
                 user_code(f), (unsigned long long)(f->asked >> 20),
                 (unsigned long long)f->memory_mib);
    } else if (f->crash == CFZ_CRASH_KILL) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text, DIED ": the %s sent %s a signal: %s", user_code(f),
                 whom(f->crash_code), subprocess_signal_name(f->crash_signo, name));
    } else if (f->crash == CFZ_CRASH_EXIT) {
        crash(e, status);
        snprintf(e->why, sizeof e->why, "%s called exit(%d)", who(f), f->crash_code);
    } else if (f->crash == CFZ_CRASH_THREAD_EXIT) {
        crash(e, status);
        snprintf(e->why, sizeof e->why, "the %s ended its thread (pthread_exit)", user_code(f));
    } else if (f->crash == CFZ_CRASH_SANITIZER || f->crash == CFZ_CRASH_MISUSE ||
               f->crash == CFZ_CRASH_MUTATOR) {
        crash(e, status); /* the sanitizer's output, or the log, has the reason */
        e->of_mutator = f->crash == CFZ_CRASH_MUTATOR;
    } else {
        return false;
    }
    return true;
}

/* Did somebody else end it: the driver, its parent, another process? Returns whether e is
 * decided. */
static bool by_others(const struct ending_facts *f, const char *status, struct ending *e)
{
    char signal[SUBPROCESS_STATUS_MAX];

    subprocess_status_text(f->crash_signo, signal);
    if (f->orphaned && f->crash == CFZ_CRASH_SIGNAL) {
        crash(e, signal); /* it was about to end by itself */
    } else if (f->orphaned) {
        e->kind = ENDING_STOPPED;
        snprintf(e->text, sizeof e->text, "fuzzing process lost its parent, which ended: %s",
                 status);
    } else if (f->crash == CFZ_CRASH_SLOW) {
        e->kind = ENDING_STOPPED;
        snprintf(
            e->text, sizeof e->text,
            "fuzzing process ended in an execution that took long, and left processes or memory "
            "that the next one cannot go on with");
    } else if (f->crash == CFZ_CRASH_SENT) {
        outside(e, signal);
    } else if (f->killed && f->crash == CFZ_CRASH_SIGNAL &&
               subprocess_is_crash_signal(f->crash_signo)) {
        crash(e, signal); /* it was about to end by itself */
    } else if (f->stuck) {
        internal(f, status, e);
    } else if (f->killed) {
        e->kind = ENDING_STOPPED;
        snprintf(e->text, sizeof e->text, "communicating with fuzzing process: it was stopped");
    } else if (f->lost && in_user_code(f)) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text,
                 DIED ": the %s closed the descriptors of the fuzzing process, or called exec",
                 user_code(f));
    } else if (f->lost) {
        e->kind = ENDING_INTERNAL;
        snprintf(e->text, sizeof e->text, "communicating with fuzzing process: end of file");
    } else {
        return false;
    }
    return true;
}

/* Whether it exited between executions, or behind the last one, with a status that none of ours has
 * there: a thread did, that the tested code had started. */
static bool is_of_thread(const struct ending_facts *f)
{
    const int status = WEXITSTATUS(f->status);

    if (f->state != CFZ_STATE_ENGINE && (f->state != CFZ_STATE_IDLE || status == 0))
        return false;
    return !f->stale && (status < CFZ_EXIT_TESTS || status > CFZ_EXIT_SLOW);
}

/* It ended by itself: what does the wait status say, and which code was running? */
static void by_status(const struct ending_facts *f, const char *status, struct ending *e)
{
    bool exited_well = WIFEXITED(f->status) && WEXITSTATUS(f->status) == 0;

    if (!WIFSIGNALED(f->status)) {
        if (in_user_code(f) || is_of_thread(f)) {
            crash(e, status);
            if (f->crash == CFZ_CRASH_NONE)
                snprintf(e->why, sizeof e->why, "%s ended the process (_exit)", who(f));
        } else if (f->state == CFZ_STATE_IDLE && exited_well) {
            e->kind = ENDING_STOPPED;
            snprintf(e->text, sizeof e->text, "communicating with fuzzing process: it ended");
        } else {
            internal(f, status, e);
        }
    } else if (WTERMSIG(f->status) == SIGKILL && in_user_code(f) && near_memory_limit(f)) {
        crash(e, status);
        snprintf(e->why, sizeof e->why,
                 "out of memory: the %s had used %llu MiB when the system ended it", user_code(f),
                 (unsigned long long)f->seen_mib);
    } else if (!subprocess_is_crash_signal(WTERMSIG(f->status)) && f->crash != CFZ_CRASH_SIGNAL) {
        outside(e, status);
    } else if (in_user_code(f) || f->foreign_thread) {
        crash(e, status);
        if (f->foreign_thread == CFZ_CRASH_HANDLER)
            snprintf(e->why, sizeof e->why,
                     "in a signal handler of the tested code, between two executions");
        else if (f->foreign_thread)
            snprintf(e->why, sizeof e->why, "in a thread that was started by the tested code");
    } else {
        internal(f, status, e);
    }
}

void ending_decide(const struct ending_facts *f, struct ending *e)
{
    char status[SUBPROCESS_STATUS_MAX];

    memset(e, 0, sizeof *e);
    subprocess_status_text(f->status, status);
    if (!by_mark_or_limit(f, status, e) && !by_others(f, status, e))
        by_status(f, status, e);
}
