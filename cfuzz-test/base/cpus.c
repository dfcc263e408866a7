/*
 * cpus.c - see cpus.h.
 */
#define _GNU_SOURCE
#include "base/cpus.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/io.h"

enum { FILE_MAX = 1 << 16 };

/* Reads the numbers of a file; how many there are, at most 2. "max" and -1 are none. */
static int read_numbers(const char *path, uint64_t v[2])
{
    FILE *f = fopen(path, "re");
    long long a = -1, b = -1;
    int n = f != NULL ? fscanf(f, "%lld %lld", &a, &b) : 0;

    if (f != NULL)
        fclose(f);
    v[0] = a > 0 ? (uint64_t)a : 0;
    v[1] = b > 0 ? (uint64_t)b : 0;
    return n < 0 ? 0 : n > 1 && b > 0 ? 2 : a > 0 ? n : 0;
}

/* The CPUs that one directory of cgroups allows. */
static uint32_t of_directory(const char *dir)
{
    uint64_t v[2], period[2] = {0, 0};
    uint32_t n = UINT32_MAX;
    char *path;

    if (asprintf(&path, "%s/cpu.max", dir) < 0)
        return n;
    if (read_numbers(path, v) == 2)
        n = (uint32_t)((v[0] + v[1] - 1) / v[1]);
    free(path);
    if (n != UINT32_MAX || asprintf(&path, "%s/cpu.cfs_quota_us", dir) < 0)
        return n;
    if (read_numbers(path, v) == 1) {
        free(path);
        if (asprintf(&path, "%s/cpu.cfs_period_us", dir) < 0)
            return n;
        if (read_numbers(path, period) == 1)
            n = (uint32_t)((v[0] + period[0] - 1) / period[0]);
    }
    free(path);
    return n;
}

/* The least that a group of a hierarchy and those above it allow. */
static uint32_t of_group(const char *hierarchy, const char *group, size_t len)
{
    uint32_t n = of_directory(hierarchy), here;
    char *dir;

    while (len > 0 && asprintf(&dir, "%s%.*s", hierarchy, (int)len, group) >= 0) {
        here = of_directory(dir);
        n = here < n ? here : n;
        free(dir);
        while (len > 0 && group[len - 1] != '/')
            len--;
        len -= len > 0;
    }
    return n;
}

/* Whether "cpu" is one of the controllers "cpu,cpuacct". */
static bool has_cpu(const char *controllers, size_t len)
{
    for (const char *at = controllers, *end = at + len; at < end; at += strcspn(at, ",:") + 1)
        if (strcspn(at, ",:") == 3 && strncmp(at, "cpu", 3) == 0)
            return true;
    return false;
}

uint32_t cpus_of_quota(const char *groups, const char *root)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    uint32_t n = UINT32_MAX;

    if (cfz_io_read_file(AT_FDCWD, groups, FILE_MAX, &text, NULL) < 0)
        text.len = 0;
    for (const char *line = cfz_buf_str(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        const char *controllers = memchr(line, ':', len);
        const char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        char *hierarchy = NULL;
        uint32_t here = UINT32_MAX;

        if (group != NULL && group < line + len) {
            size_t of = (size_t)(group - controllers - 1);

            if (of == 0) /* version 2 */
                here = of_group(root, group + 1, (size_t)(line + len - group - 1));
            else if (has_cpu(controllers + 1, of) && asprintf(&hierarchy, "%s/cpu", root) >= 0)
                here = of_group(hierarchy, group + 1, (size_t)(line + len - group - 1));
        }
        free(hierarchy);
        n = here < n ? here : n;
        line += len + (line[len] != '\0');
    }
    cfz_buf_release(&text);
    return n > 0 ? n : 1;
}

uint32_t cpus_usable(void)
{
    uint32_t quota = cpus_of_quota("/proc/self/cgroup", "/sys/fs/cgroup"), n = 1;
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        n = (uint32_t)CPU_COUNT(&set);
    return n < quota ? n : quota;
}
