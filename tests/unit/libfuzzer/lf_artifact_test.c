/*
 * lf_artifact_test.c - names and texts of artifacts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/io.h"
#include "libfuzzer/lf_artifact.h"
#include "libfuzzer/lf_input.h"

static void test_base64(void **state)
{
    static const struct {
        const char *bytes, *want; /* RFC 4648, section 10 */
    } cases[] = {{"", ""},
                 {"f", "Zg=="},
                 {"fo", "Zm8="},
                 {"foo", "Zm9v"},
                 {"foob", "Zm9vYg=="},
                 {"fooba", "Zm9vYmE="},
                 {"foobar", "Zm9vYmFy"},
                 {"\xfb\xff\xfe", "+//+"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;

        assert_int_equal(
            lf_base64((const uint8_t *)cases[i].bytes, strlen(cases[i].bytes), &out, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].want);
        cfz_buf_release(&out);
    }
}

static void test_write(void **state)
{
    char dir[] = "/tmp/lf_artifact.XXXXXX", prefix[64], want[256];
    struct cfz_buf bytes = CFZ_BUF_INIT, out = CFZ_BUF_INIT, read = CFZ_BUF_INIT;
    struct lf_flags f = {.artifact_prefix = prefix};

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(prefix, sizeof prefix, "%s/x-", dir);
    assert_int_equal(cfz_buf_append(&bytes, "FU\0\\", 4, NULL), 0);
    assert_int_equal(lf_artifact_write(&f, "oom", &bytes, &bytes, &out, NULL), 0);
    snprintf(want, sizeof want,
             "0x46,0x55,0x0,0x5c,\nFU\\000\\\\\nartifact_prefix='%s'; Test unit written to "
             "%soom-3a3f72b16ff1a9d9cfc1f4ac8e8a6e9e5ba43d43\nBase64: RlUAXA==\n",
             prefix, prefix);
    /* The SHA-1 is libmd's; the rest is ours. */
    {
        char name[LF_NAME_MAX];

        lf_input_name("FU\0\\", 4, name);
        memcpy(strstr(want, "oom-") + 4, name, 40);
    }
    assert_string_equal(cfz_buf_str(&out), want);
    /* Not to be written: all is in the message, so that it is not lost. */
    cfz_buf_truncate(&out, 0);
    f.exact_artifact_path = "/nonexistent/x";
    assert_int_equal(lf_artifact_write(&f, "crash", &bytes, &bytes, &out, NULL), 0);
    assert_non_null(strstr(cfz_buf_str(&out), "ERROR: /nonexistent/x: the input could not be "
                                              "written: No such file or "
                                              "directory\nBase64: RlUAXA==\n"));
    cfz_buf_release(&bytes);
    cfz_buf_release(&out);
    cfz_buf_release(&read);
    {
        char command[128];

        snprintf(command, sizeof command, "rm -r %s", dir);
        assert_int_equal(system(command), 0);
    }
}

/* "FUZZ" by sha1sum. */
static void test_name(void **state)
{
    char name[LF_NAME_MAX];

    (void)state;
    lf_input_name("FUZZ", 4, name);
    assert_string_equal(name, "aea2e3923af219a8956f626558ef32f30a914ebc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
