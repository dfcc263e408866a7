/*
 * path.c - the path of a base, and what brings an input back to it that was changed.
 *
 *     changed input --leaves the path at a field--> that field anew --the next one--> ...
 *
 * Where the site of a comparison has a recipe (recipes.c), that is applied. Where it has none, or
 * it does not fit, the last comparison that was equal in the base and is not, and behind which the
 * program gave up, is mended by trial: one execution for each place where its field may be
 * (fields.c). So is one of which the recipe mends a sum by any summand, if that breaks the next
 * comparison. What mended it is known for the rest of the work on this base, and is the recipe of
 * the site from then on. docs/decisions/140 has what that brings, and what it costs where nothing
 * is found.
 */
#include "solver/solving.h"

enum {
    FIELDS = 3,        /* written anew in an input that left the path there */
    UNEQUAL_BACK = 16, /* comparisons from the end of a trace among which the broken one is */
    UNEQUAL_NTH = 4,   /* of a comparison with a constant: checksums have loops over bits */
    PARTS_AHEAD = 2,   /* comparisons behind it that tell whether the program gave up */
    ADDED_AGAIN = 3,   /* times that something is added to one field */
    VAIN = 4,          /* searches of a site that found none, after which there is none */
    VAIN_SHARE = 16,   /* 1 of so much work of the search may be for searches in vain, */
    VAIN_GRANT = 2000, /* ... besides so much of it */
};

static struct cfz_image mended, broken_im; /* mended is made of broken_im */
static struct cfz_compared broken, last;   /* in broken_im, whichever place was tried since */
static struct cfz_compared outer;          /* in mended */

/* ---- the path ------------------------------------------------------------------------- */

uint64_t cfz_chosen(const struct cfz_event *e)
{
    if (e->site->kind == CFZ_SITE_SWITCH)
        return (uint64_t)(int64_t)cfz_case(e->site, e->a);
    return cfz_holds(e);
}

void cfz_base_take(struct cfz_base *b, const struct cfz_image *im)
{
    cfz_image_copy(&b->im, im);
    b->nfields = 0;
    b->nsteps = cfz_trace.nevents < CFZ_PATH_MAX ? cfz_trace.nevents : CFZ_PATH_MAX;
    for (uint32_t i = 0; i < b->nsteps; i++) {
        b->path[i].site = cfz_trace.events[i].site;
        b->path[i].value = cfz_chosen(&cfz_trace.events[i]);
    }
}

const struct cfz_event *cfz_base_left(const struct cfz_base *b)
{
    for (uint32_t i = 0; i < b->nsteps && i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site != b->path[i].site)
            return NULL;
        if (cfz_chosen(e) != b->path[i].value)
            return e;
    }
    return NULL;
}

uint32_t cfz_base_kept(const struct cfz_base *b)
{
    static uint32_t marks[CFZ_SITE_NOTES_MAX], mark; /* equal: of the base, and not yet counted */
    uint32_t kept = 0;

    mark++;
    for (uint32_t i = 0; i < b->nsteps; i++)
        if (b->path[i].site->id < CFZ_SITE_NOTES_MAX)
            marks[b->path[i].site->id] = mark;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const uint32_t id = cfz_trace.events[i].site->id;

        if (id >= CFZ_SITE_NOTES_MAX || marks[id] != mark)
            continue;
        marks[id] = 0;
        kept++;
    }
    return kept;
}

static struct cfz_cursor *cursor_of(struct cfz_cursors *cursors, const struct cfz_site *site)
{
    const uint32_t all = sizeof cursors->of / sizeof cursors->of[0];
    struct cfz_cursor *c;

    for (uint32_t k = 0; k < all; k++)
        if (cursors->of[k].site == site)
            return &cursors->of[k];
    c = &cursors->of[cursors->n++ % all];
    *c = (struct cfz_cursor){.site = site};
    return c;
}

bool cfz_base_chose(const struct cfz_base *b, struct cfz_cursors *cursors,
                    const struct cfz_site *site, uint32_t nth, uint64_t *value)
{
    struct cfz_cursor *c = cursor_of(cursors, site);

    if (c->nth > nth)
        *c = (struct cfz_cursor){.site = site};
    while (c->i < b->nsteps && c->nth <= nth) {
        c->nth += b->path[c->i].site == site;
        *value = b->path[c->i++].value;
    }
    return c->nth > nth;
}

/* ---- where it was left ------------------------------------------------------------------ */

static bool has_recipe(const struct cfz_search *s, const struct cfz_event *e)
{
    const struct cfz_recipe *r = cfz_site_recipe(s->goals, e->site);

    return r && r->set;
}

