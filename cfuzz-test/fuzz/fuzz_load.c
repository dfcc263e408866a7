/*
 * fuzz_load.c - see fuzz_load.h.
 */
#include "fuzz/fuzz_load.h"

#include <stdio.h>
#include <string.h>

#include "core/corpus/corpus.h"
#include "cli/report.h"

enum { NAMES_SHOWN = 3 };

struct load {
    const struct options *opt;
    struct fuzz_corpus *corpus;
    struct baseline *baseline;
    bool cut; /* some input was longer than -fuzzmaxlen */
};

static void cut_values(struct load *l, struct cfz_values *vs)
{
    if (!l->opt->fuzzmaxlen_given)
        return;
    for (size_t i = 0; i < vs->n; i++) {
        if (cfz_kind_is_slot(vs->v[i].kind) && vs->v[i].len > l->opt->fuzzmaxlen) {
            vs->v[i].len = l->opt->fuzzmaxlen;
            l->cut = true;
        }
    }
}

int fuzz_load_entry(struct fuzz_corpus *c, struct baseline *b, const struct cfz_values *vs,
                    enum entry_from from, const char *name, struct cfz_error *err)
{
    bool added;
    uint64_t index;

    if (fuzz_corpus_add(c, vs, from, CFZ_NO_ENTRY, name, &added, &index, err) < 0)
        return cfz_error_wrap(err, "load the corpus");
    if (!added)
        return 0;
    if (queue_push(&b->waiting, index, err) < 0)
        return -1;
    b->left++;
    b->due += from != FROM_CACHE;
    if (from != FROM_ZERO)
        b->total++;
    return 0;
}

static int add_entry(struct load *l, struct cfz_values *vs, enum entry_from from, const char *name,
                     struct cfz_error *err)
{
    cut_values(l, vs);
    return fuzz_load_entry(l->corpus, l->baseline, vs, from, name, err);
}

static int load_seeds(struct load *l, struct seeds *seeds, struct cfz_buf *blocks, bool *bad,
                      struct cfz_error *err)
{
    for (size_t i = 0; i < seeds->n; i++) {
        struct seed *seed = &seeds->v[i];

        if (seed->bad == NULL) {
            if (add_entry(l, &seed->vals, FROM_SEED, seed->name, err) < 0)
                return -1;
            continue;
        }
        *bad = true;
        report_line("failure while testing seed corpus entry: %s", seed->full_name);
        if (report_result(blocks, 1, "FAIL", seed->full_name, 0, err) < 0 ||
            report_indent(blocks, 8, seed->bad, strlen(seed->bad), err) < 0)
            return -1;
    }
    return 0;
}

/* Files that are left out for one reason: how many there are, and the names of the first ones. */
struct left_out {
    size_t n;
    struct cfz_buf names;
};

static int leave_out(struct left_out *l, const char *name, struct cfz_error *err)
{
    if (l->n++ >= NAMES_SHOWN)
        return 0;
    return cfz_buf_printf(&l->names, err, "%s%s", l->n == 1 ? "" : ", ", name);
}

/* "warning: skipped 7 cached inputs <what>: a, b, c and 4 more; <where>" */
static void say_left_out(const struct left_out *l, bool corpus, const char *what, const char *where)
{
    char more[40] = "";

    if (l->n == 0)
        return;
    if (l->n > NAMES_SHOWN)
        snprintf(more, sizeof more, " and %zu more", l->n - NAMES_SHOWN);
    report_line("warning: skipped %zu %sinput%s %s: %s%s; %s", l->n, corpus ? "" : "cached ",
                l->n == 1 ? "" : "s", what, cfz_buf_str(&l->names), more, where);
}

static int load_cache(struct load *l, const char *path, struct cfz_error *err)
{
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    const struct origin_test *t = l->corpus->host->test;
    struct left_out old = {0, CFZ_BUF_INIT}, bad = {0, CFZ_BUF_INIT};
    const char *why = NULL;
    int ret = -1;

    if (cfz_corpus_load(path, t->kinds, t->nvalues, &dir, err) < 0)
        return -1;
    for (size_t i = 0; i < dir.n; i++) {
        struct cfz_corpus_file *f = &dir.files[i];
        int r;

        if (f->bad && !f->other_types)
            why = why == NULL ? f->why : why;
        if (f->bad)
            r = leave_out(f->other_types ? &old : &bad, f->name, err);
        else
            r = add_entry(l, &f->vals, FROM_CACHE, f->name, err);
        if (r < 0)
            goto out;
    }
    say_left_out(&old, l->opt->corpus != NULL, "of other types than the test's", path);
    say_left_out(&bad, l->opt->corpus != NULL, "that cannot be used", why);
    ret = 0;
out:
    cfz_buf_release(&old.names);
    cfz_buf_release(&bad.names);
    cfz_corpus_dir_release(&dir);
    return ret;
}

static int load_zero(struct load *l, struct cfz_error *err)
{
    const struct origin_test *t = l->corpus->host->test;
    struct cfz_values zero = CFZ_VALUES_INIT;
    int ret;

    report_line("warning: starting with empty corpus");
    ret = cfz_values_zero(&zero, t->kinds, t->nvalues, err);
    if (ret == 0)
        ret = add_entry(l, &zero, FROM_ZERO, NULL, err);
    cfz_values_release(&zero);
    return ret;
}

int fuzz_load(struct fuzz_corpus *c, struct seeds *seeds, const char *cache_dir, struct baseline *b,
              struct cfz_buf *blocks, bool *bad, struct cfz_error *err)
{
    struct load l = {.opt = c->host->origin->opt, .corpus = c, .baseline = b};

    *bad = false;
    if (load_seeds(&l, seeds, blocks, bad, err) < 0 || load_cache(&l, cache_dir, err) < 0)
        return -1;
    if (l.cut)
        report_line("warning: inputs longer than %llu bytes are cut (-fuzzmaxlen)",
                    (unsigned long long)l.opt->fuzzmaxlen);
    return c->n == 0 && (!*bad || l.opt->keepfuzzing) ? load_zero(&l, err) : 0;
}
