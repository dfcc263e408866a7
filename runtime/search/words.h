/*
 * words.h - words in random mutation: each is used as often as what it brings is worth.
 *
 * Words are given by the user (dictionaries, CFUZZ_DICT), are strings of the program, or were seen
 * as operands of comparisons. They lie in a table that the workers of a test share. A word has a
 * count of executions that it took part in and of what they brought, both counting less with time;
 * so have all words together, and mutation without words. From these follow the word that is drawn,
 * and how often one is drawn at all: rarely at first, and seldom from then on if words bring less
 * than other mutations. Words that the user gave begin with a grant, so that they are tried early.
 * docs/decisions/052.
 *
 * All decisions are made from counts and the generator's draws, so that a run repeats.
 */
#ifndef CFZ_WORDS_H
#define CFZ_WORDS_H

#include <stdatomic.h>

#include "core/dict.h"
#include "core/rand.h"
#include "core/value.h"

struct cfz_image;
struct cfz_trace;

enum {
    CFZ_WORDS_MAX = 1 << 15,      /* words in the table; a power of two */
    CFZ_WORDS_SEEN_MAX = 1024,    /* of these, seen in comparisons */
    CFZ_WORDS_STRINGS_MAX = 1024, /* of these, strings of the program (target/strings.h) */
    CFZ_WORDS_ROOM = 24 << 20,    /* bytes of all words */
    CFZ_WORDS_SEEN_LEN = 64,      /* bytes of a word that was seen; longer ones are left out */
    CFZ_WORDS_CHAIN = 8,          /* words of one chain that are remembered */
};

struct cfz_word {
    _Atomic uint32_t len;   /* 0: it is being written */
    uint32_t at;            /* in text */
    bool given;             /* by the user */
    _Atomic uint32_t tries; /* executions that it took part in, counting less with time */
    _Atomic uint32_t gain;  /* what they brought, times 256, likewise */
};

/* What the workers of a test share. Words are only added; counts change by single relaxed stores,
 * so at worst one is not counted. */
struct cfz_word_table {
    _Atomic uint32_t n;    /* words, some of which may be in the making */
    _Atomic uint32_t used; /* bytes of text */
    _Atomic uint32_t nseen;
    _Atomic uint32_t grant;               /* uses of given words that are left in any case */
    _Atomic uint64_t tries, gain;         /* of all words together */
    _Atomic uint64_t others, gain_others; /* of mutations without words */
    struct cfz_word words[CFZ_WORDS_MAX];
    _Atomic uint64_t keys[2 * CFZ_WORDS_MAX]; /* a set of what is there, by hash */
    uint8_t text[CFZ_WORDS_ROOM];
};

/* What one worker knows besides. All zero is none. */
struct cfz_words {
    struct cfz_word_table *table;
    uint32_t wait;  /* mutations of []byte and string until a word has its turn; 0: not yet drawn */
    uint32_t gap;   /* what wait began with */
    uint32_t nused; /* words in the chain, the last one at the end */
    uint32_t used[CFZ_WORDS_CHAIN];
    void (*on_use)(void *ctx, uint32_t word); /* a word went into a value; may be NULL */
    void *ctx;
};

/* cfz_words_map makes a table, in a process that forks all workers of a test. CFZ_EIO. Context:
 * ordinary. */
int cfz_words_map(struct cfz_word_table **table, struct cfz_error *err);

/* cfz_words_renew makes t a table without words again, for processes that are forked from now on;
 * others keep theirs. In the process that made it. CFZ_EIO. Context: ordinary. */
int cfz_words_renew(struct cfz_word_table *t, struct cfz_error *err);

/* cfz_words_add adds a word of up to CFZ_WORD_MAX bytes. Without effect if it is there already, is
 * empty, or there is no room. Context: target. */
void cfz_words_add(struct cfz_word_table *t, const uint8_t *word, uint32_t len, bool given);

/*
 * cfz_words_learn adds what the comparisons of a trace had for operands and the input did not have:
 * text, and numbers of two bytes and more that something was to be equal to, in both byte orders.
 * Context: target.
 */
void cfz_words_learn(struct cfz_word_table *t, const struct cfz_trace *trace,
                     const struct cfz_image *input);

/* cfz_words_any reports whether there are words. Context: any. */
static inline bool cfz_words_any(const struct cfz_words *w)
{
    return w->table && atomic_load_explicit(&w->table->n, memory_order_relaxed) > 0;
}

/* cfz_is_name reports whether a byte may be part of a name. Context: any. */
static inline bool cfz_is_name(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* cfz_words_put puts a word into v, whether or not one has its turn. False if none fits. Context:
 * target. */
bool cfz_words_put(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v, uint64_t limit);

/* What cfz_words_mutate does when a word has its turn. */
bool cfz_words_turn(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v, uint64_t limit);

/*
 * cfz_words_mutate is called before each mutation of a []byte or string v, with the limit that
 * cfz_mutation_fn has. If a word has its turn, it puts the word into v and returns true. Otherwise
 * it draws nothing, but for the first time. Context: target.
 */
static inline bool cfz_words_mutate(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v,
                                    uint64_t limit)
{
    if (__builtin_expect(w->wait > 1, 1)) {
        w->wait--;
        return false;
    }
    return cfz_words_turn(w, r, v, limit);
}

/*
 * cfz_words_credit says that an execution of the chain had new coverage, or, if not interesting,
 * that the chain is over: the next input has no words in it. Context: target.
 */
void cfz_words_news(struct cfz_words *w);
static inline void cfz_words_credit(struct cfz_words *w, bool interesting)
{
    if (interesting)
        cfz_words_news(w);
    else
        w->nused = 0;
}

/* cfz_words_text returns word i, below CFZ_WORDS_MAX, and its length; NULL if it is in the making,
 * or is none since the target wrote over the table. Context: any. */
static inline const uint8_t *cfz_words_text(const struct cfz_word_table *t, uint32_t i,
                                            uint32_t *len)
{
    const struct cfz_word *w = &t->words[i];
    const uint32_t at = w->at;

    *len = atomic_load_explicit(&w->len, memory_order_acquire);
    return *len > 0 && *len <= CFZ_WORD_MAX && at <= CFZ_WORDS_ROOM - *len ? t->text + at : NULL;
}

#endif
