/*
 * history.c - see history.h.
 */
#define _GNU_SOURCE
#include "history/history.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cache.h"
#include "core/io.h"

enum {
    VERSION = 1,
    FILE_MAX = 16 << 20,
    LOCK_TRIES = 20, /* to have the directory alone, each after LOCK_US */
    LOCK_US = 5000,
};

static void release_crashes(struct history_run *r)
{
    for (size_t i = 0; i < r->ncrashes; i++) {
        free(r->crashes[i].where);
        free(r->crashes[i].file);
    }
    free(r->crashes);
    r->crashes = NULL;
    r->ncrashes = 0;
}

static void release_run(struct history_run *r)
{
    free(r->id);
    free(r->seed);
    free(r->sanitizers);
    free(r->end);
    free(r->blocked);
    free(r->said);
    release_crashes(r);
}

void history_release(struct history *h)
{
    for (size_t i = 0; i < h->n; i++)
        release_run(&h->runs[i]);
    free(h->runs);
    *h = (struct history)HISTORY_INIT;
}

char *history_file(const char *package_path, const char *test)
{
    char *dir, *path;

    if (cache_history_dir(package_path, &dir, NULL) < 0)
        return NULL;
    if (asprintf(&path, "%s/%s.json", dir, test) < 0)
        path = NULL;
    free(dir);
    return path;
}

int history_set(char **text, const char *with, size_t len, struct cfz_error *err)
{
    char *copy;

    if (len > HISTORY_TEXT) {
        len = HISTORY_TEXT;
        while (len > 0 && ((unsigned char)with[len] & 0xc0) == 0x80) /* inside of a character */
            len--;
    }
    copy = strndup(with != NULL ? with : "", len);
    if (copy == NULL)
        return cfz_fail_nomem(err);
    free(*text);
    *text = copy;
    return 0;
}

struct history_run *history_run(struct history *h, const char *id)
{
    struct history_run r = {0}, *runs;
    char **const texts[] = {&r.id, &r.seed, &r.sanitizers, &r.end, &r.blocked, &r.said};

    for (size_t i = h->n; i-- > 0;)
        if (strcmp(h->runs[i].id, id) == 0)
            return &h->runs[i];
    runs = realloc(h->runs, (h->n + 1) * sizeof *runs);
    if (runs == NULL)
        return NULL;
    h->runs = runs;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (history_set(texts[i], i == 0 ? id : "", i == 0 ? strlen(id) : 0, NULL) < 0) {
            release_run(&r);
            return NULL;
        }
    if (h->n == HISTORY_RUNS) {
        release_run(&h->runs[0]);
        memmove(&h->runs[0], &h->runs[1], --h->n * sizeof h->runs[0]);
    }
    h->runs[h->n] = r;
    return &h->runs[h->n++];
}

void history_add_point(struct history_run *r, const struct history_point *p)
{
    if (r->npoints == HISTORY_POINTS) {
        for (size_t i = 1; i < HISTORY_POINTS / 2; i++)
            r->points[i] = r->points[2 * i];
        r->npoints = HISTORY_POINTS / 2;
    }
    r->points[r->npoints++] = *p;
}

int history_add_crash(struct history_run *r, const char *where, const char *file, uint64_t met,
                      struct cfz_error *err)
{
    struct history_crash c = {NULL, NULL, met}, *v;

    for (size_t i = 0; i < r->ncrashes; i++)
        if (strcmp(r->crashes[i].where, where) == 0 && strcmp(r->crashes[i].file, file) == 0) {
            r->crashes[i].met += met;
            return 0;
        }
    if (r->ncrashes == HISTORY_CRASHES)
        return 0;
    v = realloc(r->crashes, (r->ncrashes + 1) * sizeof *v);
    if (v != NULL)
        r->crashes = v;
    if (v == NULL || history_set(&c.where, where, strlen(where), err) < 0 ||
        history_set(&c.file, file, strlen(file), err) < 0) {
        free(c.where);
        return cfz_fail_nomem(err);
    }
    r->crashes[r->ncrashes++] = c;
    return 0;
}

