/*
 * crash_signature.c - see crash_signature.h.
 */
#define _GNU_SOURCE
#include "crash/crash_signature.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/debug.h"
#include "core/known.h"
#include "stack/sanitizer_report.h"

enum {
    CALLERS = 2,         /* functions behind the place that tell crashes apart. See decision 048. */
    UNKNOWN_FRAMES = 10, /* taken as the place where no frame can be called the user's */
    CYCLE_MAX = 16,      /* functions of a recursion that overflows the stack */
    /* Bytes that people are shown: of a source line, of what heads a message, of what happened. */
    LINE_SHOWN = 60,
    MESSAGE_SHOWN = 80,
    WHAT_SHOWN = 90,
};

/* FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash(uint64_t h, const void *data, size_t len)
{
    const uint8_t *p = data;

    if (h == 0)
        h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t hash_word(uint64_t h, uint64_t word)
{
    return hash(h, &word, sizeof word);
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash(h, text, strlen(text) + 1);
}

/* Notes a part of the place. line may be NULL. */
static void note_part(struct crash_signature *sig, const char *function, const char *line)
{
    size_t len = strlen(sig->parts);

    snprintf(sig->parts + len, sizeof sig->parts - len, "%s%s%s;", function,
             line != NULL ? "@" : "", line != NULL ? line : "");
}

static void note_frame_part(struct crash_signature *sig, const struct crash_frame *f, bool lines)
{
    char at[32];

    snprintf(at, sizeof at, "+%llx", (unsigned long long)f->at);
    note_part(sig, f->function != NULL ? f->function : at, lines ? f->line : NULL);
}

/* ---- the place of a crash ------------------------------------------------------- */

/* By name rather than address: one line may have been compiled to several addresses, and one
 * function may have been inlined in several. */
static uint64_t hash_function(uint64_t h, const struct crash_frame *f)
{
    return f->function != NULL ? hash_text(h, f->function) : hash_word(h, f->start);
}

/* A caller, without its line; of a stripped program, where every function may be a helper, the
 * call. */
static uint64_t hash_caller(uint64_t h, const struct crash_frame *f)
{
    return f->function != NULL ? hash_text(h, f->function) : hash_word(h, f->at);
}

static uint64_t hash_line(uint64_t h, const struct crash_frame *f)
{
    h = hash_function(h, f);
    return f->line != NULL ? hash_text(h, f->line) : hash_word(h, f->at);
}

static bool same_function(const struct crash_frame *a, const struct crash_frame *b)
{
    if (a->function != NULL && b->function != NULL)
        return strcmp(a->function, b->function) == 0;
    return a->start == b->start;
}

/* The frame of the outermost call of the function that is on frame i. */
static uint32_t outermost(const struct crash_frames *fs, uint32_t i)
{
    uint32_t at = i;

    for (uint32_t k = i + 1; k < fs->n; k++) {
        if (same_function(&fs->v[k], &fs->v[i]))
            at = k;
    }
    return at;
}

/*
 * Hashes the place of a crash: the innermost function of the user's and its line. If that is a
 * helper, which says nothing about what was wrong, the line from which it was called counts as
 * well, and so on. Then follow the next functions outward, as many as wanted, that are not helpers,
 * each once and without a line. Of a recursion the functions between do not count: what follows a
 * function is what called the outermost of its calls, so that a crash is the same at any depth.
 *
 * With message the first function counts as a helper. Its line is left out, since the message has
 * it, and a call that the compiler made of several has none.
 *
 * Stores it in sig. *looked is how many frames decided. Returns the number of the frame that people
 * are shown.
 */
static uint32_t hash_place(const struct crash_frames *fs, bool message, unsigned want,
                           struct crash_signature *sig, uint32_t *looked)
{
    uint64_t h = 0;
    uint32_t i = 0, shown, callers = 0;

