/*
 * lf_control.h - the control file of a merge: which files there are, and what each showed. The form
 * is libFuzzer's:
 *
 *     3                                       files
 *     1                                       of these, in the first directory
 *     OUT/a
 *     IN/b
 *     IN/c
 *     STARTED 0 2                             number and size of a file that is to be executed
 *     FT 0 0 8                                its features: counter * 8 + bucket
 *     COV 0 0 1                               its counters
 *     STARTED 1 7                             nothing follows: it failed, or the merge was killed
 *
 * Context: ordinary.
 */
#ifndef LF_CONTROL_H
#define LF_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "libfuzzer/lf_input.h"

struct lf_feature_set {
    uint32_t *v; /* ascending */
    size_t n;
};

struct lf_control_file {
    char *path;
    uint64_t size;
    bool started, done; /* done: features is what it shows */
    struct lf_feature_set features;
};

struct lf_control {
    struct lf_control_file *v;
    size_t n;
    size_t first; /* so many are of the first directory */
};

#define LF_CONTROL_INIT                                                                            \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

void lf_control_release(struct lf_control *c);

/* lf_control_parse reads text. CFZ_EFORMAT: "line 3: ..."; CFZ_ENOMEM. */
int lf_control_parse(const char *text, size_t len, struct lf_control *out, struct cfz_error *err);

/* lf_control_head appends the part before the first STARTED; lf_control_started and
 * lf_control_done append what belongs to file i. CFZ_ENOMEM. */
int lf_control_head(const struct lf_control *c, struct cfz_buf *out, struct cfz_error *err);
int lf_control_started(const struct lf_control *c, size_t i, struct cfz_buf *out,
                       struct cfz_error *err);
int lf_control_done(const struct lf_control *c, size_t i, struct cfz_buf *out,
                    struct cfz_error *err);

/*
 * lf_choose decides which files are to be copied: chosen[i] is set for those behind the first
 * directory's that show a feature which neither that directory nor a chosen one shows. They are
 * taken small ones first, of one size those with more features; with cover always the one that
 * shows most that is missing, of these the smallest. *features and *counters get how many are new
 * by that. CFZ_ENOMEM.
 */
int lf_choose(const struct lf_control *c, bool cover, bool *chosen, uint64_t *features,
              uint64_t *counters, struct cfz_error *err);

#endif
