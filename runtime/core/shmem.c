/*
 * shmem.c - makes, maps and checks shared memory; the outbox; inputs in slots.
 *
 * Files are sparse: only what is touched costs memory.
 */
#define _GNU_SOURCE
#include "core/shmem.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARENA_SIZE ((uint64_t)16 << 30)  /* guessed: far more than fits any memory we know */
#define MEMORY_STEP ((uint64_t)64 << 10) /* guessed: some thousand small entries */
/* The longest record holds one input as large as all slots; the rest is for its bits and more. */
#define OUTBOX_EXTRA ((uint64_t)256 << 20)

/* An empty ring begins anew only when the place is beyond this. Then the room before the place is
 * all there is until the driver reads again, so it must be enough for many records; guessed. */
#define OUTBOX_RESTART ((uint64_t)1 << 20)

_Static_assert(offsetof(struct cfz_proc_shm, execs) == CFZ_SHM_PAGE,
               "what a process may not write fills exactly the first page");
_Static_assert(sizeof(struct cfz_run_shm) <= CFZ_SHM_PAGE, "the mask begins on the second page");
_Static_assert(sizeof(struct cfz_record) % 16 == 0 && sizeof(struct cfz_cov_bits) == 8,
               "records are 16-aligned, packed values in them 8-aligned");

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* ---- making and mapping ------------------------------------------------- */

/* Maps a file. Returns the mapping, or NULL with err. */
static void *map_file(int fd, uint64_t size, int prot, struct cfz_error *err)
{
    void *p = mmap(NULL, size, prot, MAP_SHARED, fd, 0);

    if (p != MAP_FAILED)
        return p;
    cfz_fail_errno(err, "map %llu bytes of shared memory", (unsigned long long)size);
    return NULL;
}

/* Makes a sparse memfd of size bytes and maps it writable. NULL with err. */
static void *new_file(const char *name, uint64_t size, int *fd, struct cfz_error *err)
{
    int f = memfd_create(name, MFD_CLOEXEC);
    void *p = NULL;

    if (f < 0) {
        cfz_fail_errno(err, "make shared memory");
        return NULL;
    }
    if (ftruncate(f, (off_t)size) < 0)
        cfz_fail_errno(err, "size shared memory to %llu bytes", (unsigned long long)size);
    else
        p = map_file(f, size, PROT_READ | PROT_WRITE, err);
    if (p)
        *fd = f;
    else
        close(f);
    return p;
}

struct run_layout {
    uint64_t mask_off, words_off, goals_off, index_off, arena_off, size;
};

static struct run_layout run_layout(uint64_t ncounters)
{
    struct run_layout l;

    l.mask_off = CFZ_SHM_PAGE;
    l.words_off = l.mask_off + round_up(ncounters, CFZ_SHM_PAGE);
    l.goals_off = l.words_off + round_up(CFZ_DICT_SIZE_MAX, CFZ_SHM_PAGE);
    l.index_off = l.goals_off + round_up(CFZ_GOALS_SIZE_MAX, CFZ_SHM_PAGE);
    l.arena_off = l.index_off + CFZ_ENTRIES_MAX * sizeof(uint64_t);
    l.size = l.arena_off + ARENA_SIZE;
    return l;
}

struct proc_layout {
    uint64_t slots_off, outbox_off, outbox_size, size;
};

static struct proc_layout proc_layout(uint64_t nslots)
{
    struct proc_layout l;

    l.slots_off = round_up(sizeof(struct cfz_proc_shm), 1 << 16); /* whole pages of any size */
    l.outbox_off = l.slots_off + nslots * CFZ_SLOT_SIZE;
    l.outbox_size = nslots * CFZ_SLOT_SIZE + OUTBOX_EXTRA;
    l.size = l.outbox_off + l.outbox_size;
    return l;
}

