/*
 * annotations.h - commands to the runner of GitHub Actions, which shows a failure beside its line:
 *
 *     ::error file=src/parse.c,line=41,title=FuzzX/seed#0::Segmentation fault at parse.c:41
 *
 * A line of the target's output could be a command as well, to set a variable of the job for one.
 * So commands are stopped by a word that nobody can guess, and go on for ours alone. Each function
 * appends whole lines to out. CFZ_ENOMEM. Context: ordinary.
 */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include "core/buf.h"
#include "results/result.h"

enum { ANNOTATIONS_WORD_MAX = 40 };

/* annotations_on reports whether GitHub Actions runs this process. */
bool annotations_on(void);

/* annotations_word makes the word, at random. */
void annotations_word(char word[ANNOTATIONS_WORD_MAX]);

/* What follows is no command, until annotations_resume. */
int annotations_stop(struct cfz_buf *out, const char *word, struct cfz_error *err);
int annotations_resume(struct cfz_buf *out, const char *word, struct cfz_error *err);

/* annotation appends the command for a failure in the package of that directory. */
int annotation(struct cfz_buf *out, const char *dir, const struct result *r, struct cfz_error *err);

#endif
