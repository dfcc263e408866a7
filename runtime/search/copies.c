/*
 * copies.c - the first stage: an operand that stands in the input is overwritten by what the
 * comparison wanted.
 *
 * An entry is traced once. For each outcome that no input has shown, and each case of a switch, the
 * wanted value is written where the operand's bytes stand in the input: as a number of 8, 4, 2 or 1
 * bytes in both orders, or one that is near, as decimal text, or as text. The result is executed
 * without a trace. The idea is REDQUEEN's input-to-state correspondence (Aschermann et al., NDSS
 * 2019) without its colorization: executions are cheaper than it. What pays: docs/decisions/051.
 *
 * A goal gets at most COPIES_GOAL candidates of a single place over all entries and workers, and an
 * operand few places. What an entry comes to that the one it was made of did not depends on what
 * was changed, or on what follows there, most often: so places are looked for from the change on,
 * and then from the beginning; and, in turn, from where the comparison before stood, if that was at
 * one place alone, as programs read on (docs/decisions/138). Operands that tell where they stand
 * come before zeros and small numbers, which stand everywhere. A part of the candidates is kept for
 * comparisons before one that blocks, which are turned whatever they have shown (before_goals;
 * docs/decisions/137).
 *
 * A field that solved an equality of two operands of which neither is a constant is a recipe
 * (goal.h): lengths that have to agree are mended when what follows them is changed.
 */
#define _GNU_SOURCE
#include "search/search.h"

#include <string.h>

#include "core/digits.h"
#include "core/field.h"
#include "coverage/prelude.h"
#include "search/words.h"
#include "search/nearest.h"
#include "search/obstacles.h"

enum {
    COPIES_GOAL = 64,           /* candidates a goal */
    COPIES_PLACES = 4,          /* places a pair of operand and wanted value */
    COPIES_ALL = COPIES_PLACES, /* places that are overwritten together, at most */
    NEAR_ADDED = 16,            /* what a number of two bytes may be near by */
    NEAR_PLACES = 2,            /* where something near is overwritten */
    STANDS_NTH = 64,            /* comparisons of one site of which it is asked where they stand */
    STANDS_MOST = 1 << 21,      /* bytes times comparisons, beyond which it is not */
    COPIES_NTH = 16,            /* comparisons of one site that are looked at */
    COPIES_CASES = 32,          /* open cases of one switch */
    BEHIND_MUCH = 3,            /* counters behind what is turned first */
    COPIES_BEFORE_SHARE = 4,    /* 1 of so many candidates is kept for these */
    COPIES_BEFORE = 8,          /* comparisons before one that are turned for its sake */
    COPIES_BEFORE_ENTRY = 16,   /* candidates an entry, for the sake of one comparison */
};

struct copies {
    struct cfz_search *s;
    struct cfz_image base, cand;
    uint64_t left;            /* candidates */
    uint32_t event;           /* whose operands are looked for */
    bool looked;              /* stands[] is known */
    struct cfz_recipe recipe; /* what the candidate would say, but for the place */
    struct cfz_goal goal;     /* the one being tried */
    struct cfz_goal aim;      /* the one that is to be met, and counts: that, or one behind it */
    struct cfz_goal_note *note;
};

static struct copies copies; /* one per process; static for its size */

/* Whether candidates for c->goal go on. */
static bool wanted(const struct copies *c)
{
    return !c->s->over && c->left > 0 &&
           atomic_load_explicit(&c->note->copied, memory_order_relaxed) < COPIES_GOAL &&
           cfz_goal_open(c->s->goals, c->s->seen, &c->aim);
}

static bool begin_goal(struct copies *c)
{
    c->aim = c->goal;
    c->note = cfz_goal_note(c->s->goals, c->goal.key);
    return c->note && wanted(c);
}

/* Executes c->cand and restores it. False if the goal needs no more candidates. */
static bool execute(struct copies *c)
{
    c->left--;
    cfz_search_try(c->s, &c->cand, false);
    cfz_image_copy(&c->cand, &c->base);
    return wanted(c);
}

