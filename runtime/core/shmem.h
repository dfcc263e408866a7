/*
 * shmem.h - the memory that driver and test binary share, and who writes what.
 *
 * The driver makes all of it, as memfds, and passes them over sockets. They have no name, so
 * nothing is left behind. They are sparse: sizes below are address space, not memory.
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
 * Process memory, one per host and one per worker:
 *
 *     0            struct cfz_proc_shm
 *     slots_off    the input: nslots slots of CFZ_SLOT_SIZE, one per []byte and string value
 *     outbox_off   records to the driver, a ring of outbox_size bytes
 *
 *   While a command runs, the process owns it and the driver reads only atomic fields. Between
 *   commands, and after the death of the process, the driver owns it.
 */
#ifndef CFZ_SHMEM_H
#define CFZ_SHMEM_H

#include <stdatomic.h>

#include "core/coverage.h"
#include "core/dict.h"
#include "core/error.h"
#include "core/obstacle.h"
#include "core/value.h"

#define CFZ_SHM_VERSION 13
#define CFZ_SHM_PAGE 4096 /* what begins on a page of its own is aligned to this */

#define CFZ_ENTRIES_MAX ((size_t)1 << 22)
#define CFZ_LOG_MAX ((size_t)60 << 10)
#define CFZ_NAME_MAX 512
#define CFZ_MODULES_MAX 64
#define CFZ_FRAMES_MAX 64
#define CFZ_FAIL_FRAMES 24 /* of a failure that the process survives */
#define CFZ_FRAMES_INNER 40 /* where frames were skipped: the innermost, which come first */
#define CFZ_KNOWN_MAX 128
#define CFZ_GOALS_SIZE_MAX ((size_t)4 << 20)

/* ---- run memory -------------------------------------------------------- */

/* A crash that was reported already, see known.h. */
struct cfz_known {
    uint64_t hash;    /* of its mark with the innermost nframes frames */
    uint32_t nframes; /* at most CFZ_FRAMES_MAX */
    uint32_t whole;   /* 1: the mark has no more frames than these */
    _Atomic uint64_t patience; /* a worker that died of it so often reports it once more */
};

struct cfz_run_shm {
    uint32_t version; /* CFZ_SHM_VERSION */
    uint32_t reserved;
    uint64_t size; /* of the mapping */
    uint64_t mask_off, mask_len;
    uint64_t words_off, words_len; /* packed as in dict.h */
    uint64_t goals_off, goals_len; /* what earlier runs know of goals, as the runtime wrote it */
    uint64_t index_off;
    uint64_t arena_off;
    uint64_t index_ready, arena_ready; /* bytes of the two that have memory; for the driver alone */
    /* Of the mask, for the driver alone: bytes and bits that are set, and where the last one ends. */
    uint64_t covered, features, mask_end;
    _Alignas(64) _Atomic uint64_t nentries;
    _Atomic uint32_t nknown; /* entries of known, published in the same way */
    struct cfz_known known[CFZ_KNOWN_MAX];
};

enum cfz_entry_flags {
    CFZ_ENTRY_SEED = 1,     /* from cfuzz_add or testdata */
    CFZ_ENTRY_IDLE = 2,     /* not to be mutated: it failed */
    CFZ_ENTRY_COUNTS = 8,   /* it showed other counts of edges that were known, and no new edge */
    CFZ_ENTRY_UNSTABLE = 4, /* only part of its new coverage repeated; the run's alone, not cached */
};

struct cfz_entry {
    uint64_t size; /* bytes of packed values that follow */
    uint32_t flags;
    uint32_t parent; /* 1 more than the entry that it was made of; 0: none is known */
};
#define CFZ_NO_ENTRY UINT64_MAX /* for the number of one that is not known */

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
    CFZ_CRASH_INTERNAL,  /* a failure of cfuzz: never a crasher; the log says what */
    CFZ_CRASH_MISUSE,    /* user code took away what cfuzz needs, such as a descriptor; the log says what */
    CFZ_CRASH_SENT,      /* another process sent signo: not a crash, though it looks like one */
    CFZ_CRASH_THREAD_EXIT, /* user code ended the engine's thread: pthread_exit */
    CFZ_CRASH_ALLOC, /* the target was granted an allocation of addr bytes, more than alloc_max */
    CFZ_CRASH_KILL, /* user code sent signo to code (enum cfz_whom), as it was about to */
    CFZ_CRASH_SCRIBBLED, /* user code wrote over this memory; the runtime noticed when it returned */
    CFZ_CRASH_SLOW, /* not a crash: its guard had it end, since the execution took long (slow.h) */
    CFZ_CRASH_MUTATOR, /* a harness's mutator wrote too much, which no input did; the log says what */
    CFZ_CRASH_KINDS
};

