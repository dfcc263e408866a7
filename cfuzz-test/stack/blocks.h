/*
 * blocks.h - basic blocks and loops in the machine code of a function, as llvm-objdump shows it.
 *
 * What tells two loops of one function apart, and where a program was stripped, two places.
 * Context: ordinary.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct block {
    uint64_t start; /* its first instruction */
    uint64_t loop;  /* the first instruction of the outermost loop that it is part of; 0: of none */
};

/*
 * blocks_find stores in *b the block of address at, which lies in the function [start, end) of the
 * file at path; all are addresses in the file. It asks the llvm-objdump that lies beside
 * symbolizer, once for each address. Returns false if nothing is known: there is none, or it does
 * not know this code.
 */
bool blocks_find(const char *symbolizer, const char *path, uint64_t start, uint64_t end,
                 uint64_t at, struct block *b);

/*
 * blocks_read does so from text, what llvm-objdump -d --no-show-raw-insn wrote of the function, for
 * x86-64 or aarch64. A jump through a register or table is taken to lead to each block that no
 * other jump leads to.
 */
bool blocks_read(const char *text, uint64_t at, struct block *b);

#endif
