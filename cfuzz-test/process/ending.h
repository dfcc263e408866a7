/*
 * ending.h - what the end of a process of the test binary means: a crash of the
 * tested code, our own failure, or somebody else's doing.
 *
 * It decides from facts alone, so that every case can be tested. Context: ordinary.
 */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>

#include "core/shmem.h"

enum ending_kind {
    ENDING_CRASH,    /* the input did it */
    ENDING_STOPPED,  /* we ended it, or it ended as it was told */
    ENDING_OUTSIDE,  /* a signal that the input did not cause; no crash */
    ENDING_INTERNAL, /* our bug, or a broken channel; no crash */
};

/* What is known of a process that ended. */
struct ending_facts {
    int status;          /* as from waitpid */
    bool hung;           /* we killed it, since an execution took too long */
    bool stopped;        /* we killed it, since signals stopped it again and again */
    bool memory;         /* we killed it, since it took too much memory */
    uint64_t memory_mib; /* the limit, for the text; 0: none */
    uint64_t seen_mib;   /* the most memory it was seen to hold */
    bool scribbled;      /* its memory holds what it cannot; a mark that it left may be true */
    bool killed;         /* we killed it, to stop it or since it scribbled */
    bool lost;           /* we killed it, since its socket had ended or it ran another program */
    bool stale;          /* another process wrote over what it shares with that (worker_stale) */
    bool stuck;          /* we killed it, since it stayed in code of ours, and is stale */
    bool orphaned;       /* its parent ended, and status is the parent's */
    enum cfz_proc_state state; /* when it ended */
    int64_t hang_ns;           /* the limit, for the text */
    enum cfz_crash_kind crash; /* the mark in its memory */
    int crash_signo;           /* of CFZ_CRASH_SIGNAL and CFZ_CRASH_KILL */
    uint64_t asked;            /* of CFZ_CRASH_ALLOC: bytes */
    int crash_code;            /* of CFZ_CRASH_EXIT: the exit status; of CFZ_CRASH_KILL: whom */
    uint32_t foreign_thread;   /* as in struct cfz_crash */
    const char *log;           /* of CFZ_CRASH_INTERNAL: its reason; may be empty */
};

struct ending {
    enum ending_kind kind;
    bool of_mutator; /* a crash: of a harness's own mutator, and of no input */
    bool scribbled;  /* a crash: the tested code wrote over the memory that it shares with us */
    bool stale; /* ENDING_OUTSIDE: the tested code in another process did, and spoiled this one */
    /*
     * One line: "fuzzing process hung or terminated unexpectedly: signal: aborted" for a
     * crash, else the text of the error.
     */
    char text[512];
    /* A second line that explains, "" if there is nothing to add:
     * "the test function called exit(3)". */
    char why[256];
};

/* ending_decide fills *e. Text of the process, which is not trusted, is cut to a line. */
void ending_decide(const struct ending_facts *f, struct ending *e);

#endif
