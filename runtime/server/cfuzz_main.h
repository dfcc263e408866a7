/*
 * cfuzz_main.h - the modes of a test binary.
 */
#ifndef CFZ_CFUZZ_MAIN_H
#define CFZ_CFUZZ_MAIN_H

/*
 * cfz_main is all of main(). If a driver started the program, it is an origin; otherwise it runs
 * stand-alone. Projects with a main() of their own call it. Returns the exit status.
 */
int cfz_main(int argc, char **argv);

#endif
