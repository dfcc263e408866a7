/*
 * build_inputs.h - the files that the last build read, so that the next one knows whether anything
 * at all has to run, and which objects are of other files than are there now.
 *
 * The file "inputs" of a build directory: a line "cfuzz inputs 1", then one line
 * "<mtime seconds>.<nanoseconds> <size> <inode> <path>" for each source, header, and library that was
 * linked, and for the objects and the test binaries themselves. A file that was written
 * while the build ran, or is gone, has size -1 there, which matches nothing; so has a binary that a
 * build which failed did not come to. While a build runs there is no record: if it is killed, the
 * next one makes everything anew.
 */
#ifndef BUILD_INPUTS_H
#define BUILD_INPUTS_H

#include <time.h>

#include "build/build_plan.h"
#include "build/package.h"

struct build_input {
    struct timespec mtime;
    long long size;
    unsigned long long inode;
    const char *path; /* absolute; into text */
};

struct build_inputs {
    struct build_input *v; /* sorted by path */
    size_t n;
    struct cfz_buf text;
};

#define BUILD_INPUTS_INIT                                                                          \
    {                                                                                              \
        NULL, 0, CFZ_BUF_INIT                                                                      \
    }

/* build_inputs_load reads the record of the directory dir. If there is no usable one, *out stays
 * empty. CFZ_ENOMEM. */
int build_inputs_load(int dir, struct build_inputs *out, struct cfz_error *err);
void build_inputs_release(struct build_inputs *in);

/* build_inputs_unchanged reports whether every file is exactly the one that was read; also true of
 * an empty record. */
bool build_inputs_unchanged(const struct build_inputs *in);

/*
 * build_inputs_drop_stale removes the objects and test binaries of plan which are not what was made,
 * or whose compiler or linker read a file which has changed since the record: all of them if that is
 * empty. (ninja compares
 * times, and a file may come back with the time that it had.)
 */
int build_inputs_drop_stale(const struct build_inputs *in, const struct build_plan *plan,
                            const struct package *pkg, struct cfz_error *err);

/* build_inputs_forget removes the record, before a build makes it untrue. CFZ_EIO. */
int build_inputs_forget(int dir, struct cfz_error *err);

/* build_inputs_save writes the record of a build that began at start. complete: it made all that it
 * was to make. */
int build_inputs_save(int dir, const struct build_plan *plan, const struct package *pkg,
                      const struct timespec *start, bool complete, struct cfz_error *err);

/*
 * depfile_parse adds to out the prerequisites in the text of a depfile, as compilers write it for
 * make: "\ " is a blank, "\#" a '#', "$$" a '$', and a "\" at its end continues a line. Only
 * CFZ_ENOMEM.
 */
int depfile_parse(const char *text, size_t len, struct strlist *out, struct cfz_error *err);

/*
 * depfile_parse_link is the same for what a linker wrote. Those that give each name a line escape
 * blanks (lld) or do not (GNU ld, gold), so there the line is the name.
 */
int depfile_parse_link(const char *text, size_t len, struct strlist *out, struct cfz_error *err);

#endif
