/*
 * shared.h - memory that the host of a test makes and all its workers share.
 *
 * The target can write over it, since the worker that runs the target can. Whatever is read there
 * is checked before it is an index, and ends no loop. Once a worker was seen to have written over
 * it, the driver has it renewed (docs/decisions/065).
 */
#ifndef CFZ_SHARED_H
#define CFZ_SHARED_H

#include <stddef.h>

#include "core/error.h"

/* cfz_shared_map returns zeroed memory that this process shares with those that it forks; NULL if
 * it cannot: CFZ_EIO, "map memory for <what>: <why>". Context: ordinary. */
void *cfz_shared_map(size_t size, const char *what, struct cfz_error *err);

/* cfz_shared_renew puts zeroed memory in the place of p, which came from cfz_shared_map, for this
 * process and those that it forks from now on. Those that it forked before keep what they have. On
 * failure, CFZ_EIO, there may be nothing at p until it is called again. Context: ordinary. */
int cfz_shared_renew(void *p, size_t size, struct cfz_error *err);

#endif
