/*
 * worker_approach.c - see worker_approach.h.
 *
 *     nearest input --mutated up to CFZ_CHAIN times--> nearer: goes on from there
 *                                                \--> ... when the turn ends, the solver does
 *                                                 \--> an outcome without coverage: to the solver
 *                                                  \-> new coverage: reported as any other
 */
#include "worker/worker_approach.h"

#include "solver/mend.h"
#include "search/nearest.h"
#include "solver/solver.h"
#include "worker/worker_entry.h"
#include "worker/worker_search.h"
#include "worker/worker_shares.h"
#include "worker/worker_words.h"

/* Guessed, all, and tried on targets that docs/performance.md names. */
enum {
    GRANT = 1 << 15, /* work in any case */
    QUIET = 1 << 15, /* mutated executions without anything new, after which it need not wait */
    OVERHEAD = 6, /* work of an execution besides what comparisons cost: most of a small target's */
    LONG = 512,   /* comparisons of an execution up to which that is so; of what is beyond, CFZ_WORK
                     comparisons cost LOOKED_AT more than where they are only traced */
    LOOKED_AT = 5,
    TURN = 1 << 12, /* work of a turn, about, besides finding parts */
    PARTS = 4,      /* of the work, finding parts may have one of so many shares */
    DONORS = 32,    /* inputs of which parts are taken */
    OWN = 4,        /* one of so many parts is of the input itself */
    DRAWS = 4,      /* of an entry for one, at most (draw_entry) */
    ATTEMPT = 1,    /* at a goal by the solver, with an input that came nearer: as its second one */
};

/* Whether a turn is due. */
static bool is_due(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t mutated = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);

    if (!s->on || s->search.over || w->schedule.n == 0 || w->schedule.nfresh > 0 ||
        (cfz_worker_search_granted() && mutated - s->quiet_since < QUIET))
        return false; /* the solver comes first */
    if (s->approach_ever < GRANT)
        return true;
    return cfz_shares_may(s, &s->approach, cfz_shares_approach(s, mutated));
}

/* Pieces of inputs that are no entries. */
static const struct cfz_image *other(struct cfz_rand *r)
{
    const struct cfz_image *im = cfz_rand_bool(r) ? cfz_solver_any(r) : NULL;

    return im ? im : cfz_nearest_any(r);
}

/* A nearer input, or one that moves what is compared, is worth another attempt of the solver at
 * this goal. */
static void solve(struct cfz_search *s, struct cfz_nearest *n)
{
    struct cfz_goal goal = n->goal;
    struct cfz_goal_note *note = cfz_goal_note(s->goals, goal.key);
    struct cfz_site_note *site = cfz_site_note(s->goals, goal.site);
    const struct cfz_way *way = &n->ways[0];
    const struct cfz_image *im;
    uint16_t failed;

    if (note)
        atomic_store_explicit(&note->tried, ATTEMPT, memory_order_relaxed);
    if (site && (failed = atomic_load_explicit(&site->failed, memory_order_relaxed)) > 0)
        atomic_store_explicit(&site->failed, (uint16_t)(failed - 1), memory_order_relaxed);
    for (uint32_t i = 1; i < n->nways; i++)
        if (n->ways[i].distance < way->distance)
            way = &n->ways[i];
    im = n->is_moved ? &n->moved : &way->im;
    n->is_moved = false; /* before n may be another goal's */
    cfz_solver_goal(s, im, &goal);
}

/* Executes w->cur, which was mutated, and looks at its trace. Where fields are known that depend on
 * the rest, they are written anew, but not always: what is wrong may be what is wanted. */
static enum cfz_ran execute(struct cfz_worker *w, bool mends)
{
    static struct cfz_image im;
    struct cfz_worker_search *s = &w->search;
    enum cfz_ran r;

    cfz_lineage_add(&w->shm->lineage, CFZ_LINEAGE_APPROACH);
    s->search.cost += OVERHEAD;
    if (!cfz_image_read(&im, &w->cur))
        return CFZ_RAN;
    cfz_image_keep_streams(&im, &s->search.stored);
    r = mends ? cfz_mend(&s->search, cfz_worker_search_mended)
              : cfz_search_try(&s->search, &im, true);
    if (cfz_trace.passed > LONG)
        s->search.cost += LOOKED_AT * ((cfz_trace.passed - LONG) / CFZ_WORK);
    if (r != CFZ_RAN || (mends && !cfz_image_read(&im, &w->cur)))
        return r;
    if (cfz_nearest_see(&s->search, &im))
        cfz_solver_add(&im, true);
    return r;
}

/* ---- parts of other inputs ---------------------------------------------------------------- */

/* Inputs whose parts are known, drawn from the corpus and from those that are no entries. */
static struct donor {
    struct cfz_image im;
    struct cfz_records records;
} donors[DONORS];
static uint32_t ndonors;

/* Whether parts may be looked for, which takes up to a thousand executions, so many times what a
 * turn has where they are long. */
static bool parts_due(const struct cfz_worker_search *s)
{
    return s->parts_ever <= GRANT / 2 + (s->approach_ever + s->search.cost - s->turn_cost) / PARTS;
}

/* Finds the parts of an input. */
static bool find_parts(struct cfz_worker_search *s, const struct cfz_image *im,
                       struct cfz_records *r)
{
    uint64_t before = s->search.cost;
    bool found = cfz_records_find(&s->search, im, r);