int cfz_run_shm_new(size_t ncounters, struct cfz_run_shm **shm, int *fd, struct cfz_error *err)
{
    struct run_layout l = run_layout(ncounters);
    struct cfz_run_shm *r;

    if (ncounters > UINT32_MAX) /* struct cfz_cov_bits has 32 bits for an index */
        return cfz_fail(err, CFZ_EINTERNAL, "coverage mask: %zu counters are too many", ncounters);
    r = new_file("cfuzz-run", l.size, fd, err);
    if (!r)
        return -1;
    r->version = CFZ_SHM_VERSION;
    r->size = l.size;
    r->mask_off = l.mask_off;
    r->mask_len = ncounters;
    r->words_off = l.words_off;
    r->goals_off = l.goals_off;
    r->index_off = l.index_off;
    r->arena_off = l.arena_off;
    *shm = r;
    return 0;
}

int cfz_proc_shm_new(unsigned nslots, struct cfz_proc_shm **shm, int *fd, struct cfz_error *err)
{
    struct proc_layout l = proc_layout(nslots);
    struct cfz_proc_shm *s;

    CFZ_ASSERT(nslots <= CFZ_VALUES_MAX);
    s = new_file("cfuzz-process", l.size, fd, err);
    if (!s)
        return -1;
    s->version = CFZ_SHM_VERSION;
    s->nslots = nslots;
    s->size = l.size;
    s->slots_off = l.slots_off;
    s->outbox_off = l.outbox_off;
    s->outbox_size = l.outbox_size;
    *shm = s;
    return 0;
}

void cfz_shm_unmap(void *shm, size_t size)
{
    if (shm)
        munmap(shm, size);
}

/* The size of the memory behind fd, which has to hold at least a header of min bytes. */
static int file_size(int fd, uint64_t min, uint64_t *size, struct cfz_error *err)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return cfz_fail_errno(err, "shared memory");
    if (st.st_size < 0 || (uint64_t)st.st_size < min)
        return cfz_fail(err, CFZ_EINTERNAL, "shared memory: %lld bytes are too few",
                        (long long)st.st_size);
    *size = (uint64_t)st.st_size;
    return 0;
}

/* Undoes a mapping and says what is wrong with its header, whose version was read before. */
static int bad_header(const void *at, uint64_t size, uint32_t version, struct cfz_error *err)
{
    munmap((void *)(uintptr_t)at, size);
    if (version != CFZ_SHM_VERSION)
        return cfz_fail(err, CFZ_EINTERNAL, "shared memory: version %u, want %u", version,
                        CFZ_SHM_VERSION);
    return cfz_fail(err, CFZ_EINTERNAL, "shared memory: its header does not fit its size");
}

int cfz_run_shm_map(int fd, const struct cfz_run_shm **shm, struct cfz_error *err)
{
    const struct cfz_run_shm *r;
    struct run_layout l;
    uint64_t size;

    if (file_size(fd, sizeof *r, &size, err) < 0)
        return -1;
    r = map_file(fd, size, PROT_READ, err);
    if (!r)
        return -1;
    l = run_layout(r->mask_len);
    if (r->version != CFZ_SHM_VERSION || r->mask_len > UINT32_MAX || r->size != size ||
        l.size != size || r->mask_off != l.mask_off || r->words_off != l.words_off ||
        r->words_len > CFZ_DICT_SIZE_MAX || r->goals_off != l.goals_off ||
        r->goals_len > CFZ_GOALS_SIZE_MAX || r->index_off != l.index_off ||
        r->arena_off != l.arena_off)
        return bad_header(r, size, r->version, err);
    *shm = r;
    return 0;
}

int cfz_proc_shm_map(int fd, struct cfz_proc_shm **shm, struct cfz_error *err)
{
    struct cfz_proc_shm *s;
    struct proc_layout l;
    uint64_t size;

    if (file_size(fd, sizeof *s, &size, err) < 0)
        return -1;
    s = map_file(fd, size, PROT_READ | PROT_WRITE, err);
    if (!s)
        return -1;
    l = proc_layout(s->nslots);
    if (s->version != CFZ_SHM_VERSION || s->nslots > CFZ_VALUES_MAX || s->size != size ||
        l.size != size || s->slots_off != l.slots_off || s->outbox_off != l.outbox_off ||
        s->outbox_size != l.outbox_size)
        return bad_header(s, size, s->version, err);
    *shm = s;
    return 0;
}

