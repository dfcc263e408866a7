/*
 * protocol.h - what driver, origin, host and worker say to each other.
 *
 *     driver (cfuzz-test)
 *       | exec, socket at CFZ_CONTROL_FD
 *     origin: initialised once, runs no user function, forks hosts
 *       | fork, one socket per host
 *     host of a fuzz test: runs its setup part once, forks its workers
 *       | fork, one socket per worker
 *     worker: runs the test function
 *
 * Each process but the driver dies with its parent (parent-death signal; a host only while user
 * code runs in it) and at end-of-file of its socket. Sockets are Unix SOCK_SEQPACKET pairs,
 * close-on-exec. A packet is one struct cfz_msg, with file descriptors beside it. Both ends are of
 * one build of cfuzz, which HELLO checks; integers are in host order.
 *
 *   who           sends    meaning                                          fields
 *   origin        HELLO    first message                                    u.hello
 *   origin        TEST     one per fuzz test, in order                      u.test, text
 *   driver        HOST     fork a host for test u.fork.id                   u.fork, descriptors
 *   host          SEEDS    the setup part is done, or the outbox is full    u.seeds
 *   driver        FORK     fork a worker                                    u.fork, descriptors
 *   origin, host  FORKED   a host or worker exists                          u.exit.id, pid
 *   origin, host  EXIT     a child ended and was reaped                     u.exit
 *   driver        FINISH   host: run the cleanups of the setup part         none
 *   worker        READY    takes commands now                               none
 *   driver        RUN      execute entry u.cmd.entry as it is               u.cmd
 *   driver        TRY      execute the input in process memory              u.cmd
 *   driver        TRIES    execute the inputs in the text until one fails   text
 *   driver        FUZZ     mutate and execute until limit, stop or failure  u.cmd
 *   worker        RESULT   the command is done                              u.result
 *   worker        RECORDS  records are in the outbox                        u.records
 *   driver        ACK      they were consumed; corpus and mask say so       none
 *   driver        QUIT     worker: _exit(0); origin: the same               none
 *
 * Rules that the table leaves open:
 *   - One command at a time: after RUN, TRY, TRIES or FUZZ the driver waits for RESULT or EXIT.
 *   - The text of TEST is name NUL types NUL file NUL, then the kinds of its values, a byte each.
 *   - With HOST come socket, process memory and output; with FORK the memory of the run, too.
 *   - SEEDS, whose seeds are in the outbox, with done = 0 is answered by one ACK, then the host
 *     goes on. The driver takes the log at SEEDS. FINISH is answered by SEEDS, and the host exits
 *     0: it empties the log (log_len = 0), and the verdict it sends is that of the whole setup
 *     part, cleanups included.
 *   - RUN, TRY, TRIES and FUZZ are answered by RESULT. Log and input are in process memory then;
 *     the coverage of RUN and TRY comes as a BASE record.
 *   - RECORDS with waits = 1: the worker waits, and gets exactly one ACK. With 0 there is no
 *     ACK: it is a hint, which is left out when the socket is full.
 *   - FUZZ with sync = 0: an interesting input whose record does not fit the outbox is dropped; its
 *     bits stay new, so another input with them is interesting again.
 *   - Records of a command are complete before its RESULT. The driver reads a process's
 *     socket to its end before it believes its EXIT, which comes over another socket.
 *   - The driver makes new process memory and a new output for every process; it clears
 *     stop before each FUZZ.
 *   - A host that ends takes its workers along, without an EXIT for each.
 *   - An origin that cannot start (two tests of one name, another ABI, a bad type list) says why
 *     on stderr and exits with CFZ_EXIT_TESTS before HELLO.
 *   - FORKED comes before the EXIT of that id. If the fork failed, FORKED has pid = -errno, and no
 *     EXIT follows.
 *   - RUN and TRY write a BASE record whatever the verdict is, unless it would have no bits: in a
 *     build without counters, or with coverage = 0 if mask and worker have all bits already.
 *   - The text of TRIES has the inputs behind each other, of each the length of its binary form
 *     (value.h) in 8 bytes and the form. After each the worker does what it does between two TRYs,
 *     but that signal mask and alternate stack are put back before the command alone, as for FUZZ.
 *     It may end early, after one input at least: so what was printed is that of the last one
 *     alone, and the command does not take long. How many were executed is what execs in process
 *     memory grew by.
 *   - Before RESULT of FUZZ, and at the beginning of a turn after the driver raised ask, a worker
 *     that searches writes the obstacles of the run into process memory (obstacle.h). Nobody waits
 *     for it.
 *   - If drifted is set, FUZZ ended early, and the process is to be replaced.
 *   - If no entry may be mutated, FUZZ is answered at once: PASS, mutated = 0.
 *   - FUZZ makes no value longer than max_len. A value that is longer in its entry does not grow.
 *     FUZZ does not cut entries: with -fuzzmaxlen the driver does, before it appends them.
 *   - Executions that confirm or minimize an interesting input, or trace an entry, count in execs
 *     and in a counter of their own. They do not count in mutated, nor towards limit. A candidate
 *     that fails ends FUZZ like a mutated input: the slots hold it.
 *   - Workers are killed by their process group, whose id is their pid; so are hosts.
 */
