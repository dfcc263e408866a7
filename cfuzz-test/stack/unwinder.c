/*
 * unwinder.c - see unwinder.h.
 *
 * Formats: DWARF 5, section 6.4 (call frame information, whose programs are run here), and the
 * Linux Standard Base, "Exception Frames" (.eh_frame, .eh_frame_hdr, encodings of pointers). A
 * loaded file says in its program headers where .eh_frame_hdr is, a table sorted by address:
 *
 *     pc -> /proc/pid/maps -> program headers -> .eh_frame_hdr -> FDE -> CIE
 *
 * An FDE describes one function: what has to be done to get the caller's registers, row by row of
 * addresses; the CIE is what many FDEs have in common.
 */
#define _GNU_SOURCE
#include "stack/unwinder.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

enum {
    ENTRY_MAX = 16 << 10, /* bytes of an FDE or CIE; guessed: the largest of libc has 1 KiB */
    STATES_MAX = 8,       /* remembered rows */
    OPERANDS_MAX = 16,
};

static bool read_memory(pid_t pid, uint64_t at, void *to, size_t len)
{
    struct iovec local = {to, len}, remote = {(void *)(uintptr_t)at, len};

    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* ---- bytes that describe something ---------------------------------------------------- */

/* Bytes of the process, copied; reading beyond the end gives 0 and marks it bad. */
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

static uint64_t take_uleb(struct cursor *c)
{
    uint64_t v = 0, byte;
    unsigned shift = 0;

    do {
        byte = take(c, 1);
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while ((byte & 0x80) != 0 && !c->bad);
    return v;
}

static int64_t take_sleb(struct cursor *c)
{
    uint64_t v = 0, byte;
    unsigned shift = 0;

    do {
        byte = take(c, 1);
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while ((byte & 0x80) != 0 && !c->bad);
    if ((byte & 0x40) != 0 && shift < 64)
        v |= UINT64_MAX << shift;
    return (int64_t)v;
}

/* The next n bytes by themselves. */
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

/* A pointer that is encoded as enc says; data: what data-relative ones are relative to. */
static uint64_t take_pointer(struct cursor *c, uint8_t enc, uint64_t data)
{
    uint64_t here = c->address, v;

    switch (enc & 0x0f) {
    case 0x00: /* absptr */
    case 0x04: /* udata8 */
    case 0x0c: /* sdata8 */
        v = take(c, 8);
        break;
    case 0x01:
        v = take_uleb(c);
        break;
    case 0x02:
        v = take(c, 2);
        break;
    case 0x03:
        v = take(c, 4);
        break;
    case 0x09:
        v = (uint64_t)take_sleb(c);
        break;
    case 0x0a:
        v = (uint64_t)(int64_t)(int16_t)take(c, 2);
        break;
    case 0x0b:
        v = (uint64_t)(int64_t)(int32_t)take(c, 4);
        break;
    default:
        c->bad = true;
        return 0;
    }
    switch (enc & 0x70) {
    case 0x00:
        return v;
    case 0x10: /* to its own place */
        return here + v;
    case 0x30:
        return data + v;
    default:
        c->bad = true;
        return 0;
    }
}

/* ---- finding the entry of an address --------------------------------------------------- */

/* Where the file begins, in memory, that pc lies in; 0: in none. */
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
        eh.e_phentsize != sizeof(Elf64_Phdr) || eh.e_phnum > 128)
        return 0;
    for (unsigned i = 0; i < eh.e_phnum; i++) {
        Elf64_Phdr ph;

        if (!read_memory(pid, base + eh.e_phoff + i * sizeof ph, &ph, sizeof ph))
            return 0;
        if (ph.p_type == PT_LOAD && !loaded) {
            bias = base - (ph.p_vaddr & ~(uint64_t)0xfff);
            loaded = true;
        }
        if (ph.p_type == PT_GNU_EH_FRAME)
            table = ph.p_vaddr;
    }
    return table != 0 ? bias + table : 0;
}

/* The address of the last FDE that begins at pc or before, from the sorted table; 0: none. */
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
    if (c.bad || table_enc != 0x3b || n == 0 || n > UINT32_MAX) /* all linkers write that */
        return 0;
    while (n > 1) { /* the one that is sought is in [low, low + n) */
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

/* What an FDE with its CIE says. */
struct entry {
    uint8_t fde[ENTRY_MAX], cie[ENTRY_MAX];
    struct cursor first, then; /* the programs of CIE and FDE */
    uint64_t start, code_align;
    int64_t data_align;
    uint64_t return_reg;
    bool signal_frame; /* the caller was interrupted: its pc is no return address */
};

/* The bytes of the entry at address behind its length. */
static bool read_entry(pid_t pid, uint64_t address, uint8_t *to, struct cursor *c)
{
    uint32_t len;

    if (!read_memory(pid, address, &len, sizeof len) || len < 4 || len > ENTRY_MAX ||
        !read_memory(pid, address + sizeof len, to, len))
        return false;
    *c = (struct cursor){to, to + len, address + sizeof len, false};
    return true;
}

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
        return false;
    e->code_align = take_uleb(&c);
    e->data_align = take_sleb(&c);
    e->return_reg = version == 1 ? take(&c, 1) : take_uleb(&c);
    if (augmentation[0] == 'z') {
        *sized = true;
        data = take_block(&c, take_uleb(&c));
        for (const char *a = augmentation + 1; *a != '\0'; a++) {
            if (*a == 'R') {
                *fde_enc = (uint8_t)take(&data, 1);
            } else if (*a == 'P') {
                uint8_t enc = (uint8_t)take(&data, 1);

                take_pointer(&data, enc, 0);
            } else if (*a == 'L') {
                take(&data, 1);
            } else if (*a == 'S') {
                e->signal_frame = true;
            } else if (*a != 'B') {
                break; /* unknown: what follows is skipped with the block */
            }
        }
    } else if (augmentation[0] != '\0') {
        return false;
    }
    e->first = c;
    return !c.bad && e->return_reg < UNWIND_REGS;
}

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
    range = take_pointer(&c, enc & 0x0f, 0);
    if (sized)
        take_block(&c, take_uleb(&c));
    e->then = c;
    return !c.bad && pc >= e->start && pc - e->start < range;
}

