/*
 * live.c - see live.h.
 *
 * Pages are made in the driver's thread, when a test says how it goes, and only while somebody
 * looks: the pages ask again every two seconds. The inputs of a test are listed while somebody
 * looks at its page.
 *
 * Lines that ran and what sanitizers say need other builds, and every input run in them. A person
 * asks for it, with a button, and another process does it (order.h), one thing at a time:
 *
 *     posted --> wanted --> running --> known, or failed
 */
#define _GNU_SOURCE
#include "http/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/report.h"
#include "http/order.h"
#include "http/server.h"
#include "report/assets.h"
#include "report/site.h"

enum {
    LOOKED_US = 10 * 1000 * 1000, /* so long after a request somebody is taken to look */
    SLOWER = 10, /* times as long as the user's limit an input may take at a low priority */
};

enum order_kind { ORDER_MEASURE, ORDER_CHECK, ORDER_KINDS };

/* What the pages of a package need beside the report. */
struct live_package {
    char *target, *path;        /* what it is called for a driver, and in the cache */
    char *actions[ORDER_KINDS]; /* NULL: there is none for an executable */
    char *failures[ORDER_KINDS];
    bool wanted[ORDER_KINDS];
};

/* ... and of a test. */
struct live_test {
    const char *dir, *name;
    struct result_list inputs; /* one package, with what was listed of the corpus */
    uint64_t looked;           /* when its page was asked for last */
};

struct live {
    const struct options *opt;
    struct server *server;
    struct fuzz_watch watch;
    struct report report; /* its strings are owned by names */
    struct strlist names;
    struct live_package *packages; /* as many as report has */
    struct live_test *tests;
    size_t ntests;
    uint64_t looked; /* when anything was asked for last */

    struct order *order; /* what is being done, or NULL */
    struct order_result *result;
    size_t order_package;
    enum order_kind order_kind;
};

/* A copy of text that lives as long as l. NULL without memory. */
static const char *keep(struct live *l, const char *text)
{
    return strlist_add(&l->names, text, NULL) == 0 ? l->names.v[l->names.n - 1] : NULL;
}

static struct report_order *order_of(struct live *l, size_t package, enum order_kind kind)
{
    return kind == ORDER_MEASURE ? &l->report.v[package].measure : &l->report.v[package].check;
}

/* Offers what can be done about a package of sources, which is number i. */
static int offer_orders(struct live *l, size_t i)
{
    static const char *const names[] = {[ORDER_MEASURE] = "coverage", [ORDER_CHECK] = "sanitizers"};
    struct live_package *p = &l->packages[i];

    for (int k = 0; k < ORDER_KINDS; k++) {
        if (asprintf(&p->actions[k], "%s-%zu", names[k], i) < 0) {
            p->actions[k] = NULL;
            return -1;
        }
        if (server_offer(l->server, p->actions[k], NULL) < 0)
            return -1;
        order_of(l, i, (enum order_kind)k)->action = p->actions[k];
    }
    return 0;
}

static struct report_package *package_of(struct live *l, const struct package *pkg)
{
    size_t n = l->report.n;
    struct report_package *v;
    struct live_package *beside;

    for (size_t i = 0; i < n; i++)
        if (strcmp(l->report.v[i].dir, pkg->dir) == 0)
            return &l->report.v[i];
    v = realloc(l->report.v, (n + 1) * sizeof *v);
    if (v != NULL)
        l->report.v = v;
    beside = realloc(l->packages, (n + 1) * sizeof *beside);
    if (beside != NULL)
        l->packages = beside;
    if (v == NULL || beside == NULL)
        return NULL;
    v[n] = (struct report_package){
        .name = keep(l, pkg->name), .dir = keep(l, pkg->dir), .coverage = LCOV_INIT};
    beside[n] = (struct live_package){.target = strdup(pkg->dir), .path = strdup(pkg->path)};
    if (v[n].name == NULL || v[n].dir == NULL || beside[n].target == NULL ||
        beside[n].path == NULL) {
        free(beside[n].target);
        free(beside[n].path);
        return NULL;
    }
    l->report.n++;
    report_load_builds(&v[n], pkg->path, NULL); /* of an earlier run */
    if (pkg->executable == NULL)
        offer_orders(l, n);
    return &v[n];
}

