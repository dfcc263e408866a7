/*
 * adapter.h - the test that this executable fuzzes for another engine, and how that is asked for
 * its own mutations.
 */
#ifndef CFZ_ADAPTER_H
#define CFZ_ADAPTER_H

#include "target/registry.h"

/* cfz_engine_test returns the test that was chosen, NULL before the engine called
 * LLVMFuzzerInitialize. Context: ordinary. */
const struct cfz_test *cfz_engine_test(void);

/* cfz_engine_die prints text and ends the process, when the engine cannot use it. Context:
 * ordinary. */
void cfz_engine_die(const char *text) __attribute__((noreturn));

/* The mutations of the engine, where it has such a function: libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

/* What engines call, by the names that libFuzzer gave them. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed);

#endif
