/*
 * lineage.c - see lineage.h.
 */
#include "process/lineage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lineage_name(const struct cfz_proc_shm *shm, unsigned number, char name[CFZ_MUTATION_NAME_MAX])
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
        lineage_name(shm, numbers[i], out->names[i]);
}

void lineage_of(const struct worker *w, struct lineage *out)
{
    if (w->fuzzing)
        lineage_read(w->shm, w->shm->lineage.v, w->shm->lineage.n, w->shm->parent, out);
    else
        *out = (struct lineage){.entry = CFZ_NO_ENTRY};
}

/* ---- mutations of a run ------------------------------------------------------------- */

void mutation_counts_add(struct mutation_counts *m, const struct cfz_proc_shm *shm)
{
    if (shm == NULL || !cfz_proc_shm_sane(shm, false))
        return; /* the target wrote over what it counted */
    for (unsigned i = 0; i < CFZ_MUTATIONS_MAX; i++) {
        m->uses[i] += atomic_load_explicit(&shm->mutation_uses[i], memory_order_relaxed);
        if (shm->mutations[i][0] != '\0' && m->names[i][0] == '\0')
            lineage_name(shm, i, m->names[i]);
    }
}

void mutation_counts_input(struct mutation_counts *m, const struct cfz_lineage_part *lineage)
{
    for (unsigned i = 0; i < lineage->n && i < CFZ_LINEAGE_MAX; i++) {
        bool again = false;

        for (unsigned k = 0; k < i; k++)
            again |= lineage->v[k] == lineage->v[i];
        if (!again && lineage->v[i] < CFZ_MUTATIONS_MAX)
            m->inputs[lineage->v[i]]++;
    }
}

bool mutation_counts_text(const struct mutation_counts *m, unsigned number,
                          char text[MUTATION_LINE])
{
    char uses[40] = "";

    if (m->uses[number] == 0 && m->inputs[number] == 0)
        return false;
    if (m->uses[number] > 0)
        snprintf(uses, sizeof uses, "%" PRIu64 " use%s, ", m->uses[number],
                 m->uses[number] == 1 ? "" : "s");
    snprintf(text, MUTATION_LINE, "mutation \"%s\": %sin %" PRIu64 " interesting input%s",
             m->names[number], uses, m->inputs[number], m->inputs[number] == 1 ? "" : "s");
    return true;
}
