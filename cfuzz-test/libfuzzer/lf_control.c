/*
 * lf_control.c - see lf_control.h.
 */
#include "libfuzzer/lf_control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES_A_COUNTER = 8, FILES_MAX = 1 << 24 };

void lf_control_release(struct lf_control *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->v[i].path);
        free(c->v[i].features.v);
    }
    free(c->v);
    *c = (struct lf_control)LF_CONTROL_INIT;
}

/* ---- reading ------------------------------------------------------------------------ */

struct reader {
    const char *at, *end;
    unsigned line;
};

/* Takes the next line, without its end, which the last one need not have. */
static bool next_line(struct reader *r, const char **text, size_t *len)
{
    const char *nl;

    if (r->at == r->end)
        return false;
    nl = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *text = r->at;
    *len = (size_t)((nl != NULL ? nl : r->end) - r->at);
    r->at = nl != NULL ? nl + 1 : r->end;
    r->line++;
    return true;
}

/* Takes a number off *text. */
static bool take_number(const char **text, size_t *len, uint64_t max, uint64_t *n)
{
    size_t i = 0;

    while (*len > 0 && **text == ' ') {
        (*text)++;
        (*len)--;
    }
    for (*n = 0; i < *len && (*text)[i] >= '0' && (*text)[i] <= '9'; i++) {
        *n = *n * 10 + (uint64_t)((*text)[i] - '0');
        if (*n > max)
            return false;
    }
    *text += i;
    *len -= i;
    return i > 0;
}

static int bad_line(const struct reader *r, const char *what, struct cfz_error *err)
{
    return cfz_fail(err, CFZ_EFORMAT, "line %u: %s", r->line, what);
}

static int read_count(struct reader *r, const char *what, uint64_t max, uint64_t *n,
                      struct cfz_error *err)
{
    const char *text;
    size_t len;

    if (!next_line(r, &text, &len) || !take_number(&text, &len, max, n) || len != 0)
        return bad_line(r, what, err);
    return 0;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Reads the numbers of an FT line. */
static int read_features(struct reader *r, const char *text, size_t len, struct lf_feature_set *set,
                         struct cfz_error *err)
{
    size_t most = 1;
    uint64_t n;

    for (size_t i = 0; i < len; i++)
        most += text[i] == ' ';
    free(set->v);
    set->n = 0;
    set->v = malloc(most * sizeof *set->v);
    if (set->v == NULL)
        return cfz_fail_nomem(err);
    while (len > 0) {
        if (set->n == most || !take_number(&text, &len, UINT32_MAX, &n))
            return bad_line(r, "FT: a feature is not a number", err);
        set->v[set->n++] = (uint32_t)n;
    }
    if (set->n > 0)
        qsort(set->v, set->n, sizeof *set->v, by_value);
    return 0;
}

static bool take_word(const char **text, size_t *len, const char *word)
{
    size_t n = strlen(word);

    if (*len < n || memcmp(*text, word, n) != 0)
        return false;
    *text += n;
    *len -= n;
    return true;
}

/* Reads a line behind the head. */
static int read_event(struct reader *r, const char *text, size_t len, struct lf_control *c,
                      struct cfz_error *err)
{
    bool started = take_word(&text, &len, "STARTED "),
         ft = !started && take_word(&text, &len, "FT ");
    uint64_t i, size;

    if (!started && !ft && !take_word(&text, &len, "COV "))
        return bad_line(r, "STARTED, FT or COV is expected", err);
    if (!take_number(&text, &len, UINT64_MAX / 20, &i) || i >= c->n)
        return bad_line(r, "there is no file of that number", err);
    if (started) {
        if (!take_number(&text, &len, UINT64_MAX / 20, &size) || len != 0)
            return bad_line(r, "STARTED: the size of the file is expected", err);
        c->v[i].started = true;
        c->v[i].size = size;
        return 0;
    }
    if (!c->v[i].started)
        return bad_line(r, "that file was not started", err);
    if (!ft)
        return 0; /* counters follow from features */
    c->v[i].done = true;
    return read_features(r, text, len, &c->v[i].features, err);
}

int lf_control_parse(const char *text, size_t len, struct lf_control *out, struct cfz_error *err)
{
    struct reader r = {.at = text, .end = text + len};
    struct lf_control c = LF_CONTROL_INIT;
    const char *line;
    uint64_t n, first;

    if (read_count(&r, "the number of files is expected", FILES_MAX, &n, err) < 0 ||
        read_count(&r, "the number of files in the first directory is expected", n, &first, err) <
            0)
        return -1;
    /* Each file takes a line at least. */
    if (n > len) {
        bad_line(&r, "there are fewer files than the first line says", err);
        return -1;
    }
    c.v = calloc(n + 1, sizeof *c.v);
    if (c.v == NULL)
        return cfz_fail_nomem(err);
    c.first = first;
    for (; c.n < n; c.n++) {
        size_t l;

        if (!next_line(&r, &line, &l) || l == 0 || memchr(line, '\0', l) != NULL) {
            bad_line(&r, "the path of a file is expected", err);
            goto failed;
        }
        c.v[c.n].path = strndup(line, l);
        if (c.v[c.n].path == NULL) {
            cfz_fail_nomem(err);
            goto failed;
        }
    }
    for (size_t l; next_line(&r, &line, &l);) {
        /* What the last line lacks was not written before the merge was killed. */
        bool whole = r.at[-1] == '\n';

        if (whole && read_event(&r, line, l, &c, err) < 0)
            goto failed;
    }
    *out = c;
    return 0;
failed:
    c.n++; /* the one that was begun, whose fields are empty */
    if (c.n > n)
        c.n = n;
    lf_control_release(&c);
    return -1;
}

/* ---- writing -------------------------------------------------------------------------- */

int lf_control_head(const struct lf_control *c, struct cfz_buf *out, struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "%zu\n%zu\n", c->n, c->first) < 0)
        return -1;
    for (size_t i = 0; i < c->n; i++)
        if (cfz_buf_printf(out, err, "%s\n", c->v[i].path) < 0)
            return -1;
    return 0;
}

