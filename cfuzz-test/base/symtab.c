/*
 * symtab.c - see symtab.h.
 */
#include "base/symtab.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"

/* A table that is asked for no more functions than this is not sorted: the table of the C library
 * alone takes longer to sort than one crash takes otherwise. Guessed. */
enum { ASKED_UNSORTED = 100 };

bool symtab_is_elf(const char *path)
{
    char magic[SELFMAG];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool yes;

    if (fd < 0)
        return false;
    yes = read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
          memcmp(magic, ELFMAG, SELFMAG) == 0;
    close(fd);
    return yes;
}

/* Whether count elements of size bytes each, from off on, lie in the file. */
static bool inside(const struct symtab *t, uint64_t off, uint64_t count, uint64_t size)
{
    return off <= t->map_len && count <= (t->map_len - off) / size;
}

static bool map_file(struct symtab *t, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        t->map_len = (size_t)st.st_size;
        t->map = mmap(NULL, t->map_len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        if (t->map == MAP_FAILED)
            t->map = NULL;
    }
    close(fd);
    return t->map != NULL;
}

/* The section headers of the file, or NULL. */
static const Elf64_Shdr *sections(const struct symtab *t)
{
    const Elf64_Ehdr *e = t->map;

    if (memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 || e->e_ident[EI_CLASS] != ELFCLASS64 ||
        e->e_shentsize != sizeof(Elf64_Shdr) || e->e_shoff % _Alignof(Elf64_Shdr) != 0 ||
        !inside(t, e->e_shoff, e->e_shnum, sizeof(Elf64_Shdr)))
        return NULL;
    return (const Elf64_Shdr *)((const uint8_t *)t->map + e->e_shoff);
}

/* Whether a section lies in the file and is text that ends in NUL. */
static bool is_text(const struct symtab *t, const Elf64_Shdr *sh)
{
    const uint8_t *base = t->map;

    return inside(t, sh->sh_offset, sh->sh_size, 1) && sh->sh_size > 0 &&
           base[sh->sh_offset + sh->sh_size - 1] == '\0';
}

/* The section header of a symbol table of that type, or NULL. */
static const Elf64_Shdr *find_table(const struct symtab *t, uint32_t type,
                                    const Elf64_Shdr **strings)
{
    const Elf64_Ehdr *e = t->map;
    const Elf64_Shdr *sh = sections(t);

    for (unsigned i = 0; sh != NULL && i < e->e_shnum; i++) {
        if (sh[i].sh_type != type || sh[i].sh_link >= e->e_shnum)
            continue;
        *strings = &sh[sh[i].sh_link];
        if (sh[i].sh_offset % _Alignof(Elf64_Sym) == 0 &&
            inside(t, sh[i].sh_offset, sh[i].sh_size, 1) && is_text(t, *strings))
            return &sh[i];
    }
    return NULL;
}

/* Finds the names of functions that never return. */
static void find_never(struct symtab *t)
{
    const Elf64_Ehdr *e = t->map;
    const Elf64_Shdr *sh = sections(t), *names;

    if (sh == NULL || e->e_shstrndx >= e->e_shnum || !is_text(t, &sh[e->e_shstrndx]))
        return;
    names = &sh[e->e_shstrndx];
    for (unsigned i = 0; i < e->e_shnum; i++) {
        const char *name = (const char *)t->map + names->sh_offset + sh[i].sh_name;

        if (sh[i].sh_name >= names->sh_size || strcmp(name, CFZ_SECTION_NORETURN) != 0 ||
            sh[i].sh_type == SHT_NOBITS || !is_text(t, &sh[i]))
            continue;
        t->never = (const char *)t->map + sh[i].sh_offset;
        t->never_len = sh[i].sh_size;
        return;
    }
}

/* Orders by address. Of several names of one function, those with leading underscores come first
 * and so are found: the sanitizers' interceptors have them ("__interceptor_memcpy" before
 * "memcpy"). */
static int compare(const struct symtab_function *x, const struct symtab_function *y)
{
    int names;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    names = strcmp(x->name, y->name);
    return names != 0 ? names : (x->end > y->end) - (x->end < y->end);
}

