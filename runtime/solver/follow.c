/*
 * follow.c - see follow.h.
 */
#include "solver/follow.h"

#include "search/words.h"

enum {
    BYTES = 256,
    MOST = 2 * BYTES, /* executions of an entry */
    GRANT = 1 << 20,  /* work that may be done in any case */
    SHARE = 4,        /* 1 of so much of mutation's, beyond that */
    ONE = 8,          /* of all that, 1 of so much is the most for one entry */
    PATIENCE = 16,    /* entries in vain, after which half as many are followed */
    RAREST = 6,       /* how often that halves */
    NAME_LEAST = 2,   /* bytes of a name that is a word */
};

bool cfz_follow_due(struct cfz_following *f, uint64_t work, uint64_t mutated)
{
    const uint32_t halved = f->vain / PATIENCE < RAREST ? f->vain / PATIENCE : RAREST;
    const uint64_t may = GRANT + mutated / SHARE;

    if (f->cost > may || work > (may - f->cost) / MOST || work > may / (MOST * ONE) ||
        ++f->skipped < (uint32_t)1 << halved)
        return false;
    f->skipped = 0;
    return true;
}

/* Tries each byte at p, in the place of what is there, or behind the end of value i. */
static void try_bytes(struct cfz_search *s, const struct cfz_image *base, struct cfz_image *cand,
                      uint32_t i, uint32_t p)
{
    for (unsigned b = 0; b < BYTES && !s->over; b++) {
        const uint8_t byte = (uint8_t)b;

        if (p < base->at[i + 1]) {
            if (base->bytes[p] == byte)
                continue;
            cand->bytes[p] = byte;
        } else if (!cfz_image_splice(cand, i, p, 0, &byte, 1)) {
            return;
        }
        cfz_search_try(s, cand, false);
        cfz_image_copy(cand, base);
    }
}

/* Adds the name at p to the words. */
static void learn_name(const struct cfz_search *s, const struct cfz_image *base, uint32_t i,
                       uint32_t p)
{
    uint32_t from = p, end = p;

    while (from > base->at[i] && cfz_is_name(base->bytes[from - 1]))
        from--;
    while (end < base->at[i + 1] && cfz_is_name(base->bytes[end]))
        end++;
    if (s->words && end - from >= NAME_LEAST && end - from <= CFZ_WORDS_SEEN_LEN)
        cfz_words_add(s->words, base->bytes + from, end - from, false);
}

void cfz_follow(struct cfz_following *f, struct cfz_search *s)
{
    static struct cfz_image base, cand; /* static for their size */
    const uint64_t news = s->nnews, cost = s->cost;
    uint32_t i, p, size;

    if (!cfz_image_read(&base, s->cur))
        return;
    size = cfz_image_size(&base);
    if (size == 0)
        return;
    p = s->from < size ? s->from : size - 1;
    i = cfz_image_value(&base, p);
    if (!cfz_image_grows(&base, i))
        return;
    cfz_image_copy(&cand, &base);
    if (p + 1 < base.at[i + 1])
        try_bytes(s, &base, &cand, i, p + 1);
    try_bytes(s, &base, &cand, i, base.at[i + 1]);
    f->cost += s->cost - cost;
    f->vain = s->nnews == news ? f->vain + 1 : 0;
    if (s->nnews == news && !s->over)
        learn_name(s, &base, i, p);
}
