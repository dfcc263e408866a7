/*
 * worker_whole.h - whether the memory that a guard and its workers share is as cfuzz left it.
 *
 * A target that writes over it has failed, and what is found there says nothing. What is compared
 * with it lies in memory of this process alone. Context: signal.
 */
#ifndef CFZ_WORKER_WHOLE_H
#define CFZ_WORKER_WHOLE_H

#include "worker/worker.h"

/* cfz_worker_made notes what stays as it is in w from now on. Once, before the target runs. */
void cfz_worker_made(const struct cfz_worker *w);

/* cfz_worker_whole reports whether all that is so still, and whether counts are within bounds. */
bool cfz_worker_whole(void);

/* cfz_worker_shm and cfz_worker_buffers are what w had at cfz_worker_made: its process memory, and
 * a buffer for each value of cur that has a slot. */
struct cfz_proc_shm *cfz_worker_shm(void);
uint8_t *const *cfz_worker_buffers(void);

#endif
