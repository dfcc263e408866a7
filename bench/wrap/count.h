/*
 * count.h - counts executions and bytes of input, for the mean length of inputs,
 * which engines do not report alike.
 *
 * Only with -DBENCH_COUNT, in binaries that are not timed. The sums are in the
 * file that BENCH_COUNT_FILE names, mapped shared, so that they outlive processes that an engine
 * kills. One process at a time.
 */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BENCH_COUNT

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct bench_sums {
    uint64_t execs;
    uint64_t bytes;
};

static void bench_count(size_t len)
{
    static struct bench_sums *sums, unused;

    if (sums == NULL) {
        const char *path = getenv("BENCH_COUNT_FILE");
        int fd = path != NULL ? open(path, O_RDWR) : -1;
        void *map = MAP_FAILED;

        if (fd >= 0) {
            map = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            close(fd);
        }
        sums = map != MAP_FAILED ? map : &unused;
    }
    sums->execs++;
    sums->bytes += len;
}

#else

static inline void bench_count(size_t len)
{
    (void)len;
}

#endif
#endif
