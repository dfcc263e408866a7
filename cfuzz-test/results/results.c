/*
 * results.c - see results.h.
 *
 *     -json, -tap, annotations   written as it happens, by each function
 *     -junit, -sarif             made of the list, by results_close
 *
 *   1. A form for stdout takes all lines that are printed there (report_divert).
 *   2. What began is over before its package is: results_package_end sees to it.
 *   3. The first error is kept, and nothing is written behind it to a file.
 */
#define _GNU_SOURCE
#include "results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strlist.h"
#include "cli/report.h"
#include "core/io.h"
#include "results/annotations.h"
#include "results/json_events.h"
#include "results/junit.h"
#include "results/result_file.h"
#include "results/result_list.h"
#include "results/sarif.h"
#include "results/tap.h"

static struct {
    const struct options *opt;
    bool wanted, json, tap, listed, annotate;
    char word[ANNOTATIONS_WORD_MAX]; /* that stops commands in lines */
    struct result_list list;
    char *package, *dir; /* the running one, or NULL; the name has the build in it */
    char *bare;          /* its name without */
    char *build;         /* of -sanitizers, the one that runs, or NULL */
    struct sanitizer_table table;
    char *at;            /* the test whose lines are printed, or NULL */
    char *failed;        /* the input whose failure was annotated last, or NULL */
    struct strlist open; /* tests that began and are not over */
    uint64_t points;     /* of TAP, so far */
    struct cfz_error err;
} all;

/* ---- what all functions use ------------------------------------------------------------- */

/* Keeps the first error. Returns ret. */
static int note(int ret, const struct cfz_error *err)
{
    if (ret < 0)
        cfz_error_keep(&all.err, err);
    return ret;
}

static void replace(char **text, const char *with)
{
    char *copy = with != NULL ? strdup(with) : NULL;

    if (with != NULL && copy == NULL) {
        struct cfz_error err = CFZ_ERROR_INIT;

        note(cfz_fail_nomem(&err), &err);
    }
    free(*text);
    *text = copy;
}

/* Writes what a form made, if it could. */
static void print(int ret, struct cfz_buf *text, const struct cfz_error *err)
{
    if (note(ret, err) == 0)
        report_bytes(cfz_buf_str(text), text->len);
    cfz_buf_release(text);
}

static struct json_place place(const char *test)
{
    struct json_place p = {.package = all.package, .test = test};

    clock_gettime(CLOCK_REALTIME, &p.now);
    return p;
}

static void event(const char *action, const char *test, double seconds)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct json_place p = place(test);

    print(json_event(&text, &p, action, seconds, NULL, 0, &err), &text, &err);
}

/* Takes lines that would go to stdout. */
static int take_lines(void *ctx, const char *lines, size_t len, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct json_place p = place(all.at);
    int ret =
        all.json ? json_event_lines(&text, &p, lines, len, err) : tap_lines(&text, lines, len, err);

    (void)ctx;
    if (ret == 0)
        report_bytes(cfz_buf_str(&text), text.len);
    cfz_buf_release(&text);
    return ret;
}

/* Prints an annotation, which commands are stopped around. A form that has stdout cannot have it
 * there. */
static void annotate(const struct result *r)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    bool apart = all.json || all.tap;
    struct cfz_buf name = CFZ_BUF_INIT;
    struct result named = *r;

    if (all.build != NULL && r->kind != RESULT_BROKEN) {
        if (note(cfz_buf_printf(&name, &err, "%s [%s]", r->test, all.build), &err) < 0)
            goto out;
        named.test = cfz_buf_str(&name);
    }
    if ((!apart && note(annotations_resume(&text, all.word, &err), &err) < 0) ||
        note(annotation(&text, all.dir, &named, &err), &err) < 0 ||
        (!apart && note(annotations_stop(&text, all.word, &err), &err) < 0))
        goto out;
    if (apart)
        note(cfz_io_write_all(STDERR_FILENO, text.data, text.len, &err), &err);
    else
        report_bytes(cfz_buf_str(&text), text.len);
out:
    cfz_buf_release(&name);
    cfz_buf_release(&text);
}

/* ---- the run --------------------------------------------------------------------------- */

