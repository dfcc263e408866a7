/*
 * worker_traced.h - an execution whose comparisons are recorded or counted.
 *
 * The driver is told of it: what ends the process only then is not the target's failure
 * (docs/decisions/054).
 */
#ifndef CFZ_WORKER_TRACED_H
#define CFZ_WORKER_TRACED_H

#include "worker/worker.h"

/*
 * cfz_worker_traced executes what is in the slots through traced copies, if there are any: cfz_trace
 * has its comparisons. shm->traced tells the driver while it runs, and afterwards if the test failed.
 * Context: ordinary.
 */
enum cfz_verdict cfz_worker_traced(struct cfz_worker *w);

/* cfz_worker_counted is the same, but comparisons are only counted: *work is the work of the execution
 * (search/search.h), 1 without traced copies. One that takes much longer than that says is executed
 * twice, and its work told by the CPU time. Context: ordinary. */
enum cfz_verdict cfz_worker_counted(struct cfz_worker *w, uint64_t *work);

#endif
