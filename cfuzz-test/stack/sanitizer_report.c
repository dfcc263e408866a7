/*
 * sanitizer_report.c - see sanitizer_report.h.
 *
 * What sanitizers print is not a format, and differs a little from version to version. So there are
 * three sorts of lines: one that is understood goes into the summary or a stack, one that is known
 * to be of no use is dropped, and any other stays as it is.
 *
 * The target writes to the same descriptor and may have written anything. No number or quote in the
 * text is trusted to be there; what is copied is cut to the room there is.
 */
#define _GNU_SOURCE
#include "stack/sanitizer_report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symtab.h"
#include "stack/frames.h"
#include "cli/report.h"

enum {
    NAME_SHOWN = 60,   /* bytes of a variable's name in the summary */
    DISTANCE_MAX = 64, /* bytes of "3 bytes past the end of" */
};

/* ---- the line that says what is wrong ------------------------------------------------ */

/*
 * A report begins at the line that says what is wrong. Of several the last one counts, which
 * the process died of.
 */

/* Where in the line [line, end) the description begins: at the tool's name, or at the place for
 * UndefinedBehaviorSanitizer. NULL if the line is not the first of a report. The tools are those of
 * sanitizers_all (cli/sanitizers.h), and what users may build with flags of their own. */
static const char *what_of(const char *line, const char *end)
{
    static const char *const marks[] = {"ERROR: ", "WARNING: "};
    static const char *const tools[] = {
        "AddressSanitizer: ", "HWAddressSanitizer: ", "MemorySanitizer: ",
        "ThreadSanitizer: ",  "LeakSanitizer: ",      "UndefinedBehaviorSanitizer: "};
    static const char ubsan[] = ": runtime error: ", check[] = "CHECK failed: "; /* its own bug */
    size_t len = (size_t)(end - line);

    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        const char *at = memmem(line, len, tools[i], strlen(tools[i]));

        if (at == NULL)
            continue;
        for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
            size_t n = strlen(marks[k]);

            if (at >= line + n && memcmp(at - n, marks[k], n) == 0)
                return at;
        }
        if (at == line && memmem(line, len, check, sizeof check - 1) != NULL)
            return at;
    }
    return memmem(line, len, ubsan, sizeof ubsan - 1) != NULL ? line : NULL;
}

/* The first line of the last report in output, or NULL. *what is what_of the line, *end its end. */
static const char *find(const char *output, const char **what, const char **end)
{
    const char *found = NULL;

    for (const char *line = output; *line != '\0';) {
        const char *nl = line + strcspn(line, "\n"), *at = what_of(line, nl);

        if (at != NULL) {
            found = line;
            *what = at;
            *end = nl;
        }
        line = *nl != '\0' ? nl + 1 : nl;
    }
    return found;
}

bool sanitizer_report_line(const char *output, char text[SANITIZER_LINE_MAX])
{
    const char *what, *end;

    if (find(output, &what, &end) == NULL)
        return false;
    snprintf(text, SANITIZER_LINE_MAX, "%.*s",
             (int)(end - what < SANITIZER_LINE_MAX ? end - what : SANITIZER_LINE_MAX), what);
    return true;
}

/* ---- parts of lines ------------------------------------------------------------------ */

/* A line, without its end. */
struct line {
    const char *at;
    size_t len;
};

static bool starts(const struct line *l, const char *prefix)
{
    size_t n = strlen(prefix);

    return l->len >= n && memcmp(l->at, prefix, n) == 0;
}

static const char *has(const struct line *l, const char *word)
{
    return memmem(l->at, l->len, word, strlen(word));
}

/* Reads the number that follows word in l. */
static bool number_after(const struct line *l, const char *word, unsigned long long *n)
{
    const char *at = has(l, word);

    if (at == NULL || !isdigit((unsigned char)at[strlen(word)]))
        return false;
    *n = strtoull(at + strlen(word), NULL, 10); /* stays in the line, since '\n' or NUL ends it */
    return true;
}

