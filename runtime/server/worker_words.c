/*
 * worker_words.c - words from dictionaries and from CFUZZ_DICT into the table; records of those
 * that helped out of it.
 */
#include "server/worker_words.h"

#include <string.h>

#include "target/registry.h"

static struct cfz_word_table *table;

/* cfz_registry_words calls it. */
static void add(void *ctx, const void *word, size_t len)
{
    if (len <= CFZ_WORD_MAX)
        cfz_words_add(ctx, word, (uint32_t)len, true);
}

int cfz_worker_words_map(const struct cfz_test *test, struct cfz_error *err)
{
    if (cfz_words_map(&table, err) < 0)
        return -1;
    cfz_registry_words(test, add, table);
    return 0;
}

void cfz_worker_words_begin(struct cfz_worker *w)
{
    const uint8_t *packed = cfz_run_words(w->run), *word;
    size_t at = 0;
    uint32_t len;

    w->words.nused = 0;
    if (w->words.table)
        return;
    w->words.table = table;
    while ((word = cfz_dict_next(packed, w->run->words_len, &at, &len)) != NULL)
        cfz_words_add(table, word, len, true);
}

/* Writes a record of word i, if the outbox has room. */
static void tell(struct cfz_worker *w, uint32_t i)
{
    const uint32_t len = atomic_load_explicit(&table->words[i].len, memory_order_relaxed);
    const size_t size = (sizeof(struct cfz_record) + len + 15) & ~(size_t)15;
    struct cfz_record *r = cfz_outbox_reserve(w->shm, size);

    if (!r)
        return;
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_WORD;
    r->size = size;
    r->packed = len;
    memcpy(r + 1, cfz_words_text(table, i), len);
    cfz_outbox_commit(w->shm, r);
}

void cfz_worker_words_helped(struct cfz_worker *w)
{
    struct cfz_words *words = &w->words;

    cfz_words_credit(words, true);
    for (uint32_t k = 0; w->reported && k < words->nused; k++) {
        bool again = false;

        for (uint32_t j = 0; j < k; j++)
            again |= words->used[j] == words->used[k];
        if (!again)
            tell(w, words->used[k]);
    }
}
