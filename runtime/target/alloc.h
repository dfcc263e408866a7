/*
 * alloc.h - one allocation that is larger than -rss fails the test, also if it is never touched;
 * and what malloc does with what the test frees.
 *
 * The driver sees what memory a process holds, now and then, and from outside. An allocation that
 * is freed again, or never written to, it does not see. So where the test asks for memory its size
 * is compared: in builds with a sanitizer by a hook of its allocator, in others by the functions
 * that the linker puts in the place of malloc (alloc_wrap.c). An allocation that is refused is no
 * failure: code has to cope with it. Large ones that are granted may get huge pages (huge.h).
 */
#ifndef CFZ_ALLOC_H
#define CFZ_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/shmem.h"

/* The largest allocation that is not looked at, in bytes. SIZE_MAX until cfz_alloc_limit. */
extern size_t cfz_alloc_small;

/* cfz_alloc_limit sets the largest allocation that may be granted to what the driver says in shm,
 * and has large ones looked at. Context: ordinary. */
void cfz_alloc_limit(const struct cfz_proc_shm *shm);

/* The most of what was freed that malloc does not give back to the kernel, in bytes. Guessed. */
#define CFZ_ALLOC_KEPT ((size_t)64 << 20)

/*
 * cfz_alloc_keep has malloc keep what was freed at the end of the heap: the next execution asks for
 * it again, and what went back to the kernel in between costs a system call and a page fault for
 * each 4 KiB (decision 176). Up to CFZ_ALLOC_KEPT, or a sixteenth of what cfz_alloc_limit may
 * grant; blocks up to half of it are of the heap. It returns false, and changes nothing, where that
 * is less than glibc's own choice, where the user chose (GLIBC_TUNABLES, MALLOC_TRIM_THRESHOLD_,
 * ...), or where there is no mallopt. What the test chooses itself later counts. A sanitizer's
 * allocator is not touched. Context: ordinary.
 */
bool cfz_alloc_keep(const struct cfz_proc_shm *shm);

/* cfz_alloc_granted looks at a block that was granted, of more than cfz_alloc_small bytes; NULL is
 * none. It does not return where the test fails by it. Context: any. */
void cfz_alloc_granted(const volatile void *block, size_t size);

#endif
