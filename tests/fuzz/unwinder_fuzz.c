/*
 * unwinder_fuzz.c - the unwinding tables of a process, which may have written over them.
 *
 * The memory of the process is the input: what reads it is replaced.
 */
#include "fuzz.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/uio.h>

static const uint8_t *file;
static size_t file_len;

enum { MEMORY_AT = 0x10000 }; /* where the file is mapped in the process */

/* Reads memory of the process: it has the input, and nothing else. */
static ssize_t read_input(pid_t pid, const struct iovec *local, unsigned long nlocal,
                          const struct iovec *remote, unsigned long nremote, unsigned long flags)
{
    uint64_t at = (uint64_t)(uintptr_t)remote->iov_base;

    (void)pid;
    (void)nlocal;
    (void)nremote;
    (void)flags;
    if (at < MEMORY_AT || at - MEMORY_AT > file_len ||
        remote->iov_len > file_len - (at - MEMORY_AT))
        return -1;
    memcpy(local->iov_base, file + (at - MEMORY_AT), remote->iov_len);
    return (ssize_t)remote->iov_len;
}

/* Its mappings are one line. */
static bool maps_read;

static FILE *open_maps(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    maps_read = false;
    return stdin; /* only read_maps gets it */
}

static char *read_maps(char *line, int size, FILE *maps)
{
    (void)maps;
    if (maps_read)
        return NULL;
    maps_read = true;
    snprintf(line, (size_t)size, "00010000-00110000 r-xp 00000000 00:00 0 /x.test\n");
    return line;
}

static int close_maps(FILE *maps)
{
    (void)maps;
    return 0;
}

#define process_vm_readv read_input
#define fopen open_maps
#define fgets read_maps
#define fclose close_maps
#include "../../cfuzz-test/stack/unwinder.c"
#undef process_vm_readv
#undef fopen
#undef fgets
#undef fclose

/* A file with one function at 0x100, its tables, and a stack with two return addresses into it. */
struct image {
    Elf64_Ehdr eh;
    Elf64_Phdr ph[2];
    uint8_t pad[0x100 - sizeof(Elf64_Ehdr) - 2 * sizeof(Elf64_Phdr)];
    uint8_t code[0x100];
    struct {
        uint8_t version, frame_enc, count_enc, table_enc;
        int32_t frame;
        uint32_t count;
        int32_t table[2];
        uint8_t pad[12];
    } hdr;
    struct {
        uint32_t len, id;
        uint8_t rest[24];
    } cie;
    struct {
        uint32_t len, back;
        int32_t start, range;
        uint8_t rest[16];
    } fde;
    uint64_t stack[16];
};

static void make_image(struct image *m)
{
    /* version 1, "zR", code 1, data -8, register 16, a byte of augmentation: pcrel sdata4;
     * DW_CFA_def_cfa rsp 8; DW_CFA_offset 16 1. */
    static const uint8_t cie[] = {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1};
    /* No augmentation; DW_CFA_advance_loc 1, DW_CFA_def_cfa_offset 16, DW_CFA_offset 6 2, and an
     * expression for the CFA: DW_OP_breg7 8, DW_OP_lit1, DW_OP_plus. */
    static const uint8_t fde[] = {0, 0x41, 0x0e, 16, 0x86, 2, 0x4a, 0x0f, 4, 0x77, 8, 0x38, 0x22};

    memset(m, 0, sizeof *m);
    memcpy(m->eh.e_ident, ELFMAG, SELFMAG);
    m->eh.e_phentsize = sizeof(Elf64_Phdr);
    m->eh.e_phnum = 2;
    m->eh.e_phoff = offsetof(struct image, ph);
    m->ph[0].p_type = PT_LOAD;
    m->ph[1].p_type = PT_GNU_EH_FRAME;
    m->ph[1].p_vaddr = offsetof(struct image, hdr);
    m->hdr.version = 1;
    m->hdr.frame_enc = 0x1b;
    m->hdr.count_enc = 0x03;
    m->hdr.table_enc = 0x3b;
    m->hdr.count = 1;
    m->hdr.table[0] = (int32_t)offsetof(struct image, code) - (int32_t)offsetof(struct image, hdr);
    m->hdr.table[1] = (int32_t)offsetof(struct image, fde) - (int32_t)offsetof(struct image, hdr);
    m->cie.len = sizeof m->cie - 4;
    memcpy(m->cie.rest, cie, sizeof cie);
    m->fde.len = sizeof m->fde - 4;
    m->fde.back = offsetof(struct image, fde.back) - offsetof(struct image, cie);
    m->fde.start =
        (int32_t)offsetof(struct image, code) - (int32_t)offsetof(struct image, fde.start);
    m->fde.range = sizeof m->code;
    memcpy(m->fde.rest, fde, sizeof fde);
    for (unsigned i = 0; i < 16; i++)
        m->stack[i] = MEMORY_AT + offsetof(struct image, code) + 2 + i;
}

