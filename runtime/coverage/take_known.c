/*
 * take_known.c - see take_known.h.
 *
 * Which blocks of a module ran is another question with each input, and a processor that guesses
 * it wrong loses as much as four blocks take. So there is no branch on a single block: four are
 * looked at together, whatever is in them, unless all are zero, as those of code are that is never
 * called.
 */
#include "coverage/take_known.h"

#include "coverage/buckets.h"
#include "coverage/processor.h"

/* A block, in whatever registers the compiler has for eight words. */
typedef uint64_t block __attribute__((vector_size(CFZ_TAKE_KNOWN_BLOCK)));

/* These are no functions: how one gets and returns a block depends on the registers. */
#define LOAD(b, from) __builtin_memcpy(&(b), (from), sizeof(b))
#define ANY(b) (((b)[0] | (b)[1] | (b)[2] | (b)[3] | (b)[4] | (b)[5] | (b)[6] | (b)[7]) != 0)

/* The buckets of b that own lacks. */
#define FRESH(b, own)                                                                              \
    do {                                                                                           \
        block had;                                                                                 \
                                                                                                   \
        LOAD(had, own);                                                                            \
        CFZ_BUCKETS(b);                                                                            \
        (b) &= ~had;                                                                               \
    } while (0)

static inline __attribute__((always_inline)) size_t take(uint8_t *p, const uint8_t *own, size_t len)
{
    enum { BLOCK = CFZ_TAKE_KNOWN_BLOCK };
    block a, b, c, d;
    size_t i = 0;

    for (; len - i >= 4 * BLOCK; i += 4 * BLOCK) {
        LOAD(a, p + i);
        LOAD(b, p + i + BLOCK);
        LOAD(c, p + i + 2 * BLOCK);
        LOAD(d, p + i + 3 * BLOCK);
        if (!ANY(a | b | c | d))
            continue;
        FRESH(a, own + i);
        FRESH(b, own + i + BLOCK);
        FRESH(c, own + i + 2 * BLOCK);
        FRESH(d, own + i + 3 * BLOCK);
        if (__builtin_expect(ANY(a | b | c | d), 0))
            break;
        __builtin_memset(p + i, 0, 4 * BLOCK);
    }
    for (; len - i >= BLOCK; i += BLOCK) {
        LOAD(a, p + i);
        FRESH(a, own + i);
        if (__builtin_expect(ANY(a), 0))
            break;
        __builtin_memset(p + i, 0, BLOCK);
    }
    return i;
}

static size_t take_plain(uint8_t *p, const uint8_t *own, size_t len)
{
    return take(p, own, len);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static size_t take_avx2(uint8_t *p, const uint8_t *own, size_t len)
{
    return take(p, own, len);
}

__attribute__((target("avx512f,avx512bw"))) static size_t
take_avx512(uint8_t *p, const uint8_t *own, size_t len)
{
    return take(p, own, len);
}
#endif

cfz_take_known_fn *const cfz_take_known_ways[CFZ_PROCESSORS] = {
    [CFZ_PROCESSOR_ANY] = take_plain,
#if defined(__x86_64__)
    [CFZ_PROCESSOR_AVX2] = take_avx2,
    [CFZ_PROCESSOR_AVX512] = take_avx512,
#endif
};

cfz_take_known_fn *cfz_take_known_best = take_plain;

void cfz_take_known_init(void)
{
    cfz_take_known_best = cfz_take_known_ways[cfz_processor()];
}
