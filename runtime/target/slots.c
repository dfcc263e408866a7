/*
 * slots.c - maps the views, places the data, keeps AddressSanitizer's shadow right.
 *
 * No memcpy here: it would be the sanitizer's, or even the tested program's own.
 */
#define _GNU_SOURCE
#include "target/slots.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/protocol.h"
#include "target/sanitizer.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a call loads a scalar from the low end of its 64 bits");

/*
 * The system call itself: AddressSanitizer's mmap would unpoison the range that
 * was poisoned once for all workers.
 */
static void *raw_mmap(void *at, size_t len, int prot, int flags, int fd, uint64_t off)
{
    long r = syscall(SYS_mmap, at, len, prot, flags, fd, (off_t)off);

    return r == -1 ? MAP_FAILED : (void *)r;
}

void cfz_slots_place(struct cfz_slots *s, enum cfz_placement p)
{
    s->placement = p;
    s->mask = p == CFZ_PLACE_START ? 0
              : p == CFZ_PLACE_END ? SIZE_MAX
                                   : ~(CFZ_DATA_ALIGN - (size_t)1);
}

int cfz_slots_reserve(struct cfz_slots *s, const enum cfz_kind *kinds, size_t n,
                      struct cfz_error *err)
{
    unsigned build = cfz_sanitizer_build();
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    CFZ_ASSERT(n <= CFZ_VALUES_MAX);
    memset(s, 0, sizeof *s);
    /* UBSan complains about odd addresses that a malloc'ed input would not have. */
    cfz_slots_place(s,
                    build & (CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN) ? CFZ_PLACE_START : CFZ_PLACE_END);
    s->poison =
        build & CFZ_BUILD_ASAN && __asan_poison_memory_region && __asan_unpoison_memory_region;
    s->kinds = kinds;
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        uint8_t *at;

        if (!cfz_kind_is_slot(kinds[i]))
            continue;
        at = mmap(NULL, CFZ_SLOT_SIZE + 2 * page, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            return cfz_fail_errno(err, "reserve %zu bytes for value %zu", CFZ_SLOT_SIZE, i + 1);
        s->view[i] = at + page;
        s->most[i] = cfz_slot_max(kinds[i]);
        s->string[i] = cfz_kind_is_string(kinds[i]);
        if (s->poison)
            __asan_poison_memory_region(at, CFZ_SLOT_SIZE + 2 * page);
    }
    return 0;
}

void cfz_slots_align(struct cfz_slots *s)
{
    if (s->placement == CFZ_PLACE_END)
        cfz_slots_place(s, CFZ_PLACE_ALIGNED);
}

void cfz_slots_release(struct cfz_slots *s)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    for (size_t i = 0; i < s->n; i++) {
        if (!s->view[i])
            continue;
        if (s->poison) /* for whoever gets these addresses next */
            __asan_unpoison_memory_region(s->view[i] - page, CFZ_SLOT_SIZE + 2 * page);
        munmap(s->view[i] - page, CFZ_SLOT_SIZE + 2 * page);
    }
    memset(s, 0, sizeof *s);
}

/* Makes exactly the first len bytes of the view of value i accessible under AddressSanitizer. */
static inline void set_clean(struct cfz_slots *s, size_t i, size_t len)
{
    size_t was = s->clean[i];

    /* The shadow has 8 bytes at a time, of which all or the first few are accessible. */
    if (len > was)
        __asan_unpoison_memory_region(s->view[i] + (was & ~(size_t)7), len - (was & ~(size_t)7));
    else if (len < was)
        __asan_poison_memory_region(s->view[i] + len, was - len);
    s->clean[i] = len;
}

/* cfz_slot_offset for value i. */
static inline size_t offset(const struct cfz_slots *s, size_t i, size_t len)
{
    return (s->most[i] - len) & s->mask;
}

