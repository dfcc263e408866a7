/*
 * symtab.h - the functions of an executable, from its own symbol table.
 *
 * It tells which function an address lies in without starting a symbolizer, fast enough to tell
 * crashes apart thousands of times a minute. What the user reads comes from symbolize.h.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symtab_function {
    uint64_t start, end; /* addresses as in the file */
    const char *name;
};

/* Which is sorted once more than a few functions have been asked for. */
struct symtab_order {
    unsigned asked;
    const struct symtab_function **v; /* NULL until then */
};

struct symtab {
    struct symtab_function *v;
    size_t n;
    struct symtab_order *order; /* NULL if v is by start */
    uint64_t *starts; /* of a stripped file: where functions begin, as .eh_frame_hdr has it */
    size_t nstarts;
    const char *never; /* names of functions that never return, each ended by NUL */
    size_t never_len;
    void *map; /* of the file, which the names lie in */
    size_t map_len;
};

#define SYMTAB_INIT                                                                                \
    {                                                                                              \
        NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0                                                       \
    }

/*
 * symtab_load reads the ELF file at path. If it is stripped, not ELF or not there, t is empty, and
 * nothing is found in it. Context: ordinary.
 */
void symtab_load(struct symtab *t, const char *path);

/* symtab_load_exported reads the functions that a shared library exports instead, which it has when
 * it is stripped, too. */
void symtab_load_exported(struct symtab *t, const char *path);

/* symtab_find returns the function that holds address a of the file, or NULL. Borrowed from t. */
const struct symtab_function *symtab_find(const struct symtab *t, uint64_t a);

/*
 * symtab_bounds stores where the function that holds address a begins and ends; of a stripped file
 * too, if it has what exceptions and unwinders need (.eh_frame_hdr). Returns false if that is not
 * known. The last function of a stripped file has no end; it is given one.
 */
bool symtab_bounds(const struct symtab *t, uint64_t a, uint64_t *start, uint64_t *end);

/*
 * symtab_never_returns reports whether the compiler saw that function never returns, by its name.
 * The names are those of CFZ_SECTION_NORETURN (abi.h); without that section the answer is always
 * no.
 */
bool symtab_never_returns(const struct symtab *t, const char *function);

/*
 * symtab_plain_len returns the length of a function's name as the user wrote it: without the suffix
 * of a traced copy (abi.h). Names that symtab_find returns have none.
 */
size_t symtab_plain_len(const char *name, size_t len);

/*
 * symtab_mentions reports whether the ELF file at path has a symbol of that name, its own or one
 * that it uses. *known is false if there is no symbol table to tell.
 */
bool symtab_mentions(const char *path, const char *name, bool *known);

/* symtab_mentions_function is the same for what is no variable there. */
bool symtab_mentions_function(const char *path, const char *name, bool *known);

/* symtab_is_elf tells whether the file at path begins like an ELF file; never waits for a FIFO. */
bool symtab_is_elf(const char *path);

void symtab_release(struct symtab *t); /* leaves INIT */

#endif
