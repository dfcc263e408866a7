/*
 * tasks_test.c - which goals of an input are worked on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solving.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};
static const struct cfz_site byte_is = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .flags = CFZ_SITE_CONST_B};
static struct cfz_image im;
static struct program *p;

enum { CASES = 40 };

/* Of the draw whether sites that nothing moves are looked at again: not now, and now. */
enum { NOW = 1, AGAIN = 0 };

/* A program of which site 0 is this one, and others compare bytes. */
static void begin(struct program *q, struct cfz_site first,
                  void (*body)(struct program *, const struct cfz_values *))
{
    p = q;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] = byte_is;
    p->sites[0] = first;
    assert_int_equal(program_begin(p, bytes, 1, body), 0);
}

/* Collects the goals of an input in a round. With what is drawn no switch has to choose. */
static void collect(const char *text, unsigned round, uint32_t draw)
{
    const uint32_t draws[] = {0, draw};
    struct cfz_rand_script script = {.draws = draws, .n = 2};

    assert_true(program_read(p, text, &im));
    assert_true(cfz_search_trace(&p->search, &im));
    p->rand.script = &script;
    cfz_tasks_collect(&p->search, &im, round, 0, false);
    p->rand.script = NULL;
    assert_int_equal(script.used, 2);
}

static void assert_task(uint32_t k, unsigned site, unsigned level, uint32_t nth)
{
    assert_in_range(k, 0, cfz_tasks.n - 1);
    assert_int_equal(cfz_tasks.of[k].g.site - p->sites, site);
    assert_int_equal(cfz_tasks.of[k].g.level, level);
    assert_int_equal(cfz_tasks.of[k].g.nth, nth);
}

static struct cfz_site_note *note_of(unsigned site)
{
    return cfz_site_note(p->search.goals, &p->sites[site]);
}

/* As if an input that showed all this was kept. */
static void keep(const char *text)
{
    assert_true(program_read(p, text, &im));
    assert_true(cfz_search_trace(&p->search, &im));
    cfz_goals_learn(p->search.goals);
}

/* ---- comparisons one after the other --------------------------------------------------- */

static void two_bytes(struct program *q, const struct cfz_values *vs)
{
    if (vs->v[0].len > 1 && program_equal(q, 0, vs->v[0].data[0], 'a'))
        program_equal(q, 1, vs->v[0].data[1], 'b');
}

/* Those that hold want not to, and the others to hold; each by its plain key, by the operand that
 * it is compared with, and by its place. */
static void test_levels(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, two_bytes);
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 4);
    assert_task(0, 0, 0, 0);
    assert_true(cfz_tasks.of[0].g.want & (CFZ_REL_LESS | CFZ_REL_GREATER));
    assert_false(cfz_tasks.of[0].g.want & CFZ_REL_EQUAL);
    assert_task(1, 1, 0, 0);
    assert_int_equal(cfz_tasks.of[1].g.want, CFZ_REL_EQUAL);
    assert_int_equal(cfz_tasks.of[1].a, 'x');
    assert_int_equal(cfz_tasks.of[1].b, 'b');
    assert_task(2, 1, 1, 0);
    assert_task(3, 1, 2, 0);
}

/* What an input showed that was kept is no goal; when all was, it is one on this path. */
static void test_met(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, two_bytes);
    keep("xx");
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 3);
    assert_task(0, 1, 0, 0);
    keep("ax");
    keep("ab");
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 2);
    assert_task(0, 0, 3, 0);
    assert_task(1, 1, 3, 0);
    assert_int_not_equal(cfz_tasks.of[1].g.path, 0);
    assert_int_equal(cfz_tasks.of[1].g.path, cfz_hash_path());
}

/* Two attempts by the plain key in the first round, one by the others; two and one more in each
 * other. */
static void test_attempts(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, two_bytes);
    collect("xx", 0, NOW);
    assert_int_equal(cfz_tasks.n, 3);
    cfz_tasks.of[0].note->tried = 2;
    cfz_tasks.of[1].note->tried = 1;
    collect("xx", 0, NOW);
    assert_int_equal(cfz_tasks.n, 1);
    assert_task(0, 0, 2, 0);
    cfz_tasks.of[0].note->tried = 1;
    collect("xx", 0, NOW);
    assert_int_equal(cfz_tasks.n, 1);
    assert_task(0, 0, 3, 0); /* where there is nothing else */
    cfz_tasks.of[0].note->tried = 1;
    cfz_tasks.nopen = 0;
    collect("xx", 0, NOW);
    assert_int_equal(cfz_tasks.n, 0);
    assert_int_equal(cfz_tasks.nopen, 4); /* nobody has met them */
    collect("xx", 1, NOW);
    assert_int_equal(cfz_tasks.n, 3);
    assert_task(0, 0, 0, 0);
    cfz_tasks.of[0].note->tried = 4;
    collect("xx", 1, NOW);
    assert_int_equal(cfz_tasks.n, 2);
}

/* A site is given up after failures, unless some went well; and left alone where its comparisons
 * are not of the input alone. */
static void test_sites_left(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, two_bytes);
    note_of(0)->failed = 24;
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 3);
    assert_task(0, 1, 0, 0);
    note_of(0)->succeeded = 1;
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 4);
    note_of(1)->erratic = 1;
    cfz_tasks.nopen = 0;
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 1);
    assert_task(0, 0, 0, 0);
    assert_int_equal(cfz_tasks.nopen, 1);
}

