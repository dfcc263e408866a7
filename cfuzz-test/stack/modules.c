/*
 * modules.c - see modules.h.
 */
#include "stack/modules.h"

#include <string.h>

const struct cfz_module *modules_find(const struct cfz_proc_shm *shm, uint64_t a)
{
    uint32_t n = shm->nmodules < CFZ_MODULES_MAX ? shm->nmodules : CFZ_MODULES_MAX;

    for (uint32_t i = 0; i < n; i++) {
        const struct cfz_module *m = &shm->modules[i];

        if (a >= m->start && a < m->end && m->path[0] != '\0' &&
            memchr(m->path, '\0', sizeof m->path) != NULL)
            return m;
    }
    return NULL;
}
