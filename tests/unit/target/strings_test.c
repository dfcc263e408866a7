/*
 * strings_test.c - what the plugin listed is given out as it is, and evenly where it is much.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "abi.h"
#include "target/strings.h"

static char text[4096];

static void add(void *ctx, const void *word, size_t len)
{
    size_t at = strlen(text);

    assert_ptr_equal(ctx, text);
    snprintf(text + at, sizeof text - at, "%.*s ", (int)len, (const char *)word);
}

static const char *all(size_t most)
{
    text[0] = 0;
    cfz_strings_each(most, add, text);
    return text;
}

static void test_each(void **state)
{
    static const uint8_t one[] = "\005begin\003end"; /* and a NUL, which is padding */
    static const uint8_t two[] = {0, 0, 2, 'i', 'f', 0, 2, 'd', 'o'};
    static const uint8_t cut[] = {2, 'o', 'k', 9, 'n', 'o'};

    (void)state;
    assert_string_equal(all(10), "");
    cfuzz_strings_init(CFUZZ_ABI + 1, one, one + sizeof one); /* of another version */
    cfuzz_strings_init(CFUZZ_ABI, one, one);
    cfuzz_strings_init(CFUZZ_ABI, NULL, NULL);
    assert_string_equal(all(10), "");
    cfuzz_strings_init(CFUZZ_ABI, one, one + sizeof one);
    cfuzz_strings_init(CFUZZ_ABI, two, two + sizeof two);
    cfuzz_strings_init(CFUZZ_ABI, one, one + sizeof one); /* each file of an image announces it */
    assert_string_equal(all(4), "begin end if do ");
    assert_string_equal(all(2), "end do ");
    assert_string_equal(all(3), "end if do ");
    assert_string_equal(all(0), "");
    /* One that would be longer than its section is not read. */
    cfuzz_strings_init(CFUZZ_ABI, cut, cut + sizeof cut);
    assert_string_equal(all(10), "begin end if do ok ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
