/*
 * corpus_run.h - executes inputs of a test, one after the other, and says what they reach.
 * Context: ordinary.
 */
#ifndef CORPUS_RUN_H
#define CORPUS_RUN_H

#include "corpus/cover.h"
#include "fuzz/fuzz_corpus.h"
#include "process/session.h"
#include "process/worker_client.h"

struct corpus_run {
    struct session *s;
    struct host *host;
    struct worker *worker; /* NULL: none yet, or it ended */
    struct fuzz_corpus corpus;
};

/* corpus_run_open runs the setup part. CFZ_EFORMAT if that fails or skips; else as host_start. Also
 * after a failure it is ended by corpus_run_close. */
int corpus_run_open(struct corpus_run *r, struct session *s, const struct origin_test *test,
                    struct cfz_error *err);

/*
 * corpus_run_input executes vs. *failed tells that the test failed, or the process died of it. Else
 * cover gets the features (malloc'ed, the caller's) and *ns the time it took. CFZ_EIO, with EINTR
 * in sys on Ctrl-C; CFZ_EINTERNAL; CFZ_ENOMEM.
 */
int corpus_run_input(struct corpus_run *r, const struct cfz_values *vs, struct cover_input *cover,
                     uint64_t *ns, bool *failed, struct cfz_error *err);

void corpus_run_close(struct corpus_run *r);

#endif
