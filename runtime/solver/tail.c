/*
 * tail.c - bytes behind the end of an input, for comparisons that come where it ends too soon.
 */
#include <string.h>

#include "search/words.h"
#include "solver/solving.h"

enum {
    TAIL = 8,       /* letters that are appended */
    SEPARATORS = 8, /* bytes that are tried before them */
};

/* Appends a tail that begins with one byte and goes on with another to each value that grows, and
 * makes ones of zeros. False if nothing has room. */
static bool add(struct cfz_image *im, uint32_t by, uint8_t first, uint8_t with)
{
    uint8_t tail[CFZ_TAIL_LONG];
    bool changed = false;

    memset(tail, with, sizeof tail);
    tail[0] = first;
    for (uint32_t i = 0; i < im->n; i++) {
        uint32_t from = im->at[i], end = im->at[i + 1];

        if (cfz_image_grows(im, i)) {
            changed |= cfz_image_splice(im, i, end, 0, tail, by);
        } else if (cfz_image_get(im, from, end - from, false) == 0) {
            im->bytes[from] = 1;
            changed = true;
        }
    }
    return changed;
}

bool cfz_tail_add(struct cfz_image *im, uint32_t by, uint8_t with)
{
    return add(im, by, with, with);
}

/* Bytes that may separate what the input ends with from what follows: its own, the last first, and
 * the usual ones. Returns how many. */
static unsigned find_separators(const struct cfz_image *im, uint8_t found[SEPARATORS])
{
    static const uint8_t usual[] = {' ', '\n', ',', ';'};
    unsigned n = 0;

    for (uint32_t p = cfz_image_size(im); p-- > 0 && n < SEPARATORS - sizeof usual;)
        if (!cfz_is_name(im->bytes[p]) && !memchr(found, im->bytes[p], n))
            found[n++] = im->bytes[p];
    for (unsigned k = 0; k < sizeof usual; k++)
        if (!memchr(found, usual[k], n))
            found[n++] = usual[k];
    return n;
}

/* ---- what a tail shows --------------------------------------------------------------- */

static uint32_t counts[CFZ_SITE_NOTES_MAX]; /* comparisons of each site without a tail */
static const struct cfz_site *counted[CFZ_SITE_NOTES_MAX];
static uint32_t ncounted;

void cfz_tail_see(void)
{
    while (ncounted > 0)
        counts[counted[--ncounted]->id] = 0;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site->id >= CFZ_SITE_NOTES_MAX)
            continue;
        if (counts[e->site->id] == 0)
            counted[ncounted++] = e->site;
        if (counts[e->site->id] <= e->nth)
            counts[e->site->id] = e->nth + 1;
    }
}

/* Whether the last trace has a comparison that there was not, or one more of those of a site. */
static bool shows_more(void)
{
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site->id < CFZ_SITE_NOTES_MAX && e->nth >= counts[e->site->id])
            return true;
    }
    return false;
}

/* Executes im. False if the search is over. */
static bool execute(struct cfz_search *s, const struct cfz_image *im)
{
    enum cfz_ran r = cfz_search_try(s, im, true);

    if (r == CFZ_RAN_NEWS)
        cfz_goals_learn(s->goals);
    return r != CFZ_RAN_OVER;
}

/* Tries im with a tail behind each separator, until one shows more; im is that then.
 * False if nothing does so, or the search is over, which s->over tells. */
static bool add_behind(struct cfz_search *s, struct cfz_image *im)
{
    static struct cfz_image tried;
    uint8_t separators[SEPARATORS];
    unsigned n = find_separators(im, separators);

    for (unsigned k = 0; k < n; k++) {
        cfz_image_copy(&tried, im);
        if (!add(&tried, TAIL, separators[k], 'A') || !execute(s, &tried))
            return false;
        if (!shows_more())
            continue;
        cfz_image_copy(im, &tried);
        return true;
    }
    return false;
}

/* Ends each value where a string in it ends. False if none has a NUL. */
static bool cut_at_nul(struct cfz_image *im)
{
    bool cut = false;

    for (uint32_t i = 0; i < im->n; i++) {
        const uint32_t from = im->at[i], n = im->at[i + 1] - from;
        const uint8_t *nul = cfz_image_grows(im, i) ? memchr(im->bytes + from, 0, n) : NULL;
        const uint32_t at = nul ? (uint32_t)(nul - im->bytes) : 0;

        if (nul)
            cut |= cfz_image_splice(im, i, at, from + n - at, NULL, 0);
    }
    return cut;
}

bool cfz_tail_add_word(struct cfz_search *s, struct cfz_image *im)
{
    static struct cfz_image plain, cut;

    cfz_image_copy(&plain, im);
    if (!add(&plain, TAIL, 'A', 'A') || !execute(s, &plain))
        return false;
    if (shows_more()) {
        cfz_image_copy(im, &plain);
        return true;
    }
    cfz_image_copy(&cut, im);
    if (add_behind(s, im))
        return true;
    if (!s->over && cut_at_nul(&cut) && add_behind(s, &cut)) {
        cfz_image_copy(im, &cut);
        return true;
    }
    cfz_image_copy(im, &plain);
    return !s->over && execute(s, im);
}