/* The same of one that counts as one of the goal's. */
static bool try_cand(struct copies *c)
{
    uint16_t copied = atomic_load_explicit(&c->note->copied, memory_order_relaxed);

    atomic_store_explicit(&c->note->copied, (uint16_t)(copied + 1), memory_order_relaxed);
    return execute(c);
}

/*
 * The same of one of which the number or memory at p was overwritten. If it had news, the goal was
 * met, most likely (coverage does not say so where the outcome has no counter of its own): what the
 * comparison wants there in other inputs can be written again. Whether it depends on the rest, the
 * solver sees (cfz_recipe_see).
 */
static bool try_field(struct copies *c, uint32_t p)
{
    const struct cfz_site *site = c->goal.site;
    const struct cfz_recipe *r = cfz_site_recipe(c->s->goals, site);
    uint64_t news = c->s->nnews;
    bool more = try_cand(c);

    if (c->s->nnews == news || !c->recipe.set || !r || r->set ||
        (site->kind != CFZ_SITE_INT && site->kind != CFZ_SITE_MEM) ||
        site->flags & (CFZ_SITE_CONST_A | CFZ_SITE_CONST_B) || c->goal.want != CFZ_REL_EQUAL ||
        c->aim.key != c->goal.key)
        return more;
    cfz_recipe_place(&c->recipe, &c->base, p);
    cfz_goals_keep_recipe(c->s->goals, site, &c->recipe);
    return more;
}

/* ---- where comparisons stand ---------------------------------------------------------- */

/* Whether v, an operand of width bits, is told by its lowest n bytes: zero- or sign-extended. */
static bool fits_bytes(uint64_t v, unsigned width, uint32_t n)
{
    uint64_t mask = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    uint64_t high;

    if (n >= 8 || 8 * n >= width)
        return true;
    high = (v & mask) >> 8 * n;
    return high == 0 || high == mask >> 8 * n;
}

/* About where what comes before each event stands; UINT32_MAX: not known. */
static uint32_t stands[CFZ_EVENTS_MAX];

/* The only place of an operand of the base, in the widest form that has one; UINT32_MAX: none. */
static uint32_t number_stands(const struct copies *c, const struct cfz_site *site, uint64_t v)
{
    uint8_t x[8];

    v &= cfz_site_mask(site);
    for (uint32_t n = 8; n > 0; n /= 2) {
        if (8 * n > (site->width + 7U) / 8 * 8 || !fits_bytes(v, site->width, n) ||
            (n > 1 && v <= UINT8_MAX))
            continue;
        for (int big = 0; big < (n > 1 ? 2 : 1); big++) {
            uint32_t at;

            cfz_field_put(x, n, big, v);
            at = cfz_image_only(&c->base, x, n);
            if (at != UINT32_MAX)
                return at;
        }
    }
    return UINT32_MAX;
}

/* The same of an operand of an event, that of the first side if both have a place. */
static uint32_t event_stands(const struct copies *c, const struct cfz_event *e)
{
    const struct cfz_site *site = e->site;
    bool may_b = site->kind != CFZ_SITE_SWITCH && !(site->flags & CFZ_SITE_CONST_B);
    uint32_t at = UINT32_MAX;

    if (cfz_site_is_text(site)) {
        if (!(site->flags & CFZ_SITE_CONST_A) && e->a_len > 1)
            at = cfz_image_only(&c->base, cfz_trace.text + e->a_at, e->a_len);
        if (at == UINT32_MAX && may_b && e->b_len > 1)
            at = cfz_image_only(&c->base, cfz_trace.text + e->b_at, e->b_len);
        return at;
    }
    if (!(site->flags & CFZ_SITE_CONST_A))
        at = number_stands(c, site, e->a);
    if (at == UINT32_MAX && may_b)
        at = number_stands(c, site, e->b);
    return at;
}

static void look_where_all_stand(const struct copies *c)
{
    const uint64_t size = cfz_image_size(&c->base);
    uint32_t at = UINT32_MAX;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint32_t own = UINT32_MAX;

        stands[i] = at;
        if (e->nth < STANDS_NTH && size * cfz_trace.nevents <= STANDS_MOST)
            own = event_stands(c, e);
        if (own != UINT32_MAX)
            at = own;
    }
}

