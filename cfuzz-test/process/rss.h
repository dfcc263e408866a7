/*
 * rss.h - how much memory a process holds. Linux: /proc/<pid>/statm.
 */
#ifndef RSS_H
#define RSS_H

#include <stdint.h>
#include <sys/types.h>

/* rss_bytes returns the resident memory of pid in bytes, shared pages included. It is 0 when it
 * cannot be read, as for a process that is gone. */
uint64_t rss_bytes(pid_t pid);

#endif
