/*
 * cpus.h - how many CPUs this process may use. Context: ordinary.
 */
#ifndef CPUS_H
#define CPUS_H

#include <stdint.h>

/* cpus_usable returns how many CPUs this process may run on (taskset, cpusets), or as many as the
 * quota of its cgroup comes to, rounded up, if these are fewer; at least 1. */
uint32_t cpus_usable(void);

/*
 * cpus_of_quota returns how many CPUs the quotas of a process's cgroup and of those above it come
 * to, rounded up, at least 1; UINT32_MAX: there is none. groups is its file /proc/self/cgroup, and
 * root the directory /sys/fs/cgroup: cpu.max of version 2 (Documentation/admin-guide/cgroup-v2.rst
 * of Linux), cpu/cpu.cfs_quota_us of version 1. In a container of version 1 the path is the host's,
 * and the root is its own cgroup.
 */
uint32_t cpus_of_quota(const char *groups, const char *root);

#endif
