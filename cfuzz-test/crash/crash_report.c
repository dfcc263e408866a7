/*
 * crash_report.c - see crash_report.h.
 */
#define _GNU_SOURCE
#include "crash/crash_report.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/escape.h"
#include "core/known.h"
#include "cli/report.h"
#include "stack/sanitizer_report.h"
#include "stack/symbolize.h"
#include "stack/symbolize_report.h"

enum {
    GUARD = 1 << 20,  /* an address so far outside a slot is still told by its distance */
    NULL_PAGE = 4096, /* addresses below are NULL pointers to members */
};

static const char *output_title(bool mixed)
{
    return mixed ? "output of the target, also of earlier inputs:" : "output of the target:";
}

/* Appends title and the body below it, unless the body is empty. */
static int section(struct cfz_buf *out, unsigned by, const char *title, const struct cfz_buf *body,
                   struct cfz_error *err)
{
    if (body->len == 0)
        return 0;
    if (cfz_buf_printf(out, err, "%*s%s\n", (int)by, "", title) < 0)
        return -1;
    return report_indent(out, by + 4, cfz_buf_str(body), body->len, err);
}

/* ---- a memory fault ---------------------------------------------------------------- */

/* "argument 1 ([]byte, 37 bytes)" */
static void argument(char text[96], size_t i, enum cfz_kind kind, uint64_t len)
{
    snprintf(text, 96, "argument %zu (%s, %llu byte%s)", i + 1, cfz_kind_name(kind),
             (unsigned long long)len, len == 1 ? "" : "s");
}

/* The fault at addr, if it belongs to value i, which lies in the slot at base, and if its data are
 * nearer than *nearest bytes: slots mostly lie side by side. */
static bool slot_fault(const struct crash_view *v, size_t i, uint64_t base, uint64_t len,
                       uint64_t *nearest, char text[CRASH_FAULT_MAX])
{
    enum cfz_kind kind = v->kinds[i];
    uint64_t addr = v->shm->crash.addr, data, end, away;
    bool write = v->shm->crash.is_write != 0;
    char arg[96];
    const char *what = write ? "wrote" : "read";

    if (len > cfz_slot_max(kind))
        return false;
    if (base == 0 || addr + GUARD < base || addr >= base + CFZ_SLOT_SIZE + GUARD)
        return false;
    data = base + cfz_slot_offset((enum cfz_placement)v->shm->placement, kind, len);
    end = data + len;
    away = addr < data ? data - addr : addr >= end ? addr - end : 0;
    if (away >= *nearest)
        return false;
    argument(arg, i, kind, len);
    if (addr >= end + cfz_kind_is_string(kind)) {
        uint64_t by = addr - end + !cfz_kind_is_string(kind);

        snprintf(text, CRASH_FAULT_MAX, "%s %llu byte%s past the %s of %s", what,
                 (unsigned long long)by, by == 1 ? "" : "s",
                 cfz_kind_is_string(kind) ? "terminating NUL" : "end", arg);
    } else if (addr < data) {
        uint64_t by = data - addr;

        snprintf(text, CRASH_FAULT_MAX, "%s %llu byte%s before the start of %s", what,
                 (unsigned long long)by, by == 1 ? "" : "s", arg);
    } else if (write) {
        snprintf(text, CRASH_FAULT_MAX, "write to const %s at offset %llu", arg,
                 (unsigned long long)(addr - data));
    } else {
        return false; /* a read inside the input does not fault */
    }
    *nearest = away;
    return true;
}

void crash_fault(const struct crash_view *v, char text[CRASH_FAULT_MAX])
{
    const struct cfz_crash *c = &v->shm->crash;
    uint32_t kind = atomic_load_explicit(&v->shm->crash.kind, memory_order_relaxed);
    uint64_t nearest = UINT64_MAX;
    unsigned slot = 0;
    bool found = false;

    text[0] = '\0';
    if (kind != CFZ_CRASH_SIGNAL && kind != CFZ_CRASH_SANITIZER)
        return;
    if (kind == CFZ_CRASH_SIGNAL && c->signo != SIGSEGV && c->signo != SIGBUS)
        return;
    if (kind == CFZ_CRASH_SANITIZER && c->addr == 0)
        return;
    for (size_t i = 0; i < v->nvalues; i++) {
        if (!cfz_kind_is_slot(v->kinds[i]))
            continue;
        found |= slot_fault(v, i, v->shm->slot_addr[slot++], v->shm->input[i], &nearest, text);
    }
    if (found)
        return;
    if (kind == CFZ_CRASH_SANITIZER)
        return; /* the sanitizer's own report says it better */
    if (c->code <= 0)
        return; /* the signal was sent, by raise() say: there was no fault */
    if (cfz_known_overflow(c))
        snprintf(text, CRASH_FAULT_MAX, "stack overflow");
    else if (c->code == SI_KERNEL && c->addr != 0)
        snprintf(text, CRASH_FAULT_MAX,
                 "return to 0x%llx, which is no address: the stack was written over, return "
                 "address included",
                 (unsigned long long)c->addr);
    else if (c->code == SI_KERNEL)
        snprintf(
            text, CRASH_FAULT_MAX,
            "invalid access through a wild pointer, which is not a canonical address, or one "
            "that is not aligned as the instruction needs (the processor does not tell which)");
    else if (c->addr == c->pc)
        snprintf(text, CRASH_FAULT_MAX, "call of address 0x%llx, where no code is",
                 (unsigned long long)c->addr);
    else if (c->addr < NULL_PAGE)
        snprintf(text, CRASH_FAULT_MAX, "invalid %s at address 0x%llx (NULL pointer)",
                 c->is_write ? "write" : "read", (unsigned long long)c->addr);
    else
        snprintf(text, CRASH_FAULT_MAX, "invalid %s at address 0x%llx",
                 c->is_write ? "write" : "read", (unsigned long long)c->addr);
}

