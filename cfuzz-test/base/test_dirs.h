/*
 * test_dirs.h - the directories of tests below a package's directory in the cache.
 *
 * Directories of packages below the package lie there too: only what holds files alone and has the
 * name of a test is a test's.
 */
#ifndef TEST_DIRS_H
#define TEST_DIRS_H

#include <stdbool.h>

/* test_dirs_open opens the directory relative, below dirfd. A symbolic link on the way is an error:
 * -1 with errno. The caller closes it. */
int test_dirs_open(int dirfd, const char *relative);

/* test_dirs_is_one reports whether the entry name of the package's directory dirfd is a test's. */
bool test_dirs_is_one(int dirfd, const char *name);

#endif
