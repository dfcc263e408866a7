/*
 * cover.h - few cheap inputs that together show what all of them show. Pure but for memory.
 */
#ifndef COVER_H
#define COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* What an input shows. */
struct cover_input {
    uint32_t *features; /* each once; owned by the caller */
    size_t n;
    uint64_t weight;
    bool keep; /* out */
};

/*
 * cover_choose sets keep of the inputs whose features are those of all. An exact answer takes for
 * ever (it is set cover), so: for each feature, rare ones first, the lightest input that shows it;
 * then those that the others made superfluous go, heavy ones first. Of equal weights the earlier
 * input stays. *features gets the number of different ones. CFZ_ENOMEM. Context: ordinary.
 */
int cover_choose(struct cover_input *v, size_t n, size_t *features, struct cfz_error *err);

#endif
