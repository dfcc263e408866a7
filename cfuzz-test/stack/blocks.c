/*
 * blocks.c - see blocks.h.
 *
 * A loop is a strongly connected part of the function's graph: the blocks that can be reached from
 * a block and from which it can be reached. So it is the outermost one that the block is part of.
 */
#define _GNU_SOURCE
#include "stack/blocks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/subprocess.h"

enum { KEPT_MAX = 256 }; /* answers; guessed */

/* ---- instructions ---------------------------------------------------------------------- */

struct insn {
    uint64_t at, target; /* target 0: none is known */
    bool jumps, ends;    /* ends: what follows is not executed next */
    bool indirect;       /* the target is in a register or in memory */
    bool leads;          /* it begins a block */
    bool targeted;       /* a jump that is known leads here */
    bool from, to;       /* reached from the block that is asked for; leads to it */
};

struct code {
    struct insn *v;
    size_t n, cap;
};

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Whether s begins with the word, which ends there. */
static bool is(const char *s, const char *word)
{
    return starts(s, word) && !isalnum((unsigned char)s[strlen(word)]) && s[strlen(word)] != '.';
}

/* Reads what the instruction in text, mnemonic and operands up to the end of the line, does. */
static void classify(const char *text, size_t len, struct insn *i)
{
    char line[160];
    char *note, *target = NULL;

    snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
    text = line;
    while (is(text, "notrack") || is(text, "bnd"))
        text += strcspn(text, " \t") + strspn(text + strcspn(text, " \t"), " \t");
    if ((note = strchr(line, '<')) != NULL)
        *note = '\0'; /* "<function+0x20>" */
    if (starts(text, "ret") || is(text, "ud2") || is(text, "hlt") || is(text, "udf") ||
        is(text, "brk")) {
        i->ends = true;
    } else if (is(text, "jmp") || is(text, "jmpq") || is(text, "b")) {
        i->jumps = i->ends = true;
    } else if (is(text, "br") || is(text, "braa") || is(text, "brab")) {
        i->jumps = i->ends = i->indirect = true;
    } else if (*text == 'j' || starts(text, "loop") || starts(text, "b.") || is(text, "cbz") ||
               is(text, "cbnz") || is(text, "tbz") || is(text, "tbnz")) {
        i->jumps = true;
    }
    if (!i->jumps || i->indirect)
        return;
    for (char *at = line; (at = strstr(at, "0x")) != NULL; at += 2)
        target = at; /* the last one: "tbz w0, #0x3, 0x1f20" */
    i->indirect = strchr(line, '*') != NULL || target == NULL;
    if (!i->indirect)
        i->target = strtoull(target, NULL, 16);
}

/* Takes text apart: "    1139:      \tjne\t0x1150 <f+0x17>". Returns -1 without memory. */
static int read_code(const char *text, struct code *c)
{
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        char *end;
        uint64_t at = strtoull(line, &end, 16);

        if (end > line && isspace((unsigned char)*line) && *end == ':') {
            const char *what = end + 1 + strspn(end + 1, " \t");

            if (array_grow((void **)&c->v, c->n, &c->cap, sizeof *c->v, NULL) < 0)
                return -1;
            c->v[c->n] = (struct insn){.at = at};
            classify(what, what < line + len ? (size_t)(line + len - what) : 0, &c->v[c->n++]);
        }
        line += len + (line[len] == '\n');
    }
    return 0;
}

/* The number of the last instruction at or before at; n if there is none. */
static size_t find(const struct code *c, uint64_t at)
{
    size_t lo = 0, hi = c->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (c->v[mid].at <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 ? lo - 1 : c->n;
}

/* The number of the instruction that i jumps to; n: outside, or not known. */
static size_t target_of(const struct code *c, const struct insn *i)
{
    size_t k = i->target != 0 ? find(c, i->target) : c->n;

    return k < c->n && c->v[k].at == i->target ? k : c->n;
}

static void find_blocks(struct code *c)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t to = c->v[i].jumps ? target_of(c, &c->v[i]) : c->n;

        if (to < c->n)
            c->v[to].leads = c->v[to].targeted = true;
        if (i == 0)
            c->v[i].leads = true;
        if ((c->v[i].jumps || c->v[i].ends) && i + 1 < c->n)
            c->v[i + 1].leads = true;
    }
}

/* Whether nothing that is known leads to instruction i: a jump through a table may. */
static bool is_orphan(const struct code *c, size_t i)
{
    return i > 0 && c->v[i].leads && !c->v[i].targeted && c->v[i - 1].ends;
}

/* Whether what may be executed behind instruction i has the mark that to says, else from. */
static bool next_leads_there(const struct code *c, size_t i)
{
    size_t to = c->v[i].jumps ? target_of(c, &c->v[i]) : c->n;

    if (to < c->n && c->v[to].to)
        return true;
    if (!c->v[i].ends && i + 1 < c->n && c->v[i + 1].to)
        return true;
    for (size_t k = 0; c->v[i].indirect && k < c->n; k++) {
        if (is_orphan(c, k) && c->v[k].to)
            return true;
    }
    return false;
}