    for (;; i++) {
        h = message && i == 0 ? hash_function(h, &fs->v[i]) : hash_line(h, &fs->v[i]);
        note_frame_part(sig, &fs->v[i], !message || i > 0);
        if (i + 1 == fs->n || (!fs->v[i].helper && !(message && i == 0)))
            break;
    }
    shown = fs->v[i].helper ? 0 : i;
    for (i = outermost(fs, i) + 1; i < fs->n && callers < want; i++) {
        if (fs->v[i].helper)
            continue;
        h = hash_caller(h, &fs->v[i]);
        note_frame_part(sig, &fs->v[i], false);
        callers++;
        i = outermost(fs, i);
    }
    sig->place = h;
    *looked = callers < want ? fs->n + 1 : i;
    return shown;
}

/*
 * Hashes the functions of the recursion that fills the stack: the shortest sequence that is
 * repeated. It begins at the function with the smallest hash, so that it does not matter which of
 * them ran out of stack. Returns 0 if no sequence is repeated.
 */
static uint64_t hash_cycle(const struct crash_frames *fs, struct crash_signature *sig)
{
    uint64_t h[CRASH_FRAMES_MAX], best = UINT64_MAX, result = 0;
    uint32_t from = fs->n > CYCLE_MAX ? 2 : 0, period, at = 0;

    for (uint32_t i = 0; i < fs->n; i++)
        h[i] = hash_function(0, &fs->v[i]);
    for (period = 1; period <= CYCLE_MAX && from + 2 * period <= fs->n; period++) {
        uint32_t k = from;

        while (k + period < fs->n && h[k] == h[k + period])
            k++;
        if (k + period == fs->n || k - from >= 2 * period)
            break;
    }
    if (period > CYCLE_MAX || from + 2 * period > fs->n)
        return 0;
    for (uint32_t i = from; i < from + period; i++) {
        if (h[i] < best) {
            best = h[i];
            at = i;
        }
    }
    for (uint32_t i = 0; i < period; i++) {
        result = hash_word(result, h[from + (at - from + i) % period]);
        note_frame_part(sig, &fs->v[from + (at - from + i) % period], false);
    }
    return result;
}

/* Prints what a signature is made of. */
static void debug_frames(const char *what, const struct crash_frames *fs)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    if (!debug_signature())
        return;
    for (uint32_t i = 0; i < fs->n; i++)
        cfz_buf_printf(
            &text, NULL, "; %s %s%s", fs->v[i].function != NULL ? fs->v[i].function : "?",
            fs->v[i].line != NULL ? fs->v[i].line : "?", fs->v[i].helper ? " helper" : "");
    debug_line("signature, kind: %s%s", what, cfz_buf_str(&text));
    cfz_buf_release(&text);
}

/* Notes the line and the function that people are led to. */
static void note_frame(const struct crash_frame *f, struct crash_signature *sig)
{
    snprintf(sig->line, sizeof sig->line, "%s", f->line != NULL ? f->line : "");
    snprintf(sig->function, sizeof sig->function, "%s", f->function != NULL ? f->function : "");
}

/* The place if no frame is the user's: after a wild jump, if the stack was destroyed, or if the
 * test function jumped to a library's as its last call. fs was read from the mark. By which way we
 * called the test function does not matter. */
static void place_of_unknown(const struct crash_marks *m, const struct crash_frames *fs,
                             struct crash_signature *sig)
{
    const struct cfz_crash *c = &m->code.shm->crash;
    bool called = !fs->whole && fs->end > 1; /* the last frame of fs is the one that called */
    uint32_t all = c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX;
    uint32_t n = called ? fs->end - 1 : all;

    for (uint32_t i = 0; i < n && i < UNKNOWN_FRAMES; i++) {
        uint64_t at = crash_frames_offset(&m->code, c->frames[i], i == 0);
        char text[32];

        sig->place = hash_word(sig->place, at);
        snprintf(text, sizeof text, "+%llx", (unsigned long long)at);
        note_part(sig, text, NULL);
    }
    sig->frames = called ? fs->end : all;
    sig->whole = !called;
}

