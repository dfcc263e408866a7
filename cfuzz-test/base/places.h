/*
 * places.h - which directory the cached inputs of a package came from, so that they follow it.
 *
 * Cached inputs lie below the path of their package. Below <cache>/places is a small file for each
 * package that was fuzzed, with that path in it, twice:
 *
 *     d-<inode>-<time of birth>   the directory itself: it keeps both when it is renamed or moved
 *                                 within its file system
 *     g-<hash>                    its place in a project under git: where that was cloned from, or
 *                                 the repository that its worktrees share, and the path within
 *
 * docs/decisions/059-moved-packages.md says why. Context: ordinary.
 */
#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>

#include "core/buf.h"
#include "base/strlist.h"

/* What places_follow did. */
struct places_taken {
    char *from; /* the directory whose inputs were taken over; NULL if none were */
    bool moved; /* it is gone, and so are they from there; otherwise it has them still */
    size_t n;   /* inputs, of all tests */
};

/*
 * places_follow is called with the directory of a package and its path in the cache, before cached
 * inputs are read. If the package was elsewhere when it was fuzzed last, that place's inputs
 * become this one's. If the package was never fuzzed here, has no inputs, and another checkout of
 * the project has some, it gets those too. Then the place is noted. Where something cannot be done,
 * it is left: a corpus is an advantage and no condition. *out belongs to the caller, who frees
 * from.
 */
void places_follow(const char *dir, const char *package_path, struct places_taken *out);

/*
 * places_project adds to out what the project of the directory dir is called: "github.com/a/b" of
 * the origin https://github.com/a/b.git or git@github.com:a/b, or the path of the repository if it
 * was cloned from nowhere; then NUL, and the path of dir within the checkout. Returns false where
 * there is no git, or without memory.
 */
bool places_project(const char *dir, struct cfz_buf *out);

#endif
