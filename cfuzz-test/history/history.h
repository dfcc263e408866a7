/*
 * history.h - how the fuzzing runs of a test went: samples over time, what blocked each, and what
 * it found; for the report.
 *
 * <cache>/history/<package path>/<Name>.json, in which a run writes its part anew when it ends, now
 * and then before that too:
 *
 *     {"version": 1, "runs": [{
 *         "id": "1766415600-4711",    when the driver began, and its process
 *         "began": 1766415600,        seconds since 1970
 *         "seed": "7", "sanitizers": "asan ubsan", "workers": 2,
 *         "end": "done",              or "running", "failed", "interrupted"
 *         "counters": 118,            of the build; 0: it has none
 *         "points": [[elapsed ms, executions, corpus, counters covered, crashes], ...],
 *         "blocked": "...",           the lines of the stuck report
 *         "crashes": [{"where": "Segmentation fault at p.c:4", "file": "1f0c...", "met": 3}],
 *         "said": "..."               what was printed of what failed: stacks, values, reports
 *     }, ...]}
 *
 * The last HISTORY_RUNS runs are kept, each with at most HISTORY_POINTS points (of a long run every
 * second one is dropped again and again) and HISTORY_TEXT bytes of each text. Times and executions
 * of a test that takes turns with others go on from turn to turn. A file that is damaged or of
 * another version is begun anew. Context: ordinary.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>

#include "core/buf.h"

enum { HISTORY_RUNS = 20, HISTORY_POINTS = 240, HISTORY_TEXT = 16384, HISTORY_CRASHES = 100 };

struct history_point {
    uint64_t ms, execs, corpus, covered, crashes;
};

struct history_crash {
    char *where, *file; /* file is "" where none was kept */
    uint64_t met;
};

/* Strings belong to the struct and are never NULL. */
struct history_run {
    char *id, *seed, *sanitizers, *end, *blocked, *said;
    int64_t began;
    uint64_t workers, counters;
    struct history_point points[HISTORY_POINTS];
    size_t npoints;
    struct history_crash *crashes;
    size_t ncrashes;
};

/* The oldest run is the first. */
struct history {
    struct history_run *runs;
    size_t n;
};

#define HISTORY_INIT                                                                               \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* history_file gives the path of the file of a test, NULL without a cache. The caller frees it. */
char *history_file(const char *package_path, const char *test);

/* history_load reads the file at path; what cannot be used is as if it were not there. CFZ_ENOMEM.
 */
int history_load(const char *path, struct history *out, struct cfz_error *err);
/* history_parse is history_load of a text. */
int history_parse(const char *text, size_t len, struct history *out, struct cfz_error *err);
/* history_save puts a run into the file, in place of the one of its id or behind the others, as the
 * file is now: other drivers have theirs in it. It makes the file, and its directory. CFZ_EIO,
 * CFZ_ENOMEM. */
int history_save(const char *path, const struct history_run *run, struct cfz_error *err);

/* history_copy makes *to, which is INIT, a copy. CFZ_ENOMEM; it is INIT then. */
int history_copy(struct history *to, const struct history *from, struct cfz_error *err);

/*
 * history_run adds a run to h, and forgets the oldest one if there are too many; or gives the one
 * that has that id, which a turn goes on with. NULL without memory. Borrowed until h changes.
 */
struct history_run *history_run(struct history *h, const char *id);

/* history_add_point adds a point to r. Where there is no room, every second one is dropped. */
void history_add_point(struct history_run *r, const struct history_point *p);

/* history_set has *text be a copy of as much of with[0..len) as is kept; UTF-8 is not cut apart.
 * CFZ_ENOMEM. */
int history_set(char **text, const char *with, size_t len, struct cfz_error *err);

/* history_add_crash adds one, or adds to how often one with that where and file was met; those
 * beyond HISTORY_CRASHES are left out. CFZ_ENOMEM. */
int history_add_crash(struct history_run *r, const char *where, const char *file, uint64_t met,
                      struct cfz_error *err);

void history_release(struct history *h); /* leaves INIT */

#endif
