/*
 * frontier.c - see frontier.h.
 *
 * The idea is that of directed fuzzers and of FairFuzz (Lemieux and Sen, ASE 2018), which mutates
 * inputs that reach rare branches; here it is branches of which one side was never seen. That the
 * cheapest input of each edge is favoured is AFL's (M. Zalewski, "top_rated").
 */
#define _GNU_SOURCE
#include "search/frontier.h"

#include "core/map.h"
#include "self/shared.h"
#include "coverage/trace.h"

enum {
    MISSING_MAX = 1 << 15, /* outcomes that are looked at */
    RENEW = 32,            /* turns, at most, after which they are computed anew */
    RENEW_SITES = 256,     /* one turn for so many sites that inputs reached; guessed */
    SAMPLE = 4,            /* of which the one with the fewest turns is taken */
    TRIES = 16,            /* to draw an outcome that inputs showed */
    SITES_MOST = 1 << 18,
};

struct cfz_missing {
    uint32_t site;
    uint32_t counter; /* one that is covered where the comparison is reached */
};

/* The target can write over it: numbers that are read here are checked. */
struct cfz_active {
    _Atomic uint32_t n, site[SITES_MOST];
    _Atomic bool listed[SITES_MOST];
};

/* ---- which sites have a counter ----------------------------------------------------- */

static uint32_t count_outcomes(const struct cfz_site *s)
{
    return s->kind == CFZ_SITE_SWITCH ? 1 + s->ncases : 2;
}

/* The index of the counter behind outcome k of s; SIZE_MAX if there is none. */
static size_t outcome(const struct cfz_site *s, uint32_t k)
{
    const uint8_t *counter;

    counter = k > 0 && s->kind == CFZ_SITE_SWITCH ? cfz_site_counter_at(&s->cases[k - 1].counter)
                                                  : cfz_site_counter(s, k > 0);
    return counter ? cfz_counters_index(counter) : SIZE_MAX;
}

static void *map(size_t size, struct cfz_error *err)
{
    void *p = cfz_map_private(size);

    if (!p)
        cfz_fail_errno(err, "map memory for the frontier");
    return p;
}

/* Sorts the sites by their counters: counts, adds up, and puts each in its place. */
static int sort_sites(struct cfz_frontier *f, struct cfz_error *err)
{
    uint32_t n = cfz_trace_sites(), total = 0, *end;

    f->nsites = n < SITES_MOST ? n : SITES_MOST;
    f->first = map((f->ncounters + 2) * sizeof *f->first, err);
    if (!f->first)
        return -1;
    end = f->first + 1; /* end[c] becomes the end of c's sites */
    for (uint32_t i = 0; i < f->nsites; i++) {
        const struct cfz_site *s = cfz_trace_site(i);

        for (uint32_t k = 0; k < count_outcomes(s); k++) {
            size_t c = outcome(s, k);

            if (c < f->ncounters) {
                end[c + 1]++;
                total++;
            }
        }
    }
    for (size_t c = 0; c < f->ncounters; c++)
        end[c + 1] += end[c];
    f->site = map((total + 1) * sizeof *f->site, err);
    if (!f->site)
        return -1;
    for (uint32_t i = 0; i < f->nsites; i++) {
        const struct cfz_site *s = cfz_trace_site(i);

        for (uint32_t k = 0; k < count_outcomes(s); k++) {
            size_t c = outcome(s, k);

            if (c < f->ncounters)
                f->site[end[c]++] = i;
        }
    }
    return 0;
}

int cfz_frontier_map(struct cfz_frontier *f, size_t ncounters, struct cfz_error *err)
{
    f->ncounters = ncounters;
    if (ncounters == 0 || cfz_trace_sites() == 0)
        return 0;
    f->turns = cfz_shared_map(SITES_MOST * sizeof *f->turns, "the frontier", err);
    f->reached =
        f->turns ? cfz_shared_map(ncounters * sizeof *f->reached, "the frontier", err) : NULL;
    f->active = f->reached ? cfz_shared_map(sizeof *f->active, "the frontier", err) : NULL;
    f->missing = f->active ? map(MISSING_MAX * sizeof *f->missing, err) : NULL;
    return f->missing ? sort_sites(f, err) : -1;
}