/* ---- a process that ended ---------------------------------------------------------- */

void crash_stack(const struct crash_view *v, struct stack *st)
{
    const struct cfz_crash *c = &v->shm->crash;

    *st = (struct stack){.n = 0};
    if (v->hung_stack != NULL && v->hung_stack->n > 0) {
        *st = *v->hung_stack;
        return;
    }
    if (atomic_load_explicit(&v->shm->crash.kind, memory_order_relaxed) == CFZ_CRASH_NONE)
        return;
    st->n = c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX;
    memcpy(st->pc, c->frames, st->n * sizeof st->pc[0]);
    st->inner = CFZ_FRAMES_INNER;
    st->skipped = st->n == CFZ_FRAMES_MAX ? c->skipped : 0;
}

/* Appends the end of what the target itself wrote, which is text; left_out bytes before it are
 * missing already. */
static int own_output(const struct cfz_buf *text, uint64_t left_out, struct cfz_buf *out,
                      struct cfz_error *err)
{
    size_t len = text->len;
    const char *at = cfz_buf_str(text), *end = at + len;

    if (len > OUTPUT_SHOWN) {
        const char *nl = memchr(end - OUTPUT_SHOWN, '\n', OUTPUT_SHOWN - 1);

        left_out += len;
        at = nl != NULL ? nl + 1 : end - OUTPUT_SHOWN;
        left_out -= (uint64_t)(end - at);
    }
    if (strspn(at, "\n") == (size_t)(end - at)) /* LeakSanitizer's report begins with one */
        return 0;
    if (left_out > 0 && len > 0 &&
        cfz_buf_printf(out, err, OUTPUT_LEFT_OUT, (unsigned long long)left_out) < 0)
        return -1;
    return cfz_buf_escape(out, at, (size_t)(end - at), CFZ_ESCAPE_TEXT, err);
}

int crash_report(const struct crash_view *v, const struct ending *e, struct cfz_buf *out,
                 struct cfz_error *err)
{
    struct cfz_buf all = CFZ_BUF_INIT, said = CFZ_BUF_INIT, own = CFZ_BUF_INIT, part = CFZ_BUF_INIT;
    struct sanitizer_report r = SANITIZER_REPORT_INIT;
    struct stack st;
    char text[CRASH_FAULT_MAX], line[SANITIZER_LINE_MAX], title[sizeof r.tool + 1];
    uint64_t left_out;
    size_t at;
    bool reported, overflow;
    int ret = -1;

