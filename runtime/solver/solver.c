/*
 * solver.c - one input: what it does not show, which bytes matter, and a step after the other.
 *
 *     entry --trace--> goals --probe each byte--> influences --steps--> met, or tried once more
 *
 * Invariants:
 *   1. A goal's tried is counted before anything is executed for it. So a target that dies of a
 *      trial does not make the next process try the same again for ever.
 *   2. Costs are counted in executions and comparisons, so that a run repeats.
 *   3. Nothing is allocated; all memory is mapped once.
 */
#define _GNU_SOURCE
#include "solver/solver.h"

#include <string.h>

#include "core/map.h"
#include "coverage/prelude.h"
#include "search/nearest.h"
#include "search/obstacles.h"
#include "solver/solving.h"

enum {
    TASKS = 192,        /* goals of an entry at a time */
    TASKS_LEVEL0 = 112, /* of these, the most of level 0; with level 1: */
    TASKS_LEVEL1 = 160,
    WATCHED = 8,        /* behind them: comparisons of which it is only seen what moves them */
    WATCHED_MOST = 2,   /* inputs in which those of a site are */
    WATCH = 0x5ee5,     /* a key that no goal has */
    SWITCH_CASES = 32,  /* of a switch, for one of its comparisons */
    SAME_KEY = 3,       /* comparisons that are tried for one goal: the first two and the last */
    COST_LEVEL0 = 3000, /* of a goal at the first attempt; four times as much at each further one */
    COST_FINE = 1000,
    COST_PROBES = 8000, /* beyond that, of probing another input, if not for level 0; guessed */
    COST_TEXT = 12,     /* times as much for text */
    COST_TEXT_FINE = 2, /* ... of levels 2 and 3 */
    SITE_FAILURES = 24, /* after so many more failures than successes a site is given up */
    FINE_ORDERED = 16,  /* comparisons of a site that level 2 looks at, but for equality */
    PATH_NTH = 16,      /* comparisons of a site that tell paths apart */
    COUNTS = 2,         /* rounds of a loop that counts which may each be its last one on a path */
    PART_NTH = 4,       /* comparisons of a site that are looked at as parts of a condition */
    FIXED_AGAIN = 16,   /* in one of so many inputs, sites that nothing moved are looked at again */
    TURNS = 8,          /* goals of an input that nothing moves, and that are tried all the same */
    OUTCOMES = 96,      /* comparisons before that of a goal which are given their other outcome */
    GUESSED_BESIDE = 8, /* bytes that move a byte, beside which it is looked for where it stands */
    COST_OUTCOME = 600, /* of each of them; guessed */
    OUTCOMES_ALONE = 1600, /* comparisons of a trace up to which that is done for one goal alone */
    COST_STRAIGHT = 40000, /* of all of them, where no goal is behind them; guessed */
    STRAIGHT = 0x57a1,     /* a key that no goal has */
    COST_REPAIR = 1500,    /* at least, of each comparison at which a path is mended; guessed */
    COST_TOGETHER = 1000,  /* of two numbers that change together; guessed */
    COST_INSERTED = 1000,  /* of a number that is put in for the operand that nothing moves */
    COST_COUNTS = 4000,    /* of characters that are put in, for what nothing moves; guessed */
    COST_NESTED = 32000,   /* of a field within lengths, as often; guessed */
    NESTED_TRIES = 8,  /* in vain, one after the other, after which they may cost half as much */
    NESTED_LEAST = 32, /* ... and after which it gets no less; both guessed */
};

static struct cfz_task *tasks;
static struct cfz_base *bases; /* of the entry; and of a task that goes on from elsewhere */
static uint32_t ntasks;
static unsigned nopen; /* goals of the input that are open, whether or not they are worked on */

struct cfz_solver cfz_solver;

/* Inputs that showed a goal without new coverage: two rings, of which the first has those that
 * showed an outcome. */
struct side {
    struct cfz_image im;
    unsigned generation;
};
static struct ring {
    struct side *sides;
    const unsigned size;
    uint64_t in, out;
} rings[2] = {{.size = CFZ_SIDE_OUTCOMES}, {.size = CFZ_SIDE_MAX}};
static unsigned current_generation; /* of the input that is worked on */
static uint32_t current_size;       /* bytes of it */
static uint64_t path;               /* a hash of the outcomes of its trace */
static uint64_t parts;              /* a hash of those that are parts of conditions; of nparts */
static uint32_t nparts;
static bool takes_fixed;            /* goals that no input moved are among its tasks */

int cfz_solver_map(struct cfz_error *err)
{
    if (tasks)
        return 0;
    for (int i = 0; i < 2; i++)
        rings[i].sides = cfz_map_private(rings[i].size * sizeof *rings[i].sides);
    bases = cfz_map_private(2 * sizeof *bases);
    tasks = cfz_map_private((TASKS + WATCHED) * sizeof *tasks);
    if (!rings[0].sides || !rings[1].sides || !bases || !tasks)
        return cfz_fail_errno(err, "map memory for the solver");
    return 0;
}

const char *cfz_solver_step_name(void)
{
    return cfz_solver.step ? cfz_solver.step : "";
}

/* ---- inputs on the side ----------------------------------------------------------- */

/* The input that is worked on is im, from now on. */
static void work_from(const struct cfz_image *im, unsigned generation)
{
    current_generation = generation;
    current_size = cfz_image_size(im);
}

/* Returns the copy, which the caller may change. */
static struct cfz_image *side_add(struct ring *r, const struct cfz_image *im)
{
    struct side *at = &r->sides[r->in % r->size];

    cfz_image_copy(&at->im, im);
    at->generation =
        (current_generation ? current_generation : 1) + (cfz_image_size(im) > current_size);
    r->in++;
    if (r->in - r->out > r->size)
        r->out = r->in - r->size; /* the oldest makes room */
    return &at->im;
}

void cfz_solver_add(const struct cfz_image *im, bool outcome)
{
    if (!tasks)
        return;
    work_from(im, 0);
    side_add(&rings[!outcome], im);
}

const struct cfz_image *cfz_solver_any(struct cfz_rand *r)
{
    uint64_t n = rings[0].in < rings[0].size ? rings[0].in : rings[0].size;

    return n ? &rings[0].sides[cfz_rand_below(r, (uint32_t)n)].im : NULL;
}

bool cfz_solver_side(struct cfz_search *s, bool outcomes, unsigned *generation)
{
    struct ring *r = rings[0].out < rings[0].in || outcomes ? &rings[0] : &rings[1];
    struct side *at;

    if (r->out == r->in)
        return false;
    at = &r->sides[r->out++ % r->size];
    cfz_image_write(&at->im, s->cur);
    *generation = at->generation;
    return true;
}

/* ---- trials ------------------------------------------------------------------------ */

/* Whether what one operand of a task is reckoned from is more than what is written in the other. */
static bool is_checksum(const struct cfz_task *t)
{
    return t->sides == 3 && t->g.site->width >= 16 && t->nat > t->g.site->width / 8U;
}