/* Whether the last trace is another one than the base's, as far as both are known. */
static bool is_left(const struct cfz_base *b)
{
    const uint32_t n = cfz_trace.nevents < CFZ_PATH_MAX ? cfz_trace.nevents : CFZ_PATH_MAX;

    if (n != b->nsteps)
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (cfz_trace.events[i].site != b->path[i].site ||
            cfz_chosen(&cfz_trace.events[i]) != b->path[i].value)
            return true;
    return false;
}

/*
 * The first comparison of the last trace that went another way than in the base, and whose site has
 * a recipe; or NULL. What differs before it is not looked at: a loop over a checksum's bits
 * compares other bits, too.
 */
static const struct cfz_event *first_field(const struct cfz_search *s, const struct cfz_base *b)
{
    struct cfz_cursors cursors = {0};

    if (atomic_load_explicit(&s->goals->nrecipes, memory_order_relaxed) == 0)
        return NULL;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint64_t value;

        if (has_recipe(s, e) && cfz_base_chose(b, &cursors, e->site, e->nth, &value) &&
            value != cfz_chosen(e))
            return e;
    }
    return NULL;
}

/* Whether an event is one of memory or whole numbers that are to be equal. */
static bool is_equality(const struct cfz_event *e)
{
    const struct cfz_site *site = e->site;

    return (cfz_site_is_text(site) && !cfz_site_is_find(site)) ||
           (site->kind == CFZ_SITE_INT && site->width >= 8 && cfz_site_asks_equality(site) &&
            (e->nth < UNEQUAL_NTH || !cfz_has_constant(site)));
}

/* Whether the last trace goes on elsewhere behind event i than the base from step j. */
static bool parts(const struct cfz_base *b, uint32_t i, uint32_t j)
{
    for (uint32_t k = 0; k < PARTS_AHEAD; k++) {
        bool is_end = i + 1 + k >= cfz_trace.nevents, was_end = j + k >= b->nsteps;

        if (is_end || was_end)
            return is_end != was_end;
        if (cfz_trace.events[i + 1 + k].site != b->path[j + k].site)
            return true;
    }
    return false;
}

/* The last comparison of the last trace that was equal in the base and is not, if it is near the
 * end, and the program went on elsewhere; or NULL. It gave up there, most likely. */
static const struct cfz_event *last_unequal(const struct cfz_search *s, const struct cfz_base *b)
{
    struct cfz_cursors cursors = {0};
    const uint32_t end = cfz_trace.nevents;

    for (uint32_t i = end; i-- > 0 && end - i <= UNEQUAL_BACK;) {
        const struct cfz_event *e = &cfz_trace.events[i];
        uint64_t value;

        if (is_equality(e) && !cfz_is_equal(e) && cfz_site_note(s->goals, e->site) &&
            cfz_base_chose(b, &cursors, e->site, e->nth, &value) && value != cfz_chosen(e))
            return parts(b, i, cursor_of(&cursors, e->site)->i) && !cfz_is_erratic(s, e) ? e : NULL;
    }
    return NULL;
}

/* ---- fields ------------------------------------------------------------------------------- */

/* How far two numbers are from being equal. */
static uint64_t missing(const struct cfz_event *e)
{
    const uint64_t mask = cfz_site_mask(e->site);
    const uint64_t less = (e->a - e->b) & mask, more = (e->b - e->a) & mask;

    return less < more ? less : more;
}

static const struct cfz_event *seen_again(void)
{
    return cfz_trace_find(broken.e.site, broken.e.nth);
}

/* The field of a comparison, as it is known for the base or the site; NONE: it is not. */
static struct cfz_recipe field_of(const struct cfz_search *s, const struct cfz_base *b,
                                  const struct cfz_event *e)
{
    const struct cfz_recipe *r = cfz_site_recipe(s->goals, e->site);

    for (uint32_t k = b->nfields; k-- > 0;)
        if (b->fields[k].site == e->site && b->fields[k].nth == e->nth &&
            b->fields[k].recipe.set != CFZ_RECIPE_NONE)
            return b->fields[k].recipe;
    return r ? *r : (struct cfz_recipe){.set = CFZ_RECIPE_NONE};
}

/* A part of another length made a length wrong that encloses it, and is compared before: that is
 * written anew, too. Returns whether the broken comparison is equal then, in mended. */
static bool mend_enclosing(struct cfz_solver *v, const struct cfz_base *b, cfz_run_fn *run,
                           enum cfz_trial *r)
{
    static struct cfz_image enclosing;
    const struct cfz_event *e = last_unequal(v->s, b);
    struct cfz_recipe field;

