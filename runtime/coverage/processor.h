/*
 * processor.h - which vector registers there are.
 *
 * The compiler builds for an old processor. Functions for newer ones are compiled for
 * them one by one, and called only where they run. ifunc would need help of the dynamic linker, and
 * __builtin_cpu_supports an object of libgcc, so neither is used.
 */
#ifndef CFZ_PROCESSOR_H
#define CFZ_PROCESSOR_H

/* Each has what those before have. */
enum cfz_processor {
    CFZ_PROCESSOR_ANY,
    CFZ_PROCESSOR_AVX2,   /* 256 bits, with instructions on integers */
    CFZ_PROCESSOR_AVX512, /* 512 bits, with instructions on bytes (BW) */
    CFZ_PROCESSORS
};

/* cfz_processor returns what the processor has, and the kernel keeps the registers of. Context:
 * any. */
enum cfz_processor cfz_processor(void);

#endif
