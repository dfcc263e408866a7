/*
 * recipes.c - which field of the input a comparison of two numbers, or of memory, that came out
 * equal depends on, and how: what is wanted there in another input is written there again.
 *
 * The solver learns one recipe per site (struct cfz_recipe in goal.h) when it solves an equality
 * that no constant tells, or when it probes an input whose field is right: from a valid file
 * nothing is left to solve there. The first stage does when it solves one (copies.c). The solver
 * applies them where a trial leaves its path at such a site; random mutation does where it broke
 * what the program reckons from the rest of the input: a checksum, a length, a second copy
 * (mend.h).
 */
#include <string.h>

#include "core/digits.h"
#include "core/field.h"
#include "solver/solving.h"

static uint64_t low_bytes(uint64_t v, uint32_t n)
{
    return n < sizeof v ? v & ((UINT64_C(1) << 8 * n) - 1) : v;
}

/*
 * The place of a field of which a copy is compared, in its value: where the recipe says, counted
 * from the beginning or from the end, or else anywhere, if the bytes are shown[0..n), the operand
 * that comes from the field. Of such places number way is taken. False if there are not so many.
 */
static bool field_place(const struct cfz_image *im, const struct cfz_recipe *r,
                        const uint8_t *shown, uint32_t n, int way, uint32_t *p)
{
    const uint32_t from = im->at[r->value], end = im->at[r->value + 1];
    const uint32_t size = end - from;
    const uint32_t said[] = {r->at <= size ? from + r->at : end,
                             r->from_end <= size ? end - r->from_end : end};

    for (uint32_t k = 0; k < 2 + size; k++) {
        *p = k < 2 ? said[k] : from + k - 2;
        if (n > end - *p || (k > 0 && *p == said[0]) || (k > 1 && *p == said[1]) ||
            memcmp(im->bytes + *p, shown, n) != 0)
            continue;
        if (way-- == 0)
            return true;
    }
    return false;
}

void cfz_compared_take(struct cfz_compared *c, const struct cfz_event *e)
{
    c->e = *e;
    if (!cfz_site_is_text(e->site))
        return;
    memcpy(c->a, cfz_trace.text + e->a_at, e->a_len);
    memcpy(c->b, cfz_trace.text + e->b_at, e->b_len);
}

/* Writes the other memory where that of the field stands. */
static bool apply_bytes(const struct cfz_recipe *r, const struct cfz_compared *c,
                        struct cfz_image *im, int way)
{
    const uint32_t n = r->side ? c->e.b_len : c->e.a_len, m = r->side ? c->e.a_len : c->e.b_len;
    uint32_t p;

    return n > 0 && field_place(im, r, r->side ? c->b : c->a, n, way, &p) &&
           cfz_image_splice(im, r->value, p, n, r->side ? c->a : c->b, m);
}

/* The number of so many digits at p; false if these are not all digits. */
static bool digits_get(const struct cfz_image *im, uint32_t p, uint32_t n, unsigned radix,
                       uint64_t *v)
{
    *v = 0;
    for (uint32_t k = 0; k < n; k++) {
        unsigned d = cfz_digit(im->bytes[p + k]);

        if (d >= radix)
            return false;
        *v = *v * radix + d;
    }
    return true;
}

/* Writes the last digits of v there; letters in the case of those that are there. */
static void digits_put(struct cfz_image *im, uint32_t p, uint32_t n, unsigned radix, uint64_t v)
{
    bool lower = false;

    for (uint32_t k = 0; k < n; k++)
        lower |= im->bytes[p + k] >= 'a';
    cfz_digits_put(im->bytes + p, n, radix, lower, v);
}

static bool get(const struct cfz_image *im, uint32_t p, const struct cfz_recipe *r, uint64_t *v)
{
    if (r->radix)
        return digits_get(im, p, r->width, r->radix, v);
    *v = cfz_image_get(im, p, r->width, r->big_endian);
    return true;
}

static void put(struct cfz_image *im, uint32_t p, const struct cfz_recipe *r, uint64_t v)
{
    if (r->radix)
        digits_put(im, p, r->width, r->radix, v);
    else
        cfz_image_put(im, p, r->width, r->big_endian, v);
}