    if (!e || cfz_is_same(&broken.e, e))
        return false;
    field = field_of(v->s, b, e);
    if (field.set == CFZ_RECIPE_NONE || field.set == CFZ_RECIPE_UNITS)
        return false;
    cfz_compared_take(&outer, e);
    for (int way = 0; way < 2 && *r == CFZ_TRIAL_LOST; way++) {
        cfz_image_copy(&enclosing, &mended);
        if (!cfz_recipe_write(&field, &outer, &enclosing, way))
            continue;
        *r = run(v, &enclosing);
        e = *r == CFZ_TRIAL_OVER ? NULL : seen_again();
        if (e && cfz_is_equal(e)) {
            cfz_image_copy(&mended, &enclosing);
            return true;
        }
    }
    return false;
}

/*
 * Writes a field of the broken comparison into mended, anew. Where something is added, once more if
 * that was nearly right: a sum may have had a carry. *r gets what the last execution was. Returns
 * whether the comparison is equal now.
 */
static bool try_field(struct cfz_solver *v, const struct cfz_base *b, struct cfz_recipe field,
                      int way, cfz_run_fn *run, enum cfz_trial *r)
{
    static struct cfz_compared now;

    now = broken;
    cfz_image_copy(&mended, &broken_im);
    for (int k = 0; k < ADDED_AGAIN; k++) {
        const uint64_t was = missing(&now.e);
        const struct cfz_event *e;

        if (!cfz_recipe_write(&field, &now, &mended, way))
            return false;
        *r = run(v, &mended);
        e = *r == CFZ_TRIAL_OVER ? NULL : seen_again();
        if (!e && *r == CFZ_TRIAL_LOST && field.set == CFZ_RECIPE_UNITS)
            return mend_enclosing(v, b, run, r);
        if (!e || cfz_is_equal(e))
            return e != NULL;
        if (field.set != CFZ_RECIPE_SUM || *r != CFZ_TRIAL_LOST || missing(e) >= was / 2)
            return false;
        now.e = *e;
    }
    return false;
}

/* Tries the fields that mended the broken comparison in this base before. *none gets whether it is
 * known that nothing does. */
static bool try_known(struct cfz_solver *v, const struct cfz_base *b, cfz_run_fn *run,
                      enum cfz_trial *r, bool *none)
{
    *none = false;
    for (uint32_t k = 0; k < b->nfields; k++) {
        const struct cfz_base_field *f = &b->fields[k];

        if (f->site != broken.e.site || f->nth != broken.e.nth)
            continue;
        *none = f->recipe.set == CFZ_RECIPE_NONE;
        for (int way = 0; way < 2 && !*none && *r == CFZ_TRIAL_LOST; way++)
            if (!cfz_field_is_changed(&f->recipe, &broken_im, &b->im) &&
                try_field(v, b, f->recipe, way, run, r))
                return true;
    }
    return false;
}

static bool may_pay(const struct cfz_search *s, const struct cfz_base *b)
{
    return b->nfields < CFZ_FIELDS && s->vain_cost <= VAIN_GRANT + s->cost / VAIN_SHARE;
}

/* Whether a search for a field of the broken comparison may begin. */
static bool may_search(const struct cfz_search *s, const struct cfz_base *b)
{
    const struct cfz_site_note *note = cfz_site_note(s->goals, broken.e.site);

    return may_pay(s, b) && atomic_load_explicit(&note->vain, memory_order_relaxed) < VAIN;
}

/* Whether one may begin in place of a recipe that mends it: once in a base. */
static bool may_replace(const struct cfz_search *s, const struct cfz_base *b)
{
    for (uint32_t k = 0; k < b->nfields; k++)
        if (b->fields[k].site == broken.e.site && b->fields[k].nth == broken.e.nth)
            return false;
    return may_pay(s, b);
}

/* Whether a field that mended the broken comparison is to be the recipe of its site. Any summand
 * mends a sum: which one is the checksum is better seen where an input is right. */
static bool is_kept(const struct cfz_recipe *field)
{
    const struct cfz_site *site = broken.e.site;

    if (field->set > CFZ_RECIPE_LAST || (cfz_site_is_text(site) && site->kind != CFZ_SITE_MEM))
        return false;
    return !cfz_has_constant(site) ||
           !cfz_recipe_is_watched(site, cfz_is_program(site, 0) ? broken.e.a : broken.e.b);
}

