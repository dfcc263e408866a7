/*
 * mutators_within.c - a text that lies amid other bytes is edited, and stays as long as it was.
 *
 * A database has its schema as text, a font its names, a compiled script its strings. How long the
 * text is stands elsewhere, often in several places and in more than one way, so that a byte more
 * is the end of all that follows. Room for what is put in is made by removing something else of the
 * text, from the beginning of a word on; and what becomes shorter gets blanks. The edits are those
 * that a value has that is all text. docs/decisions/132.
 */
#include <string.h>

#include "core/text.h"
#include "search/mutator.h"
#include "search/mutators.h"
#include "search/words.h"

enum {
    VALUE_LEAST = 64, /* in a shorter one there is hardly anything beside the text */
    TEXT_LEAST = 8,
    TEXT_MOST = 1024, /* where one is longer there is hardly anything else; guessed, like these */
    EDITS_MOST = 3,
    TRIES = 4,   /* mutations drawn for an edit: the first one that does not decline is made */
    GROWTH = 64, /* bytes by which a text may get longer than twice what it was, before it is cut */
};

/* The first text from pos on, or around it, round the end. False if there is none, or it is all. */
static bool find(const struct cfz_value *v, uint32_t pos, uint32_t *from, uint32_t *to)
{
    const uint32_t len = (uint32_t)v->len, most = len < TEXT_MOST ? len : TEXT_MOST;

    for (uint32_t seen = 0; seen < most;) {
        uint32_t at = pos;

        while (seen < most && !cfz_is_ascii_text(v->data[at])) {
            at = at + 1 < len ? at + 1 : 0;
            seen++;
        }
        if (seen >= most)
            return false;
        *from = *to = at;
        while (*from > 0 && *to - *from < TEXT_MOST && cfz_is_ascii_text(v->data[*from - 1]))
            --*from;
        while (*to < len && *to - *from < TEXT_MOST && cfz_is_ascii_text(v->data[*to]))
            ++*to;
        if (*to - *from == TEXT_MOST || *to - *from == len)
            return false;
        if (*to - *from >= TEXT_LEAST)
            return true;
        seen += *to - at;
        pos = *to < len ? *to : 0;
    }
    return false;
}

/* Where the word begins that a place of t is in, or the place. */
static uint32_t word_begin(const struct cfz_value *t, uint32_t at)
{
    while (at > 0 && at < t->len && cfz_is_name(t->data[at - 1]) && cfz_is_name(t->data[at]))
        at--;
    return at;
}

/* Makes t n bytes long: puts blanks in, or removes what stands at a word and makes blank what is
 * too much of that. */
static void fit(struct cfz_rand *r, struct cfz_value *t, uint32_t n)
{
    uint32_t len = (uint32_t)t->len, at = word_begin(t, cfz_rand_below(r, len + 1)), over, end;

    if (len < n) {
        memmove(t->data + at + (n - len), t->data + at, len - at);
        memset(t->data + at, ' ', n - len);
        t->len = n;
        return;
    }
    if (at > n)
        at = word_begin(t, n);
    over = len - n;
    end = at + over;
    while (end < len && cfz_is_name(t->data[end - 1]) && cfz_is_name(t->data[end]))
        end++;
    memset(t->data + at, ' ', end - at - over);
    memmove(t->data + end - over, t->data + end, len - end);
    t->len = n;
}

/* One edit of vs->v[i]. */
static void edit(const struct cfz_among *a)
{
    struct cfz_value *t = &a->vs->v[a->i];

    if (a->mutator->words && cfz_rand_bool(a->r) &&
        cfz_words_put(a->mutator->words, a->r, t, a->limit))
        return;
    for (int k = 0; k < TRIES; k++) {
        const struct cfz_mutation *m = cfz_mutator_draw(a->mutator, a->r);

        if (m->among == cfz_bytes_within || t->len < m->min_len)
            continue;
        if (m->among ? m->among(a) : m->apply(a->r, t, a->limit))
            return;
    }
}

bool cfz_bytes_within(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i], whole = *v;
    uint8_t text[2 * TEXT_MOST + GROWTH];
    struct cfz_among inner = *a;
    uint32_t from, to, n, edits;
    bool changed;

    if (cfz_kind_is_string(v->kind) || !a->mutator || !a->mutator->learning ||
        !find(v, cfz_rand_below(a->r, (uint32_t)v->len), &from, &to))
        return false;
    n = to - from;
    memcpy(text, v->data + from, n);
    v->data = text;
    v->len = n;
    v->cap = sizeof text;
    inner.limit = 2 * n + GROWTH;
    edits = 1 + cfz_rand_below(a->r, EDITS_MOST);
    for (uint32_t k = 0; k < edits && v->len > 0; k++)
        edit(&inner);
    if (v->len != n)
        fit(a->r, v, n);
    *v = whole;
    changed = memcmp(v->data + from, text, n) != 0;
    memcpy(v->data + from, text, n);
    return changed;
}

const struct cfz_mutation cfz_rare_mutations[CFZ_RARE_MUTATIONS] = {
    {"edit a text within", VALUE_LEAST, NULL, cfz_bytes_within},
};
