/*
 * processor.c - see processor.h.
 */
#include "coverage/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>

static enum cfz_processor ask(void)
{
    enum { OSXSAVE = 1 << 27, AVX2 = 1 << 5, AVX512F = 1 << 16, AVX512BW = 1 << 30 };
    enum { XMM_YMM = 6, XMM_YMM_ZMM = 0xe6 };
    unsigned a, b, c, d, state;

    if (__get_cpuid_max(0, 0) < 7)
        return CFZ_PROCESSOR_ANY;
    __cpuid(1, a, b, c, d);
    if (!(c & OSXSAVE))
        return CFZ_PROCESSOR_ANY;
    __asm__ volatile("xgetbv" : "=a"(state), "=d"(d) : "c"(0));
    __cpuid_count(7, 0, a, b, c, d);
    if ((state & XMM_YMM) != XMM_YMM || !(b & AVX2))
        return CFZ_PROCESSOR_ANY;
    return (state & XMM_YMM_ZMM) == XMM_YMM_ZMM && b & AVX512F && b & AVX512BW
               ? CFZ_PROCESSOR_AVX512
               : CFZ_PROCESSOR_AVX2;
}

/* Asked once: on a virtual machine each answer of the processor takes as long as some system
 * calls. */
enum cfz_processor cfz_processor(void)
{
    static int known; /* 1 more than the answer; 0: not asked */

    if (known == 0)
        known = 1 + (int)ask();
    return (enum cfz_processor)(known - 1);
}
#else
enum cfz_processor cfz_processor(void)
{
    return CFZ_PROCESSOR_ANY;
}
#endif
