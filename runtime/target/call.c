/*
 * call.c - the argument array, and its description for libffi.
 */
#include "target/call.h"

#include <string.h>

/* The C type that a kind is passed as, in libffi's words. []byte and string are pointers. */
static ffi_type *ffi_type_of(enum cfz_kind kind)
{
    unsigned width = cfz_kind_c_width(kind);

    switch (cfz_kind_family(kind)) {
    case CFZ_FAMILY_SIGNED:
        return width == 8    ? &ffi_type_sint8
               : width == 16 ? &ffi_type_sint16
               : width == 32 ? &ffi_type_sint32
                             : &ffi_type_sint64;
    case CFZ_FAMILY_BOOL:
    case CFZ_FAMILY_UNSIGNED:
        return width == 8    ? &ffi_type_uint8
               : width == 16 ? &ffi_type_uint16
               : width == 32 ? &ffi_type_uint32
                             : &ffi_type_uint64;
    case CFZ_FAMILY_FLOAT:
        return width == 32 ? &ffi_type_float : &ffi_type_double;
    default:
        return &ffi_type_pointer;
    }
}

static struct cfz_call *checked; /* of this process, with MemorySanitizer */

/* The thunk of a call that MemorySanitizer is to look at. If the test leaves by a jump, the
 * executor calls cfz_sanitizer_ours. In stacks it is told from the user's functions by its name
 * (stack/frames.c). */
static void cfz_call_checked(cfuzz_t *t, void *const *args)
{
    cfz_sanitizer_users();
    if (checked->inner)
        checked->inner(t, args);
    else
        cfz_call_ffi(checked);
    cfz_sanitizer_ours();
}

int cfz_call_init(struct cfz_call *c, const struct cfz_test *test, cfuzz_t *t,
                  struct cfz_slots *slots, struct cfz_error *err)
{
    unsigned n = 0;

    memset(c, 0, sizeof *c);
    c->thunk = test->desc->thunk;
    c->fn = test->desc->fn;
    c->t = t;
    c->first = test->desc->what == CFZ_DESC_VALUES;
    c->types[n] = &ffi_type_pointer;
    c->args[n++] = &c->t;
    for (size_t i = 0; i < test->n; i++) {
        c->types[n] = ffi_type_of(test->kinds[i]);
        if (!cfz_kind_is_slot(test->kinds[i])) {
            c->args[n++] = &slots->shm->input[i];
            continue;
        }
        c->args[n++] = &slots->data[i];
        if (cfz_kind_is_bytes(test->kinds[i])) {
            c->types[n] = &ffi_type_uint64; /* a size_t, held as the length in the header */
            c->args[n++] = &slots->shm->input[i];
        }
    }
    _Static_assert(sizeof(size_t) == 8, "a length is passed as it lies in the header");
    if (!c->thunk && ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, n - c->first, &ffi_type_void,
                                  c->types + c->first) != FFI_OK)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: libffi cannot call it", test->desc->name);
    if (__msan_scoped_disable_interceptor_checks) {
        cfz_sanitizer_ours();
        checked = c;
        c->inner = c->thunk;
        c->thunk = cfz_call_checked;
    }
    return 0;
}

void cfz_call_ffi(struct cfz_call *c)
{
    /* libffi is not instrumented, so MemorySanitizer has the shadow of an earlier call. */
    if (__msan_unpoison_param)
        __msan_unpoison_param(c->cif.nargs);
    ffi_call(&c->cif, c->fn, NULL, c->args + c->first);
}
