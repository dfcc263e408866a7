/*
 * lf_flags_test.c - libFuzzer's command lines, as ClusterFuzz and OSS-Fuzz write them.
 *
 * Wraps: report_message
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "libfuzzer/lf_flags.h"

static char said[512];

void __wrap_report_message(const char *fmt, ...);
void __wrap_report_message(const char *fmt, ...)
{
    size_t len = strlen(said);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(said + len, sizeof said - len, fmt, ap);
    va_end(ap);
    strcat(said, "\n");
}

/* Reads the words of line. */
static int parse(const char *line, struct lf_flags *f, struct cfz_error *err)
{
    static struct strlist words;

    strlist_release(&words);
    said[0] = '\0';
    assert_int_equal(strlist_split(&words, line, strlen(line), NULL), 0);
    return lf_flags_parse((int)words.n, words.v, f, err);
}

static void test_defaults(void **state)
{
    struct lf_flags f;

    (void)state;
    assert_int_equal(lf_flags_parse(0, NULL, &f, NULL), 0);
    assert_int_equal(f.runs, -1);
    assert_int_equal(f.timeout, 1200);
    assert_int_equal(f.rss_limit_mb, 2048);
    assert_int_equal(f.error_exitcode, 77);
    assert_int_equal(f.timeout_exitcode, 70);
    assert_null(f.dict);
    assert_int_equal(f.inputs.n, 0);
    lf_flags_release(&f);
}

static void test_clusterfuzz(void **state)
{
    struct lf_flags f;

    (void)state;
    assert_int_equal(
        parse("-timeout=25 -rss_limit_mb=2560 -use_value_profile=1 -dict=/t/T.dict "
              "-artifact_prefix=/t/ -max_total_time=300 -print_final_stats=1 /new /old",
              &f, NULL),
        0);
    assert_int_equal(f.timeout, 25);
    assert_int_equal(f.rss_limit_mb, 2560);
    assert_string_equal(f.dict, "/t/T.dict");
    assert_string_equal(f.artifact_prefix, "/t/");
    assert_int_equal(f.inputs.n, 2);
    assert_string_equal(f.inputs.v[1], "/old");
    assert_string_equal(said, "");
    lf_flags_release(&f);
    /* run_fuzzer has a lone -- in front, which is passed over with one line for all such words. */
    assert_int_equal(parse("-- -seed=1337 --x --y=2 -runs=4", &f, NULL), 0);
    assert_int_equal(f.runs, 4);
    assert_int_equal(f.seed, 1337);
    assert_string_equal(said, "INFO: libFuzzer ignores flags that start with '--'\n");
    lf_flags_release(&f);
}

static void test_odd(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct lf_flags f;

    (void)state;
    assert_int_equal(parse("-foo=1 -runs -seed=4000000000 -", &f, NULL), 0);
    assert_string_equal(said,
                        "WARNING: unrecognized flag '-foo=1'; use -help=1 to list all flags\n"
                        "WARNING: unrecognized flag '-runs'; use -help=1 to list all flags\n");
    assert_int_equal((unsigned)f.seed, 4000000000u);
    assert_int_equal(f.inputs.n, 1);
    lf_flags_release(&f);
    assert_int_equal(parse("-ignore_remaining_args=1 -runs=x dir", &f, NULL), 0);
    assert_int_equal(f.inputs.n, 0);
    lf_flags_release(&f);
    assert_int_equal(parse("-runs=10k", &f, &err), -1);
    assert_int_equal(err.code, CFZ_EUSAGE);
    assert_string_equal(err.text, "-runs=10k: not a number");
    assert_int_equal(parse("-timeout=99999999999", &f, &err), -1);
    assert_string_equal(err.text, "-timeout=99999999999: out of range");
    assert_int_equal(parse("-max_len=-99999999999999999999", &f, &err), -1);
    assert_string_equal(err.text, "-max_len=-99999999999999999999: out of range");
    assert_int_equal(parse("-seed=4294967296", &f, &err), -1);
    assert_string_equal(err.text, "-seed=4294967296: out of range");
    assert_int_equal(parse("-max_len=-1", &f, &err), -1);
    assert_string_equal(err.text, "-max_len=-1: a length is not below 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_clusterfuzz),
        cmocka_unit_test(test_odd),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
