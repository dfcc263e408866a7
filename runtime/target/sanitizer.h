/*
 * sanitizer.h - what the runtime asks of sanitizers, where there are any.
 *
 * All references are weak: they are null in a build without the sanitizer. They alone tell what the
 * build is, since the runtime itself is never instrumented.
 */
#ifndef CFZ_SANITIZER_H
#define CFZ_SANITIZER_H

#include <stddef.h>
#include <stdint.h>

#define CFZ_WEAK __attribute__((weak))

void __asan_init(void) CFZ_WEAK;
void __asan_poison_memory_region(const volatile void *at, size_t len) CFZ_WEAK;
void __asan_unpoison_memory_region(const volatile void *at, size_t len) CFZ_WEAK;
int __asan_report_present(void) CFZ_WEAK;
void *__asan_get_report_address(void) CFZ_WEAK;
int __asan_get_report_access_type(void) CFZ_WEAK; /* 0 read, 1 write */
const char *__asan_get_report_description(void) CFZ_WEAK;
/* The innermost frames of the calls that allocated and freed the heap object of an address. */
size_t __asan_get_alloc_stack(void *at, void **trace, size_t size, int *thread) CFZ_WEAK;
size_t __asan_get_free_stack(void *at, void **trace, size_t size, int *thread) CFZ_WEAK;
void __msan_init(void) CFZ_WEAK;
void __msan_unpoison(const volatile void *at, size_t len) CFZ_WEAK;
void __msan_unpoison_param(size_t n) CFZ_WEAK;
void __msan_scoped_disable_interceptor_checks(void) CFZ_WEAK;
void __msan_scoped_enable_interceptor_checks(void) CFZ_WEAK;
void __tsan_init(void) CFZ_WEAK;
void __ubsan_handle_type_mismatch_v1(void *data, uintptr_t ptr) CFZ_WEAK;
void __ubsan_handle_type_mismatch_v1_abort(void *data, uintptr_t ptr) CFZ_WEAK;
void __ubsan_handle_type_mismatch_minimal(void) CFZ_WEAK;
void __ubsan_handle_type_mismatch_minimal_abort(void) CFZ_WEAK;
int __lsan_do_recoverable_leak_check(void) CFZ_WEAK; /* 1: there are leaks, it reported them */
void __lsan_disable(void) CFZ_WEAK;                  /* for this thread; these two nest */
void __lsan_enable(void) CFZ_WEAK;
void __lsan_ignore_object(const void *block) CFZ_WEAK;
void __lsan_register_root_region(const void *at, size_t len) CFZ_WEAK; /* pointers here count */
void __lsan_unregister_root_region(const void *at, size_t len) CFZ_WEAK;
void __sanitizer_set_report_fd(void *fd) CFZ_WEAK; /* a number, in spite of its type */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *)) CFZ_WEAK;
void __sanitizer_set_death_callback(void (*callback)(void)) CFZ_WEAK;

/*
 * cfz_sanitizer_build returns enum cfz_build_flags, as far as sanitizers are concerned. Libraries
 * of other sanitizers contain UndefinedBehaviorSanitizer's, so the UBSAN bit is set only where
 * there is no other sanitizer. Context: any.
 */
unsigned cfz_sanitizer_build(void);

/*
 * MemorySanitizer checks what functions of libc are given. What code of ours gives them lies on the
 * stack where locals of the tested code lay, and is written unseen by it: it would report that, and
 * blame the input. cfz_sanitizer_ours ends these checks for this thread, the engine's, and
 * cfz_sanitizer_users begins them again, for the time in which user code runs. Other sanitizers
 * know nothing of it. Context: target.
 */
void cfz_sanitizer_ours(void);
void cfz_sanitizer_users(void);

#endif
