/*
 * live.c - see live.h.
 *
 * Pages are made in the driver's thread, when a test says how it goes, and only while somebody
 * looks: the pages ask again every two seconds.
 */
#include "http/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "http/server.h"
#include "report/assets.h"
#include "report/site.h"

enum { LOOKED_US = 10 * 1000 * 1000 }; /* so long after a request somebody is taken to look */

struct live {
    struct server *server;
    struct fuzz_watch watch;
    struct report report; /* its strings are owned by names */
    struct strlist names;
    uint64_t looked; /* when a page was asked for last */
};

/* A copy of text that lives as long as l. NULL without memory. */
static const char *keep(struct live *l, const char *text)
{
    return strlist_add(&l->names, text, NULL) == 0 ? l->names.v[l->names.n - 1] : NULL;
}

static struct report_package *package_of(struct live *l, const struct package *pkg)
{
    struct report_package *v;

    for (size_t i = 0; i < l->report.n; i++)
        if (strcmp(l->report.v[i].dir, pkg->dir) == 0)
            return &l->report.v[i];
    v = realloc(l->report.v, (l->report.n + 1) * sizeof *v);
    if (v == NULL)
        return NULL;
    l->report.v = v;
    v[l->report.n] = (struct report_package){.name = keep(l, pkg->name), .dir = keep(l, pkg->dir)};
    if (v[l->report.n].name == NULL || v[l->report.n].dir == NULL)
        return NULL;
    return &v[l->report.n++];
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

/* Makes the index and the page of one test; NULL: of none. What cannot be made stays as it was. */
static void make_pages(struct live *l, const struct report_test *of)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char name[64];

    if (page_index(&text, &l->report, NULL) == 0)
        server_put(l->server, "index.html", &text, NULL);
    cfz_buf_release(&text);
    for (size_t i = 0; i < l->report.n; i++)
        for (size_t k = 0; k < l->report.v[i].ntests; k++) {
            const struct report_test *t = &l->report.v[i].tests[k];

            if (t != of)
                continue;
            snprintf(name, sizeof name, "test-%zu.html", report_test_number(&l->report, t));
            if (page_test(&text, &l->report, &l->report.v[i], t, NULL) == 0)
                server_put(l->server, name, &text, NULL);
            cfz_buf_release(&text);
        }
}

static void on_sample(void *ctx, const struct package *pkg, const char *test, struct history *h,
                      bool last)
{
    struct live *l = ctx;
    struct report_test *t = test_of(l, pkg, test);
    bool first = t != NULL && t->history.n == 0;
    uint64_t now = uv_hrtime();

    if (t != NULL) {
        history_release(&t->history);
        t->history = *h;
        *h = (struct history)HISTORY_INIT;
    }
    if (server_asked(l->server))
        l->looked = now;
    if (t != NULL && (first || last || (l->looked != 0 && (now - l->looked) / 1000 < LOOKED_US)))
        make_pages(l, t);
}

int live_open(struct options *opt, struct live **out, struct cfz_error *err)
{
    struct live *l = calloc(1, sizeof *l);
    struct cfz_buf css = CFZ_BUF_INIT, js = CFZ_BUF_INIT;

    *out = NULL;
    if (l == NULL)
        return cfz_fail_nomem(err);
    l->report = (struct report)REPORT_INIT;
    l->report.live = true;
    if (server_open(opt->http, &l->server, err) < 0)
        goto failed;
    if (cfz_buf_append(&css, asset_css, asset_css_len, err) < 0 ||
        server_put(l->server, "report.css", &css, err) < 0 ||
        cfz_buf_append(&js, asset_js, asset_js_len, err) < 0 ||
        server_put(l->server, "report.js", &js, err) < 0)
        goto failed;
    make_pages(l, NULL);
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
    server_close(l->server);
    report_release(&l->report);
    strlist_release(&l->names);
    free(l);
}