/* What is shown of a line behind what happened: its file and number if the path is too long, with
 * the directories that there is room for. */
static const char *line_shown(const char *what, const char *line, const char **before)
{
    static const char cut[] = "...";
    size_t len = strlen(line), taken = strlen(what) + sizeof " at ";
    size_t room = taken + LINE_SHOWN < CRASH_WHERE_MAX   ? LINE_SHOWN
                  : taken + sizeof cut < CRASH_WHERE_MAX ? CRASH_WHERE_MAX - taken
                                                         : sizeof cut;
    const char *end = len > room ? line + len - (room - strlen(cut)) : line;
    const char *slash = strchr(end, '/');

    *before = end > line ? cut : "";
    return end > line && slash != NULL ? slash : end;
}

/* Sets sig's place from the frames at pc, and the text of it that people are shown. behind: see
 * crash_frames_read. */
static void find_place(const struct crash_marks *m, const uint64_t *pc, uint32_t n, bool behind,
                       struct crash_signature *sig, const char *what)
{
    struct crash_frames fs;
    const char *before, *line;
    uint32_t shown, looked;

    snprintf(sig->where, sizeof sig->where, "%s", what);
    snprintf(sig->kind, sizeof sig->kind, "%s", what);
    crash_frames_read(&m->code, pc, n, behind, &fs);
    debug_frames(what, &fs);
    if (fs.n == 0) {
        if (pc == m->code.shm->crash.frames)
            place_of_unknown(m, &fs, sig);
        return;
    }
    shown = hash_place(&fs, false, CALLERS, sig, &looked);
    note_frame(&fs.v[shown], sig);
    if (fs.v[shown].line != NULL) {
        line = line_shown(what, fs.v[shown].line, &before);
        snprintf(sig->where, sizeof sig->where, "%s at %s%s", what, before, line);
    } else if (fs.v[shown].function != NULL) {
        snprintf(sig->where, sizeof sig->where, "%s in %.*s", what, LINE_SHOWN,
                 fs.v[shown].function);
    }
    sig->frames = looked <= fs.n ? fs.v[looked - 1].raw + 1 : fs.end;
    sig->whole = looked > fs.n && fs.whole;
}

static void find_marked_place(const struct crash_marks *m, bool behind, struct crash_signature *sig,
                              const char *what)
{
    const struct cfz_crash *c = &m->code.shm->crash;

    find_place(m, c->frames, c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX, behind, sig,
               what);
}

/* The stack ran out: the place is the recursion that filled it. Guards do not know such a crash,
 * since it is chance where the mark cuts the cycle. */
static void overflow_signature(const struct crash_marks *m, bool behind,
                               struct crash_signature *sig, const char *what)
{
    const struct cfz_crash *c = &m->code.shm->crash;
    uint32_t n = c->nframes < CFZ_FRAMES_INNER ? c->nframes : CFZ_FRAMES_INNER;
    struct crash_frames fs;

    snprintf(sig->where, sizeof sig->where, "%.*s", WHAT_SHOWN, what);
    snprintf(sig->kind, sizeof sig->kind, "%s", what);
    crash_frames_read(&m->code, c->frames, n, behind, &fs);
    debug_frames(what, &fs);
    if (fs.n > 0)
        note_frame(&fs.v[0], sig);
    sig->place = hash_cycle(&fs, sig);
}

/* Where the outermost loop begins that st was seen in, each time but one at most, or 0. */
static uint64_t loop_of(const struct crash_marks *m, const struct stack *st)
{
    uint64_t loops[STACK_SAMPLES];
    uint32_t n = st->nloop < STACK_SAMPLES ? st->nloop : STACK_SAMPLES;

    for (uint32_t i = 0; i < n; i++)
        loops[i] = crash_frames_loop(&m->code, st->loop[i]);
    for (uint32_t i = 0; i < n && i < 2; i++) { /* one of the first two is not the odd one */
        uint32_t others = 0;

        for (uint32_t k = 0; k < n; k++)
            others += loops[k] != loops[i];
        if (others == 0 || (others == 1 && n > 2))
            return loops[i];
    }
    return 0;
}

