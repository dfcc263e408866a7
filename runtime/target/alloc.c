/*
 * alloc.c - see alloc.h.
 */
#include "target/alloc.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "target/crash.h"
#include "target/huge.h"
#include "target/sanitizer.h"

enum { MMAPPED_LEAST = 128 << 10 }; /* glibc's own least for a block that is not of the heap */

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

/* Whether the user said when malloc gives memory back (mallopt(3)). */
static bool is_chosen(void)
{
    static const char *const variables[] = {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_",
                                            "MALLOC_TOP_PAD_", "MALLOC_MMAP_MAX_"};
    const char *tunables = getenv("GLIBC_TUNABLES");

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (getenv(variables[i]))
            return true;
    return tunables && strstr(tunables, "glibc.malloc.");
}

bool cfz_alloc_keep(const struct cfz_proc_shm *shm)
{
#ifdef M_TRIM_THRESHOLD
    size_t keep = CFZ_ALLOC_KEPT;

    if (shm->alloc_max > 0 && shm->alloc_max / 16 < keep)
        keep = shm->alloc_max / 16;
    return keep / 2 >= MMAPPED_LEAST && !is_chosen() &&
           mallopt(M_MMAP_THRESHOLD, (int)(keep / 2)) && mallopt(M_TRIM_THRESHOLD, (int)keep);
#else
    (void)shm;
    return false;
#endif
}

void cfz_alloc_limit(const struct cfz_proc_shm *shm)
{
    most = shm->alloc_max > 0 ? shm->alloc_max : SIZE_MAX;
    cfz_alloc_small = most < CFZ_HUGE_LEAST ? most : CFZ_HUGE_LEAST - 1;
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(cfz_alloc_hook, cfz_alloc_free_hook);
}
