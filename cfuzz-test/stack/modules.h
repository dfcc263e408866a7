/*
 * modules.h - which loaded file an address lies in. Context: ordinary.
 */
#ifndef MODULES_H
#define MODULES_H

#include "core/shmem.h"

/*
 * modules_find returns the file of the process with memory shm that holds address a, or NULL. The
 * test binary itself is &shm->modules[0]. The table is in memory that the target could write: what
 * is returned has a path that ends, and nothing else in it is sure. Borrowed from shm.
 */
const struct cfz_module *modules_find(const struct cfz_proc_shm *shm, uint64_t a);

#endif
