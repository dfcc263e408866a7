/*
 * goal.c - numbers in order, keys of goals, what is open and what is near.
 *
 * The levels are those of our own experiments (docs/decisions/051); distances between strings
 * follow Angora's and libFuzzer's idea that an equal prefix is progress.
 */
#define _GNU_SOURCE
#include "search/goal.h"

#include <string.h>

#include "core/extended.h"
#include "coverage/prelude.h"
#include "self/shared.h"

enum { FIRST_TRIED = 16 }; /* places of a key among the first; guessed */

int cfz_goals_map(struct cfz_goals **goals, struct cfz_error *err)
{
    *goals = cfz_shared_map(sizeof **goals, "goals", err);
    return *goals ? 0 : -1;
}

int cfz_goals_renew(struct cfz_goals *goals, struct cfz_error *err)
{
    return cfz_shared_renew(goals, sizeof *goals, err);
}

/* The note of a key among the first places of the table, a power of two, or the free one where it
 * would be; NULL if there is neither. */
static const struct cfz_goal_note *place_among(const struct cfz_goals *goals, uint64_t key,
                                               uint32_t places, int tried)
{
    uint32_t i = (uint32_t)(key >> 40) & (places - 1);

    /* The target can write over the table, so that no place is free. */
    for (int tries = 0; tries < tried; tries++, i = (i + 1) & (places - 1)) {
        uint64_t at = atomic_load_explicit(&goals->notes[i].key, memory_order_relaxed);

        if (at == key || at == 0)
            return &goals->notes[i];
    }
    return NULL;
}

/* Gives a key a note among these places; NULL if most notes are used in all. */
static struct cfz_goal_note *note_among(struct cfz_goals *goals, uint64_t key, uint32_t places,
                                        int tried, uint32_t most)
{
    const struct cfz_goal_note *place;

    while ((place = place_among(goals, key, places, tried)) != NULL) {
        struct cfz_goal_note *n = &goals->notes[place - goals->notes];
        uint64_t at = atomic_load_explicit(&n->key, memory_order_relaxed);

        if (at == key)
            return n;
        if (at != 0) /* another worker took it meanwhile */
            continue;
        if (atomic_load_explicit(&goals->nnotes, memory_order_relaxed) >= most)
            return NULL;
        if (atomic_compare_exchange_strong(&n->key, &at, key)) {
            atomic_fetch_add_explicit(&goals->nnotes, 1, memory_order_relaxed);
            return n;
        }
    }
    return NULL;
}

/* The first goals of a run are all in some pages: each page that is written to for the first time
 * costs a fault, as much as an execution of a fast test or more. */
struct cfz_goal_note *cfz_goal_note(struct cfz_goals *goals, uint64_t key)
{
    struct cfz_goal_note *n =
        note_among(goals, key, CFZ_GOALS_FIRST, FIRST_TRIED, CFZ_GOALS_FIRST / 2);

    return n ? n : note_among(goals, key, CFZ_GOALS_MAX, CFZ_GOALS_TRIED, CFZ_GOALS_MAX / 4 * 3);
}

static const struct cfz_goal_note *known_among(const struct cfz_goals *goals, uint64_t key,
                                               uint32_t places, int tried)
{
    const struct cfz_goal_note *n = place_among(goals, key, places, tried);

    return n && atomic_load_explicit(&n->key, memory_order_relaxed) == key ? n : NULL;
}

const struct cfz_goal_note *cfz_goal_known(const struct cfz_goals *goals, uint64_t key)
{
    const struct cfz_goal_note *n = known_among(goals, key, CFZ_GOALS_FIRST, FIRST_TRIED);

    return n ? n : known_among(goals, key, CFZ_GOALS_MAX, CFZ_GOALS_TRIED);
}

/* The two bits of a key in the filter. The lowest one of each key is set. */
static uint32_t met_bit(uint64_t key, unsigned k)
{
    return (uint32_t)(key >> (k ? 40 : 1)) & (CFZ_MET_BITS - 1);
}

void cfz_goal_meet(struct cfz_goals *goals, uint64_t key)
{
    for (unsigned k = 0; k < 2; k++) {
        uint32_t at = met_bit(key, k);
        uint64_t bit = (uint64_t)1 << at % 64;
        _Atomic uint64_t *word = &goals->met[at / 64];

        if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0)
            atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
    }
}

