/*
 * image.c - values to a row of bytes and back.
 */
#define _GNU_SOURCE
#include "search/image.h"

#include <string.h>

#include "core/field.h"

static uint32_t width_of(const struct cfz_value *v)
{
    return cfz_kind_c_width(v->kind) <= 8 ? 1 : cfz_kind_c_width(v->kind) / 8;
}

bool cfz_image_read(struct cfz_image *im, const struct cfz_values *vs)
{
    uint32_t at = 0;

    im->n = (uint32_t)vs->n;
    im->like = vs->v;
    for (uint32_t i = 0; i < im->n; i++) {
        const struct cfz_value *v = &vs->v[i];
        size_t len = cfz_kind_is_slot(v->kind) ? v->len : width_of(v);

        im->at[i] = at;
        if (len > CFZ_IMAGE_MAX - at)
            return false;
        if (cfz_kind_is_slot(v->kind)) {
            if (len > 0)
                memcpy(im->bytes + at, v->data, len);
        } else
            for (uint32_t k = 0; k < len; k++)
                im->bytes[at + k] = (uint8_t)(v->bits >> 8 * k);
        at += (uint32_t)len;
    }
    im->at[im->n] = at;
    return true;
}

void cfz_image_write(const struct cfz_image *im, struct cfz_values *vs)
{
    for (uint32_t i = 0; i < im->n; i++) {
        struct cfz_value *v = &vs->v[i];
        uint32_t len = im->at[i + 1] - im->at[i];
        const uint8_t *p = im->bytes + im->at[i];

        if (cfz_kind_is_slot(v->kind)) {
            const uint8_t *nul = cfz_kind_is_string(v->kind) ? memchr(p, 0, len) : NULL;

            v->len = nul ? (size_t)(nul - p) : len;
            if (v->len > 0)
                memcpy(v->data, p, v->len);
        } else {
            uint64_t bits = cfz_image_get(im, im->at[i], len, false);

            if (cfz_kind_is(v->kind, CFZ_FAMILY_BOOL, 0))
                bits &= 1;
            else if (cfz_kind_is_signed(v->kind) && len < 8 && bits >> (8 * len - 1))
                bits |= UINT64_MAX << 8 * len;
            v->bits = bits;
        }
    }
}

uint32_t cfz_image_same(const struct cfz_values *vs, const uint8_t *packed)
{
    uint32_t at = 0;

    for (size_t i = 0; i < vs->n; i++) {
        const struct cfz_value *v = &vs->v[i];
        bool slot = cfz_kind_is_slot(v->kind);
        uint64_t other; /* its size, or the number */
        size_t len = slot ? v->len : width_of(v), k = 0;

        memcpy(&other, packed, sizeof other);
        packed += sizeof other;
        if (slot) {
            while (k < len && k < other && v->data[k] == packed[k])
                k++;
            packed += (other + 7) & ~(uint64_t)7;
        } else
            while (k < len && (uint8_t)(v->bits >> 8 * k) == (uint8_t)(other >> 8 * k))
                k++;
        at += (uint32_t)k;
        if (k < len || (slot && len != other))
            break;
    }
    return at;
}

void cfz_image_copy(struct cfz_image *to, const struct cfz_image *from)
{
    to->n = from->n;
    to->like = from->like;
    memcpy(to->at, from->at, (from->n + 1) * sizeof *to->at);
    memcpy(to->bytes, from->bytes, cfz_image_size(from));
}

uint32_t cfz_image_value(const struct cfz_image *im, uint32_t p)
{
    uint32_t i = 0;

    while (i + 1 < im->n && p >= im->at[i + 1])
        i++;
    return i;
}

/* How long an image of that size may get. Short inputs are not made long ones: they cost more, and
 * where a length asks for thousands of bytes it can be changed as well. */
static uint32_t most_of(uint32_t size)
{
    if (size <= CFZ_IMAGE_SHORT)
        return CFZ_IMAGE_SHORT;
    return size < CFZ_IMAGE_MAX - CFZ_IMAGE_GROWS ? size + CFZ_IMAGE_GROWS : CFZ_IMAGE_MAX;
}

bool cfz_image_splice(struct cfz_image *im, uint32_t i, uint32_t p, uint32_t del,
                      const uint8_t *ins, uint32_t n)
{
    uint32_t size = cfz_image_size(im);

    if (!cfz_image_grows(im, i) || p < im->at[i] || p > im->at[i + 1] || del > im->at[i + 1] - p)
        return false;
    if (n > most_of(size) - (size - del))
        return false;
    memmove(im->bytes + p + n, im->bytes + p + del, size - p - del);
    if (n > 0)
        memcpy(im->bytes + p, ins, n);
    for (uint32_t k = i + 1; k <= im->n; k++)
        im->at[k] = im->at[k] - del + n;
    return true;
}

bool cfz_image_fits(const struct cfz_image *im, uint32_t p, uint32_t n)
{
    uint32_t i = cfz_image_value(im, p);

    return p < cfz_image_size(im) && n <= im->at[i + 1] - p;
}

uint64_t cfz_image_get(const struct cfz_image *im, uint32_t p, uint32_t n, bool big_endian)
{
    return cfz_field_get(im->bytes + p, n, big_endian);
}

void cfz_image_put(struct cfz_image *im, uint32_t p, uint32_t n, bool big_endian, uint64_t v)
{
    cfz_field_put(im->bytes + p, n, big_endian, v);
}

uint32_t cfz_image_find(const struct cfz_image *im, uint32_t p, const uint8_t *text, uint32_t n)
{
    const uint8_t *at;

    if (p > cfz_image_size(im))
        return UINT32_MAX;
    at = memmem(im->bytes + p, cfz_image_size(im) - p, text, n);
    return at ? (uint32_t)(at - im->bytes) : UINT32_MAX;
}

uint32_t cfz_image_only(const struct cfz_image *im, const uint8_t *text, uint32_t n)
{
    uint32_t at = cfz_image_find(im, 0, text, n);

    return at != UINT32_MAX && cfz_image_find(im, at + 1, text, n) == UINT32_MAX ? at : UINT32_MAX;
}

void cfz_image_find_streams(const struct cfz_image *im, struct cfz_stored *s)
{
    s->n = 0;
    for (uint32_t i = 0; s->on && i < im->n; i++)
        if (im->like[i].kind == CFZ_KIND_BYTES && im->at[i + 1] > im->at[i])
            cfz_stored_find_in(s, i, im->bytes + im->at[i], im->at[i + 1] - im->at[i]);
}

void cfz_image_keep_streams(struct cfz_image *im, const struct cfz_stored *s)
{
    for (uint32_t i = 0; s->n > 0 && i < im->n; i++)
        cfz_stored_keep_in(s, i, im->bytes + im->at[i], im->at[i + 1] - im->at[i]);
}