/* The function that the loop of st is in, if it was the same each time, or NULL. */
static const char *loop_function(const struct crash_marks *m, const struct stack *st)
{
    const char *first = NULL;

    for (uint32_t i = 0; i < st->nloop && i < STACK_SAMPLES; i++) {
        const char *function = crash_frames_function(&m->code, st->loop[i]);

        if (function == NULL || (first != NULL && strcmp(function, first) != 0))
            return NULL;
        first = function;
    }
    return first;
}

/*
 * It did not end. It is chance in which function it was seen, but not what had called the loop. So
 * the place is made of the frames that were there each time: the CALLERS outermost functions next
 * to the test, without lines. If there are fewer, the function of the loop counts too, and which
 * loop of the function that is: where in it the process was seen is chance as well.
 */
static void hang_signature(const struct crash_marks *m, struct crash_signature *sig)
{
    const struct stack *st = m->stack;
    struct crash_frames fs;
    const char *function, *line;
    uint64_t loop = 0;
    uint32_t n = 0;

    snprintf(sig->where, sizeof sig->where, "hung");
    snprintf(sig->kind, sizeof sig->kind, "hung");
    if (st == NULL || st->n == 0 || st->n > CFZ_FRAMES_MAX || st->steady >= st->n)
        return;
    crash_frames_read(&m->code, st->pc + (st->n - st->steady), st->steady, false, &fs);
    debug_frames("hung", &fs);
    if (fs.n > 0)
        note_frame(&fs.v[0], sig);
    if (m->code.symtab->n == 0) /* stripped: the outermost functions are of our runtime */
        loop = loop_of(m, st);
    for (uint32_t i = fs.n > 0 ? fs.n - 1 : 0; i-- > 0 && n < CALLERS && loop == 0; n++) {
        sig->place = hash_function(sig->place, &fs.v[i]);
        note_frame_part(sig, &fs.v[i], false);
    }
    function = n < CALLERS ? loop_function(m, st) : NULL;
    if (n < CALLERS && loop == 0)
        loop = loop_of(m, st);
    line = loop != 0 ? crash_frames_line(&m->code, loop) : NULL;
    if (function != NULL)
        sig->place = hash_text(sig->place, function);
    if (line != NULL)
        sig->place = hash_text(sig->place, line);
    else if (loop != 0)
        sig->place = hash_word(sig->place, loop);
    if (function != NULL || loop != 0)
        note_part(sig, function != NULL ? function : "loop", line);
}

/* ---- kinds -------------------------------------------------------------------- */

/* The length of what a sanitizer says is wrong, without what varies: "heap-buffer-overflow on
 * address 0x..." up to " on", "data race (pid=7)" up to " (", "requested allocation size 0x..." up
 * to " 0", "memcpy-param-overlap: memory ranges" up to ": ". */
static size_t words_of_report(const char *text)
{
    static const char *const ends[] = {"\n", ": ", " on ", " (", "(", " 0", " ["};
    size_t len = strlen(text);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *at = strstr(text, ends[i]);

        if (at != NULL && (size_t)(at - text) < len)
            len = (size_t)(at - text);
    }
    return len;
}

/*
 * The kind of a sanitizer's report: "AddressSanitizer: heap-buffer-overflow", "ThreadSanitizer:
 * data race", "url.c:7:9: runtime error".
 */
static size_t kind_of_report(const char *summary)
{
    const char *at = strstr(summary, ": runtime error"), *colon;

    if (at != NULL)
        return (size_t)(at - summary) + strlen(": runtime error");
    colon = strstr(summary, ": ");
    if (colon == NULL)
        return strlen(summary);
    return (size_t)(colon - summary) + 2 + words_of_report(colon + 2);
}

