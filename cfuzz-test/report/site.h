/*
 * site.h - what is known of packages and tests for a person to look at, and the directory of
 * pages that is made of it.
 *
 *     index.html            packages, tests, sources, functions never reached
 *     test-<i>.html         a test: curves of its runs, failing inputs, what blocks it, its inputs
 *     source-<i>-<k>.html   a source of package i with the lines that ran
 *     report.css, report.js
 *     .cfuzz-report         says that this directory may be replaced
 *
 * Pages need nothing from elsewhere, and scripts only sort tables and hide curves, and renew live
 * pages. Context: ordinary.
 */
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>

#include "cover/lcov.h"
#include "history/history.h"
#include "results/result_list.h"
#include "results/sanitizer_table.h"

/* Strings are borrowed from what the report was made of. */
struct report_test {
    const char *name;
    const struct result *result; /* of the test, or NULL: it was not run */
    const struct result *inputs; /* of the package; of_test says which are this test's */
    size_t ninputs;
    size_t seeds, cached, failed;
    struct history history; /* belongs to the test, unless borrowed */
    bool borrowed;
};

/* What a person who looks at a page that is served may have done: both are of the live pages. */
struct report_order {
    const char *action;  /* what is posted for it, "coverage-0"; NULL: it cannot be had */
    int64_t since;       /* it is being done since then; 0: it is not */
    const char *failure; /* what was said when it failed the last time, or NULL */
};

struct report_package {
    const char *name, *dir, *why; /* why it could not be built or run, or NULL */
    bool measured;                /* coverage is known */
    int64_t measured_at;          /* ... and since then, on live pages */
    struct lcov coverage;         /* belongs to the package */
    /* What the builds of -sanitizers made of each input; NULL: they never ran. It is kept, which
     * belongs to the package, or of the results of this run. */
    const struct sanitizer_table *builds;
    struct sanitizer_table *kept;       /* or NULL; apart, since packages move when one is added */
    struct report_order measure, check; /* lines that ran; builds */
    struct report_test *tests;
    size_t ntests;
};

struct report {
    struct report_package *v;
    size_t n;
    const char *sanitizers; /* with which the inputs ran, "asan ubsan"; "" */
    bool live;              /* it is served while tests are fuzzed */
};

#define REPORT_INIT                                                                                \
    {                                                                                              \
        NULL, 0, "", false                                                                         \
    }

/*
 * report_add adds a package as results have it (NULL: it did not run), which is borrowed. The
 * histories of its tests are read from the cache, where path is that of the package. coverage is
 * taken over, and left INIT; NULL: it was not measured. CFZ_ENOMEM.
 */
int report_add(struct report *r, const struct result_package *results, const char *path,
               struct lcov *coverage, struct cfz_error *err);
/* report_set_inputs has those of v[0..n) that are of the test be its inputs. v is borrowed. */
void report_set_inputs(struct report_test *t, const struct result *v, size_t n);

/* report_load_builds has p->builds be what the cache keeps of the package with that path, if
 * anything. CFZ_ENOMEM. */
int report_load_builds(struct report_package *p, const char *path, struct cfz_error *err);
void report_release(struct report *r); /* leaves INIT */

/* report_of_test reports whether r is of an input of the test: its name, not the test's, is in
 * *name. */
bool report_of_test(const struct result *r, const char *test, const char **name);

/* ---- pages ---------------------------------------------------------------------------------- */

/* Each appends a whole page. CFZ_ENOMEM; the source cannot be read: it says so in the page. */
int page_index(struct cfz_buf *out, const struct report *r, struct cfz_error *err);
int page_test(struct cfz_buf *out, const struct report *r, const struct report_package *p,
              const struct report_test *t, struct cfz_error *err);
int page_source(struct cfz_buf *out, const struct report_package *p, const struct lcov_file *f,
                struct cfz_error *err);

/* The number of a test among all of r, which its page is named by; and of a package. */
size_t report_test_number(const struct report *r, const struct report_test *t);
size_t report_package_number(const struct report *r, const struct report_package *p);

/* The path of a source as it is shown: relative to the package's directory if it lies there.
 * Borrowed. */
const char *report_path(const struct report_package *p, const char *path);

/* ---- the directory -----------------------------------------------------------------------------
 */

/*
 * report_dir_begin makes a new directory beside dir, which does not exist, is empty, or holds a
 * report, or is a link to such a one; or in TMPDIR, where dir is there and nothing can be made
 * beside it. *made is its path, the caller's. CFZ_EUSAGE "report: out: it holds other files, and no
 * report of cfuzz", "report: out: Permission denied".
 */
int report_dir_begin(const char *dir, char **made, struct cfz_error *err);
/* report_dir_write writes all pages into made, and has it take the place of dir. Where that cannot
 * be, as of a mount point, or dir is the current directory, the pages replace those in it. CFZ_EIO,
 * CFZ_ENOMEM; dir is as it was, then, except where the disk was full for the latter. */
int report_dir_write(const struct report *r, const char *made, const char *dir,
                     struct cfz_error *err);
/* report_dir_drop removes made, if it is still there. made may be NULL. */
void report_dir_drop(const char *made);

#endif
