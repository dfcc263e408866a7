/*
 * unwinder.c - see unwinder.h.
 *
 * Formats: DWARF 5, section 6.4 (call frame information, whose programs are run here), and the
 * Linux Standard Base, "Exception Frames" (.eh_frame, .eh_frame_hdr, encodings of pointers). A
 * loaded file says in its program headers where .eh_frame_hdr is, a table sorted by address:
 *
 *     pc -> /proc/pid/maps -> program headers -> .eh_frame_hdr -> FDE -> CIE
 *
 * An FDE (frame description entry) describes one function: for each range of its addresses, how to
 * get the caller's registers. Its CIE (common information entry) holds what many FDEs share. The
 * CFA (canonical frame address) is the value of the stack pointer before the call.
 *
 * The process may have overwritten all that is read here. Whatever it holds, the unwinder reads
 * only inside its own copies, ends, and gives at worst wrong addresses.
 */
#define _GNU_SOURCE
#include "stack/unwinder.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

enum {
    ENTRY_MAX = 16 << 10, /* bytes of an FDE or CIE; guessed: the largest of libc has 1 KiB */
    HEADERS_MAX = 128,    /* program headers of a file; guessed */
    STATES_MAX = 8,       /* rows that a program has remembered; guessed */
    OPERANDS_MAX = 16,    /* values on the stack of an expression; guessed */
    PAGE_OFFSET = 0xfff,  /* the bits of an address within its page */
};

/* The DWARF register that is the pc itself in an expression: 16 on x86-64; aarch64 has none. */
#if defined(__aarch64__)
enum { REG_PC = -1 };
#else
enum { REG_PC = 16 };
#endif

/* Encodings of pointers: a format, and what the value is relative to. */
enum {
    DW_EH_PE_absptr = 0x00,
    DW_EH_PE_uleb128 = 0x01,
    DW_EH_PE_udata2 = 0x02,
    DW_EH_PE_udata4 = 0x03,
    DW_EH_PE_udata8 = 0x04,
    DW_EH_PE_sleb128 = 0x09,
    DW_EH_PE_sdata2 = 0x0a,
    DW_EH_PE_sdata4 = 0x0b,
    DW_EH_PE_sdata8 = 0x0c,
    EH_PE_FORMAT = 0x0f, /* the bits above */

    DW_EH_PE_pcrel = 0x10,   /* relative to the pointer's own address */
    DW_EH_PE_datarel = 0x30, /* in .eh_frame_hdr: relative to its start */
    EH_PE_RELATIVE = 0x70,   /* the bits of both */
};

/* Instructions of an entry's program. The first three hold an operand in their low six bits. */
enum {
    DW_CFA_advance_loc = 0x40,
    DW_CFA_offset = 0x80,
    DW_CFA_restore = 0xc0,
    CFA_PRIMARY = 0xc0, /* the bits that tell those three */
    CFA_OPERAND = 0x3f,

    DW_CFA_nop = 0x00,
    DW_CFA_set_loc = 0x01,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0a,
    DW_CFA_restore_state = 0x0b,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_register = 0x0d,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_AARCH64_negate_ra_state = 0x2d,
    DW_CFA_GNU_args_size = 0x2e,
};

/* Operations of an expression, as far as evaluate() knows them. */
enum {
    DW_OP_deref = 0x06,
    DW_OP_const1u = 0x08,
    DW_OP_const2u = 0x0a,
    DW_OP_const4u = 0x0c,
    DW_OP_constu = 0x10,
    DW_OP_consts = 0x11,
    DW_OP_dup = 0x12,
    DW_OP_and = 0x1a,
    DW_OP_minus = 0x1c,
    DW_OP_plus = 0x22,
    DW_OP_plus_uconst = 0x23,
    DW_OP_shl = 0x24,
    DW_OP_ge = 0x2a,
    DW_OP_lit0 = 0x30,
    DW_OP_lit31 = 0x4f,
    DW_OP_breg0 = 0x70,
    DW_OP_breg31 = 0x8f,
};

