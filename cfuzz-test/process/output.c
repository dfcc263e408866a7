/*
 * output.c - see output.h.
 *
 * The file's size is OUTPUT_CAP from the start (sealed against growing and
 * shrinking), so its size says nothing; the shared position does:
 *
 *     0          position        before            OUTPUT_CAP
 *     |--newest--|----older------|.....................|
 *
 * After a rewind the bytes between position and before are still the older part
 * of the text, and what lies in [0, position) is its end.
 */
#define _GNU_SOURCE
#include "process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/escape.h"

int output_open(struct output *o, struct cfz_error *err)
{
    int fd = memfd_create("cfuzz-output", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return cfz_fail_errno(err, "make a file for the output of the target");
    if (ftruncate(fd, OUTPUT_CAP) < 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0) {
        cfz_fail_errno(err, "size the file for the output of the target");
        close(fd);
        return -1;
    }
    *o = (struct output)OUTPUT_INIT;
    o->fd = fd;
    return 0;
}

void output_close(struct output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    *o = (struct output)OUTPUT_INIT;
}

void output_began_anew(struct output *o)
{
    o->before = 0;
    o->gone = o->mark = 0;
}

void output_tick(struct output *o)
{
    off_t at;

    if (o->fd < 0)
        return;
    at = lseek(o->fd, 0, SEEK_CUR);
    if (at <= OUTPUT_REWIND)
        return;
    /* What is written between the two calls is lost; there is no way to make them one. */
    lseek(o->fd, 0, SEEK_SET);
    o->before = at;
    o->gone += (uint64_t)at;
}

/* The position in the file at which the process writes; -1 if it cannot be told. */
static off_t position(const struct output *o)
{
    off_t at = lseek(o->fd, 0, SEEK_CUR);

    return at < OUTPUT_CAP ? at : OUTPUT_CAP; /* the process may seek as it likes */
}

void output_mark(struct output *o)
{
    off_t at = o->fd >= 0 ? position(o) : -1;

    if (at >= 0)
        o->mark = o->gone + (uint64_t)at;
}

/* Appends bytes [from, to) of the file. */
static int append_range(int fd, off_t from, off_t to, struct cfz_buf *out, struct cfz_error *err)
{
    if (cfz_buf_reserve(out, (size_t)(to - from), err) < 0)
        return -1;
    while (from < to) {
        char chunk[16384];
        size_t want = (size_t)(to - from) < sizeof chunk ? (size_t)(to - from) : sizeof chunk;
        ssize_t got = pread(fd, chunk, want, from);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cfz_fail_errno(err, "read the output of the target");
        if (got == 0)
            break;
        if (cfz_buf_append(out, chunk, (size_t)got, err) < 0)
            return -1;
        from += got;
    }
    return 0;
}

uint64_t output_size(const struct output *o)
{
    off_t at = o->fd >= 0 ? position(o) : -1;
    uint64_t all = at >= 0 ? o->gone + (uint64_t)at : 0;

    /* If the process has moved back before the mark, all that there is counts. */
    return all >= o->mark ? all - o->mark : all;
}

/* Does the work of output_tail, and stores how many bytes behind the mark are not in *out. */
static int tail(const struct output *o, size_t max, struct cfz_buf *out, uint64_t *left_out,
                struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    off_t want = (off_t)max, at, older = 0;
    uint64_t all;
    size_t start = 0;
    int ret = -1;

    *left_out = 0;
    if (o->fd < 0)
        return 0;
    at = position(o);
    if (at < 0)
        return cfz_fail_errno(err, "read the output of the target");
    all = output_size(o);
    if (all < max)
        want = (off_t)all;
    if (o->before > at && want > at) {
        older = o->before - at;
        if (older > want - at)
            older = want - at;
    }
    if (older > 0 && append_range(o->fd, o->before - older, o->before, &text, err) < 0)
        goto out;
    if (append_range(o->fd, at > want ? at - want : 0, at, &text, err) < 0)
        goto out;
    if (all > text.len && text.len > 0) { /* cut: begins with a whole line if there is one */
        const uint8_t *nl = memchr(text.data, '\n', text.len);

        if (nl != NULL && nl + 1 < text.data + text.len)
            start = (size_t)(nl + 1 - text.data);
    }
    *left_out = all - (text.len - start);
    if (text.len > start && cfz_buf_append(out, text.data + start, text.len - start, err) < 0)
        goto out;
    ret = 0;
out:
    cfz_buf_release(&text);
    return ret;
}

int output_tail(const struct output *o, size_t max, struct cfz_buf *out, struct cfz_error *err)
{
    uint64_t left_out;

    return tail(o, max, out, &left_out, err);
}

size_t output_report_at(const struct cfz_buf *tail)
{
    const uint8_t *nul = tail->len > 0 ? memrchr(tail->data, '\0', tail->len) : NULL;

    return nul != NULL ? (size_t)(nul + 1 - tail->data) : 0;
}

int output_show(const struct output *o, size_t max, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    uint64_t left_out;
    int ret = tail(o, max, &text, &left_out, err);

    if (ret == 0 && left_out > 0)
        ret = cfz_buf_printf(out, err, OUTPUT_LEFT_OUT, (unsigned long long)left_out);
    if (ret == 0)
        ret = cfz_buf_escape(out, cfz_buf_str(&text), text.len, CFZ_ESCAPE_TEXT, err);
    cfz_buf_release(&text);
    return ret;
}
