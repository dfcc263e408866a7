/*
 * corpus_command.c - see corpus_command.h.
 */
#define _GNU_SOURCE
#include "corpus/corpus_command.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/strlist.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "core/corpus/corpus.h"
#include "core/corpus/flat.h"
#include "core/io.h"
#include "corpus/corpus_run.h"
#include "corpus/corpus_source.h"
#include "corpus/corpus_zip.h"
#include "corpus/migrate.h"
#include "process/seeds.h"
#include "process/session.h"

/* One command while it runs. */
struct work {
    const struct options *opt;
    const struct corpus_command *command;
    const struct package *pkg;
    const struct origin_test *test;
    struct session *session;
    char *dir;             /* the test's corpus: seeds and crashers, or the cache */
    const char *into;      /* where inputs are written */
    const char *shown;     /* the same, as the user knows it */
    struct inputs *inputs; /* of minimize */
    struct corpus_zip zip; /* of export, if it is open */
    struct strlist named;  /* with -n: names of what would be written */
    size_t done, there, bad;
};

/* Tells of an input that cannot be used. label is NULL where why names it. */
static int say_bad(struct work *w, const char *label, const char *why)
{
    w->bad++;
    if (label == NULL)
        report_message("%s", why);
    else
        report_message("%s: %s", label, why);
    return 0;
}

/* ---- reading what others wrote ---------------------------------------------------------- */

/* Whether a file means to be a corpus file, of this version or another. A test of one []byte or
 * string may have any bytes as input: only a corpus file of its own is one. */
static bool is_meant_as_text(const struct origin_test *test, const uint8_t *data, size_t len)
{
    static const char begin[] = "go test fuzz v";

    if (test->nvalues == 1 && test->nslots == 1)
        return false;
    return len >= sizeof(begin) - 1 && memcmp(data, begin, sizeof(begin) - 1) == 0;
}

static int read_input(const struct origin_test *test, const uint8_t *data, size_t len,
                      struct cfz_values *out, struct cfz_error *err)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    size_t line = 0;

    if (!is_meant_as_text(test, data, len))
        return cfz_flat_read(out, test->kinds, test->nvalues, data, len, err);
    if (cfz_encoding_parse(data, len, &vals, &line, err) < 0) {
        if (line > 0)
            cfz_error_wrap(err, "line %zu", line);
        cfz_values_release(&vals);
        return -1;
    }
    if (cfz_values_check(&vals, test->kinds, test->nvalues, err) < 0) {
        cfz_values_release(&vals);
        return -1;
    }
    cfz_values_swap(out, &vals);
    cfz_values_release(&vals);
    return 0;
}

/* ---- import ------------------------------------------------------------------------------- */

/* What has the name of an input in the directory that inputs are written into. */
enum there { THERE_NOTHING, THERE_IT, THERE_OTHER };

/* With -n an input is there, too, if it would be written already; with a file to write into, only
 * then. */
static int look_there(struct work *w, const char *name, const void *data, size_t len,
                      enum there *there, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    struct cfz_buf path = CFZ_BUF_INIT, has = CFZ_BUF_INIT;
    int ret = cfz_buf_printf(&path, err, "%s/%s", w->into, name);

    *there = THERE_NOTHING;
    if (w->opt->dry_run && strlist_has(&w->named, name)) {
        *there = THERE_IT;
    } else if (ret == 0 && access(cfz_buf_str(&path), F_OK) == 0) {
        ret = cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), CFZ_FILE_MAX, &has, &why);
        *there = ret == 0 && has.len == len && memcmp(cfz_buf_str(&has), data, len) == 0
                     ? THERE_IT
                     : THERE_OTHER;
        ret = ret < 0 && why.code == CFZ_ENOMEM ? cfz_fail_nomem(err) : 0;
    }
    if (ret == 0 && w->opt->dry_run && *there == THERE_NOTHING)
        ret = strlist_add(&w->named, name, err);
    cfz_buf_release(&path);
    cfz_buf_release(&has);
    return ret;
}

/* Tells of an input whose name another content has. */
static int say_other(struct work *w, const char *label, const char *name)
{
    char why[PATH_MAX];

    snprintf(why, sizeof why, "%s/%s: already there, with other content", w->shown, name);
    return say_bad(w, label, why);
}

