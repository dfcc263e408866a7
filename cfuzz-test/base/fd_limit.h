/*
 * fd_limit.h - how many descriptors may be open. The driver has several for each worker, so it
 * raises its limit; the programs that it starts get the limit that was set before.
 *
 * Context: ordinary.
 */
#ifndef FD_LIMIT_H
#define FD_LIMIT_H

/* fd_limit_raise sets the soft limit to the hard one. If that fails, the limit stays. */
void fd_limit_raise(void);

/* fd_limit_restore undoes fd_limit_raise. Context: also a child between fork and exec. */
void fd_limit_restore(void);

#endif
