/*
 * sanitizer.c - which sanitizers this program has.
 */
#include "target/sanitizer.h"

#include <stdbool.h>

#include "core/protocol.h"

unsigned cfz_sanitizer_build(void)
{
    unsigned b = 0;

    if (__asan_init)
        b |= CFZ_BUILD_ASAN;
    if (__msan_init)
        b |= CFZ_BUILD_MSAN;
    if (__tsan_init)
        b |= CFZ_BUILD_TSAN;
    if (__lsan_do_recoverable_leak_check)
        b |= CFZ_BUILD_LSAN;
    if (!b && (__ubsan_handle_type_mismatch_v1 || __ubsan_handle_type_mismatch_v1_abort ||
               __ubsan_handle_type_mismatch_minimal || __ubsan_handle_type_mismatch_minimal_abort))
        b |= CFZ_BUILD_UBSAN;
    return b;
}

static bool ours; /* our code runs: there are no checks */

void cfz_sanitizer_ours(void)
{
    if (ours || !__msan_scoped_disable_interceptor_checks ||
        !__msan_scoped_enable_interceptor_checks)
        return;
    __msan_scoped_disable_interceptor_checks();
    ours = true;
}

void cfz_sanitizer_users(void)
{
    if (!ours)
        return;
    ours = false;
    __msan_scoped_enable_interceptor_checks();
}
