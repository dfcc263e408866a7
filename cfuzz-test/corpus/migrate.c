/*
 * migrate.c - see migrate.h.
 *
 * The order of parameters tells more than anything else, since most changes add or remove one. So
 * the longest common subsequence of the two lists of types is kept; what is left over on both sides
 * was moved, or has another type.
 */
#include "corpus/migrate.h"

#include <string.h>

/* Whether a value of one kind is a value of the other, for some of them at least. */
static bool may_become(enum cfz_kind from, enum cfz_kind to)
{
    bool whole = cfz_kind_is_signed(to) || cfz_kind_is_unsigned(to);

    if (from == to)
        return true;
    if (cfz_kind_is_slot(from) || cfz_kind_is_slot(to))
        return cfz_kind_is_slot(from) && cfz_kind_is_slot(to);
    if (cfz_kind_is_float(from) || cfz_kind_is_float(to))
        return cfz_kind_is_float(from) && cfz_kind_is_float(to);
    return whole; /* from an integer or a bool */
}

size_t migrate_plan(const struct cfz_values *old, const enum cfz_kind *kinds, size_t n, int *from)
{
    uint8_t longest[CFZ_VALUES_MAX + 1][CFZ_VALUES_MAX + 1];
    bool used[CFZ_VALUES_MAX] = {false};
    size_t m = old->n < CFZ_VALUES_MAX ? old->n : CFZ_VALUES_MAX, placed = 0;

    memset(longest, 0, sizeof(longest));
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            uint8_t without =
                longest[i + 1][k] > longest[i][k + 1] ? longest[i + 1][k] : longest[i][k + 1];
            uint8_t with = (uint8_t)(longest[i + 1][k + 1] + 1);

            longest[i][k] = kinds[i] == old->v[k].kind && with > without ? with : without;
        }
    for (size_t i = 0, k = 0; i < n; i++) {
        from[i] = MIGRATE_NEW;
        while (k < m && longest[i][k] == longest[i][k + 1])
            k++;
        if (k < m && kinds[i] == old->v[k].kind && longest[i][k] == longest[i + 1][k + 1] + 1) {
            from[i] = (int)k;
            used[k++] = true;
            placed++;
        }
    }
    /* What was moved, then what has another type. */
    for (int same = 1; same >= 0; same--)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < m && from[i] == MIGRATE_NEW; k++)
                if (!used[k] &&
                    (same ? kinds[i] == old->v[k].kind : may_become(old->v[k].kind, kinds[i]))) {
                    from[i] = (int)k;
                    used[k] = true;
                    placed++;
                }
    return placed;
}

static int fail_range(const struct cfz_value *from, enum cfz_kind to, size_t i,
                      struct cfz_error *err)
{
    if (cfz_kind_is_signed(from->kind))
        return cfz_fail(err, CFZ_ETYPE, "value %zu: %s %lld out of range of %s", i + 1,
                        cfz_kind_name(from->kind), (long long)cfz_value_int(from),
                        cfz_kind_name(to));
    return cfz_fail(err, CFZ_ETYPE, "value %zu: %s %llu out of range of %s", i + 1,
                    cfz_kind_name(from->kind), (unsigned long long)from->bits, cfz_kind_name(to));
}

/* Makes v, of its kind, the value that from is; i counts the parameters. */
static int convert(const struct cfz_value *from, struct cfz_value *v, size_t i,
                   struct cfz_error *err)
{
    unsigned width = cfz_kind_width(v->kind);
    bool negative = cfz_kind_is_signed(from->kind) && cfz_value_int(from) < 0;

    if (cfz_kind_is_slot(v->kind))
        return cfz_value_set_bytes(v, from->data, from->len, err);
    if (from->kind == v->kind) {
        v->bits = from->bits;
    } else if (cfz_kind_is_float(v->kind)) {
        cfz_value_set_float(v, cfz_value_float(from));
    } else if (cfz_kind_is_signed(v->kind)) {
        int64_t max = INT64_MAX >> (64 - width), number = cfz_value_int(from);

        if (negative ? number < -max - 1 : from->bits > (uint64_t)max)
            return fail_range(from, v->kind, i, err);
        v->bits = from->bits;
    } else {
        if (negative || from->bits > UINT64_MAX >> (64 - width))
            return fail_range(from, v->kind, i, err);
        v->bits = from->bits;
    }
    return 0;
}

int migrate_values(const struct cfz_values *old, const enum cfz_kind *kinds, size_t n,
                   const int *from, struct cfz_values *out, struct cfz_error *err)
{
    struct cfz_values made = CFZ_VALUES_INIT;
    int ret = cfz_values_zero(&made, kinds, n, err);

    for (size_t i = 0; ret == 0 && i < n; i++)
        if (from[i] != MIGRATE_NEW)
            ret = convert(&old->v[from[i]], &made.v[i], i, err);
    if (ret == 0)
        ret = cfz_values_check(&made, kinds, n, err);
    if (ret == 0)
        cfz_values_swap(out, &made);
    cfz_values_release(&made);
    return ret;
}
