/*
 * ending_test.c - each way a process can end, and what it means.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>

#include "core/protocol.h"
#include "process/ending.h"

#define EXITED(n) ((n) << 8)
#define DIED "fuzzing process hung or terminated unexpectedly: "
#define INTERNAL "fuzzing process exited unexpectedly due to an internal failure: "
#define OUTSIDE "fuzzing process terminated by unexpected signal; no crash will be recorded: "

static const struct {
    const char *name;
    struct ending_facts facts;
    enum ending_kind kind;
    const char *text, *why;
} cases[] = {
    {"fault in the target",
     {.status = SIGSEGV, .state = CFZ_STATE_TARGET, .crash = CFZ_CRASH_SIGNAL},
     ENDING_CRASH,
     DIED "signal: segmentation fault",
     ""},
    {"abort with a core file",
     {.status = SIGABRT | 0x80, .state = CFZ_STATE_TARGET, .crash = CFZ_CRASH_SIGNAL},
     ENDING_CRASH,
     DIED "signal: aborted (core dumped)",
     ""},
    {"the target has a handler of its own, so no mark",
     {.status = SIGSEGV, .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "signal: segmentation fault",
     ""},
    {"SIGPIPE",
     {.status = SIGPIPE, .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "signal: broken pipe",
     ""},
    {"out of memory killer",
     {.status = SIGKILL, .state = CFZ_STATE_TARGET},
     ENDING_OUTSIDE,
     OUTSIDE "signal: killed",
     ""},
    {"SIGTERM from somebody",
     {.status = SIGTERM, .state = CFZ_STATE_ENGINE},
     ENDING_OUTSIDE,
     OUTSIDE "signal: terminated",
     ""},
    {"SIGSEGV from somebody",
     {.status = SIGSEGV,
      .state = CFZ_STATE_TARGET,
      .crash = CFZ_CRASH_SENT,
      .crash_signo = SIGSEGV},
     ENDING_OUTSIDE,
     OUTSIDE "signal: segmentation fault",
     ""},
    {"SIGBUS from somebody, which a sanitizer then reported",
     {.status = SIGABRT, .state = CFZ_STATE_ENGINE, .crash = CFZ_CRASH_SENT, .crash_signo = SIGBUS},
     ENDING_OUTSIDE,
     OUTSIDE "signal: bus error",
     ""},
    {"a system call that a filter forbids",
     {.status = SIGSYS,
      .state = CFZ_STATE_TARGET,
      .crash = CFZ_CRASH_SIGNAL,
      .crash_signo = SIGSYS},
     ENDING_CRASH,
     DIED "signal: bad system call",
     ""},
    {"SIGSYS without a mark",
     {.status = SIGSYS, .state = CFZ_STATE_TARGET},
     ENDING_OUTSIDE,
     OUTSIDE "signal: bad system call",
     ""},
    {"sanitizer report",
     {.status = SIGABRT, .state = CFZ_STATE_TARGET, .crash = CFZ_CRASH_SANITIZER},
     ENDING_CRASH,
     DIED "signal: aborted",
     ""},
    {"a descriptor of ours was closed",
     {.status = EXITED(CFZ_EXIT_INTERNAL), .state = CFZ_STATE_IDLE, .crash = CFZ_CRASH_MISUSE},
     ENDING_CRASH,
     DIED "exit status 70",
     ""},
    {"exit",
     {.status = EXITED(3), .state = CFZ_STATE_TARGET, .crash = CFZ_CRASH_EXIT, .crash_code = 3},
     ENDING_CRASH,
     DIED "exit status 3",
     "the test function called exit(3)"},
    {"exit(0) is a crash too",
     {.status = EXITED(0), .state = CFZ_STATE_TARGET, .crash = CFZ_CRASH_EXIT},
     ENDING_CRASH,
     DIED "exit status 0",
     "the test function called exit(0)"},
    {"_exit(70) in the target is not ours",
     {.status = EXITED(CFZ_EXIT_INTERNAL), .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "exit status 70",
     "the test function ended the process (_exit)"},
    {"70 between executions is ours",
     {.status = EXITED(CFZ_EXIT_INTERNAL), .state = CFZ_STATE_ENGINE},
     ENDING_INTERNAL,
     INTERNAL "exit status 70",
     ""},
    {"internal mark with its reason, first line only",
     {.status = EXITED(CFZ_EXIT_INTERNAL),
      .state = CFZ_STATE_TARGET,
      .crash = CFZ_CRASH_INTERNAL,
      .log = "what: why\nmore"},
     ENDING_INTERNAL,
     INTERNAL "exit status 70: what: why",
     ""},
    {"fault of the engine",
     {.status = SIGSEGV, .state = CFZ_STATE_ENGINE},
     ENDING_INTERNAL,
     INTERNAL "signal: segmentation fault",
     ""},
    {"a thread of the target, between executions",
     {.status = SIGSEGV,
      .state = CFZ_STATE_ENGINE,
      .crash = CFZ_CRASH_SIGNAL,
      .foreign_thread = true},
     ENDING_CRASH,
     DIED "signal: segmentation fault",
     "in a thread that was started by the tested code"},
    {"before it was ready",
     {.status = EXITED(1), .state = CFZ_STATE_STARTING},
     ENDING_INTERNAL,
     "fuzzing process terminated without fuzzing: exit status 1",
     ""},
    {"told to go",
     {.status = EXITED(0), .state = CFZ_STATE_IDLE},
     ENDING_STOPPED,
     "communicating with fuzzing process: it ended",
     ""},
    {"stopped by us",
     {.status = SIGKILL, .killed = true, .state = CFZ_STATE_TARGET},
     ENDING_STOPPED,
     "communicating with fuzzing process: it was stopped",
     ""},
    {"stopped by us while it crashed",
     {.status = SIGKILL,
      .killed = true,
      .state = CFZ_STATE_TARGET,
      .crash = CFZ_CRASH_SIGNAL,
      .crash_signo = SIGFPE},
     ENDING_CRASH,
     DIED "signal: floating point exception",
     ""},
    {"its parent was killed",
     {.status = SIGKILL, .orphaned = true, .state = CFZ_STATE_TARGET},
     ENDING_STOPPED,
     "fuzzing process lost its parent, which ended: signal: killed",
     ""},
    {"its parent was killed while it crashed",
     {.status = SIGKILL,
      .orphaned = true,
      .state = CFZ_STATE_TARGET,
      .crash = CFZ_CRASH_SIGNAL,
      .crash_signo = SIGSEGV},
     ENDING_CRASH,
     DIED "signal: segmentation fault",
     ""},
    {"hung",
     {.status = SIGKILL, .hung = true, .state = CFZ_STATE_TARGET, .hang_ns = 1500000000},
     ENDING_CRASH,
     DIED "hung: the test function did not end within 1.5s",
     ""},
    {"hung setup part",
     {.status = SIGKILL, .hung = true, .state = CFZ_STATE_SETUP, .hang_ns = 10000000000},
     ENDING_CRASH,
     DIED "hung: the setup part did not end within 10s",
     ""},
    {"too much memory",
     {.status = SIGKILL, .memory = true, .memory_mib = 64, .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "out of memory: the test function used more than 64 MiB (-rss)",
     ""},
    {"killed by the system for its memory",
     {.status = SIGKILL, .memory_mib = 64, .seen_mib = 32, .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "signal: killed",
     "out of memory: the test function had used 32 MiB when the system ended it"},
    {"killed while it had little memory",
     {.status = SIGKILL, .memory_mib = 64, .seen_mib = 31, .state = CFZ_STATE_TARGET},
     ENDING_OUTSIDE,
     "fuzzing process terminated by unexpected signal; no crash will be recorded: signal: killed",
     ""},
    {"killed with much memory, but not in the target",
     {.status = SIGKILL, .memory_mib = 64, .seen_mib = 60, .state = CFZ_STATE_ENGINE},
     ENDING_OUTSIDE,
     "fuzzing process terminated by unexpected signal; no crash will be recorded: signal: killed",
     ""},
    {"exec in the target",
     {.status = SIGKILL, .lost = true, .state = CFZ_STATE_TARGET},
     ENDING_CRASH,
     DIED "the test function closed the descriptors of the fuzzing process, or called exec",
     ""},
    {"broken socket",
     {.status = SIGKILL, .lost = true, .state = CFZ_STATE_ENGINE},
     ENDING_INTERNAL,
     "communicating with fuzzing process: end of file",
     ""},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ending e;

        ending_decide(&cases[i].facts, &e);
        if (e.kind != cases[i].kind)
            fail_msg("%s: kind %d, want %d", cases[i].name, e.kind, cases[i].kind);
        assert_string_equal(e.text, cases[i].text);
        assert_string_equal(e.why, cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