bool cfz_goal_is_met(const struct cfz_goals *goals, uint64_t key)
{
    for (unsigned k = 0; k < 2; k++) {
        uint32_t at = met_bit(key, k);

        if ((atomic_load_explicit(&goals->met[at / 64], memory_order_relaxed) >> at % 64 & 1) == 0)
            return false;
    }
    return true;
}

bool cfz_recipe_is_sound(const struct cfz_recipe *r)
{
    return r->set <= CFZ_RECIPE_UNITS && r->width <= sizeof(uint64_t) && r->big_endian <= 1 &&
           r->side <= 1 && r->reckoned <= 1 &&
           (r->radix == 0 || r->radix == 8 || r->radix == 10 || r->radix == 16);
}

void cfz_goals_keep_recipe(struct cfz_goals *goals, const struct cfz_site *site,
                           const struct cfz_recipe *learnt)
{
    struct cfz_recipe *r = cfz_site_recipe(goals, site);

    if (!r)
        return;
    if (!r->set)
        atomic_fetch_add_explicit(&goals->nrecipes, 1, memory_order_relaxed);
    *r = *learnt;
}

/* ---- numbers ---------------------------------------------------------------------- */

static bool is_nan(const struct cfz_site *s, uint64_t v)
{
    if (s->width == 32)
        return (v & 0x7fffffff) > 0x7f800000;
    if (s->width == CFZ_EXTENDED)
        return cfz_extended_is_nan(v);
    return (v & INT64_MAX) > 0x7ff0000000000000;
}

static uint64_t nan_of(const struct cfz_site *s)
{
    return s->width == 32             ? 0x7fc00000
           : s->width == CFZ_EXTENDED ? 0x7fffc00000000000
                                      : 0x7ff8000000000000;
}

uint64_t cfz_order(const struct cfz_site *s, uint64_t v)
{
    uint64_t mask = cfz_site_mask(s), sign = mask ^ mask >> 1;

    v &= mask;
    if (s->kind == CFZ_SITE_FLOAT && s->width == CFZ_EXTENDED)
        v = cfz_extended_pack(v);
    if (s->kind == CFZ_SITE_FLOAT)
        return v & sign ? ~v & mask : v | sign;
    return s->flags & CFZ_SITE_SIGNED ? v ^ sign : v;
}

uint64_t cfz_unorder(const struct cfz_site *s, uint64_t v)
{
    uint64_t mask = cfz_site_mask(s), sign = mask ^ mask >> 1;

    v &= mask;
    if (s->kind == CFZ_SITE_FLOAT) {
        v = v & sign ? v ^ sign : ~v & mask;
        return s->width == CFZ_EXTENDED ? cfz_extended_unpack(v) : v;
    }
    return s->flags & CFZ_SITE_SIGNED ? v ^ sign : v;
}

enum cfz_relation cfz_relate(const struct cfz_site *s, uint64_t a, uint64_t b)
{
    uint64_t x = cfz_order(s, a), y = cfz_order(s, b);

    if (s->kind == CFZ_SITE_FLOAT) {
        uint64_t magnitude = cfz_site_mask(s) >> 1;

        if (is_nan(s, a) || is_nan(s, b))
            return CFZ_REL_UNORDERED;
        if (((a | b) & magnitude) == 0) /* +0 and -0 */
            return CFZ_REL_EQUAL;
    }
    return x == y ? CFZ_REL_EQUAL : x > y ? CFZ_REL_GREATER : CFZ_REL_LESS;
}

int cfz_case(const struct cfz_site *s, uint64_t value)
{
    uint64_t mask = cfz_site_mask(s);
    uint32_t from = 0, to = s->ncases;

    value &= mask;
    if (s->flags & CFZ_SITE_SIGNED && value > mask >> 1)
        value |= ~mask; /* as cases are extended */
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (s->cases[middle].value == value)
            return (int)middle;
        if (s->cases[middle].value < value)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}

bool cfz_holds(const struct cfz_event *e)
{
    if (cfz_site_is_text(e->site))
        return e->outcome;
    if (e->site->kind == CFZ_SITE_SWITCH)
        return cfz_case(e->site, e->a) >= 0;
    return (cfz_relate(e->site, e->a, e->b) & e->site->predicate) != 0;
}