/* The rest of "4.29e+09 is outside the range ...": the number is that of the input at hand. */
static const char *without_number(const char *text)
{
    static const char is[] = " is ";
    const char *blank = strchr(text, ' ');

    if ((isdigit((unsigned char)text[0]) || text[0] == '-') && blank != NULL &&
        strncmp(blank, is, strlen(is)) == 0)
        return blank + strlen(is);
    return text;
}

/*
 * What people are shown of a report: its kind, or of UndefinedBehaviorSanitizer's, whose kind is a
 * line, what it says is wrong there: "division by zero", "signed integer overflow"; of a long one
 * the words that there is room for.
 */
static void report_shown(const char *text, size_t kind, char shown[LINE_SHOWN + 1])
{
    static const char mark[] = ": runtime error: ", cut[] = " ...";
    const char *error = strstr(text, mark);
    size_t len = kind;

    if (error != NULL) {
        const char *colon;

        text = without_number(error + strlen(mark));
        colon = strstr(text, ": ");
        len = colon != NULL ? (size_t)(colon - text) : strlen(text);
    }
    if (len <= LINE_SHOWN) {
        snprintf(shown, LINE_SHOWN + 1, "%.*s", (int)len, text);
        return;
    }
    for (len = LINE_SHOWN - strlen(cut); len > 0 && text[len] != ' ';)
        len--;
    snprintf(shown, LINE_SHOWN + 1, "%.*s%s", (int)len, text, cut);
}

/* ---- reports -------------------------------------------------------------------- */

/* The addresses of the first stack behind mark in a sanitizer's report: "    #1 0x55d0c0ffee (...".
 * Returns how many there are. */
static uint32_t reported_stack(const char *report, const char *mark, uint64_t pc[CFZ_FRAMES_MAX])
{
    const char *line = strstr(report, mark);
    uint32_t n = 0;

    while (line != NULL && n < CFZ_FRAMES_MAX) {
        line = strchr(line, '\n');
        if (line == NULL)
            break;
        line++;
        if (strncmp(line + strspn(line, " "), "#", 1) == 0) {
            const char *at = line + strcspn(line, "x\n");

            if (*at == 'x')
                pc[n++] = strtoull(at + 1, NULL, 16);
        } else if (n > 0) {
            break;
        }
    }
    return n;
}

/* The place of a use after free is where the object was freed. If that was too early, each use is
 * of one bug. */
static void place_of_free(const struct crash_marks *m, struct crash_signature *sig)
{
    uint64_t pc[CFZ_FRAMES_MAX];
    uint32_t n = reported_stack(m->output, "freed by thread", pc), looked;
    struct crash_frames fs;

    crash_frames_read(&m->code, pc, n, false, &fs);
    debug_frames("freed", &fs);
    if (fs.n == 0)
        return;
    sig->parts[0] = '\0';
    sig->stack = sig->place;
    note_part(sig, "freed", NULL);
    hash_place(&fs, false, CALLERS, sig, &looked);
}

/* The frame that is the place of a crash, behind helpers. */
static uint32_t place_frame(const struct crash_frames *fs)
{
    uint32_t i = 0;

    while (i + 1 < fs->n && fs->v[i].helper)
        i++;
    return i;
}

/* Whether a and b are one call of one function. */
static bool same_call(const struct crash_frames *a, const struct crash_frames *b)
{
    uint32_t i = place_frame(a), k = place_frame(b);

    if (a->n == 0 || b->n == 0 || a->n - i != b->n - k || !same_function(&a->v[i], &b->v[k]))
        return false;
    while (++i < a->n) {
        const struct crash_frame *x = &a->v[i], *y = &b->v[++k];

        if (!same_function(x, y) || (x->line != NULL) != (y->line != NULL) ||
            (x->line != NULL ? strcmp(x->line, y->line) != 0 : x->at != y->at))
            return false;
    }
    return true;
}

/* If a function leaves an object that it allocated in the same call, it is wrong by itself, whoever
 * calls it: callers do not count. allocated is the stack of the allocation. */
