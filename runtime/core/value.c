/*
 * value.c - lists of typed values: copy, compare, check, pack.
 */
#include "core/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"

static void value_release(struct cfz_value *v)
{
    if (v->cap > 0)
        free(v->data);
}

int cfz_value_set_bytes(struct cfz_value *v, const void *data, size_t len, struct cfz_error *err)
{
    if (len > v->cap) {
        uint8_t *p = malloc(len);

        if (!p)
            return cfz_fail_nomem(err);
        memcpy(p, data, len); /* before the old bytes go: data may be among them */
        value_release(v);
        v->data = p;
        v->cap = len;
    } else if (len > 0) {
        memmove(v->data, data, len);
    } else if (v->cap == 0) {
        v->data = NULL; /* no longer borrowed */
    }
    v->len = len;
    return 0;
}

void cfz_values_release(struct cfz_values *vs)
{
    for (size_t i = 0; i < vs->n; i++)
        value_release(&vs->v[i]);
    free(vs->v);
    *vs = (struct cfz_values)CFZ_VALUES_INIT;
}

void cfz_values_swap(struct cfz_values *a, struct cfz_values *b)
{
    struct cfz_values t = *a;

    *a = *b;
    *b = t;
}

struct cfz_value *cfz_values_push(struct cfz_values *vs, enum cfz_kind kind)
{
    struct cfz_value *v;

    if (vs->n == vs->cap) {
        size_t cap = vs->cap ? vs->cap * 2 : 4;

        if (cap > SIZE_MAX / sizeof *v)
            return NULL;
        v = realloc(vs->v, cap * sizeof *v);
        if (!v)
            return NULL;
        vs->v = v;
        vs->cap = cap;
    }
    v = &vs->v[vs->n++];
    *v = (struct cfz_value){.kind = kind};
    return v;
}

int cfz_values_zero(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                    struct cfz_error *err)
{
    struct cfz_values made = CFZ_VALUES_INIT;

    for (size_t i = 0; i < n; i++) {
        if (!cfz_values_push(&made, kinds[i])) {
            cfz_values_release(&made);
            return cfz_fail_nomem(err);
        }
    }
    cfz_values_swap(vs, &made);
    cfz_values_release(&made);
    return 0;
}

int cfz_values_copy(struct cfz_values *dst, const struct cfz_values *src, struct cfz_error *err)
{
    struct cfz_values made = CFZ_VALUES_INIT;

    for (size_t i = 0; i < src->n; i++) {
        struct cfz_value *v = cfz_values_push(&made, src->v[i].kind);

        if (!v) {
            cfz_fail_nomem(err);
            goto fail;
        }
        v->bits = src->v[i].bits;
        if (cfz_value_set_bytes(v, src->v[i].data, src->v[i].len, err) < 0)
            goto fail;
    }
    cfz_values_swap(dst, &made);
    cfz_values_release(&made);
    return 0;
fail:
    cfz_values_release(&made);
    return -1;
}

bool cfz_values_equal(const struct cfz_values *a, const struct cfz_values *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct cfz_value *x = &a->v[i], *y = &b->v[i];

        if (x->kind != y->kind)
            return false;
        if (!cfz_kind_is_slot(x->kind)) {
            if (x->bits != y->bits)
                return false;
        } else if (x->len != y->len || (x->len > 0 && memcmp(x->data, y->data, x->len) != 0)) {
            return false;
        }
    }
    return true;
}

/* ---- values and the types of a test ---------------------------------------- */

/* Appends "[int []uint8]". Returns -1 without memory. */
static int append_kinds(struct cfz_buf *b, const enum cfz_kind *kinds, const struct cfz_value *v,
                        size_t n)
{
    if (cfz_buf_puts(b, "[", NULL) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && cfz_buf_puts(b, " ", NULL) < 0)
            return -1;
        if (cfz_buf_puts(b, cfz_kind_go_name(kinds ? kinds[i] : v[i].kind), NULL) < 0)
            return -1;
    }
    return cfz_buf_puts(b, "]", NULL);
}

static int fail_types(const struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                      struct cfz_error *err)
{
    struct cfz_buf got = CFZ_BUF_INIT, want = CFZ_BUF_INIT;

    if (append_kinds(&got, NULL, vs->v, vs->n) < 0 || append_kinds(&want, kinds, NULL, n) < 0)
        cfz_fail_nomem(err);
    else
        cfz_fail(err, CFZ_ETYPE, "mismatched types in corpus entry: %s, want %s", cfz_buf_str(&got),
                 cfz_buf_str(&want));
    cfz_buf_release(&got);
    cfz_buf_release(&want);
    return -1;
}

