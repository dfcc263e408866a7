/*
 * results_test.c - the forms that programs read, character by character, and without memory.
 *
 * Wraps: malloc calloc realloc strdup
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "results/annotations.h"
#include "results/json_events.h"
#include "results/junit.h"
#include "results/result_place.h"
#include "results/sarif.h"
#include "results/tap.h"

#include "failing_alloc.h"

/* ---- JSON -------------------------------------------------------------------------------- */

static void json(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct json_place at = {.now = {1700000000, 5}, .package = "p", .test = "FuzzX/seed#0"};

    (void)state;
    setenv("TZ", "UTC", 1);
    assert_int_equal(json_event(&b, &at, "fail", 0.07, NULL, 0, NULL), 0);
    at.test = NULL;
    assert_int_equal(json_event(&b, &at, "pass", 2, NULL, 0, NULL), 0);
    setenv("TZ", "XYZ-5:30", 1); /* half an hour, east */
    tzset();
    assert_int_equal(json_event_lines(&b, &at, "a \"b\"\\\n\xc3\xa9\tx", 11, NULL), 0);
    setenv("TZ", "UTC", 1);
    tzset();
    assert_string_equal(
        cfz_buf_str(&b),
        "{\"Time\":\"2023-11-14T22:13:20.000000005Z\",\"Action\":\"fail\",\"Package\":\"p\","
        "\"Test\":\"FuzzX/seed#0\",\"Elapsed\":0.07}\n"
        "{\"Time\":\"2023-11-14T22:13:20.000000005Z\",\"Action\":\"pass\",\"Package\":\"p\","
        "\"Elapsed\":2}\n"
        "{\"Time\":\"2023-11-15T03:43:20.000000005+05:30\",\"Action\":\"output\",\"Package\":\"p\","
        "\"Output\":\"a \\\"b\\\"\\\\\\n\"}\n"
        "{\"Time\":\"2023-11-15T03:43:20.000000005+05:30\",\"Action\":\"output\",\"Package\":\"p\","
        "\"Output\":\"\xc3\xa9\\tx\"}\n");
    cfz_buf_release(&b);
}

/* An event of fuzzing is the package's: readers take one of a test for its end. */
static void json_fuzz(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct json_place at = {.now = {1700000000, 5}, .package = "p", .test = "FuzzX"};

    (void)state;
    assert_int_equal(json_event_fuzz(&b, &at, json_fuzz_find("ab12", 7, 2, 9), NULL), 0);
    assert_string_equal(
        cfz_buf_str(&b),
        "{\"Time\":\"2023-11-14T22:13:20.000000005Z\",\"Action\":\"fuzz\",\"Package\":\"p\","
        "\"Fuzz\":{\"Event\":\"find\",\"File\":\"ab12\",\"Size\":7,\"NewBits\":2,\"Total\":9,"
        "\"Test\":\"FuzzX\"}}\n");
    cfz_buf_release(&b);
}

/* ---- TAP --------------------------------------------------------------------------------- */

static const struct result_crash crash = {.kind = "Aborted",
                                          .where = "Aborted at a.c:4",
                                          .line = "a.c:4",
                                          .function = "f",
                                          .identity = "1.2.3.4",
                                          .file = "",
                                          .command = "cfuzz-test '-run=FuzzX/seed#0'"};

static void tap(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct result passed = {.test = "FuzzX/seed#0", .kind = RESULT_PASSED};
    struct result skipped = {
        .test = "FuzzX/a\\b", .kind = RESULT_SKIPPED, .text = "why # not\n    x"};
    struct result bare = {.test = "FuzzX", .kind = RESULT_SKIPPED};
    struct result failed = {.test = "FuzzX", .kind = RESULT_FAILED, .text = "x \"y\"\t\\\nz"};
    struct result crashed = {.test = "FuzzX", .kind = RESULT_FAILED, .crash = &crash};

    (void)state;
    assert_int_equal(tap_begin(&b, NULL), 0);
    assert_int_equal(tap_lines(&b, "1..7\n\nok 1", 10, NULL), 0);
    assert_int_equal(tap_result(&b, 1, NULL, &passed, NULL), 0);
    assert_int_equal(tap_result(&b, 2, "a#b", &skipped, NULL), 0);
    assert_int_equal(tap_result(&b, 3, NULL, &bare, NULL), 0);
    assert_int_equal(tap_result(&b, 4, NULL, &failed, NULL), 0);
    assert_int_equal(tap_result(&b, 5, NULL, &crashed, NULL), 0);
    assert_int_equal(tap_end(&b, 5, NULL), 0);
    assert_int_equal(tap_end(&b, 0, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), "TAP version 13\n"
                                         "# 1..7\n#\n# ok 1\n"
                                         "ok 1 - FuzzX/seed\\#0\n"
                                         "ok 2 - a\\#b: FuzzX/a\\\\b # SKIP why \\# not\n"
                                         "ok 3 - FuzzX # SKIP\n"
                                         "not ok 4 - FuzzX\n"
                                         "  ---\n"
                                         "  message: \"x \\\"y\\\"\\t\\\\\"\n"
                                         "  ...\n"
                                         "not ok 5 - FuzzX\n"
                                         "  ---\n"
                                         "  message: \"Aborted at a.c:4\"\n"
                                         "  at: \"a.c:4\"\n"
                                         "  function: \"f\"\n"
                                         "  identity: \"1.2.3.4\"\n"
                                         "  rerun: \"cfuzz-test '-run=FuzzX/seed#0'\"\n"
                                         "  ...\n"
                                         "1..5\n"
                                         "1..0 # SKIP no tests\n");
    cfz_buf_release(&b);
}