static int import_one(void *ctx, const char *label, const uint8_t *data, size_t len,
                      const char *why, struct cfz_error *err)
{
    struct work *w = ctx;
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_error reason = CFZ_ERROR_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    char name[17];
    enum there there;
    int ret = -1;

    if (why != NULL)
        return say_bad(w, NULL, why);
    if (read_input(w->test, data, len, &vals, &reason) < 0) {
        ret = reason.code == CFZ_ENOMEM ? cfz_fail_nomem(err) : say_bad(w, label, reason.text);
        goto out;
    }
    if (cfz_encoding_write(&vals, &text, err) < 0)
        goto out;
    cfz_encoding_file_name(text.data, text.len, name);
    if (look_there(w, name, text.data, text.len, &there, err) < 0)
        goto out;
    if (there == THERE_OTHER) {
        ret = say_other(w, label, name);
        goto out;
    }
    if (there == THERE_NOTHING && !w->opt->dry_run &&
        cfz_corpus_save(w->into, &vals, CFZ_IO_SYNC, name, err) < 0)
        goto out;
    if (there == THERE_IT)
        w->there++;
    else
        w->done++;
    report_line("%s/%s%s  %s", w->shown, name, there == THERE_IT ? " (there already)" : "", label);
    ret = 0;
out:
    cfz_values_release(&vals);
    cfz_buf_release(&text);
    return ret;
}

/* With -n nothing was done. */
static const char *would_be(const struct work *w)
{
    return w->opt->dry_run ? "would be " : "";
}

static int import(struct work *w, struct cfz_error *err)
{
    if (w->command->from->n == 0)
        return cfz_fail(err, CFZ_EUSAGE, "corpus import: no files to import");
    for (size_t i = 0; i < w->command->from->n; i++)
        if (corpus_source_each(w->command->from->v[i], import_one, w, err) < 0)
            return -1;
    report_line("%s: %zu %simported, %zu there already, %zu not usable", w->test->name, w->done,
                would_be(w), w->there, w->bad);
    return 0;
}

/* ---- what a test has ------------------------------------------------------------------------ */

/* Takes one input of the test; bad is why it cannot be used, or NULL. */
typedef int input_fn(struct work *w, const char *name, const struct cfz_values *vals,
                     const char *bad, struct cfz_error *err);