static const char *plural(unsigned long long n)
{
    return n == 1 ? "" : "s";
}

/* Drops leading blanks and "==1234==", the process id, from l. */
static void strip(struct line *l)
{
    size_t n = 2;

    while (l->len > 0 && *l->at == ' ')
        l->at++, l->len--;
    if (l->len < 5 || memcmp(l->at, "==", 2) != 0)
        return;
    while (n < l->len && isdigit((unsigned char)l->at[n]))
        n++;
    if (n > 2 && n + 2 <= l->len && memcmp(l->at + n, "==", 2) == 0)
        l->at += n + 2, l->len -= n + 2;
}

/* ---- facts for the summary ----------------------------------------------------------- */

/*
 * Lines between the stacks say what was accessed and which object lies there. Each take_ function
 * reads one kind of line: it puts what the line says into the facts, or returns false if the line
 * is of another kind.
 */

/* Where an address lies to an object. */
enum side { BEFORE, INSIDE, AFTER };

/* What the summary will say. Texts are "" and flags false while nothing is known. */
struct facts {
    char access[64]; /* "read of 4 bytes" */
    char where[160]; /* "3 bytes past the end of a heap object of 16 bytes" */
    char place[128]; /* "url.c:41:9" */
    bool in_frame;   /* the access was to the stack, at this offset in its frame: */
    unsigned long long frame_offset;
    bool near_global; /* where names a global; the access was so far from it: */
    unsigned long long global_distance;
    enum side global_side;
};

/* "just past the end of", "3 bytes before": the address is by bytes on that side of what follows.
 */
static void distance(char text[DISTANCE_MAX], unsigned long long by, enum side side)
{
    if (side == INSIDE && by == 0)
        snprintf(text, DISTANCE_MAX, "at the start of");
    else if (side == INSIDE)
        snprintf(text, DISTANCE_MAX, "%llu byte%s into", by, plural(by));
    else if (side == AFTER && by == 0)
        snprintf(text, DISTANCE_MAX, "just past the end of");
    else
        snprintf(text, DISTANCE_MAX, "%llu byte%s %s", by, plural(by),
                 side == AFTER ? "past the end of" : "before");
}

/* Whether the global that the facts name is at least as near as one at this distance. Of two that
 * are equally near, the one that the address is behind is meant. */
static bool has_nearer_global(const struct facts *f, unsigned long long by, enum side side)
{
    if (!f->near_global || f->global_distance > by)
        return false;
    return f->global_distance < by || f->global_side == AFTER || side != AFTER;
}

/* "0x... is located 3 bytes after 16-byte region [...", or "... 3 bytes after global variable 'tab'
 * defined in ... of size 12". Older versions write "to the right of", "to the left of", "inside
 * of". */
static bool take_located(const struct line *l, struct facts *f)
{
    static const struct {
        const char *word;
        enum side side;
    } sides[] = {{" after ", AFTER},
                 {" before ", BEFORE},
                 {" to the right of ", AFTER},
                 {" to the left of ", BEFORE},
                 {" inside of ", INSIDE}};
    unsigned long long by, size = 0;
    const char *at = NULL;
    enum side side = INSIDE;
    struct line rest;
    char near[DISTANCE_MAX];

    if (!number_after(l, " is located ", &by))
        return false;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0] && at == NULL; i++) {
        at = has(l, sides[i].word);
        if (at != NULL) {
            at += strlen(sides[i].word);
            side = sides[i].side;
        }
    }
    if (at == NULL)
        return false;
    distance(near, by, side);
    rest = (struct line){at, l->len - (size_t)(at - l->at)};
    if (isdigit((unsigned char)*at) && has(&rest, "-byte region ") != NULL) {
        size = strtoull(at, NULL, 10);
        snprintf(f->where, sizeof f->where, "%s a heap object of %llu byte%s", near, size,
                 plural(size));
        return true;
    }
    if (starts(&rest, "global variable '") && number_after(&rest, "of size ", &size)) {
        const char *name = at + strlen("global variable '"), *end = strchr(name, '\'');

        if (end == NULL || end >= l->at + l->len)
            return false;
        if (has_nearer_global(f, by, side)) /* a report may list several */
            return true;
        f->near_global = true;
        f->global_distance = by;
        f->global_side = side;
        snprintf(f->where, sizeof f->where, "%s global '%.*s' of %llu byte%s", near,
                 (int)(end - name < NAME_SHOWN ? end - name : NAME_SHOWN), name, size,
                 plural(size));
        return true;
    }
    return false;
}

