/*
 * crasher.h - failing inputs of a fuzzing run: saving them, and the block of lines
 * that tells of each.
 */
#ifndef CRASHER_H
#define CRASHER_H

#include "process/host_client.h"
#include "process/worker_client.h"

/*
 * crasher_failed appends the block of an input whose execution ended in
 * cfuzz_error or its like, as it stands below "--- FAIL: FuzzX (0.04s)":
 *         --- FAIL: FuzzX/seed#0 (0.00s)
 *             parse_test.c:5: bad "0"
 * name heads it; ns is the duration; input is shown when not NULL.
 */
int crasher_failed(const struct worker *w, const char *name, uint64_t ns,
                   const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err);

/* crasher_died appends the block of an input that ended its process, indented by depth times 4
 * blanks; input may be NULL. */
int crasher_died(const struct worker *w, const struct ending *e, unsigned depth,
                 const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err);

/*
 * crasher_host_died appends the lines of a setup part (or its cleanups) that ended
 * its process, as they stand below "--- FAIL: FuzzX (0.00s)". CFZ_EINTERNAL when it
 * was our own doing.
 */
int crasher_host_died(const struct host *h, struct cfz_buf *out, struct cfz_error *err);

/*
 * crasher_save writes input into the test's seed directory, safely on disk. name gets the
 * file's; *made tells that it was not there before. Errors as cfz_corpus_save, with paths
 * relative to the package. crasher_remove takes such a file away again.
 */
int crasher_save(const struct session *s, const char *test, const struct cfz_values *input,
                 char name[17], bool *made, struct cfz_error *err);
void crasher_remove(const struct session *s, const char *test, const char name[17]);

/*
 * crasher_tell appends what tells of a file that was saved:
 *     Failing input written to testdata/corpus/FuzzX/582528ddfad69eb5
 *     To re-run:
 *     cfuzz-test -run=FuzzX/582528ddfad69eb5
 * crasher_print appends the whole text of one that could not be, for the reason why, so that it
 * is not lost. CFZ_ENOMEM only.
 */
int crasher_tell(const struct session *s, const char *test, const char *name, struct cfz_buf *out,
                 struct cfz_error *err);
int crasher_print(const char *test, const struct cfz_values *input, const char *why,
                  struct cfz_buf *out, struct cfz_error *err);

#endif