/* The files of the cache, or of -o's. */
static int each_file(struct work *w, const char *path, input_fn *fn, struct cfz_error *err)
{
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    int ret = 0;

    if (cfz_corpus_load(path, w->test->kinds, w->test->nvalues, &dir, err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < dir.n; i++)
        ret = fn(w, dir.files[i].name, &dir.files[i].vals,
                 dir.files[i].bad ? dir.files[i].why : NULL, err);
    cfz_corpus_dir_release(&dir);
    return ret;
}

/* What the setup part adds, then the files of testdata/corpus. */
static int each_seed(struct work *w, input_fn *fn, struct cfz_error *err)
{
    struct seeds seeds = SEEDS_INIT;
    struct host *h = NULL;
    int ret = -1;

    if (host_start(w->session->origin, w->test, 0, &h, err) < 0)
        return -1;
    if (h->state != HOST_READY || h->verdict != CFZ_VERDICT_PASS) {
        cfz_fail(err, CFZ_EFORMAT,
                 "%s: its setup part failed or skipped: cfuzz-test -run=%s says how", w->test->name,
                 w->test->name);
        goto out;
    }
    if (seeds_collect(h, &seeds, err) < 0)
        goto out;
    ret = 0;
    for (size_t i = 0; ret == 0 && i < seeds.n; i++)
        ret = fn(w, seeds.v[i].name, &seeds.v[i].vals, seeds.v[i].bad, err);
out:
    seeds_release(&seeds);
    if (host_finish(h, ret == 0 ? err : NULL) < 0)
        ret = -1;
    return ret;
}

static int each_input(struct work *w, input_fn *fn, struct cfz_error *err)
{
    return w->command->cache ? each_file(w, w->dir, fn, err) : each_seed(w, fn, err);
}

/* ---- export ------------------------------------------------------------------------------- */

/* Writes an input into the directory, unless it is there. label: the input's name. */
static int export_file(struct work *w, const char *label, const void *data, size_t len,
                       enum there *there, struct cfz_error *err)
{
    char name[17];
    int fd, ret;

    cfz_encoding_file_name(data, len, name);
    if (look_there(w, name, data, len, there, err) < 0)
        return -1;
    if (*there == THERE_OTHER)
        return say_other(w, label, name);
    if (*there == THERE_IT || w->opt->dry_run)
        return 0;
    fd = open(w->into, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return cfz_fail_errno(err, "%s", w->into);
    ret = cfz_io_write_file(fd, name, data, len, 0, err);
    close(fd);
    return ret;
}

static int export_one(struct work *w, const char *name, const struct cfz_values *vals,
                      const char *bad, struct cfz_error *err)
{
    struct cfz_buf flat = CFZ_BUF_INIT;
    const char *data;
    enum there there = THERE_NOTHING;
    bool added = true;
    int ret;

    if (bad != NULL)
        return say_bad(w, NULL, bad);
    if (cfz_flat_write(vals, &flat, err) < 0)
        return -1;
    data = cfz_buf_str(&flat);
    if (w->zip.a != NULL) {
        ret = corpus_zip_add(&w->zip, data, flat.len, &added, err);
        there = added ? THERE_NOTHING : THERE_IT;
    } else {
        ret = export_file(w, name, data, flat.len, &there, err);
    }
    w->done += ret == 0 && there == THERE_NOTHING;
    w->there += there == THERE_IT;
    cfz_buf_release(&flat);
    return ret;
}

static int export(struct work *w, struct cfz_error *err)
{
    size_t len = w->opt->out != NULL ? strlen(w->opt->out) : 0;
    bool zip = len > 4 && strcmp(w->opt->out + len - 4, ".zip") == 0;
    int ret;

    if (w->opt->out == NULL)
        return cfz_fail(err, CFZ_EUSAGE,
                        "corpus export: -o says which directory, or file of the name *.zip");
    if (!w->opt->dry_run &&
        (zip ? corpus_zip_open(&w->zip, w->into, err) : cfz_io_mkdirs(w->into, err)) < 0)
        return -1;
    ret = each_input(w, export_one, err);
    if (ret == 0 && w->zip.a != NULL)
        ret = corpus_zip_finish(&w->zip, err);
    corpus_zip_drop(&w->zip);
    if (ret == 0)
        report_line("%s: %zu %sexported to %s, %zu there already, %zu not usable", w->test->name,
                    w->done, would_be(w), w->shown, w->there, w->bad);
    return ret;
}

/* ---- list ------------------------------------------------------------------------------------ */

static int list_one(struct work *w, const char *name, const struct cfz_values *vals,
                    const char *bad, struct cfz_error *err)
{
    struct cfz_buf flat = CFZ_BUF_INIT;

    if (bad != NULL)
        return say_bad(w, NULL, bad);
    if (cfz_flat_write(vals, &flat, err) < 0)
        return -1;
    report_line("%s/%s  %zu byte%s", w->test->name, name, flat.len, flat.len == 1 ? "" : "s");
    cfz_buf_release(&flat);
    return 0;
}

static int list(struct work *w, struct cfz_error *err)
{
    return each_input(w, list_one, err);
}

/* ---- check ----------------------------------------------------------------------------------- */

/* "value 2 from 3, value 1 is new" */
static int put_plan(const int *from, size_t n, struct cfz_buf *out, struct cfz_error *err)
{
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const char *comma = i > 0 ? ", " : "";

        if (from[i] == MIGRATE_NEW)
            ret = cfz_buf_printf(out, err, "%svalue %zu is new", comma, i + 1);
        else
            ret = cfz_buf_printf(out, err, "%svalue %zu from %d", comma, i + 1, from[i] + 1);
    }
    return ret;
}

/* Says how the file at path would fit the test, and with -fix lets one that does take its place. */
static int migrate_file(struct work *w, const char *name, struct cfz_error *err)
{
    const struct origin_test *test = w->test;
    struct cfz_values old = CFZ_VALUES_INIT, vals = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT, path = CFZ_BUF_INIT, plan = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int from[CFZ_VALUES_MAX], ret = -1;
    char made[17];

    if (cfz_buf_printf(&path, err, "%s/%s", w->into, name) < 0 ||
        cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), CFZ_FILE_MAX, &text, err) < 0 ||
        cfz_encoding_parse(text.data, text.len, &old, NULL, err) < 0)
        goto out;
    if (migrate_plan(&old, test->kinds, test->nvalues, from) == 0) {
        w->bad++;
        report_line("    no value of it fits");
        ret = 0;
    } else if (migrate_values(&old, test->kinds, test->nvalues, from, &vals, &why) < 0) {
        w->bad++;
        report_line("    does not fit: %s", why.text);
        ret = why.code == CFZ_ENOMEM ? cfz_fail_nomem(err) : 0;
    } else if (put_plan(from, test->nvalues, &plan, err) == 0) {
        if (!w->command->fix) {
            w->bad++;
            report_line("    -fix migrates it: %s", cfz_buf_str(&plan));
            ret = 0;
        } else if (w->opt->dry_run) {
            w->done++;
            report_line("    would be migrated: %s", cfz_buf_str(&plan));
            ret = 0;
        } else if (cfz_corpus_save(w->into, &vals, CFZ_IO_SYNC, made, err) == 0) {
            ret = strcmp(made, name) == 0 || unlink(cfz_buf_str(&path)) == 0
                      ? 0
                      : cfz_fail_errno(err, "remove %s", cfz_buf_str(&path));
            w->done++;
            report_line("    now %s/%s: %s", w->shown, made, cfz_buf_str(&plan));
        }
    }
