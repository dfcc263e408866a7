/*
 * mend.h - an input that random mutation made is given its checksums, lengths and second copies
 * anew.
 *
 * Behind a checksum random mutation is in vain: nearly each input that it makes is turned away for
 * what it changed. Where the solver once found the field (recipes.c), it is written anew in any
 * input: the trace of one execution shows what the program reckoned, and what it compared that
 * with. So one mutation costs a traced execution, and one more for each field.
 *
 * After RedQueen (Aschermann et al., NDSS 2019), which patches the checks out of the program and
 * mends what it found at the end; here nothing is patched, and each input that is executed is
 * whole.
 */
#ifndef CFZ_MEND_H
#define CFZ_MEND_H

#include "search/search.h"

/* cfz_mend_applies reports whether the last trace has a field that could be mended. Context:
 * target. */
bool cfz_mend_applies(const struct cfz_search *s);

/*
 * cfz_mend executes s->cur, and while a field in it is wrong, the same with the first such field
 * mended, until one has new coverage. on_mended is called before each of these. The last input is
 * in s->cur. One that is too long for an image is not executed: CFZ_RAN. Returns what became of the
 * last execution. Context: target.
 */
enum cfz_ran cfz_mend(struct cfz_search *s, void (*on_mended)(void *ctx));

#endif