/* Checks that a C parameter can hold v, which is value number i, counted from 1. */
static int check_value(const struct cfz_value *v, size_t i, struct cfz_error *err)
{
    const struct cfz_kind_row *row = cfz_kind_row(v->kind);
    const uint8_t *nul;
    int64_t max;

    switch (row->family) {
    case CFZ_FAMILY_SIGNED:
        if (row->c_width >= row->width)
            return 0;
        max = INT64_MAX >> (64 - row->c_width);
        if (cfz_value_int(v) < -max - 1 || cfz_value_int(v) > max)
            return cfz_fail(err, CFZ_ETYPE,
                            "value %zu: %s %" PRId64 " out of range of a %u-bit int", i, row->name,
                            cfz_value_int(v), row->c_width);
        return 0;
    case CFZ_FAMILY_UNSIGNED:
        if (row->c_width < row->width && v->bits > UINT64_MAX >> (64 - row->c_width))
            return cfz_fail(err, CFZ_ETYPE,
                            "value %zu: %s %" PRIu64 " out of range of a %u-bit unsigned int", i,
                            row->name, v->bits, row->c_width);
        return 0;
    case CFZ_FAMILY_BYTES:
        if (v->len > CFZ_SLOT_SIZE)
            return cfz_fail(err, CFZ_ETYPE, "value %zu: []byte of %zu bytes is longer than %zu", i,
                            v->len, CFZ_SLOT_SIZE);
        return 0;
    case CFZ_FAMILY_STRING:
        if (v->len > CFZ_SLOT_SIZE - 1)
            return cfz_fail(err, CFZ_ETYPE, "value %zu: string of %zu bytes is longer than %zu", i,
                            v->len, CFZ_SLOT_SIZE - 1);
        nul = v->len > 0 ? memchr(v->data, 0, v->len) : NULL;
        if (nul)
            return cfz_fail(err, CFZ_ETYPE, "value %zu: string has a NUL byte at offset %zu", i,
                            (size_t)(nul - v->data));
        return 0;
    default:
        return 0;
    }
}

int cfz_values_check(const struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                     struct cfz_error *err)
{
    if (vs->n != n)
        return cfz_fail(err, CFZ_ETYPE, "wrong number of values in corpus entry: %zu, want %zu",
                        vs->n, n);
    for (size_t i = 0; i < n; i++)
        if (vs->v[i].kind != kinds[i])
            return fail_types(vs, kinds, n, err);
    for (size_t i = 0; i < n; i++)
        if (check_value(&vs->v[i], i + 1, err) < 0)
            return -1;
    return 0;
}

/* ---- binary form ------------------------------------------------------------ */

static size_t padded(size_t len)
{
    return (len + 7) & ~(size_t)7;
}

size_t cfz_values_packed_size(const struct cfz_values *vs)
{
    size_t size = 0;

    for (size_t i = 0; i < vs->n; i++)
        size += 8 + (cfz_kind_is_slot(vs->v[i].kind) ? padded(vs->v[i].len) : 0);
    return size;
}

void cfz_values_pack(const struct cfz_values *vs, uint8_t *out)
{
    for (size_t i = 0; i < vs->n; i++) {
        const struct cfz_value *v = &vs->v[i];
        bool slot = cfz_kind_is_slot(v->kind);
        uint64_t word = slot ? v->len : v->bits;

        memcpy(out, &word, 8);
        out += 8;
        if (!slot || v->len == 0)
            continue;
        memcpy(out, v->data, v->len);
        memset(out + v->len, 0, padded(v->len) - v->len);
        out += padded(v->len);
    }
}

/* Appends one value of kind read from in[*pos..len). */
static int unpack_value(struct cfz_values *vs, enum cfz_kind kind, const uint8_t *in, size_t len,
                        size_t *pos, struct cfz_error *err)
{
    struct cfz_value *v;
    uint64_t word;

    if (len - *pos < 8)
        return cfz_fail(err, CFZ_EFORMAT, "packed values: %zu bytes end inside value %zu", len,
                        vs->n + 1);
    memcpy(&word, in + *pos, 8);
    *pos += 8;
    v = cfz_values_push(vs, kind);
    if (!v)
        return cfz_fail_nomem(err);
    if (!cfz_kind_is_slot(kind)) {
        v->bits = word;
        return 0;
    }
    if (word > len - *pos || padded((size_t)word) > len - *pos)
        return cfz_fail(err, CFZ_EFORMAT,
                        "packed values: %zu bytes end inside value %zu of length %" PRIu64, len,
                        vs->n, word);
    if (cfz_value_set_bytes(v, in + *pos, (size_t)word, err) < 0)
        return -1;
    *pos += padded((size_t)word);
    return 0;
}

int cfz_values_unpack(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                      const uint8_t *in, size_t len, struct cfz_error *err)
{
    struct cfz_values made = CFZ_VALUES_INIT;
    size_t pos = 0;
    int ret = -1;

    for (size_t i = 0; i < n; i++)
        if (unpack_value(&made, kinds[i], in, len, &pos, err) < 0)
            goto out;
    if (pos != len) {
        cfz_fail(err, CFZ_EFORMAT, "packed values: %zu bytes, expected %zu", len, pos);
        goto out;
    }
    cfz_values_swap(vs, &made);
    ret = 0;
out:
    cfz_values_release(&made);
    return ret;
}
