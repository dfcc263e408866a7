/*
 * solving.h - what the files of the solver share, and recipes. Only they and mend.c include it.
 *
 *     solver.c         an input's turn: probes, and a step after the other for each goal
 *     tasks.c          which goals it has
 *     probes.c         what its bytes and lengths move
 *     guess.c          where operands come from that none of them moves
 *     solver_trial.c   one execution for a goal
 *     repair.c         the way to a comparison, mended or changed
 *     path.c           the path of an input, and back to it
 *     side.c           inputs that the solver goes on from
 *     tail.c           bytes behind an input's end
 *     recipes.c        fields that are written anew in other inputs
 *     fields.c         where such a field may be
 *     numbers.c        numbers in text, and arguments
 *
 *   Steps:
 *     solver_number.c  which of these for numbers, and the cheap ones: copy, text, length
 *     solver_linear.c  numbers whose bits add up
 *     solver_descend.c  numbers that come nearer: bisect, descend, pairs
 *     solver_numerals.c  numbers in text and arguments that together make up an operand
 *     solver_code.c    numbers in codes of variable length
 *     solver_escape.c  bytes that have to be escaped
 *     solver_real.c    Newton's method for floats
 *     solver_text.c    text: place, translate, climb
 *     solver_nested.c  more bytes in a field that lies within lengths
 *     solver_together.c  two numbers of which something has to stay as it is
 *     solver_counts.c  more of what the program counts
 *     solver_plant.c   a constant that is read from a place which a field names
 */
#ifndef CFZ_SOLVING_H
#define CFZ_SOLVING_H

#include "core/text.h"
#include "search/search.h"

enum {
    CFZ_INFLUENCES = 96,  /* positions a goal */
    CFZ_LENGTHS = 16,     /* effects of lengths a goal */
    CFZ_FIELDS = 8,       /* comparisons of a base of which it is known what mends them */
    CFZ_FIELD_TRIES = 64, /* places of a field that are tried */
    CFZ_PATH_MAX = 8192,  /* events of a base that are remembered */
};

/* A position that changes an operand. */
struct cfz_influence {
    uint32_t p;
    uint8_t sides;      /* 1: a, 2: b */
    int32_t a_at, b_at; /* text: the first byte of the side that changed, or -1 */
};

enum cfz_length_way { CFZ_APPEND, CFZ_DOUBLE, CFZ_DELETE, CFZ_TRUNCATE };

/* What one byte more, or less, in value i at p does to a - b. */
struct cfz_length {
    enum cfz_length_way way;
    uint32_t i, p;
    int64_t effect; /* not 0 */
    bool is_guess;  /* no probe has shown it */
};

/* A goal that is worked on, with what is known of it at the base. */
struct cfz_task {
    struct cfz_goal g;
    bool is_part;  /* the goal is a part of a condition, and all that hold at the base have to: */
    uint32_t held; /* so many of them, and of other conditions behind which no input came */
    struct cfz_goal_note *note;
    uint64_t a, b; /* operands at the base */
    uint8_t text_a[CFZ_TEXT_MAX], text_b[CFZ_TEXT_MAX];
    uint32_t len_a, len_b;
    struct cfz_influence at[CFZ_INFLUENCES];
    uint32_t nat;
    uint8_t sides; /* of all of them */
    bool lost;     /* a changed input did not get there */
    uint64_t unmoved[CFZ_IMAGE_MAX / 64]; /* bit p: one did whose byte at p was changed, and compared
                                           * the same */
    struct cfz_length lengths[CFZ_LENGTHS];
    uint32_t nlengths;
};

enum cfz_written {
    CFZ_WRITTEN_BYTES,
    CFZ_WRITTEN_OPERAND, /* the bytes that held the operand, all of them */
    CFZ_WRITTEN_NUMERAL,
    CFZ_WRITTEN_LENGTH,
};

/* An input that left the path of its base by what was written for a task. */
struct cfz_lost {
    struct cfz_image im;
    enum cfz_written by;
    uint32_t frozen, frozen_end; /* where it was written */
    uint32_t kept;               /* sites of the base that it came to */
};

/* Of such inputs one of each is kept: where an argument of fixed size was written, or another one
 * that is as long as the base, or one of another length. */