unsigned cfz_goal_values(const struct cfz_goal *g, unsigned side, uint64_t other,
                         uint64_t values[CFZ_GOAL_VALUES])
{
    const struct cfz_site *s = g->site;
    uint64_t mask = cfz_site_mask(s), near[3];
    unsigned n = 0;

    if (s->kind == CFZ_SITE_SWITCH) {
        values[0] = g->value & mask;
        return 1;
    }
    near[0] = other & mask;
    near[1] = cfz_unorder(s, cfz_order(s, other) + 1);
    near[2] = cfz_unorder(s, cfz_order(s, other) - 1);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t v = near[i] & mask;
        enum cfz_relation r = side ? cfz_relate(s, other, v) : cfz_relate(s, v, other);

        if (r & g->want)
            values[n++] = v;
    }
    if (n == 0 && (g->want & CFZ_REL_UNORDERED))
        values[n++] = nan_of(s);
    return n;
}

/* ---- keys -------------------------------------------------------------------------- */

static uint64_t key(const struct cfz_site *s, unsigned level, uint64_t what)
{
    return cfz_hash_mix(what * 0x9e3779b97f4a7c15 ^ ((uint64_t)s->id << 8 | level));
}

uint64_t cfz_goal_key0(const struct cfz_site *s, uint64_t of)
{
    return key(s, 0, of);
}

uint64_t cfz_goal_key1(const struct cfz_site *s, uint64_t operand)
{
    return key(s, 1, operand & cfz_site_mask(s));
}

uint64_t cfz_goal_key2(const struct cfz_site *s, uint32_t nth, bool outcome)
{
    return key(s, 2, (uint64_t)nth << 1 | outcome);
}

uint64_t cfz_goal_key2_case(const struct cfz_site *s, uint32_t nth, uint64_t value)
{
    return key(s, 2, cfz_hash_mix(nth + 1) ^ (value & cfz_site_mask(s)));
}

uint64_t cfz_goal_key3(uint64_t key2, uint64_t path)
{
    return cfz_hash_mix(key2 ^ path * 0x9e3779b97f4a7c15);
}

void cfz_goal_of_case(struct cfz_site *s, uint32_t k, uint32_t nth, struct cfz_goal *g)
{
    const uint64_t value = s->cases[k].value & cfz_site_mask(s);

    *g = (struct cfz_goal){.site = s,
                           .nth = nth,
                           .want = CFZ_REL_EQUAL,
                           .value = value,
                           .key = cfz_goal_key0(s, value)};
}

/* ---- what is open ---------------------------------------------------------------------- */

/* The counter behind a goal of level 0, or NULL. */
static const uint8_t *counter_of(const struct cfz_goal *g)
{
    const struct cfz_site *s = g->site;

    if (g->level != 0)
        return NULL;
    if (s->kind == CFZ_SITE_SWITCH) {
        int i = cfz_case(s, g->value);

        return i < 0 ? NULL : cfz_site_counter_at(&s->cases[i].counter);
    }
    return cfz_site_counter(s, (g->want & s->predicate) || cfz_site_is_text(s));
}

bool cfz_goal_open(const struct cfz_goals *goals, const struct cfz_seen *seen,
                   const struct cfz_goal *g)
{
    const uint8_t *counter = counter_of(g);

    return counter ? !cfz_seen_has_counter(seen, counter) : !cfz_goal_is_met(goals, g->key);
}

static bool same_values(const struct cfz_site *s, const struct cfz_event *e)
{
    return ((e->a ^ e->b) & cfz_site_mask(s)) == 0;
}

/* The keys of the goals that an event meets, up to 4. Returns how many. */
static unsigned keys_met(const struct cfz_event *e, uint64_t keys[4])
{
    const struct cfz_site *s = e->site;
    unsigned n = 0;

    if (cfz_site_is_text(s)) {
        keys[n++] = cfz_goal_key0(s, e->outcome);
        if (e->outcome) {
            keys[n++] = cfz_goal_key1(s, cfz_text_hash(cfz_trace.text + e->a_at, e->a_len));
            keys[n++] = cfz_goal_key1(s, cfz_text_hash(cfz_trace.text + e->b_at, e->b_len));
        }
        return n;
    }
    if (s->kind == CFZ_SITE_SWITCH) {
        if (cfz_case(s, e->a) >= 0) {
            keys[n++] = cfz_goal_key0(s, e->a & cfz_site_mask(s));
            if (cfz_is_early(e, CFZ_FINE_NTH))
                keys[n++] = cfz_goal_key2_case(s, e->nth, e->a);
        }
        return n;
    }
    keys[n++] = cfz_goal_key0(s, cfz_holds(e));
    if (s->kind == CFZ_SITE_INT && same_values(s, e))
        keys[n++] = cfz_goal_key1(s, e->a);
    if (cfz_is_early(e, CFZ_FINE_NTH))
        keys[n++] = cfz_goal_key2(s, e->nth, cfz_holds(e));
    return n;
}