/* About where what comes before the event of c stands; UINT32_MAX: not known. Most entries have no
 * goal whose operand is looked for, as when a cached corpus arrives: so it is only then reckoned.
 */
static uint32_t stands_before(struct copies *c)
{
    if (!c->looked)
        look_where_all_stand(c);
    c->looked = true;
    return stands[c->event];
}

/* ---- places ------------------------------------------------------------------------------ */

/* Where text is looked for: in [p, end), and then in [0, before); and, in turn with these, from
 * where the comparison before stood. */
struct seek {
    uint32_t p, end, before;
    uint32_t stood; /* UINT32_MAX: not known, or no more */
    uint32_t told[COPIES_PLACES];
    unsigned ntold;
    bool from_stood; /* the next place is one from there on */
};

static struct seek seek_from(struct copies *c, uint32_t n)
{
    uint32_t from = c->s->from < n ? 0 : c->s->from - n + 1, stood = stands_before(c);

    if (stood != UINT32_MAX)
        stood = stood < n ? 0 : stood - n + 1;
    return (struct seek){.p = from, .end = UINT32_MAX, .before = from, .stood = stood};
}

/* The next place in [p, end), or else in [0, before). */
static uint32_t next_from_change(const struct copies *c, struct seek *k, const uint8_t *text,
                                 uint32_t n)
{
    uint32_t at = cfz_image_find(&c->base, k->p, text, n);

    if (at >= k->end && k->before > 0) {
        k->end = k->before;
        k->before = 0;
        at = cfz_image_find(&c->base, 0, text, n);
    }
    k->p = at + 1;
    return at < k->end ? at : UINT32_MAX;
}

static bool was_told(const struct seek *k, uint32_t at)
{
    for (unsigned i = 0; i < k->ntold; i++)
        if (k->told[i] == at)
            return true;
    return false;
}

/* The next place of text[0..n) in the image; UINT32_MAX: there is none, or all were told. Up to
 * COPIES_PLACES are asked for. */
static uint32_t next_place(const struct copies *c, struct seek *k, const uint8_t *text, uint32_t n)
{
    uint32_t at;

    do {
        at = UINT32_MAX;
        if (k->from_stood && k->stood != UINT32_MAX) {
            at = cfz_image_find(&c->base, k->stood, text, n);
            k->stood = at == UINT32_MAX ? at : at + 1;
        }
        if (at == UINT32_MAX)
            at = next_from_change(c, k, text, n);
    } while (at != UINT32_MAX && was_told(k, at));
    k->from_stood = !k->from_stood;
    if (k->ntold < COPIES_PLACES)
        k->told[k->ntold++] = at;
    return at;
}

/* Overwrites have[0..n) with want[0..m) wherever it stands, if that is at some places: what a
 * format says twice has to be the same. False: the goal is done. */
static bool everywhere(struct copies *c, const uint8_t *have, uint32_t n, const uint8_t *want,
                       uint32_t m)
{
    uint32_t at[COPIES_ALL], k = 0;

    for (uint32_t p = cfz_image_find(&c->base, 0, have, n); p != UINT32_MAX;
         p = cfz_image_find(&c->base, p + n, have, n)) {
        if (k == COPIES_ALL)
            return true;
        at[k++] = p;
    }
    if (k < 2)
        return true;
    while (k-- > 0) { /* the last one first: those before stay where they are */
        if (!cfz_image_fits(&c->base, at[k], n))
            continue;
        if (m == n) {
            memcpy(c->cand.bytes + at[k], want, n);
        } else if (!cfz_image_splice(&c->cand, cfz_image_value(&c->base, at[k]), at[k], n, want,
                                     m)) {
            cfz_image_copy(&c->cand, &c->base);
            return true;
        }
    }
    return execute(c);
}

