/*
 * driver_end.h - the least of a driver: starts a test binary, talks to its processes.
 *
 * Everything that goes wrong fails the running cmocka test at once.
 */
#ifndef DRIVER_END_H
#define DRIVER_END_H

#include <sys/types.h>

#include "core/protocol.h"

enum { TESTS_MAX = 32 };

struct known_test {
    char name[64];
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t n;
    unsigned nslots;
    bool has_setup;
};

struct origin {
    int sock;
    pid_t pid;
    struct cfz_msg hello;
    struct known_test tests[TESTS_MAX];
};

/* A host or a worker, seen from outside. */
struct process {
    int sock;
    int output; /* memfd */
    struct cfz_proc_shm *shm;
    pid_t pid;
    uint64_t id;
};

/* A fuzz test with its host and, at a time, one worker. */
struct session {
    struct origin *origin;
    const struct known_test *test;
    struct process host, worker;
    struct cfz_run_shm *run;
    int run_fd;
    uint64_t next_id;
    struct cfz_msg seeds; /* the last SEEDS */
    size_t nseeds;        /* SEED records read */
    struct cfz_values first_seed;
    size_t ninteresting, nbase, nbits; /* INTERESTING and BASE records read, bits in the last */
    size_t nwaits;                     /* RECORDS that waited for an ACK */
    bool answer;                /* append news to the corpus */
};

void origin_start(struct origin *o, const char *path);
void origin_stop(struct origin *o);

/* Starts the host of a test and reads its seeds up to the last SEEDS, or its EXIT (then *status).
 */
void session_start(struct session *s, struct origin *o, const char *test, bool *exited,
                   int *status);
void session_finish(struct session *s); /* FINISH; reads SEEDS; waits for its EXIT */
void session_release(struct session *s);
void worker_start(struct session *s);

/* Sends a command and waits for RESULT or the worker's death; false: died with *status. */
bool worker_command(struct session *s, enum cfz_msg_type type, const struct cfz_msg *cmd,
                    struct cfz_msg *result, int *status);
/* Waits for the EXIT of the worker. */
int worker_wait(struct session *s);
void worker_release(struct session *s);

/* TRY of an input of one []byte. */
bool worker_try(struct session *s, const void *data, size_t len, struct cfz_msg *result,
                int *status);

/* The log or the output of a process as a string; static, overwritten by the next call. */
const char *log_of(const struct process *p);
const char *output_of(const struct process *p);

/* Receives a message of the given type within 20 s. */
void expect(int sock, enum cfz_msg_type type, struct cfz_msg *m);

#endif
