/*
 * sentences.c - see sentences.h.
 *
 *     entry --its texts, cut behind each word--> prefix --a set of states that is new--> waits
 *       ^                                                                                 |
 *       '--new coverage-- prefix and one word more <--each word, sign, name, number-------'
 *                              '--a set of states that is new--> waits, behind the others
 *
 * Invariant: the set of states of each prefix that waits, or was continued, is known. When too many
 * are known, or nothing leads on, all are forgotten.
 */
#define _GNU_SOURCE
#include "solver/sentences.h"

#include <string.h>

#include "core/map.h"
#include "core/text.h"
#include "coverage/prelude.h"
#include "search/words.h"

/* Besides words: what is no part of a name, a line end, and a name and a number. */
static const char signs[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~\n"
                            "a1";

/* Guessed, and tried on targets that docs/decisions/179 names. */
enum {
    TEXT_LEAST = 4,   /* bytes of a text */
    ENTRY_MOST = 256, /* prefixes that are taken from an entry */
    WORD_MOST = 32,   /* bytes of a word that is tried */
    CROWD = 4, /* continuations that are one way to go on: names, where any will do, or errors */
    IDLE_MOST = 32, /* entries of which no prefix is new, after which all sets are new again: which
                       way led to a set first, and stands for the others, is another one then */
    KNOWN_MOST = CFZ_PREFIX_SETS / 4 * 3,
    SIGNS = sizeof signs - 1,
    CANDIDATES = SIGNS + CFZ_SENTENCE_WORDS,
};

/* Where a text is in an image, and how much of it is the prefix. */
struct cut {
    uint32_t value;    /* that the text is in; */
    uint32_t from, to; /* its place in the image; */
    uint32_t end;      /* of the prefix; behind it are blanks up to to, or nothing */
    bool is_whole;     /* the text is all of the value, or was: it is cut */
    bool is_crowd;     /* more than CROWD words led to its set */
    uint32_t depth;    /* words on end, up to its last, that brought no new coverage */
    uint64_t number;   /* in the order of being found */
    uint64_t work;     /* of an execution */
};

struct prefix {
    struct cfz_image im;
    struct cut at;
};

/* One that waits: what is in use of its image. */
struct waiting {
    struct cut at;
    const struct cfz_value *like;
    uint32_t n, begins[CFZ_VALUES_MAX + 1];
    uint8_t bytes[CFZ_PREFIX_BYTES];
};

static struct sentences {
    struct waiting waiting[CFZ_PREFIXES];
    struct prefix now, next; /* what is continued, and what that becomes */
    uint32_t nwaiting;
    uint64_t found;
    uint64_t known[CFZ_PREFIX_SETS]; /* open addressing; 0 is a free place */
    uint32_t nknown;
    uint32_t idle; /* entries of which no prefix was new, since one was */

    /* Words of the table, the shortest first; and what came of each continuation. */
    uint32_t words[CFZ_SENTENCE_WORDS], nwords;
    uint64_t sets[CANDIDATES]; /* 0: not executed */
    bool news[CANDIDATES];
} * all;

int cfz_sentences_map(struct cfz_error *err)
{
    if (!all)
        all = cfz_map_private(sizeof *all);
    return all ? 0 : cfz_fail_errno(err, "map memory for prefixes of texts");
}

/* ---- sets of states ------------------------------------------------------------------ */

static void forget(void)
{
    memset(all->known, 0, sizeof all->known);
    all->nknown = 0;
}

/* Notes a set. False if it was known. */
static bool learn(uint64_t set)
{
    uint32_t i = (uint32_t)(set >> 32) & (CFZ_PREFIX_SETS - 1);

    set |= 1; /* 0 is a free place */
    if (all->nknown >= KNOWN_MOST)
        forget();
    for (; all->known[i] != 0; i = (i + 1) & (CFZ_PREFIX_SETS - 1))
        if (all->known[i] == set)
            return false;
    all->known[i] = set;
    all->nknown++;
    return true;
}

/* ---- prefixes that wait -------------------------------------------------------------- */

static bool is_before(const struct cut *a, const struct cut *b)
{
    if (a->depth != b->depth)
        return a->depth < b->depth;
    if (a->is_crowd != b->is_crowd)
        return b->is_crowd;
    return a->number < b->number;
}

/* The first or the last in order, of those that wait; there is one. */
static struct waiting *find(bool last)
{
    struct waiting *best = all->waiting;

    for (uint32_t k = 1; k < all->nwaiting; k++) {
        struct waiting *w = &all->waiting[k];

        if (last ? is_before(&best->at, &w->at) : is_before(&w->at, &best->at))
            best = w;
    }
    return best;
}

/* Has p wait, if it is not too long, and behind too many. */
static void wait(struct prefix *p)
{
    const uint32_t size = cfz_image_size(&p->im);
    struct waiting *w;

    if (size > CFZ_PREFIX_BYTES)
        return;
    p->at.number = all->found++;
    w = all->nwaiting < CFZ_PREFIXES ? &all->waiting[all->nwaiting++] : find(true);
    if (w->like && !is_before(&p->at, &w->at))
        return;
    w->at = p->at;
    w->like = p->im.like;
    w->n = p->im.n;
    memcpy(w->begins, p->im.at, sizeof w->begins);
    memcpy(w->bytes, p->im.bytes, size);
}

/* Takes the first in order, of which there is one. */
static void take(struct prefix *p)
{
    struct waiting *w = find(false), *end = &all->waiting[--all->nwaiting];

    p->at = w->at;
    p->im.like = w->like;
    p->im.n = w->n;
    memcpy(p->im.at, w->begins, sizeof w->begins);
    memcpy(p->im.bytes, w->bytes, cfz_image_size(&p->im));
    if (w != end)
        *w = *end;
    end->like = NULL;
}

uint64_t cfz_sentences_waiting(void)
{
    return all && all->nwaiting > 0 ? find(false)->at.work : 0;
}

/* ---- texts ----------------------------------------------------------------------------- */

/* Makes im what p is with n bytes of text behind it. False if these do not fit. */
static bool put(struct cfz_image *im, const struct prefix *p, const uint8_t *text, uint32_t n)
{
    const struct cut *c = &p->at;

    cfz_image_copy(im, &p->im);
    if (c->is_whole)
        return cfz_image_splice(im, c->value, c->end, im->at[c->value + 1] - c->end, text, n);
    if (n > c->to - c->end)
        return false;
    memcpy(im->bytes + c->end, text, n);
    memset(im->bytes + c->end + n, ' ', c->to - c->end - n);
    return true;
}

/* Whether a prefix may end before position e of the text: at its beginning, and behind a word. */
static bool is_end(const struct cfz_image *im, const struct cut *c, uint32_t e)
{
    const uint8_t *b = im->bytes;

    if (e == c->from)
        return true;
    return b[e - 1] != ' ' && !(cfz_is_name(b[e - 1]) && e < c->to && cfz_is_name(b[e]));
}

/* Finds the text of a value that is at or behind pos. False if there is none. */
static bool find_text(const struct cfz_image *im, struct cut *c, uint32_t pos)
{
    const uint32_t begin = im->at[c->value], end = im->at[c->value + 1];

    if (pos > end)
        return false;
    while (pos < end && !cfz_is_ascii_text(im->bytes[pos]))
        pos++;
    for (c->from = pos; c->from > begin && cfz_is_ascii_text(im->bytes[c->from - 1]);)
        c->from--;
    for (c->to = pos; c->to < end && cfz_is_ascii_text(im->bytes[c->to]);)
        c->to++;
    c->is_whole = c->from == begin && c->to == end;
    return c->is_whole || pos < end;
}

/* Executes a prefix, which waits if its set is new. */
static void look(struct cfz_search *s, const struct prefix *p)
{
    struct prefix *next = &all->next;

    if (!put(&next->im, p, (const uint8_t *)"", 0))
        return;
    cfz_search_try(s, &next->im, false);
    if (s->over || !learn(s->states))
        return;
    next->at = p->at;
    wait(next);
}

/* Takes the prefixes of the texts of a value that end behind from. */
static void look_at_value(struct cfz_search *s, struct prefix *p, uint32_t from, uint32_t *left)
{
    struct cut *c = &p->at;

    for (uint32_t pos = from; find_text(&p->im, c, pos); pos = c->to + 1) {
        if (!c->is_whole && c->to - c->from < TEXT_LEAST)
            continue;
        for (c->end = from <= c->from ? c->from : from + 1; c->end <= c->to; c->end++) {
            if (!is_end(&p->im, c, c->end))
                continue;
            if (s->over || *left == 0)
                return;
            --*left;
            look(s, p);
        }
        if (c->is_whole)
            return;
    }
}

void cfz_sentences_entry(struct cfz_search *s)
{
    struct prefix *p = &all->now;
    uint32_t size, from, left = ENTRY_MOST;

    if (!all || !cfz_image_read(&p->im, s->cur))
        return;
    cfz_image_find_streams(&p->im, &s->stored);
    size = cfz_image_size(&p->im);
    from = s->from < size || size == 0 ? s->from : size - 1;
    for (uint32_t i = cfz_image_value(&p->im, from); i < p->im.n; i++) {
        p->at = (struct cut){.value = i, .work = s->work};
        if (cfz_image_grows(&p->im, i))
            look_at_value(s, p, from > p->im.at[i] ? from : p->im.at[i], &left);
    }
    all->idle = all->nwaiting > 0 ? 0 : all->idle + 1;
    if (all->idle >= IDLE_MOST) {
        all->idle = 0;
        forget();
    }
}

/* ---- words that continue ------------------------------------------------------------- */

static bool is_text(const uint8_t *text, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        if (!cfz_is_ascii_text(text[i]))
            return false;
    return true;
}

/* Chooses the words that are tried: of each length those there are, as far as there is room. */
static void sort_words(const struct cfz_word_table *t)
{
    const uint32_t n = t ? atomic_load_explicit(&t->n, memory_order_relaxed) : 0;
    uint32_t len;

    all->nwords = 0;
    for (uint32_t wanted = 1; n > 0 && wanted <= WORD_MOST; wanted++)
        for (uint32_t i = 0; i < n && i < CFZ_WORDS_MAX; i++) {
            const uint8_t *text = cfz_words_text(t, i, &len);

            if (!text || len != wanted || !is_text(text, len))
                continue;
            if (all->nwords == CFZ_SENTENCE_WORDS)
                return;
            all->words[all->nwords++] = i;
        }
}

/* Writes continuation k of p to text, with a blank before it where it would be one name with what
 * is there. Returns its length, 0 if there is none. */
static uint32_t continuation(const struct cfz_search *s, const struct prefix *p, uint32_t k,
                             uint8_t text[1 + WORD_MOST])
{
    const uint8_t *word = (const uint8_t *)signs + k;
    uint32_t len = 1, n = 0;

    if (k >= SIGNS)
        word = cfz_words_text(s->words, all->words[k - SIGNS], &len);
    if (!word || len == 0 || len > WORD_MOST)
        return 0;
    if (p->at.end > p->at.from && cfz_is_name(p->im.bytes[p->at.end - 1]) && cfz_is_name(word[0]))
        text[n++] = ' ';
    memcpy(text + n, word, len);
    return n + len;
}

/* What the comparisons of p with n bytes of text behind it tell, 0 if they do not fit. */
static uint64_t told(struct cfz_search *s, const struct prefix *p, const uint8_t *text, uint32_t n)
{
    uint64_t sum;

    if (!put(&all->next.im, p, text, n))
        return 0;
    cfz_search_try(s, &all->next.im, true);
    sum = cfz_trace.passed + 1;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        sum += cfz_event_hash(&cfz_trace.events[i]);
    return sum;
}

/* Whether a word behind p is read: one is compared otherwise than another. One byte, the blank, may
 * be read in any case, to see where the word before it ends. */
static bool is_read_on(struct cfz_search *s, const struct prefix *p)
{
    static const char words[][9] = {" aaaaaaaa", " 11((,;)="};
    const uint32_t room = p->at.is_whole ? UINT32_MAX : p->at.to - p->at.end;
    const uint32_t len = room < sizeof words[0] ? room : sizeof words[0];
    uint64_t one;

    if (len < 2)
        return len > 0;
    one = told(s, p, (const uint8_t *)words[0], len);
    return !s->over && told(s, p, (const uint8_t *)words[1], len) != one && !s->over;
}

/* Executes the first n continuations of p. */
static void try_all(struct cfz_search *s, const struct prefix *p, uint32_t n)
{
    uint8_t text[1 + WORD_MOST];

    for (uint32_t k = 0; k < n && !s->over; k++) {
        uint32_t len = continuation(s, p, k, text);

        all->sets[k] = 0;
        if (len == 0 || !put(&all->next.im, p, text, len))
            continue;
        all->news[k] = cfz_search_try(s, &all->next.im, false) == CFZ_RAN_NEWS;
        all->sets[k] = s->states ? s->states : 1;
    }
}

/* Has continuation k of p wait, whose set is new. n were executed. */
static void go_on(struct cfz_search *s, const struct prefix *p, uint32_t k, uint32_t n)
{
    struct prefix *next = &all->next;
    uint8_t text[1 + WORD_MOST];
    const uint32_t len = continuation(s, p, k, text);
    uint32_t same = 0;
    bool is_news = false;

    if (len == 0 || !put(&next->im, p, text, len))
        return; /* the target wrote over the words */
    for (uint32_t i = k; i < n; i++) {
        same += all->sets[i] == all->sets[k];
        is_news |= all->sets[i] == all->sets[k] && all->news[i];
    }
    next->at = p->at;
    next->at.end += len;
    next->at.is_crowd = same > CROWD;
    next->at.depth = is_news ? 0 : p->at.depth + 1;
    wait(next);
}

void cfz_sentences_continue(struct cfz_search *s)
{
    struct prefix *p = &all->now;
    uint32_t n;

    if (!all || all->nwaiting == 0)
        return;
    take(p);
    cfz_image_find_streams(&p->im, &s->stored);
    s->work = p->at.work;
    if (!is_read_on(s, p))
        return;
    sort_words(s->words);
    n = SIGNS + all->nwords;
    try_all(s, p, n);
    for (uint32_t k = 0; k < n && !s->over; k++)
        if (all->sets[k] != 0 && learn(all->sets[k]))
            go_on(s, p, k, n);
}