/* Overwrites have[0..n) with want[0..m) at up to COPIES_PLACES places. False: the goal is done. */
static bool at_places(struct copies *c, const uint8_t *have, uint32_t n, const uint8_t *want,
                      uint32_t m)
{
    struct seek seek = seek_from(c, n);

    for (unsigned k = 0; k < COPIES_PLACES; k++) {
        uint32_t i, p = next_place(c, &seek, have, n);

        if (p == UINT32_MAX)
            break;
        if (!cfz_image_fits(&c->base, p, n))
            continue;
        i = cfz_image_value(&c->base, p);
        if (m == n)
            memcpy(c->cand.bytes + p, want, n);
        else if (!cfz_image_splice(&c->cand, i, p, n, want, m))
            continue;
        if (!try_field(c, p))
            return false;
    }
    return true;
}

/* How many of a number's lowest n bytes are not 0. */
static uint32_t bytes_set(uint64_t v, uint32_t n)
{
    uint32_t set = 0;

    for (uint32_t k = 0; k < n; k++)
        set += (v >> 8 * k & 255) != 0;
    return set;
}

/* Whether there is have but for a few bits that a mask took, or something small that was added. */
static bool is_near(uint64_t there, uint64_t have, uint32_t n)
{
    uint64_t more = there - have;

    if (n == 2)
        return more != 0 && more + NEAR_ADDED <= 2 * NEAR_ADDED;
    return bytes_set(there ^ have, n) == 1;
}

/* The same where have stands nowhere: where something near it does. What it differs by is left as
 * it is. */
static bool at_near(struct copies *c, uint64_t have, uint64_t want, uint32_t n, bool big)
{
    uint64_t mask = n == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * n) - 1;
    uint32_t size = cfz_image_size(&c->base);
    unsigned places = 0;

    have &= mask;
    if (n == 1 || bytes_set(have, n) < (n == 2 ? n : n - 1))
        return true;
    for (uint32_t p = 0; p + n <= size && places < NEAR_PLACES; p++) {
        uint64_t there = cfz_image_get(&c->base, p, n, big);

        if (!is_near(there, have, n) || !cfz_image_fits(&c->base, p, n))
            continue;
        cfz_image_put(&c->cand, p, n, big, want + there - have);
        places++;
        c->recipe.set = n == 2 ? CFZ_RECIPE_SUM : CFZ_RECIPE_XOR;
        if (!try_field(c, p))
            return false;
    }
    return true;
}

/* Where an operand is overwritten: at single places, or at all of them. */
typedef bool places_fn(struct copies *c, const uint8_t *have, uint32_t n, const uint8_t *want,
                       uint32_t m);

/* Whether have is what a program finds behind the end of its input, the NUL of a text or EOF, and
 * the goal is that it is something, or something else. */
static bool is_end(const struct copies *c, uint64_t have)
{
    const struct cfz_site *site = c->goal.site;
    const uint8_t nul = 0;

    if (!cfz_goal_is_equality(&c->goal))
        return false;
    if (((have + 1) & cfz_site_mask(site)) == 0)
        return site->width > 8;
    return have == 0 && cfz_image_find(&c->base, 0, &nul, 1) == UINT32_MAX;
}

/* Puts want[0..n) behind the end of each value that can be longer. False: the goal is done. */
static bool at_ends(struct copies *c, const uint8_t *want, uint32_t n)
{
    for (uint32_t i = 0; i < c->base.n; i++)
        if (cfz_image_splice(&c->cand, i, c->base.at[i + 1], 0, want, n) && !try_cand(c))
            return false;
    return true;
}

/* The same in digits that are no decimal ones. A digit alone stands everywhere. */
static bool copy_digits(struct copies *c, uint8_t side, uint64_t have, uint64_t want,
                        places_fn *places)
{
    static const uint8_t radixes[] = {16, 8};

    for (size_t i = 0; i < sizeof radixes; i++) {
        const uint8_t radix = radixes[i];
        uint32_t n = cfz_digits_count(have, radix), m = cfz_digits_count(want, radix);
        uint8_t x[sizeof(uint64_t)], y[sizeof(uint64_t)], other[sizeof(uint64_t)];

        if (n < 2 || n > sizeof x || m > sizeof x)
            continue;
        n = n > m ? n : m;
        for (int lower = 0; lower < 2; lower++) {
            cfz_digits_put(x, n, radix, lower, have);
            cfz_digits_put(other, n, radix, !lower, have);
            if (lower && memcmp(x, other, n) == 0)
                break; /* it has no letters */
            cfz_digits_put(y, n, radix, lower, want);
            c->recipe = (struct cfz_recipe){
                .set = CFZ_RECIPE_COPY, .width = (uint8_t)n, .side = side, .radix = radix};
            if (!places(c, x, n, y, n))
                return false;
        }
    }
    c->recipe.set = CFZ_RECIPE_NONE;
    return true;
}

