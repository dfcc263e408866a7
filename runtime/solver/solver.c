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
    UNIT = 16, /* 1 of so much of the least work of an execution counts as one (decision 170) */
    WORK_MOST = 1 << 21, /* of a turn: half a second, where it takes a fourth of a microsecond */
    WORTH = 2,           /* times what probing an input takes, at least */
    COST_FINE = 1000,    /* as CFZ_COST_LEVEL0, of other levels */
    COST_TEXT = 12,      /* times as much for text */
    COST_TEXT_FINE = 2,  /* ... of levels 2 and 3 */
    TURNS = 8,           /* goals of an input that nothing moves, and that are tried all the same */
    OUTCOMES_ALONE = 1600, /* comparisons of a trace up to which outcomes are turned for one goal */
    COST_TOGETHER = 1000,  /* of two numbers that change together; guessed */
    COST_INSERTED = 1000,  /* of a number that is put in for the operand that nothing moves */
    COST_COUNTS = 4000,    /* of characters that are put in, for what nothing moves; guessed */
    COST_NESTED = 32000,   /* of a field within lengths, as often; guessed */
    NESTED_TRIES = 8,  /* in vain, one after the other, after which they may cost half as much */
    NESTED_LEAST = 32, /* ... and after which it gets no less; both guessed */
};

struct cfz_solver cfz_solver;
struct cfz_base *cfz_bases;

int cfz_solver_map(struct cfz_error *err)
{
    if (cfz_tasks.of)
        return 0;
    cfz_bases = cfz_map_private(CFZ_BASES * sizeof *cfz_bases);
    if (!cfz_bases || !cfz_side_map() || !cfz_tasks_map())
        return cfz_fail_errno(err, "map memory for the solver");
    return 0;
}

const char *cfz_solver_step_name(void)
{
    return cfz_solver.step ? cfz_solver.step : "";
}

/* ---- a goal ------------------------------------------------------------------------------- */

static void count_attempt(struct cfz_search *s, const struct cfz_task *t, bool success)
{
    struct cfz_site_note *n = cfz_site_note(s->goals, t->g.site);
    _Atomic uint16_t *c = success ? &n->succeeded : &n->failed;
    uint16_t old = atomic_load_explicit(c, memory_order_relaxed);

    if (old < UINT16_MAX)
        atomic_store_explicit(c, (uint16_t)(old + 1), memory_order_relaxed);
}

/* Works on a goal, of which some byte or length moves an operand. */
static enum cfz_trial solve_moved(struct cfz_solver *v)
{
    enum cfz_trial r;

    if (cfz_site_is_text(v->task->g.site))
        return cfz_solve_text(v);
    r = cfz_solve_number(v);
    if (r == CFZ_TRIAL_MET || v->s->over || !cfz_is_plain(v->task) ||
        v->task->g.site->kind != CFZ_SITE_INT ||
        (atomic_load_explicit(&v->task->note->tried, memory_order_relaxed) & 1) != 0)
        return r;
    cfz_allow(v, COST_INSERTED);
    return cfz_solve_inserted(v); /* nothing may move the other one */
}

/* Works on a goal whose operands no byte and no length moves. */
static enum cfz_trial solve_unmoved(struct cfz_solver *v)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (v->task->g.site->kind != CFZ_SITE_INT)
        return r;
    r = cfz_solve_inserted(v);
    if (cfz_trial_ends(r) || !cfz_is_plain(v->task))
        return r;
    cfz_allow(v, COST_COUNTS);
    return cfz_solve_counts(v);
}

/* Mends the inputs that came nearest and lost the goal. */
static enum cfz_trial repair_noted(struct cfz_solver *v, enum cfz_trial r)
{
    for (int which = 0; which < CFZ_NOTED; which++) {
        if (!v->has_noted[which] || r == CFZ_TRIAL_MET || v->s->over ||
            (r == CFZ_TRIAL_OVER && !cfz_is_plain(v->task)))
            continue;
        v->base = &cfz_bases[0];
        cfz_allow(v, cfz_is_plain(v->task) ? CFZ_COST_REPAIR : 0);
        r = cfz_repair(v, &v->noted[which]);
        v->step = "repair";
    }
    return r;
}

