/*
 * parse.h - names with their length in front.
 */
#ifndef PARSE_H
#define PARSE_H

#include <stddef.h>

/* parse reads a length byte, then so many bytes of name, at p[0..n). Returns the length of the name,
 * or -1 if there is none, or a NUL in it. */
int parse(const unsigned char *p, size_t n);

#endif
