/*
 * json_events.c - see json_events.h.
 */
#define _GNU_SOURCE
#include "results/json_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/json_text.h"

enum { DIGITS = 12 }; /* of a number that is not whole: 0.07 is not 0.070000000000000007 */

/* Whole numbers without a point, as Go writes them. */
static json_t *number(double value)
{
    double whole = floor(value);

    return value == whole && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                : json_real(value);
}

/* RFC 3339 with nanoseconds, as Go has it: "2026-11-22T11:39:31.123456789+01:00". */
static json_t *stamp(const struct timespec *at)
{
    struct tm tm;
    char day[32], zone[8], text[80];

    localtime_r(&at->tv_sec, &tm);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
    strftime(zone, sizeof zone, "%z", &tm);
    if (strcmp(zone, "+0000") == 0)
        snprintf(text, sizeof text, "%s.%09ldZ", day, at->tv_nsec);
    else
        snprintf(text, sizeof text, "%s.%09ld%.3s:%s", day, at->tv_nsec, zone, zone + 3);
    return json_string(text);
}

/* The fields that all events have. */
static json_t *event(const struct json_place *at, const char *action)
{
    json_t *e = json_object();

    if (json_object_set_new(e, "Time", stamp(&at->now)) < 0 ||
        json_object_set_new(e, "Action", json_string(action)) < 0 ||
        (at->package != NULL && json_object_set_new(e, "Package", json_text(at->package)) < 0) ||
        (at->test != NULL && json_object_set_new(e, "Test", json_text(at->test)) < 0)) {
        json_decref(e);
        return NULL;
    }
    return e;
}

/* Appends e, which it takes over, as a line. */
static int append(struct cfz_buf *out, json_t *e, struct cfz_error *err)
{
    char *text = e != NULL ? json_dumps(e, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    int ret;

    json_decref(e);
    if (text == NULL)
        return cfz_fail_nomem(err);
    ret = cfz_buf_printf(out, err, "%s\n", text);
    free(text);
    return ret;
}

int json_event(struct cfz_buf *out, const struct json_place *at, const char *action, double seconds,
               const char *text, size_t len, struct cfz_error *err)
{
    json_t *e = event(at, action);

    if ((seconds >= 0 && json_object_set_new(e, "Elapsed", number(seconds)) < 0) ||
        (text != NULL && json_object_set_new(e, "Output", json_stringn(text, len)) < 0)) {
        json_decref(e);
        e = NULL;
    }
    return append(out, e, err);
}

int json_event_lines(struct cfz_buf *out, const struct json_place *at, const char *text, size_t len,
                     struct cfz_error *err)
{
    while (len > 0) {
        const char *nl = memchr(text, '\n', len);
        size_t n = nl != NULL ? (size_t)(nl - text) + 1 : len;

        if (json_event(out, at, "output", -1, text, n, err) < 0)
            return -1;
        text += n;
        len -= n;
    }
    return 0;
}

int json_event_fuzz(struct cfz_buf *out, const struct json_place *at, json_t *details,
                    struct cfz_error *err)
{
    const struct json_place package = {.now = at->now, .package = at->package};
    json_t *e = event(&package, "fuzz");

    if (json_object_set_new(details, "Test", json_text(at->test)) < 0 ||
        json_object_set(e, "Fuzz", details) < 0) {
        json_decref(e);
        e = NULL;
    }
    json_decref(details);
    return append(out, e, err);
}

json_t *json_fuzz_progress(const struct fuzz_status *s)
{
    return json_pack("{s:s, s:s, s:o, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}",
                     "Event", "progress", "Doing", s->doing, "Elapsed",
                     number(round((double)s->elapsed_ns / 1e6) / 1e3), "Execs",
                     (json_int_t)s->execs, "Rate", number(round(s->rate)), "New",
                     (json_int_t)s->interesting, "Total", (json_int_t)s->total, "Baseline",
                     (json_int_t)s->baseline, "OfBaseline", (json_int_t)s->of_baseline, "Covered",
                     (json_int_t)s->covered, "Counters", (json_int_t)s->counters, "Crashes",
                     (json_int_t)s->crashes, "Workers", (json_int_t)s->workers, "SinceFind",
                     number(round((double)s->since_find_ns / 1e6) / 1e3));
}

json_t *json_fuzz_find(const char *file, uint64_t size, uint64_t bits, uint64_t total)
{
    return json_pack("{s:s, s:o, s:I, s:I, s:I}", "Event", "find", "File", json_text(file), "Size",
                     (json_int_t)size, "NewBits", (json_int_t)bits, "Total", (json_int_t)total);
}

json_t *json_fuzz_crash(const struct result_crash *c, bool settled)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "Event",
                     settled ? "crasher" : "crash", "Kind", json_text(c->kind), "Where",
                     json_text(c->where), "Line", json_text(c->line), "Function",
                     json_text(c->function), "Identity", c->identity, "File", json_text(c->file),
                     "Command", json_text(c->command));
}