/* What is tried first, for what writing may meet. */
static enum cfz_trial first_steps(struct cfz_solver *v, bool moved)
{
    if (cfz_site_is_pointer(v->task->g.site))
        return CFZ_TRIAL_REACHED;
    return repair_noted(v, moved ? solve_moved(v) : solve_unmoved(v));
}

/* A goal that is worked on. */
struct attempt {
    struct cfz_solver *v;
    uint16_t tried; /* how often it was before */
    bool alone;     /* not on all goals of the input, so that more may be done for this one */
    bool lost;      /* some input on the way did not get to the goal any more */
};

/* What takes long is for each second attempt, of goals that get lost on the way. Nothing that is
 * written makes a pointer another one. */
static bool may_take_long(const struct attempt *a)
{
    return a->lost && (a->tried & 1) && !cfz_site_is_pointer(a->v->task->g.site);
}

static bool may_solve_together(const struct attempt *a)
{
    const struct cfz_task *t = a->v->task;

    return may_take_long(a) && (cfz_is_plain(t) || t->is_part) &&
           (t->g.site->kind == CFZ_SITE_INT || t->g.site->kind == CFZ_SITE_FLOAT);
}

static bool may_solve_nested(const struct attempt *a)
{
    const struct cfz_goal *g = &a->v->task->g;

    return may_take_long(a) && g->level < 2 && g->site->kind == CFZ_SITE_INT;
}

/* What a search for a field within lengths may cost: less, the more often it was in vain. */
static uint64_t nested_cost(const struct cfz_search *s)
{
    const unsigned vain = s->nested_vain < NESTED_LEAST ? s->nested_vain : NESTED_LEAST;

    return (uint64_t)COST_NESTED >> vain / NESTED_TRIES;
}

static enum cfz_trial solve_nested(struct cfz_solver *v)
{
    enum cfz_trial r;

    v->limit = v->s->cost + nested_cost(v->s);
    r = cfz_solve_nested(v, &cfz_bases[0].im);
    v->s->nested_vain = r == CFZ_TRIAL_MET ? 0 : v->s->nested_vain + 1;
    return r;
}

static bool may_plant(const struct attempt *a)
{
    const struct cfz_goal *g = &a->v->task->g;

    return may_take_long(a) && g->level < 2 && g->want == CFZ_REL_EQUAL;
}

static enum cfz_trial solve_planted(struct cfz_solver *v)
{
    return cfz_solve_planted(v, &cfz_bases[0].im);
}

static bool may_turn_outcomes(const struct attempt *a)
{
    const struct cfz_task *t = a->v->task;

    return cfz_is_plain(t) && !cfz_site_is_text(t->g.site) &&
           cfz_bases[0].nsteps <= (a->alone ? OUTCOMES_ALONE : CFZ_EVENTS_LONG);
}

static enum cfz_trial turn_outcomes(struct cfz_solver *v)
{
    enum cfz_trial r = cfz_turn_outcomes(v);

    v->step = "outcomes";
    return r;
}

/* What is done, in this order, until the goal is met. */
static const struct {
    bool (*is_for)(const struct attempt *a);
    enum cfz_trial (*run)(struct cfz_solver *v);
    uint64_t cost; /* what it may cost; 0: it says so itself, or what is left */
} last_steps[] = {
    {may_solve_together, cfz_solve_together, COST_TOGETHER},
    {may_solve_nested, solve_nested, 0},
    {may_plant, solve_planted, 0},
    {may_turn_outcomes, turn_outcomes, CFZ_COST_LEVEL0},
};

