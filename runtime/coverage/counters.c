/*
 * counters.c - what modules announce, and the scan after each execution.
 *
 * Invariants:
 *   1. Regions are only added, and the base of a region never changes.
 *   2. A group (the functions of one module) has its counters in one region.
 *   3. Spans are scanned whole: the counters that no group covers, from objects compiled without
 *      the plugin, and regions of small modules. A module of middle size is scanned whole or by
 *      its flags, whatever takes less at present; the result is the same.
 *   4. The module that a region or group lies in stays mapped.
 *   5. Whoever reads a counter clears it in the same step. So each is reported at most once per
 *      collect, also when a scan runs into the next function.
 *
 * The hooks run in any context: before constructors, in any thread, inside malloc.
 */
#define _GNU_SOURCE
#include "coverage/counters.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abi.h"
#include "core/protocol.h"
#include "coverage/buckets.h"
#include "coverage/depth.h"
#include "coverage/processor.h"
#include "coverage/skip_zeros.h"
#include "coverage/take_known.h"

enum {
    MODULES_MAX = 512, /* regions, and groups; guessed: far more than any process loads */
    /* Counters of a module that are scanned whole: to find out which of its functions ran takes as
     * long, and the processor guesses wrong how many did. */
    SMALL = 1024,
    /* Larger ones of up to so many may be scanned whole, too, on a processor with registers of 512
     * bits. That is decided by a sample of so many collects, which begins now and then. */
    MIDDLE = 1 << 16,
    SAMPLE = 64,
    SAMPLE_EVERY = 1 << 14,
    /* What a sample is judged by, in cycles: fitted to five libraries of 4,000 to 19,000 counters
     * (docs/decisions/133). */
    COST_FUNCTION = 14,  /* a function that ran, by its flag */
    COST_FLAGS = 8,      /* so many flags are one */
    COST_PIECE = 15,     /* a piece of 256 counters, with some that counted */
    COST_PIECE_ZERO = 3, /* and one without */
    PIECE = 256,
    LONG = 128,       /* counters on end that are looked at in blocks of 64 first. Guessed */
    READ_BEYOND = 64, /* bytes: words are read that lie beyond the byte of the last counter */
};

/* The counters of one module. */
struct region {
    uint8_t *start, *end;
    size_t base;          /* index of the first counter */
    const uintptr_t *pcs; /* {pc, flags} of each; NULL: nobody tells */
    bool whole;           /* its flags are not looked at now */
    uint32_t nflags;      /* of its functions, in all groups */
    uint32_t ran;         /* functions that ran, by their flags, since the sample began */
};

/* The functions of one module: a flag and a record for each. */
struct group {
    uint8_t *flags;
    size_t nflags; /* that are looked at */
    const struct cfz_func_rec *recs;
    size_t nrecs;
    struct region *region; /* set by prepare */
};

/* Counters in a row that are scanned whole: always, or only while their region is. */
enum scanned { SCANNED_ALWAYS, SCANNED_BY_FLAGS, SCANNED_WHOLE };
struct span {
    uint8_t *start;
    size_t len;
    const struct region *region;
    enum scanned when;
};

static struct region regions[MODULES_MAX];
static size_t nregions;
static struct group groups[MODULES_MAX];
static size_t ngroups;
static size_t nprepared; /* so many of the groups, the first, have their region */
static struct span *spans;
static size_t nspans, spans_room;
static size_t total; /* counters of all regions */

/* What modules of middle size are scanned by, and for how many collects more. */
enum phase {
    SETTLED,   /* what the sample said */
    FLAGS_OLD, /* their flags, which also tell what ran while they were scanned whole */
    SAMPLING   /* their flags, and what ran is counted */
};
static enum phase phase;
static uint32_t phase_left;

static struct region *announced; /* the last one that was, again or not; NULL: it is not kept */

