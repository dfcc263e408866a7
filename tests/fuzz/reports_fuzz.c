/*
 * reports_fuzz.c - what sanitizers and the symbolizer write.
 *
 * The target writes to the same descriptor, so a report may be anything.
 */
//cfuzz:sources ../../cfuzz-test/stack/frames.c ../../cfuzz-test/stack/sanitizer_report.c
//cfuzz:sources ../../cfuzz-test/stack/symbolizer.c ../../cfuzz-test/base/subprocess.c
//cfuzz:sources ../../cfuzz-test/base/interrupt.c ../../cfuzz-test/base/fd_limit.c
//cfuzz:sources ../../cfuzz-test/base/array.c
//cfuzz:sources ../../cfuzz-test/stack/debug_info.c
//cfuzz:ldflags -ldw
#include "fuzz.h"

#include "stack/sanitizer_report.h"
#include "stack/symbolizer.h"

FUZZ_SETUP(FuzzSanitizerReport)(cfuzz_f *f)
{
    cfuzz_add(f,
              "own output\n"
              "=================================================================\n"
              "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp "
              "0x7f sp 0x7f\n"
              "READ of size 4 at 0x602 thread T0\n"
              "    #0 0x55d0 in parse /p/url.c:41:9\n"
              "    #1 0x55d1 in FuzzX /p/url.c:80:5 (x.test+0x12) (BuildId: 93ac)\n"
              "    #2 0x55d2 in cfz_call (x.test+0x13)\n\n"
              "0x602 is located 0 bytes after 16-byte region [0x5f,0x602)\n"
              "allocated by thread T0 here:\n"
              "    #0 0x55d3 in malloc (x.test+0x14)\n"
              "    #1 0x55d4 in parse /p/url.c:30:9\n\n"
              "SUMMARY: AddressSanitizer: heap-buffer-overflow /p/url.c:41:9 in parse\n"
              "Shadow bytes around the buggy address:\n"
              "=>0x0c: fa fa[fa]\n==12==ABORTING\n");
    cfuzz_add(f, "Address 0x7f is located in stack of thread T0 at offset 48 in frame\n"
                 "==3==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f\n"
                 "Address 0x7f is located in stack of thread T0 at offset 48 in frame\n"
                 "  This frame has 1 object(s):\n"
                 "    [32, 48) 'buf' (line 7) <== Memory access at offset 48 overflows\n");
    cfuzz_add(f, "/p/url.c:41:9: runtime error: shift exponent 77 is too large\n    #0 0x1 in f "
                 "/p/url.c:41:9\n    #1 0x2 in f /p/url.c:41:9\n");
    cfuzz_add(f,
              "WARNING: ThreadSanitizer: data race (pid=3)\n  Write of size 4 at 0x5 by main "
              "thread:\n    #0 f /p/a.c:3:1 (x+0x1)\n  Location is global 'v' of size 4 at 0x5\n");
    cfuzz_add(f,
              "==9==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 16 byte(s) in 1 "
              "object(s) allocated from:\n    #0 0x1 in malloc\n0x6 is located 3 bytes to the "
              "left of global variable 'tab' defined in 'a.c:1' (0x5) of size 12\n");
}

/* A report is found where it begins; what is made of it ends, and grows with the report only. */
FUZZ_TEST(FuzzSanitizerReport, string)(cfuzz_t *t, const char *output)
{
    struct sanitizer_report r = SANITIZER_REPORT_INIT;
    size_t len = strlen(output), lines = 1;
    char line[256] = "";
    struct cfz_error err;
    bool found, has_line;

    error_clear(&err);
    for (const char *s = output; *s != '\0'; s++)
        lines += *s == '\n';
    has_line = sanitizer_report_line(output, line);
    CHECK(t, sanitizer_report_read(output, "/p", "FuzzX", &found, &r, &err) == 0);
    CHECK(t, found == has_line && strnlen(line, sizeof line) < sizeof line);
    CHECK(t, r.start <= len);
    CHECK(t, strnlen(r.summary, sizeof r.summary) < sizeof r.summary);
    CHECK(t, strnlen(r.tool, sizeof r.tool) < sizeof r.tool);
    CHECK(t, found || (r.stack.len == 0 && r.rest.len == 0 && r.summary[0] == '\0'));
    /* A line gets a number and an indent; of a repeated sequence stays one, and a line about it. */
    CHECK(t, r.stack.len + r.rest.len <= len + 64 * lines);
    CHECK(t, r.stack.len == 0 || r.stack.data[r.stack.len - 1] == '\n');
    CHECK(t, r.rest.len == 0 || r.rest.data[r.rest.len - 1] == '\n');
    sanitizer_report_release(&r);
}

FUZZ_SETUP(FuzzSymbolizerAnswer)(cfuzz_f *f)
{
    cfuzz_add(f, "digit\n/p/url.c:3:1\nurl_parse\n/p/url.c:8:2\n\n??\n??:0:0\n\n");
    cfuzz_add(f, "\n\n\na\n");
}

/* Frames follow each other in the answer, and end. */
FUZZ_TEST(FuzzSymbolizerAnswer, string)(cfuzz_t *t, const char *answer)
{
    struct symbolizer_walk w = {.at = answer};
    struct symbolizer_frame f;
    const char *end = answer + strlen(answer), *behind = answer;
    uint32_t address = 0;

    while (symbolizer_next(&w, &f)) {
        CHECK(t, f.function >= behind && f.function + f.function_len < f.place);
        CHECK(t, f.place + f.place_len <= end && w.at <= end && w.at > f.function);
        CHECK(t, f.address >= address && f.address <= address + 1);
        CHECK(t, memchr(f.function, '\n', f.function_len) == NULL);
        behind = f.place + f.place_len;
        address = f.address;
    }
}
