/*
 * fuzz_words.h - the words of a fuzzing run: those of its dictionaries, and those that helped.
 */
#ifndef FUZZ_WORDS_H
#define FUZZ_WORDS_H

#include "cli/options.h"
#include "core/shmem.h"

/* A word, and how many interesting inputs were mutated with it. */
struct helpful {
    uint8_t *text; /* owned */
    size_t len;
    uint64_t inputs;
};

struct words {
    struct helpful *v;
    size_t n;
};

void words_release(struct words *w);

/*
 * words_prepare reads the files of -dict into opt->words, and sees whether -dictout can be written.
 * CFZ_EFORMAT, CFZ_EIO name the file: "x.dict: line 3, column 9: expected ...". A file without
 * words gets a warning.
 */
int words_prepare(struct options *opt, struct cfz_error *err);

/*
 * words_share puts the words of -dict, and those of the test's own dictionary, into the memory of a
 * run, before it has a worker. That dictionary is testdata/corpus/<Name>.dict or
 * testdata/corpus/<Name>/<Name>.dict, or both; and harness_dict if it is not NULL. Errors as of
 * words_prepare.
 */
int words_share(const struct options *opt, const char *package_dir, const char *test,
                const char *harness_dict, struct cfz_run_shm *run, int run_fd,
                struct cfz_error *err);

/* words_note counts that a word helped. What is not a word, and more of them than a dictionary has,
 * is left out. CFZ_ENOMEM. */
int words_note(struct words *w, const uint8_t *text, uint64_t len, struct cfz_error *err);

/* words_add adds the counts of from to those of w. CFZ_ENOMEM. */
int words_add(struct words *w, const struct words *from, struct cfz_error *err);

/*
 * words_report appends a line of the words that helped most, if any did:
 *     fuzz: words that helped (inputs): "GET " (12), "\x89PNG" (3), 5 more
 * words_save appends all of them as a dictionary. Both sort them. CFZ_ENOMEM.
 */
int words_report(struct cfz_buf *out, struct words *w, struct cfz_error *err);
int words_save(struct cfz_buf *out, struct words *w, struct cfz_error *err);

/* words_tell prints the line, and writes the file of -dictout. CFZ_EIO, CFZ_ENOMEM. */
int words_tell(struct words *w, const struct options *opt, struct cfz_error *err);

#endif
