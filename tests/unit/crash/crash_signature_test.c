/*
 * crash_signature_test.c - which failing executions show the same crash.
 *
 * Executions are made up: a program at 0x400000 with three functions of the user's and what a
 * sanitizer and the runtime have in it, and a C library at 0x7f0000.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/sanitizers.h"
#include "crash/crash_signature.h"

#define BASE UINT64_C(0x400000)
#define LIBC UINT64_C(0x7f0000)

/* Addresses in memory, behind a call: return addresses point there. */
enum {
    ON_DEATH = 0x400110,
    REPORT = 0x400210, /* in the sanitizer */
    PARSE = 0x400310,
    PARSE_LATER = 0x400330,
    NUMBER = 0x400410,
    LIST = 0x400510,
    TEST = 0x400610,
    THUNK = 0x400710,
    DIE = 0x400810,
    FINISH = 0x400910, /* the plugin noted that it never returns */
    ABORT = 0x7f0010,
};

static struct symtab_function functions[] = {
    {0x100, 0x200, "on_death"},     {0x200, 0x300, "__asan_report_load1"},
    {0x300, 0x400, "parse"},        {0x400, 0x500, "number"},
    {0x500, 0x600, "list"},         {0x600, 0x700, "FuzzParse"},
    {0x700, 0x800, "cfuzz_call_0"}, {0x800, 0x900, "die"},
    {0x900, 0xa00, "finish"},
};
static const struct symtab symtab = {.v = functions,
                                     .n = sizeof functions / sizeof functions[0],
                                     .never = "leave\0finish",
                                     .never_len = sizeof "leave\0finish"};

static struct cfz_proc_shm shm; /* large */
static const struct ending no_ending;
static struct stack stack;

struct execution {
    enum cfz_crash_kind kind;
    int signo, code, status;
    uint64_t addr, sp;
    bool hung;
    bool stopped; /* at frames, as read from outside */
    const char *output;
    uint64_t frames[8]; /* 0 ends */
};

static struct crash_signature died(const struct execution *x)
{
    struct crash_marks m = {.code = {.shm = &shm, .symtab = &symtab},
                            .status = x->status,
                            .hung = x->hung,
                            .stopped = x->stopped,
                            .stack = &stack,
                            .ending = &no_ending,
                            .output = x->output != NULL ? x->output : ""};
    struct crash_signature sig;

    memset(&shm, 0, sizeof shm);
    stack.n = 0;
    while (x->stopped && x->frames[stack.n] != 0) {
        stack.pc[stack.n] = x->frames[stack.n];
        stack.n++;
    }
    atomic_store(&shm.crash.kind, (uint32_t)x->kind);
    shm.crash.signo = x->signo;
    shm.crash.code = x->code;
    shm.crash.addr = x->addr;
    shm.crash.sp = x->sp;
    while (!x->stopped && shm.crash.nframes < 8 && x->frames[shm.crash.nframes] != 0) {
        shm.crash.frames[shm.crash.nframes] = x->frames[shm.crash.nframes];
        shm.crash.nframes++;
    }
    shm.nmodules = 2;
    shm.modules[0] = (struct cfz_module){BASE, BASE, BASE + 0x1000, "/p/parse.test"};
    shm.modules[1] = (struct cfz_module){LIBC, LIBC, LIBC + 0x1000, "/lib/libc.so.6"};
    crash_signature_died(&m, &sig);
    return sig;
}

static struct crash_signature failed(const char *log, size_t until)
{
    struct crash_marks m = {.code = {.shm = &shm, .symtab = &symtab}};
    struct crash_signature sig;

    memset(&shm, 0, sizeof shm);
    strcpy(shm.log, log);
    atomic_store(&shm.log_len, (uint32_t)strlen(log));
    atomic_store(&shm.fail_log_len, (uint32_t)until);
    crash_signature_failed(&m, &sig);
    return sig;
}

#define ABORTED(...)                                                                               \
    {                                                                                              \
        .kind = CFZ_CRASH_SIGNAL, .signo = SIGABRT, .frames = { __VA_ARGS__ }                      \
    }
