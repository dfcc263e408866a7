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
    int fd;       /* the process gets a duplicate as fd 1 and 2; -1 when not open */
    off_t before; /* bytes that were in the file when it was last rewound; 0: never */
};

#define OUTPUT_INIT                                                                                \
    {                                                                                              \
        -1, 0                                                                                      \
    }

enum {
    OUTPUT_CAP = 16 << 20,   /* bytes; guessed: 0.1 s of a very loud target */
    OUTPUT_REWIND = 1 << 20, /* output_tick starts over beyond this */
};

/* output_open makes the file, capped and sealed. CFZ_EIO. */
int output_open(struct output *o, struct cfz_error *err);
void output_close(struct output *o);

/* output_tick rewinds a file that got long. To be called every 0.1 s or so. */
void output_tick(struct output *o);

/*
 * output_tail appends the last max bytes that were written, beginning with a
 * whole line where there is one. Bytes other than printable ASCII, UTF-8's upper
 * half and line ends and tabs become '?', so that no terminal is upset. CFZ_ENOMEM, CFZ_EIO.
 */
int output_tail(const struct output *o, size_t max, struct cfz_buf *out, struct cfz_error *err);

#endif