out:
    cfz_values_release(&old);
    cfz_values_release(&vals);
    cfz_buf_release(&text);
    cfz_buf_release(&path);
    cfz_buf_release(&plan);
    return ret;
}

static int check(struct work *w, struct cfz_error *err)
{
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    int ret = 0;

    if (cfz_corpus_load(w->into, w->test->kinds, w->test->nvalues, &dir, err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < dir.n; i++) {
        struct cfz_corpus_file *f = &dir.files[i];

        if (!f->bad)
            continue;
        seeds_shorten(f->why, w->pkg->dir);
        report_line("%s", f->why);
        if (f->other_types)
            ret = migrate_file(w, f->name, err);
        else
            w->bad++;
    }
    if (ret == 0)
        report_line("%s: %zu file%s, %zu %smigrated, %zu that cannot be used", w->test->name, dir.n,
                    dir.n == 1 ? "" : "s", w->done, would_be(w), w->bad);
    cfz_corpus_dir_release(&dir);
    return ret;
}

/* ---- minimize -------------------------------------------------------------------------------- */

/* The inputs of a test, while the smallest set of them is looked for. */
struct inputs {
    struct cfz_values *values;
    struct cover_input *covers;
    char **names;
    bool *failed;
    size_t n, room;
};

static void inputs_release(struct inputs *in)
{
    for (size_t i = 0; i < in->n; i++) {
        cfz_values_release(&in->values[i]);
        free(in->covers[i].features);
        free(in->names[i]);
    }
    free(in->values);
    free(in->covers);
    free(in->names);
    free(in->failed);
}

/* Makes *array, of items of size bytes, one of room items. */
static bool grow(void *array, size_t room, size_t size)
{
    void *p = realloc(*(void **)array, room * size);

    if (p != NULL)
        *(void **)array = p;
    return p != NULL;
}

static int collect_one(struct work *w, const char *name, const struct cfz_values *vals,
                       const char *bad, struct cfz_error *err)
{
    struct inputs *in = w->inputs;

    if (bad != NULL)
        return say_bad(w, NULL, bad);
    if (in->n == in->room) {
        size_t room = in->room > 0 ? 2 * in->room : 64;

        if (!grow(&in->values, room, sizeof(*in->values)) ||
            !grow(&in->covers, room, sizeof(*in->covers)) ||
            !grow(&in->names, room, sizeof(*in->names)) ||
            !grow(&in->failed, room, sizeof(*in->failed)))
            return cfz_fail_nomem(err);
        in->room = room;
    }
    in->values[in->n] = (struct cfz_values)CFZ_VALUES_INIT;
    in->covers[in->n] = (struct cover_input){0};
    in->failed[in->n] = false;
    in->names[in->n] = strdup(name);
    if (in->names[in->n++] == NULL)
        return cfz_fail_nomem(err);
    return cfz_values_copy(&in->values[in->n - 1], vals, err);
}

enum { SLOW_NS = 10000000 }; /* what is faster is told from others by its size alone; guessed */

/* What an input costs: the bytes of its values, times its time where that is more than a delay. */
static uint64_t weigh(const struct cfz_values *vals, uint64_t ns)
{
    uint64_t size = 1;

    for (size_t i = 0; i < vals->n; i++)
        size += cfz_kind_is_slot(vals->v[i].kind) ? vals->v[i].len : 8;
    return size * (1 + ns / SLOW_NS);
}

/* Executes input i. One that seems slow is executed twice more: others may have used the CPU. */
static int run_one(struct corpus_run *run, struct inputs *in, size_t i, struct cfz_error *err)
{
    uint64_t ns = 0, again;
    int ret = corpus_run_input(run, &in->values[i], &in->covers[i], &ns, &in->failed[i], err);

    for (int k = 0; ret == 0 && k < 2 && ns >= SLOW_NS && !in->failed[i]; k++) {
        struct cover_input unused = {0};

        ret = corpus_run_input(run, &in->values[i], &unused, &again, &in->failed[i], err);
        ns = again < ns ? again : ns;
        free(unused.features);
    }
    in->covers[i].weight = weigh(&in->values[i], ns);
    return ret;
}

static int run_inputs(struct work *w, struct inputs *in, struct cfz_error *err)
{
    struct corpus_run run;
    int ret = corpus_run_open(&run, w->session, w->test, err);

    for (size_t i = 0; ret == 0 && i < in->n; i++) {
        ret = run_one(&run, in, i, err);
        if (in->failed[i]) { /* it is not an input to start from, and what it reached is not known
                              */
            in->covers[i].n = 0;
            report_line("%s/%s: fails: left where it is", w->test->name, in->names[i]);
        }
    }
    corpus_run_close(&run);
    return ret;
}

/* Writes the inputs that are kept into -o, or removes the others from the cache. */
static int take_choice(struct work *w, const struct inputs *in, struct cfz_error *err)
{
    char name[17];
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < in->n; i++) {
        char *path = NULL;

        if (in->failed[i])
            continue;
        w->done += in->covers[i].keep;
        w->there += !in->covers[i].keep;
        if (w->opt->dry_run)
            continue;
        if (w->opt->out != NULL) {
            if (in->covers[i].keep)
                ret = cfz_corpus_save(w->into, &in->values[i], 0, name, err);
        } else if (!in->covers[i].keep) {
            if (asprintf(&path, "%s/%s", w->dir, in->names[i]) < 0)
                return cfz_fail_nomem(err);
            if (unlink(path) < 0)
                ret = cfz_fail_errno(err, "remove %s", path);
            free(path);
        }
    }
    return ret;
}

