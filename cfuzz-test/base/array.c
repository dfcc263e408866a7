/*
 * array.c - see array.h.
 */
#include "base/array.h"

#include <stdlib.h>

enum { FIRST = 16 };

int array_grow(void **v, size_t n, size_t *cap, size_t size, struct cfz_error *err)
{
    size_t more = *cap > 0 ? 2 * *cap : FIRST;
    void *to;

    if (n < *cap)
        return 0;
    to = realloc(*v, more * size);
    if (to == NULL)
        return cfz_fail_nomem(err);
    *v = to;
    *cap = more;
    return 0;
}