#define ASAN(text, ...)                                                                            \
    {                                                                                              \
        .kind = CFZ_CRASH_SANITIZER, .output = text, .frames = { __VA_ARGS__ }                     \
    }
#define OVERFLOW_TEXT "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n"
#define OVERFLOW_ELSEWHERE "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x2\n"
#define AFTER_FREE "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"

#define ALLOCATED(pc)                                                                              \
    "0x1 is located 0 bytes after 8-byte region\n"                                                 \
    "allocated by thread T0 here:\n"                                                               \
    "    #0 0x400210  (/p/parse.test+0x210)\n"                                                     \
    "    #1 0x" pc "  (/p/parse.test+0x1)\n"                                                       \
    "    #2 0x400610  (/p/parse.test+0x610)\n\n"
#define RACE(now, before)                                                                          \
    {                                                                                              \
        .kind = CFZ_CRASH_SANITIZER,                                                               \
        .output = "WARNING: ThreadSanitizer: data race (pid=1)\n"                                  \
                  "  Read of size 8 at 0x7 by thread T2:\n"                                        \
                  "    #0 0x" now "  (/p/parse.test+0x1)\n\n"                                      \
                  "  Previous write of size 8 at 0x7 by thread T1:\n"                              \
                  "    #0 0x" before "  (/p/parse.test+0x1)\n\n"                                   \
                  "SUMMARY: ThreadSanitizer: data race (/p/parse.test+0x1)\n",                     \
        .frames = {ON_DEATH, REPORT, PARSE, TEST},                                                 \
    }
#define LEAK(pc)                                                                                   \
    {                                                                                              \
        .kind = CFZ_CRASH_SANITIZER,                                                               \
        .output = "==1==ERROR: LeakSanitizer: detected memory leaks\n\n"                           \
                  "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n"                      \
                  "    #0 0x400210  (/p/parse.test+0x210)\n"                                       \
                  "    #1 0x" pc "  (/p/parse.test+0x1)\n\n",                                      \
    }
