/*
 * sharing_state.h - what a fuzzing run keeps of directories that others read and write too; see
 * fuzz_sharing.h.
 */
#ifndef SHARING_STATE_H
#define SHARING_STATE_H

#include "core/value.h"
#include "sharing/shared_dir.h"

struct worker;

struct shared {
    struct shared_dir dir;
    uint64_t given; /* entries of the corpus that were looked at, to leave them there */
    bool told;      /* that it is gone */
};

struct sharing {
    struct shared *v; /* the first is the cache, if n > 0 */
    size_t n;
    struct hash_set tried; /* contents that were executed */
    uint64_t next_look;
    bool due;                /* inputs are to be executed from now on */
    uint64_t until;          /* ... or are: till then */
    size_t from;             /* where the next one comes from */
    const struct worker *by; /* executes one now */
    uint64_t fresh;          /* ... bits of it that were new */
    struct cfz_values input; /* ... its values */
    size_t input_from;       /* ... number of the directory it came from */
    char *input_name;        /* ... its file */
    uint64_t executed, taken,
        left; /* inputs: of others, those of them in the corpus, ours for others */
};

#endif