#ifndef CFZ_PROTOCOL_H
#define CFZ_PROTOCOL_H

#include "core/exit_codes.h"
#include "core/shmem.h"

#define CFZ_PROTOCOL_VERSION 13

#define CFZ_CONTROL_FD 3             /* of an origin */
#define CFZ_ORIGIN_FLAG "-cfuzz.origin" /* its only argument; "=<pid of the driver>" follows */

/* The driver's file beside an executable behind libFuzzer's command line. Its name has an extension so
 * that ClusterFuzz does not take it for a fuzz target. */
#define CFZ_LIBFUZZER_DRIVER "cfuzz-driver.bin"

enum cfz_msg_type {
    CFZ_MSG_HELLO = 1,
    CFZ_MSG_TEST,
    CFZ_MSG_HOST,
    CFZ_MSG_SEEDS,
    CFZ_MSG_FORK,
    CFZ_MSG_FORKED,
    CFZ_MSG_EXIT,
    CFZ_MSG_FINISH,
    CFZ_MSG_READY,
    CFZ_MSG_RUN,
    CFZ_MSG_TRY,
    CFZ_MSG_TRIES,
    CFZ_MSG_FUZZ,
    CFZ_MSG_RESULT,
    CFZ_MSG_RECORDS,
    CFZ_MSG_ACK,
    CFZ_MSG_QUIT,
    CFZ_MSG_LAST = CFZ_MSG_QUIT,
};

/* What the build is. The runtime looks at weak references to symbols of sanitizers (sanitizer.h). */
enum cfz_build_flags {
    CFZ_BUILD_ASAN = 1 << 0,
    CFZ_BUILD_UBSAN = 1 << 1,
    CFZ_BUILD_MSAN = 1 << 2,
    CFZ_BUILD_TSAN = 1 << 3,
    CFZ_BUILD_LSAN = 1 << 4,
    CFZ_BUILD_SANITIZERS = (1 << 5) - 1, /* these five */
    CFZ_BUILD_COUNTERS = 1 << 5, /* has coverage counters */
    CFZ_BUILD_FUNC_FLAGS = 1 << 6,
};

/* What a FUZZ command wants besides. */
enum cfz_fuzz_flags {
    CFZ_FUZZ_ASCII = 1, /* mutation leaves printable ASCII and blanks alone in []byte and string */
    CFZ_FUZZ_LONG = 2,  /* values get as long as max_len from the beginning */
    CFZ_FUZZ_PCS = 4,   /* records of interesting inputs have CFZ_RECORD_PCS */
    /* In which workers of a run differ (seat_settings, fuzz/fuzz_loop.c). */
    CFZ_FUZZ_FAVOURED = 8, /* no entry comes round but those that reach some outcome most cheaply */
    CFZ_FUZZ_SOLVER = 16,  /* the solver need not wait for quiet, and its share is larger */
    CFZ_FUZZ_UNIFORM = 32, /* mutations are chosen without what was learned of them */
};

#define CFZ_MSG_TEXT_MAX 3968