/* Tries all places where a field of the broken comparison may be. */
static bool search_field(struct cfz_solver *v, struct cfz_base *b, cfz_run_fn *run,
                         enum cfz_trial *r)
{
    static struct cfz_recipe places[CFZ_FIELD_TRIES];
    struct cfz_site_note *note = cfz_site_note(v->s->goals, broken.e.site);
    struct cfz_base_field f = {.site = broken.e.site, .nth = broken.e.nth};
    const uint64_t before = v->s->cost;
    const uint8_t vain = atomic_load_explicit(&note->vain, memory_order_relaxed);
    const uint32_t n = cfz_field_candidates(&broken, &broken_im, &b->im, places);

    for (uint32_t k = 0; k < n && *r == CFZ_TRIAL_LOST; k++) {
        if (!try_field(v, b, places[k], 0, run, r))
            continue;
        f.recipe = places[k];
        b->fields[b->nfields++] = f;
        if (is_kept(&f.recipe))
            cfz_goals_keep_recipe(v->s->goals, f.site, &f.recipe);
        atomic_store_explicit(&note->vain, 0, memory_order_relaxed);
        return true;
    }
    if (*r != CFZ_TRIAL_LOST || v->s->cost == before)
        return false;
    v->s->vain_cost += v->s->cost - before;
    b->fields[b->nfields++] = f;
    atomic_store_explicit(&note->vain, (uint8_t)(vain + 1), memory_order_relaxed);
    return false;
}

/* Mends the broken comparison by the recipe of its site. */
static bool apply_recipe(struct cfz_solver *v, const struct cfz_base *b, cfz_run_fn *run,
                         enum cfz_trial *r)
{
    const struct cfz_recipe *of = cfz_site_recipe(v->s->goals, broken.e.site);
    const struct cfz_recipe kept = of ? *of : (struct cfz_recipe){0}; /* others write there */
    bool is_mended = false;

    if (kept.set == CFZ_RECIPE_NONE)
        return false;
    for (int way = 0; way < 2 && !is_mended && *r == CFZ_TRIAL_LOST; way++)
        is_mended = try_field(v, b, kept, way, run, r);
    return is_mended;
}

/* Mends the broken comparison by what is known of it, or by what a search finds. */
static bool mend_last(struct cfz_solver *v, struct cfz_base *b, cfz_run_fn *run, enum cfz_trial *r,
                      bool has_tried)
{
    bool none;

    if (!has_tried && apply_recipe(v, b, run, r))
        return true;
    return *r == CFZ_TRIAL_LOST &&
           (try_known(v, b, run, r, &none) ||
            (*r == CFZ_TRIAL_LOST && !none && may_search(v->s, b) && search_field(v, b, run, r)));
}

static bool is_summand(const struct cfz_recipe *r)
{
    return r && (r->set == CFZ_RECIPE_XOR || r->set == CFZ_RECIPE_SUM);
}

enum cfz_trial cfz_bring_back(struct cfz_solver *v, struct cfz_base *b, const struct cfz_image *im,
                              cfz_run_fn *run)
{
    static struct cfz_compared summed;
    enum cfz_trial r = CFZ_TRIAL_LOST;
    const char *step = v->step;
    bool is_summed = false; /* the first one was mended by a summand: any is as good, for that */

    if (!is_left(b)) /* most probes leave it as it is */
        return r;
    for (int k = 0; k < FIELDS; k++) {
        const struct cfz_event *first = first_field(v->s, b), *e = last_unequal(v->s, b);
        bool is_mended = false, has_last = e != NULL, is_first = e == first;

        if (!e && !first)
            return r;
        cfz_image_copy(&broken_im, k == 0 ? im : &mended);
        v->step = "recipe";
        if (e)
            cfz_compared_take(&last, e);
        if (first) {
            cfz_compared_take(&broken, first);
            is_mended = apply_recipe(v, b, run, &r);
            if (k == 0 && is_mended && is_summand(cfz_site_recipe(v->s->goals, broken.e.site))) {
                summed = broken;
                is_summed = true;
            }
        }
        if (has_last && !is_mended && r == CFZ_TRIAL_LOST) {
            broken = last;
            is_mended = mend_last(v, b, run, &r, is_first);
        }
        if (!is_mended && is_summed && r == CFZ_TRIAL_LOST) { /* what else was written there? */
            is_summed = false;
            broken = summed;
            cfz_image_copy(&broken_im, im);
            is_mended = may_replace(v->s, b) && search_field(v, b, run, &r);
        }
        if (r != CFZ_TRIAL_LOST)
            return r;
        v->step = step;
        if (!is_mended)
            return r;
    }
    return r;
}
