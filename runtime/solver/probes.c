/*
 * probes.c - which bytes and lengths of an input move what a comparison compares.
 *
 *     base --each byte, each length changed--> traces --> influences of the tasks,
 *                                                     --> sites that no input moves
 */
#include <string.h>

#include "coverage/prelude.h"
#include "search/obstacles.h"
#include "solver/solving.h"

static struct cfz_image scratch;

/* The first byte in which two texts differ, or -1. */
static int32_t differ_at(const uint8_t *s, uint32_t ns, const uint8_t *t, uint32_t nt)
{
    for (uint32_t i = 0; i < ns || i < nt; i++)
        if (i >= ns || i >= nt || s[i] != t[i])
            return (int32_t)i;
    return -1;
}

static bool mended; /* in the last probe fields were written anew, perhaps what had been changed */

/* Notes what the byte at p did to the operands of a task. */
static void note_influence(struct cfz_task *t, uint32_t p)
{
    const struct cfz_event *e = cfz_trace_find(t->g.site, t->g.nth);
    int32_t at_a = -1, at_b = -1;
    struct cfz_influence *f;
    uint8_t which;

    if (!e) {
        t->lost = true;
        return;
    }
    if (cfz_site_is_text(t->g.site)) {
        at_a = differ_at(t->text_a, t->len_a, cfz_trace.text + e->a_at, e->a_len);
        at_b = differ_at(t->text_b, t->len_b, cfz_trace.text + e->b_at, e->b_len);
        which = (uint8_t)((at_a >= 0) | (at_b >= 0) << 1);
    } else {
        which = (uint8_t)((e->a != t->a) | (cfz_task_b(t, e) != t->b) << 1);
    }
    if (!which) {
        if (!mended)
            t->unmoved[p / 64] |= UINT64_C(1) << p % 64;
        return;
    }
    t->sides |= which;
    if (t->nat > 0 && t->at[t->nat - 1].p == p) {
        f = &t->at[t->nat - 1];
        f->sides |= which;
        if (at_a >= 0 && (f->a_at < 0 || at_a < f->a_at))
            f->a_at = at_a;
        if (at_b >= 0 && (f->b_at < 0 || at_b < f->b_at))
            f->b_at = at_b;
    } else if (t->nat < CFZ_INFLUENCES) {
        t->at[t->nat++] = (struct cfz_influence){p, which, at_a, at_b};
    }
}

/* Notes what a change of a length did. */
static void note_length(struct cfz_task *t, enum cfz_length_way way, uint32_t i, uint32_t p)
{
    const struct cfz_event *e = cfz_trace_find(t->g.site, t->g.nth);
    unsigned same = 0;
    int64_t effect;

    if (!e || cfz_site_is_text(t->g.site) || t->g.site->kind == CFZ_SITE_FLOAT ||
        t->nlengths == CFZ_LENGTHS)
        return;
    effect = (int64_t)((uint64_t)cfz_difference(t, e->a, cfz_task_b(t, e)) -
                       (uint64_t)cfz_difference(t, t->a, t->b));
    for (uint32_t k = 0; k < t->nlengths; k++)
        same += t->lengths[k].way == way && t->lengths[k].effect == effect && t->lengths[k].i == i;
    if (effect != 0 && same < 3)
        t->lengths[t->nlengths++] = (struct cfz_length){way, i, p, effect, false};
}

bool cfz_solver_execute(struct cfz_search *s, const struct cfz_image *im)
{
    enum cfz_ran r = cfz_search_try(s, im, true);

    if (r == CFZ_RAN_NEWS)
        cfz_goals_learn(s->goals);
    return r != CFZ_RAN_OVER;
}

/* ---- sites that no input moves ---------------------------------------------------------- */

/*
 * What each site compared: the sum over its events, whatever their order, in the trace of the base
 * and in that of a changed input. The sites of the base are listed; none is where the trace is
 * small, as there is room for all goals then.
 */
static uint32_t base_sums[CFZ_SITE_NOTES_MAX], probe_sums[CFZ_SITE_NOTES_MAX];
static struct cfz_site *base_sites[CFZ_EVENTS_MAX];
static uint32_t nbase_sites;
static uint32_t base_operands[CFZ_PATH_MAX]; /* of each event; with nbase_sites */
static uint32_t ndirect;                     /* sites that became direct since the base was taken */
static const struct cfz_base *entrys;        /* the base of which that is so */
static uint64_t least;                       /* comparisons of an execution since then, at least */