static int by_start(const void *a, const void *b)
{
    return compare(*(const struct symtab_function *const *)a,
                   *(const struct symtab_function *const *)b);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Reads where functions begin from the table of .eh_frame_hdr (Linux Standard Base, 10.6.2), in the
 * one form that linkers write. */
static void load_starts(struct symtab *t)
{
    /* Version 1, a pointer of four bytes, a count of four, pairs of distances to the table. */
    static const uint8_t form[] = {1, 0x1b, 0x03, 0x3b};
    const Elf64_Ehdr *e = t->map;
    const Elf64_Phdr *p;
    const uint8_t *hdr;
    uint32_t n;

    if (memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 || e->e_ident[EI_CLASS] != ELFCLASS64 ||
        e->e_phentsize != sizeof *p || e->e_phoff % _Alignof(Elf64_Phdr) != 0 ||
        !inside(t, e->e_phoff, e->e_phnum, sizeof *p))
        return;
    p = (const Elf64_Phdr *)((const uint8_t *)t->map + e->e_phoff);
    for (unsigned i = 0; i < e->e_phnum; i++) {
        if (p[i].p_type != PT_GNU_EH_FRAME || p[i].p_filesz < 12 ||
            !inside(t, p[i].p_offset, p[i].p_filesz, 1))
            continue;
        hdr = (const uint8_t *)t->map + p[i].p_offset;
        memcpy(&n, hdr + 8, sizeof n);
        if (memcmp(hdr, form, sizeof form) != 0 || n > (p[i].p_filesz - 12) / 8)
            return;
        t->starts = calloc(n > 0 ? n : 1, sizeof *t->starts);
        for (uint32_t k = 0; t->starts != NULL && k < n; k++) {
            int32_t distance;

            memcpy(&distance, hdr + 12 + (size_t)k * 8, sizeof distance);
            t->starts[t->nstarts++] = p[i].p_vaddr + (uint64_t)(int64_t)distance;
        }
        if (t->nstarts > 0)
            qsort(t->starts, t->nstarts, sizeof *t->starts, by_number);
        return;
    }
}

/* symtab_load, from the table of that type. */
static void load(struct symtab *t, const char *path, uint32_t type)
{
    const Elf64_Shdr *table, *strings;
    const Elf64_Sym *syms;
    size_t n;
    size_t plain;
    char *name;

    *t = (struct symtab)SYMTAB_INIT;
    if (!map_file(t, path))
        return;
    find_never(t);
    table = find_table(t, type, &strings);
    if (table == NULL) {
        if (type == SHT_SYMTAB)
            load_starts(t);
        return;
    }
    syms = (const Elf64_Sym *)((const uint8_t *)t->map + table->sh_offset);
    n = table->sh_size / sizeof *syms;
    t->v = calloc(n > 0 ? n : 1, sizeof *t->v);
    if (t->v == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        if (ELF64_ST_TYPE(syms[i].st_info) != STT_FUNC || syms[i].st_size == 0 ||
            syms[i].st_name >= strings->sh_size)
            continue;
        t->v[t->n].start = syms[i].st_value;
        t->v[t->n].end = syms[i].st_value + syms[i].st_size;
        name = (char *)t->map + strings->sh_offset + syms[i].st_name;
        plain = symtab_plain_len(name, strlen(name));
        if (name[plain] != '\0')
            name[plain] = '\0'; /* the map is our own copy: of a page that is written */
        t->v[t->n++].name = name;
    }
    t->order = calloc(1, sizeof *t->order);
    if (t->order == NULL)
        t->n = 0;
}

/* Sorts the table at the first call that is worth it. Returns whether it is sorted. */
static bool sorted(const struct symtab *t)
{
    struct symtab_order *o = t->order;

    if (o == NULL || o->v != NULL)
        return true;
    if (t->n == 0 || o->asked++ < ASKED_UNSORTED)
        return false;
    o->v = calloc(t->n, sizeof(const struct symtab_function *));
    if (o->v == NULL)
        return false;
    for (size_t i = 0; i < t->n; i++)
        o->v[i] = &t->v[i];
    qsort(o->v, t->n, sizeof(const struct symtab_function *), by_start);
    return true;
}

static const struct symtab_function *at(const struct symtab *t, size_t i)
{
    return t->order != NULL ? t->order->v[i] : &t->v[i];
}

void symtab_load(struct symtab *t, const char *path)
{
    load(t, path, SHT_SYMTAB);
}

void symtab_load_exported(struct symtab *t, const char *path)
{
    load(t, path, SHT_DYNSYM);
}

/* symtab_mentions; objects: also if it is a variable. */
static bool mentions(const char *path, const char *name, bool objects, bool *known)
{
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    struct symtab t = SYMTAB_INIT;
    bool found = false;

    *known = false;
    for (size_t k = 0; map_file(&t, path) && k < 2 && !found; k++) {
        const Elf64_Shdr *strings, *table = find_table(&t, types[k], &strings);
        const Elf64_Sym *syms;

        *known |= table != NULL && types[k] == SHT_SYMTAB;
        if (table != NULL) {
            syms = (const Elf64_Sym *)((const uint8_t *)t.map + table->sh_offset);
            for (size_t i = 0; i < table->sh_size / sizeof *syms && !found; i++)
                found =
                    syms[i].st_name < strings->sh_size &&
                    strcmp((const char *)t.map + strings->sh_offset + syms[i].st_name, name) == 0 &&
                    (objects || (ELF64_ST_TYPE(syms[i].st_info) != STT_OBJECT &&
                                 ELF64_ST_TYPE(syms[i].st_info) != STT_TLS));
        }
        symtab_release(&t);
    }
    symtab_release(&t);
    return found;
}

bool symtab_mentions(const char *path, const char *name, bool *known)
{
    return mentions(path, name, true, known);
}

bool symtab_mentions_function(const char *path, const char *name, bool *known)
{
    return mentions(path, name, false, known);
}

size_t symtab_plain_len(const char *name, size_t len)
{
    /* The second is what demanglers make of the suffix of a C++ function. */
    static const char *const suffixes[] = {CFZ_SUFFIX_TRACED, " (" CFZ_SUFFIX_TRACED ")"};

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t n = strlen(suffixes[i]);

        if (len > n && memcmp(name + len - n, suffixes[i], n) == 0)
            return len - n;
    }
    return len;
}