enum { CFZ_NOTED_ARGUMENT, CFZ_NOTED_SAME, CFZ_NOTED_RESIZED, CFZ_NOTED };

/* A comparison that is equal in a base, and the field that was written anew where it was so no
 * more; NONE: no field is known to mend it. */
struct cfz_base_field {
    const struct cfz_site *site;
    uint32_t nth;
    struct cfz_recipe recipe;
};

/* An input and the path that it takes. */
struct cfz_base {
    struct cfz_image im;
    uint32_t nfields;
    struct cfz_base_field fields[CFZ_FIELDS];
    uint32_t nsteps;
    struct cfz_path_step {
        const struct cfz_site *site;
        uint64_t value; /* of a switch: what it chose; else the outcome */
    } path[CFZ_PATH_MAX];
};

enum cfz_trial {
    CFZ_TRIAL_OVER, /* the search, or the budget of the task, is over */
    CFZ_TRIAL_MET,
    CFZ_TRIAL_REACHED, /* solver.event is the comparison, with another outcome */
    CFZ_TRIAL_LOST,    /* the comparison was not reached */
};

struct cfz_solver {
    struct cfz_search *s;
    struct cfz_task *task;
    struct cfz_base *base;  /* of the task */
    uint64_t limit;         /* s->cost at which the task is over */
    struct cfz_task *outer; /* not NULL while the task repairs the path of this one */
    bool repairs;           /* ... and what was written for it stays */
    bool straightens;       /* the task is of a path without a goal: recipes are for it, too */
    bool turns;    /* the task is a comparison before that of outer, which is still to be reached */
    uint32_t kept; /* sites of the base that the last lost trial came to, before it was mended */
    struct cfz_lost noted[CFZ_NOTED]; /* the best of them */
    bool has_noted[CFZ_NOTED];
    struct cfz_lost lost; /* the one that is repaired */
    bool is_repaired; /* the task that repairs is met, the outer one not: lost is the new input */
    const struct cfz_event *event;
    struct cfz_recipe recipe; /* of the trial that is made; learnt if it meets an equality */
    const char *step;
    uint64_t best; /* least distance of this task, by a descent */
    struct cfz_image best_im;
    uint64_t nearest; /* the same of all trials, if the goal is of level 0 */
    struct cfz_image nearest_im;
};

extern struct cfz_solver cfz_solver;

/* Of the input that is worked on, of one that is on its way to another path, and of the best one of
 * a task, from which it goes on. */
enum { CFZ_BASE_BEST = 2, CFZ_BASES };
extern struct cfz_base *cfz_bases;

enum {
    CFZ_COST_LEVEL0 = 3000, /* of a goal at the first attempt; four times as much at each further */
    CFZ_COST_REPAIR = 1500, /* at least, of each comparison at which a path is mended; guessed */
    CFZ_PATH_NTH = 16,      /* comparisons of a site that tell paths apart */
};

/* ---- trials (solver_trial.c) -------------------------------------------------------------------
 */

/* cfz_trial executes im for the task. Where it leaves the path of the base, recipes bring it
 * back. cfz_trial_once does not bring it back; with an outer task it is for the repair of that
 * one's path. cfz_trial_back does, if that was LOST and the last trace is that of im. */
enum cfz_trial cfz_trial(struct cfz_solver *v, const struct cfz_image *im);
enum cfz_trial cfz_trial_once(struct cfz_solver *v, const struct cfz_image *im);
enum cfz_trial cfz_trial_back(struct cfz_solver *v, const struct cfz_image *im);

/* cfz_trial_values tries each value from first to last, but the one that is there, as the byte at p
 * of im. im is as before unless that ends it. */
enum cfz_trial cfz_trial_values(struct cfz_solver *v, struct cfz_image *im, uint32_t p,
                                uint8_t first, uint8_t last);

/* cfz_task_at sets what a task knows of the base from its comparison there. */
void cfz_task_at(struct cfz_task *t, const struct cfz_event *e);

/* cfz_may_probe reports whether a task may have im, the input of the last trace, probed: all its
 * bytes and lengths, if each such execution costs as much as that one. */