/* How many comparisons of the last trace have the outcome that a condition needs behind which no
 * input came yet; if hash is not NULL, which. */
static uint32_t parts_held(const struct cfz_search *s, uint64_t *hash)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        const uint8_t *counter = cfz_site_joined(e->site, cfz_holds(e));

        if (!counter || !cfz_is_early(e, PART_NTH) || cfz_seen_has_counter(s->seen, counter))
            continue;
        n++;
        if (hash)
            *hash += cfz_goal_key2(e->site, e->nth, cfz_holds(e)) >> 8;
    }
    return n;
}

/* Whether the last trace shows the goal of a task; of the part of a condition, without losing
 * another part. */
static bool met(const struct cfz_search *s, const struct cfz_task *t)
{
    if (t->is_part && parts_held(s, NULL) <= t->held)
        return false;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (cfz_trace.events[i].site == t->g.site && cfz_goal_met_by(&t->g, &cfz_trace.events[i]))
            return true;
    return false;
}

/* The last trace met the goal of a task. */
static void task_met(struct cfz_solver *v, struct cfz_task *t, const struct cfz_image *im,
                     bool is_news)
{
    cfz_goals_learn(v->s->goals);
    atomic_store_explicit(&t->note->met, 1, memory_order_relaxed);
    if (!is_news && (t->g.level < 3 || is_checksum(t)))
        cfz_image_keep_streams(side_add(&rings[t->g.level > 0 && !t->is_part], im), &v->s->stored);
}

/* Whether im still has what was written for the outer task, where it was in its value. */
static bool keeps_written(const struct cfz_solver *v, const struct cfz_image *im)
{
    const struct cfz_lost *l = &v->lost;
    const uint32_t i = cfz_image_value(&l->im, l->frozen), n = l->frozen_end - l->frozen;
    const uint32_t p = im->at[i] + l->frozen - l->im.at[i];

    return p + n <= im->at[i + 1] && memcmp(im->bytes + p, l->im.bytes + l->frozen, n) == 0;
}

/* im came to the comparison of the task, of level 0. */
static void came_to(struct cfz_solver *v, const struct cfz_image *im)
{
    const uint64_t distance = cfz_goal_distance(&v->task->g, v->event);

    cfz_obstacles_nearer(v->s->goals, &v->task->g, v->event);
    if (distance >= v->nearest)
        return;
    v->nearest = distance;
    cfz_image_copy(&v->nearest_im, im);
}

/* Executes im once for the task, or for the repair of the outer one's path. */
static enum cfz_trial trial_once(struct cfz_solver *v, const struct cfz_image *im)
{
    enum cfz_ran r;

    if (v->s->cost >= v->limit)
        return CFZ_TRIAL_OVER;
    if (v->repairs && !keeps_written(v, im))
        return CFZ_TRIAL_LOST;
    r = cfz_search_try(v->s, im, true);
    if (r == CFZ_RAN_OVER)
        return CFZ_TRIAL_OVER;
    if (met(v->s, v->outer ? v->outer : v->task)) {
        if (!v->outer)
            cfz_recipe_learn(v->s, v->task, &v->recipe);
        task_met(v, v->outer ? v->outer : v->task, im, r == CFZ_RAN_NEWS);
        return CFZ_TRIAL_MET;
    }
    if (r == CFZ_RAN_NEWS)
        cfz_goals_learn(v->s->goals);
    v->event = cfz_trace_find(v->task->g.site, v->task->g.nth);
    if (!v->outer && v->event && v->task->g.level == 0)
        came_to(v, im);
    if (v->outer && v->event && cfz_goal_distance(&v->task->g, v->event) == 0) {
        if (v->turns && !cfz_trace_find(v->outer->g.site, v->outer->g.nth))
            return CFZ_TRIAL_LOST; /* another comparison has its number now, most often */
        v->is_repaired = true;
        cfz_image_copy(&v->lost.im, im);
        return CFZ_TRIAL_MET;
    }
    return v->event ? CFZ_TRIAL_REACHED : CFZ_TRIAL_LOST;
}

enum cfz_trial cfz_trial(struct cfz_solver *v, const struct cfz_image *im)
{
    enum cfz_trial r = trial_once(v, im);

    if (r != CFZ_TRIAL_LOST || (v->outer && !v->straightens))
        return r;
    if (!v->outer)
        v->kept = cfz_base_kept(v->base);
    return cfz_bring_back(v, v->base, im, trial_once);
}

/* ---- tasks -------------------------------------------------------------------------- */

/* Sets what a task knows of the base from its comparison there. */
static void task_at(struct cfz_task *t, const struct cfz_event *e)
{
    t->nat = t->nlengths = t->sides = 0;
    t->lost = false;
    t->g.nth = e->nth;
    if (cfz_site_is_text(e->site)) {
        memcpy(t->text_a, cfz_trace.text + e->a_at, e->a_len);
        memcpy(t->text_b, cfz_trace.text + e->b_at, e->b_len);
        t->len_a = e->a_len;
        t->len_b = e->b_len;
    } else {
        t->a = e->a;
        t->b = cfz_task_b(t, e);
    }
}

/* Whether a goal is an outcome of a comparison that the program makes. */
static bool is_plain(const struct cfz_task *t)
{
    return t->g.level == 0 && !cfz_site_is_unasked(t->g.site);
}

/* Whether a task may have im, the input of the last trace, probed: all its bytes and lengths, if
 * each such execution costs as much as that one. */
static bool may_probe(const struct cfz_solver *v, const struct cfz_task *t,
                      const struct cfz_image *im)
{
    const uint32_t size = cfz_image_size(im);
    const uint64_t lengths = size < CFZ_PROBE_DENSE ? size : CFZ_PROBE_DENSE;
    const uint64_t bytes = size < CFZ_PROBE_STRIDE ? size : CFZ_PROBE_STRIDE;

    return is_plain(t) || v->s->cost + (4 * bytes + 2 * lengths) * 2 * cfz_work(cfz_trace.passed) <=
                              v->limit + COST_PROBES;
}

enum cfz_trial cfz_reprobe(struct cfz_solver *v, const struct cfz_image *im)
{
    struct cfz_base *b = &bases[1];
    struct cfz_task *t = v->task;
    enum cfz_trial r = cfz_trial(v, im);

    if (r != CFZ_TRIAL_REACHED)
        return r;
    if (!may_probe(v, t, im))
        return CFZ_TRIAL_LOST;
    cfz_base_take(b, im);
    task_at(t, v->event);
    v->base = b;
    if (!cfz_probe_bytes(v->s, b, t, 1, 0) || !cfz_probe_lengths(v->s, b, t, 1))
        return CFZ_TRIAL_OVER;
    return CFZ_TRIAL_REACHED;
}

/* ---- repair ------------------------------------------------------------------------- */