/* "Address 0x... is located in stack of thread T0 at offset 48 in frame", and behind it a line for
 * each object of the frame:
 * "[32, 48) 'buf' (line 7) <== Memory access at offset 48 overflows this variable". */
static bool take_stack_object(const struct line *l, struct facts *f)
{
    unsigned long long from, to, at, by;
    const char *name, *end;
    enum side side;
    char near[DISTANCE_MAX];

    if (has(l, "is located in stack of thread") != NULL && number_after(l, "at offset ", &at)) {
        f->in_frame = true;
        f->frame_offset = at;
        return true;
    }
    if (!f->in_frame)
        return false;
    if (starts(l, "This frame has "))
        return true;
    if (!starts(l, "[") || sscanf(l->at, "[%llu, %llu)", &from, &to) != 2)
        return false;
    if (has(l, "<== Memory access") == NULL)
        return true;
    name = has(l, ") '");
    end = name != NULL ? strchr(name + 3, '\'') : NULL;
    if (end == NULL || end >= l->at + l->len || to < from)
        return false;
    name += 3;
    at = f->frame_offset;
    side = at >= to ? AFTER : at < from ? BEFORE : INSIDE;
    by = side == AFTER ? at - to : side == BEFORE ? from - at : at - from;
    distance(near, by, side);
    snprintf(f->where, sizeof f->where, "%s '%.*s' of %llu byte%s on the stack", near,
             (int)(end - name < NAME_SHOWN ? end - name : NAME_SHOWN), name, to - from,
             plural(to - from));
    return true;
}

/* The first line of these forms: "READ of size 4 at 0x... thread T0", ThreadSanitizer's "Write of
 * size 4 at 0x... by main thread:" and "Atomic write of size...", LeakSanitizer's "Direct leak of
 * 16 byte(s) in 1 object(s)". A second one, of another leak say, stays as it is. */
static bool take_access(const struct line *l, struct facts *f)
{
    unsigned long long n, objects;
    bool write = starts(l, "WRITE") || starts(l, "Write") || starts(l, "Atomic write");
    const char *by;

    if (f->access[0] != '\0')
        return false;
    /* "Direct" or "Indirect". */
    if (number_after(l, "irect leak of ", &n) && number_after(l, "byte(s) in ", &objects)) {
        snprintf(f->access, sizeof f->access, "%llu byte%s in %llu object%s, allocated", n,
                 plural(n), objects, plural(objects));
        return true;
    }
    if (!write && !starts(l, "READ") && !starts(l, "Read") && !starts(l, "Atomic read"))
        return false;
    if (!number_after(l, "of size ", &n))
        return false;
    by = has(l, " by ");
    snprintf(f->access, sizeof f->access, "%s of %llu byte%s%.*s", write ? "write" : "read", n,
             plural(n), by != NULL && l->at[l->len - 1] == ':' ? (int)(l->at + l->len - 1 - by) : 0,
             by != NULL ? by : "");
    return true;
}

