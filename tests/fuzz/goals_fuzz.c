/*
 * goals_fuzz.c - what the search keeps in the cache from run to run: a file that anything may have
 * written over.
 *
 * The sites of the program are made up: the number of them is an argument. What is looked at is a
 * copy of its own, beside that of the runtime which fuzzes it.
 */
#include "fuzz.h"

#include <stddef.h>

#define cfz_goals_keep tested_cfz_goals_keep
#define cfz_goals_mark tested_cfz_goals_mark
#define cfz_goals_recall tested_cfz_goals_recall
#define cfz_goal_note tested_cfz_goal_note
#define cfz_trace_site tested_cfz_trace_site
#define cfz_trace_sites tested_cfz_trace_sites
#include "search/goal.h"
#define CFZ_GOALS_MAX 256 /* a table that can be searched in each execution */
#include "../../runtime/search/goals_keep.c"

static uint32_t nsites;

uint32_t cfz_trace_sites(void)
{
    return nsites;
}

struct cfz_site *cfz_trace_site(uint32_t id)
{
    (void)id;
    return NULL;
}

enum { NOTES = 64 };

/* Notes in the order in which they came. */
static struct cfz_goal_note *used[NOTES];
static unsigned nused;

struct cfz_goal_note *cfz_goal_note(struct cfz_goals *goals, uint64_t key)
{
    for (unsigned i = 0; i < nused; i++)
        if (atomic_load(&used[i]->key) == key)
            return used[i];
    if (nused == NOTES)
        return NULL;
    used[nused] = &goals->notes[nused * 3];
    atomic_store(&used[nused]->key, key);
    return used[nused++];
}

/* Whether a table is as a process makes it, but for the sites below n. Only what a file of an
 * input's length can reach is looked at. */
static bool is_empty(const struct cfz_goals *g, uint32_t n)
{
    static const struct cfz_recipe none;

    for (uint32_t i = 0; i < n && i < CFZ_SITE_NOTES_MAX; i++)
        if (atomic_load(&g->sites[i].failed) != 0 || atomic_load(&g->sites[i].succeeded) != 0 ||
            atomic_load(&g->sites[i].erratic) != 0 ||
            memcmp(&g->recipes[i], &none, sizeof none) != 0)
            return false;
    return nused == 0 && atomic_load(&g->nrecipes) == 0;
}

static void clear(struct cfz_goals *g, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < CFZ_SITE_NOTES_MAX; i++) {
        memset(&g->sites[i], 0, sizeof g->sites[i]);
        memset(&g->recipes[i], 0, sizeof g->recipes[i]);
    }
    for (unsigned i = 0; i < nused; i++)
        memset(used[i], 0, sizeof *used[i]);
    nused = 0;
    atomic_store(&g->nrecipes, 0);
}

/* Puts the right check into a file, so that what is behind it is read. */
static void make_whole(uint8_t *file, size_t len)
{
    size_t body = offsetof(struct head, mark);
    uint64_t check;

    if (len < sizeof(struct head))
        return;
    check = check_of(file + body, len - body);
    memcpy(file + offsetof(struct head, check), &check, sizeof check);
}

FUZZ_SETUP(FuzzGoals)(cfuzz_f *f)
{
    static struct {
        struct head head;
        struct kept_site sites[2];
        struct kept_note notes[1];
    } file = {
        .head = {.magic = CFZ_GOALS_MAGIC, .mark = 7, .nsites = 2, .nnotes = 1},
        .sites = {{.id = 3, .failed = 4, .recipe = {.set = CFZ_RECIPE_COPY, .width = 4, .at = 1}},
                  {.id = 1, .erratic = 1, .succeeded = 2}},
        .notes = {{.key = 12345, .copied = 1, .tried = 9}},
    };

    cfuzz_add(f, (const uint8_t *)&file, sizeof file, 8u, true);
    cfuzz_add(f, (const uint8_t *)&file, sizeof file.head, 0u, false);
}

/* A file is refused, and nothing is changed; or what it says of this program is known afterwards:
 * kept and recalled it is the same, and the solver can use it. */
FUZZ_TEST(FuzzGoals, [] byte, uint32, bool)
(cfuzz_t *t, const uint8_t *data, size_t len, uint32_t sites, bool whole)
{
    static struct cfz_goals *g;
    static uint8_t first[8192], second[8192];
    size_t n, again;
    uint8_t *file;

    if (g == NULL) {
        g = calloc(1, sizeof *g);
        CHECK(t, g != NULL);
    }
    nsites = sites % 512;
    file = malloc(len + 1);
    CHECK(t, file != NULL);
    if (len > 0)
        memcpy(file, data, len);
    if (whole)
        make_whole(file, len);
    if (!cfz_goals_recall(g, 7, file, len)) {
        CHECK(t, is_empty(g, nsites));
        free(file);
        return;
    }
    for (uint32_t i = 0; i < nsites; i++) {
        const struct cfz_recipe *r = &g->recipes[i];

        CHECK(t, r->set <= CFZ_RECIPE_LAST && atomic_load(&g->sites[i].erratic) <= 1);
        CHECK(t, r->width <= 8 && r->big_endian <= 1 && r->side <= 1);
    }
    n = cfz_goals_keep(g, 7, first, sizeof first);
    clear(g, nsites);
    CHECK(t, n % 16 == 0 && n <= sizeof first);
    if (n > 0) {
        CHECK(t, cfz_goals_recall(g, 7, first, n));
        CHECK(t, !cfz_goals_recall(g, 8, first, n) && !cfz_goals_recall(g, 7, first, n - 1));
        again = cfz_goals_keep(g, 7, second, sizeof second);
        CHECK(t, again == n && memcmp(first, second, n) == 0);
        clear(g, nsites);
    }
    free(file);
}
