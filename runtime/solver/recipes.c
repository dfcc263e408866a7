/*
 * recipes.c - which field of the input a comparison of two numbers that came out equal depends on,
 * and how: what is wanted there in another input is written there again.
 *
 * The solver learns one recipe per site (struct cfz_recipe in goal.h) when it solves an equality
 * that no constant tells. It applies them where a trial leaves its path at such a site; random
 * mutation does where it broke what the program reckons from the rest of the input: a checksum, a
 * length, a second copy (mend.h).
 */
#include "solver/solving.h"

static uint64_t low_bytes(uint64_t v, uint32_t n)
{
    return n < sizeof v ? v & ((UINT64_C(1) << 8 * n) - 1) : v;
}

/*
 * The place of a field of which a copy is compared, in [from, end): where the recipe says, counted
 * from the beginning or from the end, or else anywhere, if the bytes show the operand that comes
 * from the field. Of such places number way is taken. False if there are not so many.
 */
static bool field_place(const struct cfz_image *im, const struct cfz_recipe *r, uint64_t shown,
                        uint32_t from, uint32_t end, int way, uint32_t *p)
{
    const uint32_t size = end - from;
    const uint32_t said[] = {r->at <= size ? from + r->at : end,
                             r->from_end <= size ? end - r->from_end : end};

    for (uint32_t k = 0; k < 2 + size; k++) {
        *p = k < 2 ? said[k] : from + k - 2;
        if (r->width > end - *p || (k > 0 && *p == said[0]) || (k > 1 && *p == said[1]) ||
            cfz_image_get(im, *p, r->width, r->big_endian) != low_bytes(shown, r->width))
            continue;
        if (way-- == 0)
            return true;
    }
    return false;
}

bool cfz_recipe_apply(struct cfz_search *s, const struct cfz_event *e, struct cfz_image *im,
                      int way)
{
    const struct cfz_recipe *kept = cfz_site_recipe(s->goals, e->site);
    struct cfz_recipe r;
    uint32_t from, end, p;
    uint64_t v;

    if (!kept || !kept->set || cfz_site_is_text(e->site))
        return false;
    r = *kept; /* other workers write there, and the target may */
    if (r.value >= im->n || r.width > sizeof v)
        return false;
    from = im->at[r.value];
    end = im->at[r.value + 1];
    v = r.side ? e->a : e->b;
    if (r.set != CFZ_RECIPE_TEXT) {
        if (r.set != CFZ_RECIPE_COPY ||
            !field_place(im, &r, r.side ? e->b : e->a, from, end, way, &p)) {
            if ((way ? r.from_end : r.at) > end - from)
                return false;
            p = way ? end - r.from_end : from + r.at;
            if (r.width > end - p)
                return false;
        }
        if (r.set == CFZ_RECIPE_XOR)
            v = cfz_image_get(im, p, r.width, r.big_endian) ^ e->a ^ e->b;
        else if (r.set == CFZ_RECIPE_SUM)
            v = cfz_image_get(im, p, r.width, r.big_endian) + (r.side ? e->a - e->b : e->b - e->a);
        cfz_image_put(im, p, r.width, r.big_endian, v);
        return true;
    } else {
        char text[CFZ_NUMBER_TEXT];
        uint32_t n = cfz_number_text(e->site, v, text), stop;

        if (way == 1)
            return false;
        p = r.at > end - from ? from : from + r.at;
        if (p == from || im->bytes[p - 1] != r.mark)
            for (p = end; p > from && im->bytes[p - 1] != r.mark; p--)
                ;
        if (p == from)
            return false;
        for (stop = p; stop < end && im->bytes[stop] >= '0' && im->bytes[stop] <= '9'; stop++)
            ;
        return cfz_image_splice(im, r.value, p, stop - p, (const uint8_t *)text, n);
    }
}

void cfz_recipe_learn(struct cfz_search *s, const struct cfz_task *t,
                      const struct cfz_recipe *found)
{
    struct cfz_recipe *r = cfz_site_recipe(s->goals, t->g.site), learnt = *found;

    if (!r || !found->set || t->g.want != CFZ_REL_EQUAL || t->g.site->kind != CFZ_SITE_INT)
        return;
    /* What is always the same needs to be written once only. */
    if ((found->set == CFZ_RECIPE_COPY || found->set == CFZ_RECIPE_TEXT)
            ? (t->g.site->flags & (CFZ_SITE_CONST_A | CFZ_SITE_CONST_B)) != 0
            : t->nat <= found->width)
        return;
    if (!r->set)
        atomic_fetch_add_explicit(&s->goals->nrecipes, 1, memory_order_relaxed);
    learnt.reckoned = t->sides == 3 || t->nlengths > 0;
    *r = learnt;
}
