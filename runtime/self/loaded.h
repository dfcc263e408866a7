/*
 * loaded.h - the objects that are loaded into this process: the program, shared libraries.
 */
#ifndef CFZ_LOADED_H
#define CFZ_LOADED_H

#include "core/shmem.h"

/* cfz_loaded_list writes them into shm, at most CFZ_MODULES_MAX. It is quick where none was loaded or
 * unloaded since it was called last, also if that was before a fork. Context: ordinary. */
void cfz_loaded_list(struct cfz_proc_shm *shm);

#endif
