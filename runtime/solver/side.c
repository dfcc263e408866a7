/*
 * side.c - inputs on the side: the solver goes on from them, without new coverage.
 */
#define _GNU_SOURCE
#include "core/map.h"
#include "solver/solver.h"
#include "solver/solving.h"

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
static struct cfz_image current;

bool cfz_side_map(void)
{
    for (int i = 0; i < 2; i++)
        rings[i].sides = cfz_map_private(rings[i].size * sizeof *rings[i].sides);
    return rings[0].sides && rings[1].sides;
}

void cfz_side_from(const struct cfz_image *im, unsigned generation)
{
    current_generation = generation;
    cfz_image_copy(&current, im);
}

struct cfz_image *cfz_side_add(bool progress, const struct cfz_image *im)
{
    struct ring *r = &rings[progress];
    struct side *at = &r->sides[r->in % r->size];

    cfz_image_copy(&at->im, im);
    at->generation =
        (current_generation ? current_generation : 1) + (cfz_image_size(im) > cfz_image_size(&current));
    r->in++;
    if (r->in - r->out > r->size)
        r->out = r->in - r->size; /* the oldest makes room */
    return &at->im;
}

void cfz_solver_add(const struct cfz_image *im, bool outcome)
{
    if (!rings[0].sides)
        return;
    cfz_side_from(im, 0);
    cfz_side_add(!outcome, im);
}

const struct cfz_image *cfz_solver_any(struct cfz_rand *r)
{
    uint64_t n = rings[0].in < rings[0].size ? rings[0].in : rings[0].size;

    return n ? &rings[0].sides[cfz_rand_below(r, (uint32_t)n)].im : NULL;
}

void cfz_side_again(void)
{
    cfz_side_add(true, &current);
}

bool cfz_solver_side_waits(void)
{
    return rings[0].out < rings[0].in || rings[1].out < rings[1].in;
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
