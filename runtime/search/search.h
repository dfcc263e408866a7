/*
 * search.h - what the two stages that look at comparisons have in common: whom they ask to execute
 * an input, and what they know.
 *
 *     copies.c   first stage: when an entry arrives, values that a comparison wanted are written
 *                where its operand stands in the input
 *     solver/    second stage: which bytes influence an operand is found by changing each one, and
 *                the goal is solved from that
 */
#ifndef CFZ_SEARCH_H
#define CFZ_SEARCH_H

#include "core/rand.h"
#include "search/goal.h"
#include "search/image.h"
#include "core/deflate/stored.h"

struct cfz_word_table;

/* What became of an execution. */
enum cfz_ran {
    CFZ_RAN_OVER, /* the search ends now: the limit is reached, or the test failed */
    CFZ_RAN,
    CFZ_RAN_NEWS, /* it had new coverage, and was reported */
};

/* Work: what an execution costs, counted so that runs repeat. CFZ_WORK comparisons are one, and
 * any execution is one more. */
enum { CFZ_WORK = 64 };
static inline uint64_t cfz_work(uint64_t comparisons)
{
    return 1 + comparisons / CFZ_WORK;
}

/*
 * cfz_work_by_time is the work of an execution whose comparisons come to so much work, and which
 * took so many microseconds of CPU time. A unit of comparisons takes a tenth to a third of a
 * microsecond, so where one takes a whole one the rest was done by the kernel or code without
 * traced copies: a gigabyte that was allocated and cleared. Then time tells the work,
 * CFZ_SLOW_UNITS a microsecond. What the program itself computes is never told by its time, which
 * is in steps that are far apart, so that a run repeats.
 */
enum { CFZ_SLOW_LEAST = 4000, CFZ_SLOW_STEP = 4, CFZ_SLOW_UNITS = 4 };
static inline uint64_t cfz_work_by_time(uint64_t work, uint64_t us)
{
    uint64_t step = CFZ_SLOW_LEAST;

    if (us < step)
        return work;
    while (us / CFZ_SLOW_STEP >= step)
        step *= CFZ_SLOW_STEP;
    if (step <= work)
        return work;
    return step <= UINT64_MAX / CFZ_SLOW_UNITS ? step * CFZ_SLOW_UNITS : UINT64_MAX;
}

/* How an execution is counted. */
enum cfz_ran_as {
    CFZ_RAN_AS_MUTATED,
    CFZ_RAN_AS_ENTRY, /* the unchanged entry once more */
};

struct cfz_search {
    struct cfz_goals *goals;
    struct cfz_word_table *words; /* gets what comparisons show; may be NULL */
    const struct cfz_seen *seen;
    struct cfz_rand *rand;
    struct cfz_values *cur; /* what run executes; it may be another input when run returns */
    size_t max_len;         /* no []byte or string is made longer */
    uint32_t from;          /* of an entry: where its image differs from the one it was made of */
    /* Executes cur. If traced, cfz_trace is that of cur. */
    enum cfz_ran (*run)(void *ctx, bool traced, enum cfz_ran_as as);
    void *ctx;
    struct cfz_stored stored; /* of the input that inputs are made of; on: as the owner says */

    bool is_cut;     /* the solver left goals of an input for another turn */
    bool tells;      /* run sets states */
    uint64_t states; /* that the execution came to: a hash of the set (cfz_parser_states) */

    struct cfz_under_way *under_way; /* of this worker: its inputs may be deadly; or NULL */

    uint64_t work;        /* of an execution of the input that it works on, CFZ_WORK */
    bool over;            /* run returned OVER */
    uint64_t tries;       /* executions so far */
    uint64_t cost;        /* the work of these; a traced one counts twice */
    uint64_t unit;        /* while a turn of the solver lasts: work that counts as one; else 0 */
    uint64_t unit_from;   /* cost when that began */
    uint64_t nnews;       /* executions that had new coverage */
    uint64_t nerratic;    /* sites that were found to be erratic */
    uint64_t vain_cost;   /* of the cost: searches for a field that mends which found none */
    uint32_t nested_vain; /* times that no field within lengths was found, since one was */
    bool odd; /* of the last cfz_search_trace_again: the entry does something only when traced */
};

/*
 * cfz_search_try executes an image. An image that is too long, or deadly (deadly.h), is not executed: CFZ_RAN. After
 * CFZ_RAN_OVER nothing is executed any more. Streams that s->stored has are written anew in cur,
 * not in im. Context: target.
 */
