/*
 * fuzz_corpus.c - see fuzz_corpus.h.
 *
 * Values are compared in their packed form, which is equal exactly when they are,
 * and which lies in the arena anyway: the table holds entry numbers only.
 */
#define _GNU_SOURCE
#include "fuzz/fuzz_corpus.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* FNV-1a, 64 bits (Fowler, Noll, Vo), a word at a time: packed values are whole words. */
static uint64_t hash(const uint8_t *data, size_t len)
{
    uint64_t h = 0xcbf29ce484222325u, word;

    for (size_t i = 0; i + sizeof word <= len; i += sizeof word) {
        memcpy(&word, data + i, sizeof word);
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 32;
    }
    return h;
}

static const uint8_t *packed_of(const struct fuzz_corpus *c, uint64_t i, size_t *len)
{
    const struct cfz_entry *e = cfz_run_shm_entry(c->host->run, i);

    *len = e->size;
    return (const uint8_t *)(e + 1);
}

/* The place of these bytes in the table: taken by their entry, or free. */
static size_t place_of(const struct fuzz_corpus *c, const uint8_t *data, size_t len)
{
    size_t at = hash(data, len) & (c->table_cap - 1);

    while (c->table[at] != 0) {
        size_t other_len;
        const uint8_t *other = packed_of(c, c->table[at] - 1, &other_len);

        if (other_len == len && memcmp(other, data, len) == 0)
            break;
        at = (at + 1) & (c->table_cap - 1);
    }
    return at;
}

/* Keeps the table at most half full and makes room for one more entry. */
static int grow(struct fuzz_corpus *c, struct cfz_error *err)
{
    if (c->n == c->cap) {
        size_t cap = c->cap == 0 ? 256 : 2 * c->cap;
        struct fuzz_entry *e = realloc(c->entries, cap * sizeof *e);

        if (e == NULL)
            return cfz_fail_nomem(err);
        c->entries = e;
        c->cap = cap;
    }
    if (2 * (c->n + 1) > c->table_cap) {
        size_t old_cap = c->table_cap;
        uint64_t *old = c->table;

        c->table_cap = old_cap == 0 ? 1024 : 2 * old_cap;
        c->table = calloc(c->table_cap, sizeof *c->table);
        if (c->table == NULL) {
            c->table = old;
            c->table_cap = old_cap;
            return cfz_fail_nomem(err);
        }
        for (size_t i = 0; i < c->n; i++) {
            size_t len;
            const uint8_t *data = packed_of(c, i, &len);

            c->table[place_of(c, data, len)] = i + 1;
        }
        free(old);
    }
    return 0;
}

static uint32_t entry_flags(enum entry_from from)
{
    switch (from) {
    case FROM_SEED:
        return CFZ_ENTRY_SEED;
    case FROM_RUN_UNSTABLE:
        return CFZ_ENTRY_UNSTABLE;
    case FROM_RUN_COUNTS:
        return CFZ_ENTRY_COUNTS;
    default:
        return 0;
    }
}

int fuzz_corpus_add(struct fuzz_corpus *c, const struct cfz_values *vs, enum entry_from from,
                    uint64_t parent, const char *name, bool *added, uint64_t *index,
                    struct cfz_error *err)
{
    size_t len = cfz_values_packed_size(vs), at;
    uint8_t *packed = NULL;
    char *copy = NULL;
    int ret = -1;

    if (grow(c, err) < 0)
        return -1;
    packed = malloc(len + 1);
    copy = name != NULL ? strdup(name) : NULL;
    if (packed == NULL || (name != NULL && copy == NULL)) {
        cfz_fail_nomem(err);
        goto out;
    }
    cfz_values_pack(vs, packed);
    at = place_of(c, packed, len);
    if (c->table[at] != 0) {
        *added = false;
        *index = c->table[at] - 1;
        ret = 0;
        goto out;
    }
    if (cfz_run_shm_append(c->host->run, c->host->run_fd, vs, entry_flags(from), parent, index,
                           err) < 0)
        goto out;
    CFZ_ASSERT(*index == c->n);
    c->table[at] = *index + 1;
    c->entries[c->n].from = from;
    c->entries[c->n].name = copy;
    c->entries[c->n].generation = 0;
    c->entries[c->n].failed = false;
    c->entries[c->n].ns = 0;
    copy = NULL;
    c->n++;
    *added = true;
    ret = 0;
out:
    free(packed);
    free(copy);
    return ret;
}

