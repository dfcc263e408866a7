/*
 * cfuzz_main.h - the modes of a test binary.
 */
#ifndef CFZ_CFUZZ_MAIN_H
#define CFZ_CFUZZ_MAIN_H

/*
 * cfz_main is all of main(): an origin when the arguments are a driver's, stand-alone
 * otherwise. For projects that bring a main() of their own. Returns the exit status.
 */
int cfz_main(int argc, char **argv);

#endif
