/*
 * alloc.c - see alloc.h.
 */
#include "target/alloc.h"

#include "target/crash.h"
#include "target/huge.h"
#include "target/sanitizer.h"

size_t cfz_alloc_small = SIZE_MAX;
static size_t most = SIZE_MAX; /* that may be granted */

void cfz_alloc_granted(const volatile void *block, size_t size)
{
    if (!block)
        return;
    if (size > most)
        cfz_alloc_too_large(size);
    if (size >= CFZ_HUGE_LEAST)
        cfz_huge_granted(block, size);
}

/* Called by a sanitizer for each block that it hands out. Context: any. */
static void cfz_alloc_hook(const volatile void *block, size_t size)
{
    if (__builtin_expect(size > cfz_alloc_small, 0))
        cfz_alloc_granted(block, size);
}

static void cfz_alloc_free_hook(const volatile void *block)
{
    (void)block;
}

void cfz_alloc_limit(const struct cfz_proc_shm *shm)
{
    most = shm->alloc_max > 0 ? shm->alloc_max : SIZE_MAX;
    cfz_alloc_small = most < CFZ_HUGE_LEAST ? most : CFZ_HUGE_LEAST - 1;
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(cfz_alloc_hook, cfz_alloc_free_hook);
}
