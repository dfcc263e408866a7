/*
 * deadly.h - inputs of the search that ended the process which executed them.
 *
 * With -keepfuzzing a worker that dies is replaced, and the search would do again what it did: it
 * comes to the same input, and dies of it. So an input is noted before it is executed. Where it is
 * still noted when another process begins, it was deadly, and is not executed again: the search
 * goes on behind it, and so a crash that is met everywhere does not hide what comes after it.
 *
 * An input is known by 64 bits of hash. What is noted lies among the goals (goal.h), so the target
 * can write over it: at worst an input is not executed. Context: target.
 */
#ifndef CFZ_DEADLY_H
#define CFZ_DEADLY_H

#include <stdatomic.h>

#include "search/image.h"

enum {
    CFZ_DEADLY_INPUTS =
        1 << 16,             /* places for inputs; later ones drive out others. A power of two */
    CFZ_DEADLY_WORKERS = 64, /* whose notes are kept: a later worker has that of another one */
};

/* What a worker is executing for the search. All zero: nothing. */
struct cfz_under_way {
    _Atomic uint64_t input; /* its hash */
    _Atomic uint32_t entry; /* 1 + the entry on which the solver has a turn; or 0 */
};

struct cfz_deadly {
    _Atomic uint64_t inputs[CFZ_DEADLY_INPUTS];
    struct cfz_under_way workers[CFZ_DEADLY_WORKERS];
    _Atomic uint32_t nworkers; /* that began */
};

/* cfz_deadly_hash returns the hash of an image; never 0. */
uint64_t cfz_deadly_hash(const struct cfz_image *im);

/* cfz_deadly_add makes an input deadly; cfz_deadly_has reports whether it is. */
void cfz_deadly_add(struct cfz_deadly *d, uint64_t hash);
bool cfz_deadly_has(const struct cfz_deadly *d, uint64_t hash);

/*
 * cfz_deadly_begin gives a worker that begins the number of its note. What others have noted is deadly from now
 * on: they are dead, or lose an input that is about to end. lost is called with each entry on which
 * the solver had a turn there.
 */
uint32_t cfz_deadly_begin(struct cfz_deadly *d, void (*lost)(uint32_t entry));

/* cfz_deadly_note returns the note with that number; the target may have written over what kept it. */
static inline struct cfz_under_way *cfz_deadly_note(struct cfz_deadly *d, uint32_t number)
{
    return &d->workers[number % CFZ_DEADLY_WORKERS];
}

/* cfz_deadly_resume makes what was noted deadly, in a process that goes on with a worker's command
 * after another that died. Returns whether anything was. */
bool cfz_deadly_resume(struct cfz_deadly *d, struct cfz_under_way *u);

#endif