/* Stand for the steps of the stack's depth, a bit each; nothing counts there. */
static uint8_t depth_counters[CFZ_DEPTH_STEPS / 8];
static const struct region *depth_region; /* NULL: nobody tells how deep the stack is */

_Atomic bool cfz_counters_announced;

/* What went wrong in a hook. A hook cannot report it, so cfz_counters_prepare does. */
static uint32_t wrong_abi; /* the version of the object; 0: none was wrong */
static bool too_many;

/* ---- hooks ------------------------------------------------------------------ */

/*
 * Keeps the module that p lies in loaded. False if it cannot: the module may be unloaded some time
 * without our noticing, so it has no coverage.
 */
static bool keep_loaded(const void *p)
{
    Dl_info module, program;

    if (!dladdr(p, &module) || !dladdr(&total, &program))
        return true; /* a static executable: there is nothing to unload */
    if (module.dli_fbase == program.dli_fbase)
        return true;
    /* Nobody closes this handle: that keeps the module. */
    return dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
}

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
    announced = NULL;
    if (start >= end)
        return;
    for (size_t i = 0; i < nregions; i++)
        if (regions[i].start == start) {
            announced = &regions[i];
            return;
        }
    if (nregions == MODULES_MAX) {
        too_many = true;
        return;
    }
    if (!keep_loaded(start))
        return;
    regions[nregions].start = start;
    regions[nregions].end = end;
    regions[nregions].base = total;
    total += (size_t)(end - start);
    announced = &regions[nregions];
    nregions++;
    atomic_store_explicit(&cfz_counters_announced, true, memory_order_release);
}

/* The constructor that announces counters announces this table next. */
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
    if (announced && (size_t)(end - start) == 2 * (size_t)(announced->end - announced->start))
        announced->pcs = start;
}

void cfuzz_depth_init(uint32_t abi)
{
    if (abi != CFUZZ_ABI || depth_region || nregions == MODULES_MAX)
        return; /* the counters of the same object report a wrong version */
    __sanitizer_cov_8bit_counters_init(depth_counters, depth_counters + sizeof depth_counters);
    depth_region = &regions[nregions - 1];
    announced = NULL;
}

void cfuzz_module_init(uint32_t abi, uint8_t *flags, uint8_t *flags_end,
                       const struct cfz_func_rec *recs, const struct cfz_func_rec *recs_end)
{
    if (abi != CFUZZ_ABI) {
        wrong_abi = abi ? abi : UINT32_MAX;
        return;
    }
    if (flags >= flags_end)
        return;
    for (size_t i = 0; i < ngroups; i++)
        if (groups[i].flags == flags)
            return;
    if (ngroups == MODULES_MAX) {
        too_many = true;
        return;
    }
    if (!keep_loaded(flags))
        return;
    groups[ngroups].flags = flags;
    groups[ngroups].nflags = (size_t)(flags_end - flags);
    groups[ngroups].recs = recs;
    groups[ngroups].nrecs = (size_t)(recs_end - recs);
    ngroups++;
    atomic_store_explicit(&cfz_counters_announced, true, memory_order_release);
}

static void choose_way(void);
static void begin_sample(void);

/* ---- preparing ---------------------------------------------------------------- */

/* The first counter of a function. */
static uint8_t *rec_start(const struct cfz_func_rec *r)
{
    return (uint8_t *)(uintptr_t)r + r->counters;
}

/* The region that a counter lies in, or NULL. */
static struct region *region_of(const uint8_t *counter)
{
    for (size_t i = 0; i < nregions; i++)
        if (counter >= regions[i].start && counter < regions[i].end)
            return &regions[i];
    return NULL;
}

/* Whether a region is a span. */
static bool is_small(const struct region *r)
{
    return r->end - r->start <= SMALL;
}

/* Whether it may be one. */
static bool is_middle(const struct region *r)
{
    return !is_small(r) && r->end - r->start <= MIDDLE && r->nflags > 0 &&
           cfz_processor() == CFZ_PROCESSOR_AVX512;
}