/* Writes want where have stands, the operand of that side. */
static bool copy_number(struct copies *c, uint8_t side, uint64_t have, uint64_t want,
                        places_fn *places)
{
    static const uint32_t widths[] = {8, 4, 2, 1};
    const struct cfz_site *site = c->goal.site;
    uint8_t x[8], y[8];
    char a[CFZ_NUMBER_TEXT], b[CFZ_NUMBER_TEXT];
    uint32_t n, m;

    x[0] = (uint8_t)want;
    if (places == at_places && want - 1 < UINT8_MAX && is_end(c, have) && !at_ends(c, x, 1))
        return false;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        n = widths[w];
        if (n > 1 && 8 * n > (site->width + 7U) / 8 * 8)
            continue; /* wider than what is compared */
        if (!fits_bytes(have, site->width, n) || !fits_bytes(want, site->width, n))
            continue;
        for (int big = 0; big < (n > 1 ? 2 : 1); big++) {
            cfz_field_put(x, n, big, have);
            cfz_field_put(y, n, big, want);
            c->recipe = (struct cfz_recipe){.set = CFZ_RECIPE_COPY,
                                            .width = (uint8_t)n,
                                            .big_endian = (uint8_t)big,
                                            .side = side};
            if (!places(c, x, n, y, n))
                return false;
            if (places == at_places && cfz_image_find(&c->base, 0, x, n) == UINT32_MAX &&
                !at_near(c, have, want, n, big))
                return false;
        }
    }
    c->recipe.set = CFZ_RECIPE_NONE; /* decimal digits are the solver's */
    if (!copy_digits(c, side, have & cfz_site_mask(site), want & cfz_site_mask(site), places))
        return false;
    if (site->width < 16)
        return true;
    n = cfz_number_text(site, have, a);
    m = cfz_number_text(site, want, b);
    /* Where there is no number, programs read 0. A number that is reckoned from the rest is the
     * solver's, which learns to write it again (goal.h). */
    if (places == at_places && have == 0 && site->flags & (CFZ_SITE_CONST_A | CFZ_SITE_CONST_B) &&
        cfz_image_find(&c->base, 0, (const uint8_t *)a, n) == UINT32_MAX)
        return at_ends(c, (const uint8_t *)b, m);
    return places(c, (const uint8_t *)a, n, (const uint8_t *)b, m);
}

/* Writes what the goal wants of either side of e. False: the goal is done. */
static bool copy_sides(struct copies *c, const struct cfz_event *e, places_fn *places)
{
    uint64_t a = e->a, b = e->b, values[CFZ_GOAL_VALUES];

    for (uint8_t side = 0; side < 2; side++) {
        unsigned n;

        if (side ? e->site->flags & CFZ_SITE_CONST_B : e->site->flags & CFZ_SITE_CONST_A)
            continue;
        n = cfz_goal_values(&c->goal, side, side ? a : b, values);
        for (unsigned i = 0; i < n; i++)
            if (!copy_number(c, side, side ? b : a, values[i], places))
                return false;
    }
    return true;
}

static void switch_goals(struct copies *c, const struct cfz_event *e)
{
    const struct cfz_site *site = e->site;
    uint32_t start = site->ncases ? cfz_rand_below(c->s->rand, site->ncases) : 0;
    unsigned open = 0;

    for (uint32_t k = 0; k < site->ncases && open < COPIES_CASES && !c->s->over; k++) {
        cfz_goal_of_case(e->site, (start + k) % site->ncases, e->nth, &c->goal);
        if (!begin_goal(c))
            continue;
        open++;
        if (copy_number(c, 0, e->a, c->goal.value, at_places))
            copy_number(c, 0, e->a, c->goal.value, everywhere);
    }
}