uint32_t cfz_probes_direct(void)
{
    return ndirect;
}

uint64_t cfz_probes_least(void)
{
    return least;
}

void cfz_probes_begin(const struct cfz_base *b)
{
    entrys = b;
    least = cfz_trace.passed;
    ndirect = 0;
    while (nbase_sites > 0)
        base_sums[base_sites[--nbase_sites]->id] = 0;
    for (uint32_t i = 0; i < cfz_trace.nevents && cfz_trace.nevents > CFZ_EVENTS_LONG; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint32_t h = cfz_event_hash(e);

        if (i < CFZ_PATH_MAX)
            base_operands[i] = h;
        if (e->site->id >= CFZ_SITE_NOTES_MAX)
            continue;
        if (base_sums[e->site->id] == 0)
            base_sites[nbase_sites++] = e->site;
        base_sums[e->site->id] += h;
    }
}

/* Looks at event i of a probe of b, all before which were as in b, with a hash of its operands.
 * Returns whether the next one is still on the path of b. */
static bool compare_with(struct cfz_search *s, const struct cfz_base *b, uint32_t i, uint32_t h)
{
    const struct cfz_event *e = &cfz_trace.events[i];

    if (i >= b->nsteps || e->site != b->path[i].site)
        return false;
    if (h != base_operands[i] && e->site->id < CFZ_SITE_NOTES_MAX)
        ndirect += atomic_exchange_explicit(&s->goals->sites[e->site->id].direct, 1,
                                            memory_order_relaxed) == 0;
    return cfz_chosen(e) == b->path[i].value;
}

/* Notes the sites that compared something else in the last trace than in that of the base b. */
static void note_moved(struct cfz_search *s, const struct cfz_base *b)
{
    bool same_way = true;

    for (uint32_t i = 0; nbase_sites > 0 && i < cfz_trace.nevents; i++) {
        uint32_t h = cfz_event_hash(&cfz_trace.events[i]);

        same_way = same_way && compare_with(s, b, i, h);
        cfz_prelude_compare(&cfz_trace.events[i], h);
        if (cfz_trace.events[i].site->id < CFZ_SITE_NOTES_MAX)
            probe_sums[cfz_trace.events[i].site->id] += h;
    }
    for (uint32_t i = 0; i < nbase_sites; i++) {
        uint32_t id = base_sites[i]->id;

        if (probe_sums[id] != base_sums[id])
            atomic_store_explicit(&s->goals->sites[id].moved, 1, memory_order_relaxed);
    }
    for (uint32_t i = 0; nbase_sites > 0 && i < cfz_trace.nevents; i++)
        if (cfz_trace.events[i].site->id < CFZ_SITE_NOTES_MAX)
            probe_sums[cfz_trace.events[i].site->id] = 0;
}

void cfz_probes_fixed(struct cfz_search *s)
{
    for (uint32_t i = 0; i < nbase_sites && cfz_image_size(&entrys->im) > 0; i++) {
        struct cfz_site_note *note = &s->goals->sites[base_sites[i]->id];
        uint8_t old = atomic_load_explicit(&note->fixed, memory_order_relaxed);

        if (old < CFZ_FIXED && !atomic_load_explicit(&note->moved, memory_order_relaxed))
            atomic_store_explicit(&note->fixed, (uint8_t)(old + 1), memory_order_relaxed);
    }
}

static enum cfz_trial run_probe(struct cfz_solver *v, const struct cfz_image *im)
{
    mended = true;
    return cfz_solver_execute(v->s, im) ? CFZ_TRIAL_LOST : CFZ_TRIAL_OVER;
}

/*
 * One execution of a changed input, which all tasks look at. Where the change makes it leave the
 * path of the base at a field that is known, a checksum say, the field is written anew; and so is
 * the next one, behind it. False if the search is over.
 */