int cfz_frontier_renew(struct cfz_frontier *f, struct cfz_error *err)
{
    if (!f->reached)
        return 0;
    if (cfz_shared_renew(f->turns, SITES_MOST * sizeof *f->turns, err) < 0 ||
        cfz_shared_renew(f->active, sizeof *f->active, err) < 0)
        return -1;
    return cfz_shared_renew(f->reached, f->ncounters * sizeof *f->reached, err);
}

/* Lists the sites that have a counter. */
static void activate(struct cfz_frontier *f, uint32_t counter)
{
    for (uint32_t i = f->first[counter]; i < f->first[counter + 1]; i++) {
        uint32_t site = f->site[i], at;

        if (atomic_exchange_explicit(&f->active->listed[site], true, memory_order_relaxed))
            continue;
        at = atomic_fetch_add_explicit(&f->active->n, 1, memory_order_relaxed);
        if (at < SITES_MOST)
            atomic_store_explicit(&f->active->site[at], 1 + site, memory_order_relaxed);
    }
}

void cfz_frontier_learn(struct cfz_frontier *f, const struct cfz_seen *seen, struct cfz_rand *rand,
                        uint64_t entry, uint64_t cost)
{
    uint32_t c = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;

    for (size_t i = 0; f->reached && i < seen->nbits; i++) {
        struct cfz_reached *r;
        uint32_t n, old;

        if (seen->bits[i].index >= f->ncounters)
            continue;
        r = &f->reached[seen->bits[i].index];
        n = atomic_fetch_add_explicit(&r->n, 1, memory_order_relaxed);
        if (n == 0)
            activate(f, seen->bits[i].index);
        old = (uint32_t)entry + 1;
        if (n == 0 || c < atomic_load_explicit(&r->cheapest, memory_order_relaxed)) {
            atomic_store_explicit(&r->cheapest, c, memory_order_relaxed);
            old = atomic_exchange_explicit(&r->entries[0], old, memory_order_relaxed);
        }
        /* The others are a reservoir (J. Vitter, 1985): each entry is in it with equal chance. */
        if (old == 0)
            continue;
        if (n < CFZ_REACHING)
            atomic_store_explicit(&r->entries[n == 0 ? 1 : n], old, memory_order_relaxed);
        else {
            uint32_t k = cfz_rand_below(rand, n);

            if (k < CFZ_REACHING - 1)
                atomic_store_explicit(&r->entries[1 + k], old, memory_order_relaxed);
        }
    }
}

/* ---- what is missing -------------------------------------------------------------- */

static void consider(struct cfz_frontier *f, const struct cfz_seen *seen, uint32_t site,
                     const uint8_t *missing, const uint8_t *shown)
{
    size_t at;

    if (!missing || !shown || f->nmissing == MISSING_MAX || cfz_seen_has_counter(seen, missing) ||
        !cfz_seen_has_counter(seen, shown))
        return;
    at = cfz_counters_index(shown);
    if (at < f->ncounters && atomic_load_explicit(&f->reached[at].n, memory_order_relaxed) > 0)
        f->missing[f->nmissing++] = (struct cfz_missing){site, (uint32_t)at};
}

static void consider_switch(struct cfz_frontier *f, const struct cfz_seen *seen,
                            const struct cfz_site *s)
{
    const uint8_t *shown = cfz_site_counter(s, false);

    for (uint32_t i = 0; i < s->ncases && (!shown || !cfz_seen_has_counter(seen, shown)); i++)
        shown = cfz_site_counter_at(&s->cases[i].counter);
    for (uint32_t i = 0; i < s->ncases; i++) {
        uint32_t before = f->nmissing;

        consider(f, seen, s->id, cfz_site_counter_at(&s->cases[i].counter), shown);
        if (f->nmissing > before)
            return; /* a switch is one goal, however many cases are missing */
    }
}

