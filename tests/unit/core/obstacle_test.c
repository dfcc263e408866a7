/*
 * obstacle_test.c - lists of obstacles that are whole, in pieces, or written over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/obstacle.h"

static struct cfz_obstacles from, to;

static void publish(void)
{
    memset(&from.at, 0, sizeof from.at);
    cfz_obstacles_begin(&from);
    from.n = 2;
    from.at[0] = (struct cfz_obstacle){.file = "a.c",
                                       .line = 7,
                                       .kind = CFZ_SITE_INT,
                                       .width = 32,
                                       .want = CFZ_REL_EQUAL,
                                       .behind = 3,
                                       .influence = CFZ_INFLUENCE_RANGES,
                                       .nranges = 1,
                                       .ranges = {{"data", 4, 8}}};
    from.at[1] = (struct cfz_obstacle){.file = "b.c",
                                       .kind = CFZ_SITE_STRING,
                                       .want = CFZ_REL_EQUAL,
                                       .len_a = 2,
                                       .text_a = "ab",
                                       .len_b = CFZ_OBSTACLE_TEXT};
    cfz_obstacles_end(&from);
}

static void test_whole(void **state)
{
    (void)state;
    memset(&from, 0, sizeof from);
    assert_false(cfz_obstacles_copy(&from, &to)); /* never written */
    publish();
    assert_true(cfz_obstacles_copy(&from, &to));
    assert_int_equal(to.n, 2);
    assert_string_equal(to.at[0].file, "a.c");
    assert_string_equal(to.at[0].ranges[0].name, "data");
    assert_int_equal(to.at[1].len_b, CFZ_OBSTACLE_TEXT);
}

static void copy_of_width(enum cfz_site_kind kind, uint8_t width, bool wanted)
{
    publish();
    from.at[0].kind = (uint8_t)kind;
    from.at[0].width = width;
    assert_int_equal(cfz_obstacles_copy(&from, &to), wanted);
}

/* A long double is told as one of 80 bits. */
static void test_widths(void **state)
{
    (void)state;
    copy_of_width(CFZ_SITE_FLOAT, 80, true);
    copy_of_width(CFZ_SITE_FLOAT, 64, true);
    copy_of_width(CFZ_SITE_FLOAT, 32, true);
    copy_of_width(CFZ_SITE_FLOAT, 16, false);
    copy_of_width(CFZ_SITE_FLOAT, 128, false);
    copy_of_width(CFZ_SITE_INT, 80, false);
    copy_of_width(CFZ_SITE_INT, 64, true);
    copy_of_width(CFZ_SITE_INT, 1, false);
}

/* A process died while it wrote; the one that takes its place writes again. */
static void test_pieces(void **state)
{
    (void)state;
    publish();
    cfz_obstacles_begin(&from);
    assert_false(cfz_obstacles_copy(&from, &to));
    cfz_obstacles_begin(&from);
    cfz_obstacles_end(&from);
    assert_true(cfz_obstacles_copy(&from, &to));
}

static void test_written_over(void **state)
{
    (void)state;
#define REFUSED(field, value)                                                                      \
    do {                                                                                           \
        publish();                                                                                 \
        from.field = (value);                                                                      \
        assert_false(cfz_obstacles_copy(&from, &to));                                              \
    } while (0)
    REFUSED(n, CFZ_OBSTACLES_MAX + 1);
    REFUSED(at[0].kind, 0);
    REFUSED(at[0].kind, CFZ_SITE_FIND_BYTE_MEM + 1);
    REFUSED(at[0].width, 65);
    REFUSED(at[0].width, 0);
    REFUSED(at[0].want, 16);
    REFUSED(at[0].influence, CFZ_INFLUENCE_KINDS);
    REFUSED(at[0].nranges, CFZ_OBSTACLE_RANGES + 1);
    REFUSED(at[0].ranges[0].to, 3);
    REFUSED(at[0].nvalues, 1); /* of no cases */
    REFUSED(at[0].nopen, 1);
    REFUSED(at[1].len_a, CFZ_OBSTACLE_TEXT + 1);
    REFUSED(at[1].len_b, UINT32_MAX);
    publish();
    memset(from.at[0].file, 'x', sizeof from.at[0].file);
    assert_false(cfz_obstacles_copy(&from, &to));
    publish();
    memset(from.at[0].ranges[0].name, 'x', sizeof from.at[0].ranges[0].name);
    assert_false(cfz_obstacles_copy(&from, &to));
    memset(&from, 0x41, sizeof from);
    assert_false(cfz_obstacles_copy(&from, &to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_written_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
