/*
 * The history of a test: what is bounded, and what is read of damaged files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/history.h"

static void test_runs_are_bounded(void **state)
{
    struct history h = HISTORY_INIT;
    struct history_run *r = NULL;
    char id[16];

    (void)state;
    for (int i = 0; i < HISTORY_RUNS + 5; i++) {
        snprintf(id, sizeof id, "run %d", i);
        r = history_run(&h, id);
        assert_non_null(r);
        assert_ptr_equal(history_run(&h, id), r); /* a turn goes on with it */
    }
    assert_int_equal(h.n, HISTORY_RUNS);
    assert_string_equal(h.runs[0].id, "run 5");
    assert_string_equal(h.runs[HISTORY_RUNS - 1].id, "run 24");
    assert_string_equal(r->said, "");
    for (int i = 0; i < HISTORY_CRASHES + 5; i++) {
        snprintf(id, sizeof id, "at %d", i);
        assert_int_equal(history_add_crash(r, id, "f", 2, NULL), 0);
        assert_int_equal(history_add_crash(r, id, "f", 3, NULL), 0);
    }
    assert_int_equal(r->ncrashes, HISTORY_CRASHES);
    assert_int_equal(r->crashes[7].met, 5);
    history_release(&h);
}

static void test_points_are_bounded(void **state)
{
    struct history h = HISTORY_INIT;
    struct history_run *r = history_run(&h, "a");

    (void)state;
    assert_non_null(r);
    for (uint64_t i = 0; i < 100000; i++)
        history_add_point(r, &(struct history_point){.ms = i, .execs = 10 * i});
    assert_in_range(r->npoints, HISTORY_POINTS / 2, HISTORY_POINTS);
    assert_int_equal(r->points[0].ms, 0); /* the beginning stays, and the end */
    assert_int_equal(r->points[r->npoints - 1].ms, 99999);
    for (size_t i = 1; i < r->npoints; i++)
        assert_true(r->points[i].ms > r->points[i - 1].ms);
    history_release(&h);
}

static void test_long_text_is_cut_between_characters(void **state)
{
    static char text[HISTORY_TEXT + 8];
    char *kept = NULL;

    (void)state;
    memset(text, 'a', HISTORY_TEXT - 1);
    memcpy(text + HISTORY_TEXT - 1, "\xe2\x82\xac", 3);
    assert_int_equal(history_set(&kept, text, strlen(text), NULL), 0);
    assert_int_equal(strlen(kept), HISTORY_TEXT - 1);
    free(kept);
}

static void test_saved_and_loaded(void **state)
{
    char path[] = "/tmp/cfuzz-history-XXXXXX", file[64], command[96];
    struct history h = HISTORY_INIT, back = HISTORY_INIT;
    struct history_run *r = history_run(&h, "17-4");

    (void)state;
    assert_non_null(r);
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/p/FuzzX.json", path);
    r->began = 1766415600;
    r->workers = 3;
    r->counters = 118;
    assert_int_equal(history_set(&r->said, "</script>\n\"", 11, NULL), 0);
    history_add_point(r, &(struct history_point){1, 2, 3, 4, 5});
    assert_int_equal(history_add_crash(r, "at p.c:4", "1f", 7, NULL), 0);
    setenv("CFUZZCACHE", path, 1);
    assert_int_equal(history_save(file, r, NULL), 0);
    assert_int_equal(history_load(file, &back, NULL), 0);
    assert_int_equal(back.n, 1);
    assert_string_equal(back.runs[0].said, "</script>\n\"");
    assert_int_equal(back.runs[0].began, 1766415600);
    assert_int_equal(back.runs[0].workers, 3);
    assert_int_equal(back.runs[0].counters, 118);
    assert_int_equal(back.runs[0].npoints, 1);
    assert_memory_equal(&back.runs[0].points[0], &r->points[0], sizeof r->points[0]);
    assert_string_equal(back.runs[0].crashes[0].where, "at p.c:4");
    assert_int_equal(back.runs[0].crashes[0].met, 7);
    history_release(&h);
    history_release(&back);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

/* Two drivers that fuzz a test at once: each has its run in the file, once. */
static void test_saved_by_two(void **state)
{
    char path[] = "/tmp/cfuzz-history-XXXXXX", file[64], command[96];
    struct history one = HISTORY_INIT, other = HISTORY_INIT, back = HISTORY_INIT;
    struct history_run *r = history_run(&one, "17-4"), *q = history_run(&other, "18-5");

    (void)state;
    assert_non_null(r);
    assert_non_null(q);
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/p/FuzzX.json", path);
    setenv("CFUZZCACHE", path, 1);
    assert_int_equal(history_add_crash(r, "at p.c:4", "1f", 1, NULL), 0);
    assert_int_equal(history_save(file, r, NULL), 0);
    assert_int_equal(history_save(file, q, NULL), 0);
    assert_int_equal(history_add_crash(r, "at p.c:4", "1f", 2, NULL), 0);
    assert_int_equal(history_set(&r->end, "done", 4, NULL), 0);
    assert_int_equal(history_save(file, r, NULL), 0);
    assert_int_equal(history_load(file, &back, NULL), 0);
    assert_int_equal(back.n, 2);
    assert_string_equal(back.runs[0].id, "17-4");
    assert_string_equal(back.runs[0].end, "done");
    assert_int_equal(back.runs[0].ncrashes, 1);
    assert_int_equal(back.runs[0].crashes[0].met, 3);
    assert_string_equal(back.runs[1].id, "18-5");
    history_release(&one);
    history_release(&other);
    history_release(&back);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

static void test_damaged(void **state)
{
    static const struct {
        const char *text;
        size_t runs, points;
    } cases[] = {
        {"", 0, 0},
        {"[1", 0, 0},
        {"[]", 0, 0},
        {"{\"version\": 2, \"runs\": [{\"id\": \"a\"}]}", 0, 0},
        {"{\"version\": 1, \"runs\": {}}", 0, 0},
        {"{\"version\": 1, \"runs\": [1, null, {}, {\"id\": 3}, {\"id\": \"\"}, {\"id\": \"a\"}]}",
         1, 0},
        {"{\"version\": 1, \"runs\": [{\"id\": \"a\", \"points\": "
         "[[1,1,1,1,1], [0,2,1,1,1], [2], \"x\", [3,0,1,1,1], [4,-1,1,1,1], [5,7,1,1,1]]}]}",
         1, 2},
        {"{\"version\": 1, \"runs\": [{\"id\": \"a\", \"said\": 4, \"crashes\": [7, {\"where\": "
         "1}], "
         "\"began\": \"x\"}]}",
         1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct history h = HISTORY_INIT;

        assert_int_equal(history_parse(cases[i].text, strlen(cases[i].text), &h, NULL), 0);
        assert_int_equal(h.n, cases[i].runs);
        assert_int_equal(h.n > 0 ? h.runs[0].npoints : 0, cases[i].points);
        history_release(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_are_bounded),
        cmocka_unit_test(test_points_are_bounded),
        cmocka_unit_test(test_long_text_is_cut_between_characters),
        cmocka_unit_test(test_saved_and_loaded),
        cmocka_unit_test(test_saved_by_two),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