#define OVERFLOWED(...)                                                                            \
    {                                                                                              \
        .kind = CFZ_CRASH_SIGNAL, .signo = SIGSEGV, .code = 1, .addr = 0x9000, .sp = 0x9100,       \
        .frames = {                                                                                \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct {
    const char *name;
    struct execution a, b;
    bool equal;
} pairs[] = {
    {"the same", ABORTED(ABORT, PARSE, TEST, THUNK), ABORTED(ABORT, PARSE, TEST, THUNK), true},
    {"another place in the function", ABORTED(ABORT, PARSE, TEST, THUNK),
     ABORTED(ABORT, PARSE_LATER, TEST, THUNK), false},
    {"another caller", ABORTED(ABORT, PARSE, NUMBER, TEST), ABORTED(ABORT, PARSE, LIST, TEST),
     false},
    {"called from elsewhere in the caller", ABORTED(ABORT, NUMBER, PARSE, TEST),
     ABORTED(ABORT, NUMBER, PARSE_LATER, TEST), true},
    {"the third caller does not count", ABORTED(PARSE, NUMBER, LIST, TEST, THUNK),
     ABORTED(PARSE, NUMBER, LIST, THUNK), true},
    {"a leaf at another depth of a recursion", ABORTED(NUMBER, PARSE, TEST),
     ABORTED(NUMBER, PARSE, LIST, PARSE_LATER, LIST, PARSE, TEST), true},
    {"a leaf of a recursion, entered elsewhere", ABORTED(NUMBER, PARSE, TEST),
     ABORTED(NUMBER, LIST, PARSE, LIST, TEST), false},
    {"the runtime does not count", ABORTED(ABORT, TEST, THUNK, PARSE),
     ABORTED(ABORT, TEST, THUNK, LIST), true},
    {"a library's function was jumped to, however the test was called",
     ABORTED(ABORT, THUNK, PARSE), ABORTED(ABORT, THUNK + 8, LIST), true},
    {"two functions of a library were jumped to", ABORTED(ABORT, THUNK), ABORTED(ABORT + 8, THUNK),
     false},
    {"a helper, two callers", ABORTED(ABORT, DIE, PARSE, TEST), ABORTED(ABORT, DIE, LIST, TEST),
     false},
    {"a helper, two lines of a caller", ABORTED(ABORT, DIE, PARSE, TEST),
     ABORTED(ABORT, DIE, PARSE_LATER, TEST), false},
    {"a function that never returns, two lines of a caller", ABORTED(ABORT, FINISH, PARSE, TEST),
     ABORTED(ABORT, FINISH, PARSE_LATER, TEST), false},
    {"a helper behind a helper", ABORTED(ABORT, FINISH, DIE, PARSE, TEST),
     ABORTED(ABORT, FINISH, DIE, PARSE_LATER, TEST), false},
    {"helpers among the callers do not count", ABORTED(PARSE, DIE, NUMBER, LIST),
     ABORTED(PARSE, NUMBER, LIST), true},
    {"recursion", ABORTED(PARSE, NUMBER, NUMBER, NUMBER, LIST, TEST),
     ABORTED(PARSE, NUMBER, LIST, TEST), true},
    {"recursion of two functions", ABORTED(PARSE, NUMBER, PARSE, NUMBER, LIST),
     ABORTED(PARSE, NUMBER, LIST), true},
    {"an object allocated elsewhere",
     ASAN(OVERFLOW_TEXT ALLOCATED("400330"), ON_DEATH, REPORT, PARSE, TEST),
     ASAN(OVERFLOW_TEXT ALLOCATED("400410"), ON_DEATH, REPORT, PARSE, TEST), false},
    {"an object allocated there by a helper",
     ASAN(OVERFLOW_TEXT ALLOCATED("400810"), ON_DEATH, REPORT, PARSE, TEST),
     ASAN(OVERFLOW_ELSEWHERE ALLOCATED("400810"), ON_DEATH, REPORT, PARSE, TEST), true},
    {"leaks", LEAK("400310"), LEAK("400410"), false},
    {"a race, the other way round", RACE("400310", "400410"), RACE("400410", "400310"), true},
    {"two races", RACE("400310", "400410"), RACE("400310", "400610"), false},
    {"a leak again", LEAK("400310"), LEAK("400310"), true},
    {"stack overflows of two functions", OVERFLOWED(PARSE, PARSE, PARSE, PARSE, PARSE, PARSE),
     OVERFLOWED(LIST, LIST, LIST, LIST, LIST, LIST), false},
    {"a stack overflow of two functions, noticed in either",
     OVERFLOWED(PARSE, LIST, PARSE, LIST, PARSE, LIST),
     OVERFLOWED(LIST, PARSE, LIST, PARSE, LIST, PARSE), true},
    {"another signal",
     ABORTED(PARSE, TEST),
     {.kind = CFZ_CRASH_SIGNAL, .signo = SIGSEGV, .frames = {PARSE, TEST}},
     false},
    {"the same report of other addresses", ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, PARSE, TEST),
     ASAN(OVERFLOW_ELSEWHERE, ON_DEATH, REPORT, PARSE, TEST), true},
    {"another report", ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, PARSE, TEST),
     ASAN(AFTER_FREE, ON_DEATH, REPORT, PARSE, TEST), false},
    {"the same report elsewhere", ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, PARSE, TEST),
     ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, LIST, TEST), false},
    {"exit",
     {.kind = CFZ_CRASH_EXIT, .code = 3, .frames = {ON_DEATH, ABORT, PARSE, TEST}},
     {.kind = CFZ_CRASH_EXIT, .code = 3, .frames = {ON_DEATH, ABORT, PARSE, TEST}},
     true},
    {"exit with another status",
     {.kind = CFZ_CRASH_EXIT, .code = 3, .frames = {ON_DEATH, ABORT, PARSE, TEST}},
     {.kind = CFZ_CRASH_EXIT, .code = 4, .frames = {ON_DEATH, ABORT, PARSE, TEST}},
     false},
    {"stack overflows, wherever they are noticed",
     {.kind = CFZ_CRASH_SIGNAL,
      .signo = SIGSEGV,
      .code = 1,
      .addr = 0x9000,
      .sp = 0x9100,
      .frames = {PARSE, TEST}},
     {.kind = CFZ_CRASH_SIGNAL,
      .signo = SIGSEGV,
      .code = 1,
      .addr = 0x8000,
      .sp = 0x8010,
      .frames = {LIST, TEST}},
     true},
    {"hangs, wherever they are noticed",
     {.hung = true, .frames = {PARSE}},
     {.hung = true, .frames = {LIST}},
     true},
    {"a signal without a mark", {.status = SIGPIPE}, {.status = SIGPIPE}, true},
    {"two signals without a mark", {.status = SIGPIPE}, {.status = SIGSEGV}, false},
    {"a hang and a crash", {.hung = true}, ABORTED(PARSE), false},
    {"two large allocations in one place",
     {.kind = CFZ_CRASH_ALLOC, .addr = 1 << 30, .frames = {PARSE}},
     {.kind = CFZ_CRASH_ALLOC, .addr = 1 << 29, .frames = {PARSE}},
     true},
    {"large allocations in two places",
     {.kind = CFZ_CRASH_ALLOC, .frames = {PARSE}},
     {.kind = CFZ_CRASH_ALLOC, .frames = {LIST}},
     false},
    {"a large allocation and an abort",
     {.kind = CFZ_CRASH_ALLOC, .frames = {PARSE}},
     ABORTED(PARSE),
     false},
    {"a signal to a parent, twice",
     {.kind = CFZ_CRASH_KILL, .signo = SIGTERM, .frames = {PARSE}},
     {.kind = CFZ_CRASH_KILL, .signo = SIGTERM, .frames = {PARSE}},
     true},
    {"two signals to a parent",
     {.kind = CFZ_CRASH_KILL, .signo = SIGTERM, .frames = {PARSE}},
     {.kind = CFZ_CRASH_KILL, .signo = SIGKILL, .frames = {PARSE}},
     false},
    {"a signal to a parent from two places",
     {.kind = CFZ_CRASH_KILL, .signo = SIGTERM, .frames = {PARSE}},
     {.kind = CFZ_CRASH_KILL, .signo = SIGTERM, .frames = {LIST}},
     false},
    {"stopped twice in one place",
     {.stopped = true, .frames = {PARSE}},
     {.stopped = true, .frames = {PARSE}},
     true},
    {"stopped in two places",
     {.stopped = true, .frames = {PARSE}},
     {.stopped = true, .frames = {LIST}},
     false},
    {"stopped and hung", {.stopped = true}, {.hung = true}, false},
};

