/*
 * value.h - typed values, the arguments of a test in binary form.
 *
 * A scalar lives in bits: integers sign- or zero-extended to 64 bits, a bool as
 * 0 or 1, a float as its IEEE bit pattern (float32 in the low 32 bits), so that
 * every NaN survives. A []byte or string lives in data[0..len). If cap is not 0, the
 * value owns data (malloc); if cap is 0, data is borrowed.
 *
 * Functions here allocate unless they say otherwise. Context: ordinary.
 */
#ifndef CFZ_VALUE_H
#define CFZ_VALUE_H

#include "core/types.h"

/* The longest []byte; a string holds one byte less. Shared memory has slots of this size (shmem.h). */
#define CFZ_SLOT_SIZE ((size_t)64 << 20)

struct cfz_value {
    enum cfz_kind kind;
    uint64_t bits;
    uint8_t *data;
    size_t len;
    size_t cap; /* bytes owned at data; 0: borrowed or none */
};

struct cfz_values {
    struct cfz_value *v;
    size_t n;
    size_t cap;
};

#define CFZ_VALUES_INIT {NULL, 0, 0}

/* The number that a scalar is. The kind has to fit. Context: any. */
static inline int64_t cfz_value_int(const struct cfz_value *v) { return (int64_t)v->bits; }
static inline float cfz_value_f32(const struct cfz_value *v)
{
    uint32_t b = (uint32_t)v->bits;
    float f;
    __builtin_memcpy(&f, &b, sizeof f);
    return f;
}
static inline double cfz_value_f64(const struct cfz_value *v)
{
    double d;
    __builtin_memcpy(&d, &v->bits, sizeof d);
    return d;
}
static inline void cfz_value_set_f32(struct cfz_value *v, float f)
{
    uint32_t b;
    __builtin_memcpy(&b, &f, sizeof b);
    v->bits = b;
}
static inline void cfz_value_set_f64(struct cfz_value *v, double d)
{
    __builtin_memcpy(&v->bits, &d, sizeof d);
}

/* The number that a float of either width is; what is too large for a float32 gets an infinity. */
static inline double cfz_value_float(const struct cfz_value *v)
{
    return cfz_kind_is(v->kind, CFZ_FAMILY_FLOAT, 32) ? (double)cfz_value_f32(v) : cfz_value_f64(v);
}
static inline void cfz_value_set_float(struct cfz_value *v, double d)
{
    if (cfz_kind_is(v->kind, CFZ_FAMILY_FLOAT, 32))
        cfz_value_set_f32(v, (float)d);
    else
        cfz_value_set_f64(v, d);
}

/* cfz_value_set_bytes copies data[0..len) into v, growing what it owns. Fails with CFZ_ENOMEM. */
int cfz_value_set_bytes(struct cfz_value *v, const void *data, size_t len, struct cfz_error *err);

void cfz_values_release(struct cfz_values *vs); /* frees all, leaves INIT; does nothing to INIT */
void cfz_values_swap(struct cfz_values *a, struct cfz_values *b);

/* cfz_values_push appends a zero value of a kind and returns it, borrowed until the next push. NULL if
 * there is no memory. */
struct cfz_value *cfz_values_push(struct cfz_values *vs, enum cfz_kind kind);

/* cfz_values_zero makes vs the n zero values of kinds: "", false, 0. cfz_values_copy makes dst a copy
 * of src that owns its bytes. CFZ_ENOMEM. */
int cfz_values_zero(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                    struct cfz_error *err);
int cfz_values_copy(struct cfz_values *dst, const struct cfz_values *src, struct cfz_error *err);

/* cfz_values_equal compares kinds and bits: two NaNs of one pattern are equal, +0 and -0 are not.
 * Allocates nothing. */
bool cfz_values_equal(const struct cfz_values *a, const struct cfz_values *b);

/*
 * cfz_values_check checks that values have the types of a test, and that its C parameters can hold
 * them. Fails with CFZ_ETYPE, texts as in Go:
 *   wrong number of values in corpus entry: 1, want 2
 *   mismatched types in corpus entry: [string int], want [[]uint8 int8]
 * and for what only C has:
 *   value 2: int 5000000000 out of range of a 32-bit int
 *   value 1: string has a NUL byte at offset 3
 *   value 1: []byte of 67108865 bytes is longer than 67108864
 */
int cfz_values_check(const struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                     struct cfz_error *err);

/*
 * The binary form, which is used in shared memory. Each value is 8 bytes, its bits or the len of a
 * []byte or string; data follows, padded to 8. Kinds are not in it, since both ends have those of
 * the test.
 */
size_t cfz_values_packed_size(const struct cfz_values *vs);
void cfz_values_pack(const struct cfz_values *vs, uint8_t *out); /* packed_size bytes; allocates nothing */
/* cfz_values_unpack makes vs a copy of the values in in[0..len). CFZ_EFORMAT if that is not exactly n
 * values of kinds. */
int cfz_values_unpack(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                      const uint8_t *in, size_t len, struct cfz_error *err);

#endif
