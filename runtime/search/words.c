/*
 * words.c - the table of words, which one has its turn, and when.
 *
 * A share of the mutations is one of a word. It is r / (1 + r), where r is what an execution with a
 * word brings against what one without brings. Of words it is assumed beforehand that they bring a
 * sixteenth, until executions say otherwise. Which word it is: the best of a few that are drawn.
 * The idea is that of Thompson's and UCB's bandits, with a draw of arms in the place of one of
 * their worth.
 *
 * Invariants:
 *   1. A word is in the set of keys before it is in the table, so that two workers do not both add
 * it.
 *   2. Its len is stored last; a word of len 0 is not used.
 *   3. Without a word nothing is drawn and nothing is counted.
 *   4. A target can write over the table. What is read there may be anything: it never leads out of
 *      the table, and no loop depends on it.
 */
#define _GNU_SOURCE
#include "search/words.h"

#include <string.h>

#include "core/hash.h"
#include "self/shared.h"

/* Guessed, all, and tried on targets that docs/decisions/052 names. */
enum {
    SHARE_ALL = 1024,
    SHARE_LEAST = 2, /* of SHARE_ALL mutations */
    SHARE_MOST = 256,
    SHARE_GRANTED = 128, /* at least, while a grant is left */
    GRANT = 1024,        /* uses for each given word */
    GRANT_MOST = 1 << 18,
    GRANT_GAIN = 2 * 256, /* what a given word is assumed to have brought */

    /* Executions that a mutation is part of: it stays in the input until the end of its chain. */
    EXECS_A_USE = 3,
    ASSUMED = 512,     /* executions with words after which they count as much as what is assumed */
    ASSUMED_PART = 16, /* of what others bring */
    DECAY = 1 << 20,   /* executions after which what was before counts half */
    DECAY_WORD = 4096, /* the same for one word, in executions with it */

    DRAWN = 8,   /* words of which the best has its turn */
    EXPLORE = 8, /* once in so many turns it is any word */
    PICKS = 3,   /* words that are tried before a turn is given up */

    KEYS_TRIED = 1024, /* places of a key; the set is never more than half full */
};

static uint64_t load(const _Atomic uint64_t *p)
{
    return atomic_load_explicit(p, memory_order_relaxed);
}

static void store(_Atomic uint64_t *p, uint64_t v)
{
    atomic_store_explicit(p, v, memory_order_relaxed);
}

static uint32_t load32(const _Atomic uint32_t *p)
{
    return atomic_load_explicit(p, memory_order_relaxed);
}

static void store32(_Atomic uint32_t *p, uint32_t v)
{
    atomic_store_explicit(p, v, memory_order_relaxed);
}

int cfz_words_map(struct cfz_word_table **table, struct cfz_error *err)
{
    *table = cfz_shared_map(sizeof **table, "words", err);
    return *table ? 0 : -1;
}

int cfz_words_renew(struct cfz_word_table *t, struct cfz_error *err)
{
    return cfz_shared_renew(t, sizeof *t, err);
}

/* ---- adding ----------------------------------------------------------------------- */

/* Enters a key into the set. False if it is there, or has no place. */
static bool enter(struct cfz_word_table *t, uint64_t key)
{
    const uint32_t mask = 2 * CFZ_WORDS_MAX - 1;
    uint32_t i = (uint32_t)(key >> 40) & mask;

    for (int tries = 0; tries < KEYS_TRIED; tries++, i = (i + 1) & mask) {
        uint64_t at = load(&t->keys[i]);

        if (at == 0 && atomic_compare_exchange_strong(&t->keys[i], &at, key))
            return true;
        if (at == key)
            return false;
    }
    return false;
}

/* Adds below max to a counter. False if that would be more than max. */
static bool take(_Atomic uint32_t *counter, uint32_t n, uint32_t max, uint32_t *at)
{
    uint32_t had = load32(counter);

    do
        if (had > max || n > max - had)
            return false;
    while (!atomic_compare_exchange_weak(counter, &had, had + n));
    *at = had;
    return true;
}