/* Whether l is of no use, or says what the summary or the message says anyway. */
static bool is_noise(const struct line *l)
{
    static const char *const starting[] = {
        "SUMMARY: ",       "ABORTING",  "===",
        "HINT: this may",  "(longjmp",  "The signal is caused by",
        "Register values", "Exiting",   "Hint: ",
        "CHECK failed",    "To suppre", "ThreadSanitizer: reported",
        "r8 = 0x",         "r9 = 0x",   "Shadow byte legend",
    };
    static const char *const holding[] = {"is a wild pointer", "can not provide additional info",
                                          "SCARINESS: "};

    if (l->len == 0)
        return true;
    for (size_t i = 0; i < sizeof starting / sizeof starting[0]; i++) {
        if (starts(l, starting[i]))
            return true;
    }
    for (size_t i = 0; i < sizeof holding / sizeof holding[0]; i++) {
        if (has(l, holding[i]) != NULL)
            return true;
    }
    return l->len > 8 && *l->at == 'r' && memcmp(l->at + 3, " = 0x", 5) == 0; /* "rax = 0x" */
}

/* ---- frames -------------------------------------------------------------------------- */

/*
 * A frame is a line with '#' and a number. Where its function ends and its place begins has to be
 * told by blanks and slashes: neither is quoted, and both may hold blanks.
 */

/* The end of [at, end) without " (module+0x1) (BuildId: 93ac)" at its end. */
static const char *without_module(const char *at, const char *end)
{
    for (;;) {
        const char *open;

        while (end > at && end[-1] == ' ')
            end--;
        if (end == at || end[-1] != ')')
            return end;
        open = memrchr(at, '(', (size_t)(end - at));
        if (open == NULL || open == at || open[-1] != ' ' ||
            (memmem(open, (size_t)(end - open), "+0x", 3) == NULL &&
             memmem(open, (size_t)(end - open), "BuildId:", 8) == NULL))
            return end;
        end = open;
    }
}

/*
 * Takes l apart if it is a frame, with blanks before it stripped:
 *     #2 0x55d0 in name file:line
 *     #2 name file:line (module+0x1)       ThreadSanitizer's
 *     #2 0x55d0 (module+0x1)               function "??", place "module+0x1"
 * place is empty if the line has none.
 */
static bool parse_frame(const struct line *l, struct line *function, struct line *place)
{
    const char *at = l->at, *end = l->at + l->len, *in, *cut;

    if (l->len < 3 || *at != '#' || !isdigit((unsigned char)at[1]))
        return false;
    while (at < end && *at != ' ')
        at++;
    while (at < end && *at == ' ')
        at++;
    in = memmem(at, (size_t)(end - at), " in ", 4);
    if (in != NULL && end - at > 2 && memcmp(at, "0x", 2) == 0)
        at = in + 4;
    /* If there is only an address and its module, the module is all that can be shown. */
    cut = memmem(at, (size_t)(end - at), " (/", 3);
    *place = (struct line){"", 0};
    if (cut != NULL && (memchr(at, ' ', (size_t)(end - at)) == cut || cut[-1] == ' ') &&
        end - at > 2 && memcmp(at, "0x", 2) == 0) {
        const char *close = memchr(cut, ')', (size_t)(end - cut)), *name = cut + 2;

        for (const char *p = name; close != NULL && p < close; p++)
            name = *p == '/' ? p + 1 : name;
        *function = (struct line){"??", 2};
        if (close != NULL)
            *place = (struct line){name, (size_t)(close - name)};
        return true;
    }
    end = without_module(at, end);
    /* A C++ function may hold blanks, so an absolute file is looked for first. */
    cut = memmem(at, (size_t)(end - at), " /", 2);
    if (cut == NULL) {
        cut = memrchr(at, ' ', (size_t)(end - at));
        if (cut != NULL && memchr(cut, ':', (size_t)(end - cut)) == NULL)
            cut = NULL;
    }
    *function = (struct line){at, (size_t)((cut != NULL ? cut : end) - at)};
    function->len = symtab_plain_len(function->at, function->len);
    if (cut != NULL)
        *place = (struct line){cut + 1, (size_t)(end - cut - 1)};
    return true;
}