/* symtab_find in a table without order. Of several that begin at one address the last says where
 * they end, as below. */
static const struct symtab_function *look_through(const struct symtab *t, uint64_t a)
{
    const struct symtab_function *first = NULL, *last = NULL;

    for (const struct symtab_function *f = t->v; f < t->v + t->n; f++) {
        if (f->start > a || (last != NULL && f->start < last->start))
            continue;
        if (last == NULL || f->start > last->start)
            first = last = f;
        else if (compare(f, first) < 0)
            first = f;
        else if (compare(f, last) > 0)
            last = f;
    }
    return last != NULL && a < last->end ? first : NULL;
}

const struct symtab_function *symtab_find(const struct symtab *t, uint64_t a)
{
    size_t lo = 0, hi = t->n;

    if (!sorted(t))
        return look_through(t, a);
    while (lo < hi) { /* the first that starts beyond a */
        size_t mid = lo + (hi - lo) / 2;

        if (at(t, mid)->start <= a)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0 || a >= at(t, lo - 1)->end)
        return NULL;
    for (lo--; lo > 0 && at(t, lo - 1)->start == at(t, lo)->start;)
        lo--; /* the first name of several */
    return at(t, lo);
}

bool symtab_bounds(const struct symtab *t, uint64_t a, uint64_t *start, uint64_t *end)
{
    enum { LAST = 1 << 16 }; /* bytes of the last function; guessed */
    const struct symtab_function *f = symtab_find(t, a);
    size_t lo = 0, hi = t->nstarts;

    if (f != NULL) {
        *start = f->start;
        *end = f->end;
        return true;
    }
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (t->starts[mid] <= a)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0 || (lo == t->nstarts && a - t->starts[lo - 1] >= LAST))
        return false;
    *start = t->starts[lo - 1];
    *end = lo < t->nstarts ? t->starts[lo] : *start + LAST;
    return true;
}

bool symtab_never_returns(const struct symtab *t, const char *function)
{
    /* Linkers may put zeros between the parts of a section. */
    for (size_t at = 0; at < t->never_len; at += strlen(t->never + at) + 1) {
        if (strcmp(t->never + at, function) == 0)
            return true;
    }
    return false;
}

void symtab_release(struct symtab *t)
{
    free(t->v);
    if (t->order != NULL)
        free(t->order->v);
    free(t->order);
    free(t->starts);
    if (t->map != NULL)
        munmap(t->map, t->map_len);
    *t = (struct symtab)SYMTAB_INIT;
}
