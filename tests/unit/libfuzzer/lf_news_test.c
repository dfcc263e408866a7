/*
 * lf_news_test.c - how libFuzzer's lines tell what an input was made by.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "libfuzzer/lf_news.h"

static void words_are_joined(void **state)
{
    static const struct {
        struct lineage lineage;
        const char *text;
    } rows[] = {
        {{.n = 0}, "MS: 0 "},
        {{.n = 1, .names = {"bit flip"}}, "MS: 1 BitFlip-"},
        {{.n = 3, .names = {"add/sub uint16", "custom cross-over", "unknown"}},
         "MS: 3 AddSubUint16-CustomCrossOver-Unknown-"},
        {{.n = 2, .names = {"step by a power of 2", "word"}}, "MS: 2 StepByAPowerOf2-Word-"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;

        assert_int_equal(lf_news_lineage(&rows[i].lineage, &out, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), rows[i].text);
        cfz_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_joined),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