int cfz_proc_shm_seal(struct cfz_proc_shm *shm, struct cfz_error *err)
{
    if (sysconf(_SC_PAGESIZE) > CFZ_SHM_PAGE)
        return 0;
    if (mprotect(shm, CFZ_SHM_PAGE, PROT_READ) < 0)
        return cfz_fail_errno(err, "protect shared memory");
    return 0;
}

/* ---- entries -------------------------------------------------------------- */

const struct cfz_entry *cfz_run_shm_entry(const struct cfz_run_shm *r, uint64_t i)
{
    const uint8_t *base = (const uint8_t *)r;
    const uint64_t *index = (const uint64_t *)(const void *)(base + r->index_off);

    return (const struct cfz_entry *)(const void *)(base + r->arena_off + index[i]);
}

/*
 * Allocates memory for the first len bytes of what lies at off in the file; *ready is how many
 * bytes have it. It allocates in steps, since each takes a system call; if there is no memory for a
 * whole step, as much as is needed. Returns 0 or an error number.
 */
static int have_memory(int fd, uint64_t off, uint64_t len, uint64_t *ready)
{
    uint64_t want = round_up(len, MEMORY_STEP);
    int why;

    if (len <= *ready)
        return 0;
    why = posix_fallocate(fd, (off_t)(off + *ready), (off_t)(want - *ready));
    if (why != 0) {
        want = len;
        why = posix_fallocate(fd, (off_t)(off + *ready), (off_t)(want - *ready));
    }
    if (why == 0)
        *ready = want;
    return why;
}

int cfz_run_shm_append(struct cfz_run_shm *r, int fd, const struct cfz_values *vs, uint32_t flags,
                       uint64_t parent, uint64_t *index, struct cfz_error *err)
{
    uint64_t n = atomic_load_explicit(&r->nentries, memory_order_relaxed);
    uint64_t *offsets = (uint64_t *)(void *)((uint8_t *)r + r->index_off);
    uint64_t packed = cfz_values_packed_size(vs), at = 0;
    struct cfz_entry *e;
    int why;

    if (n > 0) {
        const struct cfz_entry *last = cfz_run_shm_entry(r, n - 1);

        at = offsets[n - 1] + round_up(sizeof *last + last->size, 16);
    }
    if (n == CFZ_ENTRIES_MAX)
        return cfz_fail(err, CFZ_EIO, "corpus: %llu inputs are the most it holds",
                        (unsigned long long)n);
    if (packed > ARENA_SIZE || at + sizeof *e + packed > ARENA_SIZE)
        return cfz_fail(err, CFZ_EIO, "corpus: no room for an input of %llu bytes",
                        (unsigned long long)packed);
    why = have_memory(fd, r->arena_off, at + sizeof *e + packed, &r->arena_ready);
    if (why == 0)
        why = have_memory(fd, r->index_off, (n + 1) * sizeof *offsets, &r->index_ready);
    if (why != 0) {
        errno = why;
        return cfz_fail_errno(err, "corpus: no memory for an input of %llu bytes",
                              (unsigned long long)packed);
    }

    offsets[n] = at;
    e = (struct cfz_entry *)(void *)((uint8_t *)r + r->arena_off + at);
    e->size = packed;
    e->flags = flags;
    _Static_assert(CFZ_ENTRIES_MAX < UINT32_MAX, "an entry is told by 32 bits");
    e->parent = parent < n ? (uint32_t)parent + 1 : 0;
    cfz_values_pack(vs, (uint8_t *)(e + 1));
    atomic_store_explicit(&r->nentries, n + 1, memory_order_release);
    *index = n;
    return 0;
}

