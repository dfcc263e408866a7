/*
 * huge_test.c - which large blocks get huge pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/alloc.h"
#include "target/huge.h"

enum { MB = 1 << 20, PAGES_OF_MB = 256 };

static void test_filled(void **state)
{
    struct cfz_huge h = {0};

    (void)state;
    assert_false(cfz_huge_pays(&h));                             /* nothing is known */
    cfz_huge_learn(&h, 8 * PAGES_OF_MB, 8 * PAGES_OF_MB + 1000); /* others that were not its */
    assert_int_equal(h.score, 8 * PAGES_OF_MB - 4 * 128);
    for (unsigned i = 0; i < 64; i++)
        assert_true(cfz_huge_pays(&h));
    assert_false(cfz_huge_pays(&h));
    assert_true(cfz_huge_pays(&h));
}

/* A quarter of the pages is as dear as all of it in huge pages. */
static void test_quarter(void **state)
{
    struct cfz_huge h = {0};

    (void)state;
    cfz_huge_learn(&h, 8 * PAGES_OF_MB, 2 * PAGES_OF_MB);
    assert_int_equal(h.score, 0);
    assert_false(cfz_huge_pays(&h));
    cfz_huge_learn(&h, 8 * PAGES_OF_MB, 2 * PAGES_OF_MB + 1);
    assert_int_equal(h.score, 1);
    assert_true(cfz_huge_pays(&h));
}

/* Where a page here and there is touched, each of these would be a huge page. */
static void test_sparse(void **state)
{
    struct cfz_huge h = {0};

    (void)state;
    cfz_huge_learn(&h, 64 * PAGES_OF_MB, 20);
    assert_int_equal(h.score, 20 - 20 * 128);
    cfz_huge_learn(&h, 64 * PAGES_OF_MB, 100);
    assert_int_equal(h.score, -2540 + 317 + 100 - 32 * 128);
    assert_false(cfz_huge_pays(&h));
    /* What is known is forgotten as new blocks say other things. */
    cfz_huge_learn(&h, 64 * PAGES_OF_MB, 64 * PAGES_OF_MB);
    assert_true(cfz_huge_pays(&h));
    for (unsigned i = 0; i < 4; i++)
        cfz_huge_learn(&h, 64 * PAGES_OF_MB, 100);
    assert_false(cfz_huge_pays(&h));
}

/* A block that is not touched says nothing. */
static void test_untouched(void **state)
{
    struct cfz_huge h = {.score = 4};

    (void)state;
    cfz_huge_learn(&h, 64 * PAGES_OF_MB, 0);
    assert_int_equal(h.score, 4);
    assert_true(cfz_huge_pays(&h));
}

/* Whether the kernel was asked for huge pages at p: its flags are those of the first mapping that
 * ends behind it. 0 or 1. */
static int is_advised(const void *p)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    unsigned long from, to;
    char line[512];
    int advised = -1;
    int in = 0;

    assert_non_null(f);
    while (advised < 0 && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            in = from <= (unsigned long)(uintptr_t)p && (unsigned long)(uintptr_t)p < to;
        else if (in && strncmp(line, "VmFlags:", 8) == 0)
            advised = strstr(line, " hg") != NULL;
    }
    fclose(f);
    return advised;
}

/* An execution that has two blocks of 8 MB granted, and fills them or not; whether they get huge
 * pages. */
static int execution(bool filled)
{
    volatile uint8_t *block[2];
    int advised = 0;

    assert_false(cfz_huge_used());
    for (unsigned k = 0; k < 2; k++) {
        block[k] = mmap(NULL, 8 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(block[k] != MAP_FAILED);
        cfz_alloc_granted(block[k], 8 * MB);
        advised += is_advised((const void *)block[k]);
        for (size_t i = 0; filled && i < 8 * MB; i += 4096)
            block[k][i] = 1;
    }
    assert_true(cfz_huge_used());
    cfz_huge_over();
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(munmap((void *)block[k], 8 * MB), 0);
    return advised;
}

static void test_advice(void **state)
{
    static struct cfz_proc_shm shm;

    (void)state;
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) < 0)
        skip(); /* the kernel has none */
    assert_true(cfz_alloc_small == SIZE_MAX);
    shm.alloc_max = 64 * MB;
    cfz_alloc_limit(&shm);
    assert_int_equal(cfz_alloc_small, 4 * MB - 1);
    cfz_alloc_granted(NULL, 8 * MB); /* it was refused */
    assert_false(cfz_huge_used());
    assert_int_equal(execution(false), 0);
    assert_int_equal(execution(true), 0);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(execution(i % 2 != 0), 2);
    assert_int_equal(execution(true), 0);
    assert_int_equal(execution(true), 2);

    shm.alloc_max = 2 * MB; /* what is too large is looked at in any case */
    cfz_alloc_limit(&shm);
    assert_int_equal(cfz_alloc_small, 2 * MB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filled), cmocka_unit_test(test_quarter),
        cmocka_unit_test(test_sparse), cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_advice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
