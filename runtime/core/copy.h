/*
 * copy.h - copies short pieces of memory without a call.
 */
#ifndef CFZ_COPY_H
#define CFZ_COPY_H

#include <stddef.h>
#include <stdint.h>

enum { CFZ_COPY_WHOLE = 16 }; /* bytes that are copied as a whole */

/*
 * cfz_copy copies len bytes between buffers that do not overlap, unless it is at most CFZ_COPY_WHOLE:
 * then all is read before anything is written. It calls no memcpy, which may be a sanitizer's or the
 * tested program's own, and touches no byte past either end. Context: target.
 */
static inline void cfz_copy(uint8_t *to, const uint8_t *from, size_t len)
{
    struct {
        uint64_t a, b;
    } c;

#if defined(__x86_64__)
    if (len >= 2048) { /* guessed: where its start-up cost no longer matters */
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len)::"memory");
        return;
    }
#endif
    if (len >= 16) {
        for (size_t i = 0; i + 16 < len; i += 16) {
            __builtin_memcpy(&c, from + i, 16);
            __builtin_memcpy(to + i, &c, 16);
            __asm__ volatile("" ::: "memory"); /* or the compiler makes it a memcpy */
        }
        __builtin_memcpy(&c, from + len - 16, 16); /* the last step overlaps */
        __builtin_memcpy(to + len - 16, &c, 16);
    } else if (len >= 8) {
        __builtin_memcpy(&c.a, from, 8);
        __builtin_memcpy(&c.b, from + len - 8, 8);
        __builtin_memcpy(to, &c.a, 8);
        __builtin_memcpy(to + len - 8, &c.b, 8);
    } else if (len >= 4) {
        uint32_t a, b;

        __builtin_memcpy(&a, from, 4);
        __builtin_memcpy(&b, from + len - 4, 4);
        __builtin_memcpy(to, &a, 4);
        __builtin_memcpy(to + len - 4, &b, 4);
    } else if (len > 0) {
        uint8_t first = from[0], middle = from[len / 2], last = from[len - 1];

        to[0] = first;
        to[len / 2] = middle;
        to[len - 1] = last;
    }
}

#endif
