/*
 * seed.c - cfuzz_add: which argument is which value, and whether it fits.
 */
#include "target/seed.h"

#include <string.h>

#include "core/buf.h"
#include "core/shmem.h"

/* One value as the caller wrote it: one argument, or pointer and size of a []byte. */
struct given {
    const struct cfuzz_arg *arg;
    const struct cfuzz_arg *size; /* of a []byte, else NULL */
};

static bool is_pointer(const struct cfuzz_arg *a)
{
    return a->kind == CFUZZ_ARG_TEXT || a->kind == CFUZZ_ARG_DATA;
}

static bool is_integer(const struct cfuzz_arg *a)
{
    return a->kind == CFUZZ_ARG_INT || a->kind == CFUZZ_ARG_UINT;
}

/*
 * Groups arguments into values; returns how many, at most nargs. A pointer and an
 * integer are one []byte where the test wants one there, and for data pointers
 * always, since nothing else takes them.
 */
static size_t group(const struct cfuzz_arg *args, size_t nargs, const enum cfz_kind *kinds,
                    size_t n, struct given *out)
{
    size_t count = 0;

    for (size_t i = 0; i < nargs; i++, count++) {
        bool bytes =
            args[i].kind == CFUZZ_ARG_DATA || (count < n && cfz_kind_is_bytes(kinds[count]));

        out[count].arg = &args[i];
        out[count].size = NULL;
        if (is_pointer(&args[i]) && bytes && i + 1 < nargs && is_integer(&args[i + 1]))
            out[count].size = &args[++i];
    }
    return count;
}

static bool has_data(const struct cfuzz_arg *args, size_t nargs)
{
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == CFUZZ_ARG_DATA)
            return true;
    return false;
}

/* What Go would call the type of a value that was given. */
static const char *type_name(const struct given *g)
{
    static const char *const ints[] = {"int8", "int16", "int", "int64"};
    static const char *const uints[] = {"uint8", "uint16", "uint", "uint64"};
    unsigned log2 = g->arg->width >= 64 ? 3 : g->arg->width >= 32 ? 2 : g->arg->width >= 16;

    switch (g->arg->kind) {
    case CFUZZ_ARG_BOOL:
        return "bool";
    case CFUZZ_ARG_INT:
        return ints[log2];
    case CFUZZ_ARG_UINT:
        return uints[log2];
    case CFUZZ_ARG_FLOAT:
        return g->arg->width == 32 ? "float32" : "float64";
    case CFUZZ_ARG_TEXT:
        return g->size ? "[]uint8" : "string";
    default:
        return g->size ? "[]uint8" : "unsafe.Pointer";
    }
}

/* Whether a value can become one of a kind; its range is not looked at. */
static bool kind_fits(const struct given *g, enum cfz_kind kind)
{
    switch (cfz_kind_family(kind)) {
    case CFZ_FAMILY_BYTES:
        return g->size != NULL;
    case CFZ_FAMILY_STRING:
        return g->arg->kind == CFUZZ_ARG_TEXT && !g->size;
    case CFZ_FAMILY_BOOL: /* true is an int in C before C23 */
        return g->arg->kind == CFUZZ_ARG_BOOL || (is_integer(g->arg) && g->arg->v.u <= 1);
    case CFZ_FAMILY_FLOAT:
        return g->arg->kind == CFUZZ_ARG_FLOAT;
    default:
        return is_integer(g->arg);
    }
}

static int mismatch(const struct given *given, const enum cfz_kind *kinds, size_t n,
                    struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ok = cfz_buf_puts(&text, "mismatched types in corpus entry: [", NULL);

    for (size_t i = 0; i < n; i++)
        ok |= cfz_buf_printf(&text, NULL, "%s%s", i ? " " : "", type_name(&given[i]));
    ok |= cfz_buf_puts(&text, "], want [", NULL);
    for (size_t i = 0; i < n; i++)
        ok |= cfz_buf_printf(&text, NULL, "%s%s", i ? " " : "", cfz_kind_go_name(kinds[i]));
    ok |= cfz_buf_puts(&text, "]", NULL);
    if (ok < 0)
        cfz_fail(err, CFZ_ENOMEM, "seed: out of memory");
    else
        cfz_fail(err, CFZ_ETYPE, "%s", cfz_buf_str(&text));
    cfz_buf_release(&text);
    return -1;
}

/* Whether an integer fits a kind; *bits gets its 64-bit form. */
static bool integer_bits(const struct cfuzz_arg *a, enum cfz_kind kind, uint64_t *bits)
{
    unsigned width = cfz_kind_c_width(kind);
    bool negative = a->kind == CFUZZ_ARG_INT && a->v.i < 0;

    *bits = a->v.u;
    if (cfz_kind_is_signed(kind)) {
        int64_t max = (int64_t)(UINT64_MAX >> 1 >> (64 - width));

        return negative ? a->v.i >= -max - 1 : a->v.u <= (uint64_t)max;
    }
    return !negative && a->v.u <= UINT64_MAX >> (64 - width);
}