/* What the first steps for a goal may cost: four times as much each time. */
static uint64_t attempt_cost(const struct cfz_task *t, uint16_t tried)
{
    const uint64_t once = cfz_is_plain(t) ? CFZ_COST_LEVEL0 : COST_FINE;
    const unsigned text = t->g.level < 2 ? COST_TEXT : COST_TEXT_FINE;

    return (once << 2 * (tried < 3 ? tried : 3)) * (cfz_site_is_text(t->g.site) ? text : 1);
}

/* Gets v ready for a goal. */
static void begin(struct cfz_solver *v, struct cfz_search *s, struct cfz_task *t, uint16_t tried)
{
    v->s = s;
    v->task = t;
    v->base = &cfz_bases[0];
    v->limit = s->cost + attempt_cost(t, tried);
    v->best = UINT64_MAX;
    v->nearest = UINT64_MAX;
    v->recipe.set = CFZ_RECIPE_NONE;
    memset(v->has_noted, 0, sizeof v->has_noted);
    v->outer = NULL;
}

/* Goes back to the input that was probed, which probed is about. */
static void return_to_base(struct cfz_solver *v, const struct cfz_task *probed)
{
    if (v->base != &cfz_bases[0])
        *v->task = *probed;
    v->base = &cfz_bases[0];
}

/* Works on one goal, after it was probed. moved: some byte or length moves its operands. */
static enum cfz_trial solve(struct cfz_search *s, struct cfz_task *t, bool moved, bool alone)
{
    static struct cfz_task probed;
    struct cfz_solver *v = &cfz_solver;
    struct attempt a = {.v = v, .alone = alone};
    enum cfz_trial r;

    a.tried = atomic_load_explicit(&t->note->tried, memory_order_relaxed);
    atomic_store_explicit(&t->note->tried, (uint16_t)(a.tried + 1), memory_order_relaxed);
    begin(v, s, t, a.tried);
    probed = *t;
    r = first_steps(v, moved);
    return_to_base(v, &probed);
    a.lost = t->lost;
    for (int which = 0; which < CFZ_NOTED; which++)
        a.lost |= v->has_noted[which];
    for (size_t i = 0; i < sizeof last_steps / sizeof last_steps[0]; i++) {
        if (r == CFZ_TRIAL_MET || s->over)
            break;
        if (!last_steps[i].is_for(&a))
            continue;
        if (last_steps[i].cost > 0)
            v->limit = s->cost + last_steps[i].cost;
        r = last_steps[i].run(v);
        return_to_base(v, &probed);
    }
    count_attempt(s, t, r == CFZ_TRIAL_MET);
    if (r != CFZ_TRIAL_MET && !s->over && v->nearest < UINT64_MAX && cfz_is_plain(t) &&
        cfz_solver_execute(s, &v->nearest_im))
        cfz_nearest_see(s, &v->nearest_im); /* what was won is not lost */
    return r;
}

/* ---- an input ------------------------------------------------------------------------------ */

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

/* Works on a goal that something moves. */
static void work_on(struct cfz_search *s, struct cfz_task *t)
{
    cfz_note_probed(s, &cfz_bases[0], t);
    if (cfz_is_left_alone(s, t->g.site))
        return;
    if (t->g.level == 1 && !t->is_part && !cfz_site_is_text(t->g.site) && t->sides == 3 &&
        !cfz_mend_on_path(s, t))
        return; /* no operand is the program's */
    if (t->g.level == 1 && !t->is_part && (t->sides == 1 || t->sides == 2) && !cfz_rekey(s, t))
        return;
    solve(s, t, true, false);
}

/* Takes im, of the last trace, as the base, and tells all tasks what its bytes and lengths move.
 * False if the search is over. */
static bool probe_all(struct cfz_search *s, const struct cfz_image *im, uint32_t watched,
                      unsigned round)
{
    cfz_base_take(&cfz_bases[0], im);
    cfz_probes_begin(&cfz_bases[0]);
    return cfz_probe_bytes(s, &cfz_bases[0], cfz_tasks.of, cfz_tasks.n + watched, round) &&
           cfz_probe_lengths(s, &cfz_bases[0], cfz_tasks.of, cfz_tasks.n);
}

