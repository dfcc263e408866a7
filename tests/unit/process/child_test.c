/*
 * child_test.c - which child a message of its parent reaches, and the lists.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "process/child.h"

static char events[256]; /* "<owner> <what> <number>; ..." */
static struct child *list;

static void note(const struct child *c, const char *what, long n)
{
    size_t len = strlen(events);

    snprintf(events + len, sizeof events - len, "%s %s %ld; ", (const char *)c->owner, what, n);
}

static void on_forked(struct child *c, int pid)
{
    note(c, "forked", pid);
}

static void on_exited(struct child *c, int status)
{
    note(c, "exited", status);
}

static void on_orphaned(struct child *c, int status)
{
    note(c, "orphaned", status);
}

static void on_tick(struct child *c, uint64_t now)
{
    note(c, "tick", (long)now);
}

static void on_excuse(struct child *c, uint64_t now)
{
    note(c, "excuse", (long)now);
}

static void on_shift(struct child *c, uint64_t by, uint64_t now)
{
    note(c, "shift", (long)(100 * by + now));
}

static void on_free(struct child *c)
{
    note(c, "free", 0);
    children_remove(&list, c);
}

static const struct child_type type = {on_forked, on_exited, on_orphaned, on_tick,
                                       on_excuse, on_shift,  on_free};
static char name_a[] = "a", name_b[] = "b", name_c[] = "c";
static struct child a = {.type = &type, .owner = name_a, .id = 1},
                    b = {.type = &type, .owner = name_b, .id = 2},
                    c = {.type = &type, .owner = name_c, .id = 1};

/* The list c, b, a: c, of the same id as a, is the younger one. */
static int begin(void **state)
{
    (void)state;
    list = NULL;
    children_add(&list, &a);
    children_add(&list, &b);
    children_add(&list, &c);
    events[0] = '\0';
    return 0;
}

static void test_messages(void **state)
{
    static const struct {
        enum cfz_msg_type type;
        uint64_t id;
        bool taken;
        const char *events;
    } cases[] = {
        {CFZ_MSG_FORKED, 2, true, "b forked 7; "},
        {CFZ_MSG_EXIT, 2, true, "b exited 9; "},
        {CFZ_MSG_EXIT, 1, true, "c exited 9; "}, /* not the older one of that id */
        {CFZ_MSG_EXIT, 3, true, ""},             /* one that was freed */
        {CFZ_MSG_FORKED, 3, true, ""},
        {CFZ_MSG_SEEDS, 2, false, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_msg m;

        cfz_msg_init(&m, cases[i].type);
        m.u.exit.id = cases[i].id;
        m.u.exit.pid = 7;
        m.u.exit.status = 9;
        events[0] = '\0';
        assert_int_equal(children_message(list, &m), cases[i].taken);
        assert_string_equal(events, cases[i].events);
    }
}

static void test_all(void **state)
{
    (void)state;
    children_orphaned(list, 3);
    children_tick(list, 4);
    children_excuse(list, 8);
    children_shift(list, 5, 6);
    assert_string_equal(events, "c orphaned 3; b orphaned 3; a orphaned 3; "
                                "c tick 4; b tick 4; a tick 4; "
                                "c excuse 8; b excuse 8; a excuse 8; "
                                "c shift 506; b shift 506; a shift 506; ");
}

static void test_remove(void **state)
{
    (void)state;
    children_remove(&list, &b);
    children_remove(&list, &b); /* not in it any more */
    children_tick(list, 1);
    assert_string_equal(events, "c tick 1; a tick 1; ");
    events[0] = '\0';
    children_free(&list);
    assert_null(list);
    children_free(&list);
    assert_string_equal(events, "c free 0; a free 0; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_messages, begin),
        cmocka_unit_test_setup(test_all, begin),
        cmocka_unit_test_setup(test_remove, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
