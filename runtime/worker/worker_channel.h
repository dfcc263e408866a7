/*
 * worker_channel.h - a worker and its driver: messages, and how the process ends when the driver
 * is gone or the target took the socket away. Context: ordinary.
 */
#ifndef CFZ_WORKER_CHANNEL_H
#define CFZ_WORKER_CHANNEL_H

#include "worker/worker.h"

/*
 * cfz_worker_send sends m and waits while the socket is full. cfz_worker_recv waits for a message.
 * Both end the process when the driver is gone; cfz_worker_recv ends it on QUIT, too.
 */
void cfz_worker_send(struct cfz_worker *w, const struct cfz_msg *m);
void cfz_worker_recv(struct cfz_worker *w, struct cfz_msg *m);

/* cfz_worker_hint tells the driver that there are records in the outbox. Does not wait. */
void cfz_worker_hint(struct cfz_worker *w);

/* cfz_worker_sync has the driver take all records, and waits until it has. The corpus has the
 * interesting inputs then. */
void cfz_worker_sync(struct cfz_worker *w);

/* cfz_worker_check_socket ends the process if the input just executed closed or replaced the
 * socket. It takes one system call, so it is for places where that is likely to be noticed. */
void cfz_worker_check_socket(const struct cfz_worker *w);

/* cfz_worker_prepare readies the counters of modules that were announced during the execution
 * just done, so that they are collected with it. It ends the process if the modules do not fit
 * this runtime. */
void cfz_worker_prepare(struct cfz_worker *w);

#endif
