/*
 * build_inputs_test.c - depfiles, and the record of what a build read.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <time.h>

#include "build/build_inputs.h"
#include "work_directory.h"

static const struct {
    const char *text, *words;
} depfiles[] = {
    {"x.o: x.c x.h\n", "x.c|x.h"},
    {"x.o: x.c \\\n  /usr/include/a.h \\\n  b.h\n", "x.c|/usr/include/a.h|b.h"},
    {"a\\ b.o: a\\ b.c c\\#d.h e$$f.h\n", "a b.c|c#d.h|e$f.h"},
    {"x.o: x.c x.h\n\nx.h:\n", "x.c|x.h"},
    {"x.o: C:x.c", "C:x.c"},
    {"x.o:\n", ""},
    {"", ""},
};

static void test_depfiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(depfiles) / sizeof(depfiles[0]); i++) {
        struct strlist l = STRLIST_INIT;

        assert_int_equal(depfile_parse(depfiles[i].text, strlen(depfiles[i].text), &l, NULL), 0);
        assert_string_equal(joined(&l), depfiles[i].words);
        strlist_release(&l);
    }
}

/* What linkers write: lld, GNU ld and gold, mold. */
static void test_link_depfiles(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"x.new: \\\n a.o \\\n ../l\\ b.a \\\n x$$y.so\n\na.o:\n\n../l\\ b.a:\n",
         "a.o|../l b.a|x$y.so"},
        {"x.new: \\\n  a.o \\\n  ../l b.a\n\na.o:\n\n../l b.a:\n", "a.o|../l b.a"},
        {"a b: \\\n  a.o\n", "a.o"},
        {"x.new: a.o l.a\n\na.o:\n", "a.o|l.a"},
        {"x.new: \\\n", ""},
        {"x.new:\n", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strlist l = STRLIST_INIT;

        assert_int_equal(depfile_parse_link(cases[i].text, strlen(cases[i].text), &l, NULL), 0);
        assert_string_equal(joined(&l), cases[i].words);
        strlist_release(&l);
    }
}

/* ---- the record ------------------------------------------------------------- */

/* A package p with a.c, which includes a.h, and b.c; all were built, and linked with l.a and with a
 * file that is gone. */
struct built {
    struct package pkg;
    struct build_step steps[3];
    struct build_plan plan;
};

/* The file in the work directory. */
static char *at(const char *name)
{
    char *path = NULL;

    assert_true(asprintf(&path, "%s/%s", work, name) > 0);
    return path;
}

static void be_built(struct built *b)
{
    memset(b, 0, sizeof *b);
    put("p/a.c", "");
    put("p/a.h", "");
    put("p/b.c", "");
    put("lib.a", "");
    put("a.o", "");
    put("a.o.d", "a.o: a.c a.h\n");
    put("b.o", "");
    put("b.o.d", "b.o: b.c\n");
    put("p/l.a", "");
    put("p.test", "");
    put("p.test.d", "p.test.new: \\\n  b.o \\\n  gone.o \\\n  l.a\n");
    b->pkg.dir = at("p");
    b->steps[0] = (struct build_step){.output = at("a.o"), .depfile = at("a.o.d")};
    b->steps[1] = (struct build_step){.output = at("b.o"), .depfile = at("b.o.d")};
    b->steps[2] = (struct build_step){.output = at("p.test"), .depfile = at("p.test.d")};
    assert_int_equal(strlist_add(&b->steps[2].objects, "b.o", NULL), 0);
    b->plan = (struct build_plan){.steps = b->steps, .ncompiles = 2, .nsteps = 3};
    assert_int_equal(strlist_addf(&b->plan.libraries, NULL, "%s/lib.a", work), 0);
}

static void release(struct built *b)
{
    free(b->pkg.dir);
    for (size_t i = 0; i < 3; i++) {
        free(b->steps[i].output);
        free(b->steps[i].depfile);
    }
    strlist_release(&b->steps[2].objects);
    strlist_release(&b->plan.libraries);
}

/* Saves the record of a build that began so many seconds from now, and loads it. */
static struct build_inputs record_of(const struct built *b, int seconds, bool complete)
{
    struct build_inputs in = BUILD_INPUTS_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct timespec start;
    int dir = open(".", O_RDONLY | O_DIRECTORY);

    clock_gettime(CLOCK_REALTIME, &start);
    start.tv_sec += seconds;
    if (build_inputs_save(dir, &b->plan, &b->pkg, &start, complete, &err) < 0 ||
        build_inputs_load(dir, &in, &err) < 0)
        fail_msg("%s", err.text);
    close(dir);
    return in;
}

static struct build_inputs record(const struct built *b, int seconds)
{
    return record_of(b, seconds, true);
}

static void test_record(void **state)
{
    static const char *const names[] = {"a.o",   "b.o",   "lib.a", "p.test",
                                        "p/a.c", "p/a.h", "p/b.c", "p/l.a"};
    struct build_inputs in;
    struct built b;

    (void)state;
    be_built(&b);
    in = record(&b, 10);
    assert_int_equal(in.n, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(in.v[i].path + strlen(work) + 1, names[i]);
        assert_int_equal(in.v[i].size, 0);
    }
    assert_true(build_inputs_unchanged(&in));
    put("p/a.h", "x"); /* another file by this name */
    assert_false(build_inputs_unchanged(&in));
    build_inputs_release(&in);

    in = record(&b, 10);
    assert_true(build_inputs_unchanged(&in));
    assert_int_equal(unlink("lib.a"), 0);
    assert_false(build_inputs_unchanged(&in));
    build_inputs_release(&in);

    /* What was written while the build ran matches nothing, but for what the build made. */
    in = record(&b, -10);
    assert_int_equal(in.n, 8);
    assert_int_equal(in.v[0].size, 0);  /* a.o */
    assert_int_equal(in.v[2].size, -1); /* lib.a is gone */
    assert_int_equal(in.v[3].size, 0);  /* p.test */
    assert_int_equal(in.v[4].size, -1);
    assert_false(build_inputs_unchanged(&in));
    build_inputs_release(&in);
    release(&b);
}