/* To which processes of cfuzz's user code sent a signal. The numbers are in struct cfz_crash. */
enum cfz_whom {
    CFZ_WHOM_NONE = 0,
    CFZ_WHOM_PARENT, /* its host or guard; of a setup part, the origin */
    CFZ_WHOM_OURS,   /* another one, such as the driver */
    CFZ_WHOM_ALL,    /* all processes: kill(-1) */
};

enum { CFZ_CRASH_HANDLER = 2 }; /* a value of cfz_crash.foreign_thread */

/*
 * The mark that a dying process leaves. Context of the writer: signal. kind is stored first and the
 * frames last; nframes may be 0 if collecting them went wrong.
 *
 * A fault on the engine's thread outside of the target is INTERNAL, unless it is in a handler of the
 * program. That, and a fault on a thread that the target started, is SIGNAL at any time. A signal from a process that is not the target's is SENT.
 * There is no mark of SIGKILL and of a signal without a handler of ours: wait status and state tell
 * these. Nor is there one of a crash in a process that
 * the target forked.
 */
struct cfz_crash {
    _Atomic uint32_t kind;
    int32_t signo;
    int32_t code;      /* si_code, an exit status, or an enum cfz_whom */
    uint32_t is_write; /* of a memory fault: 1 write, 0 read or nobody tells */
    uint64_t addr;     /* of a memory fault, or ALLOC's size; 0 if the system does not tell (SI_KERNEL) */
    uint64_t pc;
    uint64_t sp;
    uint64_t report; /* hash of a sanitizer's report: its kind, and the calls that allocated and freed
                      * the object it is about; 0 if it does not tell */
    uint32_t foreign_thread; /* 1: not on the thread that runs the target; CFZ_CRASH_HANDLER: on it,
                              * in a handler of the program, called between two executions */
    uint32_t nframes;
    uint64_t skipped; /* of a deep stack: frames left out behind CFZ_FRAMES_INNER; 0: none */
    uint64_t frames[CFZ_FRAMES_MAX]; /* pc, then return addresses */
};

/*
 * How an input was made of an entry: the mutations, in their order, as numbers of names. n wraps
 * around, so that no bound is to be looked at; rows are much shorter. A record has the first of them.
 */
enum {
    CFZ_LINEAGE_MAX = 15, /* in a record */
    CFZ_MUTATIONS_MAX = 208,
    CFZ_MUTATION_NAME_MAX = 32, /* with its NUL */
};
struct cfz_lineage {
    uint8_t n;
    uint8_t v[UINT8_MAX + 1];
};
struct cfz_lineage_part {
    uint8_t n;
    uint8_t v[CFZ_LINEAGE_MAX];
};

/* A loaded object. An address a in [start, end) is a - base in its file. */
struct cfz_module {
    uint64_t base, start, end;
    char path[256];
};

/* How an input lies in its slot. That depends on build and length alone, so that a crash repeats. */
enum cfz_placement {
    CFZ_PLACE_END = 0,   /* data ends at the end of the slot, an inaccessible page follows */
    CFZ_PLACE_START = 1, /* data begins with the slot (AddressSanitizer, UndefinedBehaviorSanitizer) */
    CFZ_PLACE_ALIGNED = 2, /* as END, but begins at a multiple of CFZ_DATA_ALIGN; zeros fill the rest */
};

enum { CFZ_DATA_ALIGN = 16 }; /* as malloc aligns */

/* What the driver wants of a process besides its command. */
enum cfz_stop {
    CFZ_STOP_NOT,
    CFZ_STOP_SOON,  /* leave the running FUZZ command at the next execution */
    CFZ_STOP_WATCH, /* go on, but look after each execution whether the host is about to end of a
                     * signal; then execute nothing more, so that the slots keep the input (087) */
};