static int bind_integer(struct cfz_value *v, const struct cfuzz_arg *a, size_t i,
                        struct cfz_error *err)
{
    if (integer_bits(a, v->kind, &v->bits))
        return 0;
    if (a->kind == CFUZZ_ARG_INT)
        return cfz_fail(err, CFZ_ETYPE, "value %zu: %lld out of range of %s", i + 1,
                        (long long)a->v.i, cfz_kind_name(v->kind));
    return cfz_fail(err, CFZ_ETYPE, "value %zu: %llu out of range of %s", i + 1,
                    (unsigned long long)a->v.u, cfz_kind_name(v->kind));
}

static int bind_float(struct cfz_value *v, double d, size_t i, struct cfz_error *err)
{
    cfz_value_set_float(v, d);
    /* An infinity stays one, but a number must not become one. */
    if (__builtin_isinf(cfz_value_float(v)) && !__builtin_isinf(d))
        return cfz_fail(err, CFZ_ETYPE, "value %zu: %g out of range of %s", i + 1, d,
                        cfz_kind_name(v->kind));
    return 0;
}

static int bind_bytes(struct cfz_value *v, const struct given *g, size_t i, struct cfz_error *err)
{
    const char *data = g->arg->v.p;
    uint64_t len;

    if (!g->size)
        len = data ? strlen(data) : 0;
    else if (g->size->kind == CFUZZ_ARG_INT && g->size->v.i < 0)
        return cfz_fail(err, CFZ_ETYPE, "value %zu: []byte of %lld bytes", i + 1,
                        (long long)g->size->v.i);
    else
        len = g->size->v.u;
    if (!data && (len > 0 || cfz_kind_is_string(v->kind)))
        return cfz_fail(err, CFZ_ETYPE, "value %zu: %s is a null pointer", i + 1,
                        cfz_kind_name(v->kind));
    if (len > cfz_slot_max(v->kind))
        return cfz_fail(err, CFZ_ETYPE, "value %zu: %s of %llu bytes is longer than %zu", i + 1,
                        cfz_kind_name(v->kind), (unsigned long long)len, cfz_slot_max(v->kind));
    return cfz_value_set_bytes(v, data, len, err);
}

static int bind_one(struct cfz_value *v, const struct given *g, size_t i, struct cfz_error *err)
{
    switch (cfz_kind_family(v->kind)) {
    case CFZ_FAMILY_BYTES:
    case CFZ_FAMILY_STRING:
        return bind_bytes(v, g, i, err);
    case CFZ_FAMILY_BOOL:
        v->bits = g->arg->v.u & 1;
        return 0;
    case CFZ_FAMILY_FLOAT:
        return bind_float(v, g->arg->v.d, i, err);
    default:
        return bind_integer(v, g->arg, i, err);
    }
}

int cfz_seed_bind(const struct cfuzz_arg *args, size_t nargs, const enum cfz_kind *kinds, size_t n,
                  struct cfz_values *vs, struct cfz_error *err)
{
    struct given given[2 * CFZ_VALUES_MAX];
    struct cfz_values out = CFZ_VALUES_INIT;
    size_t count;

    if (nargs > sizeof given / sizeof given[0])
        return cfz_fail(err, CFZ_ETYPE, "wrong number of values in corpus entry: %zu, want %zu",
                        nargs, n);
    count = group(args, nargs, kinds, n, given);
    /* For a []byte and a number, "hello", 50 more likely means one value each. */
    if (count != n && nargs == n && !has_data(args, nargs)) {
        group(args, nargs, NULL, 0, given);
        return mismatch(given, kinds, n, err);
    }
    if (count != n)
        return cfz_fail(err, CFZ_ETYPE, "wrong number of values in corpus entry: %zu, want %zu",
                        count, n);
    for (size_t i = 0; i < n; i++)
        if (!kind_fits(&given[i], kinds[i]))
            return mismatch(given, kinds, n, err);
    for (size_t i = 0; i < n; i++) {
        struct cfz_value *v = cfz_values_push(&out, kinds[i]);

        if (!v) {
            cfz_fail(err, CFZ_ENOMEM, "seed: out of memory");
            goto fail;
        }
        if (bind_one(v, &given[i], i, err) < 0)
            goto fail;
    }
    cfz_values_swap(vs, &out);
    cfz_values_release(&out);
    return 0;
fail:
    cfz_values_release(&out);
    return -1;
}
