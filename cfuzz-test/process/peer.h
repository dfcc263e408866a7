/*
 * peer.h - the driver's end of one socket to a process of the test binary.
 *
 * Messages are handed to a callback as they come. Callbacks record what happened
 * and never free the peer's owner: decisions are taken by whoever runs the loop
 * (loop_pump), so that no callback pulls away what another one stands on.
 */
#ifndef PEER_H
#define PEER_H

#include <uv.h>

#include "core/protocol.h"

struct peer;

typedef void peer_message_fn(struct peer *p, const struct cfz_msg *m);
/* err is NULL at end-of-file, else why the channel is of no more use. Called once. */
typedef void peer_end_fn(struct peer *p, const struct cfz_error *err);

struct peer {
    int sock;        /* -1 when closed */
    uv_poll_t *poll; /* on the heap: libuv closes handles later */
    bool ended;
    peer_message_fn *on_message;
    peer_end_fn *on_end;
    void *owner;
};

#define PEER_INIT                                                                                  \
    {                                                                                              \
        -1, NULL, false, NULL, NULL, NULL                                                          \
    }

/*
 * peer_open makes a socket pair, watches one end in loop, and stores the other in
 * *other: blocking, close-on-exec, the caller's to pass on and close. Callbacks
 * and owner are set by the caller beforehand. CFZ_EIO.
 */
int peer_open(struct peer *p, uv_loop_t *loop, int *other, struct cfz_error *err);

/* peer_send sends a message, with descriptors. CFZ_EIO when the process is gone or does not read.
 */
int peer_send(struct peer *p, const struct cfz_msg *m, const int *fds, size_t nfds,
              struct cfz_error *err);

/* peer_command sends a message without descriptors. It is not an error if the process has ended: its
 * end is under way, and says what became of the message. Other errors are those of peer_send. */
int peer_command(struct peer *p, const struct cfz_msg *m, struct cfz_error *err);

/* peer_send_patiently waits up to timeout_ms while the process has not read what was sent before.
 * Messages that come meanwhile are handed over. Errors are those of peer_send. */
int peer_send_patiently(struct peer *p, const struct cfz_msg *m, const int *fds, size_t nfds,
                        int timeout_ms, struct cfz_error *err);

/* peer_drain hands over every message that is there now. It does nothing to a closed peer. */
void peer_drain(struct peer *p);

void peer_close(struct peer *p); /* does nothing to a closed one */

#endif