/*
 * The target must not change the first page. A process writes placement, pid and slot_addr there at
 * its start, and then makes the page read-only (cfz_proc_shm_seal). So the driver can rely on it,
 * and a stray write faults.
 */
struct cfz_proc_shm {
    uint32_t version; /* CFZ_SHM_VERSION */
    uint32_t nslots;
    uint64_t size; /* of the mapping */
    uint64_t slots_off;
    uint64_t outbox_off, outbox_size;
    uint32_t placement; /* enum cfz_placement; the process writes it at start */
    int32_t pid;        /* the process writes it at start */
    uint64_t alloc_max; /* bytes of one allocation of the target; 0: any. The driver writes it at start */
    uint64_t slot_addr[CFZ_VALUES_MAX]; /* where the target sees slot i; a worker writes it at start */

    /* Driver writes, process reads between executions. */
    _Alignas(64) _Atomic uint32_t stop; /* enum cfz_stop */
    _Atomic uint64_t outbox_head;       /* consumed up to here */
    _Atomic uint32_t ask; /* how often the driver asked for obstacles while FUZZ runs */
    char name[CFZ_NAME_MAX]; /* cfuzz_name: "FuzzParse/seed#0"; set before a command */

    /* Process writes, driver reads at any time. */
    _Alignas(CFZ_SHM_PAGE) _Atomic uint64_t execs;     /* all calls of the target; counted when they begin */
    _Atomic uint64_t mutated;                /* of execs: mutated inputs; counted when they begin */
    _Atomic uint64_t skipped;                /* executions that cfuzz_skip ended */
    _Atomic uint64_t confirming;             /* of execs: interesting inputs executed again, to see whether they repeat */
    _Atomic uint64_t minimizing;             /* of execs: candidates while interesting inputs are minimized */
    _Atomic uint64_t tracing;                /* of execs: inputs of the corpus executed again, to see what they compare */
    _Atomic uint64_t
        checking; /* of execs: inputs of the corpus executed again, to see whether state stays */
    _Atomic uint64_t erratic_sites;          /* comparisons that differed in two traces of one input */
    _Atomic uint64_t erratic_inputs;         /* inputs of the corpus whose trace had coverage that they lack */
    _Atomic uint64_t unstable;               /* inputs with new coverage of which nothing repeated */
    _Atomic uint64_t known[CFZ_KNOWN_MAX];   /* how often it died of each known crash and was replaced */
    _Atomic uint64_t cut;                    /* how often it was replaced in a slow execution (slow.h) */
    _Atomic uint64_t replaced;               /* how often in all; the output begins anew each time */
    _Atomic int32_t runner;                  /* pid of the process that executes, or 0: pid (guard.h) */
    _Atomic uint32_t state;                  /* enum cfz_proc_state */
    _Atomic uint32_t traced;                 /* 1: the execution, or the one that failed, goes through
                                                traced copies (abi.h), which need more stack and time */
    _Atomic uint64_t outbox_tail;            /* written up to here */
    _Atomic uint64_t outbox_open;            /* size of a whole record at tail that the process may
                                                replace before it commits it; 0: none */

    /* The input of the running or last execution: the bits of a scalar, the length of a []byte or string. */
    _Alignas(64) uint64_t input[CFZ_VALUES_MAX];
    uint64_t parent; /* the entry that it was mutated from */
    struct cfz_lineage lineage; /* and how */
    /* What mutations are called; written when the first FUZZ begins. */
    char mutations[CFZ_MUTATIONS_MAX][CFZ_MUTATION_NAME_MAX];
    _Atomic uint64_t mutation_uses[CFZ_MUTATIONS_MAX]; /* how often each was asked for; written now
                                                          and then, and when FUZZ ends */

    _Atomic uint32_t answered; /* ask when obstacles was last written for it */
    struct cfz_obstacles obstacles; /* also written when FUZZ ends */

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
    uint32_t nfail_frames;                 /* of fail_frames; valid if the execution failed */
    uint64_t fail_frames[CFZ_FAIL_FRAMES]; /* return addresses, innermost first, where it first did */
    _Atomic uint32_t fail_log_len; /* log_len when the execution first failed; valid if it did */
    char log[CFZ_LOG_MAX];
};

/* The longest data of a kind that a slot holds: a string has its NUL there, too. */
static inline size_t cfz_slot_max(enum cfz_kind kind)
{
    return CFZ_SLOT_SIZE - cfz_kind_is_string(kind);
}