static void place_of_own(const struct crash_marks *m, const struct crash_frames *allocated,
                         struct crash_signature *sig)
{
    const struct cfz_crash *c = &m->code.shm->crash;
    struct crash_frames fs;
    uint32_t looked;

    crash_frames_read(&m->code, c->frames,
                      c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX, true, &fs);
    if (!same_call(&fs, allocated))
        return;
    sig->parts[0] = '\0';
    sig->stack = sig->place;
    hash_place(&fs, false, 0, sig, &looked);
}

/* Adds the line that allocated the heap object which a report is about, and sets the place where
 * the object's life decides about that. Returns whether the report says where it was allocated. */
static bool add_origin(const struct crash_marks *m, const char *kind, struct crash_signature *sig)
{
    uint64_t pc[CFZ_FRAMES_MAX];
    uint32_t n = reported_stack(m->output, "allocated by thread", pc), i = 0;
    struct crash_frames fs;

    if (n == 0)
        return false;
    crash_frames_read(&m->code, pc, n, false, &fs);
    debug_frames("allocated", &fs);
    if (strstr(kind, "use-after-free") != NULL)
        place_of_free(m, sig);
    else if (strstr(kind, "overflow") != NULL)
        place_of_own(m, &fs, sig);
    while (i + 1 < fs.n && fs.v[i].helper)
        i++;
    if (fs.n > 0) {
        sig->object = hash_line(sig->what, &fs.v[i]);
        note_part(sig, "allocated", NULL);
        note_frame_part(sig, &fs.v[i], true);
    }
    return true;
}

/*
 * Two threads raced: it is chance which of them was seen last, and so is whose stack the mark has.
 * The place is made of both stacks of the report, in an order of their own.
 */
static void race_place(const struct crash_marks *m, struct crash_signature *sig)
{
    static const char *const marks[2] = {" of size ", "Previous "};
    struct crash_signature both[2];
    uint64_t pc[CFZ_FRAMES_MAX];
    uint32_t looked;
    bool first;

    memset(both, 0, sizeof both);
    for (int i = 0; i < 2; i++) {
        uint32_t n = reported_stack(m->output, marks[i], pc);
        struct crash_frames fs;

        crash_frames_read(&m->code, pc, n, false, &fs);
        if (fs.n == 0)
            return;
        hash_place(&fs, false, CALLERS, &both[i], &looked);
    }
    first = both[1].place < both[0].place;
    sig->place = hash_word(both[first].place, both[!first].place);
    snprintf(sig->parts, sizeof sig->parts, "%.*s%.*s", CRASH_PARTS_MAX / 2 - 1, both[first].parts,
             CRASH_PARTS_MAX / 2 - 1, both[!first].parts);
}

static void sanitizer_signature(const struct crash_marks *m, struct crash_signature *sig)
{
    uint64_t pc[CFZ_FRAMES_MAX];
    char text[SANITIZER_LINE_MAX], shown[LINE_SHOWN + 1];
    bool told = sanitizer_report_line(m->output, text), origin;
    size_t kind;

    sig->class = CRASH_SANITIZER;
    if (!told)
        snprintf(text, sizeof text, "sanitizer");
    kind = kind_of_report(text);
    report_shown(text, kind, shown);
    text[kind] = '\0';
    sig->what = hash_text(0, text);
    if (strstr(text, "stack-overflow") != NULL) {
        overflow_signature(m, true, sig, text);
        return;
    }
    if (strstr(text, "LeakSanitizer") != NULL) { /* the process went on; the report has the stack */
        find_place(m, pc, reported_stack(m->output, "leak of ", pc), false, sig, text);
        return;
    }
    find_marked_place(m, true, sig, shown);
    if (strstr(text, "ThreadSanitizer: data") != NULL)
        race_place(m, sig);
    origin = add_origin(m, text, sig);
    /* Whether a guard can tell the crash by its mark. The mark has the kind of AddressSanitizer's
     * reports, and where their object comes from; for other tools the frames have to do. It cannot
     * be told without frames, or without a report that says which tool it was; nor if where an
     * object was allocated matters and the mark does not have it; nor of ThreadSanitizer, which has
     * several kinds of reports for a place.
     */
    sig->marked = told && (!origin || m->code.shm->crash.report != 0) &&
                  m->code.shm->crash.nframes > 0 && strncmp(text, "ThreadSanitizer", 15) != 0;
}