/* What is kept beside the report of a test, which is added if need be. NULL without memory. */
static struct live_test *beside_of(struct live *l, const struct report_package *p,
                                   const struct report_test *t)
{
    struct live_test *v;

    for (size_t i = 0; i < l->ntests; i++)
        if (strcmp(l->tests[i].dir, p->dir) == 0 && strcmp(l->tests[i].name, t->name) == 0)
            return &l->tests[i];
    v = realloc(l->tests, (l->ntests + 1) * sizeof *v);
    if (v == NULL)
        return NULL;
    l->tests = v;
    v[l->ntests] = (struct live_test){p->dir, t->name, RESULT_LIST_INIT, 0};
    return &v[l->ntests++];
}

static struct report_test *test_of(struct live *l, const struct package *pkg, const char *test)
{
    struct report_package *p = package_of(l, pkg);
    struct report_test *v;

    if (p == NULL)
        return NULL;
    for (size_t i = 0; i < p->ntests; i++)
        if (strcmp(p->tests[i].name, test) == 0)
            return &p->tests[i];
    v = realloc(p->tests, (p->ntests + 1) * sizeof *v);
    if (v == NULL)
        return NULL;
    p->tests = v;
    v[p->ntests] = (struct report_test){.name = keep(l, test), .history = HISTORY_INIT};
    return v[p->ntests].name != NULL ? &v[p->ntests++] : NULL;
}

/* ---- pages ------------------------------------------------------------------------------- */

/* What cannot be made, for want of memory, stays as it was. */
static void make_index(struct live *l)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    if (page_index(&text, &l->report, NULL) == 0)
        server_put(l->server, "index.html", &text, NULL);
    cfz_buf_release(&text);
}

static void name_page(const struct live *l, const struct report_test *t, char name[64])
{
    snprintf(name, 64, "test-%zu.html", report_test_number(&l->report, t));
}

static void make_test(struct live *l, const struct report_package *p, const struct report_test *t)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char name[64];

    name_page(l, t, name);
    if (page_test(&text, &l->report, p, t, NULL) == 0)
        server_put(l->server, name, &text, NULL);
    cfz_buf_release(&text);
}

static void make_sources(struct live *l, const struct report_package *p)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char name[64];

    for (size_t i = 0; i < p->coverage.n; i++) {
        snprintf(name, sizeof name, "source-%zu-%zu.html", report_package_number(&l->report, p), i);
        if (page_source(&text, p, &p->coverage.v[i], NULL) == 0)
            server_put(l->server, name, &text, NULL);
        cfz_buf_release(&text);
    }
}

static void make_all(struct live *l)
{
    make_index(l);
    for (size_t i = 0; i < l->report.n; i++)
        for (size_t k = 0; k < l->report.v[i].ntests; k++)
            make_test(l, &l->report.v[i], &l->report.v[i].tests[k]);
}

/* ---- inputs ------------------------------------------------------------------------------ */

static int list_entry(struct live_test *b, const struct fuzz_corpus *corpus, size_t i)
{
    struct cfz_buf name = CFZ_BUF_INIT, values = CFZ_BUF_INIT;
    struct result_input in;
    int ret = fuzz_corpus_describe(corpus, i, &name, &in, &values, NULL);

    if (ret == 0)
        ret = result_list_add(
            &b->inputs,
            &(struct result){.test = cfz_buf_str(&name),
                             .kind = corpus->entries[i].failed ? RESULT_FAILED : RESULT_PASSED,
                             .ns = corpus->entries[i].ns,
                             .input = &in},
            NULL);
    cfz_buf_release(&name);
    cfz_buf_release(&values);
    return ret;
}

/* Lists what came to the corpus since the last time. */
static void list_inputs(struct live_test *b, struct report_test *t,
                        const struct fuzz_corpus *corpus)
{
    if (b->inputs.n == 0 && result_list_begin(&b->inputs, t->name, b->dir, NULL, NULL) < 0)
        return;
    while (b->inputs.v[0].n < corpus->n)
        if (list_entry(b, corpus, b->inputs.v[0].n) < 0)
            break;
    report_set_inputs(t, b->inputs.v[0].v, b->inputs.v[0].n);
}

/* ---- orders ------------------------------------------------------------------------------ */

