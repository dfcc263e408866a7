/*
 * hooks.c - the rest of the SanitizerCoverage interface, so that objects compiled
 * with -fsanitize=fuzzer-no-link link and run. These functions return at once. Context: any.
 */
#include <stdint.h>

/* The names are the compilers'; nothing else calls these. */
#define HOOK(name, ...)                                                                            \
    void __sanitizer_cov_##name(__VA_ARGS__);                                                      \
    void __sanitizer_cov_##name(__VA_ARGS__)

#define UNUSED __attribute__((unused))
HOOK(trace_gep, UNUSED uintptr_t index) {}
HOOK(trace_pc_indir, UNUSED uintptr_t callee) {}
HOOK(load1, UNUSED uint8_t *p) {}
HOOK(load2, UNUSED uint16_t *p) {}
HOOK(load4, UNUSED uint32_t *p) {}
HOOK(load8, UNUSED uint64_t *p) {}
HOOK(load16, UNUSED void *p) {}
HOOK(store1, UNUSED uint8_t *p) {}
HOOK(store2, UNUSED uint16_t *p) {}
HOOK(store4, UNUSED uint32_t *p) {}
HOOK(store8, UNUSED uint64_t *p) {}
HOOK(store16, UNUSED void *p) {}
