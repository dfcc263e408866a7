/*
 * hash_set.h - a set of 64-bit hashes, which stand for texts or contents: two with one hash are
 * taken for the same. Context: ordinary.
 */
#ifndef HASH_SET_H
#define HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct hash_set {
    uint64_t *v; /* open addressing; 0: a free place, so that 0 itself is kept as 1 */
    size_t n, cap;
};

#define HASH_SET_INIT                                                                              \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

/* hash_set_text hashes the text, which ends with NUL, and goes on from a hash: 0 at first. */
uint64_t hash_set_text(uint64_t hash, const char *text);

/* hash_set_add adds h. *added, which may be NULL, tells whether it was not there. CFZ_ENOMEM. */
int hash_set_add(struct hash_set *s, uint64_t h, bool *added, struct cfz_error *err);
bool hash_set_has(const struct hash_set *s, uint64_t h);
void hash_set_release(struct hash_set *s); /* leaves INIT */

#endif
