/*
 * adapter_mutate.c - mutation and cross-over of typed values, for engines that ask for them.
 *
 * An engine's own mutations see bytes. Here a value is changed at a time, by one of cfuzz's
 * mutations or by the engine's, which knows its dictionary and what comparisons wanted; the others,
 * and the lengths, stay. A test of one []byte or string is left to the engine most of the time:
 * there is nothing that it does not see.
 */
#include <stdlib.h>
#include <string.h>

#include "core/corpus/flat.h"
#include "engine/adapter.h"
#include "search/mutator.h"

/* Values that mutation works on, each []byte and string with room for the longest input. */
static struct cfz_values values;
static size_t room;
static struct cfz_learning learning;
static struct cfz_mutator mutator = {.max_len = 0};

enum {
    SINGLE_OURS = 8, /* of a single []byte or string, one mutation in so many is ours; guessed */
    TYPED_OURS = 2,  /* of other tests */
    CHAIN = 4,       /* mutations of one call, at most; guessed */
};

/* Copies src into values. Returns false without memory. */
static bool take(const struct cfz_value *src, size_t n, size_t max_size)
{
    if (values.n != n && cfz_values_zero(&values, cfz_engine_test()->kinds, n, NULL) < 0)
        return false;
    if (room < max_size + 1) {
        for (size_t i = 0; i < n; i++) {
            struct cfz_value *v = &values.v[i];
            uint8_t *p;

            if (!cfz_kind_is_slot(v->kind))
                continue;
            p = realloc(v->cap ? v->data : NULL, max_size + 1);
            if (!p)
                return false;
            v->data = p;
            v->cap = max_size + 1;
        }
        room = max_size + 1;
    }
    for (size_t i = 0; i < n; i++) {
        struct cfz_value *v = &values.v[i];

        v->bits = src[i].bits;
        if (!cfz_kind_is_slot(v->kind))
            continue;
        v->len = src[i].len < room ? src[i].len : room;
        if (v->len > 0)
            memcpy(v->data, src[i].data, v->len);
    }
    return true;
}

/* Bytes that values take in flat form, unless that is text. */
static size_t flat_size(void)
{
    size_t size = 0, slots = 0;

    for (size_t i = 0; i < values.n; i++) {
        const struct cfz_value *v = &values.v[i];

        if (cfz_kind_is_slot(v->kind)) {
            size += v->len;
            slots++;
        } else {
            size += cfz_kind_c_width(v->kind) / 8;
        }
    }
    return size + (slots > 1 ? 4 * (slots - 1) : 0);
}

/* Writes values to out. Returns the length, 0 if they do not fit. */
static size_t put(uint8_t *out, size_t max_size)
{
    struct cfz_buf flat = CFZ_BUF_INIT;
    size_t len = 0;

    if (cfz_flat_write(&values, &flat, NULL) == 0 && flat.len <= max_size) {
        len = flat.len;
        if (len > 0)
            memcpy(out, flat.data, len);
    }
    cfz_buf_release(&flat);
    return len;
}

static void cut_string(struct cfz_value *v)
{
    const uint8_t *nul;

    if (!cfz_kind_is_string(v->kind) || v->len == 0)
        return;
    nul = memchr(v->data, 0, v->len);
    if (nul)
        v->len = (size_t)(nul - v->data);
}

/* Has the engine change one value. A []byte or string may grow by more bytes. */
static void mutate_by_engine(struct cfz_rand *r, size_t more)
{
    struct cfz_value *v = &values.v[cfz_rand_below(r, (uint32_t)values.n)];
    unsigned width = cfz_kind_c_width(v->kind), unused = 64 - width;
    uint8_t bytes[8];

    if (cfz_kind_is_slot(v->kind)) {
        size_t most = v->len + more < v->cap ? v->len + more : v->cap;

        if (most > 0)
            v->len = LLVMFuzzerMutate(v->data, v->len, most);
        cut_string(v);
        return;
    }
    memcpy(bytes, &v->bits, sizeof bytes);
    memset(bytes + width / 8, 0, sizeof bytes - width / 8);
    LLVMFuzzerMutate(bytes, width / 8, width / 8);
    memcpy(&v->bits, bytes, sizeof bytes);
    if (cfz_kind_is(v->kind, CFZ_FAMILY_BOOL, 0))
        v->bits &= 1;
    else if (cfz_kind_is_signed(v->kind))
        v->bits = (uint64_t)((int64_t)(v->bits << unused) >> unused);
    else
        v->bits = v->bits << unused >> unused;
}

