/*
 * fpmode.h - the floating-point mode: rounding, what becomes of tiny numbers, which
 * exceptions trap.
 *
 * User code may change it and leave. That would change what the mutators of floats make, and the
 * executions after it. fenv.h is not used: its functions are in libm.
 */
#ifndef CFZ_FPMODE_H
#define CFZ_FPMODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CFZ_MXCSR_FLAGS = 0x3f }; /* of past exceptions, in the control register of SSE */

struct cfz_fpmode {
    uint64_t control; /* as the processor holds it, without the flags of past exceptions */
    uint16_t x87;
};

/* cfz_fpmode_get returns the mode of this thread. Context: any. */
static inline struct cfz_fpmode cfz_fpmode_get(void)
{
    struct cfz_fpmode m = {0, 0};
#if defined(__x86_64__)
    uint32_t mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(m.x87));
    m.control = mxcsr & ~(uint32_t)CFZ_MXCSR_FLAGS;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(m.control));
#endif
    return m;
}

/* cfz_fpmode_restore makes m the mode of this thread again. Returns whether it was another one.
 * Context: any. */
static inline bool cfz_fpmode_restore(const struct cfz_fpmode *m)
{
    struct cfz_fpmode now = cfz_fpmode_get();

    if (__builtin_expect(now.control == m->control && now.x87 == m->x87, 1))
        return false;
#if defined(__x86_64__)
    uint32_t mxcsr = (uint32_t)m->control;

    /* Clears pending exceptions first: with another mask they would trap. */
    __asm__ volatile("fnclex; fldcw %0" : : "m"(m->x87));
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(m->control));
#endif
    return true;
}

/* What changes the mode in libm: NULL where the program has no libm. Not by the functions' names
 * and types, which are those of fenv.h. */
extern char cfz_libm_fesetround[] __asm__("fesetround") __attribute__((weak));
extern char cfz_libm_fesetenv[] __asm__("fesetenv") __attribute__((weak));

/* cfz_fpmode_may_change reports whether the program has libm, and so may change the mode other than
 * by instructions of its own. Then it is put back behind each execution, else now and then: an
 * empty test is 2 % slower by that. Context: any. */
static inline bool cfz_fpmode_may_change(void)
{
    return cfz_libm_fesetround != NULL || cfz_libm_fesetenv != NULL;
}

#endif
