/*
 * fuzz_sharing.c - see fuzz_sharing.h.
 */
#define _GNU_SOURCE
#include "fuzz/fuzz_sharing.h"

#include <stdlib.h>
#include <string.h>

#include "cli/debug.h"
#include "core/corpus/encoding.h"
#include "core/corpus/flat.h"
#include "results/results.h"

/* Guessed: a second is short beside the time that finds take, and a quarter of one worker is
 * little. */
enum {
    LOOK_MS = 1000,
    EXECUTE_MS = 250,
    GIVE_MS = 100, /* that leaving inputs for others may take of each second */
};

#define MS UINT64_C(1000000)
#define FLAT_PREFIX "flat:"

/* ---- beginning and end ------------------------------------------------------------------ */

/* Opens the directory of a -sync: "flat:DIR" or "DIR". */
static int open_sync(struct shared_dir *d, const char *arg, struct cfz_error *err)
{
    bool flat = strncmp(arg, FLAT_PREFIX, strlen(FLAT_PREFIX)) == 0;
    const char *path = flat ? arg + strlen(FLAT_PREFIX) : arg;

    if (path[0] == '\0')
        return cfz_fail(err, CFZ_EUSAGE, "-sync=%s: no directory", arg);
    if (shared_dir_open(d, flat ? SHARED_FLAT : SHARED_AFL, path, err) < 0)
        return cfz_error_wrap(err, "-sync");
    return 0;
}

int sharing_check(const struct options *opt, struct cfz_error *err)
{
    struct shared_dir d;

    for (size_t i = 0; i < opt->sync.n; i++) {
        if (open_sync(&d, opt->sync.v[i], err) < 0)
            return -1;
        shared_dir_close(&d);
    }
    return 0;
}

int sharing_open(struct coordinator *c, const char *cache, struct cfz_error *err)
{
    struct sharing *s = &c->sharing;

    *s = (struct sharing){.input = CFZ_VALUES_INIT};
    if (cache == NULL)
        return 0;
    s->v = calloc(1 + c->opt->sync.n, sizeof *s->v);
    if (s->v == NULL)
        return cfz_fail_nomem(err);
    if (shared_dir_open(&s->v[0].dir, SHARED_CACHE, cache, err) < 0)
        return -1;
    s->n = 1;
    for (size_t i = 0; i < c->opt->sync.n; i++) {
        if (open_sync(&s->v[s->n].dir, c->opt->sync.v[i], err) < 0)
            return -1;
        s->n++;
    }
    for (size_t i = 0; i < c->corpus.n; i++)
        if (c->corpus.entries[i].from == FROM_CACHE && c->corpus.entries[i].name != NULL &&
            shared_dir_name_known(&s->v[0].dir, c->corpus.entries[i].name, err) < 0)
            return -1;
    return 0;
}

void sharing_close(struct coordinator *c)
{
    struct sharing *s = &c->sharing;

    for (size_t i = 0; i < s->n; i++)
        shared_dir_close(&s->v[i].dir);
    free(s->v);
    hash_set_release(&s->tried);
    cfz_values_release(&s->input);
    free(s->input_name);
    *s = (struct sharing){.input = CFZ_VALUES_INIT};
}

int sharing_kept(struct coordinator *c, const char *name, struct cfz_error *err)
{
    return c->sharing.n == 0 ? 0 : shared_dir_name_known(&c->sharing.v[0].dir, name, err);
}

/* ---- leaving ---------------------------------------------------------------------------- */

/* Leaves entry i of the corpus in the directory, unless it is there, or would do others no good. */
static int give_entry(struct coordinator *c, struct shared *sh, uint64_t i, struct cfz_error *err)
{
    const struct fuzz_entry *e = &c->corpus.entries[i];
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_buf bytes = CFZ_BUF_INIT;
    bool added = false;
    int ret = 0;

    if (e->failed || e->from == FROM_ZERO || e->from == FROM_RUN_UNSTABLE)
        return 0;
    ret = fuzz_corpus_values(&c->corpus, i, &vs, err);
    if (ret == 0)
        ret = cfz_flat_write(&vs, &bytes, err);
    if (ret == 0 && bytes.len > 0) /* AFL++ has no use for the empty one */
        ret = shared_dir_put(&sh->dir, cfz_buf_str(&bytes), bytes.len, &added, err);
    c->sharing.left += added;
    if (added && debug_fuzz())
        debug_line("left an input for others, id: %s, in: %s", fuzz_corpus_id(&c->corpus, i),
                   sh->dir.path);
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return ret;
}

