/*
 * repair.c - the way of an input to a comparison: mended where what was written for a goal left it,
 * and changed, outcome by outcome, where what is compared depends on it.
 */
#define _GNU_SOURCE
#include <string.h>

#include "coverage/prelude.h"
#include "solver/solver.h"
#include "solver/solving.h"

enum {
    OUTCOMES = 96,      /* comparisons before that of a goal which are given their other outcome */
    COST_OUTCOME = 600, /* of each of them; guessed */
    COST_OUTCOME_TEXT = 100, /* the same of text: only what is cheap is tried; guessed */
    COST_STRAIGHT = 40000,   /* of all of them, where no goal is behind them; guessed */
    STRAIGHT = 0x57a1,       /* a key that no goal has */
};

/* Whether the byte at p of the input that left the path is one that was written since. */
static bool is_frozen(const struct cfz_solver *v, uint32_t p)
{
    const struct cfz_image *was = &cfz_bases[0].im;

    if (p >= v->lost.frozen && p < v->lost.frozen_end)
        return true;
    return cfz_image_size(was) == cfz_image_size(&v->lost.im) &&
           was->bytes[p] != v->lost.im.bytes[p];
}

/* Drops changes of lengths that would move what was written away, or take a length back. */
static void drop_shifting(const struct cfz_solver *v, struct cfz_task *t)
{
    uint32_t n = 0, written = cfz_image_value(&v->lost.im, v->lost.frozen);

    for (uint32_t k = 0; k < t->nlengths; k++)
        if (t->lengths[k].i != written ||
            (v->lost.by != CFZ_WRITTEN_LENGTH && t->lengths[k].p >= v->lost.frozen_end))
            t->lengths[n++] = t->lengths[k];
    t->nlengths = n;
}

enum { SUSPECTS = 3, SUSPECTS_BACK = 64 };
static struct cfz_task suspects[SUSPECTS];

static bool is_suspect(const struct cfz_event *e)
{
    return !cfz_site_is_text(e->site) && e->site->kind != CFZ_SITE_SWITCH;
}

static void suspect(uint32_t *n, const struct cfz_event *e, struct cfz_goal_note *note)
{
    struct cfz_task *t = &suspects[*n];

    memset(t, 0, sizeof *t);
    cfz_flipped(e, &t->g);
    t->note = note;
    cfz_task_at(t, e);
    (*n)++;
}

/*
 * The comparisons at which the last trace may have left the path of the base: the last ones that
 * went another way, behind which it ends; and the first, which may be no more than a loop that goes
 * round more often with what was written. Returns how many.
 */
static uint32_t find_suspects(const struct cfz_base *b, struct cfz_goal_note *note)
{
    const struct cfz_event *first = cfz_base_left(b);
    uint32_t n = 0, end = cfz_trace.nevents;
    struct cfz_cursors cursors = {0};

    for (uint32_t i = end; i-- > 0 && end - i <= SUSPECTS_BACK && n < SUSPECTS - 1;) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint64_t value;

        if (e != first && is_suspect(e) && !cfz_site_is_unasked(e->site) &&
            cfz_base_chose(b, &cursors, e->site, e->nth, &value) && value != cfz_chosen(e))
            suspect(&n, e, note);
    }
    if (first && is_suspect(first))
        suspect(&n, first, note);
    return n;
}

/* Leaves a task the bytes that were not written, and takes changes of lengths away that would move
 * those that were. Returns whether there is something to change. */
static bool spare_written(const struct cfz_solver *v, struct cfz_task *t)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < t->nat; i++)
        if (!is_frozen(v, t->at[i].p))
            t->at[left++] = t->at[i];
    t->nat = left;
    drop_shifting(v, t);
    return left > 0 || t->nlengths > 0;
}

/*
 * Gives a task of the input that is repaired, in which no byte moves what is compared, those that
 * do so in the base: a quotient is 0 whatever its divisor, if what is divided is small. False if
 * the search is over.
 */
static bool take_moves_of_base(struct cfz_solver *v, struct cfz_task *sub)
{
    static struct cfz_task at_base;
    struct cfz_base *b = &cfz_bases[0];
    const struct cfz_event *e;

    if (cfz_image_size(&b->im) != cfz_image_size(&v->lost.im))
        return true; /* they are elsewhere */
    if (!cfz_solver_execute(v->s, &b->im))
        return false;
    e = cfz_trace_find(sub->g.site, sub->g.nth);
    if (!e)
        return true;
    at_base.g = sub->g;
    cfz_task_at(&at_base, e);
    if (!cfz_probe_bytes(v->s, b, &at_base, 1, 0))
        return false;
    memcpy(sub->at, at_base.at, sizeof sub->at);
    sub->nat = at_base.nat;
    sub->sides = at_base.sides;
    return true;
}

/*
 * One step of a repair: a comparison at which v->lost leaves the path of the base becomes a task
 * of its own, to be solved without touching what was written. MET: the outer task is met, or
 * v->is_repaired and v->lost goes on beyond that comparison.
 */
static enum cfz_trial repair_step(struct cfz_solver *v)
{
    struct cfz_task *outer = v->task;
    enum cfz_trial r = cfz_trial_once(v, &v->lost.im);
    uint32_t n;

