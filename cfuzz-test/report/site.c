/*
 * site.c - see site.h.
 */
#define _GNU_SOURCE
#include "report/site.h"

#include <stdlib.h>
#include <string.h>

#include "results/kept_builds.h"

bool report_of_test(const struct result *r, const char *test, const char **name)
{
    size_t len = strlen(test);

    if (strncmp(r->test, test, len) != 0 || r->test[len] != '/')
        return false;
    *name = r->test + len + 1;
    return true;
}

void report_set_inputs(struct report_test *t, const struct result *v, size_t n)
{
    t->inputs = v;
    t->ninputs = n;
    t->seeds = t->cached = t->failed = 0;
    for (size_t i = 0; i < t->ninputs; i++) {
        const char *name;

        if (!report_of_test(&t->inputs[i], t->name, &name))
            continue;
        if (strncmp(name, "cache/", 6) == 0)
            t->cached++;
        else
            t->seeds++;
        t->failed += t->inputs[i].kind == RESULT_FAILED;
    }
}

static int add_test(struct report_package *p, const struct result_package *results,
                    const struct result *r, const char *path, struct cfz_error *err)
{
    struct report_test *v = realloc(p->tests, (p->ntests + 1) * sizeof *v), *t;
    char *file = history_file(path, r->test);
    int ret = 0;

    if (v == NULL) {
        free(file);
        return cfz_fail_nomem(err);
    }
    p->tests = v;
    t = &v[p->ntests++];
    *t = (struct report_test){.name = r->test, .result = r, .history = HISTORY_INIT};
    report_set_inputs(t, results->v, results->n);
    if (file != NULL)
        ret = history_load(file, &t->history, err);
    free(file);
    return ret;
}

int report_add(struct report *r, const struct result_package *results, const char *path,
               struct lcov *coverage, struct cfz_error *err)
{
    struct report_package *v = realloc(r->v, (r->n + 1) * sizeof *v), *p;

    if (v == NULL)
        return cfz_fail_nomem(err);
    r->v = v;
    p = &v[r->n++];
    *p = (struct report_package){.name = results->name,
                                 .dir = results->dir,
                                 .why = results->kind == RESULT_BROKEN
                                            ? results->why != NULL ? results->why : "it failed"
                                            : NULL};
    if (coverage != NULL) {
        p->measured = true;
        p->coverage = *coverage;
        *coverage = (struct lcov)LCOV_INIT;
    }
    for (size_t i = 0; i < results->n; i++)
        if (strchr(results->v[i].test, '/') == NULL && results->v[i].kind != RESULT_BROKEN &&
            add_test(p, results, &results->v[i], path, err) < 0)
            return -1;
    return 0;
}

static void release_kept(struct report_package *p)
{
    if (p->kept != NULL)
        sanitizer_table_release(p->kept);
    free(p->kept);
    p->kept = NULL;
}

int report_load_builds(struct report_package *p, const char *path, struct cfz_error *err)
{
    struct sanitizer_table *t = calloc(1, sizeof *t);
    char *file = kept_builds_file(path);
    int ret = t == NULL      ? cfz_fail_nomem(err)
              : file != NULL ? kept_builds_load(file, p->name, t, err)
                             : 0;

    free(file);
    if (ret < 0) {
        if (t != NULL)
            sanitizer_table_release(t);
        free(t);
        return -1;
    }
    release_kept(p);
    p->kept = t;
    p->builds = sanitizer_table_has(t, p->name) ? t : NULL;
    return 0;
}

void report_release(struct report *r)
{
    for (size_t i = 0; i < r->n; i++) {
        lcov_release(&r->v[i].coverage);
        release_kept(&r->v[i]);
        for (size_t k = 0; k < r->v[i].ntests; k++)
            if (!r->v[i].tests[k].borrowed)
                history_release(&r->v[i].tests[k].history);
        free(r->v[i].tests);
    }
    free(r->v);
    *r = (struct report)REPORT_INIT;
}

size_t report_test_number(const struct report *r, const struct report_test *t)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->v[i].ntests; k++, n++)
            if (&r->v[i].tests[k] == t)
                return n;
    return n;
}

size_t report_package_number(const struct report *r, const struct report_package *p)
{
    return (size_t)(p - r->v);
}

const char *report_path(const struct report_package *p, const char *path)
{
    size_t len = strlen(p->dir);

    return strncmp(path, p->dir, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}