static void test_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct crash_signature a = died(&pairs[i].a), b = died(&pairs[i].b);

        if (crash_signature_equal(&a, &b) != pairs[i].equal)
            fail_msg("%s", pairs[i].name);
    }
}

static void test_where(void **state)
{
    static const struct execution aborted = ABORTED(ABORT, PARSE, TEST),
                                  helped = ABORTED(ABORT, DIE, LIST, TEST),
                                  asan = ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, LIST, TEST),
                                  division = ASAN("u.c:6:14: runtime error: division by zero\n",
                                                  ON_DEATH, REPORT, LIST, TEST),
                                  sum = ASAN("u.c:6:14: runtime error: signed integer overflow: "
                                             "2147483647 + 1 cannot be represented in type 'int'\n",
                                             ON_DEATH, REPORT, LIST, TEST),
                                  range = ASAN(
                                      "u.c:6:14: runtime error: 4.29e+09 is outside the range of "
                                      "representable values of type 'int'\n",
                                      ON_DEATH, REPORT, LIST, TEST),
                                  offset = ASAN(
                                      "u.c:6:14: runtime error: addition of unsigned offset to "
                                      "0x7ffe overflowed to 0x7ffd and so on and so forth\n",
                                      ON_DEATH, REPORT, LIST, TEST);

    (void)state;
    assert_string_equal(died(&aborted).where, "Aborted in parse");
    assert_string_equal(died(&helped).where, "Aborted in list"); /* not in die */
    assert_string_equal(died(&asan).where, "AddressSanitizer: heap-buffer-overflow in list");
    assert_string_equal(died(&division).where, "division by zero in list");
    assert_string_equal(died(&sum).where, "signed integer overflow in list");
    assert_string_equal(died(&range).where,
                        "outside the range of representable values of type 'int' in list");
    assert_string_equal(died(&offset).where,
                        "addition of unsigned offset to 0x7ffe overflowed to ... in list");
}

