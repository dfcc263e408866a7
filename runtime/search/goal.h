/*
 * goal.h - a goal: an outcome of a comparison that no input has shown yet; and what the workers of
 * a run know of goals.
 *
 * A goal is told by a key. Four levels of keys, from plain to fine:
 *     0  a site and an outcome; a switch and one of its values
 *     1  a site and the operand that the input has no influence on: one table entry, one keyword
 *     2  a site and how many comparisons of it came before: one round of a loop
 *     3  the same on one path: what other goals showed on another path may matter on this one,
 *        where the program combines outcomes without comparing anything
 *
 * With level 1 come the parts of a condition behind which no input came (CFZ_SITE_JOINED): the key
 * of one is that of level 2, or of text 0, with which other parts hold in the input.
 *
 * Where the plugin found a counter behind an outcome, coverage says whether the goal of level 0 is
 * open. All else that is known lies in a table that the host makes and its workers share: no goal
 * is worked on again by another worker, or after a crash. Entries are only added; fields change by
 * single relaxed stores, so at worst a try is not counted. Context: target, unless it says
 * otherwise.
 */
#ifndef CFZ_GOAL_H
#define CFZ_GOAL_H

#include <stdatomic.h>

#include "core/obstacle.h"
#include "coverage/counters.h"
#include "coverage/trace.h"
#include "core/hash.h"
#include "search/deadly.h"

enum { CFZ_FINE_NTH = 64 }; /* level 2 tells so many comparisons of a site apart */

struct cfz_goal {
    struct cfz_site *site;
    uint32_t nth; /* which comparison of the site is to get the outcome */
    uint8_t level;
    uint8_t want;   /* a number: set of enum cfz_relation; text: CFZ_REL_EQUAL */
    uint64_t value; /* SWITCH: the value that is wanted */
    uint64_t key;   /* never 0 */
    uint64_t path;  /* not 0: the key is of this path, or set of comparisons, as well */
};

/* What is known of a goal. */
struct cfz_goal_note {
    _Atomic uint64_t key;    /* 0: not used */
    _Atomic uint16_t copied; /* candidates of the first stage so far */
    _Atomic uint16_t tried;  /* attempts of the solver so far */
    uint32_t reserved;
};

/* What is known of a site, by its number. */
struct cfz_site_note {
    _Atomic uint16_t failed, succeeded; /* attempts of the solver */
    _Atomic uint8_t erratic; /* two traces of one input differed here: its goals are left alone */
    _Atomic uint8_t moved;   /* some byte or length of an input changed what it compares */
    _Atomic uint8_t direct;  /* ... while all before it went the same way */
    _Atomic uint8_t fixed;   /* inputs that were probed, before that, and of which none did */
    _Atomic uint8_t vain;    /* searches for a field that mends it which found none (path.c) */
};

/* Bytes [from, to) of a value of the test, which change an operand. */
struct cfz_range {
    uint32_t value, from, to;
};

/*
 * What is known of a site of which inputs show one outcome only, for obstacles.c alone. Not of one
 * moment: whoever finds it busy leaves it as it is.
 */
struct cfz_site_sight {
    _Atomic uint32_t reached; /* inputs that came there */
    _Atomic uint8_t busy;     /* somebody writes what follows */
    uint8_t seen;             /* the operands below are some */
    uint8_t influence;        /* enum cfz_influence_kind */
    _Atomic uint8_t repeated; /* it was looked whether the same input compares the same again */
    uint8_t nranges;
    uint8_t wants_true; /* the outcome that none had */
    uint8_t len_a, len_b;
    uint16_t nbytes;   /* of the input that influence says most of */
    uint64_t distance; /* of the nearest operands */
    uint64_t a, b;
    uint8_t text_a[CFZ_OBSTACLE_TEXT], text_b[CFZ_OBSTACLE_TEXT];
    struct cfz_range ranges[CFZ_OBSTACLE_RANGES];
};

enum cfz_recipe_kind {
    CFZ_RECIPE_NONE,
    CFZ_RECIPE_COPY,  /* the other operand, as a number in bytes */
    CFZ_RECIPE_TEXT,  /* the same in decimal */
    CFZ_RECIPE_XOR,   /* a field that goes into a ^ b: what is there, xored by it */
    CFZ_RECIPE_SUM,   /* a field that goes into a - b: what is there, less it */
    CFZ_RECIPE_BYTES, /* the other operand of a comparison of memory, as it is */
    CFZ_RECIPE_LAST = CFZ_RECIPE_BYTES, /* of those that are kept */
    CFZ_RECIPE_UNITS, /* a part: width bytes of it repeated, or left out, for each one missing */
};

