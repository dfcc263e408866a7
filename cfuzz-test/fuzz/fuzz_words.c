/*
 * fuzz_words.c - see fuzz_words.h.
 */
#define _GNU_SOURCE
#include "fuzz/fuzz_words.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report.h"
#include "core/io.h"
#include "process/seeds.h"
#include "results/result_file.h"

enum {
    FILE_MAX = 4 * CFZ_DICT_SIZE_MAX, /* bytes: each byte of a word may be \xNN */
    SHOWN = 8,                        /* words in the line at the end */
    SHOWN_LEN = 40,                   /* bytes of each */
};

void words_release(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->v[i].text);
    free(w->v);
    *w = (struct words){NULL, 0};
}

/* ---- before a run --------------------------------------------------------------- */

static int read_file(const char *path, struct cfz_dict *d, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t had = d->n;
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, path, FILE_MAX, &text, err) < 0)
        goto out;
    if (cfz_dict_parse(cfz_buf_str(&text), text.len, d, err) < 0) {
        cfz_error_wrap(err, "%s", path);
        goto out;
    }
    if (d->n == had)
        report_line("warning: %s: no words in it", path);
    ret = 0;
out:
    cfz_buf_release(&text);
    return ret;
}

int words_prepare(struct options *opt, struct cfz_error *err)
{
    for (size_t i = 0; i < opt->dict.n; i++)
        if (read_file(opt->dict.v[i], &opt->words, err) < 0)
            return -1;
    return opt->dictout != NULL ? result_file_may(opt->dictout, err) : 0;
}

/* Adds the words of path, which the caller gives away, if there is such a file. */
static int read_own(char *path, const char *package_dir, struct cfz_dict *d, struct cfz_error *err)
{
    struct stat st;
    int ret = 0;

    if (path == NULL)
        return cfz_fail_nomem(err);
    if (lstat(path, &st) == 0) {
        ret = read_file(path, d, err);
        if (ret < 0 && err != NULL)
            seeds_shorten(err->text, package_dir);
    }
    free(path);
    return ret;
}

static char *join(const char *dir, const char *slash, const char *name)
{
    char *path;

    return dir == NULL || asprintf(&path, "%s%s%s.dict", dir, slash, name) < 0 ? NULL : path;
}

int words_share(const struct options *opt, const char *package_dir, const char *test,
                const char *harness_dict, struct cfz_run_shm *run, int run_fd,
                struct cfz_error *err)
{
    struct cfz_dict d = CFZ_DICT_INIT;
    char *dir = seeds_dir(package_dir, test);
    int ret = -1;

    if (cfz_buf_append(&d.packed, opt->words.packed.data, opt->words.packed.len, err) < 0)
        goto out;
    d.n = opt->words.n;
    if (read_own(join(dir, "", ""), package_dir, &d, err) < 0 ||
        read_own(join(dir, "/", test), package_dir, &d, err) < 0)
        goto out;
    if (harness_dict != NULL && read_own(strdup(harness_dict), package_dir, &d, err) < 0)
        goto out;
    ret = cfz_run_shm_set_words(run, run_fd, &d, err);
out:
    free(dir);
    cfz_dict_release(&d);
    return ret;
}

/* ---- those that helped ------------------------------------------------------------ */

/* Counts that a word helped to so many inputs. */
static int note(struct words *w, const uint8_t *text, uint64_t len, uint64_t inputs,
                struct cfz_error *err)
{
    struct helpful *v;
    uint8_t *copy;

    if (len == 0 || len > CFZ_WORD_MAX)
        return 0; /* the target wrote over it */
    for (size_t i = 0; i < w->n; i++)
        if (w->v[i].len == len && memcmp(w->v[i].text, text, len) == 0) {
            w->v[i].inputs += inputs;
            return 0;
        }
    if (w->n == CFZ_DICT_WORDS_MAX)
        return 0;
    if ((w->n & (w->n - 1)) == 0) {
        v = realloc(w->v, (w->n == 0 ? 1 : 2 * w->n) * sizeof *v);
        if (v == NULL)
            return cfz_fail_nomem(err);
        w->v = v;
    }
    copy = malloc(len);
    if (copy == NULL)
        return cfz_fail_nomem(err);
    memcpy(copy, text, len);
    w->v[w->n++] = (struct helpful){copy, len, inputs};
    return 0;
}