/* ---- running its programs -------------------------------------------------------------- */

enum rule_kind {
    RULE_SAME,
    RULE_UNDEFINED,
    RULE_OFFSET,     /* saved at the frame's address plus n */
    RULE_VAL_OFFSET, /* is the frame's address plus n */
    RULE_REGISTER,   /* is in register n */
    RULE_EXPRESSION, /* saved where the expression says */
    RULE_VAL_EXPRESSION,
};

struct rule {
    enum rule_kind kind;
    int64_t n;
    struct cursor expression;
};

struct row {
    struct rule reg[UNWIND_REGS];
    struct rule cfa; /* REGISTER, with offset; or VAL_EXPRESSION */
    int64_t cfa_offset;
};

/* Sets the rule of a register; false for one that is not followed, which is no harm. */
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

/* An offset that is told in units of the CIE's; whatever the process has there, nothing overflows. */
static int64_t scaled(uint64_t n, const struct entry *e)
{
    return (int64_t)(n * (uint64_t)e->data_align);
}

/* Runs program c up to the row of pc. initial: the row that the CIE made, for "restore". */
static bool run(const struct entry *e, struct cursor c, uint64_t pc, struct row *r,
                const struct row *initial)
{
    static struct row states[STATES_MAX];
    uint64_t loc = e->start, reg;
    unsigned nstates = 0;

    while (c.at < c.end && !c.bad && loc <= pc) {
        uint8_t op = (uint8_t)take(&c, 1), low = op & 0x3f;

        switch (op & 0xc0) {
        case 0x40: /* advance_loc */
            loc += low * e->code_align;
            continue;
        case 0x80: /* offset */
            set_rule(r, low, RULE_OFFSET, scaled(take_uleb(&c), e));
            continue;
        case 0xc0: /* restore */
            if (initial != NULL && low < UNWIND_REGS)
                r->reg[low] = initial->reg[low];
            continue;
        default:
            break;
        }
        switch (op) {
        case 0x00: /* nop */
        case 0x2d: /* AARCH64_negate_ra_state */
            break;
        case 0x01: /* set_loc: not used in .eh_frame */
            return false;
        case 0x02:
            loc += take(&c, 1) * e->code_align;
            break;
        case 0x03:
            loc += take(&c, 2) * e->code_align;
            break;
        case 0x04:
            loc += take(&c, 4) * e->code_align;
            break;
        case 0x05: /* offset_extended */
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_OFFSET, scaled(take_uleb(&c), e));
            break;
        case 0x06: /* restore_extended */
            reg = take_uleb(&c);
            if (initial != NULL && reg < UNWIND_REGS)
                r->reg[reg] = initial->reg[reg];
            break;
        case 0x07:
            set_rule(r, take_uleb(&c), RULE_UNDEFINED, 0);
            break;
        case 0x08:
            set_rule(r, take_uleb(&c), RULE_SAME, 0);
            break;
        case 0x09:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_REGISTER, (int64_t)take_uleb(&c));
            break;
        case 0x0a: /* remember_state */
            if (nstates == STATES_MAX)
                return false;
            states[nstates++] = *r;
            break;
        case 0x0b: /* restore_state */
            if (nstates == 0)
                return false;
            *r = states[--nstates];
            break;
        case 0x0c: /* def_cfa */
        case 0x12: /* def_cfa_sf */
            r->cfa = (struct rule){.kind = RULE_REGISTER, .n = (int64_t)take_uleb(&c)};
            r->cfa_offset = op == 0x0c ? (int64_t)take_uleb(&c) : scaled((uint64_t)take_sleb(&c), e);
            break;
        case 0x0d: /* def_cfa_register */
            r->cfa = (struct rule){.kind = RULE_REGISTER, .n = (int64_t)take_uleb(&c)};
            break;
        case 0x0e:
            r->cfa_offset = (int64_t)take_uleb(&c);
            break;
        case 0x13:
            r->cfa_offset = scaled((uint64_t)take_sleb(&c), e);
            break;
        case 0x0f: /* def_cfa_expression */
            r->cfa = (struct rule){.kind = RULE_VAL_EXPRESSION};
            r->cfa.expression = take_block(&c, take_uleb(&c));
            break;
        case 0x10: /* expression */
        case 0x16: /* val_expression */
            reg = take_uleb(&c);
            set_expression(r, reg, op == 0x10 ? RULE_EXPRESSION : RULE_VAL_EXPRESSION,
                           take_block(&c, take_uleb(&c)));
            break;
        case 0x11: /* offset_extended_sf */
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_OFFSET, scaled((uint64_t)take_sleb(&c), e));
            break;
        case 0x14: /* val_offset */
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_VAL_OFFSET, scaled(take_uleb(&c), e));
            break;
        case 0x15:
            reg = take_uleb(&c);
            set_rule(r, reg, RULE_VAL_OFFSET, scaled((uint64_t)take_sleb(&c), e));
            break;
        case 0x2e: /* GNU_args_size */
            take_uleb(&c);
            break;
        default:
            return false;
        }
    }
    return !c.bad;
}