/* What a driver is to do for the order. */
static int order_args(const struct live *l, struct strlist *args, struct cfz_error *err)
{
    const struct options *opt = l->opt;
    int64_t limit = opt->hangtimeout_ns / 1000000 * SLOWER;

    if (STRLIST_ADD(args, err, "-run=.", "-parallel=1", "-timeout=0") < 0 ||
        strlist_addf(args, err, "-hangtimeout=%" PRId64 "ms", limit) < 0 ||
        strlist_addf(args, err, "-rss=%" PRIu64, opt->rss_mib) < 0 ||
        (opt->corpus != NULL && strlist_addf(args, err, "-corpus=%s", opt->corpus) < 0) ||
        (opt->short_mode && strlist_add(args, "-short", err) < 0) ||
        (opt->cc != NULL && strlist_addf(args, err, "-cc=%s", opt->cc) < 0) ||
        (opt->build_dir != NULL && strlist_addf(args, err, "-p=%s", opt->build_dir) < 0))
        return -1;
    if (l->order_kind == ORDER_CHECK) {
        if (strlist_add(args, "-sanitizers=all", err) < 0)
            return -1;
    } else if (strlist_add(args, "-cached", err) < 0 ||
               strlist_addf(args, err, "-coverprofile=%s", order_result_path(l->result)) < 0) {
        return -1;
    }
    return strlist_add(args, l->packages[l->order_package].target, err);
}

static void set_failure(struct live *l, const char *text)
{
    char **failure = &l->packages[l->order_package].failures[l->order_kind];

    free(*failure);
    *failure = text != NULL ? strdup(text) : NULL;
    order_of(l, l->order_package, l->order_kind)->failure = *failure;
}

/* The order is over, however. */
static void forget_order(struct live *l)
{
    order_free(l->order);
    order_result_free(l->result);
    l->order = NULL;
    l->result = NULL;
    l->packages[l->order_package].wanted[l->order_kind] = false;
    order_of(l, l->order_package, l->order_kind)->since = 0;
}

static void begin_order(struct live *l, size_t package, enum order_kind kind)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;

    l->order_package = package;
    l->order_kind = kind;
    set_failure(l, NULL);
    if (order_result_new(&l->result, &err) < 0 || order_args(l, &args, &err) < 0 ||
        order_start(&args, &l->order, &err) < 0) {
        set_failure(l, err.text);
        forget_order(l);
    }
    strlist_release(&args);
}

/* Takes the lines that ran over. */
static int take_coverage(struct live *l, struct cfz_error *err)
{
    struct report_package *p = &l->report.v[l->order_package];
    struct cfz_buf text = CFZ_BUF_INIT;
    struct lcov fresh = LCOV_INIT;
    int ret = order_result_read(l->result, &text, err);

    if (ret == 0)
        ret = lcov_read(&fresh, cfz_buf_str(&text), NULL, NULL, err);
    cfz_buf_release(&text);
    if (ret < 0) {
        lcov_release(&fresh);
        return -1;
    }
    lcov_release(&p->coverage);
    p->coverage = fresh;
    p->measured = true;
    p->measured_at = (int64_t)time(NULL);
    make_sources(l, p);
    return 0;
}

static void end_order(struct live *l, int status, const struct cfz_buf *said)
{
    struct report_package *p = &l->report.v[l->order_package];
    struct cfz_error err = CFZ_ERROR_INIT;
    bool done = WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_FAILED;

    if (!done)
        set_failure(l, said->len > 0 ? cfz_buf_str(said) : "it was ended");
    if (done && l->order_kind == ORDER_MEASURE && take_coverage(l, &err) < 0)
        set_failure(l, err.text);
    if (l->order_kind == ORDER_CHECK) {
        report_load_builds(p, l->packages[l->order_package].path, NULL);
        if (done && p->builds == NULL)
            set_failure(l, "nothing was kept: the cache cannot be written");
    }
    forget_order(l);
}

