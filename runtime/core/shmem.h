/*
 * shmem.h - the memory that driver and test binary share, and who writes what.
 *
 * All of it is memfds made by the driver and passed over sockets: nothing has a
 * name, so nothing is left behind. Sparse: sizes below are address space.
 *
 * Run memory, one per fuzz test, writable in the driver only:
 *
 *     0            struct cfz_run_shm
 *     mask_off     coverage mask, one byte per counter
 *     index_off    uint64_t[CFZ_ENTRIES_MAX]: offset of entry i in the arena
 *     arena_off    entries, each a struct cfz_entry and its packed values, 16-aligned
 *
 *   Append-only. The driver writes entry and index, then stores nentries with
 *   release; a worker loads it with acquire and may read all entries below.
 *   Mask bytes only ever gain bits (relaxed).
 *
 * Process memory, one per host (the process of a fuzz test that ran its setup
 * part and forks workers) and one per worker:
 *
 *     0            struct cfz_proc_shm
 *     slots_off    the input: nslots slots of CFZ_SLOT_SIZE, one per []byte and string value
 *     outbox_off   records to the driver, a ring of outbox_size bytes
 *
 *   While a command runs the process owns it and the driver reads only atomic
 *   fields; between commands, and after death, it is the driver's.
 */
#ifndef CFZ_SHMEM_H
#define CFZ_SHMEM_H

#include <stdatomic.h>

#include "core/coverage.h"
#include "core/error.h"
#include "core/value.h"

#define CFZ_SHM_VERSION 4
#define CFZ_SHM_PAGE 4096 /* what begins on a page of its own is aligned to this */

#define CFZ_SLOT_SIZE ((size_t)64 << 20) /* longest []byte; a string holds one less */
#define CFZ_ENTRIES_MAX ((size_t)1 << 22)
#define CFZ_LOG_MAX ((size_t)60 << 10)
#define CFZ_NAME_MAX 512
#define CFZ_MODULES_MAX 64
#define CFZ_FRAMES_MAX 64
#define CFZ_FRAMES_INNER 40 /* of these, the innermost, where frames were skipped */
#define CFZ_KNOWN_MAX 128

/* ---- run memory -------------------------------------------------------- */

/* A crash that was reported already, see known.h. */
struct cfz_known {
    uint64_t hash;    /* of its mark with the innermost nframes frames */
    uint32_t nframes; /* at most CFZ_FRAMES_MAX */
    uint32_t whole;   /* 1: the mark has no more frames than these */
};

struct cfz_run_shm {
    uint32_t version; /* CFZ_SHM_VERSION */
    uint32_t reserved;
    uint64_t size; /* of the mapping */
    uint64_t mask_off, mask_len;
    uint64_t index_off;
    uint64_t arena_off;
    uint64_t index_ready, arena_ready; /* bytes of the two that have memory; the driver's notes */
    _Alignas(64) _Atomic uint64_t nentries;
    _Atomic uint32_t nknown; /* append-only, likewise */
    struct cfz_known known[CFZ_KNOWN_MAX];
};

enum cfz_entry_flags {
    CFZ_ENTRY_SEED = 1,     /* from cfuzz_add or testdata */
    CFZ_ENTRY_IDLE = 2,     /* not to be mutated (it failed) */
    CFZ_ENTRY_UNSTABLE = 4, /* only part of its new coverage repeated; the run's alone, not cached */
};

struct cfz_entry {
    uint64_t size; /* bytes of packed values that follow */
    uint32_t flags;
    uint32_t reserved;
};

/* ---- process memory ------------------------------------------------------ */

enum cfz_proc_state {
    CFZ_STATE_STARTING = 0,
    CFZ_STATE_IDLE,      /* waits for a command */
    CFZ_STATE_ENGINE,    /* our own code between executions */
    CFZ_STATE_TARGET,    /* inside the test function or its cleanups */
    CFZ_STATE_SETUP,     /* inside the setup part or its cleanups (host) */
};

