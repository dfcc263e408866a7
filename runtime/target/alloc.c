/*
 * alloc.c - see alloc.h.
 */
#include "target/alloc.h"

#include "target/crash.h"
#include "target/sanitizer.h"

size_t cfz_alloc_max = SIZE_MAX;

/* Called by a sanitizer for each block that it hands out. Context: any. */
static void cfz_alloc_hook(const volatile void *block, size_t size)
{
    if (__builtin_expect(size > cfz_alloc_max, 0) && block)
        cfz_alloc_too_large(size);
}

static void cfz_alloc_free_hook(const volatile void *block)
{
    (void)block;
}

void cfz_alloc_limit(const struct cfz_proc_shm *shm)
{
    if (shm->alloc_max == 0)
        return;
    cfz_alloc_max = shm->alloc_max;
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(cfz_alloc_hook, cfz_alloc_free_hook);
}
