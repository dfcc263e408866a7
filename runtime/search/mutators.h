/*
 * mutators.h - the tables of mutations, between mutator.c and the mutators.
 *
 * There is one function per mutation, and one table per family of types. All of Go's mutations are
 * here, in Go's order and with Go's draws. Numbers have ours behind them (docs/decisions/033), []byte
 * and string have ours in a table of their own, cfz_mix_mutations (docs/decisions/058).
 * docs/hacking.md says how to add one. What stands in a table several times is chosen so much more
 * often.
 */
#ifndef CFZ_MUTATORS_H
#define CFZ_MUTATORS_H

#include "core/rand.h"
#include "core/shmem.h"
#include "core/value.h"
#include "search/image.h"

/*
 * A mutation changes v in place and returns true, or it declines: it returns false and leaves the
 * value as it is. The draws made so far are spent.
 *
 * limit  []byte, string: the result is not longer than this, which is at most v->cap
 *        and UINT32_MAX. A longer value is left at its length or made shorter.
 *        Integers: the largest value of the type. Others: not used.
 *
 * A string has no NUL before, and none after. Context: target.
 */
typedef bool cfz_mutation_fn(struct cfz_rand *r, struct cfz_value *v, uint64_t limit);

/* As cfz_mutation_fn, for a mutation of vs->v[i] that looks at the other values, or at other inputs,
 * too. */
struct cfz_among {
    struct cfz_rand *r;
    struct cfz_values *vs;
    size_t i;
    uint64_t limit;
    const struct cfz_run_shm *run; /* whose entries have the kinds of vs; NULL: there are none */
    cfz_other_fn *other;           /* inputs that are no entries; NULL: there are none */
    struct cfz_mutator *mutator;   /* whose mutations and words a mutation may use; or NULL */
};
typedef bool cfz_mutation_among_fn(const struct cfz_among *a);

struct cfz_mutation {
    const char *name; /* for tests, statistics and debugging */
    size_t min_len;   /* []byte, string: it declines a shorter value, without a draw */
    cfz_mutation_fn *apply;
    cfz_mutation_among_fn *among; /* if not NULL, it is called instead of apply */
};

/* cfz_mutation_apply applies m, which has an apply, or declines; that alone does not look at
 * min_len. */
static inline bool cfz_mutation_apply(const struct cfz_mutation *m, struct cfz_rand *r,
                                      struct cfz_value *v, uint64_t limit)
{
    /* Before the call: most mutations decline an empty value, and an indirect call is
     * mispredicted. */
    return v->len >= m->min_len && m->apply(r, v, limit);
}

/* cfz_cut_at_nul ends a string at the first NUL in data[from, to), the bytes just written. */
static inline void cfz_cut_at_nul(struct cfz_value *v, size_t from, size_t to)
{
    const uint8_t *nul;

    if (!cfz_kind_is_string(v->kind))
        return;
    nul = __builtin_memchr(v->data + from, 0, to - from);
    if (nul)
        v->len = (size_t)(nul - v->data);
}

enum {
    CFZ_BYTES_MUTATIONS = 18,
    CFZ_FITTING_MUTATIONS = 12,
    CFZ_MIX_MUTATIONS = 15,
    CFZ_RARE_MUTATIONS = 1,
    CFZ_STORED_MUTATIONS = 3,
    CFZ_BOOL_MUTATIONS = 2,
    CFZ_INT_MUTATIONS = 19,
    CFZ_UINT_MUTATIONS = 19,
    CFZ_FLOAT_MUTATIONS = 16,
};

extern const struct cfz_mutation cfz_bytes_mutations[CFZ_BYTES_MUTATIONS]; /* and strings */
/* As those of the same names, but they draw what can be done, where Go's draw and may then decline;
 * and places that are not amid equal bytes (docs/decisions/125). */
extern const struct cfz_mutation cfz_fitting_mutations[CFZ_FITTING_MUTATIONS];
extern const struct cfz_mutation cfz_mix_mutations[CFZ_MIX_MUTATIONS]; /* the same, not Go's */
/* The same, which few inputs have a use for: taken for idle until seen to apply. */
extern const struct cfz_mutation cfz_rare_mutations[CFZ_RARE_MUTATIONS];
/* Of []byte, where the program decompresses: a part becomes a deflate stream that holds it as it
 * is, r(3) raw, zlib's or gzip's; r(3): all, from r(len) on, or 1 + r(rest) bytes there. Or: the
 * first compressed stream from a place on, round the end, becomes such a one (stored.h). r(3): no
 * raw one counts, one near the place does, or one whose size is a number of 4 bytes; r(len): the
 * place; then those of cfz_sizes_change, or of cfz_lengths_change where no size is told. Or: such a
 * stream, or a stored one, is compressed anew with codes that are drawn behind its place
 * (deflate.h). */
extern const struct cfz_mutation cfz_stored_mutations[CFZ_STORED_MUTATIONS];
cfz_mutation_fn cfz_bytes_decompress; /* the second */
extern const struct cfz_mutation cfz_bool_mutations[CFZ_BOOL_MUTATIONS];
extern const struct cfz_mutation cfz_int_mutations[CFZ_INT_MUTATIONS];
extern const struct cfz_mutation cfz_uint_mutations[CFZ_UINT_MUTATIONS];
extern const struct cfz_mutation cfz_float_mutations[CFZ_FLOAT_MUTATIONS];

