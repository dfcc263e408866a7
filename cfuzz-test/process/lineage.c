/*
 * lineage.c - see lineage.h.
 */
#include "process/lineage.h"

#include <string.h>

/* Copies the name of a number. */
static void read_name(const struct cfz_proc_shm *shm, unsigned number,
                      char name[CFZ_MUTATION_NAME_MAX])
{
    size_t len = 0;

    if (number < CFZ_MUTATIONS_MAX)
        memcpy(name, shm->mutations[number], CFZ_MUTATION_NAME_MAX);
    while (number < CFZ_MUTATIONS_MAX && len < CFZ_MUTATION_NAME_MAX && name[len] >= ' ' &&
           name[len] < 0x7f)
        len++;
    if (len == 0 || len == CFZ_MUTATION_NAME_MAX || name[len] != '\0')
        memcpy(name, "unknown", 8);
}

void lineage_read(const struct cfz_proc_shm *shm, const uint8_t *numbers, size_t n, uint64_t entry,
                  struct lineage *out)
{
    *out =
        (struct lineage){.entry = entry, .n = n < CFZ_LINEAGE_MAX ? (unsigned)n : CFZ_LINEAGE_MAX};
    for (unsigned i = 0; i < out->n; i++)
        read_name(shm, numbers[i], out->names[i]);
}

void lineage_of(const struct worker *w, struct lineage *out)
{
    if (w->fuzzing)
        lineage_read(w->shm, w->shm->lineage.v, w->shm->lineage.n, w->shm->parent, out);
    else
        *out = (struct lineage){.entry = LINEAGE_NO_ENTRY};
}
