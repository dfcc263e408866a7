/*
 * cpus_test.c - quotas of cgroups, of both versions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "build/clean.h"
#include "core/io.h"

static char root[] = "/tmp/cfuzz-cpus-test.XXXXXX";

static int enter(void **state)
{
    (void)state;
    strcpy(strrchr(root, '.'), ".XXXXXX");
    return mkdtemp(root) != NULL && chdir(root) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 ? clean_tree(AT_FDCWD, root, root, NULL) : -1;
}

static void put(const char *path, const char *text)
{
    char *dir = strdup(path), *slash = strrchr(dir, '/');

    if (slash != NULL) {
        *slash = '\0';
        assert_int_equal(cfz_io_mkdirs(dir, NULL), 0);
    }
    free(dir);
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, NULL),
                     0);
}

/* The least of a group's and those of the groups above it; part of a CPU counts as one. */
static void test_version_2(void **state)
{
    (void)state;
    put("groups", "0::/user.slice/job\n");
    assert_int_equal(cpus_of_quota("groups", root), UINT32_MAX);
    put("user.slice/job/cpu.max", "max 100000\n");
    assert_int_equal(cpus_of_quota("groups", root), UINT32_MAX);
    put("user.slice/job/cpu.max", "350000 100000\n");
    assert_int_equal(cpus_of_quota("groups", root), 4);
    put("user.slice/cpu.max", "200000 100000\n");
    assert_int_equal(cpus_of_quota("groups", root), 2);
    put("user.slice/cpu.max", "50000 100000\n");
    assert_int_equal(cpus_of_quota("groups", root), 1);
    put("user.slice/cpu.max", "damaged\n");
    assert_int_equal(cpus_of_quota("groups", root), 4);
    /* As a container has it. */
    put("groups", "0::/\n");
    put("cpu.max", "300000 100000\n");
    assert_int_equal(cpus_of_quota("groups", root), 3);
    assert_int_equal(cpus_of_quota("none", root), UINT32_MAX);
}

static void test_version_1(void **state)
{
    (void)state;
    put("groups", "11:cpuset:/job\n4:cpu,cpuacct:/docker/abc\n0::/\n");
    assert_int_equal(cpus_of_quota("groups", root), UINT32_MAX);
    put("cpu/docker/abc/cpu.cfs_quota_us", "-1\n");
    put("cpu/docker/abc/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_of_quota("groups", root), UINT32_MAX);
    put("cpu/docker/abc/cpu.cfs_quota_us", "150000\n");
    assert_int_equal(cpus_of_quota("groups", root), 2);
    /* In the container the path is not there. */
    put("groups", "4:cpuacct,cpu:/docker/other\n");
    put("cpu/cpu.cfs_quota_us", "600000\n");
    put("cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_of_quota("groups", root), 6);
    put("groups", "4:cpuacct:/docker/other\nnothing\n\n:\n");
    assert_int_equal(cpus_of_quota("groups", root), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_version_2, enter, leave),
        cmocka_unit_test_setup_teardown(test_version_1, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