/* Finds the region of a group and checks that all of its functions lie in it. Flags of a small one are
 * not looked at. */
static int settle_group(struct group *g, struct cfz_error *err)
{
    struct region *r = NULL;

    if (g->nflags != g->nrecs)
        return cfz_fail(err, CFZ_EFORMAT,
                        "coverage of a module: %zu function flags, but %zu records", g->nflags,
                        g->nrecs);
    for (size_t i = 0; i < g->nrecs; i++) {
        const uint8_t *at = rec_start(&g->recs[i]);

        if (g->recs[i].n == 0)
            continue;
        if (!r)
            r = region_of(at);
        if (!r || at < r->start || (size_t)(r->end - at) < g->recs[i].n)
            return cfz_fail(err, CFZ_EFORMAT,
                            "coverage of a module: the counters of function %zu are not where its "
                            "record says",
                            i);
    }
    g->region = r;
    if (r && is_small(r))
        g->nflags = 0;
    if (r)
        r->nflags += (uint32_t)g->nflags;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Adds [start, end) to spans, unless it is empty. */
static int add_span(uint8_t *start, const uint8_t *end, const struct region *r, enum scanned when,
                    struct cfz_error *err)
{
    if (start >= end)
        return 0;
    if (nspans == spans_room) {
        size_t room = spans_room ? spans_room * 2 : 64;
        struct span *p = realloc(spans, room * sizeof *p);

        if (!p)
            return cfz_fail(err, CFZ_ENOMEM, "coverage of a module: out of memory");
        spans = p;
        spans_room = room;
    }
    spans[nspans].start = start;
    spans[nspans].len = (size_t)(end - start);
    spans[nspans].region = r;
    spans[nspans].when = when;
    nspans++;
    return 0;
}

/* Adds the parts of a region that no group covers to spans, or all of a small one. */
static int add_uncovered(const struct region *r, struct cfz_error *err)
{
    struct span *funcs = NULL;
    size_t n = 0, at = 0;
    uint8_t *from = r->start;
    enum scanned when = is_middle(r) ? SCANNED_BY_FLAGS : SCANNED_ALWAYS;
    int ret = -1;

    if (is_small(r))
        return add_span(r->start, r->end, r, SCANNED_ALWAYS, err);
    if (when == SCANNED_BY_FLAGS && add_span(r->start, r->end, r, SCANNED_WHOLE, err) < 0)
        return -1;
    /* The functions that have counters in r, by address. */
    for (size_t i = 0; i < ngroups; i++)
        if (groups[i].region == r)
            n += groups[i].nrecs;
    if (n > 0) {
        funcs = malloc(n * sizeof *funcs);
        if (!funcs)
            return cfz_fail(err, CFZ_ENOMEM, "coverage of a module: out of memory");
    }
    for (size_t i = 0; i < ngroups; i++) {
        if (groups[i].region != r)
            continue;
        for (size_t k = 0; k < groups[i].nrecs; k++, at++) {
            funcs[at].start = rec_start(&groups[i].recs[k]);
            funcs[at].len = groups[i].recs[k].n;
        }
    }
    if (n > 0)
        qsort(funcs, n, sizeof *funcs, by_start);

    /* Adds the gaps between them, and what follows the last. from is the end of what is covered. */
    for (size_t i = 0; i < n; i++) {
        if (funcs[i].len == 0)
            continue;
        if (add_span(from, funcs[i].start, r, when, err) < 0)
            goto out;
        if (funcs[i].start + funcs[i].len > from)
            from = funcs[i].start + funcs[i].len;
    }
    ret = add_span(from, r->end, r, when, err);
out:
    free(funcs);
    return ret;
}

int cfz_counters_prepare(struct cfz_error *err)
{
    atomic_store_explicit(&cfz_counters_announced, false, memory_order_relaxed);
    if (wrong_abi)
        return cfz_fail(err, CFZ_EFORMAT,
                        "an object was compiled for version %u of cfuzz's interface, this runtime "
                        "has version %u: compile it again",
                        wrong_abi, (unsigned)CFUZZ_ABI);
    if (too_many)
        return cfz_fail(err, CFZ_EFORMAT, "more than %d modules have coverage counters",
                        MODULES_MAX);
    for (; nprepared < ngroups; nprepared++)
        if (settle_group(&groups[nprepared], err) < 0)
            return -1;
    cfz_skip_zeros_init();
    cfz_take_known_init();
    choose_way();
    nspans = 0;
    begin_sample();
    for (size_t i = 0; i < nregions; i++)
        if (&regions[i] != depth_region && add_uncovered(&regions[i], err) < 0)
            return -1;
    return 0;
}

size_t cfz_counters_total(void)
{
    return total;
}

unsigned cfz_counters_build(void)
{
    return (nregions ? CFZ_BUILD_COUNTERS : 0U) | (ngroups ? CFZ_BUILD_FUNC_FLAGS : 0U);
}

/* Maps memory that a guard and its workers share. NULL if it cannot. */
static void *map_bytes(size_t len)
{
    void *p =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

int cfz_seen_map(struct cfz_seen *s, const uint8_t *mask, size_t mask_len, struct cfz_error *err)
{
    size_t n = total > mask_len ? total : mask_len;
    size_t pad = n + READ_BEYOND;

    memset(s, 0, sizeof *s);
    s->own = map_bytes(pad);
    s->scratch = map_bytes(pad);
    s->bits = map_bytes(pad * sizeof *s->bits);
    s->held = map_bytes(pad * sizeof *s->held);
    if (!s->own || !s->scratch || !s->bits || !s->held)
        return cfz_fail_errno(err, "map memory for %zu counters", n);
    s->mask = mask;
    s->mask_len = mask_len;
    s->n = n;
    return 0;
}

/* ---- scanning ------------------------------------------------------------------ */

/* Load and store 8 counters at any address, with one instruction. */
static inline uint64_t load8(const uint8_t *p)
{
    uint64_t w;

    __builtin_memcpy(&w, p, sizeof w);
    return w;
}

static inline void store8(uint8_t *p, uint64_t w)
{
    __builtin_memcpy(p, &w, sizeof w);
}

/* Whether s has room for all counters of r. A region that came after cfz_seen_map may be too
 * big. */
static inline bool has_room(const struct cfz_seen *s, const struct region *r)
{
    return r->base + (size_t)(r->end - r->start) <= s->n;
}

/*
 * Adds the bits of up to 8 counters to s->bits. fresh has those that own lacks, a byte for each
 * counter, and the lowest byte is that of counter index. What the mask has is not new; own takes
 * it over, so that it does not come here again.
 */
static __attribute__((noinline, cold)) void report(struct cfz_seen *s, size_t index, uint64_t fresh,
                                                   bool all)
{
    for (; fresh; fresh >>= 8, index++) {
        uint8_t b = (uint8_t)fresh;
        uint8_t ignored =
            0; /* bits that are not new: the mask has them, or has no place for them */

        if (!b)
            continue;
        if (index >= s->n)
            return; /* announced after cfz_seen_map */
        if (!all) {
            if (index >= s->mask_len)
                ignored = b;
            else if (s->mask)
                ignored = __atomic_load_n(&s->mask[index], __ATOMIC_RELAXED) & b;
            s->own[index] |= ignored;
            b &= (uint8_t)~ignored;
            if (!b)
                continue;
        }
        s->bits[s->nbits].index = (uint32_t)index;
        s->bits[s->nbits].bits = b;
        s->nbits++;
    }
}

/*
 * Takes the bytes p[0..n), n from 1 to 7, as a number with the first one lowest, and clears them.
 * The parts that it takes may overlap, so it loads all before it clears any.
 */
static inline uint64_t take_few(uint8_t *p, size_t n)
{
    uint64_t w;

    if (n >= 4) {
        uint32_t a, b, none = 0;

        __builtin_memcpy(&a, p, 4);
        __builtin_memcpy(&b, p + n - 4, 4);
        w = a | (uint64_t)b << 8 * (n - 4);
        __builtin_memcpy(p, &none, 4);
        __builtin_memcpy(p + n - 4, &none, 4);
    } else {
        w = p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
        p[0] = p[n / 2] = p[n - 1] = 0;
    }
    return w;
}

/* WIDE counters at a step, in whatever registers the compiler has for four words. */
typedef uint64_t wide __attribute__((vector_size(32)));
enum { WIDE = sizeof(wide) };

/* Takes WIDE counters at p and clears them. The first has the given index. */
static inline __attribute__((always_inline)) void scan_wide(struct cfz_seen *s, uint8_t *p,
                                                            size_t index, bool all)
{
    wide w, own;

    __builtin_memcpy(&w, p, WIDE);
    __builtin_memset(p, 0, WIDE);
    CFZ_BUCKETS(w);
    if (!all) {
        __builtin_memcpy(&own, s->own + index, WIDE);
        w &= ~own;
    }
    if (__builtin_expect((w[0] | w[1] | w[2] | w[3]) != 0, 0))
        for (unsigned i = 0; i < WIDE / 8; i++)
            report(s, index + 8 * i, w[i], all);
}

/*
 * Scans and clears len counters from p on. They lie in [start, end), whose first counter has the
 * index base. Other counters there may be taken with them.
 */
static inline __attribute__((always_inline)) void scan(struct cfz_seen *s, uint8_t *start,
                                                       uint8_t *end, size_t base, uint8_t *p,
                                                       size_t len, bool all)
{
    const uint8_t *own = s->own + base;
    uint8_t *stop = p + len;

    if (__builtin_expect(end - start >= WIDE, 1)) {
        for (; p < stop; p += WIDE) {
            if (stop - p >= LONG) {
                p += all ? cfz_skip_zeros(p, (size_t)(stop - p))
                         : cfz_take_known(p, own + (p - start), (size_t)(stop - p));
                if (p >= stop)
                    break;
            }
            if (end - p < WIDE) /* steps back: counters before p are zero by now, or count again */
                p = end - WIDE;
            scan_wide(s, p, base + (size_t)(p - start), all);
        }
        return;
    }
    for (; p < stop; p += 8) {
        size_t room = (size_t)(end - p), at = (size_t)(p - start);
        uint64_t w, fresh;

        if (room >= 8) {
            w = load8(p);
            store8(p, 0);
        } else {
            w = take_few(p, room); /* what follows is not ours */
        }
        fresh = w;
        CFZ_BUCKETS(fresh);
        if (!all)
            fresh &= ~load8(own + at);
        if (__builtin_expect(fresh != 0, 0))
            report(s, base + at, fresh, all);
    }
}

/* Scans the functions of a group whose flag is set. f has 8 flags, those of functions from i on. */
static inline __attribute__((always_inline)) void
scan_flagged(struct cfz_seen *s, const struct group *g, size_t i, uint64_t f, bool all)
{
    struct region *r = g->region;

    f &= 0x0101010101010101U;
    for (; f; f &= f - 1) {
        const struct cfz_func_rec *rec = &g->recs[i + (size_t)(__builtin_ctzll(f) >> 3)];
        uint8_t *p = rec_start(rec);

        if (rec->n == 0)
            continue;
        r->ran++;
        scan(s, r->start, r->end, r->base, p, rec->n, all);
    }
}

/* ---- whole, or by flags --------------------------------------------------------------- */

/* Whether scanning a region whole takes less than by its flags, as the sample says. */
static bool is_cheaper_whole(const struct region *r)
{
    uint64_t pieces = (uint64_t)(r->end - r->start) / PIECE + 1, ran = r->ran / SAMPLE;
    uint64_t counted = ran < pieces ? ran : pieces;

    return counted * COST_PIECE + (pieces - counted) * COST_PIECE_ZERO <
           ran * COST_FUNCTION + r->nflags / COST_FLAGS;
}

/* The next collects are by flags. */
static void begin_sample(void)
{
    for (size_t i = 0; i < nregions; i++)
        regions[i].whole = false;
    phase = FLAGS_OLD;
    phase_left = 1;
}

/* After a collect, the last of its phase. */
static __attribute__((noinline, cold)) void next_phase(void)
{
    if (phase == SETTLED) {
        begin_sample();
        return;
    }
    for (size_t i = 0; i < nregions; i++) {
        regions[i].whole =
            phase == SAMPLING && is_middle(&regions[i]) && is_cheaper_whole(&regions[i]);
        regions[i].ran = 0;
    }
    phase_left = phase == SAMPLING ? SAMPLE_EVERY : SAMPLE;
    phase = phase == SAMPLING ? SETTLED : SAMPLING;
}

/* Reports the step of the depth. */
static __attribute__((noinline)) void collect_depth(struct cfz_seen *s, bool all)
{
    int step = cfz_depth_step(*s->frame);
    unsigned shift;
    uint64_t bit;
    size_t index;

    if (step < 0 || !has_room(s, depth_region))
        return;
    index = depth_region->base + (size_t)step / 64 * 8;
    shift = (unsigned)step % 64;
    bit = (uint64_t)1 << shift;
    if (!all)
        bit &= ~load8(s->own + index);
    report(s, index, bit, all);
}

/* Scans the functions that ran, then all spans. Leaves the bits in s. */
static inline __attribute__((always_inline)) size_t collect(struct cfz_seen *s, bool all)
{
    s->nbits = 0;
    for (size_t k = 0; k < nprepared; k++) {
        const struct group *g = &groups[k];
        size_t i = 0;

        if (g->region && (g->region->whole || !has_room(s, g->region)))
            continue;
        for (; i + 8 <= g->nflags; i += 8) {
            uint64_t f = load8(g->flags + i);

            if (f == 0) {
                /* Most of the functions of a large program did not run. */
                if (g->nflags - i >= CFZ_SKIP_ZEROS_BLOCK + 8)
                    i += cfz_skip_zeros(g->flags + i + 8, g->nflags - i - 8);
                continue;
            }
            store8(g->flags + i, 0);
            scan_flagged(s, g, i, f, all);
        }
        if (i < g->nflags)
            scan_flagged(s, g, i, take_few(g->flags + i, g->nflags - i), all);
    }
    for (size_t k = 0; k < nspans; k++) {
        const struct region *r = spans[k].region;
        uint8_t *start = spans[k].start;

        if (!has_room(s, r) ||
            (spans[k].when != SCANNED_ALWAYS && r->whole != (spans[k].when == SCANNED_WHOLE)))
            continue;
        scan(s, start, start + spans[k].len, r->base + (size_t)(start - r->start), start,
             spans[k].len, all);
    }
    if (__builtin_expect(depth_region != NULL, 0) && s->frame &&
        __sancov_lowest_stack != UINTPTR_MAX)
        collect_depth(s, all);
    if (__builtin_expect(--phase_left == 0, 0))
        next_phase();
    return s->nbits;
}

/* The same where all there is is one small module, which most tests of a function are. */
static inline __attribute__((always_inline)) size_t collect_one(struct cfz_seen *s)
{
    const struct region *r = &regions[0];

    s->nbits = 0;
    if (has_room(s, r))
        scan(s, r->start, r->end, 0, r->start, (size_t)(r->end - r->start), false);
    return s->nbits;
}

static size_t collect_plain(struct cfz_seen *s)
{
    return collect(s, false);
}

static size_t collect_one_plain(struct cfz_seen *s)
{
    return collect_one(s);
}

#if defined(__x86_64__)
/* As those, compiled for 256-bit registers. */
__attribute__((target("avx2"))) static size_t collect_avx2(struct cfz_seen *s)
{
    return collect(s, false);
}

__attribute__((target("avx2"))) static size_t collect_one_avx2(struct cfz_seen *s)
{
    return collect_one(s);
}
#endif

static size_t (*collect_best)(struct cfz_seen *s);
static enum cfz_counters_way best = CFZ_COUNTERS_WAYS; /* that many: not chosen yet */

bool cfz_counters_use(enum cfz_counters_way way)
{
    const bool one = nregions == 1 && &regions[0] != depth_region && is_small(&regions[0]);

    if (way == CFZ_COUNTERS_PLAIN)
        collect_best = one ? collect_one_plain : collect_plain;
#if defined(__x86_64__)
    else if (way == CFZ_COUNTERS_AVX2 && cfz_processor() >= CFZ_PROCESSOR_AVX2)
        collect_best = one ? collect_one_avx2 : collect_avx2;
#endif
    else
        return false;
    best = way;
    return true;
}

static void choose_way(void)
{
    if (best != CFZ_COUNTERS_WAYS)
        cfz_counters_use(best); /* again: there may be more modules */
    else if (!cfz_counters_use(CFZ_COUNTERS_AVX2))
        cfz_counters_use(CFZ_COUNTERS_PLAIN);
}

size_t cfz_counters_collect(struct cfz_seen *s)
{
    return collect_best(s);
}

size_t cfz_counters_collect_all(struct cfz_seen *s)
{
    return collect(s, true);
}

bool cfz_counters_beyond(uint8_t *known, size_t n)
{
    bool found = false;

    for (size_t i = 0; i < nregions; i++) {
        const struct region *r = &regions[i];
        size_t len = (size_t)(r->end - r->start);

        if (r->base >= n)
            continue;
        len = len < n - r->base ? len : n - r->base;
        for (size_t k = 0; k < len; k++) {
            if (len - k >= sizeof(uint64_t) && load8(r->start + k) == 0) {
                k += sizeof(uint64_t) - 1;
            } else if (r->start[k] != 0 && known[r->base + k] == 0) {
                known[r->base + k] = 1;
                found = true;
            }
        }
    }
    return found;
}

void cfz_counters_reset(void)
{
    for (size_t i = 0; i < nregions; i++)
        memset(regions[i].start, 0, (size_t)(regions[i].end - regions[i].start));
    for (size_t i = 0; i < ngroups; i++)
        memset(groups[i].flags, 0, groups[i].nflags);
    cfz_depth_forget();
}

/* ---- what was seen --------------------------------------------------------------- */

size_t cfz_counters_index(const uint8_t *counter)
{
    const struct region *r = region_of(counter);

    return r ? r->base + (size_t)(counter - r->start) : SIZE_MAX;
}

uint64_t cfz_counters_pc(size_t index)
{
    for (size_t i = 0; i < nregions; i++) {
        const struct region *r = &regions[i];
        const size_t at = index - r->base;

        if (index < r->base || at >= (size_t)(r->end - r->start))
            continue;
        if (!r->pcs || r->pcs[2 * at] == 0)
            return 0;
        return r->pcs[2 * at] | (r->pcs[2 * at + 1] & 1 ? CFZ_PC_FUNCTION : 0);
    }
    return 0;
}

/* Whether mask or own has any bit of a counter. */
static bool has_any(const struct cfz_seen *s, size_t index)
{
    if (index < s->n && s->own[index])
        return true;
    return s->mask && index < s->mask_len &&
           __atomic_load_n(&s->mask[index], __ATOMIC_RELAXED) != 0;
}

bool cfz_seen_has_counter(const struct cfz_seen *s, const uint8_t *counter)
{
    const struct region *r = region_of(counter);

    return r && has_any(s, r->base + (size_t)(counter - r->start));
}

bool cfz_seen_has_first(const struct cfz_seen *s)
{
    for (size_t i = 0; i < s->nbits; i++)
        if (!has_any(s, s->bits[i].index))
            return true;
    return false;
}

void cfz_seen_learn(struct cfz_seen *s)
{
    for (size_t i = 0; i < s->nbits; i++)
        s->own[s->bits[i].index] |= (uint8_t)s->bits[i].bits;
}

void cfz_seen_hold(struct cfz_seen *s)
{
    struct cfz_cov_bits *bits = s->held;

    s->held = s->bits;
    s->nheld = s->nbits;
    s->bits = bits;
    s->nbits = 0;
}

/* Those bits of a counter that no other worker's input has shown by now. */
static uint32_t unmerged(const struct cfz_seen *s, uint32_t index, uint32_t bits)
{
    return s->mask && index < s->mask_len
               ? bits & ~(uint32_t)__atomic_load_n(&s->mask[index], __ATOMIC_RELAXED)
               : bits;
}

/* Whether a counter stands for steps of the stack's depth. */
static bool is_depth(uint32_t index)
{
    return depth_region && index - depth_region->base < sizeof depth_counters;
}

size_t cfz_seen_confirm(struct cfz_seen *s)
{
    size_t n = 0;

    s->unstable = false;
    /* scratch: what the first collect has at each index. */
    for (size_t i = 0; i < s->nheld; i++)
        s->scratch[s->held[i].index] = (uint8_t)s->held[i].bits;
    cfz_seen_learn(s);
    /* Keeps in bits what both have, and clears scratch where the second has anything. */
    for (size_t i = 0; i < s->nbits; i++) {
        /* The first execution may have been traced, and then does not tell how deep it was. */
        bool depth = is_depth(s->bits[i].index);
        uint32_t first = depth ? s->bits[i].bits : s->scratch[s->bits[i].index];
        uint32_t both = s->bits[i].bits & first;

        s->unstable = s->unstable || unmerged(s, s->bits[i].index, s->bits[i].bits ^ first) != 0;
        s->scratch[s->bits[i].index] = 0;
        if (both) {
            s->bits[n].index = s->bits[i].index;
            s->bits[n].bits = both;
            n++;
        }
    }
    /* What is left in scratch, the first has alone. */
    for (size_t i = 0; i < s->nheld; i++) {
        s->own[s->held[i].index] |= (uint8_t)s->held[i].bits;
        s->unstable =
            s->unstable || unmerged(s, s->held[i].index, s->scratch[s->held[i].index]) != 0;
        s->scratch[s->held[i].index] = 0;
    }
    s->nbits = n;
    s->nheld = 0;
    return n;
}

bool cfz_seen_has_held(struct cfz_seen *s)
{
    bool has = true;

    /* scratch: what the last collect has at each index. */
    for (size_t i = 0; i < s->nbits; i++)
        s->scratch[s->bits[i].index] = (uint8_t)s->bits[i].bits;
    for (size_t i = 0; i < s->nheld && has; i++)
        has = (s->held[i].bits & ~(uint32_t)s->scratch[s->held[i].index]) == 0;
    for (size_t i = 0; i < s->nbits; i++)
        s->scratch[s->bits[i].index] = 0;
    return has;
}

bool cfz_seen_held_is_merged(const struct cfz_seen *s)
{
    for (size_t i = 0; i < s->nheld; i++)
        if (unmerged(s, s->held[i].index, s->held[i].bits) != 0)
            return false;
    return s->mask != NULL;
}

void cfz_seen_unhold(struct cfz_seen *s)
{
    struct cfz_cov_bits *bits = s->bits;

    s->bits = s->held;
    s->nbits = s->nheld;
    s->held = bits;
    s->nheld = 0;
}