/* The word instead of the other side's text, of a value, or anywhere. */
static bool place_word(struct copies *c, const uint8_t *have, uint32_t n, const uint8_t *word,
                       uint32_t m)
{
    enum { SIGNIFICANT = 15 }; /* bytes by which the place is found */
    uint32_t size = cfz_image_size(&c->base), key = n < SIGNIFICANT ? n : SIGNIFICANT;
    struct seek seek = seek_from(c, key);
    bool found = false;

    for (unsigned k = 0; n > 0 && k < COPIES_PLACES; k++) {
        uint32_t i, end, p = next_place(c, &seek, have, key);

        if (p == UINT32_MAX)
            break;
        found = true;
        i = cfz_image_value(&c->base, p);
        end = c->base.at[i + 1];
        if (!cfz_image_grows(&c->base, i))
            continue;
        /* The same length: what follows stays where it is. */
        if (cfz_image_splice(&c->cand, i, p, m < end - p ? m : end - p, word, m) &&
            !try_field(c, p))
            return false;
        if (m != n && cfz_image_splice(&c->cand, i, p, n < end - p ? n : end - p, word, m) &&
            !try_field(c, p))
            return false;
    }
    if (found)
        return everywhere(c, have, n, word, m);
    for (uint32_t i = 0; i < c->base.n; i++) {
        uint32_t from = c->base.at[i], len = c->base.at[i + 1] - from;

        if (!cfz_image_grows(&c->base, i))
            continue;
        if (cfz_image_splice(&c->cand, i, from, len, word, m) && !try_cand(c))
            return false;
        if (len > 0 && cfz_image_splice(&c->cand, i, from, 0, word, m) && !try_cand(c))
            return false;
        if (len > 0 && cfz_image_splice(&c->cand, i, from + len, 0, word, m) && !try_cand(c))
            return false;
    }
    for (unsigned k = 0; k < COPIES_PLACES && size > 0; k++) {
        uint32_t at = cfz_rand_below(c->s->rand, size);

        if (cfz_image_splice(&c->cand, cfz_image_value(&c->base, at), at, 0, word, m) &&
            !try_cand(c))
            return false;
    }
    return true;
}

/* The same where the constant of a number is a word (cfz_number_word). */
static bool place_number(struct copies *c, const struct cfz_event *e)
{
    const bool is_a = e->site->flags & CFZ_SITE_CONST_A;
    uint8_t have[8], word[8];
    uint32_t n, m;

    if (!(e->site->flags & (CFZ_SITE_CONST_A | CFZ_SITE_CONST_B)) ||
        !cfz_goal_is_equality(&c->goal))
        return true;
    m = cfz_number_word(e->site, is_a ? e->a : e->b, word);
    n = cfz_number_head(e->site, is_a ? e->b : e->a, have);
    c->recipe.set = CFZ_RECIPE_NONE;
    return m == 0 || place_word(c, have, n, word, m);
}

static void number_goal(struct copies *c, const struct cfz_event *e)
{
    if (begin_goal(c) && place_number(c, e) && copy_sides(c, e, at_places))
        copy_sides(c, e, everywhere);
}

/* Whether memory is a text with its NUL, and that alone: strcmp with a constant is often compiled
 * as memcmp of as many bytes. */
static bool is_terminated(const uint8_t *p, uint32_t n)
{
    return n > 1 && memchr(p, 0, n) == p + n - 1;
}

/* Whether an event compares memory that is such a text; where a side is a constant, that tells. */
static bool is_of_text(const struct cfz_event *e, const uint8_t *a, const uint8_t *b)
{
    const struct cfz_site *s = e->site;

    return s->kind == CFZ_SITE_MEM &&
           ((!(s->flags & CFZ_SITE_CONST_B) && is_terminated(a, e->a_len)) ||
            (!(s->flags & CFZ_SITE_CONST_A) && is_terminated(b, e->b_len)));
}

