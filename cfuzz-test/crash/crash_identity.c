/*
 * crash_identity.c - see crash_identity.h.
 */
#define _GNU_SOURCE
#include "crash/crash_identity.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io.h"

enum { FILE_MAX_BYTES = 64 << 20 }; /* of a source; a longer one is not read. Guessed */

/* FNV-1a, as in crash_signature.c. */
static uint64_t hash(uint64_t h, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The text of a line without blanks at its ends. */
static const char *trim(const char *line, size_t *len)
{
    while (*len > 0 && is_blank(line[0])) {
        line++;
        (*len)--;
    }
    while (*len > 0 && is_blank(line[*len - 1]))
        (*len)--;
    return line;
}

/* Hashes line number n of text, and how many equal lines stand above it. False if there is none. */
static bool hash_line(const char *text, unsigned long n, uint64_t *h)
{
    const char *at = text, *line;
    uint32_t above = 0;
    size_t len;

    for (unsigned long i = 1; i < n && at != NULL; i++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    if (n == 0 || at == NULL || *at == '\0')
        return false;
    len = strcspn(at, "\n");
    line = trim(at, &len);
    while (text < at) {
        size_t other_len = strcspn(text, "\n");
        const char *next = text + other_len + 1, *other = trim(text, &other_len);

        above += other_len == len && memcmp(other, line, len) == 0;
        text = next;
    }
    *h = hash(hash(*h, line, len), &above, sizeof above);
    return true;
}

/* Hashes a place, "url.c:41", of which the file is read. */
static uint64_t hash_place(uint64_t h, const char *dir, const char *place, size_t len)
{
    const char *colon = memrchr(place, ':', len);
    struct cfz_buf text = CFZ_BUF_INIT;
    char *path = NULL;
    size_t name = colon != NULL ? (size_t)(colon - place) : len;
    bool done = false;

    if (colon != NULL && asprintf(&path, "%s%s%.*s", place[0] == '/' ? "" : dir,
                                  place[0] == '/' ? "" : "/", (int)name, place) < 0)
        path = NULL;
    if (path != NULL && cfz_io_read_file(AT_FDCWD, path, FILE_MAX_BYTES, &text, NULL) == 0)
        done = hash_line(cfz_buf_str(&text), strtoul(colon + 1, NULL, 10), &h);
    cfz_buf_release(&text);
    free(path);
    if (place[0] != '/') /* an absolute path may be another one on another machine */
        h = hash(h, place, name);
    return done ? h : hash(h, place, len);
}

const char *crash_identity(const struct crash_signature *sig, const char *dir,
                           char text[CRASH_IDENTITY_MAX])
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    int32_t class = (int32_t)sig->class, detail = sig->detail;

    h = hash(hash(h, &class, sizeof class), &detail, sizeof detail);
    h = hash(h, sig->kind, strlen(sig->kind) + 1);
    for (const char *at = sig->parts; *at != '\0';) {
        size_t len = strcspn(at, ";");
        const char *place = memchr(at, '@', len);

        h = hash(h, at, place != NULL ? (size_t)(place - at) : len);
        h = hash(h, ";", 1);
        if (place != NULL)
            h = hash_place(h, dir, place + 1, len - (size_t)(place + 1 - at));
        at += len + (at[len] == ';');
    }
    snprintf(text, CRASH_IDENTITY_MAX, "%016" PRIx64, h);
    return text;
}

bool crash_identity_is(const char *text, size_t len)
{
    return len == CRASH_IDENTITY_MAX - 1 && strspn(text, "0123456789abcdef") >= len;
}