/* Puts data at off in the file; *len gets its length. */
static int set_part(struct cfz_run_shm *r, int fd, uint64_t off, uint64_t *len, const uint8_t *data,
                    size_t n, const char *what, struct cfz_error *err)
{
    uint64_t ready = 0;
    int why = have_memory(fd, off, n, &ready);

    if (why != 0) {
        errno = why;
        return cfz_fail_errno(err, "%s of %zu bytes", what, n);
    }
    if (n > 0)
        memcpy((uint8_t *)r + off, data, n);
    *len = n;
    return 0;
}

int cfz_run_shm_set_words(struct cfz_run_shm *r, int fd, const struct cfz_dict *d,
                          struct cfz_error *err)
{
    CFZ_ASSERT(d->packed.len <= CFZ_DICT_SIZE_MAX);
    return set_part(r, fd, r->words_off, &r->words_len, d->packed.data, d->packed.len,
                    "dictionary: no memory for words", err);
}

int cfz_run_shm_set_goals(struct cfz_run_shm *r, int fd, const uint8_t *data, size_t len,
                          struct cfz_error *err)
{
    CFZ_ASSERT(len <= CFZ_GOALS_SIZE_MAX);
    return set_part(r, fd, r->goals_off, &r->goals_len, data, len, "no memory for goals", err);
}

/* ---- outbox ---------------------------------------------------------------- */

static struct cfz_record *record_at(const struct cfz_proc_shm *s, uint64_t place)
{
    return (struct cfz_record *)(void *)((uint8_t *)(uintptr_t)s + s->outbox_off + place);
}

/* Publishes that the rest of the ring from place on is not used. Returns the new tail. */
static uint64_t skip_rest(struct cfz_proc_shm *s, uint64_t tail, uint64_t place)
{
    uint64_t rest = s->outbox_size - place;

    if (rest >= sizeof(struct cfz_record)) {
        struct cfz_record *r = record_at(s, place);

        r->type = CFZ_RECORD_SKIP;
        r->nbits = 0;
        r->size = rest;
        r->packed = 0;
    }
    tail += rest;
    atomic_store_explicit(&s->outbox_tail, tail, memory_order_release);
    return tail;
}

struct cfz_record *cfz_outbox_reserve(struct cfz_proc_shm *shm, size_t size)
{
    uint64_t tail = atomic_load_explicit(&shm->outbox_tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&shm->outbox_head, memory_order_acquire);
    uint64_t place = tail % shm->outbox_size;
    uint64_t rest = shm->outbox_size - place;

    CFZ_ASSERT(size % 16 == 0 && size >= sizeof(struct cfz_record));
    if (size > shm->outbox_size)
        return NULL;
    /*
     * Goes on at the beginning of the ring if the record would cross the end; also if the ring
     * is empty, and the record and many more fit before this place. What is skipped counts as used
     * until the driver has passed it.
     */
    if (size > rest || (head == tail && place >= OUTBOX_RESTART && size <= place)) {
        if (tail + rest - head > shm->outbox_size)
            return NULL;
        tail = skip_rest(shm, tail, place);
        place = 0;
    }
    if (tail + size - head > shm->outbox_size)
        return NULL;
    return record_at(shm, place);
}

void cfz_outbox_commit(struct cfz_proc_shm *shm, const struct cfz_record *rec)
{
    uint64_t tail = atomic_load_explicit(&shm->outbox_tail, memory_order_relaxed);

    CFZ_ASSERT(rec == record_at(shm, tail % shm->outbox_size));
    cfz_outbox_leave_open(shm, NULL);
    atomic_store_explicit(&shm->outbox_tail, tail + rec->size, memory_order_release);
}