bool cfz_may_probe(const struct cfz_solver *v, const struct cfz_task *t,
                   const struct cfz_image *im);

/* cfz_is_checksum reports whether what one operand of a task is reckoned from is more than what is
 * written in the other. */
bool cfz_is_checksum(const struct cfz_task *t);

/* cfz_is_plain reports whether a goal is an outcome of a comparison that the program makes. */
static inline bool cfz_is_plain(const struct cfz_task *t)
{
    return t->g.level == 0 && !cfz_site_is_unasked(t->g.site);
}

/* cfz_is_even_attempt reports whether this is the second attempt at a goal, the fourth, and so on.
 */
static inline bool cfz_is_even_attempt(const struct cfz_task *t)
{
    return (atomic_load_explicit(&t->note->tried, memory_order_relaxed) & 1) == 0;
}

/* cfz_allow lets the task go on for so much more at least. */
static inline void cfz_allow(struct cfz_solver *v, uint64_t cost)
{
    if (v->limit < v->s->cost + cost)
        v->limit = v->s->cost + cost;
}

/* ---- goals of an input (tasks.c) ------------------------------------------------------------ */

/* The goals of one input; behind them those that are only watched. */
struct cfz_tasks {
    struct cfz_task *of;
    uint32_t n;
    unsigned nopen; /* goals of the input that are open, whether or not they are worked on */
    uint64_t path;  /* a hash of the outcomes of its trace */
};
extern struct cfz_tasks cfz_tasks;

/* cfz_tasks_map makes their memory; false, with errno, if there is none. */
bool cfz_tasks_map(void);

/*
 * cfz_tasks_collect makes tasks of the goals of the last trace, that of im; round and generation as
 * in cfz_solver_entry. Of a long one those come first that inputs are known to move; with a tail,
 * which few comparisons look at, first of all those that are direct. cfz_tasks_watch adds, behind
 * them, comparisons that may tell of a field that is right, and returns how many.
 * cfz_tasks_are_full reports whether there is no room for more of level 0.
 */
void cfz_tasks_collect(struct cfz_search *s, const struct cfz_image *im, unsigned round,
                       unsigned generation, bool tail);
uint32_t cfz_tasks_watch(struct cfz_search *s, const struct cfz_image *im);
bool cfz_tasks_are_full(void);

/* cfz_hash_path returns a hash of where the last trace went, without how often it went round; not
 * 0. */
uint64_t cfz_hash_path(void);

/* cfz_parts_held returns how many comparisons of the last trace have the outcome that a condition
 * needs behind which no input came yet; if hash is not NULL, which. */
uint32_t cfz_parts_held(const struct cfz_search *s, uint64_t *hash);

/*
 * Another key for the goal of a task, when its input was probed; false if there is none, or the
 * goal has no turn. cfz_mend_on_path makes of a checksum that this input misses a goal of its path:
 * that other inputs had theirs right is of no use to this one, which ends here. Once per path, and
 * as long as such goals are met. cfz_rekey makes a goal of level 1 that of the operand that nothing
 * moves, now that this is known.
 */
bool cfz_mend_on_path(struct cfz_search *s, struct cfz_task *t);
bool cfz_rekey(struct cfz_search *s, struct cfz_task *t);

/*
 * cfz_guess (guess.c) adds to what moves a task. Where each change of a byte leaves the path, since
 * it is under a checksum, say, nothing was seen to move the operands. They come from where they
 * stand in the input, and there most often from the last such place. A single byte is at many
 * places: it is looked for where few are known to move it, which may be that only by what mended
 * the change of another one. So may be a number that fits a byte: it is looked for if its bytes
 * stand at few places.
 */
void cfz_guess(struct cfz_task *t, const struct cfz_image *im);

/* ---- the way to a comparison (repair.c) ------------------------------------------------------ */

/* cfz_repair: what was written for the task made an input leave its path, from; brings it back,
 * comparison by comparison. */
enum cfz_trial cfz_repair(struct cfz_solver *v, const struct cfz_lost *from);

