/*
 * strings.c - see strings.h.
 */
#include "target/strings.h"

#include "abi.h"

enum { IMAGES_MAX = 64 };

static struct image {
    const uint8_t *start, *end;
} images[IMAGES_MAX];
static size_t nimages;

void cfuzz_strings_init(uint32_t abi, const uint8_t *start, const uint8_t *end)
{
    if (abi != CFUZZ_ABI || start >= end || nimages == IMAGES_MAX)
        return;
    for (size_t i = 0; i < nimages; i++)
        if (images[i].start == start)
            return;
    images[nimages++] = (struct image){start, end};
}

/* The next one from *at on, behind which *at is afterwards; NULL at the end. */
static const uint8_t *next(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *word;

    while (*at < end && **at == 0)
        (*at)++;
    word = *at;
    if (word >= end || *word > end - word - 1)
        return NULL;
    *at += 1 + *word;
    return word;
}

static size_t count(void)
{
    size_t n = 0;

    for (size_t i = 0; i < nimages; i++)
        for (const uint8_t *at = images[i].start; next(&at, images[i].end) != NULL;)
            n++;
    return n;
}

void cfz_strings_each(size_t most, void (*fn)(void *ctx, const void *word, size_t len), void *ctx)
{
    size_t total = count(), k = 0, done = 0;

    for (size_t i = 0; i < nimages; i++) {
        const uint8_t *at = images[i].start, *word;

        while ((word = next(&at, images[i].end)) != NULL) {
            if (total <= most || ++k * most / total > done) {
                fn(ctx, word + 1, *word);
                done++;
            }
        }
    }
}
