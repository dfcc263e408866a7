/*
 * worker_interesting.h - what becomes of an input that showed new coverage.
 */
#ifndef CFZ_WORKER_INTERESTING_H
#define CFZ_WORKER_INTERESTING_H

#include "worker/worker.h"

/*
 * cfz_worker_interesting takes the input just executed, whose new bits are in w->seen. It executes
 * the input again, minimizes it as far as the bits that both executions showed stay, and
 * reports it to the driver. sync: the command has sync points, so records wait for the next.
 * Returns the verdict of the last execution; if it is FAIL, the input that failed is in the slots.
 * Context: ordinary.
 */
enum cfz_verdict cfz_worker_interesting(struct cfz_worker *w, bool sync);

#endif
