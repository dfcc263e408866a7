/*
 * deflate.h - a deflate stream whose blocks and codes are drawn, for a mutation that compresses
 * anew.
 *
 * Programs that read deflate meet few kinds of it: compressors make codes by how often symbols
 * occur, so those of a small input are short and fill one table. Here every code that RFC 1951
 * allows can come: long ones, ones for symbols that do not occur, a single one. Nothing here
 * allocates. Context: target.
 */
#ifndef CFZ_DEFLATE_H
#define CFZ_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/rand.h"

/*
 * cfz_deflate writes a deflate stream that holds in[0..n) to out[0..room), and returns its size; 0:
 * it is larger than room. Blocks, what is a copy of something before, and codes are drawn from r.
 */
size_t cfz_deflate(struct cfz_rand *r, const uint8_t *in, size_t n, uint8_t *out, size_t room);

#endif