    s->parts_ever += s->search.cost - before;
    return found;
}

/* An entry that showed a new edge, if one is drawn soon. Those that showed other counts alone are
 * many, and have hardly a part that no other entry has. */
static uint32_t draw_entry(struct cfz_worker *w)
{
    uint32_t entry = 0;

    for (int k = 0; k < DRAWS; k++) {
        entry = cfz_rand_below(&w->mutator.rand, (uint32_t)w->schedule.n);
        if (!(cfz_run_shm_entry(w->run, entry)->flags & CFZ_ENTRY_COUNTS))
            break;
    }
    return entry;
}

/* Draws another donor, which takes the place of the oldest one. */
static void renew_donor(struct cfz_worker *w)
{
    struct donor *d = &donors[ndonors % DONORS];
    struct cfz_rand *r = &w->mutator.rand;
    const struct cfz_image *im;

    if (!parts_due(&w->search))
        return;
    im = cfz_rand_bool(r) ? cfz_solver_any(r) : NULL;
    if (im) {
        cfz_image_copy(&d->im, im);
    } else {
        cfz_worker_take_entry(w, draw_entry(w));
        d->records.known = false; /* those of the donor before */
        d->records.n = 0;
        if (!cfz_image_read(&d->im, &w->cur))
            return;
    }
    if (find_parts(&w->search, &d->im, &d->records) && d->records.n > 0)
        ndonors++;
    w->shm->lineage.n = 0;
}

/* Makes w->cur the input of way with a part of another one. False if it could not be done. */
static bool mix(struct cfz_worker *w, const struct cfz_way *way)
{
    static struct cfz_image im;
    struct cfz_rand *r = &w->mutator.rand;
    uint32_t n = ndonors < DONORS ? ndonors : DONORS, k = n;

    if (n > 0 && cfz_rand_below(r, OWN) != 0)
        k = cfz_rand_below(r, n);
    cfz_image_copy(&im, &way->im);
    if (!cfz_records_mix(r, &im, &way->records, k < n ? &donors[k].im : &way->im,
                         k < n ? &donors[k].records : &way->records))
        return false;
    cfz_image_write(&im, &w->cur);
    return true;
}

/* ---- turns ---------------------------------------------------------------------------------- */

/* A chain of mutations of one of the inputs. Returns whether it came nearer. */
static bool chain(struct cfz_worker *w, struct cfz_nearest *n, uint64_t key)
{
    struct cfz_worker_search *s = &w->search;
    struct cfz_rand *r = &w->mutator.rand;
    struct cfz_way *way = &n->ways[cfz_rand_below(r, n->nways)];
    uint64_t distance = n->distance;
    bool mends = atomic_load_explicit(&s->search.goals->nrecipes, memory_order_relaxed) > 0 &&
                 cfz_rand_bool(r);

    cfz_worker_words_over(w);
    cfz_mutate_chain(&w->mutator);
    cfz_image_find_streams(&way->im, &s->search.stored);
    if (!way->records.known && parts_due(s) && !find_parts(s, &way->im, &way->records))
        return false;
    cfz_image_write(&way->im, &w->cur);
    for (int k = 0; k < CFZ_CHAIN; k++) {
        if (k > 0 || !way->records.known || !cfz_rand_bool(r) || !mix(w, way))
            cfz_mutate(&w->mutator, &w->cur);
        if (execute(w, mends) != CFZ_RAN)
            return false;
        if (n->goal.site == NULL || n->goal.key != key)
            return false; /* met, or another one took the place */
        if (n->distance < distance)
            return true;
        if (n->is_moved)
            return false;
    }
    return false;
}

enum cfz_verdict cfz_worker_approach(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    struct cfz_nearest *n;
    bool nearer = false;
    uint64_t key, parts;

    if (!is_due(w))
        return CFZ_VERDICT_PASS;
    n = cfz_nearest_next(&s->search);
    s->approach.cost++; /* that there was none, too */
    s->approach_ever++;
    if (!n)
        return CFZ_VERDICT_PASS;
    key = n->goal.key;
    s->failed = false;
    s->entry = UINT64_MAX;
    s->search.work = 1;
    w->shm->lineage.n = 0;
    s->mutates = true;
    w->mutator.other = other;
    cfz_worker_search_begin_turn(s, CFZ_SEARCH_APPROACH);
    parts = s->parts_ever;
    renew_donor(w);
    while (!s->search.over && s->search.cost - s->turn_cost < TURN + s->parts_ever - parts &&
           n->goal.key == key && n->goal.site && !n->is_moved)
        nearer |= chain(w, n, key);
    w->mutator.other = NULL;
    s->mutates = false;
    cfz_worker_words_over(w);
    s->stage = CFZ_LINEAGE_SOLVE;
    if ((nearer || n->is_moved) && !s->search.over && n->goal.key == key && n->goal.site)
        solve(&s->search, n);
    s->approach_vain = nearer || s->search.nnews > s->turn_news
                           ? 0
                           : s->approach_vain + s->search.cost - s->turn_cost;
    cfz_worker_search_end_turn(w);
    return s->failed ? CFZ_VERDICT_FAIL : CFZ_VERDICT_PASS;
}
