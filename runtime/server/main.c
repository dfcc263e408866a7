/*
 * main.c - main() alone, in an archive of its own: a project may bring its own.
 */
#include "server/cfuzz_main.h"

int main(int argc, char **argv)
{
    return cfz_main(argc, argv);
}
