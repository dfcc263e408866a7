/*
 * fd_limit.h - how many descriptors may be open: all that is allowed for the driver, which has
 * several for each worker, and what was set before for the programs it starts.
 *
 * Context: ordinary.
 */
#ifndef FD_LIMIT_H
#define FD_LIMIT_H

/* fd_limit_raise sets the soft limit to the hard one; where that fails all stays as it is. */
void fd_limit_raise(void);

/* fd_limit_restore undoes it; also between fork and exec. */
void fd_limit_restore(void);

#endif
