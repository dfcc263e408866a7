/*
 * alloc_wrap.c - malloc, calloc and realloc as the objects of a test binary call them, where it was
 * linked with --wrap for these three (ld's manual): they compare a size and go on to the real ones.
 *
 * The real ones are weak, so that all of the archive links without --wrap, too.
 */
#include "target/alloc.h"

void *__real_malloc(size_t size) __attribute__((weak));
void *__real_calloc(size_t n, size_t size) __attribute__((weak));
void *__real_realloc(void *old, size_t size) __attribute__((weak));

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static __attribute__((noinline, cold)) void *cfz_alloc_wrapped(void *block, size_t size)
{
    cfz_alloc_granted(block, size);
    return block;
}

void *__wrap_malloc(size_t size)
{
    if (__builtin_expect(size > cfz_alloc_small, 0))
        return cfz_alloc_wrapped(__real_malloc(size), size);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    size_t all;

    /* What is more than SIZE_MAX is refused. */
    if (__builtin_expect(!__builtin_mul_overflow(n, size, &all) && all > cfz_alloc_small, 0))
        return cfz_alloc_wrapped(__real_calloc(n, size), all);
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (__builtin_expect(size > cfz_alloc_small, 0))
        return cfz_alloc_wrapped(__real_realloc(old, size), size);
    return __real_realloc(old, size);
}