static int minimize(struct work *w, struct cfz_error *err)
{
    struct inputs in = {0};
    size_t features = 0;
    int ret;

    if (w->opt->out == NULL && !w->command->cache)
        return cfz_fail(
            err, CFZ_EUSAGE,
            "corpus minimize: seeds are yours: -o says which directory gets the smallest "
            "set, or -cache that inputs of the cache are meant");
    w->inputs = &in;
    ret = each_input(w, collect_one, err);
    if (ret == 0 && in.n > 0)
        ret = run_inputs(w, &in, err);
    if (ret == 0 && in.n > 0)
        ret = cover_choose(in.covers, in.n, &features, err);
    if (ret == 0 && in.n > 0 && features == 0)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: no input reaches anything: is there coverage?",
                       w->test->name);
    if (ret == 0)
        ret = take_choice(w, &in, err);
    if (ret == 0)
        report_line("%s: %zu of %zu inputs %skept, which show the same %zu features", w->test->name,
                    w->done, w->done + w->there, would_be(w), features);
    inputs_release(&in);
    return ret;
}

/* ---- show ------------------------------------------------------------------------------------ */

static int show_one(void *ctx, const char *label, const uint8_t *data, size_t len, const char *why,
                    struct cfz_error *err)
{
    struct work *w = ctx;
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_error reason = CFZ_ERROR_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (why != NULL)
        return say_bad(w, NULL, why);
    if (read_input(w->test, data, len, &vals, &reason) < 0)
        return reason.code == CFZ_ENOMEM ? cfz_fail_nomem(err) : say_bad(w, label, reason.text);
    if (cfz_buf_printf(&text, err, "%s:\n", label) == 0) {
        for (size_t i = 0; i < vals.n; i++) {
            if (cfz_buf_puts(&text, "    ", err) < 0 ||
                cfz_encoding_write_value(&vals.v[i], &text, err) < 0 ||
                cfz_buf_puts(&text, "\n", err) < 0)
                goto out;
        }
        report_text(&text);
        ret = 0;
    }
out:
    cfz_values_release(&vals);
    cfz_buf_release(&text);
    return ret;
}