/* Whether the byte at p of the input that left the path is one that was written since. */
static bool is_frozen(const struct cfz_solver *v, uint32_t p)
{
    const struct cfz_image *was = &bases[0].im;

    if (p >= v->lost.frozen && p < v->lost.frozen_end)
        return true;
    return cfz_image_size(was) == cfz_image_size(&v->lost.im) &&
           was->bytes[p] != v->lost.im.bytes[p];
}

/* Lets the task go on for so much more at least. */
static void allow(struct cfz_solver *v, uint64_t cost)
{
    if (v->limit < v->s->cost + cost)
        v->limit = v->s->cost + cost;
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
    task_at(t, e);
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

/*
 * One step of a repair: a comparison at which v->lost leaves the path of the base becomes a task
 * of its own, to be solved without touching what was written. MET: the outer task is met, or
 * v->is_repaired and v->lost goes on beyond that comparison.
 */
static enum cfz_trial repair_step(struct cfz_solver *v)
{
    struct cfz_task *outer = v->task;
    enum cfz_trial r = trial_once(v, &v->lost.im);
    uint32_t n;

    if (r != CFZ_TRIAL_LOST)
        return r;
    n = may_probe(v, outer, &v->lost.im) ? find_suspects(&bases[0], outer->note) : 0;
    cfz_base_take(&bases[1], &v->lost.im);
    if (n == 0 || !cfz_probe_bytes(v->s, &bases[1], suspects, n, 0) ||
        !cfz_probe_lengths(v->s, &bases[1], suspects, n))
        return n == 0 ? r : CFZ_TRIAL_OVER;
    for (uint32_t k = 0; k < n && !cfz_trial_ends(r); k++) {
        struct cfz_task *sub = &suspects[k];
        uint32_t left = 0;

        for (uint32_t i = 0; i < sub->nat; i++)
            if (!is_frozen(v, sub->at[i].p))
                sub->at[left++] = sub->at[i];
        sub->nat = left;
        drop_shifting(v, sub);
        if (left == 0 && sub->nlengths == 0)
            continue;
        v->outer = outer;
        v->task = sub;
        v->base = &bases[1];
        v->repairs = true;
        allow(v, is_plain(outer) ? COST_REPAIR : 0);
        r = cfz_solve_number(v);
        v->repairs = false;
        v->outer = NULL;
        v->task = outer;
        v->base = &bases[0];
    }
    return r;
}

/* What was written for the task made the input leave its path: brings it back, comparison by
 * comparison. */
static enum cfz_trial repair(struct cfz_solver *v, const struct cfz_lost *from)
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

/* Makes a task of each of the last comparisons before event end, to have its other outcome. */
static uint32_t outcomes_before(struct cfz_search *s, uint32_t end, struct cfz_goal_note *note)
{
    uint32_t n = 0;

    for (uint32_t i = end; i-- > 0 && n < OUTCOMES;) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (cfz_site_is_text(e->site) || e->site->kind == CFZ_SITE_SWITCH ||
            !cfz_is_early(e, PATH_NTH) || cfz_site_is_unasked(e->site) || cfz_is_pointer_like(e) ||
            cfz_is_erratic(s, e))
            continue;
        memset(&subs[n], 0, sizeof subs[n]);
        cfz_flipped(e, &subs[n].g);
        subs[n].note = note;
        task_at(&subs[n++], e);
    }
    return n;
}

/* Works on one of these tasks from the base of v, up to a cost. */
static enum cfz_trial turn_outcome(struct cfz_solver *v, struct cfz_task *sub, uint64_t limit)
{
    v->task = sub;
    v->best = UINT64_MAX;
    v->limit = v->s->cost + COST_OUTCOME < limit ? v->s->cost + COST_OUTCOME : limit;
    v->is_repaired = false;
    return cfz_solve_number(v);
}

/*
 * What is compared may depend on the ways that earlier comparisons went, and on no byte alone:
 * flags that were set one by one. Each of these comparisons is given its other outcome; what brings
 * the operands nearer stays, and the next one is tried from there. So does what leaves them and
 * takes a shorter way: of the checks of a header each that fails goes on to say so, and one flag
 * tells of all of them at the end.
 */
static enum cfz_trial turn_outcomes(struct cfz_solver *v)
{
    struct cfz_task *t = v->task;
    struct cfz_base *b = &bases[1];
    uint64_t limit, best, distance;
    enum cfz_trial r = trial_once(v, &bases[0].im);
    uint32_t n, shortest = cfz_trace.nevents;

    if (r != CFZ_TRIAL_REACHED)
        return r;
    best = cfz_goal_distance(&t->g, v->event);
    n = outcomes_before(v->s, (uint32_t)(v->event - cfz_trace.events), t->note);
    cfz_base_take(b, &bases[0].im);
    if (n == 0 || !cfz_probe_bytes(v->s, b, subs, n, 0) || !cfz_probe_lengths(v->s, b, subs, n))
        return r;
    limit = v->s->cost + COST_LEVEL0; /* beside what the probes cost */
    v->outer = t;
    v->turns = true;
    v->base = b;
    for (uint32_t i = 0; i < n && r != CFZ_TRIAL_OVER; i++) {
        const struct cfz_event *e;

        if (subs[i].nat == 0 && subs[i].nlengths == 0)
            continue;
        r = turn_outcome(v, &subs[i], limit);
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
        cfz_base_take(b, &v->lost.im);
    }
    v->outer = NULL;
    v->turns = false;
    v->task = t;
    v->base = &bases[0];
    v->limit = limit;
    return r;
}

/* Of the last comparison of the last trace, or NULL. */
static const struct cfz_site *last_site(void)
{
    return cfz_trace.nevents > 0 ? cfz_trace.events[cfz_trace.nevents - 1].site : NULL;
}

/*
 * The same where there is no goal behind these comparisons, since each of the checks of a header
 * that fails goes on to say so, and when one did the program gives up: no input goes further until
 * all of them hold, and compilers leave nothing that asks for all. What leaves out a piece of the
 * way and comes to the same end stays. Once for each path.
 */
static void straighten(struct cfz_search *s, const struct cfz_image *im)
{
    static struct cfz_task none;
    static struct cfz_site nowhere; /* no input shows this one */
    struct cfz_goal_note *note = cfz_goal_note(s->goals, cfz_goal_key3(STRAIGHT, path));
    struct cfz_solver *v = &cfz_solver;
    struct cfz_base *b = &bases[1];
    const struct cfz_site *end;
    uint64_t news = s->nnews, limit = s->cost + COST_STRAIGHT;
    uint32_t n, shortest;

    if (!note || atomic_exchange_explicit(&note->tried, 1, memory_order_relaxed) != 0 ||
        !cfz_solver_execute(s, im))
        return;
    shortest = cfz_trace.nevents;
    end = last_site();
    n = outcomes_before(s, shortest, note);
    cfz_base_take(b, im);
    if (n == 0 || !cfz_probe_bytes(s, b, subs, n, 0) || !cfz_probe_lengths(s, b, subs, n))
        return;
    none.g.site = &nowhere;
    v->s = s;
    v->outer = &none;
    v->straightens = true;
    v->base = b;
    v->recipe.set = CFZ_RECIPE_NONE;
    for (uint32_t i = 0; i < n && !s->over && s->nnews == news && s->cost < limit; i++) {
        const struct cfz_event *e;

        if (subs[i].nat == 0 && subs[i].nlengths == 0)
            continue;
        if (turn_outcome(v, &subs[i], limit) != CFZ_TRIAL_MET || !v->is_repaired ||
            cfz_trace.nevents >= shortest || last_site() != end)
            continue;
        e = cfz_base_left(b);
        if (!e || e->site != subs[i].g.site || e->nth != subs[i].g.nth)
            continue; /* it went another way before */
        shortest = cfz_trace.nevents;
        cfz_base_take(b, &v->lost.im);
    }
    v->outer = NULL;
    v->straightens = false;
    v->base = &bases[0];
}