enum cfz_verdict {
    CFZ_VERDICT_PASS = 0,
    CFZ_VERDICT_SKIP,
    CFZ_VERDICT_FAIL, /* cfuzz_error, fatal, fail; the process lives on */
};

enum cfz_crash_kind {
    CFZ_CRASH_NONE = 0,
    CFZ_CRASH_SIGNAL,    /* our signal handler saw it first */
    CFZ_CRASH_SANITIZER, /* a sanitizer's death callback */
    CFZ_CRASH_EXIT,      /* the target called exit(); code holds the status */
    CFZ_CRASH_INTERNAL,  /* ours: never a crasher; the log says what */
    CFZ_CRASH_MISUSE,    /* user code took away what we need, a descriptor say; the log says what */
    CFZ_CRASH_SENT,      /* another process sent signo: no crash, though it reads like one */
};

/*
 * Left by the dying process. Context of the writer: signal. Kind is stored first,
 * the frames last: nframes may be 0 if collecting them went wrong. A fault of the
 * engine's thread outside of the target is INTERNAL; one of a thread of the
 * target's own is SIGNAL at any time. A signal that a process which is none of the
 * target's sent is SENT; but SIGKILL and signals that have no handler of ours leave
 * no mark, nor does any under ThreadSanitizer: wait status and state tell them. A
 * crash of a process that the target forked leaves no mark either.
 */
struct cfz_crash {
    _Atomic uint32_t kind;
    int32_t signo;
    int32_t code;      /* si_code, or an exit status */
    uint32_t is_write; /* of a memory fault: 1 write, 0 read or not known */
    uint64_t addr;     /* of a memory fault; 0 also when the system does not tell (SI_KERNEL) */
    uint64_t pc;
    uint64_t sp;
    uint64_t report;         /* hash of the kind of a sanitizer's report, where it tells; or 0 */
    uint32_t foreign_thread; /* not the thread that runs the target */
    uint32_t nframes;
    uint64_t skipped; /* of a stack overflow: frames left out behind CFZ_FRAMES_INNER; 0: none */
    uint64_t frames[CFZ_FRAMES_MAX]; /* pc, then return addresses */
};

/* A loaded object: an address a in [start, end) is a - base in its file. */
struct cfz_module {
    uint64_t base, start, end;
    char path[256];
};

/* How inputs lie in their slots: a pure function of build and length, so that a crash repeats. */
enum cfz_placement {
    CFZ_PLACE_END = 0,   /* data ends at the end of the slot, an inaccessible page follows */
    CFZ_PLACE_START = 1, /* data begins with the slot (AddressSanitizer, UndefinedBehaviorSanitizer) */
};

/*
 * The first page is what the target must not change: a process writes placement,
 * pid and slot_addr at its start, then has it read-only (cfz_proc_shm_seal), so
 * that the driver can rely on it and a stray write faults.
 */
struct cfz_proc_shm {
    uint32_t version; /* CFZ_SHM_VERSION */
    uint32_t nslots;
    uint64_t size; /* of the mapping */
    uint64_t slots_off;
    uint64_t outbox_off, outbox_size;
    uint32_t placement; /* enum cfz_placement; the process writes it at start */
    int32_t pid;        /* the process writes it at start */
    uint64_t slot_addr[CFZ_VALUES_MAX]; /* where the target sees slot i; a worker writes it at start */

    /* Driver writes, process reads between executions. */
    _Alignas(64) _Atomic uint32_t stop; /* 1: leave the running FUZZ command at the next execution */
    _Atomic uint64_t outbox_head;       /* consumed up to here */
    char name[CFZ_NAME_MAX]; /* cfuzz_name: "FuzzParse/seed#0"; set before a command */