/* Marks what instruction i leads to. Returns whether anything was new. */
static bool mark_next(struct code *c, size_t i)
{
    size_t to = c->v[i].jumps ? target_of(c, &c->v[i]) : c->n;
    bool changed = false;

    if (to < c->n && !c->v[to].from)
        changed = c->v[to].from = true;
    if (!c->v[i].ends && i + 1 < c->n && !c->v[i + 1].from)
        changed = c->v[i + 1].from = true;
    for (size_t k = 0; c->v[i].indirect && k < c->n; k++) {
        if (is_orphan(c, k) && !c->v[k].from)
            changed = c->v[k].from = true;
    }
    return changed;
}

/* Marks what can be reached from instruction at, and what it can be reached from. Each pass goes
 * through the code in the direction in which most of it runs. */
static void reach(struct code *c, size_t at)
{
    bool changed = mark_next(c, at);

    while (changed) {
        changed = false;
        for (size_t i = 0; i < c->n; i++) {
            if (c->v[i].from)
                changed |= mark_next(c, i);
        }
    }
    c->v[at].to = changed = true;
    while (changed) {
        changed = false;
        for (size_t i = c->n; i-- > 0;) {
            if (!c->v[i].to && next_leads_there(c, i))
                changed = c->v[i].to = true;
        }
    }
}

bool blocks_read(const char *text, uint64_t at, struct block *b)
{
    struct code c = {NULL, 0, 0};
    bool found = false;
    size_t i;

    if (read_code(text, &c) == 0 && (i = find(&c, at)) < c.n) {
        find_blocks(&c);
        reach(&c, i);
        *b = (struct block){0, 0};
        for (size_t k = 0; k < c.n && c.v[i].from && b->loop == 0; k++) {
            if (c.v[k].from && c.v[k].to)
                b->loop = c.v[k].at;
        }
        while (!c.v[i].leads)
            i--;
        b->start = c.v[i].at;
        found = true;
    }
    free(c.v);
    return found;
}

/* ---- asking ---------------------------------------------------------------------------- */

static struct {
    char *path;
    uint64_t at;
    struct block block;
    bool found;
} kept[KEPT_MAX];
static size_t nkept;

/* Has program, llvm-objdump, write the function to text. */
static bool disassemble(const char *program, const char *path, uint64_t start, uint64_t end,
                        struct cfz_buf *text)
{
    char from[48], to[48];
    const char *argv[] = {program, "-d", "--no-show-raw-insn", from, to, path, NULL};
    struct cfz_buf noise = CFZ_BUF_INIT;
    struct subprocess p = {.argv = argv, .out = text, .err = &noise};
    int status;
    bool ok;

    snprintf(from, sizeof from, "--start-address=0x%llx", (unsigned long long)start);
    snprintf(to, sizeof to, "--stop-address=0x%llx", (unsigned long long)end);
    ok = subprocess_run(&p, &status, NULL) == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    cfz_buf_release(&noise);
    return ok;
}

/* The name of the llvm-objdump beside a symbolizer: /usr/bin/llvm-symbolizer-19 has
 * /usr/bin/llvm-objdump-19. False if it has none. */
static bool objdump_of(const char *symbolizer, char name[4096])
{
    static const char part[] = "symbolizer";
    const char *file = symbolizer != NULL ? strrchr(symbolizer, '/') : NULL, *at;
    int len;

    if (symbolizer == NULL)
        return false;
    at = strstr(file != NULL ? file : symbolizer, part);
    if (at == NULL)
        return false;
    len = snprintf(name, 4096, "%.*sobjdump%s", (int)(at - symbolizer), symbolizer,
                   at + sizeof part - 1);
    return len > 0 && len < 4096;
}

bool blocks_find(const char *symbolizer, const char *path, uint64_t start, uint64_t end,
                 uint64_t at, struct block *b)
{
    char program[4096];
    struct cfz_buf text = CFZ_BUF_INIT;
    struct block block = {0, 0};
    bool found;

    for (size_t i = 0; i < nkept; i++) {
        if (kept[i].at != at || strcmp(kept[i].path, path) != 0)
            continue;
        *b = kept[i].block;
        return kept[i].found;
    }
    found = objdump_of(symbolizer, program) && disassemble(program, path, start, end, &text) &&
            blocks_read(cfz_buf_str(&text), at, &block);
    cfz_buf_release(&text);
    if (nkept < KEPT_MAX && (kept[nkept].path = strdup(path)) != NULL) {
        kept[nkept].at = at;
        kept[nkept].block = block;
        kept[nkept++].found = found;
    }
    if (found)
        *b = block;
    return found;
}
