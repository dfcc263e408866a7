/* Compiled into the package beside this directory by its //cfuzz:sources line. */
#include "minmax.h"

struct minmax minmax(const uint8_t *v, size_t n)
{
    struct minmax m = {v[0], v[0]};

    for (size_t i = 1; i < n; i++) {
        if (v[i] < m.min)
            m.min = v[i];
        if (v[i] > m.max)
            m.max = v[i];
    }
    return m;
}
