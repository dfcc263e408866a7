/*
 * debug_info.c - see debug_info.h.
 */
#define _GNU_SOURCE
#include "stack/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 }; /* functions inlined into each other; guessed */

/* ---- files ------------------------------------------------------------------------------ */

void debug_info_release(struct debug_info *d)
{
    if (d->path == NULL)
        return;
    dwarf_end(d->dwarf);
    symtab_release(&d->symbols);
    if (d->fd >= 0)
        close(d->fd);
    free(d->path);
    *d = (struct debug_info){0};
}

static bool open_file(struct debug_info *d, const char *path)
{
    if (d->path != NULL && strcmp(d->path, path) == 0)
        return d->dwarf != NULL;
    debug_info_release(d);
    d->path = strdup(path);
    if (d->path == NULL)
        return false;
    symtab_load(&d->symbols, path);
    d->fd = open(path, O_RDONLY | O_CLOEXEC);
    d->dwarf = d->fd >= 0 && symtab_is_elf(path) ? dwarf_begin(d->fd, DWARF_C_READ) : NULL;
    return d->dwarf != NULL;
}

/* ---- functions -------------------------------------------------------------------------- */

/* The functions that an address lies in, outermost first: the function, what is inlined there. */
struct chain {
    Dwarf_Die v[DEPTH_MAX];
    size_t n;
};

/* Finds what of die holds pc, below it. False if it is too deep. */
static bool descend(Dwarf_Die *die, Dwarf_Addr pc, struct chain *c)
{
    Dwarf_Die child;

    if (dwarf_child(die, &child) != 0)
        return true;
    do {
        int tag = dwarf_tag(&child);

        if ((tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
             tag != DW_TAG_lexical_block) ||
            dwarf_haspc(&child, pc) != 1)
            continue;
        if (tag != DW_TAG_lexical_block) {
            if (c->n == DEPTH_MAX)
                return false;
            c->v[c->n++] = child;
        }
        return descend(&child, pc, c);
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

/* Whether the names of a unit are those of its symbols: C alone. */
static bool is_c(Dwarf_Die *unit)
{
    switch (dwarf_srclang(unit)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
#ifdef DW_LANG_C17
    case DW_LANG_C17:
#endif
        return true;
    }
    return false;
}

/* Finds the unit that holds pc. */
static bool find_unit(Dwarf *dwarf, Dwarf_Addr pc, Dwarf_Die *unit)
{
    Dwarf_CU *cu = NULL;
    uint8_t type;

    while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, unit, NULL) == 0) {
        if (type != DW_UT_type && dwarf_haspc(unit, pc) == 1)
            return type == DW_UT_compile;
    }
    return false;
}

static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

    return name != NULL ? name : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute attr;
    Dwarf_Word n = 0;

    dwarf_formudata(dwarf_attr(die, attribute, &attr), &n);
    return n;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* Appends a frame: the function die, at line and column of a source. */
static bool put(struct cfz_buf *answer, const char *function, const char *source, uint64_t line,
                uint64_t column)
{
    return function != NULL && source != NULL && source[0] == '/' && line > 0 &&
           cfz_buf_printf(answer, NULL, "%s\n%s:%llu:%llu\n", function, source,
                          (unsigned long long)line, (unsigned long long)column) == 0;
}

/* Appends the frames of c in unit, innermost first. The innermost is where the line table has pc,
 * each other one where the next is inlined. */
static bool put_chain(struct debug_info *d, Dwarf_Die *unit, Dwarf_Addr pc, struct chain *c,
                      struct cfz_buf *answer)
{
    Dwarf_Line *at = dwarf_getsrc_die(unit, pc);
    const struct symtab_function *symbol = symtab_find(&d->symbols, pc);
    const char *source = dwarf_linesrc(at, NULL, NULL);
    Dwarf_Files *files = NULL;
    int line = 0, column = 0;

    if (source == NULL || dwarf_lineno(at, &line) != 0 || dwarf_linecol(at, &column) != 0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return false;
    for (size_t i = c->n; i-- > 0;) {
        /* The linker's name is the one that is true: that of a traced copy, or of a part. */
        const char *name = i == 0 && symbol != NULL ? symbol->name : name_of(&c->v[i]);

        if (!put(answer, name, source, (uint64_t)line, (uint64_t)column))
            return false;
        source = dwarf_filesrc(files, number_of(&c->v[i], DW_AT_call_file), NULL, NULL);
        line = (int)number_of(&c->v[i], DW_AT_call_line);
        column = (int)number_of(&c->v[i], DW_AT_call_column);
    }
    return cfz_buf_puts(answer, "\n", NULL) == 0;
}

bool debug_info_answer(struct debug_info *d, const char *path, uint64_t address,
                       struct cfz_buf *answer)
{
    struct chain c = {.n = 0};
    size_t before = answer->len;
    Dwarf_Die unit;

    if (open_file(d, path) && find_unit(d->dwarf, address, &unit) && is_c(&unit) &&
        descend(&unit, address, &c) && c.n > 0 && put_chain(d, &unit, address, &c, answer))
        return true;
    cfz_buf_truncate(answer, before);
    return false;
}
