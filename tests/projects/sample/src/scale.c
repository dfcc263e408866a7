#include "scale.h"

#include <math.h>
#include <stdlib.h>

int scale_read(const char *text, double *out, int max)
{
    double largest = 0;
    int n = 0;

    while (*text != '\0') {
        char *end;

        if (n == max || n == SCALE_MAX)
            return -1;
        out[n] = strtod(text, &end);
        if (end == text || isnan(out[n]) || isinf(out[n]))
            return -1;
        largest = fmax(largest, fabs(out[n]));
        n++;
        text = end;
        while (*text == ' ')
            text++;
    }
    for (int i = 0; i < n && largest > 0; i++)
        out[i] = fmod(out[i], 2 * largest) / largest;
    return n;
}
