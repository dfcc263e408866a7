/*
 * lf_modes.h - what can be done behind libFuzzer's command line. Each mode prints libFuzzer's lines
 * on stderr and stores the exit status; a target is open, and its setup part has not run yet.
 * Context: ordinary.
 */
#ifndef LF_MODES_H
#define LF_MODES_H

#include "libfuzzer/lf_target.h"

/* lf_run executes the given files, -runs times each. The first that fails ends it, without an
 * artifact. Errors are those of trial_run. */
int lf_run(struct lf_target *t, int *status, struct cfz_error *err);

/* lf_fuzz fuzzes: what is interesting goes to the first directory. Errors are those of
 * coordinator_run. */
int lf_fuzz(struct lf_target *t, int *status, struct cfz_error *err);

/*
 * lf_merge copies, from the second and the other directories into the first, files that show what
 * none before them showed: small ones first, or, with -set_cover_merge=1, always the one that shows
 * most. A file that fails is told of, has an artifact, and is left out. With -merge_control_file
 * the merge can be killed and goes on from there; the next merge with that file does not execute
 * again what it knows. CFZ_EIO.
 */
int lf_merge(struct lf_target *t, int *status, struct cfz_error *err);

/* lf_minimize makes the given file smaller as long as it fails in the same way, within -runs
 * executions and -max_total_time. Errors are those of trial_run. */
int lf_minimize(struct lf_target *t, int *status, struct cfz_error *err);

/* lf_cleanse replaces bytes of the given file by blanks or 0xff as long as it fails in the same
 * way, and writes the result to -exact_artifact_path. Errors are those of trial_run. */
int lf_cleanse(struct lf_target *t, int *status, struct cfz_error *err);

/* lf_jobs runs -jobs processes, argv[0] with arguments, each into fuzz-<N>.log, -workers at a time,
 * and prints each log when its process ended. *status is 0, or 1 if one failed. CFZ_EIO. */
int lf_jobs(const struct lf_flags *f, const char *const *argv, int *status, struct cfz_error *err);

#endif
