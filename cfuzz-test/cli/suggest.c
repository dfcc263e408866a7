/*
 * suggest.c - see suggest.h.
 */
#include "cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 64 }; /* longer ones are not compared */

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance (Damerau 1964), by rows; both lengths are at most
 * WORD_MAX. */
static size_t distance(const char *a, size_t alen, const char *b, size_t blen)
{
    size_t rows[3][WORD_MAX + 1], *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t k = 0; k <= blen; k++)
        above[k] = before[k] = k;
    for (size_t i = 1; i <= alen; i++) {
        size_t *free_row = before;

        row[0] = i;
        for (size_t k = 1; k <= blen; k++) {
            row[k] = least(least(above[k], row[k - 1]) + 1,
                           above[k - 1] + (same(a[i - 1], b[k - 1]) ? 0 : 1));
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
                row[k] = least(row[k], before[k - 2] + 1);
        }
        before = above;
        above = row;
        row = free_row;
    }
    return above[blen];
}

void suggest_offer(struct suggestion *s, const char *candidate)
{
    size_t len = strlen(candidate), limit = s->len / 3 > 1 ? s->len / 3 : 1, d;

    if (s->len < 2 || s->len > WORD_MAX || len > WORD_MAX)
        return;
    d = distance(s->word, s->len, candidate, len);
    if (d > limit || d >= len || (s->best != NULL && d >= s->distance))
        return;
    s->best = candidate;
    s->distance = d;
}
