/*
 * solver_trial.c - an input is executed for a task, and what that says of its goal.
 */
#define _GNU_SOURCE
#include <string.h>

#include "search/nearest.h"
#include "search/obstacles.h"
#include "solver/solving.h"

enum {
    COST_PROBES =
        8000, /* beyond its limit, of probing another input, if not for level 0; guessed */
};

bool cfz_is_checksum(const struct cfz_task *t)
{
    return t->sides == 3 && t->g.site->width >= 16 && t->nat > t->g.site->width / 8U;
}

/* Whether the last trace shows the goal of a task; of the part of a condition, without losing
 * another part. */
static bool met(const struct cfz_search *s, const struct cfz_task *t)
{
    if (t->is_part && cfz_parts_held(s, NULL) <= t->held)
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
    cfz_goal_meet(v->s->goals, atomic_load_explicit(&t->note->key, memory_order_relaxed));
    if (!is_news && (t->g.level < 3 || cfz_is_checksum(t)))
        cfz_image_keep_streams(cfz_side_add(t->g.level > 0 && !t->is_part, im), &v->s->stored);
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

enum cfz_trial cfz_trial_once(struct cfz_solver *v, const struct cfz_image *im)
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
    enum cfz_trial r = cfz_trial_once(v, im);

    return r == CFZ_TRIAL_LOST ? cfz_trial_back(v, im) : r;
}

enum cfz_trial cfz_trial_back(struct cfz_solver *v, const struct cfz_image *im)
{
    if (v->outer && !v->straightens)
        return CFZ_TRIAL_LOST;
    if (!v->outer)
        v->kept = cfz_base_kept(v->base);
    return cfz_bring_back(v, v->base, im, cfz_trial_once);
}

enum cfz_trial cfz_trial_values(struct cfz_solver *v, struct cfz_image *im, uint32_t p,
                                uint8_t first, uint8_t last)
{
    const uint8_t old = im->bytes[p];

    for (unsigned c = first; c <= last; c++) {
        enum cfz_trial r;

        if (c == old)
            continue;
        im->bytes[p] = (uint8_t)c;
        r = cfz_trial(v, im);
        if (cfz_trial_ends(r))
            return r;
    }
    im->bytes[p] = old;
    return CFZ_TRIAL_REACHED;
}

void cfz_task_at(struct cfz_task *t, const struct cfz_event *e)
{
    t->nat = t->nlengths = t->sides = 0;
    t->lost = false;
    memset(t->unmoved, 0, sizeof t->unmoved);
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

bool cfz_may_probe(const struct cfz_solver *v, const struct cfz_task *t, const struct cfz_image *im)
{
    const uint32_t size = cfz_image_size(im);
    const uint64_t lengths = size < CFZ_PROBE_DENSE ? size : CFZ_PROBE_DENSE;
    const uint64_t bytes = size < CFZ_PROBE_STRIDE ? size : CFZ_PROBE_STRIDE;

    return cfz_is_plain(t) ||
           v->s->cost + (4 * bytes + 2 * lengths) *
                            cfz_search_cost(v->s, 2 * cfz_work(cfz_trace.passed)) <=
               v->limit + COST_PROBES;
}

enum cfz_trial cfz_reprobe(struct cfz_solver *v, const struct cfz_image *im)
{
    struct cfz_base *b = &cfz_bases[CFZ_BASE_BEST];
    struct cfz_task *t = v->task;
    enum cfz_trial r = cfz_trial(v, im);

    if (r != CFZ_TRIAL_REACHED)
        return r;
    if (!cfz_may_probe(v, t, im))
        return CFZ_TRIAL_LOST;
    cfz_base_take(b, im);
    cfz_task_at(t, v->event);
    v->base = b;
    if (!cfz_probe_bytes(v->s, b, t, 1, 0) || !cfz_probe_lengths(v->s, b, t, 1))
        return CFZ_TRIAL_OVER;
    return CFZ_TRIAL_REACHED;
}
