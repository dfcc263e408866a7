/*
 * children.h - processes that origin and host forked: wait, reap, report, kill.
 *
 * There is no handler for SIGCHLD: signal handlers belong to the tested program, and are there in
 * what is forked. Children are watched by pidfd; before Linux 5.3, which has none, they are asked
 * every 20 ms. Context: ordinary, in the thread that forks.
 */
#ifndef CFZ_CHILDREN_H
#define CFZ_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/protocol.h"

enum {
    CFZ_CHILDREN_MAX = 1024, /* of one process; guessed */
    CFZ_KEPT_MAX = 256,      /* processes that user code started in this one; guessed */
};

struct cfz_child {
    uint64_t id; /* the driver's name for it */
    pid_t pid;   /* also the id of its process group */
    int pidfd;   /* -1 if the system has none */
};

struct cfz_children {
    struct cfz_child v[CFZ_CHILDREN_MAX];
    size_t n;
    bool adopting;            /* strays become our children */
    pid_t kept[CFZ_KEPT_MAX]; /* children that are not strays */
    size_t nkept;
};

/*
 * cfz_children_adopt makes this process the parent of strays: processes that its descendants leave
 * behind, such as a daemon that the target started. They are in no process group that we know.
 * Strays are reaped when they end. When c has no child left, which could have started them, they
 * are killed. Linux without /proc/PID/task/TID/children does not tell which they are: there nothing
 * is done.
 */
void cfz_children_adopt(struct cfz_children *c);

/* cfz_children_keep says that the children there are now are not strays: user code that ran in this
 * process started them, and may wait for them. */
void cfz_children_keep(struct cfz_children *c);

/* cfz_children_bury kills strays and what was kept, but not the children of c. */
void cfz_children_bury(struct cfz_children *c);

/* cfz_children_default has SIGCHLD do nothing in this process; *theirs gets what the program had it
 * do. Where that ignores it, or waits for any child, ours would be gone without a status. */
void cfz_children_default(struct sigaction *theirs);

/*
 * cfz_children_fork forks a child into a process group of its own, and reports the child, or the
 * failure, on sock as FORKED. Returns the pid in the parent, 0 in the child, -1 if there is no
 * child. The kernel kills the child with its parent; the child has checked that the parent was
 * still there.
 */
pid_t cfz_children_fork(struct cfz_children *c, int sock, uint64_t id);

/* cfz_children_refuse reports that there is no such child; why is an errno. Context: ordinary. */
void cfz_children_refuse(int sock, uint64_t id, int why);

/*
 * cfz_children_wait returns 1 when sock has a message or was closed at the other end, 0 when it has
 * reaped a child, and -1 if sock is not open here any more. When a child has ended, it kills what
 * is left of the child's process group, reaps the child, removes its temporary directories, and
 * reports it on sock as EXIT.
 */
int cfz_children_wait(struct cfz_children *c, int sock);

/* cfz_children_end gives all children a second to end by themselves, then kills them. */
void cfz_children_end(struct cfz_children *c);

/* cfz_children_kill kills the process groups of all children and reaps them; reports nothing. */
void cfz_children_kill(struct cfz_children *c);

/*
 * cfz_tell sends m to the driver. While the system has no memory for it, that is tried again. A
 * message that is lost all the same the driver would wait for without end: so then sock ends, which
 * both sides notice next, and -1 is returned, with the reason in *err.
 */
int cfz_tell(int sock, const struct cfz_msg *m, struct cfz_error *err);

/* cfz_move_fd moves fd to a high number, away from programs that count descriptors or close all
 * that they take for theirs. It is close-on-exec there. Returns the new number, or fd if it
 * cannot. */
int cfz_move_fd(int fd);

/* cfz_set_output makes stdout and stderr write to fd and stdin read nothing. Closes fd. */
void cfz_set_output(int fd);

#endif