static bool write_text(const struct cfz_recipe *r, const struct cfz_event *e, struct cfz_image *im,
                       uint64_t v)
{
    const uint32_t from = im->at[r->value], end = im->at[r->value + 1];
    char text[CFZ_NUMBER_TEXT];
    uint32_t n = cfz_number_text(e->site, v, text), stop, p;

    p = r->at > end - from ? from : from + r->at;
    if (p == from || im->bytes[p - 1] != r->mark)
        for (p = end; p > from && im->bytes[p - 1] != r->mark; p--)
            ;
    if (p == from)
        return false;
    for (stop = p; stop < end && im->bytes[stop] >= '0' && im->bytes[stop] <= '9'; stop++)
        ;
    return cfz_image_splice(im, r->value, p, stop - p, (const uint8_t *)text, n);
}

/* Repeats what stands at p, or leaves it out, so that a - b becomes 0 if one unit more counts as
 * one more in the operand that the recipe is of. */
static bool write_units(const struct cfz_recipe *r, const struct cfz_event *e, struct cfz_image *im)
{
    enum { UNITS = 64 };
    const uint32_t from = im->at[r->value], end = im->at[r->value + 1], p = from + r->at;
    const uint64_t mask = cfz_site_mask(e->site);
    const uint64_t more = (r->side ? e->a - e->b : e->b - e->a) & mask, less = (0 - more) & mask;
    uint8_t unit[UNITS * sizeof(uint64_t)];
    uint32_t n;

    if (r->at > end - from || r->width == 0)
        return false;
    if (less <= UNITS) {
        n = (uint32_t)less * r->width;
        return n > 0 && n <= end - p && cfz_image_splice(im, r->value, p, n, unit, 0);
    }
    if (more > UNITS)
        return false;
    n = (uint32_t)more * r->width;
    for (uint32_t k = 0; k < n; k++)
        unit[k] = p + r->width <= end ? im->bytes[p + k % r->width] : '0';
    return cfz_image_splice(im, r->value, p, 0, unit, n);
}

bool cfz_recipe_write(const struct cfz_recipe *r, const struct cfz_compared *c,
                      struct cfz_image *im, int way)
{
    const struct cfz_event *e = &c->e;
    uint8_t shown[sizeof(uint64_t)];
    uint32_t from, end, p;
    uint64_t v, there;

    if (!r->set || r->value >= im->n || !cfz_recipe_is_sound(r) ||
        (r->set == CFZ_RECIPE_BYTES) != cfz_site_is_text(e->site))
        return false;
    if (r->set == CFZ_RECIPE_BYTES)
        return apply_bytes(r, c, im, way);
    if (r->set == CFZ_RECIPE_UNITS)
        return way == 0 && write_units(r, e, im);
    from = im->at[r->value];
    end = im->at[r->value + 1];
    v = r->side ? e->a : e->b;
    if (r->set == CFZ_RECIPE_TEXT)
        return way == 0 && write_text(r, e, im, v);
    if (r->radix)
        memset(shown, 0, sizeof shown);
    else
        cfz_field_put(shown, r->width, r->big_endian, r->side ? e->b : e->a);
    if (r->set != CFZ_RECIPE_COPY || r->radix || !field_place(im, r, shown, r->width, way, &p)) {
        if ((way ? r->from_end : r->at) > end - from)
            return false;
        p = way ? end - r->from_end : from + r->at;
        if (r->width > end - p)
            return false;
    }
    if (!get(im, p, r, &there))
        return false;
    if (r->set == CFZ_RECIPE_XOR)
        v = there ^ e->a ^ e->b;
    else if (r->set == CFZ_RECIPE_SUM)
        v = there + (r->side ? e->a - e->b : e->b - e->a);
    put(im, p, r, v);
    return true;
}

bool cfz_recipe_apply(struct cfz_search *s, const struct cfz_compared *c, struct cfz_image *im,
                      int way)
{
    const struct cfz_recipe *kept = cfz_site_recipe(s->goals, c->e.site);
    struct cfz_recipe r;

    if (!kept || !kept->set)
        return false;
    r = *kept; /* other workers write there, and the target may */
    return cfz_recipe_write(&r, c, im, way);
}

