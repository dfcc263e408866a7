/*
 * symbolize_report.c - see symbolize_report.h.
 */
#define _GNU_SOURCE
#include "stack/symbolize_report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/strlist.h"
#include "base/subprocess.h"

enum { FRAMES_MAX = 512 }; /* looked up in one report; a stack overflow shows half of it */

/* A line with an address in a file: "<head>  (<path>+0x<offset>)...". */
struct bare {
    size_t head_len;
    const char *path;
    size_t path_len;
    const char *offset; /* "0x..." */
    size_t offset_len;
    bool summary; /* "SUMMARY: ...", else a frame */
};

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
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf noise = CFZ_BUF_INIT;
    struct subprocess p = {.out = answer, .err = &noise};
    const char *at = cfz_buf_str(text), *end = at + text->len, *nl;
    struct bare b;
    size_t n = 0;
    bool ok = false;
    int status;

    if (strlist_add(&argv, symbolizer, NULL) < 0 ||
        strlist_add(&argv, "--output-style=LLVM", NULL) < 0)
        goto out;
    for (; at < end && n < FRAMES_MAX; at = nl + 1) {
        nl = memchr(at, '\n', (size_t)(end - at));
        if (nl == NULL)
            break;
        if (!parse(at, (size_t)(nl - at), &b))
            continue;
        if (strlist_addf(&argv, NULL, "\"%.*s\" %.*s", (int)b.path_len, b.path, (int)b.offset_len,
                         b.offset) < 0)
            goto out;
        n++;
    }
    p.argv = (const char *const *)argv.v;
    ok = n > 0 && subprocess_run(&p, &status, NULL) == 0 && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0 && answer->len > 0;
out:
    cfz_buf_release(&noise);
    strlist_release(&argv);
    return ok;
}

/* The lines of the next address in *answer: pairs of function and place up to an empty line. */
static const char *next_block(const char **answer, size_t *len)
{
    const char *block = *answer, *end = strstr(block, "\n\n");

    *len = end != NULL ? (size_t)(end + 1 - block) : strlen(block);
    *answer = end != NULL ? end + 2 : block + *len;
    return block;
}

/* The number of a frame, "    #12 0x..." */
static unsigned long number(const char *line)
{
    return strtoul(line + strspn(line, " #"), NULL, 10);
}

/* Appends the frames, or the summary, of one address. *next is the number of the next frame. */
static int replace(const char *line, const struct bare *b, const char *block, size_t len,
                   unsigned long *next, struct cfz_buf *out, struct cfz_error *err)
{
    const char *address = memmem(line, b->head_len, "0x", 2), *end = block + len;
    size_t blanks = strspn(line, " ");

    while (block < end) {
        size_t function = strcspn(block, "\n"), place;
        const char *at = block + function + 1;
        int ret;

        if (at >= end)
            break;
        place = strcspn(at, "\n");
        if (place >= 2 && memcmp(at, "??", 2) == 0) {
            at += place; /* only the function is known */
            place = 0;
        }
        if (b->summary)
            return cfz_buf_printf(out, err, "%.*s %.*s in %.*s\n", (int)b->head_len, line,
                                  (int)place, at, (int)function, block);
        if (address == NULL)
            return cfz_buf_append(out, line, b->head_len, err);
        ret = cfz_buf_printf(out, err, "%*s#%lu %.*s in %.*s%s%.*s\n", (int)blanks, "", (*next)++,
                             (int)(line + b->head_len - address), address, (int)function, block,
                             place > 0 ? " " : "", (int)place, at);
        if (ret < 0)
            return -1;
        block = at + place + 1;
    }
    return 0;
}

int symbolize_report(const char *symbolizer, struct cfz_buf *text, struct cfz_error *err)
{
    struct cfz_buf answer = CFZ_BUF_INIT, out = CFZ_BUF_INIT;
    const char *at = cfz_buf_str(text), *end = at + text->len, *answers;
    unsigned long next = 0;
    size_t n = 0;
    int ret = -1;

    if (symbolizer == NULL || !ask(symbolizer, text, &answer)) {
        cfz_buf_release(&answer);
        return 0;
    }
    answers = cfz_buf_str(&answer);
    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at)), *block;
        size_t len = nl != NULL ? (size_t)(nl - at) : (size_t)(end - at), block_len;
        struct bare b;

        if (nl != NULL && n < FRAMES_MAX && parse(at, len, &b)) {
            n++;
            block = next_block(&answers, &block_len);
            if (!b.summary && number(at) == 0)
                next = 0;
            if (block_len >= 2 && memcmp(block, "??", 2) != 0) {
                if (replace(at, &b, block, block_len, &next, &out, err) < 0)
                    goto out;
                at = nl + 1;
                continue;
            }
            if (!b.summary) { /* not known: with the number that it has now */
                const char *rest = at + strspn(at, " #0123456789");

                rest = rest > at && rest[-1] == '0' ? rest - 1 : rest; /* of "0x..." */
                if (cfz_buf_printf(&out, err, "%*s#%lu %.*s\n", (int)strspn(at, " "), "", next++,
                                   (int)(nl - rest), rest) < 0)
                    goto out;
                at = nl + 1;
                continue;
            }
        }
        if (cfz_buf_append(&out, at, nl != NULL ? len + 1 : len, err) < 0)
            goto out;
        at = nl != NULL ? nl + 1 : end;
    }
    text->len = 0;
    ret = cfz_buf_append(text, out.data, out.len, err);
out:
    cfz_buf_release(&answer);
    cfz_buf_release(&out);
    return ret;
}