int results_open(const struct options *opt, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;

    if ((opt->junit != NULL && result_file_check(opt->junit, err) < 0) ||
        (opt->sarif != NULL && result_file_check(opt->sarif, err) < 0))
        return -1;
    all.opt = opt;
    all.json = opt->json;
    all.tap = opt->tap;
    all.listed = opt->junit != NULL || opt->sarif != NULL || opt->keep_results;
    all.annotate = annotations_on() && opt->list == NULL;
    all.wanted = all.json || all.tap || all.listed || all.annotate || opt->sets.n > 0;
    if (all.json || all.tap)
        report_divert(take_lines, NULL);
    if (all.tap)
        print(tap_begin(&text, &why), &text, &why);
    if (all.annotate && !all.json && !all.tap) {
        annotations_word(all.word);
        print(annotations_stop(&text, all.word, &why), &text, &why);
    }
    return 0;
}

bool results_wanted(void)
{
    return all.wanted;
}

void results_build(const char *name, const char *left_out)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    replace(&all.build, name);
    note(sanitizer_table_column(&all.table, name, left_out, &err), &err);
}

void results_table(void)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (all.table.ncolumns == 0)
        return;
    if (note(sanitizer_table_write(&all.table, all.opt->package_list, &text, &err), &err) == 0)
        report_text(&text);
    cfz_buf_release(&text);
}

void results_package_begin(const char *name, const char *dir)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (!all.wanted)
        return;
    replace(&all.package, name);
    if (all.build != NULL) {
        struct cfz_buf label = CFZ_BUF_INIT;

        if (note(cfz_buf_printf(&label, &err, "%s [%s]", name, all.build), &err) == 0)
            replace(&all.package, cfz_buf_str(&label));
        cfz_buf_release(&label);
    }
    replace(&all.bare, name);
    replace(&all.dir, dir);
    replace(&all.at, NULL);
    if (all.listed)
        note(result_list_begin(&all.list, all.package, dir, all.build, &err), &err);
    if (all.json)
        event("start", NULL, -1);
}

void results_package_again(const char *name, const char *dir)
{
    if (!all.wanted || (all.package != NULL && strcmp(all.package, name) == 0))
        return;
    replace(&all.package, name);
    replace(&all.dir, dir);
    replace(&all.at, NULL);
    result_list_again(&all.list, name, dir);
}

/* The test of an element of the list of those that are open, if it is of the running package; else
 * NULL. */
static const char *open_here(const char *element)
{
    size_t len = strlen(all.package);

    return strncmp(element, all.package, len) == 0 && element[len] == '\n' ? element + len + 1
                                                                           : NULL;
}

/* Takes test out of those that are open. */
static void close_test(const char *test)
{
    for (size_t i = 0; i < all.open.n; i++) {
        const char *name = open_here(all.open.v[i]);

        if (name != NULL && strcmp(name, test) == 0) {
            free(all.open.v[i]);
            memmove(&all.open.v[i], &all.open.v[i + 1],
                    (all.open.n - i) * sizeof all.open.v[0]); /* with the NULL at the end */
            all.open.n--;
            return;
        }
    }
}

void results_run(const char *test)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (!all.wanted)
        return;
    note(strlist_addf(&all.open, &err, "%s\n%s", all.package, test), &err);
    replace(&all.at, test);
    if (all.json)
        event("run", test, -1);
}

void results_at(const char *test)
{
    if (all.wanted)
        replace(&all.at, test);
}

/* The package in front of the name of a test where there may be several. */
static const char *package_shown(void)
{
    return all.opt->package_list || all.build != NULL ? all.package : NULL;
}

/* Whether an input of that test was told of last. */
static bool told_by_input(const char *test)
{
    size_t len = strlen(test);

    return all.failed != NULL && strncmp(all.failed, test, len) == 0 && all.failed[len] == '/';
}

/* Tells the forms but JSON of r. */
static void tell(const struct result *r)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (all.build != NULL)
        note(sanitizer_table_add(&all.table, all.bare, r, &err), &err);
    if (all.listed)
        note(result_list_add(&all.list, r, &err), &err);
    if (all.tap)
        print(tap_result(&text, ++all.points, package_shown(), r, &err), &text, &err);
    /* A test whose inputs failed is told by those. */
    if (all.annotate && r->kind == RESULT_FAILED && (r->crash != NULL || !told_by_input(r->test)))
        annotate(r);
    if (all.annotate && r->kind == RESULT_FAILED && r->crash != NULL)
        replace(&all.failed, r->test);
}