/* The operations that linkers and the C library use: of lazy binding, and of signal frames. */
static bool evaluate(pid_t pid, struct cursor c, const uint64_t regs[UNWIND_REGS], uint64_t pc,
                     const uint64_t *initial, uint64_t *result)
{
    uint64_t v[OPERANDS_MAX + 1] = {0}; /* v[0] is below the first */
    unsigned n = 0;

    if (initial != NULL)
        v[++n] = *initial;
    while (c.at < c.end && !c.bad) {
        uint8_t op = (uint8_t)take(&c, 1);
        unsigned needed = op == 0x1a || op == 0x1c || op == 0x22 || op == 0x24 || op == 0x2a ? 2
                          : op == 0x06 || op == 0x12 || op == 0x23                           ? 1
                                                                                             : 0;
        if (n < needed || n == OPERANDS_MAX)
            return false;
        if (op >= 0x30 && op <= 0x4f) { /* lit0... */
            v[++n] = op - 0x30;
        } else if (op >= 0x70 && op <= 0x8f) { /* breg0... */
            uint64_t reg = op == 0x80 && UNWIND_SP == 7 ? pc : regs[op - 0x70];

            v[++n] = reg + (uint64_t)take_sleb(&c);
        } else if (op == 0x06) { /* deref */
            if (!read_memory(pid, v[n], &v[n], sizeof v[n]))
                return false;
        } else if (op == 0x08 || op == 0x0a || op == 0x0c) { /* const1u, 2u, 4u */
            v[n + 1] = take(&c, (size_t)1 << (op - 0x08) / 2);
            n++;
        } else if (op == 0x10) { /* constu */
            v[++n] = take_uleb(&c);
        } else if (op == 0x11) { /* consts */
            v[++n] = (uint64_t)take_sleb(&c);
        } else if (op == 0x12) { /* dup */
            v[n + 1] = v[n];
            n++;
        } else if (op == 0x23) { /* plus_uconst */
            v[n] += take_uleb(&c);
        } else if (needed == 2) {
            uint64_t b = v[n--];

            switch (op) {
            case 0x1a:
                v[n] &= b;
                break;
            case 0x1c:
                v[n] -= b;
                break;
            case 0x22:
                v[n] += b;
                break;
            case 0x24:
                v[n] = b < 64 ? v[n] << b : 0;
                break;
            default: /* ge */
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

/* The machine's state in a function. */
struct state {
    uint64_t pc, regs[UNWIND_REGS];
    bool exact; /* pc is the next instruction, not a return address */
};

/* The value that register i of the caller has by rule. */
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
    /* The stack grows down, so callers are above; a signal's stack may be anywhere. */
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

/* Goes to the caller of code with frame pointers: | caller's fp | return address | at fp. */
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
