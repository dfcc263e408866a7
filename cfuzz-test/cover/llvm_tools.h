/*
 * llvm_tools.h - llvm-profdata and llvm-cov, run. Context: ordinary.
 */
#ifndef LLVM_TOOLS_H
#define LLVM_TOOLS_H

#include "base/strlist.h"
#include "build/build.h"
#include "core/buf.h"

/*
 * llvm_merge merges raw profiles, as processes of bin leave them, to the indexed profile out.
 * CFZ_EFORMAT "llvm-profdata-19: <what it said>", where they are of another LLVM say; CFZ_EIO.
 */
int llvm_merge(const struct test_binary *bin, const struct strlist *raw, const char *out,
               struct cfz_error *err);

/*
 * llvm_export appends what the indexed profile says of bin's sources to out, in lcov's format; of
 * all, or of one alone, an absolute path as the compiler knew it. Errors as llvm_merge; "the
 * profile is of another build" where functions of bin and profile do not fit.
 */
int llvm_export(const struct test_binary *bin, const char *profile, const char *source,
                struct cfz_buf *out, struct cfz_error *err);

#endif
