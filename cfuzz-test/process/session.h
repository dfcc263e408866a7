/*
 * session.h - one run of one test binary: its event loop and its origin. Context: ordinary.
 */
#ifndef SESSION_H
#define SESSION_H

#include "process/loop.h"
#include "process/origin_client.h"

/* The address of one that is open stays. */
struct session {
    struct loop loop;
    struct origin *origin;
};

/*
 * session_open starts the test binary as origin and waits until it has listed its tests. Errors are
 * those of testrun_package in run.h. On failure nothing is left running.
 */
int session_open(struct session *s, const struct options *opt, const struct test_binary *bin,
                 struct cfz_error *err);

/* session_close ends the origin and all below it, and the loop. It leaves no process behind. */
void session_close(struct session *s);

#endif
