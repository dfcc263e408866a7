/*
 * worker_custom.h - inputs that the harness mutates in its own way (target/harness.h), and
 * LLVMFuzzerMutate, by which it asks for our mutations.
 */
#ifndef CFZ_WORKER_CUSTOM_H
#define CFZ_WORKER_CUSTOM_H

#include "worker/worker.h"

/* cfz_worker_custom_attach readies this process, which fuzzes as w. Context: ordinary. */
void cfz_worker_custom_attach(struct cfz_worker *w);

/*
 * cfz_worker_custom_begin has w->mutator use what the harness brings: LLVMFuzzerCustomMutator takes the
 * place of our mutations, which are then made by LLVMFuzzerMutate alone, and LLVMFuzzerCustomCrossOver
 * stands beside the mutations. Without either it does nothing. w->learning is initialised. Context:
 * ordinary.
 */
void cfz_worker_custom_begin(struct cfz_worker *w);

/* cfz_worker_custom_turn gives words to the mutations of LLVMFuzzerMutate, and takes them from those
 * that it serves. Context: ordinary. */
void cfz_worker_custom_turn(struct cfz_worker *w);

/*
 * LLVMFuzzerMutate changes data[0..len), which has room for max bytes, by one of our mutations, and
 * returns the new length, at least 1 unless max is 0. The harness calls it. Context: target.
 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t max);

#endif
