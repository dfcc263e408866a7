/*
 * worker_words.c - words from dictionaries, from CFUZZ_DICT and of the program into the table;
 * records of those that helped out of it.
 */
#include "worker/worker_words.h"

#include <string.h>

#include "target/registry.h"
#include "target/strings.h"

static struct cfz_word_table *table;

/* cfz_registry_words calls it. */
static void add(void *ctx, const void *word, size_t len)
{
    if (len <= CFZ_WORD_MAX)
        cfz_words_add(ctx, word, (uint32_t)len, true);
}

/* cfz_strings_each calls it. */
static void add_string(void *ctx, const void *word, size_t len)
{
    cfz_words_add(ctx, word, (uint32_t)len, false);
}

int cfz_worker_words_map(const struct cfz_test *test, struct cfz_error *err)
{
    if (cfz_words_map(&table, err) < 0)
        return -1;
    cfz_registry_words(test, add, table);
    return 0;
}

int cfz_worker_words_renew(const struct cfz_test *test, struct cfz_error *err)
{
    if (cfz_words_renew(table, err) < 0)
        return -1;
    cfz_registry_words(test, add, table);
    return 0;
}

/* Writes a record of word i, which the caller commits. NULL if the outbox has no room, or the word
 * is none by now. */
static struct cfz_record *write_record(struct cfz_worker *w, uint32_t i)
{
    uint32_t len;
    const uint8_t *text = cfz_words_text(table, i, &len);
    const size_t size = (sizeof(struct cfz_record) + len + 15) & ~(size_t)15;
    struct cfz_record *r = text ? cfz_outbox_reserve(w->shm, size) : NULL;

    if (!r)
        return NULL;
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_WORD;
    r->size = size;
    r->packed = len;
    memcpy(r + 1, text, len);
    return r;
}

/* Tells of the words of the chain, each once. */
static void tell(struct cfz_worker *w)
{
    const struct cfz_words *words = &w->words;

    for (uint32_t k = 0; k < words->nused; k++) {
        struct cfz_record *r;
        bool again = false;

        for (uint32_t j = 0; j < k; j++)
            again |= words->used[j] == words->used[k];
        if (!again && (r = write_record(w, words->used[k])) != NULL)
            cfz_outbox_commit(w->shm, r);
    }
}

/* A word went into w->cur, which is not executed yet. */
static void leave_open(void *ctx, uint32_t i)
{
    struct cfz_worker *w = ctx;

    cfz_outbox_leave_open(w->shm, NULL);
    cfz_outbox_leave_open(w->shm, write_record(w, i));
    w->word_open = true;
}

void cfz_worker_words_close(struct cfz_worker *w)
{
    if (w->word_open)
        cfz_outbox_leave_open(w->shm, NULL);
    w->word_open = false;
}

void cfz_worker_words_helped(struct cfz_worker *w)
{
    cfz_words_credit(&w->words, true);
    if (w->reported)
        tell(w);
}

void cfz_worker_words_failed(struct cfz_worker *w)
{
    cfz_worker_words_close(w);
    tell(w);
}

void cfz_worker_words_begin(struct cfz_worker *w)
{
    const uint8_t *packed = cfz_run_words(w->run), *word;
    size_t at = 0;
    uint32_t len;

    cfz_worker_words_over(w);
    if (w->words.table)
        return;
    w->words.table = table;
    w->words.on_use = leave_open;
    w->words.ctx = w;
    while ((word = cfz_dict_next(packed, w->run->words_len, &at, &len)) != NULL)
        cfz_words_add(table, word, len, true);
    if (w->cmd.u.cmd.search)
        cfz_strings_each(CFZ_WORDS_STRINGS_MAX, add_string, table);
}
