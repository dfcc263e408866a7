/*
 * streams.h - what user code has printed goes out, before a process forks, answers or ends.
 */
#ifndef CFZ_STREAMS_H
#define CFZ_STREAMS_H

/*
 * cfz_streams_flush flushes all streams of the process, as fflush(NULL) does, if it has one thread.
 * Beside others, one of which may wait for input with its stream locked for good, it flushes stdout
 * and stderr, unless they are locked. A stream of user code may be broken, or a pipe that is full:
 * where it matters whose failure that is, the state is CFZ_STATE_TARGET. Context: ordinary, or a
 * process that ends.
 */
void cfz_streams_flush(void);

#endif
