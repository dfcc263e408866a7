/*
 * numbers.c - see numbers.h.
 */
#include "solver/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

double cfz_rounded(double d)
{
    return fabs(d) < 9e18 ? (double)(int64_t)(d < 0 ? d - 0.5 : d + 0.5) : d;
}

double cfz_aim(const struct cfz_task *t, double a, double b)
{
    const double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    const double beyond = t->g.site->kind == CFZ_SITE_FLOAT ? larger * 1e-9 + DBL_MIN : 1;

    if (t->g.want & CFZ_REL_EQUAL)
        return 0;
    return t->g.want & CFZ_REL_GREATER ? beyond : -beyond;
}

void cfz_numbers_add(struct cfz_numbers *ns, uint32_t p, bool floats)
{
    const struct cfz_image *from = &ns->from;
    uint32_t i = cfz_image_value(from, p), at = from->at[i], end = from->at[i + 1];
    struct cfz_number n = {.value = i, .at = at, .len = end - at};

    if (ns->n == CFZ_NUMBERS)
        return;
    if (!cfz_image_grows(from, i)) {
        const enum cfz_kind kind = from->like[i].kind;
        const bool has_sign = !cfz_kind_is_float(kind) && !cfz_kind_is_unsigned(kind);
        const unsigned unused = n.len < 8 && has_sign ? 64 - 8 * n.len : 0;

        if (cfz_kind_is_float(kind) && !floats)
            return;
        n.x = (int64_t)(cfz_image_get(from, at, n.len, false) << unused) >> unused;
    } else {
        uint32_t e = p;

        if (!cfz_is_digit(from->bytes[p]))
            return;
        for (n.at = p; n.at > at && cfz_is_digit(from->bytes[n.at - 1]);)
            n.at--;
        while (e < end && cfz_is_digit(from->bytes[e]))
            e++;
        n.len = e - n.at;
        if (n.len > CFZ_NUMBER_DIGITS)
            return;
        for (uint32_t k = n.at; k < e; k++)
            n.x = 10 * n.x + (from->bytes[k] - '0');
    }
    for (uint32_t k = 0; k < ns->n; k++)
        if (ns->of[k].at == n.at)
            return;
    ns->of[ns->n++] = n;
}

void cfz_numbers_add_in_text(struct cfz_numbers *ns, uint32_t p)
{
    const uint32_t i = cfz_image_value(&ns->from, p);

    if (p < ns->from.at[i + 1] && cfz_image_grows(&ns->from, i) &&
        cfz_is_amid_text(&ns->from, i, p, p + 1))
        cfz_numbers_add(ns, p, false);
}

int64_t cfz_numbers_clamp(const struct cfz_numbers *ns, uint32_t k, int64_t x)
{
    static const int64_t most[CFZ_NUMBER_DIGITS + 1] = {
        0, 9, 99, 999, 9999, 99999, 999999, 9999999, 99999999, 999999999};
    const struct cfz_number *n = &ns->of[k];

    if (!cfz_image_grows(&ns->from, n->value)) {
        int64_t top = n->len >= 8 ? INT64_MAX : ((int64_t)1 << (8 * n->len)) - 1;

        return x > top ? top : x < -top ? -top : x;
    }
    return x < 0 ? 0 : x > most[CFZ_NUMBER_DIGITS] ? most[CFZ_NUMBER_DIGITS] : x;
}

/* How long number k is in text once it is x. */
static uint32_t length_of(const struct cfz_numbers *ns, uint32_t k, int64_t x)
{
    const struct cfz_number *n = &ns->of[k];
    const bool pads = ns->pads || (n->len > 1 && ns->from.bytes[n->at] == '0');
    uint32_t len = 1;

    for (uint64_t rest = (uint64_t)x; (rest /= 10) != 0;)
        len++;
    return pads && len < n->len ? n->len : len;
}

bool cfz_numbers_render(const struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS],
                        struct cfz_image *im)
{
    bool done[CFZ_NUMBERS] = {false};

    cfz_image_copy(im, &ns->from);
    for (uint32_t k = 0; k < ns->n; k++) {
        const struct cfz_number *n = NULL;
        uint8_t text[CFZ_NUMBER_DIGITS + 1];
        uint32_t len = 0, last = 0;
        uint64_t rest;

        /* The last one first, since those behind a number move with its length. */
        for (uint32_t j = 0; j < ns->n; j++)
            if (!done[j] && (!n || ns->of[j].at > n->at)) {
                n = &ns->of[j];
                last = j;
            }
        done[last] = true;
        if (x[last] == n->x)
            continue;
        if (!cfz_image_grows(im, n->value)) {
            cfz_image_put(im, n->at, n->len, false, (uint64_t)x[last]);
            continue;
        }
        rest = (uint64_t)x[last];
        do
            text[sizeof text - ++len] = (uint8_t)('0' + rest % 10);
        while ((rest /= 10) != 0);
        while (len < length_of(ns, last, x[last]))
            text[sizeof text - ++len] = '0';
        if (!cfz_image_splice(im, n->value, n->at, n->len, text + sizeof text - len, len))
            return false;
    }
    return true;
}

bool cfz_numbers_written(const struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS], uint32_t *from,
                         uint32_t *end)
{
    const struct cfz_number *first = NULL, *last = NULL;
    int64_t within = 0; /* bytes more before the end of the last one */

    for (uint32_t k = 0; k < ns->n; k++) {
        const struct cfz_number *n = &ns->of[k];

        if (x[k] == n->x)
            continue;
        first = !first || n->at < first->at ? n : first;
        last = !last || n->at > last->at ? n : last;
    }
    if (!first || first->value != last->value)
        return false;
    for (uint32_t k = 0; k < ns->n; k++) {
        const struct cfz_number *n = &ns->of[k];
        const bool moves = x[k] != n->x && cfz_image_grows(&ns->from, n->value);
        const int64_t more = moves ? (int64_t)length_of(ns, k, x[k]) - n->len : 0;

        within += n->at <= last->at ? more : 0;
    }
    *from = first->at;
    *end = (uint32_t)(last->at + last->len + within);
    return true;
}

bool cfz_numbers_become(struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS])
{
    static struct cfz_image im;
    uint32_t lens[CFZ_NUMBERS];

    if (!cfz_numbers_render(ns, x, &im))
        return false;
    for (uint32_t k = 0; k < ns->n; k++)
        lens[k] = length_of(ns, k, x[k]); /* while the places are those of ns->from */
    for (uint32_t k = 0; k < ns->n; k++) {
        struct cfz_number *n = &ns->of[k];
        const uint32_t was = n->len;

        if (x[k] == n->x)
            continue;
        n->x = x[k];
        if (!cfz_image_grows(&ns->from, n->value))
            continue;
        n->len = lens[k];
        for (uint32_t j = 0; j < ns->n; j++)
            ns->of[j].at += ns->of[j].at > n->at ? n->len - was : 0;
    }
    cfz_image_copy(&ns->from, &im);
    return true;
}
