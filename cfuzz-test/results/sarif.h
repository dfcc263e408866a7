/*
 * sarif.h - -sarif FILE: results as code scanning reads them, SARIF 2.1.0 (OASIS). Context:
 * ordinary.
 *
 * A result for each failure, with the line and the function that it is at, and the identity of its
 * crash as a fingerprint. What could not be built or run is a notification.
 */
#ifndef SARIF_H
#define SARIF_H

#include "results/result_list.h"

/* sarif_write appends the document. baseline: crashes are told apart in new ones and those that are
 * known (a result that was skipped and has a crash). complete: all that was asked for was run.
 * CFZ_ENOMEM. */
int sarif_write(struct cfz_buf *out, const struct result_list *l, bool baseline, bool complete,
                struct cfz_error *err);

#endif
