/*
 * huge.h - huge pages for large blocks that are written to as a whole.
 *
 * A library that reads from its input how much memory it needs, and clears that, has the kernel
 * make page after page: 30 ms for 64 MB, in which a thousand other inputs could be executed. With
 * huge pages it takes a sixth of that. Where a block is hardly touched they are dearer, by up to a
 * hundred times, so it is learned from executions without them which it is. docs/decisions/162.
 */
#ifndef CFZ_HUGE_H
#define CFZ_HUGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CFZ_HUGE_LEAST = 4 << 20 }; /* bytes of a block; guessed */

/* What was learned. */
struct cfz_huge {
    int64_t score;  /* faults that huge pages would have saved lately */
    uint32_t since; /* executions with huge pages since one had none */
};

/* cfz_huge_pays decides whether the large blocks of an execution get huge pages. One execution in
 * 65 has none, to see whether they still pay. Context: any. */
bool cfz_huge_pays(struct cfz_huge *h);

/* cfz_huge_learn is told of an execution without them: pages of its large blocks, and page faults
 * that it had since the first one was granted. Context: any. */
void cfz_huge_learn(struct cfz_huge *h, uint64_t pages, uint64_t faults);

/* cfz_huge_granted has the kernel give a block of CFZ_HUGE_LEAST bytes or more huge pages, if they
 * pay. Context: any. */
void cfz_huge_granted(const volatile void *block, size_t size);

/* cfz_huge_over is called when an execution is over in which a large block was granted. Context:
 * target. */
extern _Atomic uint64_t cfz_huge_bytes __attribute__((visibility("hidden"))); /* of these blocks */
static inline bool cfz_huge_used(void)
{
    return atomic_load_explicit(&cfz_huge_bytes, memory_order_relaxed) != 0;
}
void cfz_huge_over(void);

#endif
