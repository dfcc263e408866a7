/*
 * answers.c - what debug_info_answer says of the addresses on standard input, of the file named.
 * What it leaves to llvm-symbolizer is an empty part, "-" and an empty line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "stack/debug_info.h"

int main(int argc, char **argv)
{
    struct cfz_buf answer = CFZ_BUF_INIT;
    struct debug_info d = {0};
    char line[64];

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE <addresses\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        cfz_buf_truncate(&answer, 0);
        if (debug_info_answer(&d, argv[1], strtoull(line, NULL, 16), &answer))
            fputs(cfz_buf_str(&answer), stdout);
        else
            puts("-\n");
    }
    cfz_buf_release(&answer);
    debug_info_release(&d);
    return 0;
}