/* ---- goals of an entry --------------------------------------------------------------------- */

/* How much inputs are known to move what a site compares: 2 where nothing before it went another
 * way, which much behind a check that fails does, 1 where something did, 0 where none is known to.
 */
static int moved_by_inputs(struct cfz_search *s, const struct cfz_site *site)
{
    const struct cfz_site_note *note = cfz_site_note(s->goals, site);

    if (!note)
        return 0;
    if (atomic_load_explicit(&note->direct, memory_order_relaxed))
        return 2;
    return atomic_load_explicit(&note->moved, memory_order_relaxed);
}

/* Whether nothing in several inputs moved the operands of a site: what it compares is no input, as
 * when a program reads its own version or parses its own text before it comes to the input. A long
 * trace is full of such comparisons, and there is no room for the others. */
static bool is_fixed(const struct cfz_site_note *site)
{
    return atomic_load_explicit(&site->fixed, memory_order_relaxed) >= CFZ_FIXED &&
           !atomic_load_explicit(&site->moved, memory_order_relaxed);
}

/* Whether a goal is to be worked on; counts nothing. */
static bool worth(struct cfz_search *s, const struct cfz_goal *g, struct cfz_goal_note **note,
                  unsigned attempts)
{
    const struct cfz_site_note *site = cfz_site_note(s->goals, g->site);
    unsigned failed, succeeded;

    if (!site || atomic_load_explicit(&site->erratic, memory_order_relaxed) ||
        !cfz_goal_open(s->goals, s->seen, g))
        return false;
    nopen++;
    if (is_fixed(site) && !takes_fixed)
        return false;
    *note = cfz_goal_note(s->goals, g->key);
    if (!*note || atomic_load_explicit(&(*note)->tried, memory_order_relaxed) >= attempts)
        return false;
    failed = atomic_load_explicit(&site->failed, memory_order_relaxed);
    succeeded = atomic_load_explicit(&site->succeeded, memory_order_relaxed);
    return failed < SITE_FAILURES + 4 * succeeded;
}

/* Returns the task, or NULL if there is none for the goal now. */
static struct cfz_task *add_task(struct cfz_search *s, const struct cfz_event *e,
                                 const struct cfz_goal *g, unsigned attempts)
{
    static const uint32_t rooms[] = {TASKS_LEVEL0, TASKS_LEVEL1, TASKS, TASKS};
    struct cfz_goal_note *note;
    struct cfz_task *t;
    unsigned same = 0;

    for (uint32_t i = 0; i < ntasks; i++)
        if (tasks[i].g.key == g->key)
            same++;
    if (same >= SAME_KEY) { /* the last one stands for those between */
        for (uint32_t i = ntasks; i-- > 0;)
            if (tasks[i].g.key == g->key) {
                tasks[i].g = *g;
                task_at(&tasks[i], e);
                return &tasks[i];
            }
    }
    if (ntasks >= rooms[g->level] || !worth(s, g, &note, attempts))
        return NULL;
    t = &tasks[ntasks++];
    t->g = *g;
    t->is_part = false;
    t->note = note;
    task_at(t, e);
    return t;
}

static void on_path(struct cfz_goal *g)
{
    g->level = 3;
    g->path = path;
    g->key = cfz_goal_key3(g->key, path);
}

/* All cases that the event does not show, but of a large switch not all at once. */
static void switch_goals(struct cfz_search *s, const struct cfz_event *e, uint8_t level,
                         unsigned attempts)
{
    const struct cfz_site *site = e->site;
    uint32_t n = site->ncases < SWITCH_CASES ? site->ncases : SWITCH_CASES;
    uint32_t start = n < site->ncases ? cfz_rand_below(s->rand, site->ncases) : 0;

    for (uint32_t k = 0; k < n; k++) {
        uint64_t value = site->cases[(start + k) % site->ncases].value & cfz_site_mask(site);
        struct cfz_goal g = {.site = e->site,
                             .nth = e->nth,
                             .level = level,
                             .want = CFZ_REL_EQUAL,
                             .value = value,
                             .key = level ? cfz_goal_key2_case(site, e->nth, value)
                                          : cfz_goal_key0(site, value)};

        if (level == 3)
            on_path(&g);
        if (((e->a ^ value) & cfz_site_mask(site)) != 0)
            add_task(s, e, &g, attempts);
    }
}

static void level0(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const struct cfz_site *site = e->site;
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH) {
        switch_goals(s, e, 0, attempts);
        return;
    }
    if (cfz_site_is_text(site) && e->outcome)
        return;
    cfz_flipped(e, &g);
    add_task(s, e, &g, attempts);
}

/* The event of the same site that is the nearest before event i, or behind it, or NULL. */
static const struct cfz_event *beside(uint32_t i, int way)
{
    enum { FAR = 64 };
    const struct cfz_site *site = cfz_trace.events[i].site;

    /* Before the first one is a number that is too large. */
    for (uint32_t k = i + (uint32_t)way, n = 0; n < FAR && k < cfz_trace.nevents;
         k += (uint32_t)way, n++)
        if (cfz_trace.events[k].site == site)
            return &cfz_trace.events[k];
    return NULL;
}

static bool same_text(const struct cfz_event *x, const struct cfz_event *y, unsigned side)
{
    const uint32_t n = side ? x->b_len : x->a_len;

    return n == (side ? y->b_len : y->a_len) &&
           memcmp(cfz_trace.text + (side ? x->b_at : x->a_at),
                  cfz_trace.text + (side ? y->b_at : y->a_at), n) == 0;
}

/* Whether an operand of two comparisons of a site is the same, that of side. */
static bool same_operand(const struct cfz_event *x, const struct cfz_event *y, unsigned side)
{
    if (cfz_site_is_text(x->site))
        return same_text(x, y, side);
    return (((side ? x->b : x->a) ^ (side ? y->b : y->a)) & cfz_site_mask(x->site)) == 0;
}

/*
 * Which operand of e, an equality, is the program's, most likely: 0 for a. Where neither is a
 * constant it is what changes along a table in which the other one is looked up.
 */
