/*
 * trace_cmp.c - comparisons of objects that the plugin did not compile: clang's and gcc's
 * -fsanitize-coverage=trace-cmp, and divisors, of trace-div.
 *
 * Their callbacks feed the same trace as the hooks of copies; where they are called from is the
 * place (trace_places.h). A callback does not say how two numbers are compared, so each place has
 * two sites: one asks whether they are equal, the other whether the first is greater.
 *
 * A sanitizer's runtime has weak callbacks that do nothing. These are linked in their stead where
 * something asks for cfz_trace_cmp_linked.
 */
#include "coverage/trace_places.h"

enum {
    CASES = 1 << 13, /* of all switches */
};

static struct cfz_case cases[CASES];
static uint32_t ncases;

/* The driver names this, so that these callbacks are linked where a sanitizer has empty ones. */
extern const char cfz_trace_cmp_linked;
const char cfz_trace_cmp_linked = 1;

static uint64_t sign_extend(uint64_t v, unsigned width)
{
    return width >= 64 ? v : (uint64_t)((int64_t)(v << (64 - width)) >> (64 - width));
}

/* A divisor, of which is asked whether it is 0. */
static void divided(uintptr_t pc, unsigned width, uint64_t divisor)
{
    bool fresh;
    struct cfz_site *s = cfz_place_site(pc, CFZ_SITE_INT, CFZ_REL_EQUAL, width, &fresh);

    if (!s)
        return;
    if (fresh)
        s->flags = CFZ_SITE_CONST_B;
    cfuzz_trace_number(s, divisor, 0);
}

/* What the place compares, asked in two ways. constant: a is one of the program. */
static void compared(uintptr_t pc, enum cfz_site_kind kind, unsigned width, uint64_t a, uint64_t b,
                     bool constant)
{
    static const uint8_t predicates[] = {CFZ_REL_EQUAL, CFZ_REL_GREATER};

    for (unsigned k = 0; k < 2; k++) {
        bool fresh;
        struct cfz_site *s = cfz_place_site(pc, kind, predicates[k], width, &fresh);

        if (!s)
            return;
        if (fresh && constant) {
            /* A constant with its highest bit set is more often negative than large. */
            s->flags = CFZ_SITE_CONST_A;
            if (kind == CFZ_SITE_INT && a >> (width - 1) & 1)
                s->flags |= CFZ_SITE_SIGNED;
        }
        if (s->flags & CFZ_SITE_SIGNED)
            cfuzz_trace_number(s, sign_extend(a, width), sign_extend(b, width));
        else
            cfuzz_trace_number(s, a, b);
    }
}

/* The names are the compilers'; nothing else calls these. */
#define HOOK(name, ...)                                                                            \
    void __sanitizer_cov_##name(__VA_ARGS__);                                                      \
    void __sanitizer_cov_##name(__VA_ARGS__)

#define PLACE ((uintptr_t)__builtin_return_address(0))

#define CMP(name, type, constant)                                                                  \
    HOOK(name, type a, type b)                                                                     \
    {                                                                                              \
        if (__builtin_expect(cfz_places_traced, 0))                                                \
            compared(PLACE, CFZ_SITE_INT, 8 * sizeof(type), a, b, constant);                       \
    }

CMP(trace_cmp1, uint8_t, false)
CMP(trace_cmp2, uint16_t, false)
CMP(trace_cmp4, uint32_t, false)
CMP(trace_cmp8, uint64_t, false)
CMP(trace_const_cmp1, uint8_t, true)
CMP(trace_const_cmp2, uint16_t, true)
CMP(trace_const_cmp4, uint32_t, true)
CMP(trace_const_cmp8, uint64_t, true)

#define DIV(name, type)                                                                            \
    HOOK(name, type divisor)                                                                       \
    {                                                                                              \
        if (__builtin_expect(cfz_places_traced, 0))                                                \
            divided(PLACE, 8 * sizeof(type), divisor);                                             \
    }

DIV(trace_div4, uint32_t)
DIV(trace_div8, uint64_t)

HOOK(trace_cmpf, float a, float b)
{
    union {
        float f;
        uint32_t bits;
    } x = {a}, y = {b};

    if (__builtin_expect(cfz_places_traced, 0))
        compared(PLACE, CFZ_SITE_FLOAT, 32, x.bits, y.bits, false);
}

HOOK(trace_cmpd, double a, double b)
{
    union {
        double f;
        uint64_t bits;
    } x = {a}, y = {b};

    if (__builtin_expect(cfz_places_traced, 0))
        compared(PLACE, CFZ_SITE_FLOAT, 64, x.bits, y.bits, false);
}

/* The values of a switch in the order that cfz_site.cases has. */
static void add_cases(struct cfz_site *s, const uint64_t *values, uint64_t n, uint64_t mask)
{
    if (n == 0 || n > CASES - ncases)
        return; /* a switch without cases has no goals */
    s->cases = &cases[ncases];
    s->ncases = (uint32_t)n;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t at = ncases + (uint32_t)i;

        for (; at > ncases && cases[at - 1].value > (values[i] & mask); at--)
            cases[at] = cases[at - 1];
        cases[at] = (struct cfz_case){.value = values[i] & mask};
    }
    ncases += (uint32_t)n;
}

/* known: how many values, how many bits of them matter, the values. */
static void chosen(uintptr_t pc, uint64_t value, const uint64_t *known)
{
    unsigned width = known[1] >= 2 && known[1] <= 64 ? (unsigned)known[1] : 64;
    uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    bool fresh;
    struct cfz_site *s = cfz_place_site(pc, CFZ_SITE_SWITCH, 0, width, &fresh);

    if (!s)
        return;
    if (fresh)
        add_cases(s, known + 2, known[0], mask);
    if (s->ncases > 0)
        cfuzz_trace_switch(s, value & mask);
}

HOOK(trace_switch, uint64_t value, uint64_t *known)
{
    if (__builtin_expect(cfz_places_traced, 0))
        chosen(PLACE, value, known);
}