bool cfz_goal_met_by(const struct cfz_goal *g, const struct cfz_event *e)
{
    uint64_t keys[4];
    unsigned n;

    if (e->site != g->site)
        return false;
    n = keys_met(e, keys);
    while (n > 0)
        if ((g->path ? cfz_goal_key3(keys[--n], g->path) : keys[--n]) == g->key)
            return true;
    return false;
}

void cfz_goals_learn(struct cfz_goals *goals)
{
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint64_t keys[4];
        unsigned n = keys_met(e, keys);

        while (n > 0)
            cfz_goal_meet(goals, keys[--n]);
    }
}

/* ---- what is near ---------------------------------------------------------------------- */

static bool same_byte(uint8_t x, uint8_t y, bool fold)
{
    return x == y || (fold && cfz_fold(x) == cfz_fold(y));
}

/* How far one byte is from another, for a climb bit by bit: up to 255. */
static uint64_t byte_distance(uint8_t x, uint8_t y, bool fold)
{
    unsigned d = fold ? cfz_fold(x) ^ cfz_fold(y) : x ^ y;

    return d == 0 ? 0 : ((uint64_t)(32 - __builtin_clz(d)) << 4 | (uint64_t)__builtin_popcount(d));
}

/* Between two texts: the length of what is not an equal prefix counts most, then its first bytes.
 */
static uint64_t text_distance(const uint8_t *s, uint32_t ns, const uint8_t *t, uint32_t nt,
                              bool fold)
{
    uint32_t p = 0;
    uint64_t d;

    while (p < ns && p < nt && same_byte(s[p], t[p], fold))
        p++;
    if (p == ns && p == nt)
        return 0;
    if (p == nt)
        return 1 + ns - nt; /* all is there, and more */
    d = (uint64_t)(nt - p + 1) << 24;
    for (uint32_t k = 0; k < 2 && p + k < nt; k++)
        d += (p + k < ns ? byte_distance(s[p + k], t[p + k], fold) : 255) << (k ? 0 : 8);
    return d;
}

/* To a text that is looked for: what is missing of the longest beginning that is there. */
static uint64_t find_distance(const uint8_t *s, uint32_t ns, const uint8_t *t, uint32_t nt,
                              bool fold)
{
    uint32_t best = 0;

    for (uint32_t i = 0; i < ns; i++) {
        uint32_t k = 0;

        while (k < nt && i + k < ns && same_byte(s[i + k], t[k], fold))
            k++;
        best = k > best ? k : best;
    }
    return 1 + nt - best;
}

uint64_t cfz_goal_distance(const struct cfz_goal *g, const struct cfz_event *e)
{
    const struct cfz_site *s = g->site;
    uint64_t a, b, x, y, d;
    enum cfz_relation r;

    if (cfz_site_is_text(s)) {
        const uint8_t *p = cfz_trace.text + e->a_at, *q = cfz_trace.text + e->b_at;

        if (e->outcome)
            return 0;
        if (cfz_site_is_find(s))
            return find_distance(p, e->a_len, q, e->b_len, cfz_site_ignores_case(s));
        d = text_distance(p, e->a_len, q, e->b_len, cfz_site_ignores_case(s));
        return d ? d : 1; /* they differ behind what was kept */
    }
    a = e->a;
    b = s->kind == CFZ_SITE_SWITCH ? g->value : e->b;
    r = cfz_relate(s, a, b);
    if (r & g->want)
        return 0;
    if (r == CFZ_REL_UNORDERED)
        return UINT64_MAX / 2;
    x = cfz_order(s, a);
    y = cfz_order(s, b);
    d = x > y ? x - y : y - x;
    if (g->want & CFZ_REL_EQUAL)
        return d;
    return d == UINT64_MAX ? d : d + 1;
}