void cfz_recipe_learn(struct cfz_search *s, const struct cfz_task *t,
                      const struct cfz_recipe *found)
{
    struct cfz_recipe learnt = *found;

    if (!found->set || t->g.want != CFZ_REL_EQUAL || t->g.site->kind != CFZ_SITE_INT)
        return;
    /* What is always the same needs to be written once only. */
    if ((found->set == CFZ_RECIPE_COPY || found->set == CFZ_RECIPE_TEXT)
            ? cfz_has_constant(t->g.site)
            : t->nat <= found->width)
        return;
    /* Of XOR and SUM both stand in one operand. */
    learnt.reckoned = t->sides == 3 || t->nlengths > 0 || found->set == CFZ_RECIPE_XOR ||
                      found->set == CFZ_RECIPE_SUM;
    cfz_goals_keep_recipe(s->goals, t->g.site, &learnt);
}

/* ---- fields that are right ------------------------------------------------------------ */

/* Keeps the recipe of a field at p, which depends on the rest. */
static void keep_at(struct cfz_search *s, const struct cfz_task *t, const struct cfz_image *im,
                    uint32_t p, struct cfz_recipe seen)
{
    seen.reckoned = true;
    cfz_recipe_place(&seen, im, p);
    cfz_goals_keep_recipe(s->goals, t->g.site, &seen);
}

/* The first place from p where the bytes show an operand of that width, in one of the orders of
 * bytes; or the size of im. */
static uint32_t shown_from(const struct cfz_image *im, uint32_t p, uint32_t width, uint64_t v,
                           bool *big)
{
    uint32_t size = cfz_image_size(im);

    for (; p < size; p++)
        for (int order = 0; order < 2; order++)
            if (cfz_image_fits(im, p, width) && cfz_image_get(im, p, width, order) == v) {
                *big = order;
                return p;
            }
    return size;
}

/* As cfz_recipe_wanted, of a site whose recipe is r, which does not depend on the rest so far. */
static bool is_memory_wanted(const struct cfz_search *s, const struct cfz_event *e,
                             const struct cfz_recipe *r, const struct cfz_image *im)
{
    const uint8_t *a = cfz_trace.text + e->a_at;

    return e->site->kind == CFZ_SITE_MEM && e->outcome && !cfz_has_constant(e->site) &&
           !cfz_is_erratic(s, e) &&
           (r->set || (e->a_len >= 2 && e->a_len == e->b_len &&
                       memcmp(a, cfz_trace.text + e->b_at, e->a_len) == 0 &&
                       cfz_image_find(im, 0, a, e->a_len) != UINT32_MAX));
}

bool cfz_recipe_is_watched(const struct cfz_site *site, uint64_t constant)
{
    const uint64_t v = low_bytes(constant, site->width / 8U);

    return site->width >= 16 && (v == 0 || v == cfz_site_mask(site));
}

bool cfz_recipe_wanted(const struct cfz_search *s, const struct cfz_event *e,
                       const struct cfz_image *im)
{
    const struct cfz_site *site = e->site;
    const struct cfz_recipe *r = cfz_site_recipe(s->goals, site);
    uint64_t v = low_bytes(e->a, site->width / 8U);
    bool big;

    if (r && !r->reckoned && cfz_site_is_text(site))
        return is_memory_wanted(s, e, r, im);
    if (!r || (r->set && r->reckoned) || site->kind != CFZ_SITE_INT || site->width < 16 ||
        e->a != e->b || !cfz_site_asks_equality(site) || cfz_is_erratic(s, e))
        return false;
    if (r->set)
        return r->set != CFZ_RECIPE_TEXT;
    if (cfz_has_constant(site))
        return cfz_recipe_is_watched(site, v);
    return v >= 0x100 && shown_from(im, 0, site->width / 8U, v, &big) < cfz_image_size(im);
}

/* Whether bytes [p, p + width) move one operand alone, and bytes elsewhere the other one. */
static bool is_field(const struct cfz_task *t, uint32_t p, uint32_t width, unsigned side)
{
    uint32_t inside = 0, outside = 0;

    for (uint32_t f = 0; f < t->nat; f++) {
        bool is_in = t->at[f].p >= p && t->at[f].p < p + width;

        if (is_in && t->at[f].sides != 1U << side)
            return false;
        inside += is_in;
        outside += !is_in && t->at[f].sides & 2U >> side;
    }
    return inside == width && outside > 0;
}

/* How the comparison of the last trace says that a field, which was was and is is now, goes into
 * the operands of t; side as in struct cfz_recipe. */
