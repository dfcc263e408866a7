/*
 * live.h - what is fuzzed now, made into the pages of a report and served. Context: ordinary.
 */
#ifndef LIVE_H
#define LIVE_H

#include "fuzz/fuzz_history.h"

struct live;

/*
 * live_open serves at the address opt->http and sets opt->fuzz_watch. Where it is is printed. *out
 * is closed by live_close. Errors are those of server_open.
 */
int live_open(struct options *opt, struct live **out, struct cfz_error *err);
void live_close(struct live *l); /* l may be NULL */

#endif
