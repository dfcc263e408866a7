/*
 * order.h - something that is done beside the fuzzing because somebody who looks at a page asked
 * for it: this program, run once more in the background.
 *
 * It has a lower priority and one process for inputs, so that fuzzing has what it had on all CPUs
 * but a part of one. Signals of the terminal do not reach it; it ends with this process. Context:
 * ordinary.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>

#include "core/buf.h"
#include "base/strlist.h"

struct order;

/* order_start runs this program with the arguments args, which need no name of a program in front.
 * *out is the caller's. CFZ_EIO, CFZ_ENOMEM. */
int order_start(const struct strlist *args, struct order **out, struct cfz_error *err);

/* order_result names a file that the program may write to (-coverprofile). Borrowed. */
struct order_result;
int order_result_new(struct order_result **out, struct cfz_error *err);
const char *order_result_path(const struct order_result *r);
/* order_result_read appends what was written. CFZ_EIO, CFZ_ENOMEM. */
int order_result_read(const struct order_result *r, struct cfz_buf *out, struct cfz_error *err);
void order_result_free(struct order_result *r); /* r may be NULL */

/* order_over reports whether it has ended. *status is as from waitpid then, and text gets the end
 * of what it printed. */
bool order_over(struct order *o, int *status, struct cfz_buf *text);

/* order_free ends it if it still runs, and waits for that. o may be NULL. */
void order_free(struct order *o);

#endif
