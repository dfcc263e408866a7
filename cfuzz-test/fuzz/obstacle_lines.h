/*
 * obstacle_lines.h - the comparisons that block a run, in words.
 *
 *     fuzz: blocked: comparisons that inputs reach and none gets past
 *         parse.c:60: strcmp(word, "begin")
 *             9 counters behind it, reached by 1 input; closest so far "beg", wanted "begin"
 *             depends on data[4..7]; a seed or a dictionary with "begin" would help
 *
 * Context: ordinary.
 */
#ifndef OBSTACLE_LINES_H
#define OBSTACLE_LINES_H

#include <time.h>

#include "core/buf.h"
#include "core/obstacle.h"

/*
 * obstacle_lines appends up to most obstacles of a list that was checked (cfz_obstacles_copy), and
 * how many more there are. Nothing if there are none, or if little lies behind any and not all are
 * asked for (CFZ_OBSTACLES_MAX). Sources are looked for in dir, and named
 * relative to it. failed: there are inputs that fail, whose coverage nobody knows; the heading says
 * so. The comparison is read from the source, but from one that was changed after since, unless
 * that is 0. All that comes from a process or a file is escaped. CFZ_ENOMEM.
 */
int obstacle_lines(struct cfz_buf *out, const struct cfz_obstacles *list, uint32_t most,
                   const char *dir, bool failed, time_t since, struct cfz_error *err);

#endif
