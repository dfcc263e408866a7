/*
 * solver_plant.c - a constant that is read from a place which a field names.
 *
 * An archive's last bytes say how long the directory before them is, a font's first ones where its
 * tables are. While such a field is 0, or small, the program looks for the tag of a directory where
 * another tag stands, which it needs as well: what is written there for the one comparison makes
 * the input leave its path at the other. So the constant is put in where it is in nobody's way, at
 * either end of a value; and then each byte that has to do with the comparison is given that place,
 * counted from where such fields count from, and after that each of its values. Decisions 098 and
 * 126.
 */
#include "solver/solving.h"

#include <string.h>

enum {
    PLANTED_MOST = 16,    /* bytes of a constant */
    SWEEP_POSITIONS = 12, /* bytes that get all values; guessed */
    POINT_POSITIONS = 32, /* bytes that get where it stands; guessed */
    COST_PLANTED = 20000, /* of places, and of all values; guessed */
};

/* Stores the constant that the task wants, in memory's order. 0 if there is none of 2 bytes or
 * more. */
static uint32_t wanted(const struct cfz_task *t, uint8_t bytes[PLANTED_MOST])
{
    const struct cfz_site *site = t->g.site;
    bool b = site->kind == CFZ_SITE_SWITCH || (site->flags & CFZ_SITE_CONST_B);
    uint32_t n;

    if (!b && !(site->flags & CFZ_SITE_CONST_A))
        return 0;
    if (cfz_site_is_text(site)) {
        n = b ? t->len_b : t->len_a;
        n = n < PLANTED_MOST ? n : PLANTED_MOST;
        memcpy(bytes, b ? t->text_b : t->text_a, n);
        return n < 2 ? 0 : n;
    }
    n = site->width / 8;
    if ((site->kind != CFZ_SITE_INT && site->kind != CFZ_SITE_SWITCH) || n < 2 || n > 8 ||
        (b ? t->b : t->a) <= UINT8_MAX)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)((b ? t->b : t->a) >> 8 * i);
    return n;
}

/* Writes into each byte that influences the comparison where the constant stands, n bytes at q:
 * from the beginning of its value, from the end, and from that byte; and the same for what follows
 * it. */
static enum cfz_trial point(struct cfz_solver *v, uint32_t q, uint32_t n)
{
    static struct cfz_image im;
    const struct cfz_task *t = v->task;
    const uint32_t i = cfz_image_value(&v->base->im, q);

    cfz_image_copy(&im, &v->base->im);
    for (uint32_t f = 0; f < t->nat && f < POINT_POSITIONS; f++) {
        const uint32_t p = t->at[f].p;
        const uint32_t names[] = {q - im.at[i], im.at[i + 1] - q, q - p, im.at[i + 1] - q - n};
        uint8_t old = im.bytes[p];

        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            enum cfz_trial r;

            if ((uint8_t)names[k] == old)
                continue;
            im.bytes[p] = (uint8_t)names[k];
            r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
        }
        im.bytes[p] = old;
    }
    return CFZ_TRIAL_REACHED;
}

/* Gives each byte that influences the comparison all its values. */
static enum cfz_trial sweep(struct cfz_solver *v)
{
    static struct cfz_image im;
    const struct cfz_task *t = v->task;

    cfz_image_copy(&im, &v->base->im);
    for (uint32_t f = 0; f < t->nat && f < SWEEP_POSITIONS; f++) {
        enum cfz_trial r = cfz_trial_values(v, &im, t->at[f].p, 0, UINT8_MAX);

        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

/* Where a constant is put in. */
enum place {
    AT_END,
    BEHIND_ONE, /* at the beginning, behind one byte more: a place of 0 often means that there is
                   none, so that what is met at it goes no further */
    AT_BEGINNING,
    PLACES,
};

/* Puts the constant into value i of start. */
static enum cfz_trial plant(struct cfz_solver *v, const struct cfz_image *start, uint32_t i,
                            enum place place, const uint8_t *bytes, uint32_t n, bool sweeps)
{
    static struct cfz_image planted;
    uint32_t q = start->at[i + (place == AT_END)];
    const uint8_t filler = 0;
    enum cfz_trial r;

    cfz_image_copy(&planted, start);
    if (place == BEHIND_ONE && !cfz_image_splice(&planted, i, q++, 0, &filler, 1))
        return CFZ_TRIAL_LOST;
    if (!cfz_image_splice(&planted, i, q, 0, bytes, n))
        return CFZ_TRIAL_LOST;
    r = cfz_reprobe(v, &planted);
    if (r == CFZ_TRIAL_REACHED)
        r = sweeps ? sweep(v) : point(v, q, n);
    return r;
}

/* Puts the constant, of n bytes, everywhere, in both orders. sweeps: and tries all values then, not
 * only where it stands; of what is at the beginning, where a place of 0 is one, they say most. */
static enum cfz_trial plant_everywhere(struct cfz_solver *v, const struct cfz_image *start,
                                       const uint8_t *bytes, uint32_t n, bool sweeps)
{
    uint8_t turned[PLANTED_MOST];
    const int orders = cfz_site_is_text(v->task->g.site) ? 1 : 2;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    for (uint32_t i = 0; i < n; i++)
        turned[i] = bytes[n - 1 - i];
    for (uint32_t i = 0; n > 0 && i < start->n; i++)
        for (int k = 0; k < PLACES && cfz_image_grows(start, i); k++)
            for (int big = 0; big < orders; big++) {
                r = plant(v, start, i, (enum place)(sweeps ? PLACES - 1 - k : k),
                          big ? turned : bytes, n, sweeps);
                if (cfz_trial_ends(r))
                    return r;
            }
    return r;
}

enum cfz_trial cfz_solve_planted(struct cfz_solver *v, const struct cfz_image *start)
{
    uint8_t bytes[PLANTED_MOST];
    uint32_t n = wanted(v->task, bytes);
    enum cfz_trial r;

    v->recipe.set = CFZ_RECIPE_NONE;
    v->step = "planted";
    v->limit = v->s->cost + COST_PLANTED;
    r = plant_everywhere(v, start, bytes, n, false);
    if (r == CFZ_TRIAL_MET || v->s->over)
        return r;
    v->limit = v->s->cost + COST_PLANTED; /* the places may have taken all of it */
    return plant_everywhere(v, start, bytes, n, true);
}