static enum cfz_recipe_kind kind_of(const struct cfz_task *t, const struct cfz_event *e,
                                    uint64_t was, uint64_t is, uint8_t *side)
{
    const uint64_t mask = cfz_site_mask(t->g.site);
    uint64_t change = (e->a - e->b - (t->a - t->b)) & mask;

    *side = 0;
    if (((e->a ^ e->b ^ t->a ^ t->b) & mask) == (was ^ is))
        return CFZ_RECIPE_XOR;
    if (change == ((is - was) & mask))
        return CFZ_RECIPE_SUM;
    *side = 1;
    return change == ((was - is) & mask) ? CFZ_RECIPE_SUM : CFZ_RECIPE_NONE;
}

/* The field is in one operand, with what it depends on: ~crc == field is crc ^ field == -1. A
 * random value tells which bytes go into the operand as they are. */
static void see_within(struct cfz_search *s, const struct cfz_task *t, const struct cfz_image *im)
{
    static struct cfz_image other;
    const uint32_t width = t->g.site->width / 8U;
    const struct cfz_event *e;
    uint8_t side;

    for (uint32_t f = 0; f < t->nat && t->nat > width; f++) {
        uint32_t p = t->at[f].p;

        if (!cfz_image_fits(im, p, width))
            continue;
        cfz_image_copy(&other, im);
        cfz_image_put(&other, p, width, false, cfz_rand_u64(s->rand));
        if (!cfz_solver_execute(s, &other))
            return;
        e = cfz_trace_find(t->g.site, t->g.nth);
        for (int big = 0; e && big < 2; big++) {
            enum cfz_recipe_kind kind = kind_of(t, e, cfz_image_get(im, p, width, big),
                                                cfz_image_get(&other, p, width, big), &side);

            if (kind == CFZ_RECIPE_NONE)
                continue;
            keep_at(s, t, im, p,
                    (struct cfz_recipe){.set = (uint8_t)kind,
                                        .width = (uint8_t)width,
                                        .big_endian = (uint8_t)big,
                                        .side = side});
            return;
        }
    }
}

/* Whether the field of a recipe depends on the rest. Where a probe made it wrong it was written
 * anew: so a byte that it depends on moved both operands. */
static bool is_reckoned(const struct cfz_task *t)
{
    for (uint32_t f = 0; f < t->nat; f++)
        if (t->at[f].sides == 3)
            return true;
    return false;
}

/* As cfz_recipe_see, of memory, where no recipe is known. */
static void see_bytes(struct cfz_search *s, const struct cfz_task *t, const struct cfz_image *im)
{
    uint32_t p = 0;

    for (; (p = cfz_image_find(im, p, t->text_a, t->len_a)) != UINT32_MAX; p++)
        for (unsigned side = 0; side < 2; side++)
            if (is_field(t, p, t->len_a, side)) {
                keep_at(s, t, im, p,
                        (struct cfz_recipe){.set = CFZ_RECIPE_BYTES, .side = (uint8_t)side});
                return;
            }
}

void cfz_recipe_see(struct cfz_search *s, const struct cfz_task *t, const struct cfz_image *im)
{
    const struct cfz_recipe *kept = cfz_site_recipe(s->goals, t->g.site);
    const uint32_t width = t->g.site->width / 8U, size = cfz_image_size(im);
    struct cfz_recipe r;
    bool big;

    if (!kept)
        return;
    r = *kept; /* other workers write there, and the target may */
    if (r.set) {
        if (!r.reckoned && is_reckoned(t)) {
            r.reckoned = true;
            cfz_goals_keep_recipe(s->goals, t->g.site, &r);
        }
        return;
    }
    if (cfz_site_is_text(t->g.site)) {
        see_bytes(s, t, im);
        return;
    }
    if (cfz_has_constant(t->g.site)) {
        see_within(s, t, im);
        return;
    }
    for (uint32_t p = 0; (p = shown_from(im, p, width, low_bytes(t->a, width), &big)) < size; p++)
        for (unsigned side = 0; side < 2; side++) {
            if (!is_field(t, p, width, side))
                continue;
            keep_at(s, t, im, p,
                    (struct cfz_recipe){.set = CFZ_RECIPE_COPY,
                                        .width = (uint8_t)width,
                                        .big_endian = big,
                                        .side = (uint8_t)side});
            return;
        }
}
