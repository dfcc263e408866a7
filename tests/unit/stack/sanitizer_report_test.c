/*
 * sanitizer_report_test.c - reports of every sanitizer, of old and new versions, as the parts that
 * a message shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sanitizers.h"
#include "stack/sanitizer_report.h"

/* What stands below the test in each stack. */
#define BELOW                                                                                      \
    "    #8 0x5 in cfz_call_invoke /src/runtime/target/call.h:37:9\n"                                     \
    "    #9 0x5 in run_once /src/runtime/server/worker_server.c:150:15\n"

static const struct {
    const char *name, *report, *tool, *summary, *stack, *rest;
} cases[] = {
    {"heap overflow",
     "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x5020 at pc 0x55 bp 0x7f sp "
     "0x7e\n"
     "READ of size 4 at 0x5020 thread T0\n"
     "    #0 0x1 in __asan_memcpy (/bin/x+0x1)\n"
     "    #1 0x1 in parse /pkg/sub/a.c:9:85\n"
     "    #2 0x1 in FuzzX /pkg/a.c:20:5\n" BELOW "\n"
     "0x5020 is located 0 bytes after 16-byte region [0x5010,0x5020)\n"
     "allocated by thread T0 here:\n"
     "    #0 0x1 in __interceptor_malloc\n"
     "    #1 0x1 in parse /pkg/sub/a.c:9:66\n" BELOW "\n"
     "SUMMARY: AddressSanitizer: heap-buffer-overflow /pkg/sub/a.c:9:85 in parse\n"
     "Shadow bytes around the buggy address:\n"
     "  0x502f: 00 00\n"
     "=>0x5030: fa[03]\n"
     "Shadow byte legend (one shadow byte represents 8 application bytes):\n"
     "  Addressable:           00\n"
     "==9==ABORTING\n",
     "AddressSanitizer",
     "AddressSanitizer: heap-buffer-overflow: read of 4 bytes, just past the end of a heap object "
     "of "
     "16 bytes, at sub/a.c:9:85",
     "#0 memcpy\n#1 parse sub/a.c:9:85\n#2 FuzzX a.c:20:5\n",
     "allocated by thread T0 here:\n    #0 malloc\n    #1 parse sub/a.c:9:66\n"},
    {"heap overflow, as LLVM 14 says it",
     "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x5020 at pc 0x55 bp 0x7f sp "
     "0x7e\n"
     "WRITE of size 1 at 0x5020 thread T0\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n\n"
     "0x5020 is located 3 bytes to the left of 16-byte region [0x5010,0x5020)\n",
     "AddressSanitizer",
     "AddressSanitizer: heap-buffer-overflow: write of 1 byte, 3 bytes before a heap object of 16 "
     "bytes, at a.c:9:8",
     "#0 f a.c:9:8\n", ""},
    {"use after free",
     "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x5 at pc 0x5 bp 0x7 sp 0x7\n"
     "READ of size 1 at 0x5 thread T0\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n\n"
     "0x5 is located 1 bytes inside of 6-byte region [0x4,0xa)\n"
     "freed by thread T0 here:\n"
     "    #0 0x1 in __interceptor_free\n"
     "    #1 0x1 in g /pkg/a.c:7:8\n\n"
     "previously allocated by thread T0 here:\n"
     "    #0 0x1 in __interceptor_malloc\n\n",
     "AddressSanitizer",
     "AddressSanitizer: heap-use-after-free: read of 1 byte, 1 byte into a heap object of 6 bytes, "
     "at "
     "a.c:9:8",
     "#0 f a.c:9:8\n",
     "freed by thread T0 here:\n    #0 free\n    #1 g a.c:7:8\n"
     "previously allocated by thread T0 here:\n    #0 malloc\n"},
    {"double free",
     "==9==ERROR: AddressSanitizer: attempting double-free on 0x502000000270 in thread T0:\n"
     "    #0 0x1 in __interceptor_free\n    #1 0x1 in g /pkg/a.c:7:8\n\n"
     "0x502000000270 is located 0 bytes inside of 6-byte region [0x502000000270,0x502000000276)\n",
     "AddressSanitizer",
     "AddressSanitizer: attempting double-free: at the start of a heap object of 6 bytes, at "
     "a.c:7:8",
     "#0 free\n#1 g a.c:7:8\n", ""},
    {"global: the nearest",
     "==9==ERROR: AddressSanitizer: global-buffer-overflow on address 0x5 at pc 0x5 bp 0x7 sp 0x7\n"
     "WRITE of size 1 at 0x5 thread T0\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n\n"
     "0x5 is located 34 bytes before global variable 'shared' defined in 's.c' (0x55) of size 4\n"
     "0x5 is located 2 bytes before global variable 'tab' defined in 's.c' (0x55) of size 12\n"
     "0x5 is located 26 bytes after global variable 'sink' defined in 's.c' (0x55) of size 4\n",
     "AddressSanitizer",
     "AddressSanitizer: global-buffer-overflow: write of 1 byte, 2 bytes before global 'tab' of 12 "
     "bytes, at a.c:9:8",
     "#0 f a.c:9:8\n", ""},
    {"stack variable",
     "==9==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7 at pc 0x5 bp 0x7 sp 0x7\n"
     "READ of size 1 at 0x7 thread T0\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n\n"
     "Address 0x7 is located in stack of thread T0 at offset 50 in frame\n"
     "    #0 0x1 in f /pkg/a.c:5\n\n"
     "  This frame has 2 object(s):\n"
     "    [32, 48) 'buf' (line 7) <== Memory access at offset 50 overflows this variable\n"
     "    [64, 72) 'other' (line 8)\n"
     "HINT: this may be a false positive if your program uses some custom stack unwind mechanism\n"
     "      (longjmp and C++ exceptions *are* supported)\n",
     "AddressSanitizer",
     "AddressSanitizer: stack-buffer-overflow: read of 1 byte, 2 bytes past the end of 'buf' of 16 "
     "bytes on the stack, at a.c:9:8",
     "#0 f a.c:9:8\n", ""},
    {"wild pointer",
     "==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x5 bp 0x7 sp 0x7 "
     "T0)\n"
     "==9==The signal is caused by a WRITE memory access.\n"
     "==9==Hint: address points to the zero page.\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n\n"
     "==9==Register values:\n"
     "rax = 0x0000000000000000  rbx = 0x0000559deb4e6880  \n"
     " r8 = 0x0000000000000000   r9 = 0x0000000000000000  \n"
     "AddressSanitizer can not provide additional info.\n",
     "AddressSanitizer", "AddressSanitizer: SEGV on unknown address 0x000000000008, at a.c:9:8",
     "#0 f a.c:9:8\n", ""},
    {"stack overflow: folded",
     "==9==ERROR: AddressSanitizer: stack-overflow on address 0x7 (pc 0x5 bp 0x7 sp 0x7 T0)\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n    #1 0x1 in g /pkg/a.c:4:8\n    #2 0x1 in f /pkg/a.c:9:8\n"
     "    #3 0x1 in g /pkg/a.c:4:8\n",
     "AddressSanitizer", "AddressSanitizer: stack-overflow, at a.c:9:8",
     "#0 f a.c:9:8\n#1 g a.c:4:8\n   and 1 time more these 2\n", ""},
    {"leaks",
     "==9==ERROR: LeakSanitizer: detected memory leaks\n\n"
     "Direct leak of 66 byte(s) in 1 object(s) allocated from:\n"
     "    #0 0x1 in __interceptor_malloc\n    #1 0x1 in f /pkg/a.c:9:8\n" BELOW "\n"
     "Indirect leak of 10 byte(s) in 2 object(s) allocated from:\n"
     "    #0 0x1 in __interceptor_malloc\n    #1 0x1 in g /pkg/a.c:4:8\n" BELOW "\n"
     "SUMMARY: AddressSanitizer: 76 byte(s) leaked in 2 allocation(s).\n",
     "LeakSanitizer",
     "LeakSanitizer: detected memory leaks: 66 bytes in 1 object, allocated at a.c:9:8",
     "#0 malloc\n#1 f a.c:9:8\n",
     "Indirect leak of 10 byte(s) in 2 object(s) allocated from:\n    #0 malloc\n    #1 g "
     "a.c:4:8\n"},
    {"undefined behaviour",
     "/pkg/a.c:17:61: runtime error: shift exponent 77 is too large for 32-bit type 'int'\n"
     "    #0 0x1 in shift /pkg/a.c:17:61\n    #1 0x1 in FuzzX /pkg/a.c:27:114\n    #2 0x1 in x\n\n"
     "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.c:17:61 \n",
     "UndefinedBehaviorSanitizer",
     "a.c:17:61: runtime error: shift exponent 77 is too large for 32-bit type 'int'",
     "#0 shift a.c:17:61\n#1 FuzzX a.c:27:114\n", ""},
    {"uninitialised, without a symbolizer",
     "==9==WARNING: MemorySanitizer: use-of-uninitialized-value\n"
     "    #0 0x55dbdff545b6  (/tmp/cache/x.test+0xcd5b6) (BuildId: 2d26)\n"
     "    #1 0x7f00  (/lib/libc.so.6+0x27249) (BuildId: 93ac)\n\n"
     "  Uninitialized value was created by a heap allocation\n"
     "    #0 0x1 in __interceptor_malloc\n",
     "MemorySanitizer", "MemorySanitizer: use-of-uninitialized-value",
     "#0 ?? x.test+0xcd5b6\n#1 ?? libc.so.6+0x27249\n",
     "Uninitialized value was created by a heap allocation\n    #0 malloc\n"},
    {"data race, symbolized by the sanitizer",
     "WARNING: ThreadSanitizer: data race (pid=13495)\n"
     "  Write of size 4 at 0x55aa9e35d868 by thread T1:\n"
     "    #0 add /pkg/a.c:19:53 (x.test+0xe7ef9) (BuildId: 0ed9)\n\n"
     "  Previous write of size 4 at 0x55aa9e35d868 by main thread:\n"
     "    #0 race /pkg/a.c:20:101 (x.test+0xe7e01)\n"
     "    #1 FuzzX /pkg/a.c:28:37 (x.test+0xe79d3)\n"
     "    #2 call /rt/call.c:1:1 (x.test+0xe79d3)\n\n"
     "  Location is global 'shared' of size 4 at 0x55aa9e35d868 (x.test+0x14bc868)\n\n"
     "SUMMARY: ThreadSanitizer: data race /pkg/a.c:19:53 in add\n"
     "==================\nThreadSanitizer: reported 1 warnings\n",
     "ThreadSanitizer", "ThreadSanitizer: data race: write of 4 bytes by thread T1, at a.c:19:53",
     "#0 add a.c:19:53\n",
     "Previous write of size 4 by main thread:\n    #0 race a.c:20:101\n    #1 FuzzX a.c:28:37\n"
     "Location is global 'shared' of size 4 (x.test+0x14bc868)\n"},
    {"an error of the sanitizer itself",
     "MemorySanitizer: CHECK failed: a.h:177 \"((x)) != (0)\" (0x0, 0x0) (tid=12312)\n"
     "    #0 0x1 in f /pkg/a.c:9:8\n",
     "MemorySanitizer",
     "MemorySanitizer: CHECK failed: a.h:177 \"((x)) != (0)\" (0x0, 0x0), at a.c:9:8",
     "#0 f a.c:9:8\n", ""},
    {"cut off in the middle of everything",
     "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address\nREAD of size \n    #0 0x1 in\n"
     "    #1\n0x5020 is located 0 bytes after\n0x5 is located 3 bytes after global variable 'a\n#",
     "AddressSanitizer", "AddressSanitizer: heap-buffer-overflow on address", "#0 0x1 in\n",
     "READ of size \n#1\n0x5020 is located 0 bytes after\n"
     "0x5 is located 3 bytes after global variable 'a\n#\n"},
};