/* Takes what was asked for, and what became of it. Returns whether pages are not as they were. */
static bool step_orders(struct live *l)
{
    struct cfz_buf said = CFZ_BUF_INIT;
    bool changed = false;
    int status;

    for (size_t i = 0; i < l->report.n; i++)
        for (int k = 0; k < ORDER_KINDS; k++) {
            struct live_package *p = &l->packages[i];

            if (p->actions[k] == NULL || !server_posted(l->server, p->actions[k]) || p->wanted[k])
                continue;
            p->wanted[k] = changed = true;
            order_of(l, i, (enum order_kind)k)->since = (int64_t)time(NULL);
        }
    if (l->order != NULL && order_over(l->order, &status, &said)) {
        end_order(l, status, &said);
        changed = true;
    }
    cfz_buf_release(&said);
    for (size_t i = 0; i < l->report.n && l->order == NULL; i++)
        for (int k = 0; k < ORDER_KINDS && l->order == NULL; k++)
            if (l->packages[i].wanted[k]) {
                begin_order(l, i, (enum order_kind)k);
                changed = true;
            }
    return changed;
}

/* ---- what is told ------------------------------------------------------------------------ */

static bool is_looking(uint64_t looked, uint64_t now)
{
    return looked != 0 && (now - looked) / 1000 < LOOKED_US;
}

static void on_sample(void *ctx, const struct package *pkg, const char *test, struct history *h,
                      const struct fuzz_corpus *corpus, enum fuzz_stage stage)
{
    struct live *l = ctx;
    struct report_test *t = test_of(l, pkg, test);
    const struct report_package *p = t != NULL ? package_of(l, pkg) : NULL;
    struct live_test *b = t != NULL ? beside_of(l, p, t) : NULL;
    bool last = stage == FUZZ_ENDS, first, changed;
    uint64_t now = uv_hrtime();
    char name[64];

    if (server_asked(l->server, NULL))
        l->looked = now;
    changed = step_orders(l);
    if (b == NULL)
        return;
    first = t->history.n == 0;
    history_release(&t->history);
    t->history = *h;
    *h = (struct history)HISTORY_INIT;
    if (stage == FUZZ_BEGINS) { /* another corpus than that of the turn before */
        report_set_inputs(t, NULL, 0);
        result_list_release(&b->inputs);
    }
    name_page(l, t, name);
    if (server_asked(l->server, name))
        b->looked = now;
    if (stage != FUZZ_BEGINS && (is_looking(b->looked, now) || (last && l->looked != 0)))
        list_inputs(b, t, corpus);
    if (first || changed) {
        make_all(l);
    } else {
        if (last || is_looking(l->looked, now))
            make_index(l);
        if (last || is_looking(b->looked, now))
            make_test(l, p, t);
    }
}

int live_open(struct options *opt, struct live **out, struct cfz_error *err)
{
    struct live *l = calloc(1, sizeof *l);
    struct cfz_buf css = CFZ_BUF_INIT, js = CFZ_BUF_INIT;

    *out = NULL;
    if (l == NULL)
        return cfz_fail_nomem(err);
    l->report = (struct report)REPORT_INIT;
    l->opt = opt;
    l->report.live = true;
    if (server_open(opt->http, &l->server, err) < 0)
        goto failed;
    if (cfz_buf_append(&css, asset_css, asset_css_len, err) < 0 ||
        server_put(l->server, "report.css", &css, err) < 0 ||
        cfz_buf_append(&js, asset_js, asset_js_len, err) < 0 ||
        server_put(l->server, "report.js", &js, err) < 0)
        goto failed;
    make_all(l);
    l->watch = (struct fuzz_watch){on_sample, l};
    opt->fuzz_watch = &l->watch;
    report_line("fuzz: %s shows how it goes", server_url(l->server));
    *out = l;
    return 0;
failed:
    cfz_buf_release(&css);
    cfz_buf_release(&js);
    live_close(l);
    return -1;
}

void live_close(struct live *l)
{
    if (l == NULL)
        return;
    if (l->order != NULL)
        forget_order(l);
    server_close(l->server);
    for (size_t i = 0; i < l->report.n; i++) {
        free(l->packages[i].target);
        free(l->packages[i].path);
        for (int k = 0; k < ORDER_KINDS; k++) {
            free(l->packages[i].actions[k]);
            free(l->packages[i].failures[k]);
        }
    }
    free(l->packages);
    for (size_t i = 0; i < l->ntests; i++)
        result_list_release(&l->tests[i].inputs);
    free(l->tests);
    report_release(&l->report);
    strlist_release(&l->names);
    free(l);
}