void cfz_words_add(struct cfz_word_table *t, const uint8_t *word, uint32_t len, bool given)
{
    uint64_t key = cfz_text_hash(word, len) | 1;
    uint32_t i = 0, at = 0, grant;
    struct cfz_word *w;

    if (len == 0 || len > CFZ_WORD_MAX || load32(&t->n) >= CFZ_WORDS_MAX ||
        load32(&t->used) > CFZ_WORDS_ROOM - len || !enter(t, key))
        return;
    if (!take(&t->used, len, CFZ_WORDS_ROOM, &at) || !take(&t->n, 1, CFZ_WORDS_MAX, &i))
        return;
    memcpy(t->text + at, word, len);
    w = &t->words[i];
    w->at = at;
    w->given = given;
    store32(&w->gain, given ? GRANT_GAIN : 0);
    atomic_store_explicit(&w->len, len, memory_order_release);
    grant = load32(&t->grant);
    if (given && grant < GRANT_MOST)
        store32(&t->grant, grant + GRANT);
}

/* ---- how often, and which ------------------------------------------------------------ */

/* The share of words, of SHARE_ALL mutations. */
static uint32_t share(const struct cfz_word_table *t)
{
    enum { POINT = 24 }; /* bits behind the point */
    const uint64_t others = ((load(&t->gain_others) + 64) << POINT) / (load(&t->others) + 1024);
    const uint64_t words =
        ((load(&t->gain) << POINT) + others / ASSUMED_PART * ASSUMED) / (load(&t->tries) + ASSUMED);
    const uint64_t least = load32(&t->grant) > 0 ? SHARE_GRANTED : SHARE_LEAST;
    uint64_t part = words + others > 0 ? SHARE_ALL * words / (words + others) : 0;

    part = part < least ? least : part;
    return (uint32_t)(part > SHARE_MOST ? SHARE_MOST : part);
}

/* Draws how many mutations there are from one turn to the next. */
static void draw_gap(struct cfz_words *w, struct cfz_rand *r)
{
    const uint32_t mean = SHARE_ALL / share(w->table);

    w->gap = 1 + cfz_rand_below(r, 2 * mean - 1);
    w->wait = w->gap;
}

static void halve(_Atomic uint64_t *p)
{
    store(p, load(p) / 2);
}

/* Counts a turn of word i, and gap mutations since the one before. */
static void count(struct cfz_words *w, uint32_t i, uint32_t gap)
{
    struct cfz_word_table *t = w->table;
    struct cfz_word *word = &t->words[i];
    const uint32_t tries = load32(&word->tries) + EXECS_A_USE, grant = load32(&t->grant);

    store32(&word->tries, tries);
    if (tries > DECAY_WORD) {
        store32(&word->tries, tries / 2);
        store32(&word->gain, load32(&word->gain) / 2);
    }
    if (word->given && grant > 0)
        store32(&t->grant, grant - 1);
    store(&t->tries, load(&t->tries) + EXECS_A_USE);
    store(&t->others, load(&t->others) + gap);
    if (load(&t->tries) + load(&t->others) > DECAY) {
        halve(&t->tries);
        halve(&t->gain);
        halve(&t->others);
        halve(&t->gain_others);
    }
}

/* Whether word i is worth more than word j. */
static bool is_better(const struct cfz_word_table *t, uint32_t i, uint32_t j)
{
    const struct cfz_word *a = &t->words[i], *b = &t->words[j];

    return (uint64_t)(load32(&a->gain) + 64) * (load32(&b->tries) + 192) >
           (uint64_t)(load32(&b->gain) + 64) * (load32(&a->tries) + 192);
}

/* Of n words, which are in the table. */
static uint32_t pick(const struct cfz_word_table *t, uint32_t n, struct cfz_rand *r)
{
    uint32_t best = cfz_rand_below(r, n);

    if (n == 1 || cfz_rand_below(r, EXPLORE) == 0)
        return best;
    for (int k = 1; k < DRAWN; k++) {
        uint32_t i = cfz_rand_below(r, n);

        if (is_better(t, i, best))
            best = i;
    }
    return best;
}