/*
 * What is compared may depend on the ways that earlier comparisons went, and on no byte alone:
 * flags that were set one by one. cfz_turn_outcomes gives each of these comparisons its other
 * outcome; what brings the operands nearer stays, and the next one is tried from there. So does
 * what leaves them and takes a shorter way: of the checks of a header each that fails goes on to
 * say so, and one flag tells of all of them at the end.
 *
 * cfz_straighten does the same to im where there is no goal behind these comparisons, since each of
 * the checks of a header that fails goes on to say so, and when one did the program gives up: no
 * input goes further until all of them hold, and compilers leave nothing that asks for all. What
 * leaves out a piece of the way and comes to the same end stays. Once for each path.
 */
enum cfz_trial cfz_turn_outcomes(struct cfz_solver *v);
void cfz_straighten(struct cfz_search *s, const struct cfz_image *im);

/* ---- inputs on the side (side.c) --------------------------------------------------------------
 */

/* cfz_side_map makes their memory; false, with errno, if there is none. */
bool cfz_side_map(void);

/* cfz_side_from: the input that is worked on is im, from now on. */
void cfz_side_from(const struct cfz_image *im, unsigned generation);

/* cfz_side_again keeps that input for another turn. */
void cfz_side_again(void);

/* cfz_side_add keeps a copy of im, and returns that, which the caller may change; progress: it
 * shows no outcome that is new. */
struct cfz_image *cfz_side_add(bool progress, const struct cfz_image *im);

/* ---- trials that fail --------------------------------------------------------------------------
 */

/*
 * cfz_note_lost notes that im of the last trial, in which [p, end) was written for the task, left
 * the path. Of several one with the shortest field is kept, and of these the one that got farthest;
 * between two kinds it is the one that got farther. Three are kept side by side (CFZ_NOTED): a word
 * over a shorter one destroys what is behind it, and in its place needs another length; and digits
 * that are by chance the number that an argument is, too, may lead farther. Where only the length
 * of a value was changed, p and end are where the value begins.
 */
static inline void cfz_note_lost(struct cfz_solver *v, const struct cfz_image *im, uint32_t p,
                                 uint32_t end, enum cfz_written by)
{
    const int which = cfz_image_size(im) != cfz_image_size(&v->base->im) ? CFZ_NOTED_RESIZED
                      : cfz_image_grows(im, cfz_image_value(im, p))      ? CFZ_NOTED_SAME
                                                                         : CFZ_NOTED_ARGUMENT;
    struct cfz_lost *l = &v->noted[which];
    const uint32_t n = end - p, old = l->frozen_end - l->frozen;
    bool is_better = v->kept > l->kept;

    if (by == l->by)
        is_better = n < old || (n == old && is_better);
    if (v->outer || (v->has_noted[which] && !is_better))
        return;
    v->has_noted[which] = true;
    l->by = by;
    l->kept = v->kept;
    l->frozen = p;
    l->frozen_end = end;
    cfz_image_copy(&l->im, im);
}

/* cfz_is_same reports whether e, of a later trace or NULL, is the comparison that was is. */
static inline bool cfz_is_same(const struct cfz_event *was, const struct cfz_event *e)
{
    return e && e->site == was->site && e->nth == was->nth;
}

/* cfz_is_equal reports whether an event compared two numbers or texts that are the same. */
static inline bool cfz_is_equal(const struct cfz_event *e)
{
    return cfz_site_is_text(e->site) ? e->outcome
                                     : cfz_relate(e->site, e->a, e->b) == CFZ_REL_EQUAL;
}

/* cfz_is_program reports whether an operand of a site, b if side, is a constant of the program;
 * cfz_has_constant whether one of them is. */
static inline bool cfz_is_program(const struct cfz_site *site, uint8_t side)
{
    return (site->flags & (side ? CFZ_SITE_CONST_B : CFZ_SITE_CONST_A)) != 0;
}

static inline bool cfz_has_constant(const struct cfz_site *site)
{
    return cfz_is_program(site, 0) || cfz_is_program(site, 1);
}

static inline bool cfz_is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* cfz_is_amid_text reports whether what is before and behind the bytes [p, end) of value i of im,
 * if anything is, is printable ASCII or white space. */
static inline bool cfz_is_amid_text(const struct cfz_image *im, uint32_t i, uint32_t p,
                                    uint32_t end)
{
    const uint8_t before = p > im->at[i] ? im->bytes[p - 1] : ' ';
    const uint8_t behind = end < im->at[i + 1] ? im->bytes[end] : ' ';

    return cfz_is_ascii_text(before) && cfz_is_ascii_text(behind);
}

