/*
 * debug_info.h - functions and source lines of addresses, from DWARF, as llvm-symbolizer tells them.
 *
 * To start llvm-symbolizer takes longer than all else of a run that crashes at once. libdw, of
 * elfutils, reads the same in the driver. What it is used for is what is common and where both say
 * the same to the byte: functions of C with debug information in the file itself. All else is left
 * to llvm-symbolizer: C++, whose names have to be demangled; functions without debug information;
 * split DWARF. Context: ordinary.
 */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/symtab.h"
#include "core/buf.h"

/* A file that is read. It begins as zeros. */
struct debug_info {
    char *path;          /* NULL: none */
    struct Dwarf *dwarf; /* NULL: without debug information */
    struct symtab symbols;
    int fd;
};

/*
 * debug_info_answer appends the part of an answer (symbolizer.h) for an address in the file at path,
 * which is opened if d is another one. False if llvm-symbolizer has to be asked, and nothing was
 * appended then.
 */
bool debug_info_answer(struct debug_info *d, const char *path, uint64_t address,
                       struct cfz_buf *answer);

void debug_info_release(struct debug_info *d); /* leaves zeros */

#endif
