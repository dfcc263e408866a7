/*
 * alloc.h - one allocation that is larger than -rss fails the test, also if it is never touched.
 *
 * The driver sees what memory a process holds, now and then, and from outside. An allocation that
 * is freed again, or never written to, it does not see. So where the test asks for memory its size
 * is compared: in builds with a sanitizer by a hook of its allocator, in others by the functions
 * that the linker puts in the place of malloc (alloc_wrap.c). An allocation that is refused is no
 * failure: code has to cope with it. Large ones that are granted may get huge pages (huge.h).
 */
#ifndef CFZ_ALLOC_H
#define CFZ_ALLOC_H

#include <stddef.h>

#include "core/shmem.h"

/* The largest allocation that is not looked at, in bytes. SIZE_MAX until cfz_alloc_limit. */
extern size_t cfz_alloc_small;

/* cfz_alloc_limit sets the largest allocation that may be granted to what the driver says in shm,
 * and has large ones looked at. Context: ordinary. */
void cfz_alloc_limit(const struct cfz_proc_shm *shm);

/* cfz_alloc_granted looks at a block that was granted, of more than cfz_alloc_small bytes; NULL is
 * none. It does not return where the test fails by it. Context: any. */
void cfz_alloc_granted(const volatile void *block, size_t size);

#endif