static bool read_memory(pid_t pid, uint64_t at, void *to, size_t len)
{
    struct iovec local = {to, len}, remote = {(void *)(uintptr_t)at, len};

    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* ---- reading bytes --------------------------------------------------------------------- */

/*
 * An entry is copied before it is read, and read by a cursor. Lengths and encodings in it are not
 * trusted: a cursor never leaves its copy.
 */

/* Bytes copied from the process. Reading beyond their end gives 0 and marks the cursor bad. */
struct cursor {
    const uint8_t *at, *end;
    uint64_t address; /* of at, in the process */
    bool bad;
};

static uint64_t take(struct cursor *c, size_t n)
{
    uint64_t v = 0;

    if ((size_t)(c->end - c->at) < n) {
        c->bad = true;
        return 0;
    }
    memcpy(&v, c->at, n); /* little-endian, as both machines are */
    c->at += n;
    c->address += n;
    return v;
}

/* A LEB128 number: seven bits a byte, the lowest first; the top bit says that more follow. A signed
 * one is extended with bit 6 of its last byte. Bits beyond 64 are dropped. */
static uint64_t take_leb(struct cursor *c, bool is_signed)
{
    uint64_t v = 0, byte;
    unsigned shift = 0;

    do {
        byte = take(c, 1);
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while ((byte & 0x80) != 0 && !c->bad);
    if (is_signed && (byte & 0x40) != 0 && shift < 64)
        v |= UINT64_MAX << shift;
    return v;
}

static uint64_t take_uleb(struct cursor *c)
{
    return take_leb(c, false);
}

static int64_t take_sleb(struct cursor *c)
{
    return (int64_t)take_leb(c, true);
}

/* A cursor over the next n bytes alone; c moves behind them. */
static struct cursor take_block(struct cursor *c, uint64_t n)
{
    struct cursor block = *c;

    if ((uint64_t)(c->end - c->at) < n) {
        c->bad = block.bad = true;
        return block;
    }
    block.end = c->at + n;
    c->at += n;
    c->address += n;
    return block;
}

/* A pointer in encoding enc. data is what a data-relative one is relative to. */
static uint64_t take_pointer(struct cursor *c, uint8_t enc, uint64_t data)
{
    uint64_t here = c->address, v;

    switch (enc & EH_PE_FORMAT) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        v = take(c, 8);
        break;
    case DW_EH_PE_uleb128:
        v = take_uleb(c);
        break;
    case DW_EH_PE_udata2:
        v = take(c, 2);
        break;
    case DW_EH_PE_udata4:
        v = take(c, 4);
        break;
    case DW_EH_PE_sleb128:
        v = (uint64_t)take_sleb(c);
        break;
    case DW_EH_PE_sdata2:
        v = (uint64_t)(int64_t)(int16_t)take(c, 2);
        break;
    case DW_EH_PE_sdata4:
        v = (uint64_t)(int64_t)(int32_t)take(c, 4);
        break;
    default:
        c->bad = true;
        return 0;
    }
    switch (enc & EH_PE_RELATIVE) {
    case DW_EH_PE_absptr:
        return v;
    case DW_EH_PE_pcrel:
        return here + v;
    case DW_EH_PE_datarel:
        return data + v;
    default:
        c->bad = true;
        return 0;
    }
}

/* ---- finding the entry of an address --------------------------------------------------- */

/*
 * From a pc to its FDE and CIE. The list of mappings comes from the kernel. The headers and tables
 * that it leads to lie in memory of the process, so each number is checked before it is used.
 */

/* The address at which the file that holds pc is mapped, or 0 where no file is. */
static uint64_t find_file(pid_t pid, uint64_t pc)
{
    char path[64], line[512];
    uint64_t base = 0;
    unsigned long long start, end, offset;
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    if (maps == NULL)
        return 0;
    while (fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%llx-%llx %*4s %llx", &start, &end, &offset) != 3)
            continue;
        if (offset == 0)
            base = start; /* the parts of a file follow each other */
        if (pc >= start && pc < end) {
            fclose(maps);
            return base;
        }
    }
    fclose(maps);
    return 0;
}

/* The address of .eh_frame_hdr of the file at base, or 0. */
static uint64_t find_table(pid_t pid, uint64_t base)
{
    Elf64_Ehdr eh;
    uint64_t bias = base, table = 0;
    bool loaded = false;

    if (!read_memory(pid, base, &eh, sizeof eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
        eh.e_phentsize != sizeof(Elf64_Phdr) || eh.e_phnum > HEADERS_MAX)
        return 0;
    for (unsigned i = 0; i < eh.e_phnum; i++) {
        Elf64_Phdr ph;

        if (!read_memory(pid, base + eh.e_phoff + i * sizeof ph, &ph, sizeof ph))
            return 0;
        if (ph.p_type == PT_LOAD && !loaded) {
            bias = base - (ph.p_vaddr & ~(uint64_t)PAGE_OFFSET);
            loaded = true;
        }
        if (ph.p_type == PT_GNU_EH_FRAME)
            table = ph.p_vaddr;
    }
    return table != 0 ? bias + table : 0;
}

/* The address of the last FDE that begins at pc or before it, or 0. If the process has disordered
 * the sorted table, that is some other entry; parse_fde checks the range of any. */
static uint64_t find_entry(pid_t pid, uint64_t table, uint64_t pc)
{
    uint8_t head[32];
    int32_t pair[2];
    struct cursor c = {head, head + sizeof head, table, false};
    uint8_t frame_enc, count_enc, table_enc;
    uint64_t n, low = 0, first;

    if (!read_memory(pid, table, head, sizeof head) || take(&c, 1) != 1)
        return 0;
    frame_enc = (uint8_t)take(&c, 1);
    count_enc = (uint8_t)take(&c, 1);
    table_enc = (uint8_t)take(&c, 1);
    take_pointer(&c, frame_enc, table);
    n = take_pointer(&c, count_enc, table);
    first = c.address;
    /* All linkers write this encoding of the table. */
    if (c.bad || table_enc != (DW_EH_PE_datarel | DW_EH_PE_sdata4) || n == 0 || n > UINT32_MAX)
        return 0;
    while (n > 1) { /* the entry is in [low, low + n), if it is there */
        uint64_t half = n / 2;

        if (!read_memory(pid, first + (low + half) * sizeof pair, pair, sizeof pair))
            return 0;
        if (table + (uint64_t)(int64_t)pair[0] <= pc) {
            low += half;
            n -= half;
        } else {
            n = half;
        }
    }
    if (!read_memory(pid, first + low * sizeof pair, pair, sizeof pair) ||
        table + (uint64_t)(int64_t)pair[0] > pc)
        return 0;
    return table + (uint64_t)(int64_t)pair[1];
}

/* An FDE with its CIE. */
struct entry {
    uint8_t fde[ENTRY_MAX], cie[ENTRY_MAX]; /* what the cursors read */
    struct cursor first, then;              /* the programs of CIE and FDE */
    uint64_t start, code_align;
    int64_t data_align;
    uint64_t return_reg; /* the register that holds the return address; below UNWIND_REGS */
    bool signal_frame;   /* the caller was interrupted: its pc is not a return address */
};

/* Copies the entry at address, without its length, and sets *c to it. */
static bool read_entry(pid_t pid, uint64_t address, uint8_t *to, struct cursor *c)
{
    uint32_t len;

    if (!read_memory(pid, address, &len, sizeof len) || len < 4 || len > ENTRY_MAX ||
        !read_memory(pid, address + sizeof len, to, len))
        return false;
    *c = (struct cursor){to, to + len, address + sizeof len, false};
    return true;
}

/* Reads the CIE at address into e. *fde_enc is how its FDEs encode addresses; *sized: each has a
 * block of augmentation data. */
static bool parse_cie(pid_t pid, uint64_t address, struct entry *e, uint8_t *fde_enc, bool *sized)
{
    struct cursor c, data;
    char augmentation[16];
    size_t n = 0;
    uint64_t version;

    *fde_enc = 0;
    *sized = false;
    if (!read_entry(pid, address, e->cie, &c) || take(&c, 4) != 0)
        return false;
    version = take(&c, 1);
    do {
        augmentation[n] = (char)take(&c, 1);
    } while (augmentation[n] != '\0' && ++n < sizeof augmentation);
    if (n == sizeof augmentation || (version != 1 && version != 3))
        return false; /* 1 and 3: the versions of .eh_frame */
    e->code_align = take_uleb(&c);
    e->data_align = take_sleb(&c);
    e->return_reg = version == 1 ? take(&c, 1) : take_uleb(&c);
    if (augmentation[0] == 'z') {
        *sized = true;
        data = take_block(&c, take_uleb(&c));
        for (const char *a = augmentation + 1; *a != '\0'; a++) {
            if (*a == 'R') { /* the encoding of addresses */
                *fde_enc = (uint8_t)take(&data, 1);
            } else if (*a == 'P') { /* the personality routine */
                uint8_t enc = (uint8_t)take(&data, 1);

                take_pointer(&data, enc, 0);
            } else if (*a == 'L') { /* the encoding of language-specific data */
                take(&data, 1);
            } else if (*a == 'S') {
                e->signal_frame = true;
            } else if (*a != 'B') { /* B: return addresses are signed with key B */
                break;              /* unknown: what follows is skipped with the block */
            }
        }
    } else if (augmentation[0] != '\0') {
        return false;
    }
    e->first = c;
    return !c.bad && e->return_reg < UNWIND_REGS;
}

/* Reads the FDE at address and its CIE into e. False if it does not describe pc. */
static bool parse_fde(pid_t pid, uint64_t address, uint64_t pc, struct entry *e)
{
    struct cursor c;
    uint64_t here, back, range;
    uint8_t enc;
    bool sized;

    e->signal_frame = false;
    if (!read_entry(pid, address, e->fde, &c))
        return false;
    here = c.address;
    back = take(&c, 4);
    if (back == 0 || !parse_cie(pid, here - back, e, &enc, &sized))
        return false;
    e->start = take_pointer(&c, enc, 0);
    range = take_pointer(&c, enc & EH_PE_FORMAT, 0);
    if (sized)
        take_block(&c, take_uleb(&c));
    e->then = c;
    return !c.bad && pc >= e->start && pc - e->start < range;
}

/* ---- running the entry's programs ------------------------------------------------------ */

/*
 * A program makes a row: the rule for each register of the caller at one address. Rules may hold
 * expressions, programs of a small stack machine. Neither can jump, so both end. Numbers of
 * registers and depths of stacks come from the process and are checked here.
 */

/* Where the caller's value of a register is. */
enum rule_kind {
    RULE_SAME,           /* unchanged */
    RULE_UNDEFINED,      /* lost */
    RULE_OFFSET,         /* in memory at CFA + n */
    RULE_VAL_OFFSET,     /* CFA + n itself */
    RULE_REGISTER,       /* in register n */
    RULE_EXPRESSION,     /* in memory at the address that the expression gives */
    RULE_VAL_EXPRESSION, /* what the expression gives */
};

struct rule {
    enum rule_kind kind;
    int64_t n;
    struct cursor expression;
};

struct row {
    struct rule reg[UNWIND_REGS];
    struct rule cfa;    /* RULE_REGISTER or RULE_VAL_EXPRESSION */
    int64_t cfa_offset; /* added to the register */
};

/* Sets the rule of a register. Those that are not followed, vector registers say, are left out. */
static void set_rule(struct row *r, uint64_t reg, enum rule_kind kind, int64_t n)
{
    if (reg < UNWIND_REGS)
        r->reg[reg] = (struct rule){.kind = kind, .n = n};
}

static void set_expression(struct row *r, uint64_t reg, enum rule_kind kind, struct cursor block)
{
    if (reg < UNWIND_REGS)
        r->reg[reg] = (struct rule){.kind = kind, .expression = block};
}

/* n in units of the CIE's data alignment. Unsigned, so that no value overflows. */
static int64_t scaled(uint64_t n, const struct entry *e)
{
    return (int64_t)(n * (uint64_t)e->data_align);
}

/* Runs program c on *r up to the row of pc. initial is the row that the CIE's program made, for
 * DW_CFA_restore, and NULL while that program runs. False for what is malformed or not known. */
static bool run(const struct entry *e, struct cursor c, uint64_t pc, struct row *r,
                const struct row *initial)
{
    static struct row states[STATES_MAX];
    uint64_t loc = e->start, reg;
    unsigned nstates = 0;

    while (c.at < c.end && !c.bad && loc <= pc) {
        uint8_t op = (uint8_t)take(&c, 1), low = op & CFA_OPERAND;

        switch (op & CFA_PRIMARY) {
        case DW_CFA_advance_loc:
            loc += low * e->code_align;
            continue;
        case DW_CFA_offset:
            set_rule(r, low, RULE_OFFSET, scaled(take_uleb(&c), e));
            continue;
        case DW_CFA_restore:
            if (initial != NULL && low < UNWIND_REGS)
                r->reg[low] = initial->reg[low];
            continue;
        default:
            break;
        }
        switch (op) {
        case DW_CFA_nop:
        case DW_CFA_AARCH64_negate_ra_state:
            break;
        case DW_CFA_set_loc: /* not used in .eh_frame */
            return false;
        case DW_CFA_advance_loc1:
            loc += take(&c, 1) * e->code_align;
            break;
        case DW_CFA_advance_loc2:
            loc += take(&c, 2) * e->code_align;
            break;
        case DW_CFA_advance_loc4:
            loc += take(&c, 4) * e->code_align;
            break;
        case DW_CFA_offset_extended:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_OFFSET, scaled(take_uleb(&c), e));
            break;
        case DW_CFA_restore_extended:
            reg = take_uleb(&c);
            if (initial != NULL && reg < UNWIND_REGS)
                r->reg[reg] = initial->reg[reg];
            break;
        case DW_CFA_undefined:
            set_rule(r, take_uleb(&c), RULE_UNDEFINED, 0);
            break;
        case DW_CFA_same_value:
            set_rule(r, take_uleb(&c), RULE_SAME, 0);
            break;
        case DW_CFA_register:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_REGISTER, (int64_t)take_uleb(&c));
            break;
        case DW_CFA_remember_state:
            if (nstates == STATES_MAX)
                return false;
            states[nstates++] = *r;
            break;
        case DW_CFA_restore_state:
            if (nstates == 0)
                return false;
            *r = states[--nstates];
            break;
        case DW_CFA_def_cfa:
        case DW_CFA_def_cfa_sf:
            r->cfa = (struct rule){.kind = RULE_REGISTER, .n = (int64_t)take_uleb(&c)};
            r->cfa_offset =
                op == DW_CFA_def_cfa ? (int64_t)take_uleb(&c) : scaled((uint64_t)take_sleb(&c), e);
            break;
        case DW_CFA_def_cfa_register:
            r->cfa = (struct rule){.kind = RULE_REGISTER, .n = (int64_t)take_uleb(&c)};
            break;
        case DW_CFA_def_cfa_offset:
            r->cfa_offset = (int64_t)take_uleb(&c);
            break;
        case DW_CFA_def_cfa_offset_sf:
            r->cfa_offset = scaled((uint64_t)take_sleb(&c), e);
            break;
        case DW_CFA_def_cfa_expression:
            r->cfa = (struct rule){.kind = RULE_VAL_EXPRESSION};
            r->cfa.expression = take_block(&c, take_uleb(&c));
            break;
        case DW_CFA_expression:
        case DW_CFA_val_expression:
            reg = take_uleb(&c);
            set_expression(r, reg, op == DW_CFA_expression ? RULE_EXPRESSION : RULE_VAL_EXPRESSION,
                           take_block(&c, take_uleb(&c)));
            break;
        case DW_CFA_offset_extended_sf:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_OFFSET, scaled((uint64_t)take_sleb(&c), e));
            break;
        case DW_CFA_val_offset:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_VAL_OFFSET, scaled(take_uleb(&c), e));
            break;
        case DW_CFA_val_offset_sf:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_VAL_OFFSET, scaled((uint64_t)take_sleb(&c), e));
            break;
        case DW_CFA_GNU_args_size:
            take_uleb(&c);
            break;
        default:
            return false;
        }
    }
    return !c.bad;
}

