/*
 * obstacle_lines_test.c - what the user reads of comparisons that block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/obstacle_lines.h"

#define HEADER "fuzz: blocked: comparisons that inputs reach and none gets past\n"
#define HERE CFZ_TEST_SOURCE_DIR "/tests/unit/fuzz"

enum { E = CFZ_REL_EQUAL, G = CFZ_REL_GREATER, L = CFZ_REL_LESS };

static void check(const struct cfz_obstacle *o, const char *want)
{
    static struct cfz_obstacles list;
    struct cfz_buf out = CFZ_BUF_INIT;

    list.n = 1;
    list.at[0] = *o;
    assert_int_equal(obstacle_lines(&out, &list, 5, HERE, false, 0, NULL), 0);
    assert_memory_equal(cfz_buf_str(&out), HEADER, sizeof HEADER - 1);
    assert_string_equal(cfz_buf_str(&out) + sizeof HEADER - 1, want);
    cfz_buf_release(&out);
}

static struct cfz_obstacle numbers(uint8_t want, uint8_t width, uint8_t flags, uint64_t a,
                                   uint64_t b)
{
    return (struct cfz_obstacle){.file = "none.c",
                                 .line = 12,
                                 .column = 5,
                                 .kind = CFZ_SITE_INT,
                                 .want = want,
                                 .width = width,
                                 .flags = flags,
                                 .behind = 41,
                                 .reached = 12,
                                 .a = a,
                                 .b = b};
}

#define NUMBERS                                                                                    \
    "    none.c:12: a comparison of numbers\n        41 counters behind it, reached by 12 "        \
    "inputs; "
#define SEED "\n        a seed that gets past it would help\n"

static void test_pointer(void **state)
{
    struct cfz_obstacle o = numbers(L | G, 8, CFZ_SITE_CONST_B | CFZ_SITE_POINTER, 0, 0);

    (void)state;
    check(&o, "    none.c:12: a pointer\n        41 counters behind it, reached by 12 inputs; NULL "
              "each time" SEED);
    o.influence = CFZ_INFLUENCE_NONE;
    check(&o, "    none.c:12: a pointer\n        41 counters behind it, reached by 12 inputs; NULL "
              "each time\n        no byte changes it: what it would point to may be missing in all "
              "inputs; a seed that has it would help\n");
    o.influence = CFZ_INFLUENCE_HIDDEN;
    check(&o, "    none.c:12: a pointer\n        41 counters behind it, reached by 12 inputs; NULL "
              "each time\n        no byte changes it: what it would point to may be missing in all "
              "inputs; a seed that has it would help\n");
}

static void test_numbers(void **state)
{
    struct cfz_obstacle o;

    (void)state;
    o = numbers(E, 32, 0, 0x8bd69e52, 7);
    check(&o, NUMBERS "closest so far 0x8bd69e52 and 7, wanted equal" SEED);
    o = numbers(L, 32, 0, 9, 7);
    check(&o, NUMBERS "closest so far 9 and 7, wanted the first less than the second" SEED);
    o = numbers(E, 32, CFZ_SITE_CONST_B, 100000, 99999);
    check(&o, NUMBERS "closest so far 0x186a0, wanted 99999" SEED);
    o = numbers(E, 32, CFZ_SITE_CONST_A, 5, 6);
    check(&o, NUMBERS "closest so far 6, wanted 5" SEED);
    o = numbers(L | E, 8, CFZ_SITE_CONST_B | CFZ_SITE_SIGNED, 3, (uint64_t)-4);
    check(&o, NUMBERS "closest so far 3, wanted at most -4" SEED);
    o = numbers(L | E, 8, CFZ_SITE_CONST_A | CFZ_SITE_SIGNED, 3, (uint64_t)-4);
    check(&o, NUMBERS "closest so far -4, wanted at least 3" SEED);
    o = numbers(E, 32, CFZ_SITE_CONST_B | CFZ_SITE_SIGNED, 3, 0xcafebabe);
    check(&o, NUMBERS "closest so far 3, wanted 0xcafebabe" SEED);
    o = numbers(E, 32, CFZ_SITE_CONST_B | CFZ_SITE_SIGNED, 3, 0xffffffff);
    check(&o, NUMBERS "closest so far 3, wanted -1" SEED);
    o = numbers(L, 32, CFZ_SITE_CONST_B | CFZ_SITE_SIGNED, 3, 0xcafebabe);
    check(&o, NUMBERS "closest so far 3, wanted less than -0x35014542" SEED);
    o = numbers(L | G, 64, CFZ_SITE_CONST_B, UINT64_MAX, UINT64_MAX);
    check(&o,
          NUMBERS "closest so far 0xffffffffffffffff, wanted other than 0xffffffffffffffff" SEED);
    o = numbers(G, 64, CFZ_SITE_CONST_B, 0x3ff8000000000000, 0x4000000000000000);
    o.kind = CFZ_SITE_FLOAT;
    check(&o, NUMBERS "closest so far 1.5, wanted more than 2" SEED);
    o = numbers(G, 80, CFZ_SITE_CONST_B, 0x3fffc00000000000, 0x4000800000000000);
    o.kind = CFZ_SITE_FLOAT;
    check(&o, NUMBERS "closest so far 1.5, wanted more than 2" SEED);
}

static struct cfz_obstacle words(uint8_t kind, uint8_t flags, const char *a, const char *b)
{
    struct cfz_obstacle o = {.file = "none.c",
                             .line = 3,
                             .kind = kind,
                             .want = E,
                             .flags = flags,
                             .behind = 1,
                             .reached = 1,
                             .len_a = (uint32_t)strlen(a),
                             .len_b = (uint32_t)strlen(b)};

    memcpy(o.text_a, a, o.len_a);
    memcpy(o.text_b, b, o.len_b);
    return o;
}

#define WORDS                                                                                      \
    "    none.c:3: a comparison of text\n        1 counter behind it, reached by 1 input; "

static void test_text(void **state)
{
    struct cfz_obstacle o;

    (void)state;
    o = words(CFZ_SITE_STRING, CFZ_SITE_CONST_B, "beg", "begin\n");
    check(&o, WORDS "closest so far \"beg\", wanted \"begin\\n\"\n"
                    "        a seed or a dictionary with \"begin\\n\" would help\n");
    o = words(CFZ_SITE_STRING_N, CFZ_SITE_CONST_A, "END", "");
    check(&o, WORDS "closest so far \"\", wanted \"END\"\n"
                    "        a seed or a dictionary with \"END\" would help\n");
    o = words(CFZ_SITE_STRING, 0, "a", "b");
    check(&o, WORDS "closest so far \"a\" and \"b\", wanted equal" SEED);
    o = words(CFZ_SITE_FIND, CFZ_SITE_CONST_B, "hay", "needle");
    check(&o, WORDS "closest so far \"hay\", wanted \"needle\" in it\n"
                    "        a seed or a dictionary with \"needle\" would help\n");
    o = words(CFZ_SITE_FIND_BYTE, CFZ_SITE_CONST_B, "hay", "x");
    check(&o, WORDS "closest so far \"hay\", wanted \"x\" in it" SEED);
    o = words(CFZ_SITE_MEM, CFZ_SITE_CONST_B, "abcd", "wxyz");
    o.len_a = o.len_b = 5; /* the NUL of a constant */
    check(&o, WORDS "closest so far \"abcd\", wanted \"wxyz\"\n"
                    "        a seed or a dictionary with \"wxyz\" would help\n");
    o = words(CFZ_SITE_MEM, CFZ_SITE_CONST_B, "", "0123456789abcdef0123456789abcdef");
    check(&o, WORDS "closest so far \"\", wanted \"0123456789abcdef0123456789abcdef\"\n"
                    "        a seed or a dictionary with \"0123456789abcdef0123456789abcdef\" "
                    "would help\n");
    o.len_b++; /* the NUL of a constant */
    check(&o, WORDS "closest so far \"\", wanted \"0123456789abcdef0123456789abcdef\"\n"
                    "        a seed or a dictionary with \"0123456789abcdef0123456789abcdef\" "
                    "would help\n");
    o.text_b[32] = 'g'; /* and more, perhaps: it is no word */
    check(&o, WORDS "closest so far \"\", wanted \"0123456789abcdef0123456789abcdef\"..." SEED);
    o = words(CFZ_SITE_STRING, CFZ_SITE_CONST_B, "00c7045a", "00c0ffee");
    o.influence = CFZ_INFLUENCE_RANGES; /* of four bytes, as hexadecimal digits */
    o.nranges = 1;
    o.ranges[0] = (struct cfz_obstacle_range){"data", 0, 4};
    check(&o, WORDS "closest so far \"00c7045a\", wanted \"00c0ffee\"\n        depends on "
                    "data[0..3]; a seed that gets past it would help\n");
}

