/*
 * map.h - zeroed memory of a process's own, which takes none until it is used. Ours lies apart from
 * the target's heap, whose faults are not to hit it.
 */
#ifndef CFZ_MAP_H
#define CFZ_MAP_H

#include <stddef.h>
#include <sys/mman.h>

/* cfz_map_private maps size bytes, above 0, for as long as the process lives. NULL: errno says why.
 * Context: ordinary. */
static inline void *cfz_map_private(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

#endif