/* How many values op needs on the stack. */
static unsigned operands_of(uint8_t op)
{
    switch (op) {
    case DW_OP_and:
    case DW_OP_minus:
    case DW_OP_plus:
    case DW_OP_shl:
    case DW_OP_ge:
        return 2;
    case DW_OP_deref:
    case DW_OP_dup:
    case DW_OP_plus_uconst:
        return 1;
    default:
        return 0;
    }
}

/*
 * Evaluates an expression with the registers of a frame at pc; *initial, if not NULL, is pushed
 * first. Knows the operations that linkers use (for lazy binding) and the C library (for signal
 * frames), and returns false for others.
 */
static bool evaluate(pid_t pid, struct cursor c, const uint64_t regs[UNWIND_REGS], uint64_t pc,
                     const uint64_t *initial, uint64_t *result)
{
    uint64_t v[OPERANDS_MAX + 1] = {0}; /* v[n] is the top; v[0] is below the first */
    unsigned n = 0;

    if (initial != NULL)
        v[++n] = *initial;
    while (c.at < c.end && !c.bad) {
        uint8_t op = (uint8_t)take(&c, 1);
        unsigned needed = operands_of(op);

        if (n < needed || n == OPERANDS_MAX)
            return false;
        if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
            v[++n] = op - DW_OP_lit0;
        } else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
            int i = op - DW_OP_breg0;

            v[++n] = (i == REG_PC ? pc : regs[i]) + (uint64_t)take_sleb(&c);
        } else if (op == DW_OP_deref) {
            if (!read_memory(pid, v[n], &v[n], sizeof v[n]))
                return false;
        } else if (op == DW_OP_const1u || op == DW_OP_const2u || op == DW_OP_const4u) {
            v[n + 1] = take(&c, (size_t)1 << (op - DW_OP_const1u) / 2);
            n++;
        } else if (op == DW_OP_constu) {
            v[++n] = take_uleb(&c);
        } else if (op == DW_OP_consts) {
            v[++n] = (uint64_t)take_sleb(&c);
        } else if (op == DW_OP_dup) {
            v[n + 1] = v[n];
            n++;
        } else if (op == DW_OP_plus_uconst) {
            v[n] += take_uleb(&c);
        } else if (needed == 2) {
            uint64_t b = v[n--];

            switch (op) {
            case DW_OP_and:
                v[n] &= b;
                break;
            case DW_OP_minus:
                v[n] -= b;
                break;
            case DW_OP_plus:
                v[n] += b;
                break;
            case DW_OP_shl:
                v[n] = b < 64 ? v[n] << b : 0;
                break;
            default: /* DW_OP_ge */
                v[n] = (int64_t)v[n] >= (int64_t)b;
                break;
            }
        } else {
            return false;
        }
    }
    *result = v[n];
    return n > 0 && !c.bad;
}

