/*
 * huge.c - see huge.h.
 */
#define _GNU_SOURCE
#include "target/huge.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
    PAGE = 4096,      /* bytes */
    HUGE_PAGES = 512, /* pages in a huge one */
    HUGE_COST = 128,  /* faults that take as long as a huge page does, which is cleared. Measured */
    AGAIN = 64,       /* after so many executions one has no huge pages */
    FORGET = 8,       /* that part of the score is forgotten at each execution that adds to it */
};

_Atomic uint64_t cfz_huge_bytes;
static _Atomic uint64_t faults_before; /* the first large block of this execution was granted */
static _Atomic bool advises;           /* they get huge pages */
static struct cfz_huge learned;        /* of the thread that finds cfz_huge_bytes 0, and of over */

bool cfz_huge_pays(struct cfz_huge *h)
{
    if (h->score <= 0 || h->since >= AGAIN) {
        h->since = 0;
        return false;
    }
    h->since++;
    return true;
}

void cfz_huge_learn(struct cfz_huge *h, uint64_t pages, uint64_t faults)
{
    const uint64_t small = faults < pages ? faults : pages, all = pages / HUGE_PAGES;

    h->score -= h->score / FORGET;
    h->score += (int64_t)small - HUGE_COST * (int64_t)(small < all ? small : all);
}

static uint64_t faults_so_far(void)
{
    struct rusage use;

    return getrusage(RUSAGE_SELF, &use) == 0 ? (uint64_t)use.ru_minflt : 0;
}

void cfz_huge_granted(const volatile void *block, size_t size)
{
    const uintptr_t from = (uintptr_t)block & ~(uintptr_t)(PAGE - 1);
    const int saved = errno;

    if (atomic_fetch_add_explicit(&cfz_huge_bytes, size, memory_order_relaxed) == 0) {
        atomic_store_explicit(&faults_before, faults_so_far(), memory_order_relaxed);
        atomic_store_explicit(&advises, cfz_huge_pays(&learned), memory_order_relaxed);
    }
    if (atomic_load_explicit(&advises, memory_order_relaxed))
        madvise((void *)from, (uintptr_t)block + size - from, MADV_HUGEPAGE);
    errno = saved;
}

void cfz_huge_over(void)
{
    const uint64_t pages = atomic_load_explicit(&cfz_huge_bytes, memory_order_relaxed) / PAGE;

    if (!atomic_load_explicit(&advises, memory_order_relaxed))
        cfz_huge_learn(&learned, pages,
                       faults_so_far() -
                           atomic_load_explicit(&faults_before, memory_order_relaxed));
    atomic_store_explicit(&cfz_huge_bytes, 0, memory_order_relaxed);
}
