/*
 * failure.h - a failing input at the moment at which the driver learns of it.
 *
 * It is the first word of the crash story: triage decides whether its crash is new, and a finding
 * (finding.h) takes over what is to be kept of it.
 */
#ifndef FAILURE_H
#define FAILURE_H

#include "process/worker_client.h"

/* All borrowed for the call that it is passed to, but for the input and, sometimes, the worker: see
 * there. */
struct failure {
    struct worker *worker;       /* it failed on the input, or died of it */
    const struct ending *ending; /* how it died; NULL: it lives, and answered FAIL */
    const char *name;            /* heads the block of lines: "FuzzX", or "FuzzX/seed#0" */
    struct cfz_values *input;    /* NULL: the target wrote over it */
    const char *lost;            /* why there is no input; NULL where there is one */
};

#endif
