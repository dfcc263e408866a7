/*
 * child.h - a process that another process of the test binary forks on request: a host of the
 * origin, or a worker of a host. What its parent tells of it (FORKED, EXIT) and the ticks of the
 * loop come to it through a table of functions, so that the client of the parent does not know what
 * its children are. Context: ordinary.
 */
#ifndef CHILD_H
#define CHILD_H

#include "core/protocol.h"

struct child;

struct child_type {
    void (*forked)(struct child *c, int pid); /* below 0: an errno, and there is no process */
    void (*exited)(struct child *c, int status);
    /* The parent ended with status, and c with it. */
    void (*orphaned)(struct child *c, int status);
    void (*tick)(struct child *c, uint64_t now);
    /* The parent had been stopped: the time in which c is to hear from it begins anew. */
    void (*excuse)(struct child *c, uint64_t now);
    /* Moves the moments from which c is timed towards now, since the driver itself did not run for
     * by nanoseconds. */
    void (*shift)(struct child *c, uint64_t by, uint64_t now);
    void (*free)(struct child *c); /* takes it off the list as well */
};

/* A part of its client. */
struct child {
    struct child *next;
    const struct child_type *type;
    void *owner; /* the client */
    uint64_t id; /* as in the messages of its parent */
};

/* A list of children begins with a pointer that is NULL at first. */
void children_add(struct child **list, struct child *c);
void children_remove(struct child **list, struct child *c); /* does nothing to one not in it */

/* children_message hands FORKED and EXIT to the child that m is about, if it is still in the list.
 * Returns false for other messages. */
bool children_message(struct child *list, const struct cfz_msg *m);

void children_orphaned(struct child *list, int status);
void children_tick(struct child *list, uint64_t now);
void children_excuse(struct child *list, uint64_t now);
void children_shift(struct child *list, uint64_t by, uint64_t now);
void children_free(struct child **list);

#endif