/* Executes im; or with a tail: the first one is a word or zeros, the second one long. is_long: the
 * trace of im. False if there is nothing to work on: the search is over, there is no room, or a
 * tail makes no difference. */
static bool next_input(struct cfz_search *s, struct cfz_image *im, int extended, bool is_long,
                       unsigned round)
{
    const uint64_t before = cfz_tasks.path;
    const bool zeros = is_long || (round & 1) > 0; /* what many a program has where it ends */

    if (!extended)
        return cfz_search_trace(s, im);
    if (extended == 1 && !zeros)
        return cfz_tail_add_word(s, im);
    return cfz_tail_add(im, CFZ_TAIL_LONG, extended == 1 ? 0 : 'A') && cfz_solver_execute(s, im) &&
           (extended == 1 || cfz_hash_path() != before);
}

/* Takes im, of the last trace, as the base, tells its tasks what moves them, and recipes what that
 * says of the comparisons that are watched. False if the search is over. */
static bool probe(struct cfz_search *s, const struct cfz_image *im, unsigned round,
                  unsigned generation, uint32_t watched, int extended)
{
    const bool is_long = cfz_trace.nevents > CFZ_EVENTS_LONG;

    if (!probe_all(s, im, watched, round))
        return false;
    if (extended && cfz_probes_direct() > 0 && cfz_tasks_are_full()) {
        /* There was no room for what only now, by the tail, is known to be moved. */
        if (!cfz_solver_execute(s, im))
            return false;
        cfz_tasks_collect(s, im, round + is_long, generation, true);
        if (!probe_all(s, im, 0, round))
            return false;
    }
    for (uint32_t i = cfz_tasks.n; i < cfz_tasks.n + watched; i++)
        cfz_recipe_see(s, &cfz_tasks.of[i], im);
    cfz_probes_fixed(s);
    for (uint32_t i = 0; i < cfz_tasks.n; i++)
        cfz_guess(&cfz_tasks.of[i], im);
    return true;
}

/* The work at the goals of an input in one turn, beyond what the goal takes that is begun: enough
 * to be worth what probing it costs. */
static uint64_t most_work(uint64_t probing)
{
    return probing > WORK_MOST / WORTH ? probing * WORTH : WORK_MOST;
}

/* Works on the goals of the base, first on those that something moves. Other outcomes before them
 * may move the others, of which the last ones have most to do with the input. What is too much for
 * one turn is left for another one: s->is_cut. began: cfz_search_spent when the base was not yet
 * probed. */
static void work_on_all(struct cfz_search *s, int extended, uint64_t began)
{
    const uint64_t probed = cfz_search_spent(s), most = most_work(probed - began);
    unsigned turns = 0;

    for (uint32_t i = 0; i < cfz_tasks.n && !s->over && !s->is_cut; i++) {
        struct cfz_task *t = &cfz_tasks.of[i];

        if (is_unmoved(t, extended) || !cfz_goal_open(s->goals, s->seen, &t->g))
            continue;
        work_on(s, t);
        s->is_cut = cfz_search_spent(s) - probed > most;
    }
    for (uint32_t i = cfz_tasks.n; i-- > 0 && !s->over && !s->is_cut;) {
        struct cfz_task *t = &cfz_tasks.of[i];

        if (!is_unmoved(t, extended) || !cfz_goal_open(s->goals, s->seen, &t->g))
            continue;
        cfz_note_probed(s, &cfz_bases[0], t);
        if (cfz_is_plain(t) && may_turn(t) && turns++ < TURNS)
            solve(s, t, false, false);
        s->is_cut = cfz_search_spent(s) - probed > most;
    }
}