/* ---- putting a word into a value -------------------------------------------------------- */

/* Replaces v's bytes [from, to) by a word; the result has to fit. */
static void splice(struct cfz_value *v, size_t from, size_t to, const uint8_t *word, size_t n)
{
    memmove(v->data + from + n, v->data + to, v->len - to);
    memcpy(v->data + from, word, n);
    v->len = v->len - (to - from) + n;
}

/*
 * Draws what the word does: r(4) is 0 for an insertion anywhere, 1 for one behind the name that is
 * there, 2 for overwriting, 3 for taking the place of a name, or of one byte that is not part of
 * one. Then the place. What does not fit overwrites, or declines.
 */
static bool put(struct cfz_rand *r, struct cfz_value *v, const uint8_t *word, size_t n,
                uint64_t limit)
{
    const size_t most = v->len > limit ? v->len : limit;
    const size_t over = n < v->len ? n : v->len; /* bytes that overwriting takes the place of */
    size_t from, to;

    if (n > most)
        return false;
    switch (cfz_rand_below(r, 4)) {
    case 0:
        from = to = cfz_rand_below(r, (uint32_t)v->len + 1);
        break;
    case 1:
        from = cfz_rand_below(r, (uint32_t)v->len + 1);
        while (from > 0 && from < v->len && cfz_is_name(v->data[from - 1]) &&
               cfz_is_name(v->data[from]))
            from++;
        to = from;
        break;
    case 2:
        from = cfz_rand_below(r, (uint32_t)(v->len - over) + 1);
        to = from + over;
        break;
    default:
        from = cfz_rand_below(r, (uint32_t)v->len);
        to = v->len > 0 ? from + 1 : 0;
        while (from > 0 && cfz_is_name(v->data[to - 1]) && cfz_is_name(v->data[from - 1]))
            from--;
        while (from < to && to < v->len && cfz_is_name(v->data[to - 1]) && cfz_is_name(v->data[to]))
            to++;
        break;
    }
    if (v->len - (to - from) + n > most) {
        from = from < v->len - over ? from : v->len - over;
        to = from + over;
    }
    splice(v, from, to, word, n);
    return true;
}

/* Puts a word into v, before which there were gap mutations without one. */
static bool use(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v, uint64_t limit,
                uint32_t gap)
{
    const struct cfz_word_table *t = w->table;

    for (int k = 0; k < PICKS; k++) {
        uint32_t n = load32(&t->n), i, len;
        const uint8_t *text;

        if (n == 0 || n > CFZ_WORDS_MAX)
            break;
        i = pick(t, n, r);
        text = cfz_words_text(t, i, &len);
        if (!text || (cfz_kind_is_string(v->kind) && memchr(text, 0, len)) ||
            !put(r, v, text, len, limit))
            continue;
        count(w, i, gap);
        if (w->nused == CFZ_WORDS_CHAIN) {
            memmove(w->used, w->used + 1, sizeof w->used - sizeof w->used[0]);
            w->nused--;
        }
        w->used[w->nused++] = i;
        if (w->on_use)
            w->on_use(w->ctx, i);
        return true;
    }
    return false;
}

bool cfz_words_put(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    return use(w, r, v, limit, 0);
}

bool cfz_words_turn(struct cfz_words *w, struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    bool used = w->wait != 0 && use(w, r, v, limit, w->gap);

    draw_gap(w, r);
    return used;
}

void cfz_words_news(struct cfz_words *w)
{
    struct cfz_word_table *t = w->table;

    if (!cfz_words_any(w))
        return;
    if (w->nused == 0) {
        store(&t->gain_others, load(&t->gain_others) + 256);
        return;
    }
    store(&t->gain, load(&t->gain) + 256);
    for (uint32_t k = 0; k < w->nused; k++) {
        struct cfz_word *word = &t->words[w->used[k]];

        store32(&word->gain, load32(&word->gain) + (k + 1 == w->nused ? 256 : 128));
    }
}
