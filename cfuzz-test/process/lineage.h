/*
 * lineage.h - how an input was made: the entry that it began with, and the mutations, by name.
 *
 * Workers note it in memory that the target may write over, so only what can be true is taken.
 * Context: ordinary.
 */
#ifndef LINEAGE_H
#define LINEAGE_H

#include "process/worker_client.h"

struct lineage {
    uint64_t entry; /* of the corpus; LINEAGE_NO_ENTRY: it is not known, or there was none */
    unsigned n;
    char names[CFZ_LINEAGE_MAX][CFZ_MUTATION_NAME_MAX]; /* "insert random bytes" */
};

#define LINEAGE_NO_ENTRY UINT64_MAX

/* lineage_read takes n numbers of the process with memory shm apart, of which the first
 * CFZ_LINEAGE_MAX count. A name that is not printable text is "unknown". */
void lineage_read(const struct cfz_proc_shm *shm, const uint8_t *numbers, size_t n, uint64_t entry,
                  struct lineage *out);

/* lineage_of gives that of the input that w failed on, or died of: one without mutations unless w
 * was fuzzing. */
void lineage_of(const struct worker *w, struct lineage *out);

#endif