/* ---- both ----------------------------------------------------------------------- */

/* The line of the log that says why the execution failed, up to its text: "parse_test.c:7". Returns
 * its length. */
static size_t failed_line(const struct cfz_proc_shm *shm, const char **line)
{
    const char *log = shm->log, *end;
    uint32_t len = cfz_proc_log_len(shm);
    uint32_t failed = atomic_load_explicit(&shm->fail_log_len, memory_order_relaxed);
    size_t n = 0;

    if (failed > len)
        failed = len;
    /* Goes to the last item before it failed; further lines of an item begin with blanks. */
    end = log + failed;
    *line = end;
    while (*line > log) {
        const char *nl = memrchr(log, '\n', (size_t)(*line - 1 - log));

        *line = nl != NULL ? nl + 1 : log;
        if (**line != ' ')
            break;
    }
    for (int colons = 0; *line + n < end && (*line)[n] != '\n'; n++) {
        if ((*line)[n] == ':' && ++colons == 2)
            break;
    }
    return n;
}

void crash_signature_failed(const struct crash_marks *m, struct crash_signature *sig)
{
    const struct cfz_proc_shm *shm = m->code.shm;
    uint32_t n = shm->nfail_frames < CFZ_FAIL_FRAMES ? shm->nfail_frames : CFZ_FAIL_FRAMES;
    uint32_t ours = crash_frames_behind_api(&m->code, shm->fail_frames, n), looked;
    struct crash_frames fs;
    const char *line;
    size_t len = failed_line(shm, &line);

    *sig = (struct crash_signature){.class = CRASH_FAILED};
    snprintf(sig->where, sizeof sig->where, "%.*s",
             (int)(len < MESSAGE_SHOWN ? len : MESSAGE_SHOWN), line);
    snprintf(sig->kind, sizeof sig->kind, "failed");
    snprintf(sig->line, sizeof sig->line, "%.*s", (int)len, line);
    crash_frames_read(&m->code, shm->fail_frames + ours, n - ours, false, &fs);
    debug_frames("failed", &fs);
    if (fs.n > 0 && fs.v[0].line != NULL)
        note_frame(&fs.v[0], sig);
    if (fs.n > 0)
        hash_place(&fs, len > 0, CALLERS, sig, &looked);
    if (len > 0) {
        char text[CRASH_LINE_MAX];

        snprintf(text, sizeof text, "%.*s", (int)len, line);
        sig->place = hash(sig->place, line, len);
        note_part(sig, "", text);
    }
    if (fs.n > 0 && len == 0 && fs.v[0].line != NULL) /* cfuzz_fail, which says nothing */
        snprintf(sig->where, sizeof sig->where, "failed at %s", fs.v[0].line);
    if (fs.n > 1 && len > 0 && fs.v[1].line != NULL) {
        len = strlen(sig->where);
        snprintf(sig->where + len, sizeof sig->where - len, ", called at %s", fs.v[1].line);
    }
}