/* What ends a step: the goal is met, or nothing may be executed. */
static inline bool cfz_trial_ends(enum cfz_trial t)
{
    return t == CFZ_TRIAL_MET || t == CFZ_TRIAL_OVER;
}

/* The operand b of an event of the task, which of a switch is the value that is wanted. */
static inline uint64_t cfz_task_b(const struct cfz_task *t, const struct cfz_event *e)
{
    return t->g.site->kind == CFZ_SITE_SWITCH ? t->g.value : e->b;
}

/* a - b as a signed number, of operands of the task's comparison. */
static inline int64_t cfz_difference(const struct cfz_task *t, uint64_t a, uint64_t b)
{
    const unsigned w = t->g.site->width, unused = w == 0 || w >= 64 ? 0 : 64 - w;

    return (int64_t)((a - b) << unused) >> unused;
}

/* How often one goes into total; INT64_MAX for INT64_MIN / -1, which would end the process. */
static inline int64_t cfz_times(int64_t total, int64_t one)
{
    return total == INT64_MIN && one == -1 ? INT64_MAX : total / one;
}

/* ---- probes (probes.c) ---------------------------------------------------------------- */

enum {
    CFZ_PROBE_DENSE = 64,    /* an input of up to so many bytes is probed with all changes */
    CFZ_PROBE_STRIDE = 2048, /* a longer one in steps */
    CFZ_FIXED = 2, /* probed inputs, none of which moved a site, after which it is left alone */
};

/* cfz_solver_execute executes im traced, and notes the goals that it met if it is news; false if
 * the search is over. */
bool cfz_solver_execute(struct cfz_search *s, const struct cfz_image *im);

/* cfz_probe_bytes and cfz_probe_lengths change each byte, and each length, of the base b, and note
 * in the n tasks which of them move their operands. False if the search is over. */
bool cfz_probe_bytes(struct cfz_search *s, struct cfz_base *b, struct cfz_task *ts, uint32_t n,
                     unsigned round);
bool cfz_probe_lengths(struct cfz_search *s, struct cfz_base *b, struct cfz_task *ts, uint32_t n);

/*
 * Of a long trace it is seen which of its sites the probes move. cfz_probes_begin: the last trace
 * is that of the base b, an entry's. cfz_probes_fixed counts, for each site of it that nothing has
 * moved so far, that this input did not. cfz_probes_direct returns how many sites became direct
 * (goal.h) since then, cfz_probes_least how many comparisons an execution with a change of the base
 * made at least: what the program compares before it comes to its input, or leaves it.
 */
void cfz_probes_begin(const struct cfz_base *b);
void cfz_probes_fixed(struct cfz_search *s);
uint32_t cfz_probes_direct(void);
uint64_t cfz_probes_least(void);

/* cfz_note_probed notes for the report what the probes of the base said of a task's comparison. If
 * they only seemed to move it, its site is left alone from now on (cfz_leave_alone). */
void cfz_note_probed(struct cfz_search *s, const struct cfz_base *b, const struct cfz_task *t);

/* ---- steps ------------------------------------------------------------------------------------
 */

/* Each step returns MET, OVER, or another trial's result if it did not help. */
enum cfz_trial cfz_solve_number(struct cfz_solver *v);
enum cfz_trial cfz_solve_text(struct cfz_solver *v);

/* cfz_solve_number_word is a step for numbers of which a constant is a word (cfz_number_word). */
enum cfz_trial cfz_solve_number_word(struct cfz_solver *v);

/* cfz_texts_program tells which of two texts that a site compared is the program's, most likely: a
 * constant; else 0 for a if it does not stand in the input, while b does or is empty; else 1. */
unsigned cfz_texts_program(const struct cfz_site *site, const struct cfz_image *in,
                           const uint8_t *a, uint32_t na, const uint8_t *b, uint32_t nb);

/* cfz_solve_inserted is a step where nothing moves an operand: the program may look for a number in
 * text where there is none. */
enum cfz_trial cfz_solve_inserted(struct cfz_solver *v);