enum cfz_ran cfz_search_try(struct cfz_search *s, const struct cfz_image *im, bool traced);

/*
 * cfz_search_unit has so much work count as one from now on, cfz_search_settle makes of the cost
 * since then what it is. What may be spent on a goal is so many executions where each one costs a
 * lot before it comes to its input. cfz_search_cost returns what an execution costs now. Context:
 * target.
 */
void cfz_search_unit(struct cfz_search *s, uint64_t work);
void cfz_search_settle(struct cfz_search *s);

/* cfz_search_spent returns the cost as it is once it is settled. */
uint64_t cfz_search_spent(const struct cfz_search *s);
uint64_t cfz_search_cost(const struct cfz_search *s, uint64_t work);

/* cfz_search_trace executes an entry as it is, with a trace. False if the search is over. Context:
 * target. */
bool cfz_search_trace(struct cfz_search *s, const struct cfz_image *entry);

/*
 * cfz_search_trace_again executes an entry once without a trace, so that what a first execution
 * initialises is done, and then is cfz_search_trace, twice or, where the two differ or show new
 * coverage, three times. What differs in the last two marks its site as erratic (goal.h): some
 * state of the program decides there, and not the input alone. If there is new coverage but the
 * last two are equal, the entry is odd.
 */
bool cfz_search_trace_again(struct cfz_search *s, const struct cfz_image *entry);

/* cfz_is_erratic reports whether the site of an event is erratic, cfz_is_left_alone whether a site
 * is. cfz_leave_alone notes that it is. */
bool cfz_is_left_alone(const struct cfz_search *s, const struct cfz_site *site);
void cfz_leave_alone(struct cfz_search *s, const struct cfz_site *site);
bool cfz_is_erratic(const struct cfz_search *s, const struct cfz_event *e);

/*
 * cfz_copies is the first stage for an entry, which is s->cur. It executes up to most candidates.
 * Context: target.
 */
void cfz_copies(struct cfz_search *s, uint64_t most);

/* ---- for both ------------------------------------------------------------------- */

/* cfz_number_float returns the number that an operand of a FLOAT is. Context: any. */
double cfz_number_float(const struct cfz_site *site, uint64_t v);

/* cfz_number_text writes a number of a site as text, in decimal: of an INT as its signedness says,
 * of a FLOAT so that it reads back. Returns the length, below 32. Context: target. */
enum { CFZ_NUMBER_TEXT = 32 };
uint32_t cfz_number_text(const struct cfz_site *site, uint64_t v, char text[CFZ_NUMBER_TEXT]);

/*
 * cfz_number_word writes the text that v, an operand of an INT, is in memory, if a NUL ends it and
 * only NULs are behind that: strcmp of a word with a buffer is often compiled as a comparison of
 * numbers. Without a NUL it may as well be a tag that is read in the other order. Returns the
 * length, from 2 on, or 0 if v is no such text. cfz_number_head returns how many of the bytes,
 * written to text, are before the first NUL, whatever they are. Context: target.
 */
uint32_t cfz_number_word(const struct cfz_site *site, uint64_t v, uint8_t text[8]);
uint32_t cfz_number_head(const struct cfz_site *site, uint64_t v, uint8_t text[8]);

/* cfz_recipe_place has r say that its field is at p of an image. Context: target. */
void cfz_recipe_place(struct cfz_recipe *r, const struct cfz_image *im, uint32_t p);

/* cfz_flipped makes g the goal of level 0 that an event of a number or of text does not show;
 * cfz_shown the one that it shows. */
void cfz_flipped(const struct cfz_event *e, struct cfz_goal *g);
void cfz_shown(const struct cfz_event *e, struct cfz_goal *g);

/*
 * cfz_is_pointer_like reports whether a comparison is one of a pointer with null, or likely one of
 * two addresses: nothing that is written into an input meets it. cfz_is_beyond leaves out those
 * pointers that are null: what is looked up, or was to be set, was not there, and other comparisons
 * before may see to it.
 */
bool cfz_is_pointer_like(const struct cfz_event *e);

static inline bool cfz_is_beyond(const struct cfz_event *e)
{
    return cfz_is_pointer_like(e) && !(cfz_site_is_pointer(e->site) && e->a == 0);
}

#endif