/* Makes the run of to that has the id of r, or a new one, a copy of r. */
static int copy_run(struct history *to, const struct history_run *r, struct cfz_error *err)
{
    struct history_run *n = history_run(to, r->id);
    bool ok = n != NULL && history_set(&n->seed, r->seed, strlen(r->seed), err) == 0 &&
              history_set(&n->sanitizers, r->sanitizers, strlen(r->sanitizers), err) == 0 &&
              history_set(&n->end, r->end, strlen(r->end), err) == 0 &&
              history_set(&n->blocked, r->blocked, strlen(r->blocked), err) == 0 &&
              history_set(&n->said, r->said, strlen(r->said), err) == 0;

    if (ok)
        release_crashes(n);
    for (size_t k = 0; ok && k < r->ncrashes; k++)
        ok = history_add_crash(n, r->crashes[k].where, r->crashes[k].file, r->crashes[k].met,
                               err) == 0;
    if (!ok)
        return cfz_fail_nomem(err);
    n->began = r->began;
    n->workers = r->workers;
    n->counters = r->counters;
    n->npoints = r->npoints;
    memcpy(n->points, r->points, sizeof n->points);
    return 0;
}

int history_copy(struct history *to, const struct history *from, struct cfz_error *err)
{
    for (size_t i = 0; i < from->n; i++)
        if (copy_run(to, &from->runs[i], err) < 0) {
            history_release(to);
            return -1;
        }
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

static int take_text(char **to, const json_t *from, const char *key, struct cfz_error *err)
{
    const json_t *v = json_object_get(from, key);

    return json_is_string(v) ? history_set(to, json_string_value(v), json_string_length(v), err)
                             : 0;
}

static uint64_t take_number(const json_t *v)
{
    return json_is_integer(v) && json_integer_value(v) > 0 ? (uint64_t)json_integer_value(v) : 0;
}

/* Points whose time or count goes back are damage, and left out. */
static void take_points(struct history_run *r, const json_t *points)
{
    const struct history_point *last;
    size_t i;
    const json_t *v;

    json_array_foreach(points, i, v)
    {
        struct history_point p = {
            take_number(json_array_get(v, 0)), take_number(json_array_get(v, 1)),
            take_number(json_array_get(v, 2)), take_number(json_array_get(v, 3)),
            take_number(json_array_get(v, 4))};

        last = r->npoints > 0 ? &r->points[r->npoints - 1] : NULL;
        if (json_array_size(v) == 5 && r->npoints < HISTORY_POINTS &&
            (last == NULL || (p.ms >= last->ms && p.execs >= last->execs)))
            history_add_point(r, &p);
    }
}

static int take_crashes(struct history_run *r, const json_t *crashes, struct cfz_error *err)
{
    size_t i;
    const json_t *v;

    json_array_foreach(crashes, i, v)
    {
        const char *where = json_string_value(json_object_get(v, "where"));
        const char *file = json_string_value(json_object_get(v, "file"));

        if (where != NULL && file != NULL &&
            history_add_crash(r, where, file, take_number(json_object_get(v, "met")), err) < 0)
            return -1;
    }
    return 0;
}

static int take_run(struct history *h, const json_t *from, struct cfz_error *err)
{
    const char *id = json_string_value(json_object_get(from, "id"));
    struct history_run *r;

    if (id == NULL || id[0] == '\0')
        return 0;
    r = history_run(h, id);
    if (r == NULL)
        return cfz_fail_nomem(err);
    if (take_text(&r->seed, from, "seed", err) < 0 ||
        take_text(&r->sanitizers, from, "sanitizers", err) < 0 ||
        take_text(&r->end, from, "end", err) < 0 ||
        take_text(&r->blocked, from, "blocked", err) < 0 ||
        take_text(&r->said, from, "said", err) < 0 ||
        take_crashes(r, json_object_get(from, "crashes"), err) < 0)
        return -1;
    r->began = (int64_t)take_number(json_object_get(from, "began"));
    r->workers = take_number(json_object_get(from, "workers"));
    r->counters = take_number(json_object_get(from, "counters"));
    take_points(r, json_object_get(from, "points"));
    return 0;
}

int history_parse(const char *text, size_t len, struct history *out, struct cfz_error *err)
{
    struct history h = HISTORY_INIT;
    json_t *all = json_loadb(text, len, 0, NULL);
    const json_t *v;
    size_t i;
    int ret = 0;

    if (json_integer_value(json_object_get(all, "version")) == VERSION)
        json_array_foreach(json_object_get(all, "runs"), i, v)
        {
            if (ret == 0)
                ret = take_run(&h, v, err);
        }
    json_decref(all);
    if (ret < 0)
        history_release(&h);
    else
        *out = h;
    return ret;
}

int history_load(const char *path, struct history *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    *out = (struct history)HISTORY_INIT;
    if (cfz_io_read_file(AT_FDCWD, path, FILE_MAX, &text, NULL) == 0)
        ret = history_parse(cfz_buf_str(&text), text.len, out, err);
    cfz_buf_release(&text);
    return ret;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Text of others may be no UTF-8, which JSON needs: it is escaped where it is shown already. */
static json_t *text_json(const char *text)
{
    json_t *v = json_string(text);

    return v != NULL ? v : json_string("");
}

static json_t *number_json(uint64_t n)
{
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *run_json(const struct history_run *r)
{
    json_t *points = json_array(), *crashes = json_array();

    for (size_t i = 0; i < r->npoints; i++) {
        const struct history_point *p = &r->points[i];

        json_array_append_new(points, json_pack("[o,o,o,o,o]", number_json(p->ms),
                                                number_json(p->execs), number_json(p->corpus),
                                                number_json(p->covered), number_json(p->crashes)));
    }
    for (size_t i = 0; i < r->ncrashes; i++)
        json_array_append_new(crashes,
                              json_pack("{s:o,s:o,s:o}", "where", text_json(r->crashes[i].where),
                                        "file", text_json(r->crashes[i].file), "met",
                                        number_json(r->crashes[i].met)));
    return json_pack("{s:o,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "id", text_json(r->id),
                     "began", (json_int_t)r->began, "seed", text_json(r->seed), "sanitizers",
                     text_json(r->sanitizers), "workers", number_json(r->workers), "end",
                     text_json(r->end), "counters", number_json(r->counters), "points", points,
                     "blocked", text_json(r->blocked), "crashes", crashes, "said",
                     text_json(r->said));
}

/* Writes h into a file of the directory. */
static int write_all(int dirfd, const char *file, const struct history *h, struct cfz_error *err)
{
    json_t *runs = json_array(), *all = NULL;
    char *text = NULL;
    int ret = -1;

    for (size_t i = 0; i < h->n; i++)
        if (json_array_append_new(runs, run_json(&h->runs[i])) < 0)
            goto nomem;
    all = json_pack("{s:i,s:O}", "version", VERSION, "runs", runs);
    text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    if (text == NULL)
        goto nomem;
    ret = cfz_io_write_file(dirfd, file, text, strlen(text), CFZ_IO_REPLACE, err);
    goto out;
nomem:
    cfz_fail_nomem(err);
out:
    free(text);
    json_decref(all);
    json_decref(runs);
    return ret;
}

/* Waits a little for other drivers that write there. One that was stopped has nobody wait. */
static void lock(int fd)
{
    for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) < 0; i++)
        usleep(LOCK_US);
}

int history_save(const char *path, const struct history_run *run, struct cfz_error *err)
{
    const char *slash = strrchr(path, '/');
    char *dir = strndup(path, (size_t)(slash - path));
    struct history all = HISTORY_INIT;
    int fd = -1, ret = -1;

    if (dir == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    if (cache_make_dir(dir, err) < 0)
        goto out;
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        cfz_fail_errno(err, "%s", dir);
        goto out;
    }
    lock(fd);               /* as long as fd is open */
    cfz_io_sweep(fd, NULL); /* what drivers left that were killed */
    ret = history_load(path, &all, err);
    ret = ret < 0 || copy_run(&all, run, err) < 0 ? -1 : write_all(fd, slash + 1, &all, err);
out:
    if (fd >= 0)
        close(fd);
    history_release(&all);
    free(dir);
    return ret;
}