/* cfz_solve_counts is another one, of a task of level 0: the program may count characters, of which
 * more are put in. */
enum cfz_trial cfz_solve_counts(struct cfz_solver *v);

/* cfz_solve_numerals is a step for numbers that depend on two and more numbers in text, or integer
 * arguments; in_text: only where two of them are in text, else only where they are not. */
enum cfz_trial cfz_solve_numerals(struct cfz_solver *v, bool in_text);

/* cfz_solve_together is a step for numbers whose change leaves the path, since something that they
 * add up to has to stay as it is: two of them change together. */
enum cfz_trial cfz_solve_together(struct cfz_solver *v);

/* cfz_solve_linear and cfz_solve_carry are steps for numbers of which each bit does something that
 * adds up; cfz_solve_carry where there are carries, too. */
enum cfz_trial cfz_solve_linear(struct cfz_solver *v);
enum cfz_trial cfz_solve_carry(struct cfz_solver *v);

/* Steps for numbers of which little is known but which is nearer: cfz_solve_bisect for windows,
 * cfz_solve_descend byte by byte, cfz_solve_digits for each digit, cfz_solve_pair for all values of
 * two bytes. */
enum cfz_trial cfz_solve_bisect(struct cfz_solver *v);
enum cfz_trial cfz_solve_descend(struct cfz_solver *v);
enum cfz_trial cfz_solve_digits(struct cfz_solver *v);
enum cfz_trial cfz_solve_pair(struct cfz_solver *v);

/* cfz_solve_code is a step for integers that are read from a code of variable length. */
enum cfz_trial cfz_solve_code(struct cfz_solver *v);

/* cfz_solve_escaped is a step for integers and text that stand in the input as they are compared,
 * where what is wanted has to be escaped. */
enum cfz_trial cfz_solve_escaped(struct cfz_solver *v);

/* cfz_solve_real is a step for comparisons of floats, for numbers with a fraction, and for numbers
 * in text that may have one. */
enum cfz_trial cfz_solve_real(struct cfz_solver *v);

/* cfz_tail_add appends by bytes, at most CFZ_TAIL_LONG, to each []byte and string of im, and makes
 * ones of numbers that are zero. False if nothing has room. */
enum { CFZ_TAIL_LONG = 64 };
bool cfz_tail_add(struct cfz_image *im, uint32_t by, uint8_t with);

/* cfz_tail_see notes what the last trace, that of an input without a tail, compares. */
void cfz_tail_see(void);

/*
 * cfz_tail_add_word adds a few letters to im, which cfz_tail_see has seen, and executes the result.
 * A word that they make longer may be another one, so that the input does not get as far as before:
 * where nothing more is compared than without them, a separator comes before them that has it so;
 * or they come where a NUL ended a string, and take the place of what is behind it. False if
 * nothing has room, or the search is over.
 */
bool cfz_tail_add_word(struct cfz_search *s, struct cfz_image *im);

/* cfz_solve_nested is a step for numbers, from start, whose task does not depend on what is written
 * into the bytes that are there. */
enum cfz_trial cfz_solve_nested(struct cfz_solver *v, const struct cfz_image *start);

/* cfz_solve_planted is a step for both, from start, when what the other steps wrote left the path.
 * It takes another base for the task, whose influences are those of that base afterwards, and
 * sets the limit: what it may cost does not depend on what was left. */
enum cfz_trial cfz_solve_planted(struct cfz_solver *v, const struct cfz_image *start);

/* cfz_reprobe makes im the base of the task and finds anew what influences it there. */
enum cfz_trial cfz_reprobe(struct cfz_solver *v, const struct cfz_image *im);

/* ---- recipes ------------------------------------------------------------------------- */

/* cfz_recipe_learn makes r the recipe of the site of t, whose goal was met by it, if it is one that
 * is of use again. */
void cfz_recipe_learn(struct cfz_search *s, const struct cfz_task *t, const struct cfz_recipe *r);

/*
 * cfz_recipe_wanted reports whether e, an event of im, may compare a field that is right with what
 * it depends on, and no recipe says so yet. cfz_recipe_see looks at what the probes of im showed of
 * such an event, whose task is t: the operand stands in bytes that move it alone, and others move
 * the other operand; or it goes into an operand as it is, together with the others, which one
 * execution for each such byte tells. Where the first stage has a recipe of the site, its field is
 * looked at only.
 */
