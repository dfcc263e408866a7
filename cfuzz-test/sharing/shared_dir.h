/*
 * shared_dir.h - a directory in which several fuzzers leave inputs for each other.
 *
 *     SHARED_CACHE   corpus files of one test: another driver's finds in the same cache
 *     SHARED_FLAT    files of raw bytes, which we name by the SHA-1 of their content, as libFuzzer
 * does SHARED_AFL     AFL++'s: <dir>/<peer>/queue/id:000000,..., of which cfuzz-<host>-<n> is ours;
 * and what lies straight in <dir> as in a flat one
 *
 *   1. Whoever calls says what time it is, and does what is to be done at once. A look costs no
 * more than a listing, and a directory of n files is not listed more often than each 1 + n/10000 s.
 *   2. A file is handed out once. It has to have bytes, and to be as it was a second ago, or to be
 * old: others write them in place. Corpus files of cfuzz appear whole.
 *   3. Names that begin with ".", or end as those of files that are being copied, are passed over.
 *   4. A directory that cannot be listed or written is gone, until a look finds it again. If it is
 * another one then, it is then as new: nothing is known of what is in it.
 *
 * Context: ordinary.
 */
#ifndef SHARED_DIR_H
#define SHARED_DIR_H

#include "base/hash_set.h"
#include "core/buf.h"

enum shared_kind {
    SHARED_CACHE,
    SHARED_FLAT,
    SHARED_AFL,
};

/* A file that was seen, and not handed out yet. */
struct shared_file {
    char *path; /* below the directory */
    int64_t size, mtime_ns;
    uint64_t since; /* when it was first seen to be so */
    bool whole;
};

/* A directory of files: the shared one itself, or a peer's queue. */
struct shared_list {
    char *path; /* below the directory; "." for itself */
    int64_t mtime_ns;
    uint64_t next; /* when it may be listed again */
    bool
        again; /* ... whatever its mtime: there was no room for all of it, or it had just changed */
    bool met;  /* by the listing of peers that goes on */
};

struct shared_dir {
    enum shared_kind kind;
    char *path;
    char *own;               /* SHARED_AFL: the name of our part; NULL: none yet */
    int lock;                /* ... a descriptor that keeps it ours, or -1 */
    bool gone;               /* see 4. */
    uint64_t dev, ino;       /* of path when it was last there */
    uint64_t id;             /* ... the number of our next file */
    struct hash_set names;   /* of files that were handed out, or wait */
    struct hash_set content; /* of inputs that are known to be there */
    struct shared_list *lists;
    size_t nlists;
    struct shared_file *files; /* a queue, from first on */
    size_t first, nfiles, cap;
    char *taken; /* the path of the file that was handed out last */
};

/*
 * shared_dir_open readies d. Directories of others, SHARED_FLAT and SHARED_AFL, are made if they
 * are missing, and have to be such that files can be written there. CFZ_EUSAGE: "<path>: <why>";
 * then there is nothing to close. CFZ_ENOMEM.
 */
int shared_dir_open(struct shared_dir *d, enum shared_kind kind, const char *path,
                    struct cfz_error *err);
void shared_dir_close(struct shared_dir *d);

/* shared_dir_look looks for new files, at now (nanoseconds of a clock that does not jump). CFZ_EIO:
 * it is gone. CFZ_ENOMEM. */
int shared_dir_look(struct shared_dir *d, uint64_t now, struct cfz_error *err);

/* shared_dir_ready tells whether a file waits that is whole. */
bool shared_dir_ready(const struct shared_dir *d);

/*
 * shared_dir_take appends the next whole file to bytes, and sets *name to its name, without
 * directories, until d is changed. False: there is none. Files that have vanished since or cannot
 * be read are passed over, and so are those that have more than max bytes.
 */
bool shared_dir_take(struct shared_dir *d, size_t max, struct cfz_buf *bytes, const char **name);

/* shared_dir_name_known has a file of this name passed over: the caller wrote it, or read it. */
int shared_dir_name_known(struct shared_dir *d, const char *name, struct cfz_error *err);

/* shared_content is the hash of content: of the SHA-1 of the bytes, what a number holds. */
uint64_t shared_content(const void *bytes, size_t len);

/* shared_dir_knows tells whether an input of this content is there, as far as is known. */
bool shared_dir_knows(const struct shared_dir *d, uint64_t content);

/* shared_dir_put leaves an input for others, unless it is known to be there. *added tells whether
 * it was not. Not for SHARED_CACHE. CFZ_EIO: d is gone. CFZ_ENOMEM. */
int shared_dir_put(struct shared_dir *d, const void *bytes, size_t len, bool *added,
                   struct cfz_error *err);

#endif