static unsigned programs_side(const struct cfz_event *e, const struct cfz_image *im)
{
    const uint32_t i = (uint32_t)(e - cfz_trace.events);
    const struct cfz_event *other = NULL;

    if (!cfz_has_constant(e->site) && !(other = beside(i, 1)))
        other = beside(i, -1);
    if (other && same_operand(e, other, 0) != same_operand(e, other, 1))
        return same_operand(e, other, 0) ? 1 : 0;
    if (cfz_site_is_text(e->site))
        return cfz_texts_program(e->site, im, cfz_trace.text + e->a_at, e->a_len,
                                 cfz_trace.text + e->b_at, e->b_len);
    return cfz_is_program(e->site, 0) ? 0 : 1;
}

/* The key of level 1 of a site and the program's operand: a number, or text of n bytes. */
static uint64_t key1_of(const struct cfz_site *site, uint64_t number, const uint8_t *text,
                        uint32_t n)
{
    return cfz_goal_key1(site, cfz_site_is_text(site) ? cfz_text_hash(text, n) : number);
}

static void level1(struct cfz_search *s, const struct cfz_event *e, const struct cfz_image *im,
                   unsigned attempts)
{
    const struct cfz_site *site = e->site;
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH || site->kind == CFZ_SITE_FLOAT || cfz_holds(e) ||
        (!cfz_site_is_text(site) && site->predicate != CFZ_REL_EQUAL))
        return;
    cfz_flipped(e, &g);
    g.level = 1;
    g.key = programs_side(e, im) == 0 ? key1_of(site, e->a, cfz_trace.text + e->a_at, e->a_len)
                                      : key1_of(site, e->b, cfz_trace.text + e->b_at, e->b_len);
    add_task(s, e, &g, attempts);
}

static void level2(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const struct cfz_site *site = e->site;
    bool equality =
        site->predicate == CFZ_REL_EQUAL || site->predicate == (CFZ_REL_GREATER | CFZ_REL_LESS);
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH && cfz_is_early(e, FINE_ORDERED)) {
        switch_goals(s, e, 2, attempts);
        return;
    }
    if (site->kind != CFZ_SITE_INT ||
        !cfz_is_early(e, equality ? (uint32_t)CFZ_FINE_NTH : (uint32_t)FINE_ORDERED))
        return;
    cfz_flipped(e, &g);
    if (equality && !(g.want & CFZ_REL_EQUAL) && e + 1 != cfz_trace.events + cfz_trace.nevents)
        return; /* all that a loop asks; but behind the last one the program gave up, most likely */
    g.level = 2;
    g.key = cfz_goal_key2(site, e->nth, !cfz_holds(e));
    add_task(s, e, &g, attempts);
}

/*
 * A comparison that is a part of a condition behind which no input came yet. Each part may have
 * held in some input, and is no goal of its own any more; but all have to hold in one. Which others
 * hold here is a part of the key: where more of them do, it is another goal.
 */
static void part(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const bool holds = cfz_holds(e);
    const uint8_t *counter = cfz_site_joined(e->site, !holds);
    struct cfz_goal g;
    struct cfz_task *t;

    if (!counter || cfz_seen_has_counter(s->seen, counter) || !cfz_is_early(e, PART_NTH) ||
        (cfz_site_is_text(e->site) && holds))
        return;
    cfz_flipped(e, &g);
    if (cfz_goal_open(s->goals, s->seen, &g))
        return; /* it is one of level 0 */
    g.level = 1;
    g.path = parts | 1;
    g.key = cfz_goal_key3(
        cfz_site_is_text(e->site) ? g.key : cfz_goal_key2(e->site, e->nth, !holds), g.path);
    t = add_task(s, e, &g, attempts);
    if (t) {
        t->is_part = true;
        t->held = nparts;
    }
}

/* The bound of an array, or a number that the library read, when all that the program asks was
 * looked at. */
static void unasked(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    struct cfz_goal g;

    cfz_flipped(e, &g);
    add_task(s, e, &g, attempts);
}

/* Whether e is one of many comparisons with which a loop counts up to one and the same number. */
static bool is_amid_count(const struct cfz_event *e)
{
    const uint32_t i = (uint32_t)(e - cfz_trace.events);
    const struct cfz_event *before, *behind;

    if (e->nth < COUNTS || e->site->kind != CFZ_SITE_INT)
        return false;
    before = beside(i, -1);
    behind = beside(i, 1);
    return before && behind && before->b == e->b && behind->b == e->b && e->a != before->a &&
           e->a - before->a == behind->a - e->a;
}

/*
 * Each outcome of this path the other way, as far as another level does not see to it. Where a loop
 * counts, it is enough to leave it at the beginning and at the end. Text shows
 * no key of level 2, so that its goal here is never met, and an attempt goes on as far as it may:
 * where it was met, fewer targets were passed (decision 141).
 */
static void level3(struct cfz_search *s, const struct cfz_event *e)
{
    struct cfz_goal g;

    if (!cfz_is_early(e, PATH_NTH) || (cfz_site_is_text(e->site) && e->outcome) || is_amid_count(e))
        return;
    if (e->site->kind == CFZ_SITE_SWITCH) {
        switch_goals(s, e, 3, 1);
        return;
    }
    cfz_flipped(e, &g);
    g.key = cfz_goal_key2(e->site, e->nth, !cfz_holds(e));
    on_path(&g);
    add_task(s, e, &g, 1);
}

/* A hash of where the last trace went, without how often it went round; not 0. */
static uint64_t hash_path(void)
{
    uint64_t h = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (cfz_is_early(&cfz_trace.events[i], PATH_NTH))
            h += cfz_goal_key2_case(cfz_trace.events[i].site, cfz_trace.events[i].nth,
                                    cfz_chosen(&cfz_trace.events[i])) >>
                 8;
    return h | 1;
}

/* Adds the goals of a level that an event of the last trace is for. */
static void collect_event(struct cfz_search *s, const struct cfz_event *e,
                          const struct cfz_image *im, unsigned level, unsigned attempts)
{
    if (cfz_is_pointer_like(e) || (e->nth < cfz_prelude(e->site) && !takes_fixed))
        return;
    if (cfz_site_is_unasked(e->site)) {
        if (level == 1 && !cfz_holds(e))
            unasked(s, e, attempts);
    } else if (level == 0) {
        level0(s, e, attempts);
    } else if (level == 1) {
        part(s, e, attempts);
        level1(s, e, im, attempts);
    } else if (level == 2) {
        level2(s, e, attempts);
    } else {
        level3(s, e);
    }
}

/* Fills tasks with the goals of the last trace. Of a long one those come first that inputs are
 * known to move; with a tail, which few comparisons look at, first of all those that are direct. */
