/*
 * symtab_test.c - functions by address, of this very program and of what is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stack/lines.h"
#include "base/symtab.h"

static void test_own(void **state)
{
    struct symtab t = SYMTAB_INIT;
    const struct symtab_function *f = NULL;

    (void)state;
    assert_true(symtab_is_elf("/proc/self/exe"));
    symtab_load(&t, "/proc/self/exe");
    assert_true(t.n > 0);
    for (size_t i = 0; i < t.n; i++) {
        assert_true(t.v[i].start < t.v[i].end);
        if (strcmp(t.v[i].name, "symtab_find") == 0)
            f = &t.v[i];
    }
    assert_non_null(f);
    assert_string_equal(symtab_find(&t, f->start)->name, "symtab_find");
    assert_string_equal(symtab_find(&t, f->end - 1)->name, "symtab_find");
    assert_null(symtab_find(&t, 0));
    assert_null(symtab_find(&t, UINT64_MAX));
    symtab_release(&t);
    assert_int_equal(t.n, 0);
}

static void expect_functions(const struct symtab *t)
{
    assert_null(symtab_find(t, 0xf));
    assert_string_equal(symtab_find(t, 0x1f)->name, "a");
    assert_null(symtab_find(t, 0x20));
    assert_string_equal(symtab_find(t, 0x30)->name, "__interceptor_b");
    assert_string_equal(symtab_find(t, 0x3f)->name, "__interceptor_b");
    assert_null(symtab_find(t, 0x40));
}

/* A gap, and two names of one function: the first of them. */
static void test_find(void **state)
{
    struct symtab_function v[] = {
        {0x10, 0x20, "a"}, {0x30, 0x40, "__interceptor_b"}, {0x30, 0x40, "b"}};
    struct symtab_function w[] = {
        {0x30, 0x40, "b"}, {0x10, 0x20, "a"}, {0x30, 0x40, "__interceptor_b"}};
    const struct symtab t = {.v = v, .n = 3};
    struct symtab loaded = {.v = w, .n = 3, .order = &(struct symtab_order){0}};

    (void)state;
    expect_functions(&t);
    for (int i = 0; i < 50; i++) /* in the middle of which it is sorted */
        expect_functions(&loaded);
    assert_non_null(loaded.order->v);
    free(loaded.order->v);
}

/* A stripped file still has what unwinders need. */
static void test_bounds(void **state)
{
    uint64_t v[] = {0x10, 0x30}, start, end, own, own_end;
    struct symtab made = {.starts = v, .nstarts = 2}, t = SYMTAB_INIT;
    char command[256], path[] = "/tmp/cfuzz-stripped-XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    assert_false(symtab_bounds(&made, 0xf, &start, &end));
    assert_true(symtab_bounds(&made, 0x2f, &start, &end));
    assert_true(start == 0x10 && end == 0x30);
    assert_true(symtab_bounds(&made, 0x31, &start, &end));
    assert_true(start == 0x30 && end > 0x31);
    assert_false(symtab_bounds(&made, UINT64_MAX, &start, &end));

    symtab_load(&t, "/proc/self/exe");
    for (size_t i = 0; i < t.n; i++)
        if (strcmp(t.v[i].name, "symtab_bounds") == 0)
            assert_true(symtab_bounds(&t, t.v[i].end - 1, &own, &own_end));
    symtab_release(&t);
    snprintf(command, sizeof command, "strip -o %s /proc/%d/exe", path, (int)getpid());
    if (system(command) != 0) {
        unlink(path);
        skip();
    }
    symtab_load(&t, path);
    unlink(path);
    assert_int_equal(t.n, 0);
    assert_true(symtab_bounds(&t, own + 1, &start, &end));
    assert_int_equal(start, own);
    assert_true(end >= own_end);
    symtab_release(&t);
    assert_null(t.starts);
}

static void test_no_elf(void **state)
{
    static const char *const paths[] = {"/does/not/exist", "/", "/dev/null", __FILE__};
    struct symtab t;

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_false(symtab_is_elf(paths[i]));
        symtab_load(&t, paths[i]);
        assert_int_equal(t.n, 0);
        symtab_release(&t);
    }
}

/* Every prefix of a real file, with a header that promises more. */
static void test_cut(void **state)
{
    static char content[4096];
    char path[] = "/tmp/symtab_test.XXXXXX";
    int fd = mkstemp(path);
    FILE *self = fopen("/proc/self/exe", "r");
    struct symtab t;

    (void)state;
    assert_true(fd >= 0);
    assert_non_null(self);
    assert_int_equal(fread(content, 1, sizeof content, self), sizeof content);
    fclose(self);
    for (size_t len = 0; len <= sizeof content; len += 64) {
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, content, len, 0), (ssize_t)len);
        symtab_load(&t, path);
        assert_int_equal(t.n, 0);
        symtab_release(&t);
    }
    close(fd);
    unlink(path);
}

/* The symbolizer is asked once for an address, and may be missing. */
static void test_lines(void **state)
{
    struct lines l = {.symbolizer = NULL, .path = "x", .dir = "/p"};
    char script[] = "/tmp/lines_test.XXXXXX", again[64];
    int fd;
    static const char text[] = "#!/bin/sh\ntest ! -e \"$0.asked\" || exit 1\n: > \"$0.asked\"\n"
                               "printf 'parse\\n/p/src/parse.c:41:9\\nmain\\n/p/m.c:3:1\\n\\n'\n";

    (void)state;
    assert_null(lines_find(&l, 16));
    lines_release(&l);
    fd = mkstemp(script);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), (ssize_t)(sizeof text - 1));
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    l.symbolizer = script;
    assert_string_equal(lines_find(&l, 16)->v[0].line, "src/parse.c:41");
    assert_string_equal(lines_find(&l, 16)->v[0].line, "src/parse.c:41");
    assert_int_equal(lines_find(&l, 32)->n, 0); /* the script fails the second time */
    assert_int_equal(l.n, 2);
    lines_release(&l);
    snprintf(again, sizeof again, "%s.asked", script);
    unlink(again);
    unlink(script);
}

static void test_plain_names(void **state)
{
    static const struct {
        const char *name;
        size_t len;
    } cases[] = {
        {"f", 1},       {"f.traced", 1},       {"N::f(int) const (.traced)", 15},
        {".traced", 7}, {"f.traced(int)", 13}, {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(symtab_plain_len(cases[i].name, strlen(cases[i].name)), cases[i].len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own),         cmocka_unit_test(test_find),
        cmocka_unit_test(test_bounds),      cmocka_unit_test(test_no_elf),
        cmocka_unit_test(test_cut),         cmocka_unit_test(test_lines),
        cmocka_unit_test(test_plain_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