static bool probe(struct cfz_search *s, struct cfz_base *b, const struct cfz_image *im)
{
    cfz_solver.s = s;
    mended = false;
    if (!cfz_solver_execute(s, im))
        return false;
    if (b == entrys) {
        note_moved(s, b);
        least = cfz_trace.passed < least ? cfz_trace.passed : least;
    }
    return cfz_bring_back(&cfz_solver, b, im, run_probe) != CFZ_TRIAL_OVER;
}

/*
 * Of a float the bits of one byte say little: those of 0 make numbers that are almost 0, and one of
 * the exponent's makes a number out of any range. So it is changed as a number, too, by little and
 * by much; what comes of it is put down to its last byte.
 */
static bool probe_float(struct cfz_search *s, struct cfz_base *b, struct cfz_task *ts, uint32_t n,
                        uint32_t value)
{
    const uint32_t at = b->im.at[value], len = b->im.at[value + 1] - at;
    struct cfz_value x = {.kind = b->im.like[value].kind,
                          .bits = cfz_image_get(&b->im, at, len, false)};
    const double old = cfz_value_float(&x), size = old < 0 ? -old : old;
    const double to[] = {old + (size < 1 ? 1 : size / 16), size < 64 ? 100 : -old / 2};

    if (old != old)
        return true;
    for (unsigned k = 0; k < sizeof to / sizeof to[0]; k++) {
        cfz_value_set_float(&x, to[k]);
        cfz_image_put(&scratch, at, len, false, x.bits);
        if (!probe(s, b, &scratch))
            return false;
        memcpy(scratch.bytes + at, b->im.bytes + at, len);
        for (uint32_t i = 0; i < n; i++)
            note_influence(&ts[i], at + len - 1);
    }
    return true;
}

bool cfz_probe_bytes(struct cfz_search *s, struct cfz_base *b, struct cfz_task *ts, uint32_t n,
                     unsigned round)
{
    static const uint8_t usual[] = {'9', 'a', 'Z', '"', '0', ' '};
    uint32_t size = cfz_image_size(&b->im);
    uint32_t step = size > CFZ_PROBE_STRIDE ? size / CFZ_PROBE_STRIDE + 1 : 1;

    cfz_image_copy(&scratch, &b->im);
    for (uint32_t p = step > 1 ? cfz_rand_below(s->rand, step) : 0; p < size; p += step) {
        uint8_t old = b->im.bytes[p];
        uint32_t value;
        unsigned nchanges = round > 0 ? 6 : 4;

        for (unsigned k = 0; k < nchanges; k++) {
            uint8_t c = k == 0   ? old ^ 1
                        : k == 1 ? old ^ 0x80
                        : k == 2 ? (uint8_t)(old == '1' ? '2' : '1') /* what digits mean */
                        : k == 3 ? (uint8_t)(old & 1 ? old + 1 : old - 1)
                        : k == 4 ? usual[cfz_rand_below(s->rand, sizeof usual)]
                                 : (uint8_t)cfz_rand_u32(s->rand);

            if (c == old || (size > CFZ_PROBE_DENSE && round == 0 && (k & 1)))
                continue;
            scratch.bytes[p] = c;
            if (!probe(s, b, &scratch))
                return false;
            scratch.bytes[p] = old;
            for (uint32_t i = 0; i < n; i++)
                note_influence(&ts[i], p);
        }
        value = cfz_image_value(&b->im, p);
        if (cfz_kind_is_float(b->im.like[value].kind) && p + 1 == b->im.at[value + 1] &&
            !probe_float(s, b, ts, n, value))
            return false;
    }
    return true;
}

bool cfz_probe_lengths(struct cfz_search *s, struct cfz_base *b, struct cfz_task *ts, uint32_t n)
{
    for (uint32_t i = 0; i < b->im.n; i++) {
        uint32_t from = b->im.at[i], end = b->im.at[i + 1];

        if (!cfz_image_grows(&b->im, i))
            continue;
        for (int way = CFZ_APPEND; way <= CFZ_DELETE; way++) {
            uint32_t stop = way == CFZ_APPEND ? end + 1 : end;

            for (uint32_t p = way == CFZ_APPEND ? end : from; p < stop; p++) {
                uint8_t c = p < end ? b->im.bytes[p] : end > from ? b->im.bytes[end - 1] : 'A';

                if (way != CFZ_APPEND && end - from > CFZ_PROBE_DENSE &&
                    cfz_rand_below(s->rand, end - from) > CFZ_PROBE_DENSE)
                    continue;
                cfz_image_copy(&scratch, &b->im);
                if (!cfz_image_splice(&scratch, i, p, way == CFZ_DELETE, &c, way != CFZ_DELETE))
                    continue;
                if (!probe(s, b, &scratch))
                    return false;
                for (uint32_t k = 0; k < n; k++)
                    note_length(&ts[k], (enum cfz_length_way)way, i, p);
            }
        }
    }
    return true;
}