/* Everything but what a signature has where the kind of crash is all that is known. */
static void died(const struct crash_marks *m, struct crash_signature *sig)
{
    const struct cfz_crash *c = &m->code.shm->crash;
    char text[CRASH_WHERE_MAX];

    *sig = (struct crash_signature){.class = CRASH_OTHER};
    if (m->memory) {
        sig->class = CRASH_MEMORY;
        snprintf(sig->where, sizeof sig->where, "out of memory");
        return;
    }
    if (m->stopped) {
        sig->class = CRASH_STOPPED;
        find_place(m, m->stack->pc, m->stack->n, false, sig, "stopped");
        return;
    }
    if (m->hung) {
        sig->class = CRASH_HUNG;
        hang_signature(m, sig);
        return;
    }
    if (m->ending->scribbled) {
        sig->class = CRASH_SCRIBBLED;
        snprintf(sig->where, sizeof sig->where, "shared memory overwritten");
        return;
    }
    switch (atomic_load_explicit(&c->kind, memory_order_relaxed)) {
    case CFZ_CRASH_SIGNAL:
        if (cfz_known_overflow(c)) {
            sig->class = CRASH_OVERFLOW;
            overflow_signature(m, false, sig, "stack overflow");
            return;
        }
        sig->class = CRASH_SIGNAL;
        sig->marked = true;
        sig->detail = c->signo;
        snprintf(text, sizeof text, "%s", strsignal(c->signo));
        find_marked_place(m, false, sig, text);
        return;
    case CFZ_CRASH_SANITIZER:
        sanitizer_signature(m, sig);
        return;
    case CFZ_CRASH_ALLOC:
        sig->class = CRASH_ALLOC;
        sig->marked = true;
        find_marked_place(m, false, sig, "out of memory");
        return;
    case CFZ_CRASH_KILL:
        sig->class = CRASH_KILL;
        sig->marked = true;
        sig->detail = c->signo;
        snprintf(text, sizeof text, "sent %s", strsignal(c->signo));
        find_marked_place(m, false, sig, text);
        return;
    case CFZ_CRASH_THREAD_EXIT: /* the stack is gone, so no two are told apart */
        sig->class = CRASH_EXIT;
        sig->detail = -1;
        snprintf(text, sizeof text, "pthread_exit");
        find_marked_place(m, true, sig, text);
        return;
    case CFZ_CRASH_EXIT:
        sig->class = CRASH_EXIT;
        sig->marked = true;
        sig->detail = c->code;
        snprintf(text, sizeof text, "exit(%d)", c->code);
        find_marked_place(m, true, sig, text);
        return;
    default:
        break;
    }
    if (WIFSIGNALED(m->status)) {
        sig->class = CRASH_SIGNAL;
        sig->detail = WTERMSIG(m->status);
        snprintf(sig->where, sizeof sig->where, "%s", strsignal(sig->detail));
    } else if (WIFEXITED(m->status) && m->ending->why[0] != '\0') {
        sig->class = CRASH_EXIT;
        sig->detail = m->status;
        snprintf(sig->where, sizeof sig->where, "exit status %d", WEXITSTATUS(m->status));
    } else {
        sig->what = hash_text(0, m->ending->text);
        snprintf(sig->where, sizeof sig->where, "%.*s", WHAT_SHOWN, m->ending->text);
    }
}

void crash_signature_died(const struct crash_marks *m, struct crash_signature *sig)
{
    died(m, sig);
    if (sig->kind[0] == '\0')
        snprintf(sig->kind, sizeof sig->kind, "%s", sig->where);
}

const char *crash_signature_id(const struct crash_signature *sig, char text[CRASH_ID_MAX])
{
    snprintf(text, CRASH_ID_MAX, "%x.%x.%llx.%llx", (unsigned)sig->class, (unsigned)sig->detail,
             (unsigned long long)(sig->object != 0 ? sig->object : sig->what),
             (unsigned long long)sig->place);
    return text;
}

bool crash_signature_equal(const struct crash_signature *a, const struct crash_signature *b)
{
    return a->class == b->class && a->detail == b->detail && a->what == b->what &&
           a->object == b->object && a->place == b->place;
}

bool crash_signature_is_kept(const struct crash_signature *original,
                             const struct crash_signature *smaller)
{
    struct crash_signature s = *smaller;

    if (original->object == 0) {
        s.object = 0;
        s.place = s.stack != 0 ? s.stack : s.place;
    }
    return crash_signature_equal(original, &s);
}
