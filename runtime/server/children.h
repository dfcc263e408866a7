/*
 * children.h - processes that origin and host forked: wait, reap, report, kill.
 *
 * No handler for SIGCHLD: signal handlers belong to the tested program. Children are
 * watched by pidfd, or, before Linux 5.3, asked for every 20 ms. Context: ordinary,
 * in the thread that forks.
 */
#ifndef CFZ_CHILDREN_H
#define CFZ_CHILDREN_H

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
    int pidfd;   /* -1 if there are none */
};

struct cfz_children {
    struct cfz_child v[CFZ_CHILDREN_MAX];
    size_t n;
    bool adopting;
    pid_t kept[CFZ_KEPT_MAX];
    size_t nkept;
};

/*
 * cfz_children_adopt makes this process the parent of what its descendants leave behind, a daemon
 * that the target started say: strays, in no group that we know. They are reaped when they end,
 * and killed when no child of c is left whose they may be. Linux without
 * /proc/PID/task/TID/children: nothing is done.
 */
void cfz_children_adopt(struct cfz_children *c);

/* cfz_children_keep says that the processes there are now are no strays: user code that ran here
 * started them, and may wait for them. */
void cfz_children_keep(struct cfz_children *c);

/* cfz_children_bury kills what is left but for the children of c, also what was kept. */
void cfz_children_bury(struct cfz_children *c);

/*
 * cfz_children_fork forks a child into a process group of its own and reports it
 * on sock as FORKED, also a failure. Returns 0 in the child, which is told by
 * the kernel to die with its parent and has checked that the parent is still
 * there; the pid in the parent; -1 when there is no child. Calls no exit handler.
 */
pid_t cfz_children_fork(struct cfz_children *c, int sock, uint64_t id);

/*
 * cfz_children_wait returns when sock has a message or its end, 1, or when it has
 * reaped a child, 0. Whom it reaps, it reports on sock as EXIT, kills what is left of its
 * process group and removes what is left of its temporary directories. -1: sock is not open any
 * more.
 */
int cfz_children_wait(struct cfz_children *c, int sock);

/* cfz_children_end gives all children a second to end by themselves, then kills them. */
void cfz_children_end(struct cfz_children *c);

/* cfz_children_kill kills the process groups of all children and reaps them; reports nothing. */
void cfz_children_kill(struct cfz_children *c);

/* cfz_move_fd moves fd to a high number, where programs that count descriptors or close all
 * "theirs" do not meet it; close-on-exec. Returns the new number, fd itself if it cannot. */
int cfz_move_fd(int fd);

/* cfz_set_output makes stdout and stderr write to fd and stdin read nothing. Closes fd. */
void cfz_set_output(int fd);

#endif
