/*
 * seeds.c - see seeds.h.
 */
#define _GNU_SOURCE
#include "process/seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report.h"
#include "core/corpus/corpus.h"
#include "process/cached.h"
#include "process/seed_archive.h"

char *seeds_dir(const char *package_dir, const char *test)
{
    char *path;

    return asprintf(&path, "%s/" SEED_DIR "/%s", package_dir, test) < 0 ? NULL : path;
}

void seeds_shorten(char *text, const char *dir)
{
    size_t len = strlen(dir);
    char *at = text;

    if (len == 0)
        return;
    while ((at = strstr(at, dir)) != NULL) {
        if (at[len] == '/' && (at == text || at[-1] == ' '))
            memmove(at, at + len + 1, strlen(at + len + 1) + 1);
        else
            at += len;
    }
}

static int add(struct seeds *s, struct host *h, char *name, struct cfz_values *vals, char *bad,
               bool is_file)
{
    struct seed *seed = &s->v[s->n];

    *seed = (struct seed){.name = name, .bad = bad, .is_file = is_file};
    seed->vals = (struct cfz_values)CFZ_VALUES_INIT;
    cfz_values_swap(&seed->vals, vals);
    s->n++;
    if (name == NULL || asprintf(&seed->full_name, "%s/%s", h->test->name, name) < 0) {
        seed->full_name = NULL;
        return -1;
    }
    return 0;
}

/* Archives are read before it is known how many seeds there will be. */
struct archive {
    struct seeds *s;
    struct host *h;
    size_t room;
};

static int add_archived(void *ctx, const char *name, const uint8_t *data, size_t len,
                        struct cfz_error *err)
{
    struct archive *a = ctx;
    struct cfz_values vals = CFZ_VALUES_INIT;
    char *copy = strdup(name);

    if (a->s->n == a->room) {
        size_t room = 2 * a->room + 16;
        struct seed *v = realloc(a->s->v, room * sizeof *v);

        if (v == NULL)
            goto failed;
        a->s->v = v;
        a->room = room;
    }
    if (copy == NULL || cfz_values_zero(&vals, a->h->test->kinds, a->h->test->nvalues, err) < 0 ||
        cfz_value_set_bytes(&vals.v[0], data, len, err) < 0)
        goto failed;
    if (add(a->s, a->h, copy, &vals, NULL, false) == 0)
        return 0;
    cfz_values_release(&vals);
    return cfz_fail_nomem(err);
failed:
    free(copy);
    cfz_values_release(&vals);
    return cfz_fail_nomem(err);
}

/* Adds the seeds of <harness>_seed_corpus.zip, if there is one. room: of s->v. */
static int add_archive(struct host *h, struct seeds *s, size_t room, struct cfz_error *err)
{
    struct archive a = {s, h, room};
    char *path;
    int ret = 0;

    if (h->origin->opt->harness == NULL || !origin_test_is_harness(h->test))
        return 0;
    if (asprintf(&path, "%s_seed_corpus.zip", h->origin->opt->harness) < 0)
        return cfz_fail_nomem(err);
    if (access(path, F_OK) == 0)
        ret = seed_archive_read(path, add_archived, &a, err);
    if (ret < 0 && err != NULL)
        seeds_shorten(err->text, h->origin->bin->pkg->dir);
    free(path);
    return ret;
}

/* What is there of cached inputs, where they are asked for. */
struct cached {
    char *path;
    struct cfz_corpus_dir dir;
};

/* Adds cached inputs as seeds "cache/<file>". s->v has room for them. */
static int add_cached(struct host *h, const struct cached *c, struct seeds *s,
                      struct cfz_error *err)
{
    size_t left_out = 0;
    const char *why = NULL;

    for (size_t i = 0; i < c->dir.n; i++) {
        struct cfz_corpus_file *f = &c->dir.files[i];
        char *name;

        if (f->bad) { /* as when fuzzing, it is no failure */
            why = left_out++ == 0 ? f->why : why;
            continue;
        }
        if (asprintf(&name, "cache/%s", f->name) < 0)
            name = NULL;
        if (add(s, h, name, &f->vals, NULL, false) < 0 ||
            asprintf(&s->v[s->n - 1].cached, "%s/%s", c->path, f->name) < 0)
            return cfz_fail_nomem(err);
    }
    if (left_out > 0)
        report_line("warning: %s: skipped %zu cached input%s that cannot be used: %s",
                    h->test->name, left_out, left_out == 1 ? "" : "s", why);
    return 0;
}

