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
    uint64_t entry; /* of the corpus; or CFZ_NO_ENTRY */
    unsigned n;
    char names[CFZ_LINEAGE_MAX][CFZ_MUTATION_NAME_MAX]; /* "insert random bytes" */
};

/* lineage_name copies what a number is called in the process with memory shm, "unknown" if that is
 * no printable text. */
void lineage_name(const struct cfz_proc_shm *shm, unsigned number,
                  char name[CFZ_MUTATION_NAME_MAX]);

/* lineage_read takes n numbers of the process with memory shm apart, of which the first
 * CFZ_LINEAGE_MAX count. */
void lineage_read(const struct cfz_proc_shm *shm, const uint8_t *numbers, size_t n, uint64_t entry,
                  struct lineage *out);

/* lineage_of gives that of the input that w failed on, or died of: one without mutations unless w
 * was fuzzing. */
void lineage_of(const struct worker *w, struct lineage *out);

/* ---- mutations of a run ------------------------------------------------------------- */

/*
 * How often each mutation was used, and in how many interesting inputs it was
 * (CFUZZDEBUG=mutations=1). Workers count in their own memory; what one counted is added when it
 * ends, dead or alive. One that a crash ended tells of its uses up to some turns before.
 */
struct mutation_counts {
    uint64_t uses[CFZ_MUTATIONS_MAX];   /* asked for, also where it could not be applied */
    uint64_t inputs[CFZ_MUTATIONS_MAX]; /* interesting ones */
    char names[CFZ_MUTATIONS_MAX][CFZ_MUTATION_NAME_MAX]; /* "": not known yet */
};

/* mutation_counts_add adds what shm, of a worker that ends or waits, counted. shm may be NULL. */
void mutation_counts_add(struct mutation_counts *m, const struct cfz_proc_shm *shm);

/* mutation_counts_input notes the mutations, each once, that made an interesting input. */
void mutation_counts_input(struct mutation_counts *m, const struct cfz_lineage_part *lineage);

/* mutation_counts_text writes the line of a mutation, as for debug_line; false if there is nothing
 * to tell of it:
 *
 *     mutation "resize within lengths": 3012 uses, in 2 interesting inputs
 */
enum { MUTATION_LINE = 128 };
bool mutation_counts_text(const struct mutation_counts *m, unsigned number,
                          char text[MUTATION_LINE]);

#endif