/* Makes "free" of "__interceptor_free" and "memcpy" of "__asan_memcpy", as the user wrote it. */
static void strip_interceptor(struct line *function)
{
    static const char *const prefixes[] = {"___interceptor_", "__interceptor_", "__asan_mem",
                                           "__msan_mem", "__tsan_mem"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t n = strlen(prefixes[i]);

        if (!starts(function, prefixes[i]))
            continue;
        if (i >= 2) /* "mem" belongs to the name */
            n -= strlen("mem");
        function->at += n;
        function->len -= n;
        return;
    }
}

/* ---- the lines in order --------------------------------------------------------------- */

/*
 * Frames are collected while they follow each other; any other line ends the stack. The first stack
 * is that of the error. Later ones, under titles such as "freed by thread T0 here:", are the rest.
 */

struct reading {
    const char *dir, *test;
    struct sanitizer_report *r; /* what is filled */
    struct facts facts;
    struct frames frames; /* of the stack that is being read */
    unsigned stacks;      /* complete ones */
    bool outside;         /* the frames that follow are outward of the test */
    bool object;          /* the frames that follow belong to an object that the summary names */
    bool in_map;          /* the lines that follow are shadow bytes */
};

/* Adds a frame to the stack, up to that of the test. The error's innermost one in a file below dir
 * is the place of the summary. */
static int add_frame(struct reading *g, struct line *function, const struct line *place,
                     struct cfz_error *err)
{
    struct line at = *place;

    if (g->outside || g->object || frames_is_runtime(function->at, function->len)) {
        g->outside = true;
        return 0;
    }
    g->outside = frames_is_test(function->at, function->len, g->test);
    strip_interceptor(function);
    if (g->stacks == 0 && g->facts.place[0] == '\0' && frames_shorten(&at.at, &at.len, g->dir))
        snprintf(g->facts.place, sizeof g->facts.place, "%.*s", (int)at.len, at.at);
    return frames_add(&g->frames, function->at, function->len, place->at, place->len, g->dir, err);
}

/* Prints the stack that was collected, if there is one, to where it belongs. */
static int end_stack(struct reading *g, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (g->frames.n > 0) {
        if (g->stacks++ == 0)
            ret = frames_print(&g->frames, &g->r->stack, err);
        else if ((ret = frames_print(&g->frames, &text, err)) == 0)
            ret = report_indent(&g->r->rest, 4, cfz_buf_str(&text), text.len, err);
    }
    g->outside = g->object = false;
    cfz_buf_release(&text);
    frames_release(&g->frames);
    return ret;
}

/* Adds a line that stays, without " at 0x...": an address tells the reader nothing. */
static int add_line(struct reading *g, const struct line *l, struct cfz_error *err)
{
    const char *at = has(l, " at 0x"), *end = l->at + l->len, *next;

    if (at == NULL)
        return cfz_buf_printf(&g->r->rest, err, "%.*s\n", (int)l->len, l->at);
    next = at + strlen(" at 0x");
    while (next < end && isxdigit((unsigned char)*next))
        next++;
    return cfz_buf_printf(&g->r->rest, err, "%.*s%.*s\n", (int)(at - l->at), l->at,
                          (int)(end - next), next);
}

static int read_line(struct reading *g, struct line l, struct cfz_error *err)
{
    struct line function, place;

    if (g->in_map && (starts(&l, " ") || starts(&l, "=>") || starts(&l, "Shadow byte")))
        return 0;
    g->in_map = starts(&l, "Shadow bytes around");
    strip(&l);
    if (parse_frame(&l, &function, &place))
        return add_frame(g, &function, &place, err);
    if (end_stack(g, err) < 0)
        return -1;
    if (g->in_map || is_noise(&l))
        return 0;
    if (take_stack_object(&l, &g->facts)) {
        g->object = true;
        return 0;
    }
    if (take_access(&l, &g->facts) || take_located(&l, &g->facts))
        return 0;
    return add_line(g, &l, err);
}

