/*
 * kept_test.c - when malloc keeps what is freed, and that it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/alloc.h"

#define MB ((size_t)1 << 20)

static struct cfz_proc_shm shm;

/* An allocator of a sanitizer is not to be told. */
static bool sanitized(void)
{
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
    return true;
#endif
#elif defined(__SANITIZE_ADDRESS__)
    return true;
#endif
    return false;
}

static void test_chosen(void **state)
{
    static const char *const chosen[][2] = {
        {"MALLOC_TRIM_THRESHOLD_", "1000000"},
        {"MALLOC_MMAP_THRESHOLD_", "1000000"},
        {"MALLOC_TOP_PAD_", "0"},
        {"MALLOC_MMAP_MAX_", "0"},
        {"GLIBC_TUNABLES", "glibc.pthread.rseq=0:glibc.malloc.tcache_count=0"},
    };

    (void)state;
    shm.alloc_max = 0;
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        setenv(chosen[i][0], chosen[i][1], 1);
        assert_false(cfz_alloc_keep(&shm));
        unsetenv(chosen[i][0]);
    }
}

/* Whether a block is of the heap. */
static bool on_heap(const char *block)
{
    return (uintptr_t)block < (uintptr_t)sbrk(0);
}

static void test_kept(void **state)
{
    char *block;
    void *end;

    (void)state;
    if (sanitized()) {
        assert_false(cfz_alloc_keep(&shm));
        return;
    }
    setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1); /* not about malloc */
    shm.alloc_max = 4 * MB - 1;                          /* less than half a MiB would be kept */
    assert_false(cfz_alloc_keep(&shm));

    shm.alloc_max = 32 * MB; /* 2 MiB are kept */
    assert_true(cfz_alloc_keep(&shm));
    block = malloc(MB + 1);
    assert_non_null(block);
    assert_false(on_heap(block));
    free(block);

    shm.alloc_max = 0;
    assert_true(cfz_alloc_keep(&shm));
    block = malloc(CFZ_ALLOC_KEPT / 2 - 4096);
    assert_non_null(block);
    assert_true(on_heap(block));
    end = sbrk(0);
    free(block);
    assert_ptr_equal(sbrk(0), end);
    block = malloc(CFZ_ALLOC_KEPT / 2 + MB); /* does not fit into what is kept */
    assert_non_null(block);
    assert_false(on_heap(block));
    free(block);
    unsetenv("GLIBC_TUNABLES");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
