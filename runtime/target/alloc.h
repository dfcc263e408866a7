/*
 * alloc.h - one allocation that is larger than -rss fails the test, also if it is never touched.
 *
 * The driver sees what memory a process holds, now and then, and from outside. An allocation that
 * is freed again, or never written to, it does not see. So where the test asks for memory its size
 * is compared: in builds with a sanitizer by a hook of its allocator, in others by the functions
 * that the linker puts in the place of malloc (alloc_wrap.c). An allocation that is refused is no
 * failure: code has to cope with it.
 */
#ifndef CFZ_ALLOC_H
#define CFZ_ALLOC_H

#include <stddef.h>

#include "core/shmem.h"

/* The largest allocation that may be granted, in bytes. SIZE_MAX until cfz_alloc_limit. */
extern size_t cfz_alloc_max;

/* cfz_alloc_limit sets it to what the driver says in shm, and has it looked after. Context:
 * ordinary. */
void cfz_alloc_limit(const struct cfz_proc_shm *shm);

#endif