/* Returns 1 + the entry that has these values, or 0. */
static uint64_t find(const struct fuzz_corpus *c, const struct cfz_values *vs)
{
    size_t len = cfz_values_packed_size(vs);
    uint8_t *packed = malloc(len + 1);
    uint64_t found = 0;

    if (packed != NULL && c->table_cap > 0) {
        cfz_values_pack(vs, packed);
        found = c->table[place_of(c, packed, len)];
    }
    free(packed);
    return found;
}

bool fuzz_corpus_has(const struct fuzz_corpus *c, const struct cfz_values *vs)
{
    return find(c, vs) != 0;
}

bool fuzz_corpus_keeps(const struct fuzz_corpus *c, const struct cfz_values *vs)
{
    uint64_t found = find(c, vs);

    return found != 0 && c->entries[found - 1].from != FROM_RUN_UNSTABLE;
}

const char *fuzz_corpus_id(const struct fuzz_corpus *c, uint64_t i)
{
    const char *name = i < c->n ? c->entries[i].name : NULL;

    return name != NULL ? name : "-";
}

int fuzz_corpus_values(const struct fuzz_corpus *c, uint64_t i, struct cfz_values *vs,
                       struct cfz_error *err)
{
    size_t len;
    const uint8_t *data = packed_of(c, i, &len);

    return cfz_values_unpack(vs, c->host->test->kinds, c->host->test->nvalues, data, len, err);
}

int fuzz_corpus_describe(const struct fuzz_corpus *c, uint64_t i, struct cfz_buf *name,
                         struct result_input *in, struct cfz_buf *values, struct cfz_error *err)
{
    const struct fuzz_entry *e = &c->entries[i];
    struct cfz_values vs = CFZ_VALUES_INIT;
    bool seed = e->from == FROM_SEED;
    int ret = -1;

    if (fuzz_corpus_values(c, i, &vs, err) < 0 || report_values(values, &vs, err) < 0 ||
        cfz_buf_printf(name, err, "%s/%s%s", c->host->test->name, seed ? "" : "cache/",
                       e->name != NULL        ? e->name
                       : e->from == FROM_ZERO ? "zero values"
                                              : "-") < 0)
        goto out;
    *in = (struct result_input){.origin = !seed                               ? ORIGIN_CACHE
                                          : strncmp(e->name, "seed#", 5) == 0 ? ORIGIN_SEED
                                                                              : ORIGIN_FILE,
                                .bytes = report_values_size(&vs),
                                .values = cfz_buf_str(values)};
    ret = 0;
out:
    cfz_values_release(&vs);
    return ret;
}

void fuzz_corpus_rest_failed(struct fuzz_corpus *c)
{
    bool all = true;

    for (size_t i = 0; i < c->n; i++)
        all = all && c->entries[i].failed;
    for (size_t i = 0; i < c->n && !all; i++) {
        if (c->entries[i].failed) /* the memory is ours; a reader sees the flag or does not yet */
            ((struct cfz_entry *)cfz_run_shm_entry(c->host->run, i))->flags |= CFZ_ENTRY_IDLE;
    }
}

void fuzz_corpus_failed(struct fuzz_corpus *c, const struct cfz_values *vs)
{
    uint64_t i = find(c, vs);

    if (i == 0)
        return;
    c->entries[i - 1].failed = true;
    fuzz_corpus_rest_failed(c);
}

void fuzz_corpus_release(struct fuzz_corpus *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->entries[i].name);
    free(c->entries);
    free(c->table);
    *c = (struct fuzz_corpus)FUZZ_CORPUS_INIT;
}
