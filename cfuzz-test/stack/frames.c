/*
 * frames.c - see frames.h.
 */
#define _GNU_SOURCE
#include "stack/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { PERIOD_MAX = 16 }; /* functions of a recursion; guessed: few recur through more */

static bool has_prefix(const char *function, size_t len, const char *prefix)
{
    size_t n = strlen(prefix);

    return len >= n && memcmp(function, prefix, n) == 0;
}

bool frames_is_runtime(const char *function, size_t len)
{
    /* Not all of "cfz_": cfuzz fuzzes its own core, whose functions are the user's there. */
    static const char *const prefixes[] = {"cfuzz_call_",  "ffi_call",       "cfz_call",
                                           "cfz_executor", "cfz_worker",     "cfz_host",
                                           "cfz_origin",   "__libc_start_ca"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (has_prefix(function, len, prefixes[i]))
            return true;
    }
    return false;
}

bool frames_is_test(const char *function, size_t len, const char *test)
{
    static const char setup[] = "cfuzz_setup_";

    if (has_prefix(function, len, setup)) {
        function += sizeof setup - 1;
        len -= sizeof setup - 1;
    }
    return strlen(test) == len && memcmp(function, test, len) == 0;
}

/* ---- collecting -------------------------------------------------------------------- */

/* Makes room for one more frame, which the caller fills. */
static struct frame_text *more(struct frames *f, struct cfz_error *err)
{
    if (array_grow((void **)&f->v, f->n, &f->cap, sizeof *f->v, err) < 0)
        return NULL;
    return &f->v[f->n];
}

bool frames_shorten(const char **place, size_t *len, const char *dir)
{
    size_t n = strlen(dir);

    if (*len <= n + 1 || memcmp(*place, dir, n) != 0 || (*place)[n] != '/')
        return false;
    *place += n + 1;
    *len -= n + 1;
    return true;
}

/* The length of a place without a line or column of 0, and without the column of such a line:
 * several calls that the compiler made one of have no line. */
static size_t without_zeros(const char *place, size_t len)
{
    const char *column = memrchr(place, ':', len);

    if (column != NULL && column - place > 2 && memcmp(column - 2, ":0", 2) == 0)
        return (size_t)(column - place) - 2;
    while (len > 2 && memcmp(place + len - 2, ":0", 2) == 0)
        len -= 2;
    return len;
}

int frames_add(struct frames *f, const char *function, size_t function_len, const char *place,
               size_t place_len, const char *dir, struct cfz_error *err)
{
    struct frame_text *t = more(f, err);
    char *at;

    if (t == NULL)
        return -1;
    if (place_len >= 2 && memcmp(place, "??", 2) == 0)
        place_len = 0;
    frames_shorten(&place, &place_len, dir);
    place_len = without_zeros(place, place_len);
    at = t->text = malloc(function_len + place_len + 2);
    if (at == NULL)
        return cfz_fail_nomem(err);
    memcpy(at, function, function_len);
    at += function_len;
    if (place_len > 0) {
        *at++ = ' ';
        memcpy(at, place, place_len);
        at += place_len;
    }
    *at = '\0';
    t->number = f->next++;
    f->n++;
    return 0;
}

int frames_skip(struct frames *f, uint64_t n, struct cfz_error *err)
{
    struct frame_text *t = more(f, err);

    if (t == NULL)
        return -1;
    *t = (struct frame_text){.text = NULL, .number = n};
    f->n++;
    f->next += n;
    return 0;
}

void frames_release(struct frames *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->v[i].text);
    free(f->v);
    *f = (struct frames)FRAMES_INIT;
}

/* ---- printing ---------------------------------------------------------------------- */

static bool same(const struct frames *f, size_t i, size_t k)
{
    return f->v[i].text != NULL && f->v[k].text != NULL && strcmp(f->v[i].text, f->v[k].text) == 0;
}

/* How often the sequence of period frames at i is repeated right behind it. */
static size_t repeats(const struct frames *f, size_t i, size_t period)
{
    size_t k = i + period;

    while (k < f->n && same(f, k, k - period))
        k++;
    return (k - i) / period - 1;
}

/* Returns f without the frames at its outer end whose function is not known, which unwinding makes
 * of what lies behind the stack. The innermost frame stays. The result shares f's texts. */
static struct frames without_unknown_end(const struct frames *f)
{
    struct frames v = *f;

    while (v.n > 1 && v.v[v.n - 1].text != NULL && strcmp(v.v[v.n - 1].text, "??") == 0)
        v.n--;
    return v;
}

int frames_print(const struct frames *all, struct cfz_buf *out, struct cfz_error *err)
{
    const struct frames known = without_unknown_end(all), *f = &known;

    for (size_t i = 0; i < f->n;) {
        size_t period = 1, again = 0;

        if (f->v[i].text == NULL) {
            if (cfz_buf_printf(out, err, "   ... %llu frames left out\n",
                               (unsigned long long)f->v[i++].number) < 0)
                return -1;
            continue;
        }
        /* Chooses the sequence whose repetitions cover most frames; of several the shortest. */
        for (size_t p = 1; p <= PERIOD_MAX && i + 2 * p <= f->n; p++) {
            size_t r = repeats(f, i, p);

            if (r * p > again * period) {
                period = p;
                again = r;
            }
        }
        for (size_t k = 0; k < period; k++, i++) {
            if (cfz_buf_printf(out, err, "#%llu %s\n", (unsigned long long)f->v[i].number,
                               f->v[i].text) < 0)
                return -1;
        }
        i += again * period;
        if (again > 0 && period == 1 &&
            cfz_buf_printf(out, err, "   and %zu more of the same\n", again) < 0)
            return -1;
        if (again > 0 && period > 1 &&
            cfz_buf_printf(out, err, "   and %zu time%s more these %zu\n", again,
                           again == 1 ? "" : "s", period) < 0)
            return -1;
    }
    return 0;
}
