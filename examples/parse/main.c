/*
 * main.c - prints the name that stands in the standard input, its length in front.
 */
#include <stdio.h>

#include "parse.h"

int main(void)
{
    unsigned char text[256];
    size_t n = fread(text, 1, sizeof text, stdin);
    int len = parse(text, n);

    if (len < 0) {
        fputs("no name\n", stderr);
        return 1;
    }
    printf("%.*s\n", len, (const char *)text + 1);
    return 0;
}
