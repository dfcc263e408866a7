/*
 * live_symbolizer.h - an llvm-symbolizer that stays, for those who ask again and again while a run
 * goes on.
 *
 * Reading the debug information of a large program takes longer than an answer, so it is read once.
 * What the driver can read itself (debug_info.h) it is not asked. Context: ordinary.
 */
#ifndef LIVE_SYMBOLIZER_H
#define LIVE_SYMBOLIZER_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/buf.h"
#include "stack/debug_info.h"

struct live_symbolizer {
    const char *program; /* borrowed; NULL: nothing is known */
    pid_t pid;           /* 0: not started */
    int sock;            /* its stdin and stdout */
    struct debug_info info;
    bool failed; /* it could not be started, ended, or took too long: it is not asked again */
};

/* live_symbolizer_init makes s, which starts program, if there is one, when it is first asked. */
void live_symbolizer_init(struct live_symbolizer *s, const char *program);

/*
 * live_symbolizer_ask appends the answer about an address in a file, as symbolizer.h has it. Waits
 * for it for LIVE_SYMBOLIZER_MS at most. CFZ_EIO where there is none, CFZ_ENOMEM; out has nothing
 * more then.
 */
enum { LIVE_SYMBOLIZER_MS = 5000 };
int live_symbolizer_ask(struct live_symbolizer *s, const char *file, uint64_t address,
                        struct cfz_buf *out, struct cfz_error *err);

/* live_symbolizer_end ends the process, and releases what s has. s may be asked again. */
void live_symbolizer_end(struct live_symbolizer *s);

#endif