struct cfz_msg {
    uint32_t type;
    uint32_t text_len; /* bytes of text; the packet ends after them */
    union {
        struct {
            uint32_t protocol, abi, shm_version, build; /* build: enum cfz_build_flags */
            uint64_t ncounters;
            uint32_t ntests;
            uint32_t nthreads; /* threads that exist besides the main one */
        } hello;
        struct {
            uint32_t index, nvalues, line, has_setup;
            /* text: name NUL types NUL file NUL, then nvalues bytes of kinds */
        } test;
        struct {
            uint64_t id; /* chosen by the driver, comes back in FORKED and EXIT */
            int64_t deadline_ns; /* cfuzz_deadline: CLOCK_MONOTONIC, or 0 for none */
            uint32_t short_mode; /* HOST: cfuzz_short, 0 or 1; its workers have the same */
            uint32_t guarded;    /* FORK: 1: the worker goes on after known crashes (guard.h) */
            uint32_t renew; /* FORK: 1: what workers share is made anew before: one wrote over it */
            uint32_t spoiler; /* ... 1 + the entry that it worked on then; 0: not known */
            uint64_t slow_ns; /* FORK, guarded: -slow (slow.h); 0: no execution is cut short */
        } fork;
        struct {
            uint32_t verdict; /* enum cfz_verdict of the setup part */
            uint32_t done;    /* 0: the outbox is full; consume and send ACK */
            uint64_t nseeds;
            uint64_t ncounters; /* after setup, which may have loaded libraries: for cfz_run_shm_new */
        } seeds;
        struct {
            uint64_t id;
            int32_t pid;
            int32_t status; /* as from waitpid */
        } exit;
        struct {
            uint32_t waits; /* 1: the worker waits for an ACK */
        } records;
        struct {
            uint64_t entry;
            uint64_t limit;   /* FUZZ: mutated executions, 0 for none */
            uint64_t seed, k; /* FUZZ: of the generator; with a seed of ~0 it goes on as it is */
            uint64_t max_len; /* FUZZ: -fuzzmaxlen */
            uint64_t sync;    /* FUZZ: after every so many executions wait for ACK if there are
                                 records; 0: at no count */
            uint64_t minimize; /* FUZZ: executions that minimizing one interesting input may take; 0: none */
            uint32_t coverage; /* RUN, TRY: 1: the BASE record has all bits of this input, not only the new ones */
            uint32_t search; /* FUZZ: 1: comparisons are traced and solved; TRY: 1: the execution is traced */
            uint32_t flags;  /* FUZZ: set of enum cfz_fuzz_flags */
            uint32_t reserved;
        } cmd;
        struct {
            uint32_t verdict;
            uint32_t drifted; /* FUZZ: 1: the program does less than it did with the same input */
            uint64_t mutated; /* FUZZ: executions of mutated inputs done */
            uint64_t ns;      /* RUN, TRY: duration; TRIES: the longest */
        } result;
    } u;
    char text[CFZ_MSG_TEXT_MAX];
};

/* Descriptors that come with messages. */
enum {
    CFZ_HOST_FDS = 3,   /* HOST */
    CFZ_WORKER_FDS = 4, /* FORK */
    CFZ_MSG_FDS_MAX = 4,
};

/* cfz_msg_init clears m but for its text and sets the type. Context: any. */
void cfz_msg_init(struct cfz_msg *m, enum cfz_msg_type type);

/*
 * cfz_msg_send sends m and nfds descriptors, which the caller keeps. It survives EINTR. CFZ_EIO: sys
 * is EPIPE or ECONNRESET if the other end is gone, EAGAIN if a non-blocking socket is full.
 * Allocates nothing. Context: ordinary.
 */
int cfz_msg_send(int sock, const struct cfz_msg *m, const int *fds, size_t nfds,
                 struct cfz_error *err);

/*
 * cfz_msg_recv receives one message. Its descriptors go to fds[0..CFZ_MSG_FDS_MAX), close-on-exec,
 * and the caller owns them; *nfds gets their number, and the rest of fds is -1. If fds or nfds is
 * NULL, they are closed. Returns 1 for a message, 0 at end-of-file, -1 on failure: CFZ_EIO (EAGAIN
 * if there is none yet), or CFZ_EINTERNAL for a packet that is not a message: "communicating with
 * fuzzing process: <why>". Context: ordinary.
 */
int cfz_msg_recv(int sock, struct cfz_msg *m, int *fds, size_t *nfds, struct cfz_error *err);

/* cfz_msg_test_parts takes the text of a TEST message apart. The strings point into m. CFZ_EINTERNAL if
 * it is malformed. */
int cfz_msg_test_parts(const struct cfz_msg *m, const char **name, const char **types,
                       const char **file, enum cfz_kind kinds[CFZ_VALUES_MAX],
                       struct cfz_error *err);

#endif