static void collect(struct cfz_search *s, const struct cfz_image *im, unsigned round, bool tail)
{
    const int most = tail ? 2 : 1;

    /* Else loops over blanks build towers of ever longer inputs. */
    unsigned longer = current_generation > 0 ? current_generation - 1 : 0;
    bool fine = cfz_rand_below(s->rand, 1 + 2 * longer) == 0;
    bool is_long = cfz_trace.nevents > CFZ_EVENTS_LONG;

    takes_fixed = cfz_rand_below(s->rand, FIXED_AGAIN) == 0;
    ntasks = 0;
    path = hash_path();
    parts = 0;
    nparts = parts_held(s, &parts);
    for (unsigned level = 0; level < 4; level++) {
        unsigned attempts = level == 0   ? 2 + 2 * round
                            : level == 1 ? 1 + round
                            : fine       ? !is_long + round
                                         : 0;

        if (level == 3 && (ntasks > 0 || is_long))
            break;
        for (int known = is_long ? most : 0; known >= 0; known--)
            for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
                int moved = moved_by_inputs(s, cfz_trace.events[i].site);

                if (!is_long || (moved < most ? moved : most) == known)
                    collect_event(s, &cfz_trace.events[i], im, level, attempts);
            }
    }
}

/* Adds, behind the tasks, comparisons that may tell of a field that is right. Returns how many. */
static uint32_t watch(struct cfz_search *s, const struct cfz_image *im)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents && n < WATCHED; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        struct cfz_task *t = &tasks[ntasks + n];
        struct cfz_goal_note *note;

        if (!cfz_is_early(e, 1) || !cfz_recipe_wanted(s, e, im))
            continue;
        note = cfz_goal_note(s->goals, cfz_goal_key3(WATCH, cfz_goal_key0(e->site, 0)));
        if (!note ||
            atomic_fetch_add_explicit(&note->tried, 1, memory_order_relaxed) >= WATCHED_MOST)
            continue;
        memset(t, 0, sizeof *t);
        t->g.site = e->site;
        t->g.level = 2; /* the report is not about it */
        t->note = note;
        task_at(t, e);
        n++;
    }
    return n;
}

static void count_attempt(struct cfz_search *s, const struct cfz_task *t, bool success)
{
    struct cfz_site_note *n = cfz_site_note(s->goals, t->g.site);
    _Atomic uint16_t *c = success ? &n->succeeded : &n->failed;
    uint16_t old = atomic_load_explicit(c, memory_order_relaxed);

    if (old < UINT16_MAX)
        atomic_store_explicit(c, (uint16_t)(old + 1), memory_order_relaxed);
}

/* What a search for a field within lengths may cost: less, the more often it was in vain. */
static uint64_t nested_cost(const struct cfz_search *s)
{
    const unsigned vain = s->nested_vain < NESTED_LEAST ? s->nested_vain : NESTED_LEAST;

    return (uint64_t)COST_NESTED >> vain / NESTED_TRIES;
}

/* Works on a goal, of which some byte or length moves an operand. */
static enum cfz_trial solve_moved(struct cfz_solver *v)
{
    enum cfz_trial r;

    if (cfz_site_is_text(v->task->g.site))
        return cfz_solve_text(v);
    r = cfz_solve_number(v);
    if (r == CFZ_TRIAL_MET || v->s->over || !is_plain(v->task) ||
        v->task->g.site->kind != CFZ_SITE_INT ||
        (atomic_load_explicit(&v->task->note->tried, memory_order_relaxed) & 1) != 0)
        return r;
    allow(v, COST_INSERTED);
    return cfz_solve_inserted(v); /* nothing may move the other one */
}

/* Works on a goal whose operands no byte and no length moves. */
static enum cfz_trial solve_unmoved(struct cfz_solver *v)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (v->task->g.site->kind != CFZ_SITE_INT)
        return r;
    r = cfz_solve_inserted(v);
    if (cfz_trial_ends(r) || !is_plain(v->task))
        return r;
    allow(v, COST_COUNTS);
    return cfz_solve_counts(v);
}

/* Works on one goal, after it was probed. moved: some byte or length moves its operands. alone: not
 * on all of the input's, so that more may be done for it. */
static enum cfz_trial solve(struct cfz_search *s, struct cfz_task *t, bool moved, bool alone)
{
    struct cfz_solver *v = &cfz_solver;
    uint16_t tried = atomic_load_explicit(&t->note->tried, memory_order_relaxed);
    enum cfz_trial r;
    bool has_lost;

    atomic_store_explicit(&t->note->tried, (uint16_t)(tried + 1), memory_order_relaxed);
    v->s = s;
    v->task = t;
    v->base = &bases[0];
    v->limit = s->cost +
               ((uint64_t)(is_plain(t) ? COST_LEVEL0 : COST_FINE) << 2 * (tried < 3 ? tried : 3)) *
                   (!cfz_site_is_text(t->g.site) ? 1
                    : t->g.level < 2             ? COST_TEXT
                                                 : COST_TEXT_FINE);
    v->best = UINT64_MAX;
    v->nearest = UINT64_MAX;
    v->recipe.set = CFZ_RECIPE_NONE;
    memset(v->has_noted, 0, sizeof v->has_noted);
    v->outer = NULL;
    r = moved ? solve_moved(v) : solve_unmoved(v);
    has_lost = t->lost;
    for (int which = 0; which < CFZ_NOTED; which++) {
        has_lost |= v->has_noted[which];
        if (r != CFZ_TRIAL_MET && !s->over && v->has_noted[which] &&
            (r != CFZ_TRIAL_OVER || is_plain(t))) {
            v->base = &bases[0];
            allow(v, is_plain(t) ? COST_REPAIR : 0);
            r = repair(v, &v->noted[which]);
            v->step = "repair";
        }
    }
    if (r != CFZ_TRIAL_MET && !s->over && has_lost && (tried & 1) && (is_plain(t) || t->is_part) &&
        (t->g.site->kind == CFZ_SITE_INT || t->g.site->kind == CFZ_SITE_FLOAT)) {
        v->base = &bases[0];
        v->limit = s->cost + COST_TOGETHER;
        r = cfz_solve_together(v);
    }
    if (r != CFZ_TRIAL_MET && !s->over && has_lost && (tried & 1) && t->g.level < 2 &&
        t->g.site->kind == CFZ_SITE_INT) {
        v->base = &bases[0];
        v->limit = s->cost + nested_cost(s);
        r = cfz_solve_nested(v, &bases[0].im);
        s->nested_vain = r == CFZ_TRIAL_MET ? 0 : s->nested_vain + 1;
    }
    if (r != CFZ_TRIAL_MET && !s->over && has_lost && (tried & 1) && t->g.level < 2 &&
        t->g.want == CFZ_REL_EQUAL) {
        v->base = &bases[0];
        r = cfz_solve_planted(v, &bases[0].im);
        v->base = &bases[0];
    }
    if (r != CFZ_TRIAL_MET && !s->over && is_plain(t) && !cfz_site_is_text(t->g.site) &&
        bases[0].nsteps <= (alone ? OUTCOMES_ALONE : CFZ_EVENTS_LONG)) {
        v->limit = s->cost + COST_LEVEL0;
        r = turn_outcomes(v);
        v->step = "outcomes";
    }
    count_attempt(s, t, r == CFZ_TRIAL_MET);
    if (r != CFZ_TRIAL_MET && !s->over && v->nearest < UINT64_MAX && is_plain(t) &&
        cfz_solver_execute(s, &v->nearest_im))
        cfz_nearest_see(s, &v->nearest_im); /* what was won is not lost */
    return r;
}