static void text_goal(struct copies *c, const struct cfz_event *e)
{
    uint8_t a[CFZ_TEXT_MAX], b[CFZ_TEXT_MAX];
    uint32_t na = e->a_len, nb = e->b_len;
    bool finds = cfz_site_is_find(e->site);

    if (e->outcome)
        return; /* that it becomes different, random mutation does */
    memcpy(a, cfz_trace.text + e->a_at, na);
    memcpy(b, cfz_trace.text + e->b_at, nb);
    if (is_of_text(e, a, b)) {
        na = (uint32_t)strnlen((const char *)a, na); /* behind a shorter text is anything */
        nb = (uint32_t)strnlen((const char *)b, nb);
    }
    /* One goal for each word: that another word was met at this site says nothing of it. */
    if (!(e->site->flags & CFZ_SITE_CONST_B) || !(e->site->flags & CFZ_SITE_CONST_A)) {
        c->goal.level = 1;
        c->goal.key = cfz_goal_key1(e->site, cfz_text_hash(b, e->b_len));
    }
    c->recipe = (struct cfz_recipe){.set = CFZ_RECIPE_BYTES};
    if (!(e->site->flags & CFZ_SITE_CONST_A) && begin_goal(c) &&
        !place_word(c, finds ? NULL : a, finds ? 0 : na, b, nb))
        return;
    if (finds || (e->site->flags & CFZ_SITE_CONST_B))
        return;
    c->recipe.side = 1;
    c->goal.key = cfz_goal_key1(e->site, cfz_text_hash(a, e->a_len));
    if (begin_goal(c) && nb > 0)
        place_word(c, b, nb, a, na);
}

/* ---- goals ----------------------------------------------------------------------------- */

/* Whether an operand is one that stands at few places by chance: zeros, small numbers and ones do
 * everywhere. */
static bool tells(uint64_t operand, unsigned width)
{
    uint64_t mask = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;

    operand &= mask;
    return operand > UINT8_MAX && operand < mask - UINT8_MAX;
}

/* Whether one of the operands of an event that may stand in the input tells where. */
static bool is_telling(const struct cfz_event *e)
{
    const struct cfz_site *s = e->site;

    if (cfz_site_is_text(s))
        return true;
    if (s->kind == CFZ_SITE_SWITCH)
        return tells(e->a, s->width);
    return (!(s->flags & CFZ_SITE_CONST_A) && tells(e->a, s->width)) ||
           (!(s->flags & CFZ_SITE_CONST_B) && tells(e->b, s->width));
}

/* Whether a comparison is one of those of its site that are looked at. */
static bool is_looked_at(const struct cfz_event *e, bool prelude)
{
    return cfz_is_early(e, COPIES_NTH) ? !prelude : prelude && e->nth < COPIES_NTH;
}

/* The goals of all events that the program does not ask about, or of all others; of those of
 * preludes, or of what comes behind; of those that tell where their operands stand, or that do not.
 */
static void event_goals(struct copies *c, bool unasked, bool prelude, bool telling)
{
    /* The events are those of the entry, though candidates are executed meanwhile: they are not
     * traced. */
    const struct cfz_trace *t = &cfz_trace;

    for (uint32_t i = 0; i < t->nevents && !c->s->over && c->left > 0; i++) {
        const struct cfz_event *e = &t->events[i];

        if (cfz_site_is_unasked(e->site) != unasked || !is_looked_at(e, prelude) ||
            is_telling(e) != telling || cfz_is_pointer_like(e) || cfz_is_erratic(c->s, e) ||
            (unasked && cfz_holds(e)))
            continue;
        c->event = i;
        if (e->site->kind == CFZ_SITE_SWITCH) {
            switch_goals(c, e);
            continue;
        }
        cfz_flipped(e, &c->goal);
        if (cfz_site_is_text(e->site))
            text_goal(c, e);
        else
            number_goal(c, e);
    }
}

