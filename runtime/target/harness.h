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

#include "core/error.h"

/*
 * cfz_harness_register adds the program's harness, if it has one, to the tests of registry.h, and
 * announces the counters of its own. The test has the name cfuzz_harness_name, which the driver has
 * compiled into it, else that of the executable without what follows the last '.'. CFZ_EFORMAT if
 * the program has other parts of a harness, but no LLVMFuzzerTestOneInput. Context: ordinary,
 * before tests and counters are looked at.
 */
int cfz_harness_register(struct cfz_error *err);

#endif