    if (r != CFZ_TRIAL_LOST)
        return r;
    n = cfz_may_probe(v, outer, &v->lost.im) ? find_suspects(&cfz_bases[0], outer->note) : 0;
    cfz_base_take(&cfz_bases[1], &v->lost.im);
    if (n == 0 || !cfz_probe_bytes(v->s, &cfz_bases[1], suspects, n, 0) ||
        !cfz_probe_lengths(v->s, &cfz_bases[1], suspects, n))
        return n == 0 ? r : CFZ_TRIAL_OVER;
    for (uint32_t k = 0; k < n && !cfz_trial_ends(r); k++) {
        struct cfz_task *sub = &suspects[k];
        bool is_moved = spare_written(v, sub);

        if (!is_moved && !take_moves_of_base(v, sub))
            return CFZ_TRIAL_OVER;
        is_moved = is_moved || spare_written(v, sub);
        v->outer = outer;
        v->task = sub;
        v->base = &cfz_bases[1];
        v->repairs = true;
        v->best = UINT64_MAX;
        cfz_allow(v, cfz_is_plain(outer) ? CFZ_COST_REPAIR : 0);
        if (is_moved)
            r = cfz_solve_number(v);
        if (sub->nat == 0 && !cfz_trial_ends(r)) /* no byte: of a network some bits are zero */
            r = cfz_solve_numerals(v, true);
        v->repairs = false;
        v->outer = NULL;
        v->task = outer;
        v->base = &cfz_bases[0];
    }
    return r;
}

enum cfz_trial cfz_repair(struct cfz_solver *v, const struct cfz_lost *from)
{
    enum { STEPS = 5 };
    enum cfz_trial r = CFZ_TRIAL_LOST;

    v->lost = *from;
    for (int k = 0; k < STEPS; k++) {
        v->is_repaired = false;
        r = repair_step(v);
        if (r != CFZ_TRIAL_MET || !v->is_repaired)
            return r;
    }
    return CFZ_TRIAL_LOST;
}

/* ---- outcomes before ------------------------------------------------------------------ */

static struct cfz_task subs[OUTCOMES]; /* comparisons that are given their other outcome */

/* Whether a comparison is given its other outcome. texts: text becomes equal, too. */
static bool turns_out(const struct cfz_search *s, const struct cfz_event *e, bool texts)
{
    if (cfz_site_is_text(e->site) && (!texts || e->outcome || cfz_site_is_find(e->site)))
        return false;
    return e->site->kind != CFZ_SITE_SWITCH && cfz_is_early(e, CFZ_PATH_NTH) &&
           !cfz_site_is_unasked(e->site) && !cfz_is_pointer_like(e) && !cfz_is_erratic(s, e);
}

/* Makes a task of each of the last comparisons before event end, to have its other outcome. */
static uint32_t outcomes_before(struct cfz_search *s, uint32_t end, struct cfz_goal_note *note,
                                bool texts)
{
    uint32_t n = 0;

    for (uint32_t i = end; i-- > 0 && n < OUTCOMES;) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (!turns_out(s, e, texts))
            continue;
        memset(&subs[n], 0, sizeof subs[n]);
        cfz_flipped(e, &subs[n].g);
        subs[n].note = note;
        cfz_task_at(&subs[n++], e);
    }
    return n;
}

/* Where position p of an input is, of which the bytes from first on became another number of bytes
 * up to where it goes on as before, from end on. False if it is among these. */
static bool follow_place(uint32_t first, uint32_t end, int64_t more, uint32_t *p)
{
    if (*p >= end)
        *p = (uint32_t)(*p + more);
    else if (*p >= first)
        return false;
    return true;
}

/* The base of these tasks, was, is to be another input: they keep what moves them, where that is
 * still there. */
static void follow_base(struct cfz_task *ts, uint32_t n, const struct cfz_image *was,
                        const struct cfz_image *is)
{
    const uint32_t before = cfz_image_size(was), after = cfz_image_size(is);
    const int64_t more = (int64_t)after - before;
    uint32_t first = 0, same = 0;

    if (more == 0)
        return;
    while (first < before && first < after && was->bytes[first] == is->bytes[first])
        first++;
    while (same < before - first && same < after - first &&
           was->bytes[before - 1 - same] == is->bytes[after - 1 - same])
        same++;
    for (uint32_t i = 0; i < n; i++) {
        struct cfz_task *t = &ts[i];
        uint32_t nat = 0, nlengths = 0;

        for (uint32_t k = 0; k < t->nat; k++) {
            t->at[nat] = t->at[k];
            nat += follow_place(first, before - same, more, &t->at[nat].p);
        }
        for (uint32_t k = 0; k < t->nlengths; k++) {
            t->lengths[nlengths] = t->lengths[k];
            nlengths += follow_place(first, before - same, more, &t->lengths[nlengths].p);
        }
        t->nat = nat;
        t->nlengths = nlengths;
    }
}

