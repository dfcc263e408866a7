/*
 * reproducer.h - "cfuzz-test show": an input as a C program of its own, which calls the test with
 * it and needs nothing of cfuzz but the header.
 *
 * The program includes the source that the test stands in, so that it reaches a static function,
 * and has functions of its own in place of those of cfuzz.h. Values of []byte and string are copied
 * to memory of their exact size, so that AddressSanitizer and valgrind see what reads past it.
 * Context: ordinary.
 */
#ifndef REPRODUCER_H
#define REPRODUCER_H

#include "core/buf.h"
#include "core/value.h"
#include "test/run.h"

/*
 * reproducer_package appends the program for input, "FuzzX/1f0c" or "FuzzX/seed#0" of the binary's
 * package. file is what the program will be called in the command to compile it; NULL stands for
 * _repro.c, of a test in C++ _repro.cc. CFZ_EUSAGE
 * "FuzzX/1f0c: no such seed", or no such test; CFZ_EFORMAT: the seed is malformed; and the errors
 * of session_open and host_start.
 */
int reproducer_package(const struct options *opt, const struct test_binary *bin, const char *input,
                       const char *file, struct cfz_buf *out, struct cfz_error *err);

/* reproducer_value appends v as an expression of C, where data is that of number i. Exposed for
 * tests. CFZ_ENOMEM. */
int reproducer_value(const struct cfz_value *v, size_t i, struct cfz_buf *out,
                     struct cfz_error *err);

#endif
