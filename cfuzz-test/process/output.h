/*
 * output.h - what a process under test writes to its stdout and stderr.
 *
 * A memory file: writing never blocks and needs no reader. It cannot grow beyond
 * OUTPUT_CAP; since driver and process share the file position, the driver
 * rewinds it now and then (output_tick), so that the last part stays readable
 * however much was written. Context: ordinary.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <sys/types.h>

#include "core/buf.h"

struct output {
    int fd;        /* the process gets a duplicate as fd 1 and 2; -1 when not open */
    off_t before;  /* bytes that were in the file when it was last rewound; 0: never */
    uint64_t gone; /* bytes that were written before it was last rewound */
    uint64_t mark; /* and before output_mark */
};

#define OUTPUT_INIT                                                                                \
    {                                                                                              \
        -1, 0, 0, 0                                                                                \
    }

enum {
    OUTPUT_CAP = 16 << 20,   /* bytes; guessed: 0.1 s of a very loud target */
    OUTPUT_REWIND = 1 << 20, /* output_tick starts over beyond this */
    OUTPUT_SHOWN = 8 << 10,  /* of the output, in what tells of a failure */
};

/* output_open makes the file, which cannot grow beyond OUTPUT_CAP. CFZ_EIO. */
int output_open(struct output *o, struct cfz_error *err);
void output_close(struct output *o);

/* output_tick rewinds a file that got long. To be called every 0.1 s or so. */
void output_tick(struct output *o);

/* output_mark has the tail begin here, since what was written before belongs to something else. */
void output_mark(struct output *o);

/* output_began_anew: the process was replaced, and the next one writes from the beginning. */
void output_began_anew(struct output *o);

/*
 * output_tail appends the last max bytes that were written behind the mark, beginning with a
 * whole line where they are cut. CFZ_ENOMEM, CFZ_EIO.
 */
int output_tail(const struct output *o, size_t max, struct cfz_buf *out, struct cfz_error *err);

/* output_report_at returns where in a tail a sanitizer's report may be found: behind the last NUL,
 * which targets write, and sanitizers do not. */
size_t output_report_at(const struct cfz_buf *tail);

/* output_size returns how many bytes were written behind the mark. */
uint64_t output_size(const struct output *o);

#define OUTPUT_LEFT_OUT "... %llu bytes before this left out\n"

/*
 * output_show appends the tail so that it does not upset a terminal (escape.h), below a line
 * "... 5000 bytes before this left out" where it is cut. CFZ_ENOMEM, CFZ_EIO.
 */
int output_show(const struct output *o, size_t max, struct cfz_buf *out, struct cfz_error *err);

#endif