int lf_control_started(const struct lf_control *c, size_t i, struct cfz_buf *out,
                       struct cfz_error *err)
{
    return cfz_buf_printf(out, err, "STARTED %zu %llu\n", i, (unsigned long long)c->v[i].size);
}

int lf_control_done(const struct lf_control *c, size_t i, struct cfz_buf *out,
                    struct cfz_error *err)
{
    const struct lf_feature_set *s = &c->v[i].features;

    if (cfz_buf_printf(out, err, "FT %zu", i) < 0)
        return -1;
    for (size_t k = 0; k < s->n; k++)
        if (cfz_buf_printf(out, err, " %u", s->v[k]) < 0)
            return -1;
    if (cfz_buf_printf(out, err, "\nCOV %zu", i) < 0)
        return -1;
    for (size_t k = 0; k < s->n; k++)
        if ((k == 0 || s->v[k] / FEATURES_A_COUNTER != s->v[k - 1] / FEATURES_A_COUNTER) &&
            cfz_buf_printf(out, err, " %u", s->v[k] / FEATURES_A_COUNTER) < 0)
            return -1;
    return cfz_buf_puts(out, "\n", err);
}

/* ---- choosing ------------------------------------------------------------------------- */

/* Bits by number. */
struct seen {
    uint64_t *bits;
    uint64_t n; /* that are set */
};

static bool has(const struct seen *s, uint32_t i)
{
    return s->bits[i / 64] >> i % 64 & 1;
}

static void set(struct seen *s, uint32_t i)
{
    s->n += !has(s, i);
    s->bits[i / 64] |= UINT64_C(1) << i % 64;
}

struct choosing {
    const struct lf_control *c;
    struct seen features, counters;
};

static void take(struct choosing *ch, size_t i)
{
    const struct lf_feature_set *s = &ch->c->v[i].features;

    for (size_t k = 0; k < s->n; k++) {
        set(&ch->features, s->v[k]);
        set(&ch->counters, s->v[k] / FEATURES_A_COUNTER);
    }
}

static size_t missing(const struct choosing *ch, size_t i)
{
    const struct lf_feature_set *s = &ch->c->v[i].features;
    size_t n = 0;

    for (size_t k = 0; k < s->n; k++)
        n += !has(&ch->features, s->v[k]);
    return n;
}

static int smaller_first(const void *a, const void *b)
{
    const struct lf_control_file *x = *(const struct lf_control_file *const *)a,
                                 *y = *(const struct lf_control_file *const *)b;

    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->features.n != y->features.n)
        return x->features.n > y->features.n ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Greedy set cover: a file's missing features only become fewer, so the list is kept by a count
 * that may be too high, and a file is looked at again when its turn comes. */
static void choose_cover(struct choosing *ch, const struct lf_control_file *const *order, size_t n,
                         size_t *counts, bool *chosen)
{
    for (size_t i = 0; i < n; i++)
        counts[i] = order[i]->features.n;
    for (;;) {
        size_t best = n;

        for (size_t i = 0; i < n; i++) {
            if (counts[i] == 0 || (best < n && counts[i] <= counts[best]))
                continue;
            counts[i] = missing(ch, (size_t)(order[i] - ch->c->v));
            if (counts[i] > 0 && (best == n || counts[i] > counts[best]))
                best = i;
        }
        if (best == n)
            return;
        chosen[order[best] - ch->c->v] = true;
        take(ch, (size_t)(order[best] - ch->c->v));
        counts[best] = 0;
    }
}

int lf_choose(const struct lf_control *c, bool cover, bool *chosen, uint64_t *features,
              uint64_t *counters, struct cfz_error *err)
{
    struct choosing ch = {.c = c};
    const struct lf_control_file **order = calloc(c->n + 1, sizeof *order);
    size_t *counts = calloc(c->n + 1, sizeof *counts), n = 0;
    uint32_t most = 0;
    int ret = -1;

    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->v[i].features.n; k++)
            most = c->v[i].features.v[k] > most ? c->v[i].features.v[k] : most;
    ch.features.bits = calloc(most / 64 + 1, sizeof(uint64_t));
    ch.counters.bits = calloc(most / 64 + 1, sizeof(uint64_t));
    if (order == NULL || counts == NULL || ch.features.bits == NULL || ch.counters.bits == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    memset(chosen, 0, c->n * sizeof *chosen);
    for (size_t i = 0; i < c->n; i++) {
        if (i < c->first)
            take(&ch, i);
        else if (c->v[i].done)
            order[n++] = &c->v[i];
    }
    *features = ch.features.n;
    *counters = ch.counters.n;
    if (n > 0)
        qsort(order, n, sizeof *order, smaller_first);
    if (cover)
        choose_cover(&ch, order, n, counts, chosen);
    for (size_t i = 0; i < n && !cover; i++) {
        size_t at = (size_t)(order[i] - c->v);

        if (missing(&ch, at) == 0)
            continue;
        chosen[at] = true;
        take(&ch, at);
    }
    *features = ch.features.n - *features;
    *counters = ch.counters.n - *counters;
    ret = 0;
out:
    free(order);
    free(counts);
    free(ch.features.bits);
    free(ch.counters.bits);
    return ret;
}