/* A field that solved an equality at a site: what is wanted there later is written there again. */
struct cfz_recipe {
    uint8_t set;   /* enum cfz_recipe_kind */
    uint8_t width; /* bytes; of TEXT and BYTES 0 */
    uint8_t big_endian;
    uint8_t side;      /* the operand that is written; of SUM 1 if it counts against a - b */
    uint8_t mark;      /* text: the byte before it */
    uint8_t value;     /* which value of the test it lies in */
    uint8_t reckoned;  /* what is wanted there depends on other bytes, or on a length */
    uint8_t radix;     /* of COPY and SUM: 8, 10 or 16 if it is of digits, width of them; else 0 */
    uint32_t at;       /* from the beginning of the value */
    uint32_t from_end; /* from its end */
};

enum {
    CFZ_GOALS_MAX = 1 << 17, /* notes; beyond that new goals are not tried. A power of two */
    CFZ_GOALS_FIRST = CFZ_GOALS_MAX / 128, /* places of the first goals, half as many as these */
    CFZ_GOALS_TRIED = 4096, /* places of a key: more than any has while the table is true */
    CFZ_MET_BITS = 1 << 22, /* of goals that were met, two each. A power of two */
};

/* The memory that workers share. */
struct cfz_goals {
    struct cfz_goal_note notes[CFZ_GOALS_MAX];
    struct cfz_site_note sites[CFZ_SITE_NOTES_MAX];
    struct cfz_recipe recipes[CFZ_SITE_NOTES_MAX];
    struct cfz_site_sight sights[CFZ_SITE_NOTES_MAX];
    _Atomic uint64_t sighted[CFZ_SITE_NOTES_MAX / 64]; /* bits: sights that are used */
    /* Goals that an input showed which was kept: a Bloom filter, since there are many more of them
     * than are ever tried. Of 100,000 that are met, one in 500 others is taken for met, of a
     * million one in 7. */
    _Atomic uint64_t met[CFZ_MET_BITS / 64];
    _Atomic uint32_t nnotes;
    _Atomic uint32_t nrecipes;
    struct cfz_deadly deadly;
};

/* cfz_goals_map makes the memory, in a process that forks all workers of a test. CFZ_EIO. Context:
 * ordinary. */
int cfz_goals_map(struct cfz_goals **goals, struct cfz_error *err);

/* cfz_goals_renew makes it empty again, for processes that are forked from now on; others keep
 * theirs. In the process that made it. CFZ_EIO. Context: ordinary. */
int cfz_goals_renew(struct cfz_goals *goals, struct cfz_error *err);

/* cfz_goal_note returns the note of a goal that is to be tried, or NULL if the table is full;
 * cfz_goal_known only one that there is. */
struct cfz_goal_note *cfz_goal_note(struct cfz_goals *goals, uint64_t key);
const struct cfz_goal_note *cfz_goal_known(const struct cfz_goals *goals, uint64_t key);

/* cfz_goal_meet notes that an input showed a goal, by its key; cfz_goal_is_met reports whether one
 * did. */
void cfz_goal_meet(struct cfz_goals *goals, uint64_t key);
bool cfz_goal_is_met(const struct cfz_goals *goals, uint64_t key);

/* cfz_case returns the index of a value among the cases of a switch, or -1. */
int cfz_case(const struct cfz_site *site, uint64_t value);

/* cfz_goal_behind returns how many counters lie behind the outcome that a goal of level 0 wants
 * (abi.h). */
static inline uint32_t cfz_goal_behind(const struct cfz_goal *g)
{
    bool wants_true = cfz_site_is_text(g->site) || (g->want & g->site->predicate) != 0;

    if (g->site->kind == CFZ_SITE_SWITCH) {
        int i = cfz_case(g->site, g->value);

        return i < 0 ? g->site->behind_false : g->site->cases[i].behind;
    }
    return wants_true ? g->site->behind_true : g->site->behind_false;
}

/* cfz_site_asks_equality reports whether two numbers are asked to be equal, or not to be; no bound.
 */