static void check(const char *name, const char *what, const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        fail_msg("%s: %s: got\n%s\nwant\n%s", name, what, got, want);
}

static void test_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sanitizer_report r = SANITIZER_REPORT_INIT;
        bool found = false;

        assert_int_equal(sanitizer_report_read(cases[i].report, "/pkg", "FuzzX", &found, &r, NULL),
                         0);
        assert_true(found);
        check(cases[i].name, "tool", r.tool, cases[i].tool);
        check(cases[i].name, "summary", r.summary, cases[i].summary);
        check(cases[i].name, "stack", cfz_buf_str(&r.stack), cases[i].stack);
        check(cases[i].name, "rest", cfz_buf_str(&r.rest), cases[i].rest);
        assert_int_equal(r.start, 0);
        sanitizer_report_release(&r);
    }
}

static void check_start(const char *own, const char *report, bool want)
{
    struct sanitizer_report r = SANITIZER_REPORT_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    bool found = false;

    assert_int_equal(cfz_buf_puts(&text, own, NULL), 0);
    assert_int_equal(cfz_buf_puts(&text, report, NULL), 0);
    assert_int_equal(sanitizer_report_read(cfz_buf_str(&text), "/pkg", "FuzzX", &found, &r, NULL),
                     0);
    assert_int_equal(found, want);
    if (found)
        assert_int_equal(r.start, strlen(own));
    cfz_buf_release(&text);
    sanitizer_report_release(&r);
}