/* ---- one frame ------------------------------------------------------------------------- */

/*
 * A step goes from a function to its caller: by the tables, or by the frame pointer where there are
 * none. It must move up the stack, but out of a signal's handler, which may have a stack of its
 * own. Whatever the process did to its stack, unwind_stack ends after CFZ_FRAMES_MAX frames.
 */

/* The registers in one function of the stack. */
struct state {
    uint64_t pc, regs[UNWIND_REGS];
    bool exact; /* pc is the next instruction, not a return address */
};

/* Stores in *to the value that register i has in the caller, by rule. One that is lost is 0. */
static bool apply(pid_t pid, const struct state *s, const struct rule *rule, uint64_t cfa,
                  unsigned i, uint64_t *to)
{
    uint64_t at;

    switch (rule->kind) {
    case RULE_SAME:
        *to = s->regs[i];
        return true;
    case RULE_OFFSET:
        return read_memory(pid, cfa + (uint64_t)rule->n, to, sizeof *to);
    case RULE_VAL_OFFSET:
        *to = cfa + (uint64_t)rule->n;
        return true;
    case RULE_REGISTER:
        *to = rule->n >= 0 && rule->n < UNWIND_REGS ? s->regs[rule->n] : 0;
        return true;
    case RULE_EXPRESSION:
        return evaluate(pid, rule->expression, s->regs, s->pc, &cfa, &at) &&
               read_memory(pid, at, to, sizeof *to);
    case RULE_VAL_EXPRESSION:
        return evaluate(pid, rule->expression, s->regs, s->pc, &cfa, to);
    default:
        *to = 0;
        return true;
    }
}