static inline bool cfz_site_asks_equality(const struct cfz_site *s)
{
    return s->predicate == CFZ_REL_EQUAL || s->predicate == (CFZ_REL_GREATER | CFZ_REL_LESS);
}

/* cfz_goal_is_equality reports whether a goal of a number is that the operands are equal, or that
 * they are not; not a bound. */
static inline bool cfz_goal_is_equality(const struct cfz_goal *g)
{
    return g->want == CFZ_REL_EQUAL || g->want == (15 & ~CFZ_REL_EQUAL);
}

/* cfz_site_note returns the note of a site, or NULL. */
static inline struct cfz_site_note *cfz_site_note(struct cfz_goals *goals,
                                                  const struct cfz_site *site)
{
    return site->id < CFZ_SITE_NOTES_MAX ? &goals->sites[site->id] : NULL;
}
static inline struct cfz_recipe *cfz_site_recipe(struct cfz_goals *goals,
                                                 const struct cfz_site *site)
{
    return site->id < CFZ_SITE_NOTES_MAX ? &goals->recipes[site->id] : NULL;
}

/* cfz_recipe_is_sound reports whether a run may have made it, which a target can write over. */
bool cfz_recipe_is_sound(const struct cfz_recipe *r);

/* cfz_goals_keep_recipe makes learnt the recipe of a site, in place of the one it may have. */
void cfz_goals_keep_recipe(struct cfz_goals *goals, const struct cfz_site *site,
                           const struct cfz_recipe *learnt);

/* ---- numbers ------------------------------------------------------------------ */

/* cfz_relate returns how a relates to b at a site of kind INT, FLOAT or SWITCH. */
enum cfz_relation cfz_relate(const struct cfz_site *site, uint64_t a, uint64_t b);

/*
 * cfz_order maps an operand of a site to a number that has the order of the operands: between
 * neighbours the difference is 1, for floats too. cfz_unorder is the way back.
 */
uint64_t cfz_order(const struct cfz_site *site, uint64_t v);
uint64_t cfz_unorder(const struct cfz_site *site, uint64_t v);

/* cfz_site_mask has the bits of an operand set. */
static inline uint64_t cfz_site_mask(const struct cfz_site *site)
{
    return site->width >= 64 || site->width == 0 ? UINT64_MAX : ((uint64_t)1 << site->width) - 1;
}

/* cfz_holds reports the outcome of an event: a number's predicate, equality of text; of a switch,
 * whether its value is one of the cases. */
bool cfz_holds(const struct cfz_event *e);

/* ---- goals ---------------------------------------------------------------------- */

/* Keys by level. of is the outcome that is wanted, or for a switch its value. */
uint64_t cfz_goal_key0(const struct cfz_site *site, uint64_t of);
uint64_t cfz_goal_key1(const struct cfz_site *site, uint64_t operand);
uint64_t cfz_goal_key2(const struct cfz_site *site, uint32_t nth, bool outcome);
uint64_t cfz_goal_key2_case(const struct cfz_site *site, uint32_t nth, uint64_t value);
uint64_t cfz_goal_key3(uint64_t key2, uint64_t path);

/* cfz_goal_of_case makes g the goal of level 0 that case k of a switch is, at comparison nth. */
void cfz_goal_of_case(struct cfz_site *site, uint32_t k, uint32_t nth, struct cfz_goal *g);

/* cfz_goal_open reports whether no input has shown the goal. */
bool cfz_goal_open(const struct cfz_goals *goals, const struct cfz_seen *seen,
                   const struct cfz_goal *g);

/* cfz_goal_met_by reports whether the event is the outcome that the goal wants, wherever in the
 * execution it is. */
bool cfz_goal_met_by(const struct cfz_goal *g, const struct cfz_event *e);

/* cfz_goal_distance: 0 if e shows the outcome, else how far its operands are from it. */
uint64_t cfz_goal_distance(const struct cfz_goal *g, const struct cfz_event *e);

/* cfz_goals_learn notes all that the last trace showed, of an input that was kept. */
void cfz_goals_learn(struct cfz_goals *goals);

/*
 * cfz_goal_values stores the values, up to 5, that one operand would need for the goal, given the
 * other; side 0 is a. Returns how many.
 */
enum { CFZ_GOAL_VALUES = 5 };
unsigned cfz_goal_values(const struct cfz_goal *g, unsigned side, uint64_t other,
                         uint64_t values[CFZ_GOAL_VALUES]);

#endif