/* Goes on leaving entries in the directory until then. */
static int give(struct coordinator *c, struct shared *sh, uint64_t until, struct cfz_error *err)
{
    if (sh->dir.kind == SHARED_CACHE)
        return 0;
    for (; sh->given < c->corpus.n; sh->given++) {
        if (uv_hrtime() >= until)
            return 0;
        if (give_entry(c, sh, sh->given, err) < 0)
            return -1;
    }
    return 0;
}

/* Says that the directory is gone, or back. */
static void tell(struct shared *sh, const struct cfz_error *why)
{
    if (why != NULL && !sh->told)
        report_line("fuzz: -sync: %s; the run goes on without it, and looks for it again",
                    why->text);
    else if (why == NULL && sh->told)
        report_line("fuzz: -sync: %s is back", sh->dir.path);
    sh->told = why != NULL;
}

/* Looks at one directory and leaves some inputs there. */
static int look(struct coordinator *c, struct shared *sh, uint64_t until, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    uint64_t ino = sh->dir.ino;

    if (shared_dir_look(&sh->dir, c->s->loop.now, &why) == 0) {
        if (ino != 0 && ino != sh->dir.ino)
            sh->given = 0; /* another directory, which has none of ours */
        /* What waits there may be what would be left. */
        if (shared_dir_ready(&sh->dir) || give(c, sh, until, &why) == 0) {
            tell(sh, NULL);
            return 0;
        }
    }
    if (why.code == CFZ_ENOMEM) {
        if (err != NULL)
            *err = why;
        return -1;
    }
    if (sh->dir.kind != SHARED_CACHE) /* what is wrong with the cache, those say who write there */
        tell(sh, &why);
    return 0;
}

static bool any_ready(const struct sharing *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (shared_dir_ready(&s->v[i].dir))
            return true;
    return false;
}

int sharing_turn(struct coordinator *c, struct cfz_error *err)
{
    struct sharing *s = &c->sharing;
    uint64_t now = c->s->loop.now;
    struct worker *w = NULL;

    if (s->n == 0 || !c->fuzzing || c->stopping || now < s->next_look)
        return 0;
    for (size_t i = 0; i < s->n; i++)
        if (look(c, &s->v[i], uv_hrtime() + GIVE_MS * MS / s->n, err) < 0)
            return -1;
    s->next_look = now + LOOK_MS * MS;
    if (s->by != NULL || !any_ready(s))
        return 0;
    s->due = true;
    for (unsigned i = 0; i < c->nseats && w == NULL; i++)
        if (c->seats[i].worker != NULL && c->seats[i].worker->state == WORKER_BUSY)
            w = c->seats[i].worker;
    if (w != NULL)
        worker_yield(w);
    return 0;
}

/* ---- taking ----------------------------------------------------------------------------- */

/* Makes values of a file's content. False: it is of another test. */
static bool read_values(const struct coordinator *c, enum shared_kind kind,
                        const struct cfz_buf *bytes, struct cfz_values *vs)
{
    const uint8_t *data = (const uint8_t *)cfz_buf_str(bytes);

    if (kind != SHARED_CACHE)
        return cfz_flat_read(vs, c->t->kinds, c->t->nvalues, data, bytes->len, NULL) == 0;
    return cfz_encoding_parse(data, bytes->len, vs, NULL, NULL) == 0 &&
           cfz_values_check(vs, c->t->kinds, c->t->nvalues, NULL) == 0;
}

/* Whether values are to be executed: they are not in the corpus, and have not been. */
static int is_new(struct coordinator *c, struct cfz_values *vs, bool *fresh, struct cfz_error *err)
{
    struct cfz_buf flat = CFZ_BUF_INIT;
    int ret;

    for (size_t i = 0; i < vs->n && c->opt->fuzzmaxlen_given; i++)
        if (cfz_kind_is_slot(vs->v[i].kind) && vs->v[i].len > c->opt->fuzzmaxlen)
            vs->v[i].len = c->opt->fuzzmaxlen;
    *fresh = false;
    if (fuzz_corpus_has(&c->corpus, vs))
        return 0;
    ret = cfz_flat_write(vs, &flat, err);
    if (ret == 0)
        ret = hash_set_add(&c->sharing.tried, shared_content(cfz_buf_str(&flat), flat.len), fresh,
                           err);
    cfz_buf_release(&flat);
    return ret;
}

