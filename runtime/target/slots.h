/*
 * slots.h - the input as the target sees it.
 *
 * Each []byte and string value has a slot in process memory (core/shmem.h),
 * written by the engine through one mapping and seen by the target through
 * another, read-only, with an inaccessible page on both sides. Scalars lie in
 * the header, which is where a call loads them from.
 *
 * The addresses of the read-only views are reserved in the host, before it forks,
 * so that they are the same in each of its workers.
 */
#ifndef CFZ_SLOTS_H
#define CFZ_SLOTS_H

#include "core/shmem.h"

struct cfz_slots {
    enum cfz_placement placement;
    bool poison; /* AddressSanitizer: what is beyond the data is poisoned */
    const enum cfz_kind *kinds;
    size_t n;
    struct cfz_proc_shm *shm;            /* NULL before attach */
    uint8_t *view[CFZ_VALUES_MAX];       /* of value i: the target's mapping; NULL for a scalar */
    uint8_t *edit[CFZ_VALUES_MAX];       /* the engine's */
    const uint8_t *data[CFZ_VALUES_MAX]; /* what the target is given */
    size_t clean[CFZ_VALUES_MAX];        /* bytes from the start that are not poisoned */
};

/* cfz_slots_reserve sets aside the addresses for a test's values. Host. CFZ_EIO. */
int cfz_slots_reserve(struct cfz_slots *s, const enum cfz_kind *kinds, size_t n,
                      struct cfz_error *err);

/*
 * cfz_slots_attach maps this process's slots there and says so in the header;
 * the input is the zero values. Worker. CFZ_EIO, CFZ_EINTERNAL if the memory was
 * not made for this test.
 */
int cfz_slots_attach(struct cfz_slots *s, struct cfz_proc_shm *shm, int fd, struct cfz_error *err);

/* cfz_slots_release gives the addresses back. Does nothing to a zeroed struct. */
void cfz_slots_release(struct cfz_slots *s);

/*
 * cfz_copy copies len bytes between buffers that do not overlap: no library call,
 * which may be a sanitizer's or the tested program's own, no byte past either
 * end. Context: target.
 */
static inline void cfz_copy(uint8_t *to, const uint8_t *from, size_t len)
{
    struct {
        uint64_t a, b;
    } c;

#if defined(__x86_64__)
    if (len >= 2048) { /* guessed: where its start-up cost no longer matters */
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len)::"memory");
        return;
    }
#endif
    if (len >= 16) {
        for (size_t i = 0; i + 16 < len; i += 16) {
            __builtin_memcpy(&c, from + i, 16);
            __builtin_memcpy(to + i, &c, 16);
            __asm__ volatile("" ::: "memory"); /* or the compiler makes it a memcpy */
        }
        __builtin_memcpy(&c, from + len - 16, 16); /* the last step overlaps */
        __builtin_memcpy(to + len - 16, &c, 16);
    } else if (len >= 8) {
        __builtin_memcpy(&c.a, from, 8);
        __builtin_memcpy(&c.b, from + len - 8, 8);
        __builtin_memcpy(to, &c.a, 8);
        __builtin_memcpy(to + len - 8, &c.b, 8);
    } else {
        for (size_t i = 0; i < len; i++) {
            to[i] = from[i];
            __asm__ volatile("" ::: "memory");
        }
    }
}

/* cfz_slots_scalar sets value i, which is none of the slot kinds. Context: target. */
static inline void cfz_slots_scalar(struct cfz_slots *s, size_t i, uint64_t bits)
{
    s->shm->input[i] = bits;
}

/* cfz_slots_bytes sets value i to a copy of data[0..len); len at most what a slot holds and,
 * for a string, without NUL. Context: target. */
void cfz_slots_bytes(struct cfz_slots *s, size_t i, const uint8_t *data, size_t len);

/*
 * cfz_slots_packed sets all values from their binary form (core/value.h).
 * cfz_slots_adopt takes what the driver wrote into the memory as input of a TRY.
 * Both return false when it is not an input of this test. Context: target.
 */
bool cfz_slots_packed(struct cfz_slots *s, const uint8_t *packed, size_t len);
bool cfz_slots_adopt(struct cfz_slots *s);

/* cfz_slots_pack is the reverse of cfz_slots_packed: writes the binary form of the input to
 * to[0..room) and returns its length, or 0 when it does not fit. Context: target. */
size_t cfz_slots_pack(const struct cfz_slots *s, uint8_t *to, size_t room);

#endif