    /* Process writes, driver reads at any time. */
    _Alignas(CFZ_SHM_PAGE) _Atomic uint64_t execs;     /* calls of the target, ever; counted when they begin */
    _Atomic uint64_t mutated;                /* of these, of mutated inputs; likewise */
    _Atomic uint64_t skipped;                /* of these, ended by cfuzz_skip */
    _Atomic uint64_t confirming;             /* of execs: interesting inputs executed again, to see whether they repeat */
    _Atomic uint64_t minimizing;             /* of execs: candidates while interesting inputs are minimized */
    _Atomic uint64_t unstable;               /* inputs with new coverage of which nothing repeated */
    _Atomic uint64_t known[CFZ_KNOWN_MAX];   /* how often it died of each known crash and was replaced */
    _Atomic uint64_t replaced;               /* how often in all; the output begins anew each time */
    _Atomic int32_t runner;                  /* pid of the process that executes, or 0: pid (guard.h) */
    _Atomic uint32_t state;                  /* enum cfz_proc_state */
    _Atomic uint64_t outbox_tail;            /* written up to here */
    _Atomic uint64_t outbox_open;            /* size of a whole record at tail that the process may
                                                replace before it commits it; 0: none */

    /* The input of the running or last execution: scalars' bits; for a slot value its length. */
    _Alignas(64) uint64_t input[CFZ_VALUES_MAX];
    uint64_t parent; /* entry it was mutated from */

    struct cfz_crash crash;
    uint32_t nmodules;
    struct cfz_module modules[CFZ_MODULES_MAX];

    /*
     * Text of this execution (or setup part): one item per cfuzz_log, error, fatal
     * or skip, "parse_test.c:7: first line\n" and each further line of the item
     * indented by 4 blanks, as the user sees it under a "--- FAIL:" line, which
     * the driver indents as a whole.
     */
    _Atomic uint32_t log_len;
    _Atomic uint32_t fail_log_len; /* log_len when the execution first failed; valid if it did */
    char log[CFZ_LOG_MAX];
};

/* The offset of the data of len bytes in its slot. len <= CFZ_SLOT_SIZE, less one for a string. */
static inline size_t cfz_slot_offset(enum cfz_placement p, enum cfz_kind kind, size_t len)
{
    return p == CFZ_PLACE_START ? 0 : CFZ_SLOT_SIZE - len - (kind == CFZ_KIND_STRING);
}

/* ---- outbox ----------------------------------------------------------------
 *
 * A ring of records, each 16-aligned and contiguous. Positions only grow; the
 * place is position modulo outbox_size. The process writes at tail, the driver
 * reads at head. A record that would cross the end is preceded by a SKIP record
 * (or by nothing, if less than a header is left); the same trick restarts an
 * empty ring at its beginning after a megabyte, so that few pages are ever touched.
 */
enum cfz_record_type {
    CFZ_RECORD_SKIP = 1,
    CFZ_RECORD_SEED,   /* host: one cfuzz_add; values only */
    CFZ_RECORD_BASE,   /* worker: coverage of the RUN of an entry; bits only */
    CFZ_RECORD_INTERESTING,   /* worker: a mutated input with bits that neither mask nor this worker had */
};

enum cfz_record_flags {
    CFZ_RECORD_UNSTABLE = 1, /* INTERESTING: a second execution showed only part of the new bits: these */
};

struct cfz_record {
    uint16_t type;
    uint16_t flags;    /* enum cfz_record_flags, of INTERESTING */
    uint32_t nbits;    /* struct cfz_cov_bits that follow */
    uint64_t size;     /* of the whole record, header included, a multiple of 16 */
    uint64_t packed;   /* bytes of packed values after the bits */
    uint64_t entry;    /* BASE: the entry; INTERESTING: the parent */
    uint64_t exec;     /* the process's execs when it was written */
    uint64_t ns;       /* duration of the execution where it was measured, or 0 */
};

/*
 * cfz_outbox_reserve returns where to write a record of size bytes (rounded up
 * to 16 by the caller) and remembers it; NULL when the ring has no room now.
 * cfz_outbox_commit publishes it. cfz_outbox_peek returns the driver's next
 * record or NULL; a record that is not well-formed is CFZ_EINTERNAL.
 * cfz_outbox_consume frees it. base is the mapping of struct cfz_proc_shm.
 *
 * Between reserve and commit a record that is whole may be left open: should the process
 * die of what it executes then, cfz_outbox_salvage commits it in its stead. Both ends of it:
 * cfz_outbox_leave_open(shm, rec), and a commit, or (shm, NULL) before rec is written over.
 * Context: target, but for peek, consume and salvage.
 */
