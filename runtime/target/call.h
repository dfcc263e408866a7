/*
 * call.h - one call of a fuzz test, through the plugin's thunk or libffi.
 */
#ifndef CFZ_CALL_H
#define CFZ_CALL_H

#include <ffi.h>

#include "target/registry.h"
#include "target/sanitizer.h"
#include "target/slots.h"

/* Made once per test and process. From call to call only t changes. */
struct cfz_call {
    cfz_thunk_fn *thunk; /* or NULL: through cif. With MemorySanitizer one of ours */
    cfz_thunk_fn *inner; /* then, the test's, or NULL */
    unsigned first;      /* the entry of args and types with which cif begins: 1 without a cfuzz_t */
    void (*fn)(void);
    cfuzz_t *t; /* what the test gets in this call (executor.h); args[0] points here */
    void *args[1 + 2 * CFZ_VALUES_MAX];
    ffi_cif cif;
    ffi_type *types[1 + 2 * CFZ_VALUES_MAX];
};

/*
 * cfz_call_init prepares *c for calls of test with the input in slots. The slots are attached; c
 * points into them, so they outlive it. Fails with CFZ_EINTERNAL. Context: ordinary.
 */
int cfz_call_init(struct cfz_call *c, const struct cfz_test *test, cfuzz_t *t,
                  struct cfz_slots *slots, struct cfz_error *err);

/* cfz_call_ffi is the call through libffi, for cfz_call_invoke. Context: target. */
void cfz_call_ffi(struct cfz_call *c);

/* cfz_call_invoke calls the test with the input in the slots. Context: target. */
static inline void cfz_call_invoke(struct cfz_call *c)
{
    if (__builtin_expect(c->thunk != NULL, 1))
        c->thunk(c->t, c->args);
    else
        cfz_call_ffi(c);
}

#endif