/* ---- the whole report ------------------------------------------------------------------ */

/* Begins the summary with the description [what, end), without addresses and ids, and sets the
 * tool's name. */
static void begin_summary(struct sanitizer_report *r, const char *what, const char *end,
                          const char *dir)
{
    static const char *const tails[] = {" on address 0x", " at pc 0x", " (pc 0x", " on 0x",
                                        ": 0x",           " (pid=",    " (tid="};
    size_t len = (size_t)(end - what);
    struct line l = {what, len};

    if (has(&l, ": runtime error: ") != NULL) {
        snprintf(r->tool, sizeof r->tool, "UndefinedBehaviorSanitizer");
        frames_shorten(&what, &len, dir);
    } else {
        snprintf(r->tool, sizeof r->tool, "%.*s", (int)strcspn(what, ":"), what);
        for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
            const char *at = memmem(what, len, tails[i], strlen(tails[i]));

            len = at != NULL ? (size_t)(at - what) : len;
        }
    }
    snprintf(r->summary, sizeof r->summary, "%.*s",
             (int)(len < sizeof r->summary ? len : sizeof r->summary - 1), what);
}

/* Adds the facts to the summary. A report of UndefinedBehaviorSanitizer begins with its place. */
static void end_summary(struct sanitizer_report *r, const struct facts *f)
{
    size_t n = strlen(r->summary);

    if (f->access[0] != '\0' || f->where[0] != '\0')
        n += (size_t)snprintf(r->summary + n, sizeof r->summary - n, ": %s%s%s", f->access,
                              f->access[0] != '\0' && f->where[0] != '\0' ? ", " : "", f->where);
    if (n >= sizeof r->summary || f->place[0] == '\0' ||
        strstr(r->summary, ": runtime error: ") != NULL)
        return;
    snprintf(r->summary + n, sizeof r->summary - n, "%sat %s",
             strstr(f->access, "allocated") != NULL ? " " : ", ", f->place);
}

/* Where the target's own output ends and the report begins: at line, a report's first, or above it
 * at rows of '=' and notices of a deadly signal. */
static size_t own_end(const char *output, const char *line)
{
    while (line > output) {
        const char *before = line - 1;

        while (before > output && before[-1] != '\n')
            before--;
        if (strncmp(before, "======", 6) != 0 &&
            memmem(before, (size_t)(line - before), "Sanitizer:DEADLYSIGNAL", 22) == NULL)
            break;
        line = before;
    }
    /* LeakSanitizer puts an empty line above its row of '='. */
    if (line - output >= 2 && line[-1] == '\n' && line[-2] == '\n' && *line == '=')
        line--;
    return (size_t)(line - output);
}

int sanitizer_report_read(const char *output, const char *dir, const char *test, bool *found,
                          struct sanitizer_report *r, struct cfz_error *err)
{
    struct reading g = {.dir = dir, .test = test, .r = r, .frames = FRAMES_INIT};
    const char *what, *end, *line = find(output, &what, &end);
    int ret = -1;

    *found = line != NULL;
    if (line == NULL)
        return 0;
    r->start = own_end(output, line);
    begin_summary(r, what, end, dir);
    while (*end != '\0') {
        struct line l = {end + 1, strcspn(end + 1, "\n")};

        end = l.at + l.len;
        if (read_line(&g, l, err) < 0)
            goto out;
    }
    if (end_stack(&g, err) < 0)
        goto out;
    end_summary(r, &g.facts);
    ret = 0;
out:
    frames_release(&g.frames);
    return ret;
}

void sanitizer_report_release(struct sanitizer_report *r)
{
    cfz_buf_release(&r->stack);
    cfz_buf_release(&r->rest);
    *r = (struct sanitizer_report)SANITIZER_REPORT_INIT;
}