struct cfz_record *cfz_outbox_reserve(struct cfz_proc_shm *shm, size_t size);
void cfz_outbox_leave_open(struct cfz_proc_shm *shm, const struct cfz_record *rec);
void cfz_outbox_commit(struct cfz_proc_shm *shm, const struct cfz_record *rec);
void cfz_outbox_salvage(struct cfz_proc_shm *shm);
int cfz_outbox_peek(struct cfz_proc_shm *shm, const struct cfz_record **rec, struct cfz_error *err);
void cfz_outbox_consume(struct cfz_proc_shm *shm, const struct cfz_record *rec);
static inline const struct cfz_cov_bits *cfz_record_bits(const struct cfz_record *r)
{
    return (const struct cfz_cov_bits *)(r + 1);
}
static inline const uint8_t *cfz_record_packed(const struct cfz_record *r)
{
    return (const uint8_t *)(cfz_record_bits(r) + r->nbits);
}

/* ---- making and mapping ------------------------------------------------- */

/*
 * Driver: make the memory and map it writable. *fd is the caller's to close;
 * unmap with cfz_shm_unmap. CFZ_EIO.
 */
int cfz_run_shm_new(size_t ncounters, struct cfz_run_shm **shm, int *fd, struct cfz_error *err);
int cfz_proc_shm_new(unsigned nslots, struct cfz_proc_shm **shm, int *fd, struct cfz_error *err);
void cfz_shm_unmap(void *shm, size_t size);

/* Process: map what came over the socket; checks version and sizes. Run memory is mapped read-only. */
int cfz_run_shm_map(int fd, const struct cfz_run_shm **shm, struct cfz_error *err);
int cfz_proc_shm_map(int fd, struct cfz_proc_shm **shm, struct cfz_error *err);

/* Process: makes the first page of its memory read-only (not where pages are larger). */
int cfz_proc_shm_seal(struct cfz_proc_shm *shm, struct cfz_error *err);

static inline uint8_t *cfz_run_mask(const struct cfz_run_shm *r) { return (uint8_t *)r + r->mask_off; }
static inline uint8_t *cfz_proc_slot(const struct cfz_proc_shm *s, unsigned slot)
{
    return (uint8_t *)s + s->slots_off + slot * CFZ_SLOT_SIZE;
}

/* How much of the log is text, whatever the target made of log_len. Context: ordinary. */
static inline uint32_t cfz_proc_log_len(const struct cfz_proc_shm *s)
{
    uint32_t len = atomic_load_explicit(&s->log_len, memory_order_acquire);

    return len < CFZ_LOG_MAX ? len : CFZ_LOG_MAX;
}

/*
 * Driver: append an entry; *index is its number. fd is the memory's, whose pages
 * are allocated before they are written, so that a full memory is an error and
 * not a SIGBUS. CFZ_EIO when arena, index or memory is full.
 */
int cfz_run_shm_append(struct cfz_run_shm *r, int fd, const struct cfz_values *vs, uint32_t flags,
                       uint64_t *index, struct cfz_error *err);
/* Entry i < nentries: its packed values follow it. Context: target. */
const struct cfz_entry *cfz_run_shm_entry(const struct cfz_run_shm *r, uint64_t i);

/*
 * Copies the input of a stopped or dead process out of its memory: what it was
 * executing. Lengths are checked, since the target may have scribbled on them:
 * CFZ_EFORMAT. And the other way: writes values as the input of a TRY command.
 */
int cfz_proc_input(const struct cfz_proc_shm *s, const enum cfz_kind *kinds, size_t n,
                   struct cfz_values *vs, struct cfz_error *err);
int cfz_proc_set_input(struct cfz_proc_shm *s, const struct cfz_values *vs, struct cfz_error *err);

#endif