/* Whether the base compares something else for the task when it is executed once more: the time, a
 * counter, what earlier executions left. */
static bool drifts(struct cfz_search *s, const struct cfz_base *b, const struct cfz_task *t)
{
    const struct cfz_event *e;

    if (!cfz_solver_execute(s, &b->im) || !(e = cfz_trace_find(t->g.site, t->g.nth)))
        return false;
    if (!cfz_site_is_text(e->site))
        return e->a != t->a || (e->site->kind != CFZ_SITE_SWITCH && e->b != t->b);
    return e->a_len != t->len_a || e->b_len != t->len_b ||
           memcmp(cfz_trace.text + e->a_at, t->text_a, e->a_len) != 0 ||
           memcmp(cfz_trace.text + e->b_at, t->text_b, e->b_len) != 0;
}

/* How many bytes of an input can become more or less. */
static uint32_t growing(const struct cfz_image *im)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < im->n; i++)
        if (cfz_image_grows(im, i))
            n += im->at[i + 1] - im->at[i];
    return n;
}

/* The positions that change what t compares, in order, each once: guesses add to those that probing
 * found. Returns how many. */
static uint32_t sorted_positions(const struct cfz_task *t, uint32_t at[CFZ_INFLUENCES])
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < t->nat; k++) {
        const uint32_t p = t->at[k].p;
        uint32_t to = n;

        while (to > 0 && at[to - 1] > p)
            to--;
        if (to > 0 && at[to - 1] == p)
            continue;
        memmove(&at[to + 1], &at[to], (n++ - to) * sizeof *at);
        at[to] = p;
    }
    return n;
}

void cfz_note_probed(struct cfz_search *s, const struct cfz_base *b, const struct cfz_task *t)
{
    uint32_t size = cfz_image_size(&b->im);
    uint32_t step = size > CFZ_PROBE_STRIDE ? size / CFZ_PROBE_STRIDE + 1 : 1;
    uint32_t moving[CFZ_INFLUENCES], nmoving = sorted_positions(t, moving);
    struct cfz_range ranges[CFZ_OBSTACLE_RANGES];
    struct cfz_influences in = {.ranges = ranges,
                                .of = size / step,
                                .of_growing = growing(&b->im) / step,
                                .more = t->nat == 0 && t->nlengths > 0,
                                .lost = t->lost};

    if (t->g.level != 0)
        return;
    for (uint32_t k = 0; k < nmoving; k++) {
        uint32_t p = moving[k], i = cfz_image_value(&b->im, p), at = b->im.at[i];
        struct cfz_range *last = in.nranges ? &ranges[in.nranges - 1] : NULL;

        in.nbytes++;
        in.ngrowing += cfz_image_grows(&b->im, i);
        if (!cfz_image_grows(&b->im, i)) { /* a number has no parts */
            if (last && last->value == i)
                continue;
        } else if (last && last->value == i && p - at < last->to + step) {
            last->to = p - at + 1;
            continue;
        }
        if (in.nranges == CFZ_OBSTACLE_RANGES) {
            in.more = true;
            continue;
        }
        ranges[in.nranges++] = cfz_image_grows(&b->im, i)
                                   ? (struct cfz_range){i, p - at, p - at + 1}
                                   : (struct cfz_range){i, 0, 0};
    }
    if (t->nat == CFZ_INFLUENCES) { /* there was no room for more */
        in.of = in.nbytes;
        in.of_growing = in.ngrowing;
    }
    if (cfz_obstacles_asks_again(s->goals, t->g.site, &in) && drifts(s, b, t)) {
        in.drifts = true;
        cfz_leave_alone(s, t->g.site);
    }
    cfz_obstacles_probed(s->goals, t->g.site, &in);
}