void results_end(const struct result *r)
{
    static const char *const actions[] = {
        [RESULT_PASSED] = "pass", [RESULT_SKIPPED] = "skip", [RESULT_FAILED] = "fail"};

    if (!all.wanted)
        return;
    close_test(r->test);
    if (all.json) /* in hundredths, as the line says it, which Go takes it from */
        event(actions[r->kind], r->test, round((double)r->ns / 1e7) / 100);
    tell(r);
    if (all.at != NULL && strcmp(all.at, r->test) == 0)
        replace(&all.at, NULL);
}

void results_failure(const struct result *r)
{
    if (all.wanted)
        tell(r);
}

void results_package_end(enum result_kind kind, double seconds, const char *why)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct result broken = {.test = why != NULL ? why : "", .kind = RESULT_BROKEN, .text = why};

    if (!all.wanted || all.package == NULL)
        return;
    for (size_t i = all.open.n; i-- > 0;) { /* those of others stay */
        const char *name = open_here(all.open.v[i]);
        char *test = name != NULL ? strdup(name) : NULL;
        struct result r = {.test = test, .kind = RESULT_FAILED, .text = why};

        if (test == NULL)
            continue;
        if (r.text == NULL)
            r.text = "it did not end\n";
        results_end(&r);
        free(test);
    }
    replace(&all.at, NULL);
    if (all.build != NULL && kind == RESULT_BROKEN)
        note(sanitizer_table_add(&all.table, all.bare, &broken, &err), &err);
    if (all.listed)
        note(result_list_end(&all.list, kind, seconds, why, &err), &err);
    if (all.tap && kind == RESULT_BROKEN) {
        struct cfz_buf text = CFZ_BUF_INIT;

        print(tap_result(&text, ++all.points, all.package, &broken, &err), &text, &err);
    }
    if (all.annotate && kind == RESULT_BROKEN) {
        broken.test = all.package;
        annotate(&broken);
    }
    if (all.json)
        event(kind == RESULT_PASSED    ? "pass"
              : kind == RESULT_SKIPPED ? "skip"
                                       : "fail",
              NULL, round(seconds * 1000) / 1000);
    replace(&all.package, NULL);
    replace(&all.bare, NULL);
}

/* ---- fuzzing ------------------------------------------------------------------------------ */

static void fuzz_event(const char *test, json_t *details)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct json_place p = place(test);

    print(json_event_fuzz(&text, &p, details, &err), &text, &err);
}

void results_fuzz_progress(const char *test, const struct fuzz_status *s)
{
    if (all.json)
        fuzz_event(test, json_fuzz_progress(s));
}

void results_fuzz_find(const char *test, const char *file, uint64_t size, uint64_t bits,
                       uint64_t total)
{
    if (all.json)
        fuzz_event(test, json_fuzz_find(file, size, bits, total));
}

void results_fuzz_crash(const char *test, const struct result_crash *crash, bool settled)
{
    if (all.json)
        fuzz_event(test, json_fuzz_crash(crash, settled));
}

const struct result_list *results_list(void)
{
    return &all.list;
}

const struct sanitizer_table *results_builds(void)
{
    return all.table.ncolumns > 0 ? &all.table : NULL;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Writes what was made for path, if it could be made. */
static void save(const char *path, int ret, struct cfz_buf *text, struct cfz_error *err)
{
    if (ret == 0)
        ret = result_file_write(path, text, err);
    note(ret, err);
    cfz_buf_release(text);
}

int results_close(enum exit_status status, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret = 0;

    if (all.opt == NULL)
        return 0;
    report_divert(NULL, NULL);
    if (all.tap)
        print(tap_end(&text, all.points, &why), &text, &why);
    if (all.annotate && !all.json && !all.tap)
        print(annotations_resume(&text, all.word, &why), &text, &why);
    if (all.opt->junit != NULL && all.err.code == CFZ_OK)
        save(all.opt->junit, junit_write(&text, &all.list, &why), &text, &why);
    if (all.opt->sarif != NULL && all.err.code == CFZ_OK)
        save(all.opt->sarif,
             sarif_write(&text, &all.list, all.opt->baseline != NULL, status <= EXIT_FAILED, &why),
             &text, &why);
    if (all.err.code != CFZ_OK) {
        *err = all.err;
        ret = -1;
    }
    free(all.package);
    free(all.bare);
    free(all.build);
    sanitizer_table_release(&all.table);
    free(all.dir);
    free(all.at);
    free(all.failed);
    strlist_release(&all.open);
    result_list_release(&all.list);
    memset(&all, 0, sizeof all);
    return ret;
}