/* The offset of the data of len bytes in its slot. len <= cfz_slot_max. */
static inline size_t cfz_slot_offset(enum cfz_placement p, enum cfz_kind kind, size_t len)
{
    size_t last = cfz_slot_max(kind) - len;

    if (p == CFZ_PLACE_START)
        return 0;
    return p == CFZ_PLACE_END ? last : last & ~(CFZ_DATA_ALIGN - (size_t)1);
}

/* ---- outbox ----------------------------------------------------------------
 *
 * A ring of records, each 16-aligned and contiguous. Positions only grow; a position modulo
 * outbox_size is a place in the ring. The process writes at tail, the driver reads at head.
 *
 * A record that would cross the end begins at place 0 instead. A SKIP record fills the rest, or
 * nothing does if less than a header is left. In the same way an empty ring begins anew after a
 * megabyte, so that few pages are ever touched.
 */
enum cfz_record_type {
    CFZ_RECORD_SKIP = 1,
    CFZ_RECORD_SEED,   /* host: one cfuzz_add; values only */
    CFZ_RECORD_BASE,   /* worker: coverage of the RUN of an entry; bits only */
    CFZ_RECORD_INTERESTING,   /* worker: a mutated input with bits that neither mask nor this worker had */
    CFZ_RECORD_WORD,          /* worker: packed is a word, which the INTERESTING before it was mutated with */
    CFZ_RECORD_GOALS,         /* worker: packed is what is known of goals, for the next run */
};

enum cfz_record_flags {
    CFZ_RECORD_UNSTABLE = 1, /* INTERESTING: a second execution showed only part of the new bits: these */
    CFZ_RECORD_PCS = 2, /* INTERESTING: nbits program counters follow the packed values (cfz_record_pcs) */
};

/* Beside a program counter: it is where a function begins. */
#define CFZ_PC_FUNCTION ((uint64_t)1 << 63)

struct cfz_record {
    uint16_t type;
    uint16_t flags;    /* enum cfz_record_flags, of INTERESTING */
    uint32_t nbits;    /* struct cfz_cov_bits that follow */
    uint64_t size;     /* of the whole record, header included, a multiple of 16 */
    uint64_t packed;   /* bytes of packed values after the bits */
    uint64_t entry;    /* BASE: the entry; INTERESTING: the parent */
    uint64_t exec;     /* the process's execs when it was written */
    uint64_t ns;       /* duration of the execution where it was measured, or 0 */
    struct cfz_lineage_part lineage; /* INTERESTING: how it was made of the parent */
};

/*
 * For the process: cfz_outbox_reserve returns where to write a record of size bytes, a multiple of
 * 16, or NULL if the ring has no room now. cfz_outbox_commit publishes the record.
 *
 * For the driver: cfz_outbox_peek sets *rec to the next record, or to NULL if there is none. A record
 * that is not well-formed is CFZ_EINTERNAL. cfz_outbox_consume frees the record.
 *
 * Between reserve and commit the process may leave a whole record open: if it dies of what it
 * executes then, cfz_outbox_salvage, called by another process, commits the record, and returns
 * whether there was one.
 * cfz_outbox_leave_open(shm, rec) begins that. A commit ends it, or cfz_outbox_leave_open(shm, NULL),
 * which has to come before rec is written over.
 * Context: target; of peek, consume and salvage: ordinary.
 */
struct cfz_record *cfz_outbox_reserve(struct cfz_proc_shm *shm, size_t size);
void cfz_outbox_leave_open(struct cfz_proc_shm *shm, const struct cfz_record *rec);
void cfz_outbox_commit(struct cfz_proc_shm *shm, const struct cfz_record *rec);
bool cfz_outbox_salvage(struct cfz_proc_shm *shm);
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
/* With CFZ_RECORD_PCS: where the counters of the bits are, 0 if nobody tells, with CFZ_PC_FUNCTION. */
static inline const uint64_t *cfz_record_pcs(const struct cfz_record *r)
{
    return (const uint64_t *)(const void *)(cfz_record_packed(r) + ((r->packed + 7) & ~(uint64_t)7));
}

/* ---- making and mapping ------------------------------------------------- */

