/*
 * coordinator_state.c - how a run begins to stop.
 */
#include "fuzz/coordinator_state.h"

#include "cli/debug.h"

static void stop(struct coordinator *c, bool patient)
{
    if (debug_fuzz() && !c->stopping)
        debug_line("stop called");
    c->stopping = true;
    c->patient = patient;
    for (unsigned i = 0; i < c->nseats; i++) {
        if (c->seats[i].worker != NULL)
            worker_stop(c->seats[i].worker, patient);
    }
}

void coordinator_stop(struct coordinator *c)
{
    stop(c, false);
}

void coordinator_end(struct coordinator *c)
{
    stop(c, true);
}
