/*
 * symbolize_report_test.c - bare addresses of a sanitizer's report to source lines, with a
 * symbolizer that is a script.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stack/symbolize_report.h"

/* Answers each argument behind the first, as llvm-symbolizer does: 0x30 is inlined into 0x20. */
static const char symbolizer[] =
    "#!/bin/sh\nshift\nfor a; do case $a in\n"
    "*0x10) printf 'malloc\\n??:0:0\\n\\n' ;;\n"
    "*0x20) printf 'parse\\n/p/u.c:7:9\\n\\n' ;;\n"
    "*0x30) printf 'digit\\n/p/u.c:3:1\\nparse\\n/p/u.c:8:2\\n\\n' ;;\n"
    "*'\"/p q/u.test\" 0x40') printf 'FuzzU\\n/p/u.c:20:5\\n\\n' ;;\n"
    "*) printf '??\\n??:0:0\\n\\n' ;;\nesac; done\n";

static const char report[] =
    "a line of the target\n"
    "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 (pc 0x55)\n"
    "    #0 0x5530  (/p/u.test+0x30) (BuildId: 93ac)\n"
    "    #1 0x5540  (/p q/u.test+0x40)\n"
    "    #2 0x5550  (/lib/libc.so.6+0x50)\n"
    "\n"
    "freed by thread T0 here:\n"
    "    #0 0x5510  (/p/u.test+0x10)\n"
    "    #1 0x5520 in already /p/u.c:1 (/p/u.test+0x20)\n"
    "    #2 0x5520  (/p/u.test+0x20)\n"
    "SUMMARY: AddressSanitizer: heap-use-after-free (/p/u.test+0x20) (BuildId: 93ac) \n"
    "#1 of the target (/p/u.test+0x)\n"
    "not ended (/p/u.test+0x20)";

static const char want[] =
    "a line of the target\n"
    "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 (pc 0x55)\n"
    "    #0 0x5530 in digit /p/u.c:3:1\n"
    "    #1 0x5530 in parse /p/u.c:8:2\n"
    "    #2 0x5540 in FuzzU /p/u.c:20:5\n"
    "    #3 0x5550  (/lib/libc.so.6+0x50)\n"
    "\n"
    "freed by thread T0 here:\n"
    "    #0 0x5510 in malloc\n"
    "    #1 0x5520 in already /p/u.c:1 (/p/u.test+0x20)\n"
    "    #1 0x5520 in parse /p/u.c:7:9\n"
    "SUMMARY: AddressSanitizer: heap-use-after-free /p/u.c:7:9 in parse\n"
    "#1 of the target (/p/u.test+0x)\n"
    "not ended (/p/u.test+0x20)";

static char path[] = "/tmp/symbolize_report_test.XXXXXX";

static int write_script(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    if (fd < 0 || write(fd, symbolizer, sizeof symbolizer - 1) != (ssize_t)(sizeof symbolizer - 1))
        return -1;
    return fchmod(fd, 0700) + close(fd);
}

static int remove_script(void **state)
{
    (void)state;
    return unlink(path);
}

static void check(const char *program, const char *in, const char *out)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    assert_int_equal(cfz_buf_puts(&text, in, NULL), 0);
    assert_int_equal(symbolize_report(program, &text, NULL), 0);
    assert_string_equal(cfz_buf_str(&text), out);
    cfz_buf_release(&text);
}

static void test_report(void **state)
{
    (void)state;
    check(path, report, want);
}

/* Without a symbolizer, or with one that fails, nothing changes. */
static void test_none(void **state)
{
    (void)state;
    check(NULL, report, report);
    check("/does/not/exist", report, report);
    check("/bin/false", report, report);
    check("/bin/true", report, report);
    check(path, "", "");
    check(path, "no report\n", "no report\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, write_script, remove_script);
}