/* A site that nothing moved in many inputs is looked at in one of sixteen. */
static void test_fixed(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, two_bytes);
    note_of(1)->fixed = CFZ_FIXED;
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 1);
    assert_task(0, 0, 0, 0);
    collect("ax", 0, AGAIN);
    assert_int_equal(cfz_tasks.n, 4);
    note_of(1)->moved = 1;
    collect("ax", 0, NOW);
    assert_int_equal(cfz_tasks.n, 4);
}

/* ---- loops and tables ------------------------------------------------------------------ */

static void each_byte(struct program *q, const struct cfz_values *vs)
{
    for (size_t i = 0; i < vs->v[0].len; i++)
        program_equal(q, 0, vs->v[0].data[i], 'a');
}

/* Of a loop's comparisons the first two and the last stand for the site, each by its place for
 * itself. */
static void test_loop(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, byte_is, each_byte);
    collect("uvwxyz", 0, NOW);
    assert_int_equal(cfz_tasks.n, 3 + 3 + 6);
    assert_task(0, 0, 0, 0);
    assert_task(1, 0, 0, 1);
    assert_task(2, 0, 0, 5);
    assert_int_equal(cfz_tasks.of[2].a, 'z');
    assert_task(5, 0, 1, 5);
    for (uint32_t k = 0; k < 6; k++)
        assert_task(6 + k, 0, 2, k);
}

static void table(struct program *q, const struct cfz_values *vs)
{
    static const char *const words[] = {"get", "put", "post"};
    char text[8] = "";

    memcpy(text, vs->v[0].data, vs->v[0].len);
    for (unsigned i = 0; i < 3; i++)
        if (program_text(q, 0, text, words[i]))
            return;
}

/* Each word of a table is a goal, told by the word, which is what changes from one to the next. */
static void test_table(void **state)
{
    static struct program q;

    (void)state;
    begin(&q, (struct cfz_site){.kind = CFZ_SITE_STRING}, table);
    collect("pod", 0, NOW);
    assert_int_equal(cfz_tasks.n, 6);
    for (uint32_t k = 0; k < 3; k++) {
        assert_task(k, 0, 0, k);
        assert_task(3 + k, 0, 1, k);
        for (uint32_t j = 0; j < k; j++)
            assert_int_not_equal(cfz_tasks.of[3 + k].g.key, cfz_tasks.of[3 + j].g.key);
    }
    keep("put");
    collect("pod", 0, NOW);
    for (uint32_t k = 0; k < cfz_tasks.n; k++)
        assert_false(cfz_tasks.of[k].g.level < 2 && cfz_tasks.of[k].g.nth == 1);
}

static struct cfz_case cases[CASES];

static void choose(struct program *q, const struct cfz_values *vs)
{
    if (q->tracing)
        cfuzz_trace_switch(&q->sites[0], vs->v[0].data[0]);
}

/* Each case but the one that is there; of a large switch 32, from a drawn one on. */
static void test_switch(void **state)
{
    static const uint32_t draws[] = {0, NOW, 30, 30};
    static struct program q;
    struct cfz_rand_script script = {.draws = draws, .n = 4};
    struct cfz_site site = {.kind = CFZ_SITE_SWITCH, .width = 8, .ncases = 3, .cases = cases};

    (void)state;
    for (uint32_t i = 0; i < CASES; i++)
        cases[i].value = 'A' + i;
    begin(&q, site, choose);
    collect("B", 0, NOW);
    assert_int_equal(cfz_tasks.n, 4); /* by their values, and by their places */
    assert_task(0, 0, 0, 0);
    assert_int_equal(cfz_tasks.of[0].g.value, 'A');
    assert_int_equal(cfz_tasks.of[1].g.value, 'C');
    assert_task(2, 0, 2, 0);

    p->sites[0].ncases = CASES;
    p->rand.script = &script;
    cfz_tasks_collect(&p->search, &im, 0, 0, false);
    p->rand.script = NULL;
    assert_int_equal(cfz_tasks.n, 2 * 31);
    assert_int_equal(cfz_tasks.of[0].g.value, 'A' + 30);
    assert_int_equal(cfz_tasks.of[10].g.value, 'A');
    assert_int_equal(cfz_tasks.of[11].g.value, 'C');
    assert_int_equal(cfz_tasks.of[30].g.value, 'A' + 21);
}

/* There is room for so many of level 0, and others besides. */
static void test_room(void **state)
{
    static struct program q;
    uint32_t of_level[4] = {0};

    (void)state;
    begin(&q, byte_is, each_byte);
    assert_false(cfz_tasks_are_full());
    assert_true(program_read(p, "z", &im));
    for (unsigned i = 0; i < 8; i++)
        p->sites[i] = (struct cfz_site){.kind = CFZ_SITE_SWITCH,
                                        .width = 8,
                                        .ncases = CASES,
                                        .cases = cases,
                                        .id = p->sites[i].id};
    cfz_trace_begin();
    for (unsigned i = 0; i < 8; i++)
        cfuzz_trace_switch(&p->sites[i], 'z');
    cfz_trace_end();
    cfz_tasks_collect(&p->search, &im, 0, 0, false);
    for (uint32_t k = 0; k < cfz_tasks.n; k++)
        of_level[cfz_tasks.of[k].g.level]++;
    assert_true(cfz_tasks_are_full());
    assert_int_equal(of_level[0], 112);
    assert_int_equal(of_level[2], 80);
    assert_int_equal(of_level[3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),   cmocka_unit_test(test_met),
        cmocka_unit_test(test_attempts), cmocka_unit_test(test_sites_left),
        cmocka_unit_test(test_fixed),    cmocka_unit_test(test_loop),
        cmocka_unit_test(test_table),    cmocka_unit_test(test_switch),
        cmocka_unit_test(test_room),
    };

    if (!cfz_tasks_map())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
