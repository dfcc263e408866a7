#include <stdio.h>

#include "scale.h"

int main(int argc, char **argv)
{
    double numbers[8];
    int n = argc > 1 ? scale_read(argv[1], numbers, 8) : 0;

    for (int i = 0; i < n; i++)
        printf("%g\n", numbers[i]);
    return n < 0;
}
