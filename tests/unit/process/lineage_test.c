/*
 * lineage_test.c - how inputs were made, also out of memory that the target wrote over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "process/lineage.h"

static struct cfz_proc_shm *new_memory(void)
{
    static struct cfz_proc_shm memory;
    struct cfz_proc_shm *shm = &memory;

    memset(shm, 0, sizeof *shm);
    strcpy(shm->mutations[3], "bit flip");
    strcpy(shm->mutations[CFZ_MUTATIONS_MAX - 1], "last");
    return shm;
}

static void names_in_their_order(void **state)
{
    struct cfz_proc_shm *shm = new_memory();
    struct cfz_lineage from = {.n = 2, .v = {CFZ_MUTATIONS_MAX - 1, 3}};
    struct lineage r;

    (void)state;
    lineage_read(shm, from.v, from.n, 7, &r);
    assert_int_equal(r.entry, 7);
    assert_int_equal(r.n, 2);
    assert_string_equal(r.names[0], "last");
    assert_string_equal(r.names[1], "bit flip");
}

static void what_cannot_be_is_left_out(void **state)
{
    struct cfz_proc_shm *shm = new_memory();
    struct cfz_lineage from = {.n = 255};
    struct lineage r;

    (void)state;
    memset(from.v, 4, sizeof from.v); /* no name */
    from.v[0] = 255;                  /* no number */
    from.v[1] = 9;                    /* a name without an end */
    from.v[2] = 10;                   /* not text */
    memset(shm->mutations[9], 'x', CFZ_MUTATION_NAME_MAX);
    memcpy(shm->mutations[10], "a\n", 3);
    lineage_read(shm, from.v, from.n, 0, &r);
    assert_int_equal(r.n, CFZ_LINEAGE_MAX);
    for (unsigned i = 0; i < r.n; i++)
        assert_string_equal(r.names[i], "unknown");
}

static void a_seed_was_not_made(void **state)
{
    struct cfz_proc_shm *shm = new_memory();
    struct worker w = {.shm = shm, .fuzzing = false};
    struct lineage r;

    (void)state;
    shm->lineage = (struct cfz_lineage){.n = 1, .v = {3}};
    shm->parent = 5;
    lineage_of(&w, &r);
    assert_int_equal(r.n, 0);
    assert_true(r.entry == LINEAGE_NO_ENTRY);
    w.fuzzing = true;
    lineage_of(&w, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.entry, 5);
    assert_string_equal(r.names[0], "bit flip");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_their_order),
        cmocka_unit_test(what_cannot_be_is_left_out),
        cmocka_unit_test(a_seed_was_not_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