/* Makes value i the len bytes that are in its slot already, and ends a string with NUL. */
static inline void place(struct cfz_slots *s, size_t i, size_t len)
{
    bool string = s->string[i];
    size_t at = offset(s, i, len);

    if (string)
        s->edit[i][at + len] = 0;
    if (__builtin_expect(s->placement == CFZ_PLACE_ALIGNED, 0))
        __builtin_memset(s->edit[i] + at + len, 0, s->most[i] - at - len);
    s->input[i] = len;
    s->shm->input[i] = len;
    s->data[i] = s->view[i] + at;
    if (__builtin_expect(s->poison, 0))
        set_clean(s, i, len + string);
}

int cfz_slots_attach(struct cfz_slots *s, struct cfz_proc_shm *shm, int fd, struct cfz_error *err)
{
    unsigned slot = 0;

    s->shm = shm;
    shm->placement = s->placement;
    for (size_t i = 0; i < s->n; i++) {
        void *at;

        cfz_slots_scalar(s, i, 0);
        if (!s->view[i])
            continue;
        if (slot == shm->nslots)
            return cfz_fail(err, CFZ_EINTERNAL, "process memory: %u slots are too few",
                            (unsigned)shm->nslots);
        at = raw_mmap(s->view[i], CFZ_SLOT_SIZE, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
                      shm->slots_off + slot * CFZ_SLOT_SIZE);
        if (at == MAP_FAILED)
            return cfz_fail_errno(err, "map the slot of value %zu", i + 1);
        if (__msan_unpoison)
            __msan_unpoison(s->view[i], CFZ_SLOT_SIZE);
        s->edit[i] = cfz_proc_slot(shm, slot);
        shm->slot_addr[slot] = (uintptr_t)s->view[i];
        slot++;
        place(s, i, 0);
    }
    return 0;
}

void cfz_slots_bytes(struct cfz_slots *s, size_t i, const uint8_t *data, size_t len)
{
    cfz_copy(s->edit[i] + offset(s, i, len), data, len);
    place(s, i, len);
}

static bool len_ok(const struct cfz_slots *s, size_t i, uint64_t len)
{
    return len <= cfz_slot_max(s->kinds[i]);
}

bool cfz_slots_packed(struct cfz_slots *s, const uint8_t *packed, size_t len)
{
    size_t at = 0;

    for (size_t i = 0; i < s->n; i++) {
        uint64_t bits;

        if (len - at < sizeof bits)
            return false;
        __builtin_memcpy(&bits, packed + at, sizeof bits);
        at += sizeof bits;
        if (!s->view[i]) {
            cfz_slots_scalar(s, i, bits);
            continue;
        }
        if (!len_ok(s, i, bits) || len - at < ((bits + 7) & ~(uint64_t)7))
            return false;
        cfz_slots_bytes(s, i, packed + at, bits);
        at += (bits + 7) & ~(uint64_t)7;
    }
    return at == len;
}

bool cfz_slots_adopt(struct cfz_slots *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!s->view[i])
            continue;
        if (!len_ok(s, i, s->shm->input[i]))
            return false;
        place(s, i, s->shm->input[i]);
    }
    return true;
}

void cfz_slots_restore(struct cfz_slots *s, uint8_t *const data[CFZ_VALUES_MAX])
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->view[i])
            cfz_slots_bytes(s, i, data[i], s->input[i]);
        else
            cfz_slots_scalar(s, i, s->input[i]);
    }
}

size_t cfz_slots_pack(const struct cfz_slots *s, uint8_t *to, size_t room)
{
    size_t at = 0;

    for (size_t i = 0; i < s->n; i++) {
        uint64_t bits = s->shm->input[i], zero = 0;
        size_t padded = s->view[i] ? (bits + 7) & ~(uint64_t)7 : 0;

        if (room - at < sizeof bits || room - at - sizeof bits < padded)
            return 0;
        __builtin_memcpy(to + at, &bits, sizeof bits);
        at += sizeof bits;
        if (padded == 0)
            continue;
        __builtin_memcpy(to + at + padded - sizeof zero, &zero, sizeof zero);
        cfz_copy(to + at, s->data[i], bits);
        at += padded;
    }
    return at;
}