/* Of []byte (mutators_field.c): k = 1 + r(16) bytes more at place 1 + r(len), copied from r(len), or
 * less there, and the lengths around it likewise; r(12) is lowest byte first or last, less or more, and
 * how many of 4 that could be lengths are: 2, 3 or 4, for each of which r(4) is drawn but with 4. Draws:
 * place, r(12), k, lengths, from. Declines where nothing could be a length. */
cfz_mutation_fn cfz_bytes_resize;

/* The same with bytes of another input (cfz_other_bytes, of n), put in at place 1 + r(len); r(6): lowest byte
 * first or last, and how many of 4 that could be lengths are, 2, 3 or 4. Draws: place, r(6), from r(n); or: a
 * type, a length of one byte and as much as it says, if that is there; else r(16) for how many; lengths. */
cfz_mutation_among_fn cfz_bytes_insert_within;

/* Of []byte that is elements of ASN.1 (mutators_element.c), with all lengths around what is changed: element
 * r(n) of all, r(4): it is taken out; another takes its place, or is put before it, from another input
 * (boolean true, if that is elements, too) or the same, r(m) of its elements; or its content gets
 * longer (boolean true) or shorter by 1 + r(8), with bytes of a draw of 64 bits. Declines where there
 * is no room, and where a length would need more bytes. */
cfz_mutation_among_fn cfz_bytes_element;

/* Of []byte of 64 bytes or more that is not all text (mutators_within.c): the text of 8 to 1,023
 * bytes around place r(len), or the next one, gets 1 + r(3) edits, each a word of the table
 * (boolean true, if there is one) or the first of up to 4 other mutations, as cfz_mutator_draw has
 * them, that does not decline. Then it is made as long as it was, at place r(its length + 1), or
 * where the word there begins: by blanks, or by what goes there. */
cfz_mutation_among_fn cfz_bytes_within;

/* cfz_lengths_change makes what looks like a length around [pos, pos + cut) of v longer by change, or
 * shorter, with the draws of cfz_bytes_resize for how. */
void cfz_lengths_change(struct cfz_rand *r, struct cfz_value *v, uint32_t pos, uint32_t cut,
                        int64_t change);

/* cfz_is_told reports whether a number of 4 bytes that is this size stands in v. */
bool cfz_is_told(const struct cfz_value *v, uint32_t size, bool big);

/* cfz_sizes_change has numbers of 4 bytes follow a piece of v that is about to become longer by
 * change, or shorter: those that are its size, or that with what is around it, and those that are
 * an offset of what stands behind it, its end or that of v; r(4) of 0: all offsets, else those
 * whose boolean is true. What is in the piece is left alone. False, and nothing changes, where its
 * size is not told. */
struct cfz_piece_at {
    uint32_t at, size, around;
};
bool cfz_sizes_change(struct cfz_rand *r, struct cfz_value *v, const struct cfz_piece_at *p,
                      int64_t change);

/* cfz_other_bytes draws another input and sets *p to the bytes of value i there, borrowed for the
 * mutation. Returns how many; 0: there are none. */
uint32_t cfz_other_bytes(const struct cfz_among *a, const uint8_t **p);

/*
 * Our own mutations (mutators_jump.c), for the tables of mutators_num.c. The comments tell the
 * draws in their order: r(n) is a draw below n, "or" is a boolean. w is the width of the type in
 * bits.
 */
cfz_mutation_fn cfz_int_step;    /* 2^r(w), subtracted or added */
cfz_mutation_fn cfz_int_bit;     /* flips bit r(w) */
cfz_mutation_fn cfz_int_negate;  /* ~v or -v */
cfz_mutation_fn cfz_int_limit;   /* a limit of a type of up to w bits: r(4), r(8), r(12) or r(16) */
cfz_mutation_fn cfz_int_power;   /* 2^r(w + 1), r(3) - 1 more; signed: negated or not */
cfz_mutation_fn cfz_int_notable; /* 10^k or a limit of Unicode, r(26); signed: negated or not */
cfz_mutation_fn cfz_int_random;  /* 1 + r(w) random bits; signed: negated or not */
cfz_mutation_fn cfz_int_shift;   /* by 1 + r(w - 1), right or left; declines 0 */
cfz_mutation_fn cfz_int_scale;   /* by 2 + r(15), divided or multiplied; declines 0 */
cfz_mutation_fn cfz_int_turn;    /* the bytes the other way round; declines a single one */
cfz_mutation_among_fn cfz_int_other; /* value or length r(n - 1) of the others, r(3) - 1 more */

cfz_mutation_fn cfz_float_negate;
cfz_mutation_fn cfz_float_special; /* r(16): NaN, infinity, limits of the type...; negated or not */
cfz_mutation_fn cfz_float_bit;     /* flips bit r(w) */
cfz_mutation_fn cfz_float_next;    /* the bit pattern before or behind */
cfz_mutation_fn cfz_float_scale2;  /* by 2^(1 + r(126 or 1022)), divided or multiplied */
cfz_mutation_fn cfz_float_scale10; /* by a power of ten, r(10), divided or multiplied */
cfz_mutation_fn cfz_float_whole;   /* a whole number of 1 + r(64) random bits; negated or not */
cfz_mutation_fn cfz_float_random;  /* any bit pattern */

#endif