    /* If the output cannot be read, the report goes without it. */
    output_tail(v->output, SANITIZER_REPORT_READ, &all, NULL);
    left_out = output_size(v->output) - all.len;
    /* What looks like a report and is of nobody who makes one is the target's own. */
    at = v->sanitized ? output_report_at(&all) : all.len;
    if (cfz_buf_append(&said, cfz_buf_str(&all) + at, all.len - at, err) < 0)
        goto out;
    all.len = at;
    if (sanitizer_report_line(cfz_buf_str(&said), line) &&
        symbolize_report(v->symbolizer, &said, err) < 0)
        goto out;
    if (sanitizer_report_read(cfz_buf_str(&said), v->dir, v->test, &reported, &r, err) < 0)
        goto out;
    if (cfz_buf_append(&all, said.data, reported ? r.start : said.len, err) < 0 ||
        own_output(&all, left_out, &own, err) < 0)
        goto out;
    if (cfz_buf_printf(out, err, "%s\n", e->text) < 0)
        goto out;
    if (e->why[0] != '\0' && cfz_buf_printf(out, err, "%s\n", e->why) < 0)
        goto out;
    if (reported && cfz_buf_printf(out, err, "%s\n", r.summary) < 0)
        goto out;
    text[0] = '\0';
    if (!e->scribbled) /* otherwise the mark may not be one */
        crash_fault(v, text);
    overflow = strcmp(text, "stack overflow") == 0;
    if (text[0] != '\0' && !(reported && overflow) && cfz_buf_printf(out, err, "%s\n", text) < 0)
        goto out;
    if (!e->scribbled && /* otherwise the log may not be the test's */
        (cfz_buf_escape(&part, v->shm->log, cfz_proc_log_len(v->shm), CFZ_ESCAPE_TEXT, err) < 0 ||
         report_indent(out, 0, cfz_buf_str(&part), part.len, err) < 0))
        goto out;
    part.len = 0;
    st = (struct stack){.n = 0};
    if (!e->scribbled)
        crash_stack(v, &st);
    /* Of a stack overflow a sanitizer shows the inner end only. */
    if ((!reported || r.stack.len == 0 || overflow) &&
        symbolize_stack(v->symbolizer, v->dir, v->test, &st, v->shm, &part, err) < 0)
        goto out;
    snprintf(title, sizeof title, "%s:", r.tool);
    if (section(out, 0, "stack:", part.len > 0 ? &part : &r.stack, err) < 0 ||
        section(out, 0, title, &r.rest, err) < 0 ||
        section(out, 0, output_title(v->mixed), &own, err) < 0)
        goto out;
    part.len = 0;
    if (v->input != NULL &&
        (report_values(&part, v->input, err) < 0 || section(out, 0, "input:", &part, err) < 0))
        goto out;
    ret = 0;
out:
    sanitizer_report_release(&r);
    cfz_buf_release(&all);
    cfz_buf_release(&said);
    cfz_buf_release(&own);
    cfz_buf_release(&part);
    return ret;
}

/* ---- blocks -------------------------------------------------------------------------- */

static struct crash_view view_of(const struct host *h, const struct cfz_proc_shm *shm,
                                 const struct output *output, const struct stack *hung_stack)
{
    const struct test_binary *bin = h->origin->bin;

    return (struct crash_view){.shm = shm,
                               .output = output,
                               .sanitized = (h->origin->build & CFZ_BUILD_SANITIZERS) != 0,
                               .hung_stack = hung_stack,
                               .kinds = h->test->kinds,
                               .nvalues = h->test->nvalues,
                               .test = h->test->name,
                               .symbolizer = bin->symbolizer,
                               .dir = bin->pkg->dir};
}

/* Appends what is to be said of a process that ended as e says, indented. */
static int ended(const struct crash_view *v, const struct ending *e, unsigned by,
                 struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret;

    if (e->kind == ENDING_CRASH)
        ret = crash_report(v, e, &text, err);
    else
        ret = cfz_buf_printf(&text, err, "%s\n", e->text);
    if (ret == 0)
        ret = report_indent(out, by, cfz_buf_str(&text), text.len, err);
    cfz_buf_release(&text);
    return ret;
}

struct crash_view crash_view_of(const struct worker *w)
{
    struct crash_view v = view_of(w->host, w->shm, &w->output, &w->hung_stack);

    v.mixed = worker_mixed(w);
    return v;
}

int crash_report_died(const struct worker *w, const struct ending *e, unsigned depth,
                      const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err)
{
    struct crash_view v = crash_view_of(w);

    v.input = input;
    return ended(&v, e, 4 * depth, out, err);
}

int crash_report_host(const struct host *h, struct cfz_buf *out, struct cfz_error *err)
{
    struct crash_view v = view_of(h, h->shm, &h->output, &h->hung_stack);
    struct ending e;

    v.nvalues = 0; /* a setup part has no arguments */
    host_describe(h, &e);
    if (e.kind == ENDING_INTERNAL)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: %s", h->test->name, e.text);
    return ended(&v, &e, 4, out, err);
}

int crash_report_failed(const struct worker *w, const char *name, uint64_t ns,
                        const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf said = CFZ_BUF_INIT, values = CFZ_BUF_INIT, log = CFZ_BUF_INIT;
    int ret = -1;

    output_show(&w->output, OUTPUT_SHOWN, &said, NULL);
    if (report_result(out, 1, "FAIL", name, ns, err) < 0 ||
        cfz_buf_escape(&log, w->shm->log, cfz_proc_log_len(w->shm), CFZ_ESCAPE_TEXT, err) < 0 ||
        report_indent(out, 8, cfz_buf_str(&log), log.len, err) < 0 ||
        section(out, 8, output_title(worker_mixed(w)), &said, err) < 0)
        goto out;
    if (input != NULL &&
        (report_values(&values, input, err) < 0 || section(out, 8, "input:", &values, err) < 0))
        goto out;
    ret = cfz_buf_puts(out, "    \n", err);
out:
    cfz_buf_release(&log);
    cfz_buf_release(&said);
    cfz_buf_release(&values);
    return ret;
}