static bool work_on_entry(struct cfz_search *s, unsigned round, unsigned generation)
{
    static struct cfz_image im;
    bool is_long = false; /* the trace of the entry, and then with its tail */
    int tails;

    cfz_tasks.nopen = 0;
    if (!cfz_image_read(&im, s->cur))
        return false;
    cfz_side_from(&im, generation);
    /* Of an entry that is worked on for the first time the long tail would be a guess too many. */
    tails = generation > 0 || round > 0 ? 3 : 2;
    for (int extended = 0; extended < tails && !s->over; extended++) {
        const uint64_t news = s->nnews, began = cfz_search_spent(s);
        uint32_t watched = 0;

        if (!next_input(s, &im, extended, is_long, round))
            break;
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
        cfz_tasks_collect(s, &im, round + (extended > 0 && is_long), generation, extended > 0);
        if (!extended)
            watched = cfz_tasks_watch(s, &im);
        if (cfz_tasks.n + watched == 0) {
            if (!extended && !is_long)
                cfz_straighten(s, &im);
            continue; /* it may have some with a tail */
        }
        if (!probe(s, &im, round, generation, watched, extended))
            break;
        cfz_search_unit(s, cfz_work(cfz_probes_least()) / UNIT);
        work_on_all(s, extended, began);
        if (s->is_cut || (s->nnews > news && round == 0))
            break; /* the new entries come first */
        if (!extended && !is_long && s->nnews == news && !s->over)
            cfz_straighten(s, &im);
    }
    return cfz_tasks.nopen > 0;
}

bool cfz_solver_entry(struct cfz_search *s, unsigned round, unsigned generation)
{
    bool is_open;

    s->is_cut = false;
    is_open = work_on_entry(s, round, generation);
    cfz_search_settle(s);
    if (s->is_cut && generation > 0)
        cfz_side_again();
    return is_open;
}

/* The comparison of the last trace that is nearest to a goal, or NULL. */
static const struct cfz_event *nearest_event(const struct cfz_goal *g)
{
    const struct cfz_event *best = NULL;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site == g->site && !cfz_is_before_input(e) &&
            (!best || cfz_goal_distance(g, e) < cfz_goal_distance(g, best)))
            best = e;
    }
    return best;
}

static bool work_on_goal(struct cfz_search *s, const struct cfz_image *im, const struct cfz_goal *g)
{
    static struct cfz_image from;
    const struct cfz_event *e;
    struct cfz_task *t = cfz_tasks.of;
    struct cfz_goal_note *note = cfz_goal_note(s->goals, g->key);

    if (!cfz_tasks.of || !note)
        return false;
    cfz_side_from(im, 0);
    cfz_image_copy(&from, im);
    if (!cfz_solver_execute(s, &from) || !(e = nearest_event(g)) || cfz_goal_distance(g, e) == 0)
        return false;
    cfz_tasks.n = 1;
    memset(t, 0, sizeof *t);
    t->g = *g;
    t->note = note;
    cfz_task_at(t, e);
    cfz_tasks.path = cfz_hash_path();
    cfz_base_take(&cfz_bases[0], &from);
    cfz_probes_begin(&cfz_bases[0]);
    if (!cfz_probe_bytes(s, &cfz_bases[0], t, 1, 0) || !cfz_probe_lengths(s, &cfz_bases[0], t, 1))
        return false;
    cfz_search_unit(s, cfz_work(cfz_probes_least()) / UNIT);
    cfz_guess(t, &from);
    if (!cfz_goal_open(s->goals, s->seen, g) || (is_unmoved(t, 0) && !may_turn(t)))
        return false;
    cfz_note_probed(s, &cfz_bases[0], t);
    return !cfz_is_left_alone(s, t->g.site) &&
           solve(s, t, !is_unmoved(t, 0), true) == CFZ_TRIAL_MET;
}

bool cfz_solver_goal(struct cfz_search *s, const struct cfz_image *im, const struct cfz_goal *g)
{
    const bool is_met = work_on_goal(s, im, g);

    cfz_search_settle(s);
    return is_met;
}