static int show(struct work *w, struct cfz_error *err)
{
    if (w->command->from->n == 0)
        return cfz_fail(err, CFZ_EUSAGE, "corpus show: no files to show");
    for (size_t i = 0; i < w->command->from->n; i++)
        if (corpus_source_each(w->command->from->v[i], show_one, w, err) < 0)
            return -1;
    return 0;
}

/* ---- the commands ------------------------------------------------------------------------------
 */

/* What a command takes besides -dir and the test. */
enum { CACHE = 1, OUT = 2, DRY_RUN = 4, FIX = 8, FILES = 16 };

static const struct verb {
    const char *name;
    int (*run)(struct work *w, struct cfz_error *err);
    unsigned takes;
} verbs[] = {
    {"import", import, CACHE | OUT | DRY_RUN | FILES},
    {"export", export, CACHE | OUT | DRY_RUN},
    {"list", list, CACHE},
    {"show", show, FILES},
    {"check", check, CACHE | DRY_RUN | FIX},
    {"minimize", minimize, CACHE | OUT | DRY_RUN},
};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

bool corpus_verb_known(const char *verb)
{
    return find_verb(verb) != NULL;
}

int corpus_command_check(const struct options *opt, const struct corpus_command *command,
                         struct cfz_error *err)
{
    const struct verb *verb = find_verb(command->verb);
    const struct {
        bool given;
        unsigned what;
        const char *name;
    } flags[] = {{command->cache, CACHE, "-cache"},
                 {opt->out != NULL, OUT, "-o"},
                 {opt->dry_run, DRY_RUN, "-n"},
                 {command->fix, FIX, "-fix"}};

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (flags[i].given && !(verb->takes & flags[i].what))
            return cfz_fail(err, CFZ_EUSAGE, "corpus %s: it has no flag %s", verb->name,
                            flags[i].name);
    if (command->from->n > 0 && !(verb->takes & FILES))
        return cfz_fail(err, CFZ_EUSAGE, "corpus %s: %s: one fuzz test is all it takes", verb->name,
                        command->from->v[0]);
    return 0;
}

static int find_test(struct work *w, struct cfz_error *err)
{
    const struct origin *o = w->session->origin;
    struct suggestion s = {.word = w->command->test, .len = strlen(w->command->test)};

    for (size_t i = 0; i < o->ntests; i++) {
        if (strcmp(o->tests[i].name, w->command->test) == 0) {
            w->test = &o->tests[i];
            return 0;
        }
        suggest_offer(&s, o->tests[i].name);
    }
    if (s.best == NULL)
        return cfz_fail(err, CFZ_EUSAGE, "%s: %s has no such fuzz test", w->command->test,
                        w->pkg->name);
    return cfz_fail(err, CFZ_EUSAGE, "%s: %s has no such fuzz test; did you mean %s?",
                    w->command->test, w->pkg->name, s.best);
}

/* Where the test's inputs are, and where new ones go. */
static int find_places(struct work *w, char **shown, struct cfz_error *err)
{
    if (w->command->cache) {
        if (cache_fuzz_dir(w->pkg->path, w->test->name, &w->dir, err) < 0 ||
            cache_check(w->dir, err) < 0)
            return -1;
    } else {
        w->dir = seeds_dir(w->pkg->dir, w->test->name);
        if (w->dir == NULL)
            return cfz_fail_nomem(err);
    }
    w->into = w->opt->out != NULL ? w->opt->out : w->dir;
    *shown = strdup(w->into);
    if (*shown == NULL)
        return cfz_fail_nomem(err);
    seeds_shorten(*shown, w->pkg->dir);
    w->shown = *shown;
    return 0;
}

int corpus_command_run(const struct options *opt, const struct corpus_command *command,
                       const struct test_binary *bin, enum exit_status *status,
                       struct cfz_error *err)
{
    struct work w = {.opt = opt, .command = command, .pkg = bin->pkg};
    struct session session;
    char *shown = NULL;
    int ret = -1;

    if (session_open(&session, opt, bin, err) < 0)
        return -1;
    w.session = &session;
    if (find_test(&w, err) == 0 && find_places(&w, &shown, err) == 0)
        ret = find_verb(command->verb)->run(&w, err);
    if (ret == 0 && w.bad > 0)
        *status = EXIT_FAILED;
    session_close(&session);
    strlist_release(&w.named);
    free(w.dir);
    free(shown);
    return ret;
}