/* One of cfuzz's mutations. The value that it changes may grow by more bytes. */
static void mutate_by_us(size_t more)
{
    const struct cfz_value *v;

    cfz_mutate_choose(&mutator, &values);
    v = &values.v[mutator.next_value];
    mutator.max_len = v->len + more;
    cfz_mutate(&mutator, &values);
}

static bool one_slot(const struct cfz_test *test)
{
    return test->n == 1 && test->nslots == 1;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const struct cfz_test *test = cfz_engine_test();
    struct cfz_value split[CFZ_VALUES_MAX];
    struct cfz_values text = CFZ_VALUES_INIT;
    struct cfz_rand *r = &mutator.rand;
    bool taken;
    size_t len;

    cfz_rand_init(r, seed, 1);
    mutator.next = NULL;
    if (!mutator.learning) {
        cfz_learning_init(&learning);
        mutator.learning = &learning;
    }
    cfz_mutate_chain(&mutator);
    if (LLVMFuzzerMutate && one_slot(test) && cfz_rand_below(r, SINGLE_OURS) > 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (cfz_flat_is_text(data, size)) {
        taken = cfz_flat_read(&text, test->kinds, test->n, data, size, NULL) == 0 &&
                take(text.v, test->n, max_size);
        cfz_values_release(&text);
    } else {
        cfz_flat_split(test->kinds, test->n, data, size, split);
        taken = take(split, test->n, max_size);
    }
    if (!taken || flat_size() > max_size)
        return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : size;
    for (uint32_t i = cfz_rand_below(r, CHAIN) + 1; i > 0; i--) {
        size_t more = max_size - flat_size();

        if (LLVMFuzzerMutate && !one_slot(test) && cfz_rand_below(r, TYPED_OURS) > 0)
            mutate_by_engine(r, more);
        else
            mutate_by_us(more);
    }
    len = put(data, max_size);
    return len > 0 || max_size == 0 || flat_size() == 0 ? len : size;
}

/* Makes v a piece of the beginning of itself and a piece of the end of other. */
static void splice(struct cfz_rand *r, struct cfz_value *v, const struct cfz_value *other)
{
    size_t head = cfz_rand_below(r, (uint32_t)v->len + 1);
    size_t from = cfz_rand_below(r, (uint32_t)other->len + 1), tail = other->len - from;

    if (tail > v->cap - head)
        tail = v->cap - head;
    if (tail > 0)
        memcpy(v->data + head, other->data + from, tail);
    v->len = head + tail;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed)
{
    const struct cfz_test *test = cfz_engine_test();
    struct cfz_values one = CFZ_VALUES_INIT, two = CFZ_VALUES_INIT;
    struct cfz_rand r;
    size_t len = 0;

    cfz_rand_init(&r, seed, 2);
    if (cfz_flat_read(&one, test->kinds, test->n, data1, size1, NULL) < 0 ||
        cfz_flat_read(&two, test->kinds, test->n, data2, size2, NULL) < 0 ||
        !take(one.v, test->n, max_size))
        goto out;
    for (size_t i = 0; i < test->n; i++) {
        struct cfz_value *v = &values.v[i];
        const struct cfz_value *other = &two.v[i];

        if (!cfz_kind_is_slot(v->kind)) {
            v->bits = cfz_rand_bool(&r) ? v->bits : other->bits;
        } else if (test->n == 1 || cfz_rand_below(&r, 3) == 0) {
            splice(&r, v, other);
        } else if (cfz_rand_bool(&r)) {
            v->len = 0;
            splice(&r, v, other);
        }
    }
    len = put(out, max_size);
out:
    cfz_values_release(&one);
    cfz_values_release(&two);
    return len;
}