void cfz_outbox_leave_open(struct cfz_proc_shm *shm, const struct cfz_record *rec)
{
    /* The reader looks only when the writer is dead, so it is enough that the compiler keeps the
     * order. */
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&shm->outbox_open, rec ? rec->size : 0, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

bool cfz_outbox_salvage(struct cfz_proc_shm *shm)
{
    uint64_t size = atomic_load_explicit(&shm->outbox_open, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&shm->outbox_tail, memory_order_relaxed);

    /* cfz_outbox_peek checks whether there is a record of that size. */
    atomic_store_explicit(&shm->outbox_open, 0, memory_order_relaxed);
    atomic_store_explicit(&shm->outbox_tail, tail + size, memory_order_release);
    return size > 0;
}

/* Whether a record is well-formed. There are used bytes from it to the tail, and rest bytes to the
 * end of the ring. */
static bool record_ok(const struct cfz_record *r, uint64_t used, uint64_t rest)
{
    uint64_t body, pad;

    if (r->size < sizeof *r || r->size % 16 != 0 || r->size > used || r->size > rest)
        return false;
    if (r->type == CFZ_RECORD_SKIP)
        return r->size == rest;
    if (r->type < CFZ_RECORD_SEED || r->type > CFZ_RECORD_GOALS)
        return false;
    body = r->size - sizeof *r;
    if (r->nbits > body / sizeof(struct cfz_cov_bits))
        return false;
    body -= r->nbits * sizeof(struct cfz_cov_bits);
    if (r->packed > body)
        return false;
    body -= r->packed;
    pad = (0 - r->packed) & 7;
    return !(r->flags & CFZ_RECORD_PCS) || (body >= pad && r->nbits <= (body - pad) / 8);
}

int cfz_outbox_peek(struct cfz_proc_shm *shm, const struct cfz_record **rec, struct cfz_error *err)
{
    for (;;) {
        uint64_t tail = atomic_load_explicit(&shm->outbox_tail, memory_order_acquire);
        uint64_t head = atomic_load_explicit(&shm->outbox_head, memory_order_relaxed);
        uint64_t place = head % shm->outbox_size;
        uint64_t rest = shm->outbox_size - place;
        const struct cfz_record *r = record_at(shm, place);

        if (head == tail) {
            *rec = NULL;
            return 0;
        }
        if (tail - head > shm->outbox_size)
            goto bad; /* also when tail went back */
        if (rest < sizeof *r) {
            if (tail - head < rest)
                goto bad;
            atomic_store_explicit(&shm->outbox_head, head + rest, memory_order_release);
            continue;
        }
        if (!record_ok(r, tail - head, rest))
            goto bad;
        if (r->type != CFZ_RECORD_SKIP) {
            *rec = r;
            return 0;
        }
        atomic_store_explicit(&shm->outbox_head, head + rest, memory_order_release);
    }
bad:
    return cfz_fail(err, CFZ_EINTERNAL, "records of the fuzzing process: malformed");
}

void cfz_outbox_consume(struct cfz_proc_shm *shm, const struct cfz_record *rec)
{
    uint64_t head = atomic_load_explicit(&shm->outbox_head, memory_order_relaxed);

    CFZ_ASSERT(rec == record_at(shm, head % shm->outbox_size));
    atomic_store_explicit(&shm->outbox_head, head + rec->size, memory_order_release);
}

/* ---- what a process counts --------------------------------------------------- */

bool cfz_proc_shm_sane(const struct cfz_proc_shm *s, bool commanded)
{
    /* A process counts an execution in two places, one after the other, and some in three. */
    enum { UNDER_WAY = 16 };
    const _Atomic uint64_t *const parts[] = {&s->mutated, &s->confirming, &s->minimizing,
                                             &s->tracing};
    const _Atomic uint64_t *const shares[] = {&s->skipped, &s->unstable, &s->cut, &s->replaced};
    uint64_t sum = 0, most = 0, most_known = 0, replaced, execs;
    uint32_t state = atomic_load_explicit(&s->state, memory_order_relaxed);

    for (size_t i = 0; i < CFZ_KNOWN_MAX; i++) {
        uint64_t n = atomic_load_explicit(&s->known[i], memory_order_relaxed);

        most_known = n > most_known ? n : most_known;
    }
    replaced = atomic_load_explicit(&s->replaced, memory_order_acquire);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint64_t n = atomic_load_explicit(parts[i], memory_order_acquire);

        most = n > most ? n : most;
        sum += n;
    }
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        uint64_t n = atomic_load_explicit(shares[i], memory_order_acquire);

        most = n > most ? n : most;
    }
    execs = atomic_load_explicit(&s->execs, memory_order_acquire);
    if (execs > UINT64_MAX / 4) /* more than a machine executes in its life; so no sum overflows */
        return false;
    if (most > execs + UNDER_WAY || sum > execs + UNDER_WAY || most_known > replaced + UNDER_WAY)
        return false;
    return state <= CFZ_STATE_SETUP && !(commanded && state == CFZ_STATE_STARTING) &&
           atomic_load_explicit(&s->crash.kind, memory_order_relaxed) < CFZ_CRASH_KINDS;
}

