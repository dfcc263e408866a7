/*
 * failing_alloc.h - an allocator that fails once, for the one source of a program that is linked
 * with --wrap for malloc, calloc, realloc and strdup.
 */
#ifndef FAILING_ALLOC_H
#define FAILING_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

static long fail_at = -1; /* allocations until the one that fails; -1: none does */
static bool alloc_failed; /* one has failed; the test sets it back */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);

static bool fails(void)
{
    if (fail_at < 0 || fail_at-- > 0)
        return false;
    alloc_failed = true;
    return true;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *s)
{
    return fails() ? NULL : __real_strdup(s);
}

#endif