/* Loads cached inputs, if they are asked for. */
static int load_cached(struct host *h, struct cached *c, struct cfz_error *err)
{
    if (!h->origin->opt->cached)
        return 0;
    return cached_dir(h->origin->opt, h->origin->bin->pkg, h->test->name, &c->path, err) < 0
               ? -1
               : cfz_corpus_load(c->path, h->test->kinds, h->test->nvalues, &c->dir, err);
}

int seeds_collect(struct host *h, struct seeds *out, struct cfz_error *err)
{
    struct seeds s = SEEDS_INIT;
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    struct cached cached = {NULL, CFZ_CORPUS_DIR_INIT};
    const char *package_dir = h->origin->bin->pkg->dir;
    char *path = seeds_dir(package_dir, h->test->name);
    int ret = -1;

    if (path == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    if (cfz_corpus_load(path, h->test->kinds, h->test->nvalues, &dir, err) < 0) {
        if (err != NULL)
            seeds_shorten(err->text, package_dir);
        goto out;
    }
    if (load_cached(h, &cached, err) < 0)
        goto out;
    s.v = calloc(h->nseeds + dir.n + cached.dir.n + 1, sizeof *s.v);
    if (s.v == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    for (size_t i = 0; i < h->nseeds; i++) {
        char *name;

        if (asprintf(&name, "seed#%zu", i) < 0)
            name = NULL;
        if (add(&s, h, name, &h->seeds[i], NULL, false) < 0) {
            cfz_fail_nomem(err);
            goto out;
        }
    }
    for (size_t i = 0; i < dir.n; i++) {
        struct cfz_corpus_file *f = &dir.files[i];
        char *name = f->name, *why = f->why;

        f->name = NULL;
        f->why = NULL;
        if (why != NULL)
            seeds_shorten(why, package_dir);
        if (add(&s, h, name, &f->vals, f->bad ? why : NULL, true) < 0) {
            cfz_fail_nomem(err);
            goto out;
        }
    }
    if (add_cached(h, &cached, &s, err) < 0 ||
        add_archive(h, &s, h->nseeds + dir.n + cached.dir.n + 1, err) < 0)
        goto out;
    *out = s;
    s = (struct seeds)SEEDS_INIT;
    ret = 0;
out:
    seeds_release(&s);
    cfz_corpus_dir_release(&dir);
    cfz_corpus_dir_release(&cached.dir);
    free(cached.path);
    free(path);
    return ret;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo), of values in their packed form; buf is for that. */
static int hash_values(const struct cfz_values *vs, struct cfz_buf *buf, uint64_t *hash,
                       struct cfz_error *err)
{
    size_t len = cfz_values_packed_size(vs);

    buf->len = 0;
    if (cfz_buf_reserve(buf, len, err) < 0)
        return -1;
    cfz_values_pack(vs, buf->data);
    *hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < len; i++)
        *hash = (*hash ^ buf->data[i]) * 0x100000001b3u;
    return 0;
}

int seeds_find_equal(const struct seed *const *v, size_t n, size_t *same, struct cfz_error *err)
{
    struct cfz_buf buf = CFZ_BUF_INIT;
    size_t cap = 16, *table;
    int ret = -1;

    while (cap < 2 * n)
        cap *= 2;
    table = calloc(cap, sizeof *table); /* indices + 1, open addressing */
    if (table == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        uint64_t hash;
        size_t at;

        same[i] = i;
        if (v[i]->bad != NULL)
            continue;
        if (hash_values(&v[i]->vals, &buf, &hash, err) < 0)
            goto out;
        at = hash & (cap - 1);
        while (table[at] != 0 && !cfz_values_equal(&v[table[at] - 1]->vals, &v[i]->vals))
            at = (at + 1) & (cap - 1);
        if (table[at] != 0)
            same[i] = table[at] - 1;
        else
            table[at] = i + 1;
    }
    ret = 0;
out:
    free(table);
    cfz_buf_release(&buf);
    return ret;
}

void seeds_release(struct seeds *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->v[i].name);
        free(s->v[i].full_name);
        free(s->v[i].bad);
        free(s->v[i].cached);
        cfz_values_release(&s->v[i].vals);
    }
    free(s->v);
    *s = (struct seeds)SEEDS_INIT;
}
