/*
 * shared.c - see shared.h.
 */
#define _GNU_SOURCE
#include "self/shared.h"

#include <sys/mman.h>

enum { SHARED = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE };

void *cfz_shared_map(size_t size, const char *what, struct cfz_error *err)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, SHARED, -1, 0);

    if (p != MAP_FAILED)
        return p;
    cfz_fail_errno(err, "map memory for %s", what);
    return NULL;
}

int cfz_shared_renew(void *p, size_t size, struct cfz_error *err)
{
    if (mmap(p, size, PROT_READ | PROT_WRITE, SHARED | MAP_FIXED, -1, 0) == MAP_FAILED)
        return cfz_fail_errno(err, "map memory that workers share");
    return 0;
}