static void consider_site(struct cfz_frontier *f, const struct cfz_seen *seen, uint32_t id)
{
    const struct cfz_site *s = cfz_trace_site(id);
    const uint8_t *yes, *no;

    if (!s)
        return;
    if (s->kind == CFZ_SITE_SWITCH) {
        consider_switch(f, seen, s);
        return;
    }
    yes = cfz_site_counter(s, true);
    no = cfz_site_counter(s, false);
    consider(f, seen, id, yes, no);
    consider(f, seen, id, no, yes);
}

/* A big program has many more sites than inputs reach: only those are looked at. Of few it is done
 * at each turn, which costs no more than some executions. */
static void renew(struct cfz_frontier *f, const struct cfz_seen *seen)
{
    uint32_t n = atomic_load_explicit(&f->active->n, memory_order_relaxed), all = cfz_trace_sites();

    f->nmissing = 0;
    f->turns_left = n / RENEW_SITES < RENEW ? n / RENEW_SITES : RENEW - 1;
    for (uint32_t i = 0; i < n && i < SITES_MOST; i++) {
        uint32_t id = atomic_load_explicit(&f->active->site[i], memory_order_relaxed);

        if (id > 0 && id <= f->nsites) /* 0: another worker is about to write it */
            consider_site(f, seen, id - 1);
    }
    for (uint32_t i = f->nsites; i < all && i < SITES_MOST; i++)
        consider_site(f, seen, i); /* of modules that came later */
}

bool cfz_frontier_next(struct cfz_frontier *f, const struct cfz_seen *seen, struct cfz_rand *rand,
                       uint64_t *entry)
{
    const struct cfz_missing *m = NULL;
    uint32_t least = UINT32_MAX, k, at;

    if (!f->reached)
        return false;
    if (f->turns_left > 0)
        f->turns_left--;
    else
        renew(f, seen);
    if (f->nmissing == 0)
        return false;
    for (k = 0; k < SAMPLE; k++) {
        const struct cfz_missing *one = &f->missing[cfz_rand_below(rand, f->nmissing)];
        uint32_t turns = atomic_load_explicit(&f->turns[one->site], memory_order_relaxed);

        if (!m || turns < least) {
            m = one;
            least = turns;
        }
    }
    atomic_fetch_add_explicit(&f->turns[m->site], 1, memory_order_relaxed);
    k = cfz_rand_below(rand, 2) ? 0 : cfz_rand_below(rand, CFZ_REACHING);
    at = atomic_load_explicit(&f->reached[m->counter].entries[k], memory_order_relaxed);
    if (at == 0)
        at = atomic_load_explicit(&f->reached[m->counter].entries[0], memory_order_relaxed);
    if (at == 0)
        return false;
    *entry = at - 1;
    return true;
}

bool cfz_frontier_favoured(struct cfz_frontier *f, struct cfz_rand *rand, uint64_t *entry)
{
    uint32_t n = f->reached ? atomic_load_explicit(&f->active->n, memory_order_relaxed) : 0;

    n = n < SITES_MOST ? n : SITES_MOST;
    for (int tries = 0; n > 0 && tries < TRIES; tries++) {
        uint32_t id =
            atomic_load_explicit(&f->active->site[cfz_rand_below(rand, n)], memory_order_relaxed);
        const struct cfz_site *s =
            id > 0 && id <= f->nsites ? cfz_trace_site(id - 1) : NULL; /* 0: as in renew */
        size_t c = s ? outcome(s, cfz_rand_below(rand, count_outcomes(s))) : SIZE_MAX;
        uint32_t at = c < f->ncounters
                          ? atomic_load_explicit(&f->reached[c].entries[0], memory_order_relaxed)
                          : 0;

        if (at > 0) {
            *entry = at - 1;
            return true;
        }
    }
    return false;
}