/*
 * For the driver: make the memory and map it writable. The caller closes *fd, and unmaps with
 * cfz_shm_unmap. CFZ_EIO; CFZ_EINTERNAL for more counters than a mask can have.
 */
int cfz_run_shm_new(size_t ncounters, struct cfz_run_shm **shm, int *fd, struct cfz_error *err);
int cfz_proc_shm_new(unsigned nslots, struct cfz_proc_shm **shm, int *fd, struct cfz_error *err);
void cfz_shm_unmap(void *shm, size_t size);

/* For the process: map what came over the socket, and check version and sizes. Run memory is mapped
 * read-only. */
int cfz_run_shm_map(int fd, const struct cfz_run_shm **shm, struct cfz_error *err);
int cfz_proc_shm_map(int fd, struct cfz_proc_shm **shm, struct cfz_error *err);

/* For the process: makes the first page of its memory read-only, unless pages are larger. */
int cfz_proc_shm_seal(struct cfz_proc_shm *shm, struct cfz_error *err);

static inline uint8_t *cfz_run_mask(const struct cfz_run_shm *r) { return (uint8_t *)r + r->mask_off; }
static inline uint8_t *cfz_proc_slot(const struct cfz_proc_shm *s, unsigned slot)
{
    return (uint8_t *)s + s->slots_off + slot * CFZ_SLOT_SIZE;
}

/*
 * For the driver: cfz_proc_shm_sane reports whether the numbers that a process keeps for us can be
 * true together. If not, the target wrote over them. commanded: the process was given a command. Call
 * it at any time. Context: ordinary.
 */
bool cfz_proc_shm_sane(const struct cfz_proc_shm *s, bool commanded);

/* How much of the log is text, whatever the target made of log_len. Context: ordinary. */
static inline uint32_t cfz_proc_log_len(const struct cfz_proc_shm *s)
{
    uint32_t len = atomic_load_explicit(&s->log_len, memory_order_acquire);

    return len < CFZ_LOG_MAX ? len : CFZ_LOG_MAX;
}

/*
 * For the driver: cfz_run_shm_append appends an entry; *index gets its number. parent is the entry
 * that it was made of; one that is not there, as CFZ_NO_ENTRY, is none. fd is the memfd of r. Its
 * pages are allocated before they are written, so that a full memory is an error and not a SIGBUS.
 * CFZ_EIO if arena, index or memory is full.
 */
int cfz_run_shm_append(struct cfz_run_shm *r, int fd, const struct cfz_values *vs, uint32_t flags,
                       uint64_t parent, uint64_t *index, struct cfz_error *err);
/*
 * For the driver: cfz_run_shm_set_words puts the words of a dictionary there, in the place of those
 * that were there; before any worker maps the memory. CFZ_EIO if memory is full.
 */
int cfz_run_shm_set_words(struct cfz_run_shm *r, int fd, const struct cfz_dict *d,
                          struct cfz_error *err);
static inline const uint8_t *cfz_run_words(const struct cfz_run_shm *r)
{
    return (const uint8_t *)r + r->words_off;
}
/*
 * For the driver: cfz_run_shm_set_goals puts up to CFZ_GOALS_SIZE_MAX bytes there that an earlier run
 * had in a GOALS record; before any worker maps the memory. CFZ_EIO if memory is full.
 */
int cfz_run_shm_set_goals(struct cfz_run_shm *r, int fd, const uint8_t *data, size_t len,
                          struct cfz_error *err);
static inline const uint8_t *cfz_run_goals(const struct cfz_run_shm *r)
{
    return (const uint8_t *)r + r->goals_off;
}
/* cfz_run_shm_entry returns entry i, below nentries; its packed values follow it. Context: target. */
const struct cfz_entry *cfz_run_shm_entry(const struct cfz_run_shm *r, uint64_t i);

/*
 * For the driver: cfz_proc_input copies the input that a stopped or dead process was executing out of
 * its memory. It checks the lengths, since the target may have written over them: CFZ_EFORMAT.
 * cfz_proc_set_input writes values there, as the input of a TRY command.
 */
int cfz_proc_input(const struct cfz_proc_shm *s, const enum cfz_kind *kinds, size_t n,
                   struct cfz_values *vs, struct cfz_error *err);
int cfz_proc_set_input(struct cfz_proc_shm *s, const struct cfz_values *vs, struct cfz_error *err);

#endif