/* What the target wrote is what is before the report and its ornaments. */
static void test_own(void **state)
{
    (void)state;
    check_start(
        "one\n==== two\n",
        "AddressSanitizer:DEADLYSIGNAL\n=================\n==9==ERROR: AddressSanitizer: SEGV\n",
        true);
    check_start("one\n", "\n=======\n==9==ERROR: LeakSanitizer: detected memory leaks\n", true);
    check_start("", "==9==ERROR: AddressSanitizer: SEGV", true);
    /* The last report is the one that ended the process. */
    check_start("==9==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of\n",
                "a.c:1:1: runtime error: x\n", true);
    check_start("ERROR: something else\nAddressSanitizer is what is meant\n", "", false);
}

static void test_line(void **state)
{
    char text[256];

    (void)state;
    assert_true(sanitizer_report_line(
        "noise\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address "
        "0x1\nREAD of size 1\n",
        text));
    assert_string_equal(text, "AddressSanitizer: heap-buffer-overflow on address 0x1");
    assert_true(
        sanitizer_report_line("a\nx.c:3:5: runtime error: signed integer overflow\n    #0", text));
    assert_string_equal(text, "x.c:3:5: runtime error: signed integer overflow");
    assert_true(
        sanitizer_report_line("==9==WARNING: MemorySanitizer: use-of-uninitialized-value", text));
    assert_string_equal(text, "MemorySanitizer: use-of-uninitialized-value");
    assert_false(sanitizer_report_line("ERROR: something else\n", text));
}

/* A new sanitizer needs its name among the tools too. */
static void test_every_sanitizer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sanitizers_count; i++) {
        char line[80], what[80], text[256];

        snprintf(what, sizeof what, "%s: something", sanitizers_all[i].name);
        snprintf(line, sizeof line, "==7==ERROR: %s\n", what);
        assert_true(sanitizer_report_line(line, text));
        assert_string_equal(text, what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_every_sanitizer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
