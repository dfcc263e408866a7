/*
 * symtab_fuzz.c - symbol tables of executables.
 *
 * The file that symtab.c reads is the input: its system calls are replaced.
 */
#include "fuzz.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t *file;
static size_t file_len;

static int open_file(const char *path, int flags, ...)
{
    (void)path;
    (void)flags;
    return 100;
}

static int close_file(int fd)
{
    (void)fd;
    return 0;
}

static int stat_file(int fd, struct stat *st)
{
    (void)fd;
    memset(st, 0, sizeof *st);
    st->st_mode = S_IFREG;
    st->st_size = (off_t)file_len;
    return 0;
}

/* A copy that is aligned as a mapping is, and ends where the file does. */
static void *map_copy(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
    void *copy = aligned_alloc(16, len);

    (void)at;
    (void)prot;
    (void)flags;
    (void)fd;
    (void)off;
    if (copy == NULL)
        return MAP_FAILED;
    memcpy(copy, file, len);
    return copy;
}

static int unmap_copy(void *at, size_t len)
{
    (void)len;
    free(at);
    return 0;
}

#define open open_file
#define close close_file
#define fstat stat_file
#define mmap map_copy
#define munmap unmap_copy
#include "../../cfuzz-test/base/symtab.c"
#undef open
#undef close
#undef fstat
#undef mmap
#undef munmap

FUZZ_SETUP(FuzzSymbolTable)(cfuzz_f *f)
{
    struct {
        Elf64_Ehdr eh;
        Elf64_Shdr sh[5];
        Elf64_Sym sym[4];
        char str[24], names[48], never[16];
    } elf = {.str = "\0parse\0__parse\0die",
             .names = "\0.symtab\0.strtab\0" CFZ_SECTION_NORETURN "\0.shstrtab",
             .never = "die\0\0panic"};

    memcpy(elf.eh.e_ident, ELFMAG, SELFMAG);
    elf.eh.e_ident[EI_CLASS] = ELFCLASS64;
    elf.eh.e_shentsize = sizeof(Elf64_Shdr);
    elf.eh.e_shoff = (uint64_t)((uint8_t *)elf.sh - (uint8_t *)&elf);
    elf.eh.e_shnum = 5;
    elf.eh.e_shstrndx = 4;
    elf.sh[1] = (Elf64_Shdr){.sh_name = 1,
                             .sh_type = SHT_SYMTAB,
                             .sh_offset = (uint64_t)((uint8_t *)elf.sym - (uint8_t *)&elf),
                             .sh_size = sizeof elf.sym,
                             .sh_link = 2};
    elf.sh[2] = (Elf64_Shdr){.sh_name = 9,
                             .sh_type = SHT_STRTAB,
                             .sh_offset = (uint64_t)((uint8_t *)elf.str - (uint8_t *)&elf),
                             .sh_size = sizeof elf.str};
    elf.sh[3] = (Elf64_Shdr){.sh_name = 17,
                             .sh_type = SHT_PROGBITS,
                             .sh_offset = (uint64_t)((uint8_t *)elf.never - (uint8_t *)&elf),
                             .sh_size = sizeof elf.never};
    elf.sh[4] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                             .sh_offset = (uint64_t)((uint8_t *)elf.names - (uint8_t *)&elf),
                             .sh_size = sizeof elf.names};
    for (unsigned i = 1; i < 4; i++)
        elf.sym[i] = (Elf64_Sym){.st_name = i == 3   ? 15
                                            : i == 2 ? 7
                                                     : 1,
                                 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                 .st_value = i == 3 ? 0x2000 : 0x1000,
                                 .st_size = 0x80};
    cfuzz_add(f, (const uint8_t *)&elf, sizeof elf, UINT64_C(0x1001));
    cfuzz_add(f, (const uint8_t *)&elf, sizeof elf, UINT64_C(0x2000));
}

static bool same(const struct symtab_function *a, const struct symtab_function *b)
{
    return a == b || (a != NULL && b != NULL && a->start == b->start && a->end == b->end &&
                      strcmp(a->name, b->name) == 0);
}

/* Whatever the file holds: names lie in it, one that is found holds the address, and a table that
 * was asked often enough to be sorted gives the answers that it gave before. */
FUZZ_TEST(FuzzSymbolTable, []byte, uint64)
(cfuzz_t *t, const uint8_t *data, size_t len, uint64_t address)
{
    const struct symtab_function *found;
    struct symtab s;

    file = data;
    file_len = len;
    symtab_load(&s, "x.test");
    for (size_t i = 0; i < s.n; i++) {
        const char *name = s.v[i].name, *end = (const char *)s.map + s.map_len;

        CHECK(t, name >= (const char *)s.map && name < end);
        CHECK(t, memchr(name, '\0', (size_t)(end - name)) != NULL);
    }
    found = symtab_find(&s, address);
    CHECK(t, found == NULL || (found->start <= address && found >= s.v && found < s.v + s.n));
    if (s.n > 0) {
        const uint64_t middle = s.v[s.n / 2].start;
        const struct symtab_function *before = symtab_find(&s, middle);

        CHECK(t, before == NULL || before->start == middle);
        s.order->asked = UINT_MAX - 1;
        CHECK(t, same(symtab_find(&s, middle), before) && s.order->v != NULL);
        CHECK(t, same(symtab_find(&s, address), found));
        symtab_never_returns(&s, s.v[0].name);
    }
    symtab_never_returns(&s, "die");
    symtab_release(&s);
    CHECK(t, s.map == NULL && s.v == NULL && s.n == 0);
}