/* ---- JUnit ------------------------------------------------------------------------------- */

static void xml_text(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(junit_escape(&b, "<a b=\"c\">&]]>\n\t\x01\x1f\x7f\xc3\xa9\xff", 21, NULL), 0);
    assert_string_equal(cfz_buf_str(&b),
                        "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;\n\t\\x01\\x1f\\x7f\xc3\xa9\\xff");
    cfz_buf_release(&b);
}

/* The line that says why has the place of the crash in front; otherwise the crash is named. */
static void message(void **state)
{
    struct result r = {.test = "FuzzX",
                       .text = "    --- FAIL: FuzzX (0.00s)\n        a.c:4: bad\n  b.c:1: x\n",
                       .crash = &crash};
    size_t len;
    const char *text = result_message(&r, &len);

    (void)state;
    assert_int_equal(len, strlen("a.c:4: bad"));
    assert_memory_equal(text, "a.c:4: bad", len);
    r.text = "signal\nstack:\n    #0 f a.c:4:7\n";
    text = result_message(&r, &len);
    assert_int_equal(len, strlen("Aborted at a.c:4"));
    assert_memory_equal(text, "Aborted at a.c:4", len);
    r.crash = NULL;
    text = result_message(&r, &len);
    assert_int_equal(len, 6);
    r.text = NULL;
    result_message(&r, &len);
    assert_int_equal(len, 0);
    /* The last thing that a test said which skipped an input is why. */
    r.kind = RESULT_SKIPPED;
    r.text = "    a.c:3: a log line\n        of two\n    a.c:4: why\n        in two\n\n";
    text = result_message(&r, &len);
    assert_int_equal(len, strlen("a.c:4: why"));
    assert_memory_equal(text, "a.c:4: why", len);
}

/* ---- places ------------------------------------------------------------------------------ */

static void places(void **state)
{
    static const struct {
        const char *dir, *line, *root, *file;
        unsigned number;
    } cases[] = {
        {"/no/p", "a.c:4", "/no", "p/a.c", 4},
        {"/no/p", "a.c:4", "/no/p", "a.c", 4},
        {"/no/p", "a.c:4", "/n", "/no/p/a.c", 4},
        {"/no/p", "/no/lib/b:c.c:12", "/no", "lib/b:c.c", 12},
        {"/no/p", "a.c:4", "/", "/no/p/a.c", 4},
        {"/no/p", "a.c", "/no", NULL, 0},
        {"/no/p", "", "/no", NULL, 0},
        {"/no/p", ":4", "/no", NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct result_place p;

        assert_int_equal(result_place_find(cases[i].dir, cases[i].line, cases[i].root, &p, NULL),
                         0);
        assert_int_equal(p.line, cases[i].number);
        if (cases[i].file == NULL)
            assert_null(p.file);
        else
            assert_string_equal(p.file, cases[i].file);
        result_place_release(&p);
    }
}

/* ---- no memory --------------------------------------------------------------------------- */

static int all_forms(struct cfz_error *err)
{
    struct result_list l = RESULT_LIST_INIT;
    struct cfz_buf b = CFZ_BUF_INIT;
    struct result r = {
        .test = "FuzzX", .kind = RESULT_FAILED, .text = "a.c:4: <x>\n", .crash = &crash};
    struct json_place at = {.package = "p", .test = "FuzzX"};
    struct fuzz_status s = {.doing = "fuzzing"};
    int ret = -1;

    if (result_list_begin(&l, "p", "/p", "asan", err) < 0 || result_list_add(&l, &r, err) < 0 ||
        result_list_end(&l, RESULT_BROKEN, 1, "why", err) < 0 || junit_write(&b, &l, err) < 0 ||
        tap_result(&b, 1, NULL, &r, err) < 0 || json_event_lines(&b, &at, "a\nb\n", 4, err) < 0 ||
        json_event_fuzz(&b, &at, json_fuzz_progress(&s), err) < 0 ||
        json_event_fuzz(&b, &at, json_fuzz_crash(&crash, true), err) < 0 ||
        sarif_write(&b, &l, true, true, err) < 0 || annotation(&b, "/p", &r, err) < 0)
        goto out;
    ret = 0;
out:
    result_list_release(&l);
    cfz_buf_release(&b);
    return ret;
}

static void no_memory(void **state)
{
    long n = 0;

    (void)state;
    for (;; n++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        int ret;

        fail_at = n;
        ret = all_forms(&err);
        if (fail_at >= 0) { /* none was left to fail */
            fail_at = -1;
            assert_int_equal(ret, 0);
            break;
        }
        fail_at = -1;
        if (ret < 0)
            assert_int_equal(err.code, CFZ_ENOMEM);
    }
    if (n < 15)
        fail_msg("only %ld allocations: the test tests nothing", n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json),      cmocka_unit_test(json_fuzz), cmocka_unit_test(tap),
        cmocka_unit_test(xml_text),  cmocka_unit_test(message),   cmocka_unit_test(places),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
