/*
 * harness.h - a harness that was written for libFuzzer, as a fuzz test of one []byte.
 *
 * What such a harness may define is libFuzzer's interface: LLVMFuzzerTestOneInput, which makes it a
 * harness, LLVMFuzzerInitialize, LLVMFuzzerCustomMutator, LLVMFuzzerCustomCrossOver, and counters
 * of its own in the section __libfuzzer_extra_counters (LLVM's FuzzerInterface.h and
 * FuzzerExtFunctions.def).
 */
#ifndef CFZ_HARNESS_H
#define CFZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "target/registry.h"

/*
 * cfz_harness_register adds the program's harness, if it has one, to the tests of registry.h, and
 * announces counters of the program's own, also those of fuzz tests. The test has the name
 * cfuzz_harness_name, which the driver has compiled into it, else that of the executable without
 * what follows the last '.'. CFZ_EFORMAT if the program has other parts of a harness, but no
 * LLVMFuzzerTestOneInput. Context: ordinary, before tests and counters are looked at.
 */
int cfz_harness_register(struct cfz_error *err);

/* cfz_harness_beside has argv[0] of LLVMFuzzerInitialize be in the directory of the program, a path,
 * instead of in the current one. Borrowed for good. Context: ordinary, before setup parts run. */
void cfz_harness_beside(const char *program);

/* cfz_harness_counts reports whether the program has counters of its own, or of states that it comes to
 * (plugin/TableStates.cpp). Context: any. */
bool cfz_harness_counts(void);

/* cfz_is_harness reports whether a test is the program's harness. Its data begins at a multiple of
 * 16 as with libFuzzer, which mallocs it: harnesses rely on it. Context: ordinary. */
bool cfz_is_harness(const struct cfz_test *test);

/*
 * What of a program mutates inputs in its own way; NULL: it does not. Names and parameters are
 * libFuzzer's: data[0..len) is changed in place, or out is made of two inputs; the new length, at
 * most max, is returned, or 0 if nothing came of it. Context: target.
 */
typedef size_t cfz_custom_mutator_fn(uint8_t *data, size_t len, size_t max, unsigned seed);
typedef size_t cfz_custom_cross_over_fn(const uint8_t *data1, size_t len1, const uint8_t *data2,
                                        size_t len2, uint8_t *out, size_t max, unsigned seed);
cfz_custom_mutator_fn *cfz_harness_mutator(void);
cfz_custom_cross_over_fn *cfz_harness_cross_over(void);

#endif