/* Takes the next input from directory i. *got: s->input is it. */
static int take(struct coordinator *c, size_t i, bool *got, struct cfz_error *err)
{
    struct sharing *s = &c->sharing;
    struct shared_dir *d = &s->v[i].dir;
    struct cfz_buf bytes = CFZ_BUF_INIT;
    const char *name;
    int ret = 0;

    *got = false;
    if (shared_dir_take(d, d->kind == SHARED_CACHE ? CFZ_FILE_MAX : CFZ_SLOT_SIZE, &bytes, &name)) {
        cfz_values_release(&s->input);
        if (read_values(c, d->kind, &bytes, &s->input))
            ret = is_new(c, &s->input, got, err);
        free(s->input_name);
        s->input_name = strdup(name);
        s->input_from = i;
        if (s->input_name == NULL)
            ret = cfz_fail_nomem(err);
    }
    cfz_buf_release(&bytes);
    return ret;
}

int sharing_step(struct coordinator *c, struct worker *w, bool *got, struct cfz_error *err)
{
    struct sharing *s = &c->sharing;

    *got = false;
    if (s->by != NULL || c->stopping)
        return 0;
    if (s->due) /* only now: the worker may have taken long to be idle */
        s->until = uv_hrtime() + EXECUTE_MS * MS;
    s->due = false;
    while (!*got && any_ready(s) && uv_hrtime() < s->until) {
        s->from = (s->from + 1) % s->n;
        if (take(c, s->from, got, err) < 0)
            return -1;
    }
    if (!*got)
        return 0;
    snprintf(w->shm->name, sizeof w->shm->name, "%s", c->t->name);
    s->by = w;
    s->fresh = 0;
    s->executed++;
    return worker_try(w, &s->input, false, err);
}

void sharing_base(struct coordinator *c, const struct worker *w, uint64_t fresh)
{
    if (c->sharing.by == w && !w->fuzzing)
        c->sharing.fresh += fresh;
}

int sharing_answered(struct coordinator *c, const struct worker *w, struct cfz_error *err)
{
    struct sharing *s = &c->sharing;
    bool ours = s->by == w, from_cache = s->input_from == 0, added;
    char saved[17] = "-";
    const char *name = from_cache ? s->input_name : saved;
    uint64_t index;

    if (!ours)
        return 0;
    s->by = NULL;
    if (s->fresh == 0)
        return 0;
    if (!from_cache &&
        (c->front->keep(c, &s->input, saved, err) < 0 || sharing_kept(c, saved, err) < 0))
        return -1;
    if (fuzz_corpus_add(&c->corpus, &s->input, FROM_OTHERS, CFZ_NO_ENTRY, name, &added, &index,
                        err) < 0)
        return -1;
    if (!added)
        return 0;
    s->taken++;
    c->progress.total++;
    c->found_at = c->s->loop.now;
    if (debug_fuzz())
        debug_line("took over an input of others, id: %s, from: %s, file: %s", name,
                   s->v[s->input_from].dir.path, s->input_name);
    results_fuzz_find(c->t->name, name, cfz_values_packed_size(&s->input), s->fresh,
                      c->progress.total);
    return 0;
}

void sharing_gone(struct coordinator *c, const struct worker *w)
{
    if (c->sharing.by == w)
        c->sharing.by = NULL;
}

void sharing_end(struct coordinator *c)
{
    struct sharing *s = &c->sharing;
    struct cfz_error why = CFZ_ERROR_INIT;

    for (size_t i = 1; i < s->n; i++)
        if (!s->v[i].told && give(c, &s->v[i], UINT64_MAX, &why) < 0)
            tell(&s->v[i], &why);
    if (s->n > 1 || s->executed > 0)
        report_line("fuzz: shared: %llu input%s of others executed, %llu taken over, %llu left for "
                    "them",
                    (unsigned long long)s->executed, s->executed == 1 ? "" : "s",
                    (unsigned long long)s->taken, (unsigned long long)s->left);
}