/* Goes to the caller by the tables. */
static bool step_by_table(pid_t pid, struct state *s)
{
    static struct entry e;
    static struct row initial, row;
    uint64_t pc = s->pc - (s->exact ? 0 : 1), base = find_file(pid, pc), table, fde, cfa;
    struct state caller = *s;

    if (base == 0 || (table = find_table(pid, base)) == 0 ||
        (fde = find_entry(pid, table, pc)) == 0 || !parse_fde(pid, fde, pc, &e))
        return false;
    memset(&initial, 0, sizeof initial);
    if (!run(&e, e.first, UINT64_MAX, &initial, NULL))
        return false;
    row = initial;
    if (!run(&e, e.then, pc, &row, &initial))
        return false;
    if (row.cfa.kind == RULE_VAL_EXPRESSION) {
        if (!evaluate(pid, row.cfa.expression, s->regs, s->pc, NULL, &cfa))
            return false;
    } else if (row.cfa.kind == RULE_REGISTER && row.cfa.n >= 0 && row.cfa.n < UNWIND_REGS) {
        cfa = s->regs[row.cfa.n] + (uint64_t)row.cfa_offset;
    } else {
        return false;
    }
    /* The stack grows down, so a caller's frame is above. A signal's stack may be anywhere, and the
     * innermost function may not have a frame yet. */
    if (cfa <= s->regs[UNWIND_SP] && !e.signal_frame && !(s->exact && cfa == s->regs[UNWIND_SP]))
        return false;
    caller.regs[UNWIND_SP] = cfa;
    for (unsigned i = 0; i < UNWIND_REGS; i++) {
        if (i == UNWIND_SP && row.reg[i].kind == RULE_SAME)
            continue;
        if (!apply(pid, s, &row.reg[i], cfa, i, &caller.regs[i]))
            return false;
    }
    caller.pc = caller.regs[e.return_reg];
    caller.exact = e.signal_frame;
    *s = caller;
    return true;
}

/* Goes to the caller by the frame pointer, which points to the caller's and the return address. */
static bool step_by_pointer(pid_t pid, struct state *s)
{
    uint64_t fp = s->regs[UNWIND_FP], frame[2];

    if (fp == 0 || fp % sizeof fp != 0 || fp < s->regs[UNWIND_SP] ||
        !read_memory(pid, fp, frame, sizeof frame))
        return false;
    s->pc = frame[1];
    s->regs[UNWIND_SP] = fp + sizeof frame;
    s->regs[UNWIND_FP] = frame[0];
    s->exact = false;
    return true;
}

void unwind_stack(pid_t pid, uint64_t pc, const uint64_t regs[UNWIND_REGS], struct stack *st)
{
    struct state s = {.pc = pc, .exact = true};

    memcpy(s.regs, regs, sizeof s.regs);
    st->n = 0;
    while (s.pc != 0 && st->n < CFZ_FRAMES_MAX) {
        st->pc[st->n++] = s.pc;
        if (!step_by_table(pid, &s) && !step_by_pointer(pid, &s))
            return;
    }
}