/* Works on one of these tasks from b, up to a cost. */
static enum cfz_trial turn_outcome(struct cfz_solver *v, struct cfz_base *b, struct cfz_task *sub,
                                   uint64_t limit)
{
    const bool is_text = cfz_site_is_text(sub->g.site);
    const uint64_t most = is_text ? COST_OUTCOME_TEXT : COST_OUTCOME;

    v->task = sub;
    v->base = b; /* the one before may have gone on from elsewhere */
    v->best = UINT64_MAX;
    v->limit = v->s->cost + most < limit ? v->s->cost + most : limit;
    v->is_repaired = false;
    return is_text ? cfz_solve_text(v) : cfz_solve_number(v);
}

enum cfz_trial cfz_turn_outcomes(struct cfz_solver *v)
{
    struct cfz_task *t = v->task;
    struct cfz_base *b = &cfz_bases[1];
    uint64_t limit, best, distance;
    enum cfz_trial r = cfz_trial_once(v, &cfz_bases[0].im);
    uint32_t n, shortest = cfz_trace.nevents;

    if (r != CFZ_TRIAL_REACHED)
        return r;
    best = cfz_goal_distance(&t->g, v->event);
    n = outcomes_before(v->s, (uint32_t)(v->event - cfz_trace.events), t->note, true);
    cfz_base_take(b, &cfz_bases[0].im);
    if (n == 0 || !cfz_probe_bytes(v->s, b, subs, n, 0) || !cfz_probe_lengths(v->s, b, subs, n))
        return r;
    limit = v->s->cost + CFZ_COST_LEVEL0; /* beside what the probes cost */
    v->outer = t;
    v->turns = true;
    for (uint32_t i = 0; i < n && r != CFZ_TRIAL_OVER; i++) {
        const struct cfz_event *e;

        if (subs[i].nat == 0 && subs[i].nlengths == 0)
            continue;
        r = turn_outcome(v, b, &subs[i], limit);
        if (r == CFZ_TRIAL_MET && !v->is_repaired)
            break; /* the task itself is met */
        if (r == CFZ_TRIAL_OVER && !v->s->over && v->s->cost < limit)
            r = CFZ_TRIAL_LOST; /* this one cost enough */
        if (r != CFZ_TRIAL_MET)
            continue;
        r = CFZ_TRIAL_LOST;
        e = cfz_trace_find(t->g.site, t->g.nth);
        distance = e ? cfz_goal_distance(&t->g, e) : UINT64_MAX;
        if (distance > best || (distance == best && cfz_trace.nevents >= shortest))
            continue;
        best = distance;
        shortest = cfz_trace.nevents;
        follow_base(subs + i + 1, n - i - 1, &b->im, &v->lost.im);
        cfz_base_take(b, &v->lost.im);
    }
    v->outer = NULL;
    v->turns = false;
    v->task = t;
    v->base = &cfz_bases[0];
    v->limit = limit;
    return r;
}

/* Of the last comparison of the last trace, or NULL. */
static const struct cfz_site *last_site(void)
{
    return cfz_trace.nevents > 0 ? cfz_trace.events[cfz_trace.nevents - 1].site : NULL;
}

void cfz_straighten(struct cfz_search *s, const struct cfz_image *im)
{
    static struct cfz_task none;
    static struct cfz_site nowhere; /* no input shows this one */
    struct cfz_goal_note *note = cfz_goal_note(s->goals, cfz_goal_key3(STRAIGHT, cfz_tasks.path));
    struct cfz_solver *v = &cfz_solver;
    struct cfz_base *b = &cfz_bases[1];
    const struct cfz_site *end;
    uint64_t news = s->nnews, limit = s->cost + COST_STRAIGHT;
    uint32_t n, shortest;

    if (!note || atomic_exchange_explicit(&note->tried, 1, memory_order_relaxed) != 0 ||
        !cfz_solver_execute(s, im))
        return;
    shortest = cfz_trace.nevents;
    end = last_site();
    n = outcomes_before(s, shortest, note, false);
    cfz_base_take(b, im);
    if (n == 0 || !cfz_probe_bytes(s, b, subs, n, 0) || !cfz_probe_lengths(s, b, subs, n))
        return;
    none.g.site = &nowhere;
    v->s = s;
    v->outer = &none;
    v->straightens = true;
    v->recipe.set = CFZ_RECIPE_NONE;
    for (uint32_t i = 0; i < n && !s->over && s->nnews == news && s->cost < limit; i++) {
        const struct cfz_event *e;

        if (subs[i].nat == 0 && subs[i].nlengths == 0)
            continue;
        if (turn_outcome(v, b, &subs[i], limit) != CFZ_TRIAL_MET || !v->is_repaired ||
            cfz_trace.nevents >= shortest || last_site() != end)
            continue;
        e = cfz_base_left(b);
        if (!e || e->site != subs[i].g.site || e->nth != subs[i].g.nth)
            continue; /* it went another way before */
        shortest = cfz_trace.nevents;
        follow_base(subs + i + 1, n - i - 1, &b->im, &v->lost.im);
        cfz_base_take(b, &v->lost.im);
    }
    v->outer = NULL;
    v->straightens = false;
    v->base = &cfz_bases[0];
}
