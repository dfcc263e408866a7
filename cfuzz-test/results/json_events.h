/*
 * json_events.h - -json: the events of "go tool test2json", one a line.
 *
 *     {"Time":"...","Action":"run","Package":"parse","Test":"FuzzX"}
 *     {"Time":"...","Action":"output","Package":"parse","Test":"FuzzX","Output":"=== RUN FuzzX\n"}
 *     {"Time":"...","Action":"pass","Package":"parse","Test":"FuzzX","Elapsed":0.02}
 *
 * Actions are those of Go (https://pkg.go.dev/cmd/test2json): start, run, output, pass, fail, skip;
 * and one that Go does not have, "fuzz", with an object "Fuzz": its "Event" is progress, find,
 * crash or crasher. The name of the test stands in there: readers pass over what they do not know
 * of a package, but may take it for the end of a test (gotestsum).
 *
 * Each function appends whole lines to out. package and test may be NULL, and are left out then.
 * CFZ_ENOMEM. Context: ordinary.
 */
#ifndef JSON_EVENTS_H
#define JSON_EVENTS_H

#include <jansson.h>
#include <time.h>

#include "core/buf.h"
#include "results/result.h"

/* Where an event belongs to. */
struct json_place {
    struct timespec now;
    const char *package, *test;
};

/* json_event appends one event. seconds below 0 and text NULL are left out. */
int json_event(struct cfz_buf *out, const struct json_place *at, const char *action, double seconds,
               const char *text, size_t len, struct cfz_error *err);

/* json_event_lines appends an output event for each line of text. */
int json_event_lines(struct cfz_buf *out, const struct json_place *at, const char *text, size_t len,
                     struct cfz_error *err);

/* json_event_fuzz appends an event of fuzzing at->test, of which details says more. It takes
 * details over, also on failure; NULL fails. */
int json_event_fuzz(struct cfz_buf *out, const struct json_place *at, json_t *details,
                    struct cfz_error *err);

/* The details of each kind, for json_event_fuzz; NULL without memory. */
json_t *json_fuzz_progress(const struct fuzz_status *s);
json_t *json_fuzz_find(const char *file, uint64_t size, uint64_t bits, uint64_t total);
json_t *json_fuzz_crash(const struct result_crash *c, bool settled);

#endif
