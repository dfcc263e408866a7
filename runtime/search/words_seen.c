/*
 * words_seen.c - words of what comparisons show (words.h).
 */
#define _GNU_SOURCE
#include "search/words.h"

#include <string.h>

#include "coverage/prelude.h"
#include "search/goal.h"
#include "search/image.h"
#include "search/search.h"

/* Guessed, and tried on targets that docs/decisions/052 names. */
enum {
    SITE_EVENTS = 64, /* comparisons of text of one site that are looked at */
    SITE_CASES = 32,  /* cases of a switch */
};

static uint32_t load(const _Atomic uint32_t *p)
{
    return atomic_load_explicit(p, memory_order_relaxed);
}

static void see(struct cfz_word_table *t, const uint8_t *word, uint32_t len)
{
    uint32_t same = 1;

    while (same < len && word[same] == word[0])
        same++;
    if (len < 2 || len > CFZ_WORDS_SEEN_LEN || same == len)
        return;
    if (load(&t->nseen) < CFZ_WORDS_SEEN_MAX) {
        uint32_t before = load(&t->n);

        cfz_words_add(t, word, len, false);
        if (load(&t->n) != before)
            atomic_fetch_add_explicit(&t->nseen, 1, memory_order_relaxed);
    }
}

/* One side of a comparison of text. */
static void see_text(struct cfz_word_table *t, const uint8_t *text, uint32_t n, bool mem,
                     bool constant, const struct cfz_image *input)
{
    if (mem && n > 1 && text[n - 1] == 0) /* a string with its end */
        n--;
    if (n >= 2 && (constant || !memmem(input->bytes, cfz_image_size(input), text, n)))
        see(t, text, n);
}

/* A number that an operand was to be equal to. One of a single byte is found without words. */
static void see_number(struct cfz_word_table *t, const struct cfz_site *site, uint64_t v)
{
    const uint64_t mask = cfz_site_mask(site);
    uint8_t little[8], big[8];
    uint32_t n = cfz_number_word(site, v, little);

    if (n > 0) {
        see(t, little, n);
        return;
    }
    v &= mask;
    if (v < 0x100 || (~v & mask) < 0x100)
        return;
    n = v < 0x10000 ? 2 : v <= UINT32_MAX ? 4 : 8;
    for (uint32_t k = 0; k < n; k++)
        little[k] = big[n - 1 - k] = (uint8_t)(v >> 8 * k);
    see(t, little, n);
    see(t, big, n);
}

/* Whether a number of two bytes or more is asked to be another one. */
static bool asks_word(const struct cfz_site *site)
{
    return site->kind == CFZ_SITE_INT && site->width >= 16 && cfz_site_asks_equality(site);
}

void cfz_words_learn(struct cfz_word_table *t, const struct cfz_trace *trace,
                     const struct cfz_image *input)
{
    for (uint32_t i = 0; i < trace->nevents; i++) {
        const struct cfz_event *e = &trace->events[i];
        const struct cfz_site *site = e->site;

        if (cfz_site_is_text(site)) {
            const bool mem = site->kind == CFZ_SITE_MEM;

            if (e->nth >= SITE_EVENTS && !cfz_is_early(e, SITE_EVENTS))
                continue;
            see_text(t, trace->text + e->a_at, e->a_len, mem, site->flags & CFZ_SITE_CONST_A,
                     input);
            see_text(t, trace->text + e->b_at, e->b_len, mem, site->flags & CFZ_SITE_CONST_B,
                     input);
        } else if (e->nth > 0) {
            continue; /* it has the same constants as the first */
        } else if (site->kind == CFZ_SITE_SWITCH && site->width >= 16) {
            for (uint32_t k = 0; k < site->ncases && k < SITE_CASES; k++)
                see_number(t, site, site->cases[k].value);
        } else if (asks_word(site)) {
            if (site->flags & CFZ_SITE_CONST_A)
                see_number(t, site, e->a);
            if (site->flags & CFZ_SITE_CONST_B)
                see_number(t, site, e->b);
        }
    }
}
