/*
 * trace.c - sites that modules announce, and the hooks that record comparisons.
 *
 * Invariants:
 *   1. Sites are only added. A site has its number from its announcement on.
 *   2. hits of a site is not 0 only if the trace has an event of it. So clearing the hits of the
 *      events' sites clears all.
 *   3. last[id] is valid while hits of that site is not 0.
 *   4. The hooks allocate nothing, wait for no other thread longer than some microseconds, and read
 *      of a text what the comparison that was traced may have read, and what lies on pages that can
 *      be read.
 *   5. Where the test has other threads (crowded), an event is written by whoever has the lock.
 */
#define _GNU_SOURCE
#include "coverage/trace.h"

#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include "core/map.h"
#include "core/peek.h"
#include "coverage/depth.h"

enum {
    MODULES_MAX = 512, /* as in counters.c */
    PAGE = 4096,       /* the smallest one that there is */
};

struct module {
    uint8_t *tracing;
    struct cfz_site *sites;
    uint32_t first, n; /* numbers of its sites */
};

static struct module modules[MODULES_MAX];
static size_t nmodules;
static uint32_t nsites;

struct cfz_trace cfz_trace;
static uint32_t *last;           /* by site: 1 + index of its last event */
static _Atomic bool tracing_now; /* what the modules' flags say */
static uint64_t counted;

/* What becomes of the comparisons of a thread: of the one that began, what it asked for. */
enum fate { LEFT_OUT, RECORDED, COUNTED };
static _Thread_local enum fate fate __attribute__((tls_model("initial-exec")));

/* Other threads. Most tests have none, so there is no lock before one has compared something. */
static _Atomic bool met;       /* one has, while tracing was on */
static _Atomic bool crowded;   /* one had when the trace began: all threads are recorded */
static _Atomic bool recording; /* a trace is being made */
static _Atomic bool locked;
enum {
    SPINS = 2000
}; /* for the lock; whoever has it may have been ended, or be interrupted by us */

/* The last call that cfz_trace_text_told recorded. */
static struct {
    const void *a, *b;
    uint32_t nevents; /* with its event */
} told;

void cfuzz_trace_init(uint32_t abi, uint8_t *tracing, struct cfz_site *sites,
                      struct cfz_site *sites_end)
{
    struct module *m = &modules[nmodules];

    /* The counters of the same object report a wrong version, cfz_counters_prepare. */
    if (abi != CFUZZ_ABI || !tracing || sites >= sites_end || nmodules == MODULES_MAX)
        return;
    for (size_t i = 0; i < nmodules; i++)
        if (modules[i].sites == sites)
            return;
    m->tracing = tracing;
    m->sites = sites;
    m->first = nsites;
    m->n = (uint32_t)(sites_end - sites);
    if (m->n > CFZ_SITES_MAX - nsites)
        return; /* they are not traced */
    for (uint32_t i = 0; i < m->n; i++)
        sites[i].id = nsites++;
    nmodules++;
    *tracing = tracing_now;
}

/* ---- for the search ------------------------------------------------------------ */

/* Memory of this process alone: what another one traces is of no use to it. */
int cfz_trace_map(struct cfz_error *err)
{
    if (cfz_trace.events)
        return 0;
    last = cfz_map_private(CFZ_SITES_MAX * sizeof *last);
    cfz_trace.text = cfz_map_private(CFZ_TEXT_ROOM);
    cfz_trace.events = cfz_map_private(CFZ_EVENTS_MAX * sizeof *cfz_trace.events);
    if (!last || !cfz_trace.text || !cfz_trace.events)
        return cfz_fail_errno(err, "map memory for traces of comparisons");
    return 0;
}

uint32_t cfz_trace_sites(void)
{
    return nsites;
}

struct cfz_site *cfz_trace_site(uint32_t id)
{
    for (size_t i = 0; i < nmodules; i++)
        if (id >= modules[i].first && id - modules[i].first < modules[i].n)
            return &modules[i].sites[id - modules[i].first];
    return NULL;
}

