/*
 * trace.h - the comparisons of one execution, recorded by the hooks of traced copies (abi.h).
 *
 * Tracing costs nothing while it is off: the copies are not entered. What other threads compare
 * meanwhile is recorded too, one event at a time: where the test waits for them a trace is the same
 * each time, and what their timing changes is erratic (search.h), and left alone. The first trace
 * after one compares anything has nothing of them: until then there is no lock.
 */
#ifndef CFZ_TRACE_H
#define CFZ_TRACE_H

#include "abi.h"
#include "core/error.h"

enum {
    CFZ_SITES_MAX = 1 << 20,      /* sites with a larger number are not recorded */
    CFZ_SITE_NOTES_MAX = 1 << 18, /* of those beyond nothing is noted that outlives a trace */
    CFZ_EVENTS_MAX = 1 << 16,     /* events of an execution; what follows is not recorded */
    CFZ_EVENTS_SITE = 256,        /* of these, of one site: the first, while there is room; */
    CFZ_EVENTS_HALF = 32,         /* ... in the second half of the room, */
    CFZ_EVENTS_LAST = 4,          /* ... and in its last quarter, so that late sites have some */
    CFZ_EVENTS_LONG = 400,        /* a trace of more events has many that are not of the input */
    CFZ_TEXT_MAX = 256,           /* bytes of each side that are kept of a comparison of text */
    CFZ_TEXT_ROOM = 1 << 20,      /* bytes of text of an execution; without room sides are empty */
};

/* One comparison, in the order of the execution. */
struct cfz_event {
    struct cfz_site *site;
    uint32_t nth;    /* how many of this site came before */
    uint32_t before; /* 1 + the index of the event of this site before this one; 0: none */
    bool outcome;    /* text: equal, or found; a number's outcome is the site's predicate of it */
    union {
        struct {
            uint64_t a, b; /* as the hook got them; of a switch a alone */
        };
        struct {
            uint32_t a_at, a_len, b_at,
                b_len; /* text: in cfz_trace.text, without the NUL at the end */
        };
    };
};

/* The last trace. Only trace.c writes it. */
struct cfz_trace {
    struct cfz_event *events; /* NULL before cfz_trace_map */
    uint32_t nevents;
    uint64_t passed; /* comparisons in all, recorded or not */
    uint8_t *text;
    uint32_t text_used;
};
extern struct cfz_trace cfz_trace;

/*
 * cfz_trace_map makes room for traces in this process; a fork inherits it as its own. CFZ_EIO.
 * Context: ordinary.
 */
int cfz_trace_map(struct cfz_error *err);

/* cfz_trace_sites returns the number of sites that modules announced. Context: any. */
uint32_t cfz_trace_sites(void);

/* cfz_trace_site returns site number id, below cfz_trace_sites(), or NULL. Context: any. */
struct cfz_site *cfz_trace_site(uint32_t id);

/* cfz_trace_begin forgets the last trace and turns tracing on; cfz_trace_end turns it off. Context:
 * target. */
void cfz_trace_begin(void);
void cfz_trace_end(void);

/*
 * cfz_trace_count_begin turns counting on: comparisons are counted, and the last trace stays as it
 * is. cfz_trace_count_end turns it off and returns how many there were. Context: target.
 */
void cfz_trace_count_begin(void);
uint64_t cfz_trace_count_end(void);

/* cfz_trace_is_ours reports whether this thread began the trace, or the count, that is being made.
 * Context: target, any thread. */
bool cfz_trace_is_ours(void);

/* cfz_trace_find returns comparison number nth of a site in the last trace, or NULL. Context:
 * target. */
const struct cfz_event *cfz_trace_find(const struct cfz_site *site, uint32_t nth);

/*
 * cfz_trace_text_told records a comparison of text as cfuzz_trace_text does (abi.h), for a site of
 * a function that stands in for the one that compares. If the hook of a copy tells of the same call
 * next, its event takes the place of this one. Context: target.
 */
void cfz_trace_text_told(struct cfz_site *site, const void *a, uint64_t n, const void *b,
                         uint64_t m);

static inline bool cfz_site_is_text(const struct cfz_site *s)
{
    return s->kind >= CFZ_SITE_MEM;
}
static inline bool cfz_site_is_pointer(const struct cfz_site *s)
{
    return (s->flags & CFZ_SITE_POINTER) != 0;
}
static inline bool cfz_site_is_unasked(const struct cfz_site *s)
{
    return (s->flags & CFZ_SITE_UNASKED) != 0;
}

/* cfz_site_counter returns the counter behind an outcome of a site that is no switch, and of a
 * switch that behind default if not holds; cfz_site_joined that behind a condition of which the
 * outcome is only a part. NULL: there is none. */
static inline const uint8_t *cfz_site_counter_at(const int32_t *field)
{
    return *field ? (const uint8_t *)field + *field : NULL;
}
static inline const uint8_t *cfz_site_counter(const struct cfz_site *s, bool holds)
{
    if (s->flags & CFZ_SITE_JOINED)
        return NULL;
    return cfz_site_counter_at(holds ? &s->counter_true : &s->counter_false);
}
static inline const uint8_t *cfz_site_joined(const struct cfz_site *s, bool holds)
{
    if (!(s->flags & CFZ_SITE_JOINED))
        return NULL;
    return cfz_site_counter_at(holds ? &s->counter_true : &s->counter_false);
}

static inline bool cfz_site_is_find(const struct cfz_site *s)
{
    return s->kind >= CFZ_SITE_FIND;
}
static inline bool cfz_site_ignores_case(const struct cfz_site *s)
{
    return s->kind == CFZ_SITE_STRING_CASE || s->kind == CFZ_SITE_STRING_N_CASE ||
           s->kind == CFZ_SITE_FIND_CASE;
}
static inline uint8_t cfz_fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

#endif
