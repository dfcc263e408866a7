/*
 * symbolize_report.c - see symbolize_report.h.
 */
#define _GNU_SOURCE
#include "stack/symbolize_report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stack/symbolizer.h"

enum { FRAMES_MAX = 512 }; /* addresses looked up in one report; a stack overflow shows 256 */

/* A line with an address in a file: "<head>  (<path>+0x<offset>)...". */
struct bare {
    size_t head_len;
    const char *path;
    size_t path_len;
    const char *offset; /* "0x..." */
    size_t offset_len;
    bool summary; /* "SUMMARY: ...", else a frame */
};

/* Takes line[0..len) apart; false if it is another line, or has its source place already. */
static bool parse(const char *line, size_t len, struct bare *b)
{
    static const char summary[] = "SUMMARY: ";
    const char *end = line + len, *at = line, *open, *close, *plus;

    b->summary = len > sizeof summary && memcmp(line, summary, sizeof summary - 1) == 0;
    while (at < end && *at == ' ')
        at++;
    if (!b->summary && (at == end || *at != '#'))
        return false;
    open = memmem(line, len, " (/", 3);
    if (open == NULL || memmem(line, (size_t)(open - line), " in ", 4) != NULL)
        return false;
    close = memchr(open, ')', (size_t)(end - open));
    if (close == NULL)
        return false;
    plus = memrchr(open, '+', (size_t)(close - open));
    if (plus == NULL || close - plus < 4 || memcmp(plus, "+0x", 3) != 0)
        return false;
    b->path = open + 2;
    b->path_len = (size_t)(plus - b->path);
    b->offset = plus + 1;
    b->offset_len = (size_t)(close - b->offset);
    b->head_len = (size_t)(open - line);
    while (b->head_len > 0 && line[b->head_len - 1] == ' ')
        b->head_len--;
    return memchr(b->path, '"', b->path_len) == NULL;
}

/* Asks the symbolizer for all addresses; false when there is nothing to ask, or no answer. */
static bool ask(const char *symbolizer, const struct cfz_buf *text, struct cfz_buf *answer)
{
    struct strlist questions = STRLIST_INIT;
    const char *at = cfz_buf_str(text), *end = at + text->len, *nl;
    struct bare b;
    bool ok = false;

    for (; at < end && questions.n < FRAMES_MAX; at = nl + 1) {
        nl = memchr(at, '\n', (size_t)(end - at));
        if (nl == NULL)
            break;
        if (parse(at, (size_t)(nl - at), &b) &&
            strlist_addf(&questions, NULL, "\"%.*s\" %.*s", (int)b.path_len, b.path,
                         (int)b.offset_len, b.offset) < 0)
            goto out;
    }
    ok = questions.n > 0 && symbolizer_ask(symbolizer, &questions, answer, NULL) == 0 &&
         answer->len > 0;
out:
    strlist_release(&questions);
    return ok;
}

/* The number of a frame, "    #12 0x..." */
static unsigned long number(const char *line)
{
    return strtoul(line + strspn(line, " #"), NULL, 10);
}

/* Takes the next frame of address n, and drops frames of earlier addresses. Returns false if none
 * is left. */
static bool take_frame(struct symbolizer_walk *w, uint32_t n, struct symbolizer_frame *f)
{
    struct symbolizer_walk ahead = *w;

    while (symbolizer_next(&ahead, f) && f->address <= n) {
        *w = ahead;
        if (f->address == n)
            return true;
    }
    return false;
}

/*
 * Appends what takes the place of line[0..len), which a line end follows: the frames at its
 * address, which is number n of the answer; or, for a summary, its place. Functions that were
 * inlined add frames, so frames are numbered anew: *next is the number of the next one.
 */
static int replace(const char *line, size_t len, const struct bare *b, struct symbolizer_walk *w,
                   uint32_t n, unsigned long *next, struct cfz_buf *out, struct cfz_error *err)
{
    const char *address = memmem(line, b->head_len, "0x", 2), *rest;
    int blanks = (int)strspn(line, " ");
    struct symbolizer_frame f;
    bool known = take_frame(w, n, &f) && !(f.function_len >= 2 && memcmp(f.function, "??", 2) == 0);

    if (b->summary && !known)
        return cfz_buf_append(out, line, len + 1, err);
    if (b->summary)
        return cfz_buf_printf(out, err, "%.*s %.*s in %.*s\n", (int)b->head_len, line,
                              (int)f.place_len, f.place, (int)f.function_len, f.function);
    if (number(line) == 0) /* another stack */
        *next = 0;
    if (!known) {
        rest = line + strspn(line, " #0123456789");
        rest = rest > line && rest[-1] == '0' ? rest - 1 : rest; /* of "0x..." */
        return cfz_buf_printf(out, err, "%*s#%lu %.*s\n", blanks, "", (*next)++,
                              (int)(line + len - rest), rest);
    }
    if (address == NULL)
        return cfz_buf_append(out, line, b->head_len, err);
    do {
        if (cfz_buf_printf(out, err, "%*s#%lu %.*s in %.*s%s%.*s\n", blanks, "", (*next)++,
                           (int)(line + b->head_len - address), address, (int)f.function_len,
                           f.function, f.place_len > 0 ? " " : "", (int)f.place_len, f.place) < 0)
            return -1;
    } while (take_frame(w, n, &f));
    return 0;
}

int symbolize_report(const char *symbolizer, struct cfz_buf *text, struct cfz_error *err)
{
    struct cfz_buf answer = CFZ_BUF_INIT, out = CFZ_BUF_INIT;
    const char *at = cfz_buf_str(text), *end = at + text->len, *nl;
    struct symbolizer_walk w;
    unsigned long next = 0;
    uint32_t n = 0;
    struct bare b;
    int ret = -1;

    if (symbolizer == NULL || !ask(symbolizer, text, &answer)) {
        cfz_buf_release(&answer);
        return 0;
    }
    w = (struct symbolizer_walk){.at = cfz_buf_str(&answer)};
    for (; at < end && (nl = memchr(at, '\n', (size_t)(end - at))) != NULL; at = nl + 1) {
        size_t len = (size_t)(nl - at);

        if (n < FRAMES_MAX && parse(at, len, &b)
                ? replace(at, len, &b, &w, n++, &next, &out, err) < 0
                : cfz_buf_append(&out, at, len + 1, err) < 0)
            goto out;
    }
    if (cfz_buf_append(&out, at, (size_t)(end - at), err) < 0) /* a line that is not ended */
        goto out;
    text->len = 0;
    ret = cfz_buf_append(text, out.data, out.len, err);
out:
    cfz_buf_release(&answer);
    cfz_buf_release(&out);
    return ret;
}