/* Whether an event has an outcome that no input has shown, and counters behind it. */
static bool blocks(const struct copies *c, const struct cfz_event *e, bool much, struct cfz_goal *g)
{
    if (e->site->kind != CFZ_SITE_INT || cfz_site_is_unasked(e->site) || cfz_is_beyond(e) ||
        cfz_is_erratic(c->s, e) || !(e->site->flags & (CFZ_SITE_CONST_A | CFZ_SITE_CONST_B)))
        return false;
    cfz_flipped(e, g);
    return cfz_goal_behind(g) > 0 && (cfz_goal_behind(g) >= BEHIND_MUCH) == much &&
           cfz_goal_open(c->s->goals, c->s->seen, g);
}

/* Has x, which comes before c->aim, turn out otherwise. False: the goal is done. */
static bool turn_before(struct copies *c, const struct cfz_event *x)
{
    const struct cfz_site *site = x->site;
    uint8_t a[CFZ_TEXT_MAX], b[CFZ_TEXT_MAX];

    if (site->kind == CFZ_SITE_SWITCH) {
        for (uint32_t k = 0; k < site->ncases && k < COPIES_CASES; k++) {
            cfz_goal_of_case(x->site, k, x->nth, &c->goal);
            if (((c->goal.value ^ x->a) & cfz_site_mask(site)) != 0 &&
                !copy_number(c, 0, x->a, c->goal.value, at_places))
                return false;
        }
        return true;
    }
    cfz_flipped(x, &c->goal);
    if (!cfz_site_is_text(site))
        return copy_sides(c, x, at_places);
    if (x->outcome || cfz_site_is_find(site))
        return true;
    memcpy(a, cfz_trace.text + x->a_at, x->a_len);
    memcpy(b, cfz_trace.text + x->b_at, x->b_len);
    return ((site->flags & CFZ_SITE_CONST_A) || x->a_len == 0 || x->b_len == 0 ||
            place_word(c, a, x->a_len, b, x->b_len));
}

/*
 * A comparison that blocks is often one of what a function returned, and so are the bytes of the
 * input not its operands but those of what the function compared. Where others called it, too, its
 * comparisons have shown both outcomes, and none of them is a goal: so the last of them are turned
 * for the sake of what blocks.
 */
static void before_goals(struct copies *c, bool much)
{
    enum { BEFORE = 0x6265 }; /* a key's */

    for (uint32_t i = 1; i < cfz_trace.nevents && !c->s->over && c->left > 0; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint64_t left = c->left, most = left < COPIES_BEFORE_ENTRY ? left : COPIES_BEFORE_ENTRY;

        if (!is_looked_at(e, false) || !blocks(c, e, much, &c->aim))
            continue;
        c->note = cfz_goal_note(c->s->goals, cfz_goal_key3(BEFORE, c->aim.key));
        c->left = most;
        for (uint32_t k = 1; c->note && k <= COPIES_BEFORE && k <= i && wanted(c); k++) {
            const struct cfz_event *x = e - k;

            if (x->site == e->site || cfz_site_is_unasked(x->site) || cfz_is_pointer_like(x) ||
                cfz_is_erratic(c->s, x))
                continue;
            c->event = i - k;
            if (!turn_before(c, x))
                break;
        }
        c->left = left - (most - c->left);
    }
}

void cfz_copies(struct cfz_search *s, uint64_t most)
{
    struct copies *c = &copies;

    c->s = s;
    c->left = most;
    if (!cfz_image_read(&c->base, s->cur))
        return;
    cfz_image_copy(&c->cand, &c->base);
    if (!cfz_search_trace_again(s, &c->base) || s->odd)
        return;
    cfz_goals_learn(s->goals);
    cfz_prelude_see();
    if (s->words)
        cfz_words_learn(s->words, &cfz_trace, &c->base);
    cfz_obstacles_saw(s->goals, s->seen);
    cfz_nearest_see(s, &c->base);
    c->looked = false;
    c->left -= most / COPIES_BEFORE_SHARE;
    event_goals(c, false, false, true);
    event_goals(c, false, false, false);
    event_goals(c, true, false, true);
    event_goals(c, true, false, false);
    c->left += most / COPIES_BEFORE_SHARE;
    before_goals(c, true);
    before_goals(c, false);
    if (cfz_preludes > 0)
        for (int telling = 1; telling >= 0; telling--)
            event_goals(c, false, true, telling);
}