static void test_switch(void **state)
{
    struct cfz_obstacle o = {.file = "none.c",
                             .line = 3,
                             .kind = CFZ_SITE_SWITCH,
                             .want = E,
                             .width = 8,
                             .flags = CFZ_SITE_SIGNED,
                             .behind = 9,
                             .reached = 2,
                             .ncases = 20,
                             .nopen = 3,
                             .nvalues = 3,
                             .values = {5, (uint64_t)-1, 77}};

    (void)state;
    check(&o, "    none.c:3: a switch\n"
              "        9 counters behind it, reached by 2 inputs; never chosen: 5, -1, 77 (3 of 20 "
              "cases)\n"
              "        seeds that choose them would help\n");
    o.nopen = 7;
    check(&o,
          "    none.c:3: a switch\n"
          "        9 counters behind it, reached by 2 inputs; never chosen: 5, -1, 77 and 4 more "
          "(7 of 20 cases)\n"
          "        seeds that choose them would help\n");
}

static void test_influence(void **state)
{
    struct cfz_obstacle o = numbers(E, 8, CFZ_SITE_CONST_B, 1, 2);

    (void)state;
    o.behind = 0;
#define NEAR                                                                                       \
    "    none.c:12: a comparison of numbers\n        reached by 12 inputs; closest so far 1, "     \
    "wanted 2\n        "
    o.influence = CFZ_INFLUENCE_RANGES;
    o.nranges = 3;
    o.ranges[0] = (struct cfz_obstacle_range){"data", 4, 8};
    o.ranges[1] = (struct cfz_obstacle_range){"data", 9, 10};
    o.ranges[2] = (struct cfz_obstacle_range){"argument 2", 0, 0};
    check(&o,
          NEAR "depends on data[4..7], data[9], argument 2; a seed that gets past it would help\n");
    o.influence = CFZ_INFLUENCE_MORE;
    check(&o, NEAR "depends on data[4..7], data[9], argument 2 and more; a seed that gets past it "
                   "would help\n");
    o.nranges = 0;
    check(&o, NEAR "depends on a length; a seed that gets past it would help\n");
    o.influence = CFZ_INFLUENCE_MOST;
    check(&o, NEAR "depends on nearly all bytes, as a checksum does: have the test compute it, or "
                   "leave it out when fuzzing\n");
    o.influence = CFZ_INFLUENCE_NONE;
    check(&o,
          NEAR "no byte of the inputs changes it: is it the environment, a file, a global, another thread? Then "
               "the test can set it\n");
    o.influence = CFZ_INFLUENCE_HIDDEN;
    check(&o, NEAR "no byte changes it in inputs that still get here; a seed that gets past it "
                   "would help\n");
}

