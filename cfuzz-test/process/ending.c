/*
 * ending.c - see ending.h.
 */
#include "process/ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "core/protocol.h"
#include "cli/report.h"
#include "base/subprocess.h"

#define DIED "fuzzing process hung or terminated unexpectedly"

/* User code was running: the test function, or the setup part in a host. */
static bool in_user_code(const struct ending_facts *f)
{
    return f->state == CFZ_STATE_TARGET || f->state == CFZ_STATE_SETUP;
}

static const char *user_code(const struct ending_facts *f)
{
    return f->state == CFZ_STATE_SETUP ? "setup part" : "test function";
}

/* It held so much that a SIGKILL is the system's, which had no more: half of the limit. Guessed. */
static bool near_memory_limit(const struct ending_facts *f)
{
    return f->memory_mib > 0 && f->seen_mib >= f->memory_mib / 2;
}

/* The process ended in code of ours, or idle, by its own doing. */
static void internal(const struct ending_facts *f, const char *status, struct ending *e)
{
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

static void outside(struct ending *e, const char *status)
{
    e->kind = ENDING_OUTSIDE;
    snprintf(e->text, sizeof e->text,
             "fuzzing process terminated by unexpected signal; no crash will be recorded: %s",
             status);
}

void ending_decide(const struct ending_facts *f, struct ending *e)
{
    char status[SUBPROCESS_STATUS_MAX], limit[REPORT_DURATION_MAX];

    memset(e, 0, sizeof *e);
    subprocess_status_text(f->status, status);
    if (f->crash == CFZ_CRASH_INTERNAL) {
        internal(f, status, e);
        return;
    }
    if (f->hung) {
        e->kind = ENDING_CRASH;
        report_duration(f->hang_ns, limit);
        snprintf(e->text, sizeof e->text, DIED ": hung: the %s did not end within %s", user_code(f),
                 limit);
        return;
    }
    if (f->memory) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text,
                 DIED ": out of memory: the %s used more than %llu MiB (-rss)", user_code(f),
                 (unsigned long long)f->memory_mib);
        return;
    }
    if (f->crash == CFZ_CRASH_EXIT) {
        crash(e, status);
        snprintf(e->why, sizeof e->why, "the %s called exit(%d)", user_code(f), f->crash_code);
        return;
    }
    if (f->crash == CFZ_CRASH_SANITIZER || f->crash == CFZ_CRASH_MISUSE) {
        crash(e, status); /* the sanitizer's output, or the log, has the reason */
        return;
    }
    if (f->orphaned) {
        if (f->crash == CFZ_CRASH_SIGNAL) { /* it was about to end by itself */
            crash(e, subprocess_status_text(f->crash_signo, status));
            return;
        }
        e->kind = ENDING_STOPPED;
        snprintf(e->text, sizeof e->text, "fuzzing process lost its parent, which ended: %s",
                 status);
        return;
    }
    if (f->crash == CFZ_CRASH_SENT) {
        outside(e, subprocess_status_text(f->crash_signo, status));
        return;
    }
    if (f->killed && f->crash == CFZ_CRASH_SIGNAL && subprocess_is_crash_signal(f->crash_signo)) {
        crash(e,
              subprocess_status_text(f->crash_signo, status)); /* it was about to end by itself */
        return;
    }
    if (f->killed) {
        e->kind = ENDING_STOPPED;
        snprintf(e->text, sizeof e->text, "communicating with fuzzing process: it was stopped");
        return;
    }
    if (f->lost && in_user_code(f)) {
        e->kind = ENDING_CRASH;
        snprintf(e->text, sizeof e->text,
                 DIED ": the %s closed the descriptors of the fuzzing process, or called exec",
                 user_code(f));
        return;
    }
    if (f->lost) {
        e->kind = ENDING_INTERNAL;
        snprintf(e->text, sizeof e->text, "communicating with fuzzing process: end of file");
        return;
    }
    if (WIFSIGNALED(f->status)) {
        if (WTERMSIG(f->status) == SIGKILL && in_user_code(f) && near_memory_limit(f)) {
            crash(e, status);
            snprintf(e->why, sizeof e->why,
                     "out of memory: the %s had used %llu MiB when the system ended it",
                     user_code(f), (unsigned long long)f->seen_mib);
            return;
        }
        if (!subprocess_is_crash_signal(WTERMSIG(f->status)) && f->crash != CFZ_CRASH_SIGNAL) {
            outside(e, status);
        } else if (in_user_code(f) || f->foreign_thread) {
            crash(e, status);
            if (f->foreign_thread)
                snprintf(e->why, sizeof e->why, "in a thread that was started by the tested code");
        } else {
            internal(f, status, e);
        }
        return;
    }
    if (in_user_code(f)) {
        crash(e, status);
        if (f->crash == CFZ_CRASH_NONE)
            snprintf(e->why, sizeof e->why, "the %s ended the process (_exit)", user_code(f));
    } else if (f->state == CFZ_STATE_IDLE && WIFEXITED(f->status) && WEXITSTATUS(f->status) == 0) {
        e->kind = ENDING_STOPPED;
        snprintf(e->text, sizeof e->text, "communicating with fuzzing process: it ended");
    } else {
        internal(f, status, e);
    }
}
