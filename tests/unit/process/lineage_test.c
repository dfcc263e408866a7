/*
 * lineage_test.c - how inputs were made, also out of memory that the target wrote over; and how
 * often in a run.
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
    assert_true(r.entry == CFZ_NO_ENTRY);
    w.fuzzing = true;
    lineage_of(&w, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.entry, 5);
    assert_string_equal(r.names[0], "bit flip");
}

static void text(const struct mutation_counts *m, unsigned number, const char *want)
{
    char got[MUTATION_LINE];

    assert_true(mutation_counts_text(m, number, got));
    assert_string_equal(got, want);
}

static void counts_as_lines(void **state)
{
    static struct mutation_counts m;
    char got[MUTATION_LINE];

    (void)state;
    strcpy(m.names[3], "bit flip");
    strcpy(m.names[204], "mend fields");
    assert_false(mutation_counts_text(&m, 3, got));
    m.uses[3] = 1;
    text(&m, 3, "mutation \"bit flip\": 1 use, in 0 interesting inputs");
    m.uses[3] = UINT64_MAX;
    m.inputs[3] = 1;
    text(&m, 3, "mutation \"bit flip\": 18446744073709551615 uses, in 1 interesting input");
    m.inputs[204] = 7;
    text(&m, 204, "mutation \"mend fields\": in 7 interesting inputs");
}

static void counts_of_inputs(void **state)
{
    static struct mutation_counts m;

    (void)state;
    mutation_counts_input(&m, &(struct cfz_lineage_part){4, {3, 5, 3, 204}});
    mutation_counts_input(&m, &(struct cfz_lineage_part){1, {5, 3}});
    mutation_counts_input(&m, &(struct cfz_lineage_part){255, {255}}); /* the target wrote there */
    assert_int_equal(m.inputs[3], 1);
    assert_int_equal(m.inputs[5], 2);
    assert_int_equal(m.inputs[204], 1);
    assert_int_equal(m.inputs[0], 1); /* the rest of those 255 */
}

/* Two workers, and a third that the target wrote over. */
static void counts_of_workers(void **state)
{
    static struct mutation_counts m;
    static struct cfz_proc_shm shm = {.execs = 10};

    (void)state;
    mutation_counts_add(&m, NULL);
    strcpy(shm.mutations[3], "bit flip");
    strcpy(shm.mutations[4], "\n");
    shm.mutation_uses[3] = 10;
    mutation_counts_add(&m, &shm);
    mutation_counts_add(&m, &shm);
    assert_int_equal(m.uses[3], 20);
    assert_string_equal(m.names[3], "bit flip");
    assert_string_equal(m.names[4], "unknown");
    assert_string_equal(m.names[5], "");
    shm.skipped = UINT64_C(0x4141414141414141);
    mutation_counts_add(&m, &shm);
    assert_int_equal(m.uses[3], 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_their_order), cmocka_unit_test(what_cannot_be_is_left_out),
        cmocka_unit_test(a_seed_was_not_made),  cmocka_unit_test(counts_as_lines),
        cmocka_unit_test(counts_of_inputs),     cmocka_unit_test(counts_of_workers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