/* A build that failed leaves a record of what it came to, and none of its binaries matches. */
static void test_record_of_failed(void **state)
{
    struct build_inputs in;
    struct built b;
    int dir = open(".", O_RDONLY | O_DIRECTORY);

    (void)state;
    be_built(&b);
    assert_int_equal(unlink("b.o.d"), 0);
    in = record_of(&b, 10, false);
    assert_int_equal(in.n, 6);
    assert_string_equal(in.v[2].path + strlen(work) + 1, "lib.a");
    assert_int_equal(in.v[2].size, 0);
    assert_string_equal(in.v[3].path + strlen(work) + 1, "p.test");
    assert_int_equal(in.v[3].size, -1);
    assert_string_equal(in.v[4].path + strlen(work) + 1, "p/a.c");
    assert_int_equal(in.v[4].size, 0);
    assert_string_equal(in.v[5].path + strlen(work) + 1, "p/a.h");
    assert_false(build_inputs_unchanged(&in));
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0);
    assert_int_equal(access("a.o", F_OK), 0);
    assert_int_equal(access("b.o", F_OK), -1); /* it has no depfile */
    build_inputs_release(&in);

    assert_int_equal(build_inputs_forget(dir, NULL), 0);
    assert_int_equal(build_inputs_forget(dir, NULL), 0);
    assert_int_equal(build_inputs_load(dir, &in, NULL), 0);
    assert_int_equal(in.n, 0);
    close(dir);
    release(&b);
}

/* No record, or one that is not usable, is an empty one. */
static void test_no_record(void **state)
{
    static const char *const bad[] = {
        "",
        "cfuzz inputs 2\n1.0 1 1 /a\n",
        "cfuzz inputs 1\n1.0 1\n",
        "cfuzz inputs 1\n1.0 1 1 /a\nx\n",
        "cfuzz inputs 1",
    };
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    struct build_inputs in = BUILD_INPUTS_INIT;

    (void)state;
    assert_int_equal(build_inputs_load(dir, &in, NULL), 0);
    assert_int_equal(in.n, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        put("inputs", bad[i]);
        assert_int_equal(build_inputs_load(dir, &in, NULL), 0);
        assert_int_equal(in.n, 0);
        assert_true(build_inputs_unchanged(&in));
    }
    put("inputs", "cfuzz inputs 1\n1.000000002 3 4 /a b\n");
    assert_int_equal(build_inputs_load(dir, &in, NULL), 0);
    assert_int_equal(in.n, 1);
    assert_int_equal(in.v[0].mtime.tv_sec, 1);
    assert_int_equal(in.v[0].mtime.tv_nsec, 2);
    assert_int_equal(in.v[0].size, 3);
    assert_int_equal(in.v[0].inode, 4);
    assert_string_equal(in.v[0].path, "/a b");
    build_inputs_release(&in);
    close(dir);
}

static void test_drop_stale(void **state)
{
    struct build_inputs in = BUILD_INPUTS_INIT;
    struct built b;

    (void)state;
    be_built(&b);
    put("p/a.h", "x");
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0); /* no record */
    assert_int_equal(access("a.o", F_OK), -1);
    assert_int_equal(access("p.test", F_OK), -1);

    put("a.o", "");
    put("b.o", "");
    put("p.test", "");
    put("p.test.d", "p.test.new: \\\n  b.o \\\n  l.a\n");
    in = record(&b, 10);
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0); /* no change */
    assert_int_equal(access("a.o", F_OK), 0);
    assert_int_equal(access("b.o", F_OK), 0);
    assert_int_equal(access("p.test", F_OK), 0);

    put("p/a.h", "xy");
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0);
    assert_int_equal(access("a.o", F_OK), -1);
    assert_int_equal(access("b.o", F_OK), 0);

    assert_int_equal(unlink("b.o.d"), 0); /* incomplete */
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0);
    assert_int_equal(access("b.o", F_OK), -1);
    assert_int_equal(access("p.test", F_OK), 0); /* ninja links it, since an object is new */

    assert_int_equal(unlink("p/l.a"), 0);
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0);
    assert_int_equal(access("p.test", F_OK), -1);
    build_inputs_release(&in);
    release(&b);

    /* What was damaged since is made anew. */
    be_built(&b);
    in = record(&b, 10);
    put("b.o", "x");
    put("p.test", "x");
    assert_int_equal(build_inputs_drop_stale(&in, &b.plan, &b.pkg, NULL), 0);
    assert_int_equal(access("a.o", F_OK), 0);
    assert_int_equal(access("b.o", F_OK), -1);
    assert_int_equal(access("p.test", F_OK), -1);
    build_inputs_release(&in);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depfiles),
        cmocka_unit_test(test_link_depfiles),
        cmocka_unit_test_setup_teardown(test_record, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_no_record, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_record_of_failed, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_drop_stale, enter_directory, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