/* The line of the source; files of the package are named relative to it. */
static void test_source(void **state)
{
    struct cfz_obstacle o = numbers(E, 32, 0, 1, 2);

    (void)state;
    o.line = 1;
    snprintf(o.file, sizeof o.file, HERE "/obstacle_lines_test.c");
    check(&o,
          "    obstacle_lines_test.c:1: /*\n        41 counters behind it, reached by 12 inputs; "
          "closest so far 1 and 2, wanted equal" SEED);
    o.line = 0;
    check(&o,
          "    at an unknown line: a comparison of numbers\n        41 counters behind it, reached "
          "by 12 inputs; closest so far 1 and 2, wanted equal" SEED);
    o = numbers(E, 32, 0, 1, 2);
    snprintf(o.file, sizeof o.file, "\x1b[2Jx\n.c");
    check(&o, "    \\x1b[2Jx\\x0a.c:12: a comparison of numbers\n        41 counters behind it, "
              "reached by 12 inputs; closest so far 1 and 2, wanted equal" SEED);
}

static void test_how_many(void **state)
{
    static struct cfz_obstacles list;
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(obstacle_lines(&out, &list, 5, HERE, false, 0, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "");
    list.n = 7;
    for (unsigned i = 0; i < 7; i++)
        list.at[i] = numbers(E, 32, 0, i, 9);
    assert_int_equal(obstacle_lines(&out, &list, 5, HERE, false, 0, NULL), 0);
    assert_non_null(strstr(cfz_buf_str(&out), "closest so far 4 and 9"));
    assert_null(strstr(cfz_buf_str(&out), "closest so far 5 and 9"));
    assert_non_null(strstr(cfz_buf_str(&out), "\n    and 2 more; -v tells them\n"));
    cfz_buf_release(&out);
}

/* With little behind them they are for who asks for all. */
static void test_little(void **state)
{
    static struct cfz_obstacles list = {.n = 1, .little = 1};
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    list.at[0] = numbers(E, 32, CFZ_SITE_CONST_B, 3, 4);
    assert_int_equal(obstacle_lines(&out, &list, 5, HERE, false, 0, NULL), 0);
    assert_int_equal(out.len, 0);
    assert_int_equal(obstacle_lines(&out, &list, CFZ_OBSTACLES_MAX, HERE, false, 0, NULL), 0);
    assert_memory_equal(cfz_buf_str(&out), HEADER, sizeof HEADER - 1);
    cfz_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_text),      cmocka_unit_test(test_switch),
        cmocka_unit_test(test_influence), cmocka_unit_test(test_pointer),
        cmocka_unit_test(test_source),    cmocka_unit_test(test_how_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