/*
 * Makes of a checksum that this input misses a goal of its path: that other inputs had theirs right
 * is of no use to this one, which ends here. Once per path, and as long as such goals are met.
 * False if it is none of these.
 */
static bool mend_on_path(struct cfz_search *s, struct cfz_task *t)
{
    struct cfz_goal_note *note;

    if (!is_checksum(t) || t->g.nth >= CFZ_FINE_NTH)
        return false;
    t->g.key = cfz_goal_key2(t->g.site, t->g.nth, true);
    on_path(&t->g);
    if (!worth(s, &t->g, &note, 1))
        return false;
    t->note = note;
    return true;
}

/* Whether a goal that no byte moves had few attempts. */
static bool may_turn(const struct cfz_task *t)
{
    enum { ATTEMPTS = 2 };

    return atomic_load_explicit(&t->note->tried, memory_order_relaxed) < ATTEMPTS;
}

/* Whether no byte and no length moves the operands of a task. With a tail it is worked on all the
 * same: more of the input may. */
static bool is_unmoved(const struct cfz_task *t, int extended)
{
    return t->nat == 0 && t->nlengths == 0 && !cfz_site_is_text(t->g.site) &&
           (t->g.level > 0 || !extended);
}

/* Whether the byte at p is one of those of which it is known that they move an operand. */
static bool is_known_at(const struct cfz_task *t, uint32_t p)
{
    for (uint32_t k = 0; k < t->nat; k++)
        if (t->at[k].p == p)
            return true;
    return false;
}

static void guess_at(struct cfz_task *t, const struct cfz_image *im, const uint8_t *what,
                     uint32_t n, uint8_t side)
{
    enum { PLACES = 3 };
    const uint32_t size = cfz_image_size(im);
    unsigned found = 0;

    for (uint32_t p = size < n ? 0 : size - n + 1; n >= 1 && p-- > 0 && found < PLACES;) {
        if (memcmp(im->bytes + p, what, n) != 0 || !cfz_image_fits(im, p, n) || is_known_at(t, p) ||
            t->nat == CFZ_INFLUENCES)
            continue;
        t->at[t->nat++] = (struct cfz_influence){p, side, side == 1 ? 0 : -1, side == 2 ? 0 : -1};
        t->sides |= side;
        found++;
    }
}

/* Whether argument i is of fixed size, and as a whole the operand v. */
static bool is_argument(const struct cfz_task *t, const struct cfz_image *im, uint32_t i,
                        uint64_t v)
{
    const uint32_t p = im->at[i], n = im->at[i + 1] - p;

    return !cfz_image_grows(im, i) && !is_known_at(t, p) &&
           ((cfz_image_get(im, p, n, false) ^ v) & cfz_site_mask(t->g.site)) == 0;
}

/* An argument that is the operand v as a whole; a flag only if it is the only one that is. */
static void guess_argument(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < im->n; i++)
        same += is_argument(t, im, i, v);
    if (v < 2 && same > 1)
        return;
    for (uint32_t i = 0; i < im->n && t->nat < CFZ_INFLUENCES; i++) {
        if (!is_argument(t, im, i, v))
            continue;
        t->at[t->nat++] = (struct cfz_influence){im->at[i], side, -1, -1};
        t->sides |= side;
    }
}

/* Numbers in text that are the operand v. */
static void guess_numeral(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    enum { PLACES = 3, DIGITS = 18 };
    const uint64_t mask = cfz_site_mask(t->g.site);
    unsigned found = 0;

    for (uint32_t i = im->n; i-- > 0 && found < PLACES;) {
        const uint32_t from = im->at[i];

        if (!cfz_image_grows(im, i))
            continue;
        for (uint32_t end = im->at[i + 1], p; end > from && found < PLACES; end = p) {
            uint64_t value = 0;

            for (p = end; p > from && cfz_is_digit(im->bytes[p - 1]);)
                p--;
            if (p == end) {
                p--;
                continue;
            }
            for (uint32_t k = p; k < end; k++)
                value = 10 * value + im->bytes[k] - '0';
            if (!cfz_is_amid_text(im, i, p, end) || end - p > DIGITS || t->nat == CFZ_INFLUENCES ||
                is_known_at(t, p) ||
                (((value ^ v) & mask) != 0 &&
                 (p == from || im->bytes[p - 1] != '-' || ((-value ^ v) & mask) != 0)))
                continue;
            t->at[t->nat++] = (struct cfz_influence){p, side, -1, -1};
            t->sides |= side;
            found++;
        }
    }
}

/* Values whose size is the operand v: any other size leaves the path, since it stands in a field.
 */
static void guess_length(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    const int64_t more = side == 1 ? 1 : -1;

    for (uint32_t i = 0; i < im->n && t->nlengths + 2 <= CFZ_LENGTHS; i++) {
        const uint32_t end = im->at[i + 1];

        if (!cfz_image_grows(im, i) || ((end - im->at[i]) ^ v) & cfz_site_mask(t->g.site))
            continue;
        t->lengths[t->nlengths++] = (struct cfz_length){CFZ_TRUNCATE, i, end, -more, true};
        t->lengths[t->nlengths++] = (struct cfz_length){CFZ_APPEND, i, end, more, true};
    }
}

/*
 * Where each change of a byte leaves the path, since it is under a checksum, say, nothing was seen
 * to move the operands. They come from where they stand in the input, and there most often from the
 * last such place. A single byte is at many places: it is looked for where few are known to move
 * it, which may be that only by what mended the change of another one.
 */
static void guess(struct cfz_task *t, const struct cfz_image *im)
{
    const struct cfz_site *site = t->g.site;
    const uint32_t width = site->width / 8, nprobed = t->nlengths;

    if (!t->lost || t->nat > (width == 1 ? GUESSED_BESIDE : 0) || site->kind == CFZ_SITE_FLOAT)
        return;
    if (cfz_site_is_text(site)) {
        if (t->len_a > 1)
            guess_at(t, im, t->text_a, t->len_a, 1);
        if (t->len_b > 1)
            guess_at(t, im, t->text_b, t->len_b, 2);
        return;
    }
    for (uint8_t side = 1; side <= (site->kind == CFZ_SITE_SWITCH ? 1 : 2); side++) {
        uint64_t v = side == 1 ? t->a : t->b;
        uint8_t little[8], big[8];

        v &= cfz_site_mask(site);
        if (!cfz_is_program(site, side - 1))
            guess_numeral(t, im, v, side);
        if (!cfz_is_program(site, side - 1))
            guess_argument(t, im, v, side);
        if (v < 2)
            continue; /* a flag */
        if (nprobed == 0 && !cfz_is_program(site, side - 1))
            guess_length(t, im, v, side);
        if (width == 1 ? cfz_is_program(site, side - 1) : v < 0x100)
            continue; /* at too many places */
        for (uint32_t k = 0; k < width; k++)
            little[k] = big[width - 1 - k] = (uint8_t)(v >> 8 * k);
        guess_at(t, im, little, width, side);
        if (width > 1)
            guess_at(t, im, big, width, side);
    }
}