/* ---- inputs in slots -------------------------------------------------------- */

int cfz_proc_input(const struct cfz_proc_shm *s, const enum cfz_kind *kinds, size_t n,
                   struct cfz_values *vs, struct cfz_error *err)
{
    struct cfz_values out = CFZ_VALUES_INIT;
    unsigned slot = 0;

    for (size_t i = 0; i < n; i++) {
        struct cfz_value *v = cfz_values_push(&out, kinds[i]);
        uint64_t in = s->input[i];

        if (!v) {
            cfz_fail(err, CFZ_ENOMEM, "copy the input of a process: out of memory");
            goto fail;
        }
        if (!cfz_kind_is_slot(kinds[i])) {
            v->bits = in;
            continue;
        }
        if (slot >= s->nslots || in > cfz_slot_max(kinds[i])) {
            cfz_fail(err, CFZ_EFORMAT,
                     "input of the fuzzing process: value %zu has length %llu: overwritten", i + 1,
                     (unsigned long long)in);
            goto fail;
        }
        if (cfz_value_set_bytes(v,
                                cfz_proc_slot(s, slot) +
                                    cfz_slot_offset((enum cfz_placement)s->placement, kinds[i], in),
                                in, err) < 0)
            goto fail;
        slot++;
    }
    cfz_values_swap(vs, &out);
    cfz_values_release(&out);
    return 0;
fail:
    cfz_values_release(&out);
    return -1;
}

int cfz_proc_set_input(struct cfz_proc_shm *s, const struct cfz_values *vs, struct cfz_error *err)
{
    unsigned slot = 0;

    if (vs->n > CFZ_VALUES_MAX)
        return cfz_fail(err, CFZ_ETYPE, "%zu values are more than %d", vs->n, CFZ_VALUES_MAX);
    for (size_t i = 0; i < vs->n; i++) {
        const struct cfz_value *v = &vs->v[i];

        if (!cfz_kind_is_slot(v->kind))
            continue;
        if (v->len > cfz_slot_max(v->kind))
            return cfz_fail(err, CFZ_ETYPE, "value %zu: %s of %zu bytes is longer than %zu", i + 1,
                            cfz_kind_name(v->kind), v->len, cfz_slot_max(v->kind));
        if (slot++ >= s->nslots)
            return cfz_fail(err, CFZ_ETYPE, "value %zu: the process has no slot for it", i + 1);
    }
    slot = 0;
    for (size_t i = 0; i < vs->n; i++) {
        const struct cfz_value *v = &vs->v[i];
        uint8_t *at;

        if (!cfz_kind_is_slot(v->kind)) {
            s->input[i] = v->bits;
            continue;
        }
        at = cfz_proc_slot(s, slot++) +
             cfz_slot_offset((enum cfz_placement)s->placement, v->kind, v->len);
        if (v->len > 0)
            memcpy(at, v->data, v->len);
        if (cfz_kind_is_string(v->kind))
            at[v->len] = 0;
        s->input[i] = v->len;
    }
    return 0;
}
