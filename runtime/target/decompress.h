/*
 * decompress.h - whether the program decompresses deflate streams.
 */
#ifndef CFZ_DECOMPRESS_H
#define CFZ_DECOMPRESS_H

#include <stdbool.h>

#include "core/shmem.h"

/* cfz_decompresses reports whether a library that does it is among the modules of mem, or the
 * program has a function by the name that one of those has. What is loaded later by dlopen does not
 * count. Context: any. */
bool cfz_decompresses(const struct cfz_proc_shm *mem);

#endif