int words_note(struct words *w, const uint8_t *text, uint64_t len, struct cfz_error *err)
{
    return note(w, text, len, 1, err);
}

int words_add(struct words *w, const struct words *from, struct cfz_error *err)
{
    for (size_t i = 0; i < from->n; i++)
        if (note(w, from->v[i].text, from->v[i].len, from->v[i].inputs, err) < 0)
            return -1;
    return 0;
}

/* Most inputs first; equal ones by their bytes. */
static int compare(const void *a, const void *b)
{
    const struct helpful *x = a, *y = b;
    int c;

    if (x->inputs != y->inputs)
        return x->inputs > y->inputs ? -1 : 1;
    c = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
    return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

static void sort(struct words *w)
{
    if (w->n > 1)
        qsort(w->v, w->n, sizeof *w->v, compare);
}

int words_report(struct cfz_buf *out, struct words *w, struct cfz_error *err)
{
    if (w->n == 0)
        return 0;
    sort(w);
    if (cfz_buf_puts(out, "fuzz: words that helped (inputs): ", err) < 0)
        return -1;
    for (size_t i = 0; i < w->n && i < SHOWN; i++) {
        const struct helpful *h = &w->v[i];

        if ((i > 0 && cfz_buf_puts(out, ", ", err) < 0) ||
            cfz_dict_write(out, h->text, h->len < SHOWN_LEN ? h->len : SHOWN_LEN, err) < 0 ||
            cfz_buf_printf(out, err, "%s (%llu)", h->len > SHOWN_LEN ? "..." : "",
                           (unsigned long long)h->inputs) < 0)
            return -1;
    }
    if (w->n > SHOWN && cfz_buf_printf(out, err, ", %zu more", w->n - SHOWN) < 0)
        return -1;
    return cfz_buf_puts(out, "\n", err);
}

int words_save(struct cfz_buf *out, struct words *w, struct cfz_error *err)
{
    sort(w);
    if (cfz_buf_puts(out, "# words that helped cfuzz-test, those that helped most first\n", err) <
        0)
        return -1;
    for (size_t i = 0; i < w->n; i++)
        if (cfz_dict_write(out, w->v[i].text, w->v[i].len, err) < 0 ||
            cfz_buf_puts(out, "\n", err) < 0)
            return -1;
    return 0;
}

static int write_out(struct words *w, const char *path, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = words_save(&text, w, err) < 0 ? -1 : result_file_write(path, &text, err);

    cfz_buf_release(&text);
    return ret;
}

/* Whether there are words in the file: the user's own, perhaps, given to -dict as well. */
static bool has_words(const char *path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_dict d = CFZ_DICT_INIT;
    bool has = cfz_io_read_file(AT_FDCWD, path, FILE_MAX, &text, NULL) == 0 &&
               cfz_dict_parse(cfz_buf_str(&text), text.len, &d, NULL) == 0 && d.n > 0;

    cfz_dict_release(&d);
    cfz_buf_release(&text);
    return has;
}

int words_tell(struct words *w, const struct options *opt, struct cfz_error *err)
{
    struct cfz_buf line = CFZ_BUF_INIT;

    words_report(&line, w, NULL);
    report_text(&line);
    cfz_buf_release(&line);
    if (opt->dictout != NULL && w->n == 0 && has_words(opt->dictout)) {
        report_line("fuzz: no word helped; %s is left as it is", opt->dictout);
        return 0;
    }
    return opt->dictout != NULL ? write_out(w, opt->dictout, err) : 0;
}
