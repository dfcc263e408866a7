/*
 * sanitizer_probe.h - whether the compiler has some sanitizers, and this machine runs what they
 * make. Context: ordinary.
 */
#ifndef SANITIZER_PROBE_H
#define SANITIZER_PROBE_H

#include "cli/options.h"

/*
 * sanitizer_probe builds an empty program with opt's sanitizers, and runs it. *lacking is NULL if
 * that went well, or says what is wrong, and is freed by free: "clang-19 cannot link it: ...; it is
 * in libclang-rt-19-dev". With -n, and where there are none, nothing is tried. Errors are those of
 * compiler_find, and CFZ_EIO.
 */
int sanitizer_probe(const struct options *opt, char **lacking, struct cfz_error *err);

#endif
