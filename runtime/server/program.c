/*
 * program.c - makes a test binary of a program that keeps its own main.
 *
 * cfuzz-cc links it into each program, by -u cfz_program. As the driver starts it, with
 * CFZ_ORIGIN_FLAG, the program is an origin once its constructors have run, and never gets to main.
 * Else it is what it ever was.
 */
#include "server/program.h"

#include <stdlib.h>

#include "server/origin.h"

/*
 * Constructors run in the order of linking, and this archive is linked last. glibc gives them the
 * arguments of main.
 */
__attribute__((constructor)) static void be_origin(int argc, char **argv)
{
    if (argv && cfz_origin_requested(argc, argv))
        exit(cfz_origin_run());
}

void cfz_program(void) {}
