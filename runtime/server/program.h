/*
 * program.h - makes a test binary of a program that keeps its own main.
 */
#ifndef CFZ_PROGRAM_H
#define CFZ_PROGRAM_H

/* cfz_program does nothing. A link with -u cfz_program takes the constructor beside it out of the
 * archive. Context: any. */
void cfz_program(void);

#endif