/* Makes a goal of level 1 that of the operand that nothing moves, now that this is known. False if
 * it has no turn. */
static bool rekey(struct cfz_search *s, struct cfz_task *t)
{
    const uint64_t was = t->g.key;

    t->g.key = t->sides == 2 ? key1_of(t->g.site, t->a, t->text_a, t->len_a)
                             : key1_of(t->g.site, t->b, t->text_b, t->len_b);
    return t->g.key == was || worth(s, &t->g, &t->note, 1);
}

/* Works on a goal that something moves. */
static void work_on(struct cfz_search *s, struct cfz_task *t)
{
    cfz_note_probed(s, &bases[0], t);
    if (t->g.level == 1 && !t->is_part && !cfz_site_is_text(t->g.site) && t->sides == 3 &&
        !mend_on_path(s, t))
        return; /* no operand is the program's */
    if (t->g.level == 1 && !t->is_part && (t->sides == 1 || t->sides == 2) && !rekey(s, t))
        return;
    solve(s, t, true, false);
}

/* Takes im, of the last trace, as the base, and tells all tasks what its bytes and lengths move.
 * False if the search is over. */
static bool probe_all(struct cfz_search *s, const struct cfz_image *im, uint32_t watched,
                      unsigned round)
{
    cfz_base_take(&bases[0], im);
    cfz_probes_begin(&bases[0]);
    return cfz_probe_bytes(s, &bases[0], tasks, ntasks + watched, round) &&
           cfz_probe_lengths(s, &bases[0], tasks, ntasks);
}

bool cfz_solver_entry(struct cfz_search *s, unsigned round, unsigned generation)
{
    static struct cfz_image im;
    bool is_long = false; /* the trace of the entry, and then with its tail */
    int tails;

    nopen = 0;
    if (!cfz_image_read(&im, s->cur))
        return false;
    work_from(&im, generation);
    /* Of an entry that is worked on for the first time the long tail would be a guess too many. */
    tails = generation > 0 || round > 0 ? 3 : 2;
    for (int extended = 0; extended < tails && !s->over; extended++) {
        uint64_t news = s->nnews, before = path;
        uint32_t watched;
        unsigned turns = 0;

        if (extended) {
            /* Zeros are what many a program has where the input ends. */
            bool zeros = extended == 1 && (is_long || (round & 1) > 0);

            if (extended == 1 && !zeros ? !cfz_tail_add_word(s, &im)
                                        : !cfz_tail_add(&im, CFZ_TAIL_LONG, zeros ? 0 : 'A') ||
                                              !cfz_solver_execute(s, &im))
                return nopen > 0;
            if (extended == 2 && hash_path() == before)
                return nopen > 0;
        } else if (!cfz_search_trace(s, &im)) {
            return nopen > 0;
        }
        if (!extended) {
            cfz_tail_see();
            cfz_nearest_see(s, &im);
        }
        cfz_prelude_see();
        cfz_goals_learn(s->goals);
        if (generation > 0 && !extended)
            cfz_obstacles_saw(s->goals, s->seen);
        is_long = cfz_trace.nevents > CFZ_EVENTS_LONG;
        /* What lies in the tail of a long one could not be tried without it. */
        collect(s, &im, round + (extended > 0 && is_long), extended > 0);
        watched = extended ? 0 : watch(s, &im);
        if (ntasks + watched == 0) {
            if (!extended && !is_long)
                straighten(s, &im);
            continue; /* it may have some with a tail */
        }
        if (!probe_all(s, &im, watched, round))
            return nopen > 0;
        if (extended && cfz_probes_direct() > 0 && ntasks >= TASKS_LEVEL0) {
            /* There was no room for what only now, by the tail, is known to be moved. */
            if (!cfz_solver_execute(s, &im))
                return nopen > 0;
            collect(s, &im, round + is_long, true);
            if (!probe_all(s, &im, 0, round))
                return nopen > 0;
        }
        for (uint32_t i = ntasks; i < ntasks + watched; i++)
            cfz_recipe_see(s, &tasks[i], &im);
        cfz_probes_fixed(s);
        for (uint32_t i = 0; i < ntasks; i++)
            guess(&tasks[i], &im);
        for (uint32_t i = 0; i < ntasks && !s->over; i++)
            if (!is_unmoved(&tasks[i], extended) && cfz_goal_open(s->goals, s->seen, &tasks[i].g))
                work_on(s, &tasks[i]);
        /* Other outcomes before them may move the others; the last ones have most to do with the
         * input. */
        for (uint32_t i = ntasks; i-- > 0 && !s->over;)
            if (is_unmoved(&tasks[i], extended) && cfz_goal_open(s->goals, s->seen, &tasks[i].g)) {
                cfz_note_probed(s, &bases[0], &tasks[i]);
                if (is_plain(&tasks[i]) && may_turn(&tasks[i]) && turns++ < TURNS)
                    solve(s, &tasks[i], false, false);
            }
        if (s->nnews > news && round == 0)
            break; /* the new entries come first */
        if (!extended && !is_long && s->nnews == news && !s->over)
            straighten(s, &im);
    }
    return nopen > 0;
}

/* The comparison of the last trace that is nearest to a goal, or NULL. */
static const struct cfz_event *nearest_event(const struct cfz_goal *g)
{
    const struct cfz_event *best = NULL;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site == g->site && (!best || cfz_goal_distance(g, e) < cfz_goal_distance(g, best)))
            best = e;
    }
    return best;
}

bool cfz_solver_goal(struct cfz_search *s, const struct cfz_image *im, const struct cfz_goal *g)
{
    static struct cfz_image from;
    const struct cfz_event *e;
    struct cfz_task *t = tasks;
    struct cfz_goal_note *note = cfz_goal_note(s->goals, g->key);

    if (!tasks || !note)
        return false;
    work_from(im, 0);
    cfz_image_copy(&from, im);
    if (!cfz_solver_execute(s, &from) || !(e = nearest_event(g)) || cfz_goal_distance(g, e) == 0)
        return false;
    ntasks = 1;
    memset(t, 0, sizeof *t);
    t->g = *g;
    t->note = note;
    task_at(t, e);
    path = hash_path();
    cfz_base_take(&bases[0], &from);
    cfz_probes_begin(&bases[0]);
    if (!cfz_probe_bytes(s, &bases[0], t, 1, 0) || !cfz_probe_lengths(s, &bases[0], t, 1))
        return false;
    guess(t, &from);
    if (!cfz_goal_open(s->goals, s->seen, g) || (is_unmoved(t, 0) && !may_turn(t)))
        return false;
    cfz_note_probed(s, &bases[0], t);
    return solve(s, t, !is_unmoved(t, 0), true) == CFZ_TRIAL_MET;
}