bool cfz_recipe_wanted(const struct cfz_search *s, const struct cfz_event *e,
                       const struct cfz_image *im);
void cfz_recipe_see(struct cfz_search *s, const struct cfz_task *t, const struct cfz_image *im);

/* cfz_recipe_is_watched reports whether that is so of events of a site that compares with a
 * constant of the program: of ~sum == field and sum - field == 0. */
bool cfz_recipe_is_watched(const struct cfz_site *site, uint64_t constant);

/* A comparison, with its texts, as it was in one input while others are executed. */
struct cfz_compared {
    struct cfz_event e;
    uint8_t a[CFZ_TEXT_MAX], b[CFZ_TEXT_MAX];
};

/* cfz_compared_take makes c a copy of e, an event of the last trace. */
void cfz_compared_take(struct cfz_compared *c, const struct cfz_event *e);

/*
 * cfz_recipe_apply applies the recipe of the site of c, a comparison of im: writes what the
 * comparison wants into the field. way 1 takes the second place that the field may be at, or counts
 * it from the end. False if there is no recipe that fits.
 */
bool cfz_recipe_apply(struct cfz_search *s, const struct cfz_compared *c, struct cfz_image *im,
                      int way);

/* cfz_recipe_write does the same by r. */
bool cfz_recipe_write(const struct cfz_recipe *r, const struct cfz_compared *c,
                      struct cfz_image *im, int way);

/* ---- fields --------------------------------------------------------------------------- */

/*
 * cfz_field_candidates tells where in im, which was made of base and is not equal any more at c, a
 * field may be that mends it: recipes, what is most likely first. Returns how many.
 */
uint32_t cfz_field_candidates(const struct cfz_compared *c, const struct cfz_image *im,
                              const struct cfz_image *base, struct cfz_recipe to[CFZ_FIELD_TRIES]);

/* cfz_field_is_changed reports whether im, if it is as long as base, differs from it in the bytes
 * of a field. */
bool cfz_field_is_changed(const struct cfz_recipe *r, const struct cfz_image *im,
                          const struct cfz_image *base);

/* ---- paths ----------------------------------------------------------------------------- */

/* cfz_chosen returns the outcome of an event, or of a switch the case. */
uint64_t cfz_chosen(const struct cfz_event *e);

/* cfz_base_take makes b the base of the last trace, of im. */
void cfz_base_take(struct cfz_base *b, const struct cfz_image *im);

/* cfz_base_kept returns how many sites of the base the last trace has, too. */
uint32_t cfz_base_kept(const struct cfz_base *b);

/* cfz_base_left returns the first event of the last trace that went another way than the base, or
 * NULL. */
const struct cfz_event *cfz_base_left(const struct cfz_base *b);

/* How far the path of a base was looked through for a site, so that who asks for one comparison
 * after the other does not begin anew each time. All zero: for none. */
struct cfz_cursors {
    struct cfz_cursor {
        const struct cfz_site *site;
        uint32_t i, nth; /* so many comparisons of the site stand before i */
    } of[16];
    uint32_t n; /* sites so far; of[n % 16] is given up for the next one */
};

/* cfz_base_chose tells what the base chose at a comparison. False if it did not get there. */
bool cfz_base_chose(const struct cfz_base *b, struct cfz_cursors *cursors,
                    const struct cfz_site *site, uint32_t nth, uint64_t *value);

/* Executes an input that is to come back to a path: LOST if it goes on from there. */
typedef enum cfz_trial cfz_run_fn(struct cfz_solver *v, const struct cfz_image *im);

/*
 * cfz_bring_back writes fields of im anew, whose trace is the last one, where it left the path of
 * b, one after the other, and runs what that makes of it, until run returns anything but LOST or no
 * field is found. Returns what run did last, or LOST. The last trace is that of the last input
 * that was run.
 */
enum cfz_trial cfz_bring_back(struct cfz_solver *v, struct cfz_base *b, const struct cfz_image *im,
                              cfz_run_fn *run);

#endif