static bool lock(void)
{
    for (int i = 0; i < SPINS; i++) {
        bool no = false;

        if (atomic_compare_exchange_weak_explicit(&locked, &no, true, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    }
    return false;
}

static void unlock(void)
{
    atomic_store_explicit(&locked, false, memory_order_release);
}

/* What enter does where it is not simple. */
static bool __attribute__((noinline)) enter_crowded(void)
{
    if (fate == COUNTED) { /* of the thread that began alone */
        counted++;
        return false;
    }
    if (fate == LEFT_OUT) {
        if (!atomic_load_explicit(&tracing_now, memory_order_relaxed))
            return false;
        atomic_store_explicit(&met, true, memory_order_relaxed);
        if (!atomic_load_explicit(&crowded, memory_order_relaxed))
            return false;
    }
    if (!lock())
        return false;
    if (atomic_load_explicit(&recording, memory_order_relaxed))
        return true;
    unlock();
    return false;
}

/* Whether this thread may write to the trace now; then leave ends that. */
static inline bool enter(void)
{
    if (__builtin_expect(fate == RECORDED && !atomic_load_explicit(&crowded, memory_order_relaxed),
                         1))
        return true;
    return enter_crowded();
}

static inline void leave(void)
{
    if (__builtin_expect(atomic_load_explicit(&crowded, memory_order_relaxed), 0))
        unlock();
}

/* Turns tracing on or off, of what this thread executes. */
static void turn(bool tracing, enum fate what)
{
    fate = what;
    atomic_store_explicit(&tracing_now, tracing, memory_order_relaxed);
    atomic_store_explicit(&recording, what == RECORDED, memory_order_relaxed);
    if (atomic_load_explicit(&crowded, memory_order_relaxed)) { /* who has it writes no more then */
        (void)lock();
        unlock();
    }
    for (size_t i = 0; i < nmodules; i++)
        *modules[i].tracing = tracing;
}

/* The room for events is shared out: each site may have so many until there are so many of all. */
static uint32_t each, until;

static void begin_room(void)
{
    each = CFZ_EVENTS_SITE;
    until = CFZ_EVENTS_MAX / 2;
}

/* There are as many events as until. False if there is no room for one more. */
static bool end_room(void)
{
    if (until == CFZ_EVENTS_MAX)
        return false;
    each = until == CFZ_EVENTS_MAX / 2 ? CFZ_EVENTS_HALF : CFZ_EVENTS_LAST;
    until = until == CFZ_EVENTS_MAX / 2 ? CFZ_EVENTS_MAX / 4 * 3 : CFZ_EVENTS_MAX;
    return true;
}

void cfz_trace_begin(void)
{
    struct cfz_trace *t = &cfz_trace;

    for (uint32_t i = 0; i < t->nevents; i++)
        t->events[i].site->hits = 0;
    t->nevents = 0;
    t->passed = 0;
    t->text_used = 0;
    told.nevents = 0;
    begin_room();
    atomic_store_explicit(&crowded, atomic_load_explicit(&met, memory_order_relaxed),
                          memory_order_relaxed);
    turn(true, RECORDED);
}

void cfz_trace_end(void)
{
    turn(false, LEFT_OUT);
    cfz_depth_forget();
}

void cfz_trace_count_begin(void)
{
    counted = 0;
    turn(true, COUNTED);
}

uint64_t cfz_trace_count_end(void)
{
    turn(false, LEFT_OUT);
    cfz_depth_forget();
    return counted;
}

bool cfz_trace_is_ours(void)
{
    return fate != LEFT_OUT;
}

const struct cfz_event *cfz_trace_find(const struct cfz_site *site, uint32_t nth)
{
    if (site->hits == 0)
        return NULL;
    for (uint32_t i = last[site->id]; i != 0; i = cfz_trace.events[i - 1].before) {
        const struct cfz_event *e = &cfz_trace.events[i - 1];

        if (e->nth <= nth)
            return e->nth == nth ? e : NULL;
    }
    return NULL;
}

/* ---- the hooks ------------------------------------------------------------------ */

/* A new event of a site, or NULL if it is not to be recorded. Between enter and leave. */
static inline struct cfz_event *record(struct cfz_site *site)
{
    struct cfz_trace *t = &cfz_trace;
    struct cfz_event *e;

    t->passed++;
    if (__builtin_expect(t->nevents == until, 0) && !end_room())
        return NULL;
    if (site->hits >= each)
        return NULL;
    e = &t->events[t->nevents++];
    e->site = site;
    e->nth = site->hits++;
    e->before = e->nth ? last[site->id] : 0;
    last[site->id] = t->nevents;
    return e;
}

void cfuzz_trace_number(struct cfz_site *site, uint64_t a, uint64_t b)
{
    struct cfz_event *e;

    if (!enter())
        return;
    e = record(site);
    if (e) {
        e->outcome = false;
        e->a = a;
        e->b = b;
    }
    leave();
}

void cfuzz_trace_switch(struct cfz_site *site, uint64_t value)
{
    cfuzz_trace_number(site, value, 0);
}

/* One side of a comparison of text. */
struct side {
    const uint8_t *p;
    uint64_t n;
};

/* The bytes up to the first NUL, at most n. strcmp and its like stop where two texts differ, and
 * the page behind may not be there. */
static struct side until_nul(const void *p, uint64_t n)
{
    struct side s = {p, 0};

    while (s.n < n) {
        const uint8_t *at = s.p + s.n;
        uint64_t word;

        if (s.n > 0 && (uintptr_t)at % PAGE == 0 && !cfz_peek((uintptr_t)at, &word))
            break;
        if (*at == 0)
            break;
        s.n++;
    }
    return s;
}

/* Memory that is compared with a string of the program and its NUL, as strcmp is compiled: what
 * stands behind its own NUL is none of it, and on a stack no two runs have the same there. */
static void cut_string(struct side *s, const struct side *constant)
{
    uint64_t n;

    if (constant->n < 2 || until_nul(constant->p, constant->n).n != constant->n - 1)
        return;
    n = until_nul(s->p, s->n).n;
    if (n < s->n)
        s->n = n + 1;
}

static bool equal_at(const struct side *a, uint64_t at, const struct side *b, bool fold)
{
    for (uint64_t i = 0; i < b->n; i++) {
        uint8_t x = a->p[at + i], y = b->p[i];

        if (fold ? cfz_fold(x) != cfz_fold(y) : x != y)
            return false;
    }
    return true;
}

/* The byte of a side at a place, as it counts for a hash. */
static uint64_t weight(const struct side *s, uint64_t at, bool fold)
{
    return 1 + (uint64_t)(fold ? cfz_fold(s->p[at]) : s->p[at]);
}

/* Whether b stands somewhere in a. Both may be long, and not even the C library is asked, which may
 * be the program's own: by a hash that rolls along (R. Karp and M. Rabin, 1987). */
static bool is_within(const struct side *a, const struct side *b, bool fold)
{
    static const uint64_t base = 0x9e3779b97f4a7c15; /* modulo 2^64 */
    uint64_t wanted = 0, here = 0, first = 1;        /* first: what the first byte of b->n counts */

    if (b->n == 0 || b->n > a->n)
        return b->n == 0;
    for (uint64_t i = 0; i < b->n; i++) {
        wanted = wanted * base + weight(b, i, fold);
        here = here * base + weight(a, i, fold);
        first *= i > 0 ? base : 1;
    }
    for (uint64_t at = 0;; at++) {
        if (here == wanted && equal_at(a, at, b, fold))
            return true;
        if (at + b->n == a->n)
            return false;
        here = (here - weight(a, at, fold) * first) * base + weight(a, at + b->n, fold);
    }
}

/* Copies a side into the trace; sets where and how long it is. */
static void keep(const struct side *s, uint32_t *at, uint32_t *len)
{
    struct cfz_trace *t = &cfz_trace;
    uint32_t n = s->n < CFZ_TEXT_MAX ? (uint32_t)s->n : CFZ_TEXT_MAX;

    if (n > CFZ_TEXT_ROOM - t->text_used)
        n = 0;
    for (uint32_t i = 0; i < n; i++) /* not memcpy, which may be the program's own */
        t->text[t->text_used + i] = s->p[i];
    *at = t->text_used;
    *len = n;
    t->text_used += n;
}

/* Whether a pointer may be one to text: a function that the user named as a comparator may be given
 * NULL, or a number that it takes for a mark. */
static bool may_point(const void *p)
{
    return (uintptr_t)p - PAGE < UINTPTR_MAX - 2 * (uintptr_t)PAGE;
}

/* Whether a comparison tells of two texts. */
static bool is_of_texts(const struct cfz_site *site, const void *a, uint64_t n, const void *b)
{
    bool one = site->kind == CFZ_SITE_FIND_BYTE || site->kind == CFZ_SITE_FIND_BYTE_MEM;

    return may_point(a) && (one || may_point(b)) &&
           (site->kind != CFZ_SITE_MEM || n <= UINTPTR_MAX / 2);
}

/* Returns whether there is an event of it. Between enter and leave. */
static bool record_text(struct cfz_site *site, const void *a, uint64_t n, const void *b, uint64_t m)
{
    struct cfz_event *e = is_of_texts(site, a, n, b) ? record(site) : NULL;
    struct side x, y;
    uint8_t byte = (uint8_t)m;
    bool fold = cfz_site_ignores_case(site);

    if (!e)
        return false;
    switch (site->kind) {
    case CFZ_SITE_MEM:
        x = (struct side){a, n};
        y = (struct side){b, n};
        if (site->flags & CFZ_SITE_CONST_B)
            cut_string(&x, &y);
        else if (site->flags & CFZ_SITE_CONST_A)
            cut_string(&y, &x);
        break;
    case CFZ_SITE_STRING_N:
    case CFZ_SITE_STRING_N_CASE:
        x = until_nul(a, n);
        y = until_nul(b, n);
        break;
    case CFZ_SITE_FIND_MEM:
        x = (struct side){a, n};
        y = (struct side){b, m};
        break;
    case CFZ_SITE_FIND_BYTE:
        x = until_nul(a, UINT64_MAX);
        y = (struct side){&byte, 1};
        break;
    case CFZ_SITE_FIND_BYTE_MEM:
        /* memchr may be told of more memory than there is, if the byte comes before. */
        x = (struct side){a, 0};
        while (x.n < n && x.p[x.n] != byte)
            x.n++;
        x.n += x.n < n;
        y = (struct side){&byte, 1};
        break;
    default: /* NUL-terminated both */
        x = until_nul(a, UINT64_MAX);
        y = until_nul(b, UINT64_MAX);
        break;
    }
    if (cfz_site_is_find(site)) {
        e->outcome = is_within(&x, &y, fold);
    } else {
        e->outcome = x.n == y.n && equal_at(&x, 0, &y, fold);
    }
    keep(&x, &e->a_at, &e->a_len);
    keep(&y, &e->b_at, &e->b_len);
    return true;
}

void cfz_trace_text_told(struct cfz_site *site, const void *a, uint64_t n, const void *b,
                         uint64_t m)
{
    if (!enter())
        return;
    if (record_text(site, a, n, b, m)) {
        told.a = a;
        told.b = b;
        told.nevents = cfz_trace.nevents;
    }
    leave();
}

/* Takes the last event back if it tells of this call. */
static void untell(const void *a, const void *b)
{
    struct cfz_trace *t = &cfz_trace;
    const struct cfz_event *e;

    if (told.nevents == 0 || told.nevents != t->nevents || told.a != a || told.b != b)
        return;
    e = &t->events[--t->nevents];
    e->site->hits--;
    last[e->site->id] = e->before;
    t->text_used = e->a_at;
    t->passed--;
    told.nevents = 0;
}

void cfuzz_trace_text(struct cfz_site *site, const void *a, uint64_t n, const void *b, uint64_t m)
{
    if (!enter())
        return;
    untell(a, b);
    (void)record_text(site, a, n, b, m);
    leave();
}

/* What callee compares text as, 0 if it does not. */
static unsigned kind_of_function(const void *callee)
{
    const struct {
        const void *fn;
        unsigned kind;
    } functions[] = {
        {(const void *)(uintptr_t)memcmp, CFZ_SITE_MEM},
        {(const void *)(uintptr_t)bcmp, CFZ_SITE_MEM},
        {(const void *)(uintptr_t)strcmp, CFZ_SITE_STRING},
        {(const void *)(uintptr_t)strncmp, CFZ_SITE_STRING_N},
        {(const void *)(uintptr_t)strcasecmp, CFZ_SITE_STRING_CASE},
        {(const void *)(uintptr_t)strncasecmp, CFZ_SITE_STRING_N_CASE},
    };

    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].fn == callee)
            return functions[i].kind;
    return 0;
}

void cfuzz_trace_call(struct cfz_site *first, uint64_t count, const void *callee, const void *a,
                      const void *b, uint64_t n)
{
    unsigned kind = kind_of_function(callee);

    for (uint64_t i = 0; i < count && kind != 0; i++)
        if (first[i].kind == kind)
            cfuzz_trace_text(&first[i], a, n, b, 0);
}