FUZZ_SETUP(FuzzUnwind)(cfuzz_f *f)
{
    const uint64_t sp = MEMORY_AT + offsetof(struct image, stack);
    struct image m;

    make_image(&m);
    cfuzz_add(f, (const uint8_t *)&m, sizeof m, MEMORY_AT + offsetof(struct image, code), sp, sp);
    cfuzz_add(f, (const uint8_t *)&m, sizeof m, MEMORY_AT + offsetof(struct image, code) + 20, sp,
              sp);
    cfuzz_add(f, (const uint8_t *)&m, sizeof m, UINT64_C(1), sp, sp + 16);
}

/* Whatever the memory of the process holds, the stack begins with its pc and has an end. */
FUZZ_TEST(FuzzUnwind, []byte, uint64, uint64, uint64)
(cfuzz_t *t, const uint8_t *memory, size_t len, uint64_t pc, uint64_t sp, uint64_t fp)
{
    uint64_t regs[UNWIND_REGS] = {0};
    struct stack st;

    file = memory;
    file_len = len;
    regs[UNWIND_SP] = sp;
    regs[UNWIND_FP] = fp;
    unwind_stack(1, pc, regs, &st);
    CHECK(t, st.n <= CFZ_FRAMES_MAX && (st.n > 0) == (pc != 0));
    for (uint32_t i = 0; i < st.n; i++)
        CHECK(t, st.pc[i] != 0 && (i > 0 || st.pc[i] == pc));
}

/* The programs of an entry alone: a function's tables are reached by few mutations of an image. */
FUZZ_SETUP(FuzzUnwindProgram)(cfuzz_f *f)
{
    struct image m;

    make_image(&m);
    cfuzz_add(f, (const uint8_t *)&m.cie + 4, sizeof m.cie - 4, m.fde.rest, sizeof m.fde.rest, 3u);
    cfuzz_add(f, (const uint8_t *)&m.cie + 4, sizeof m.cie - 4, m.fde.rest, sizeof m.fde.rest, 20u);
}

FUZZ_TEST(FuzzUnwindProgram, []byte, []byte, uint)
(cfuzz_t *t, const uint8_t *cie, size_t cie_len, const uint8_t *program, size_t len, unsigned off)
{
    static uint8_t bytes[sizeof(struct image) + (ENTRY_MAX << 1) + 64];
    const uint64_t sp = MEMORY_AT + offsetof(struct image, stack);
    const uint64_t pc = MEMORY_AT + offsetof(struct image, code) + off % 0x100;
    uint64_t regs[UNWIND_REGS] = {0};
    struct image m;
    struct stack st;
    uint32_t head[4];
    size_t at = sizeof m;

    if (cie_len > ENTRY_MAX || len > ENTRY_MAX - 16)
        return;
    make_image(&m);
    m.hdr.table[1] = (int32_t)(at + 4 + cie_len) - (int32_t)offsetof(struct image, hdr);
    memcpy(bytes, &m, sizeof m);
    head[0] = (uint32_t)cie_len;
    memcpy(bytes + at, head, 4);
    memcpy(bytes + at + 4, cie, cie_len);
    at += 4 + cie_len;
    head[0] = (uint32_t)(12 + len);
    head[1] = (uint32_t)(4 + cie_len + 4);
    head[2] = (uint32_t)((int32_t)offsetof(struct image, code) - (int32_t)(at + 8));
    head[3] = sizeof m.code;
    memcpy(bytes + at, head, 16);
    memcpy(bytes + at + 16, program, len);
    file = bytes;
    file_len = at + 16 + len;
    for (unsigned i = 0; i < UNWIND_REGS; i++)
        regs[i] = sp + 8 * (i % 4);
    regs[UNWIND_SP] = sp;
    unwind_stack(1, pc, regs, &st);
    CHECK(t, st.n > 0 && st.n <= CFZ_FRAMES_MAX && st.pc[0] == pc);
}
