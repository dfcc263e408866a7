/*
 * plot.h - curves over time or executions, one for each run, as inline SVG. Context: ordinary.
 */
#ifndef PLOT_H
#define PLOT_H

#include "core/buf.h"
#include "history/history.h"

enum plot_axis { PLOT_MS, PLOT_EXECS, PLOT_CORPUS, PLOT_COVERED };

/* Of many runs the last ones are drawn: as many as there are colours. */
enum { PLOT_RUNS = 6 };

/* plot_curves appends the curves of the last runs of h, what over against. Each has the class
 * "run c<k>" and data-run="<k>", k from 0; scales are shared. Nothing but a note where no run has
 * two points. CFZ_ENOMEM. */
int plot_curves(struct cfz_buf *out, const struct history *h, enum plot_axis what,
                enum plot_axis against, struct cfz_error *err);

/* plot_spark appends the coverage of the last run over time, small and without axes. */
int plot_spark(struct cfz_buf *out, const struct history *h, struct cfz_error *err);

/* plot_nice gives a number that is at least n, and not much more, of which a quarter is short:
 * where an axis ends. Exposed for tests. */
double plot_nice(double n);

#endif
