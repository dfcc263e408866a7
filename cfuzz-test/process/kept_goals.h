/*
 * kept_goals.h - what a run knows of goals (runtime/search/goals_keep.h), kept for the next one in
 * the file CACHE_GOALS (base/cache.h) of the test's directory in the cache. The driver does not
 * look into it: the runtime ignores what is of another build, or damaged. Context: ordinary.
 */
#ifndef KEPT_GOALS_H
#define KEPT_GOALS_H

#include "core/buf.h"
#include "core/shmem.h"

/*
 * kept_goals_load gives what is kept in dir to the workers of a run. Without a file, or with one
 * that cannot be read or is too long, they know nothing, and that is a success. CFZ_EIO if memory
 * is full.
 */
int kept_goals_load(const char *dir, struct cfz_run_shm *run, int run_fd, struct cfz_error *err);

/* kept_goals_save has data take the place of what is kept in dir, which is made if it is missing.
 * CFZ_EIO, CFZ_EUSAGE as cache_make_dir. */
int kept_goals_save(const char *dir, const struct cfz_buf *data, struct cfz_error *err);

#endif