/* Whatever a target wrote over its marks, nothing is read outside of them. */
static void test_nonsense(void **state)
{
    struct execution x = ABORTED(1, UINT64_MAX, BASE);
    struct crash_marks m = {
        .code = {.shm = &shm, .symtab = &symtab}, .ending = &no_ending, .output = ""};
    struct crash_signature sig;

    (void)state;
    died(&x);
    shm.crash.nframes = UINT32_MAX;
    shm.nmodules = UINT32_MAX;
    memset(shm.modules[1].path, 'x', sizeof shm.modules[1].path);
    crash_signature_died(&m, &sig);
    atomic_store(&shm.log_len, UINT32_MAX);
    atomic_store(&shm.fail_log_len, UINT32_MAX);
    memset(shm.log, ' ', sizeof shm.log);
    crash_signature_failed(&m, &sig);
    assert_int_equal(sig.class, CRASH_FAILED);
}

static void test_messages(void **state)
{
    const char *bad = "a.c:3: a note\na.c:7: bad 1\n    second line\na.c:9: after it\n";
    const char *worse = "a.c:7: bad 2\n    third line\n";
    size_t until = strlen("a.c:3: a note\na.c:7: bad 1\n    second line\n");
    struct crash_signature a = failed(bad, until), b = failed(worse, strlen(worse)),
                           c = failed(bad, 14);

    (void)state;
    assert_string_equal(a.where, "a.c:7");
    assert_true(crash_signature_equal(&a, &b));
    assert_string_equal(c.where, "a.c:3");
    assert_false(crash_signature_equal(&a, &c));
    /* cfuzz_fail without a word */
    a = failed("", 0);
    assert_string_equal(a.where, "");
    b = failed("", 0);
    assert_true(crash_signature_equal(&a, &b));
}

/* A new sanitizer needs the prefixes of its functions too. */
static void test_every_sanitizer(void **state)
{
    static const struct execution x = ASAN(OVERFLOW_TEXT, ON_DEATH, REPORT, PARSE, TEST);
    struct crash_signature want = died(&x), sig;

    (void)state;
    for (size_t i = 0; i < sanitizers_count; i++) {
        const char *was = functions[1].name, *flag = sanitizers_all[i].flag;
        char in_c[32], in_cxx[48];

        snprintf(in_c, sizeof in_c, "__%s_report", flag);
        snprintf(in_cxx, sizeof in_cxx, "_ZN%zu__%s6reportEv", strlen(flag) + 2, flag);
        functions[1].name = in_c;
        sig = died(&x);
        assert_string_equal(sig.where, want.where);
        functions[1].name = in_cxx;
        sig = died(&x);
        assert_string_equal(sig.where, want.where);
        functions[1].name = was;
    }
    functions[1].name =
        "_ZL24handleDivremOverflowImplPN7__ubsan12OverflowDataEmmNS_13ReportOptionsE";
    sig = died(&x);
    assert_string_equal(sig.where, want.where);
    functions[1].name = "a_function_of_the_user";
    sig = died(&x);
    assert_string_not_equal(sig.where, want.where);
    functions[1].name = "__asan_report_load1";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),           cmocka_unit_test(test_where),
        cmocka_unit_test(test_nonsense),        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_every_sanitizer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
