/* The smallest and the largest of n values, n > 0. */
#include <stddef.h>
#include <stdint.h>

struct minmax {
    unsigned min, max;
};

struct minmax minmax(const uint8_t *v, size_t n);
