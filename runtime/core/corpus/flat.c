/*
 * flat.c - the flat form of values.
 *
 * Layout, version 1 (docs/flat-format.md says what speaks for it):
 *
 *   numbers and bools in their order, each as wide as the C parameter, low byte first
 *   4 bytes, low byte first, for each []byte or string but the last: its length
 *   the bytes of each []byte and string, in their order, one after the other
 *
 * The last []byte or string has no length and takes the rest. Where that is taken for the text of a
 * corpus file with other values, the form is the text of the corpus file itself.
 */
#include "core/corpus/flat.h"

#include <string.h>

#include "core/corpus/encoding.h"

enum { LENGTH_SIZE = 4 };

/* Reads size bytes, low byte first; those behind the end are 0. */
static uint64_t take_number(const uint8_t **p, const uint8_t *end, size_t size)
{
    uint64_t number = 0;

    for (size_t i = 0; i < size && *p < end; i++)
        number |= (uint64_t) * (*p)++ << (8 * i);
    return number;
}

/* The bits of a value (value.h) of the number that was read in its width. */
static uint64_t bits_of(enum cfz_kind kind, uint64_t number)
{
    unsigned unused = 64 - cfz_kind_c_width(kind);

    if (cfz_kind_is(kind, CFZ_FAMILY_BOOL, 0))
        return number & 1;
    if (cfz_kind_is_signed(kind))
        return (uint64_t)((int64_t)(number << unused) >> unused);
    return number;
}

/* Of a length that was read, as much as there is. What is too long comes down to 0..2*left first:
 * so random lengths are of use, and a length whose bytes were cut off a little keeps all that is
 * left. */
static size_t fit_length(uint64_t length, size_t left)
{
    length %= 2 * (uint64_t)left + 1;
    return length < left ? (size_t)length : left;
}

static void set_data(struct cfz_value *v, const uint8_t *data, size_t len)
{
    size_t most = CFZ_SLOT_SIZE;
    const uint8_t *nul;

    if (cfz_kind_is_string(v->kind)) {
        most--;
        nul = len > 0 ? memchr(data, 0, len) : NULL;
        if (nul)
            len = (size_t)(nul - data);
    }
    v->data = len > 0 ? (uint8_t *)data : NULL;
    v->len = len < most ? len : most;
}

/* Returns the index of the last []byte or string, n if there is none. */
static size_t last_slot(const enum cfz_kind *kinds, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (cfz_kind_is_slot(kinds[i]))
            return i;
    return n;
}

void cfz_flat_split(const enum cfz_kind *kinds, size_t n, const uint8_t *in, size_t len,
                    struct cfz_value *v)
{
    const uint8_t *p = len > 0 ? in : (const uint8_t *)"", *end = p + len;
    size_t last = last_slot(kinds, n);

    for (size_t i = 0; i < n; i++) {
        v[i] = (struct cfz_value){.kind = kinds[i]};
        if (!cfz_kind_is_slot(kinds[i]))
            v[i].bits = bits_of(kinds[i], take_number(&p, end, cfz_kind_c_width(kinds[i]) / 8));
    }
    for (size_t i = 0; i < n; i++)
        if (cfz_kind_is_slot(kinds[i]) && i != last)
            v[i].len = (size_t)take_number(&p, end, LENGTH_SIZE);
    for (size_t i = 0; i < n; i++) {
        size_t left = (size_t)(end - p), take = left;

        if (!cfz_kind_is_slot(kinds[i]))
            continue;
        if (i != last)
            take = fit_length(v[i].len, left);
        set_data(&v[i], p, take);
        p += take;
    }
}

bool cfz_flat_is_text(const uint8_t *data, size_t len)
{
    static const char header[] = CFZ_ENCODING_HEADER;
    const size_t n = sizeof header - 1;

    if (len <= n || memcmp(data, header, n) != 0)
        return false;
    return data[n] == '\n' || (len > n + 1 && data[n] == '\r' && data[n + 1] == '\n');
}

/* Reads in as the text of a corpus file. Returns 1 if it is one and its values fit the test, 0 if
 * not, -1 without memory. */
static int read_text(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n, const uint8_t *in,
                     size_t len, struct cfz_error *err)
{
    struct cfz_values made = CFZ_VALUES_INIT;
    struct cfz_error why;
    int ret = 0;

    if (!cfz_flat_is_text(in, len))
        return 0;
    why.code = CFZ_OK;
    if (cfz_encoding_parse(in, len, &made, NULL, &why) == 0 &&
        cfz_values_check(&made, kinds, n, &why) == 0) {
        cfz_values_swap(vs, &made);
        ret = 1;
    } else if (why.code == CFZ_ENOMEM) {
        ret = cfz_fail_nomem(err);
    }
    cfz_values_release(&made);
    return ret;
}

int cfz_flat_read(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n, const uint8_t *in,
                  size_t len, struct cfz_error *err)
{
    struct cfz_value split[CFZ_VALUES_MAX];
    const struct cfz_values borrowed = {split, n, 0};
    int text = read_text(vs, kinds, n, in, len, err);

    if (text != 0)
        return text < 0 ? -1 : 0;
    CFZ_ASSERT(n <= CFZ_VALUES_MAX);
    cfz_flat_split(kinds, n, in, len, split);
    return cfz_values_copy(vs, &borrowed, err);
}

/* ---- writing -------------------------------------------------------------------- */

static int put_number(struct cfz_buf *out, uint64_t number, size_t size, struct cfz_error *err)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    return cfz_buf_append(out, bytes, size, err);
}

static int write_plain(const struct cfz_values *vs, const enum cfz_kind *kinds, struct cfz_buf *out,
                       struct cfz_error *err)
{
    size_t last = last_slot(kinds, vs->n);

    for (size_t i = 0; i < vs->n; i++)
        if (!cfz_kind_is_slot(kinds[i]) &&
            put_number(out, vs->v[i].bits, cfz_kind_c_width(kinds[i]) / 8, err) < 0)
            return -1;
    for (size_t i = 0; i < vs->n; i++)
        if (cfz_kind_is_slot(kinds[i]) && i != last &&
            put_number(out, vs->v[i].len, LENGTH_SIZE, err) < 0)
            return -1;
    for (size_t i = 0; i < vs->n; i++)
        if (cfz_kind_is_slot(kinds[i]) && vs->v[i].len > 0 &&
            cfz_buf_append(out, vs->v[i].data, vs->v[i].len, err) < 0)
            return -1;
    return 0;
}

int cfz_flat_write(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_values read = CFZ_VALUES_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t start = out->len;
    int text = 0, ret = -1;

    CFZ_ASSERT(vs->n > 0 && vs->n <= CFZ_VALUES_MAX);
    for (size_t i = 0; i < vs->n; i++)
        kinds[i] = vs->v[i].kind;
    if (write_plain(vs, kinds, out, err) < 0)
        goto out;
    if (out->len > start)
        text = read_text(&read, kinds, vs->n, out->data + start, out->len - start, err);
    if (text < 0)
        goto out;
    if (text > 0 && !cfz_values_equal(&read, vs)) {
        cfz_buf_truncate(out, start);
        if (cfz_encoding_write(vs, out, err) < 0)
            goto out;
    }
    ret = 0;
out:
    if (ret < 0)
        cfz_buf_truncate(out, start);
    cfz_values_release(&read);
    return ret;
}
