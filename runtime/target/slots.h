/*
 * slots.h - the input as the target sees it.
 *
 * Each []byte and string value has a slot in process memory (core/shmem.h). The engine writes it
 * through one mapping. The target sees it through another one, the view, which is read-only with an
 * inaccessible page on both sides. Scalars lie in the header of process memory; a call loads them
 * from there.
 *
 * The host reserves the addresses of the views before it forks, so that they are the same in each
 * of its workers.
 */
#ifndef CFZ_SLOTS_H
#define CFZ_SLOTS_H

#include "core/copy.h"
#include "core/shmem.h"

struct cfz_slots {
    enum cfz_placement placement;
    size_t mask; /* of the last offset that data of some length may have, what it has */
    bool poison; /* under AddressSanitizer: what is beyond the data is poisoned */
    const enum cfz_kind *kinds;
    size_t n;
    struct cfz_proc_shm *shm;            /* NULL before attach */
    uint8_t *view[CFZ_VALUES_MAX];       /* of value i: the target's mapping; NULL for a scalar */
    uint8_t *edit[CFZ_VALUES_MAX];       /* the engine's */
    const uint8_t *data[CFZ_VALUES_MAX]; /* what the target is given */
    size_t most[CFZ_VALUES_MAX];         /* bytes that the slot holds */
    bool string[CFZ_VALUES_MAX];
    size_t clean[CFZ_VALUES_MAX];   /* bytes from the start that are not poisoned */
    uint64_t input[CFZ_VALUES_MAX]; /* as in shm, where the target can write over it */
};

/* cfz_slots_reserve reserves the addresses for the values of a test. For the host. CFZ_EIO.
 * Context: ordinary. */
int cfz_slots_reserve(struct cfz_slots *s, const enum cfz_kind *kinds, size_t n,
                      struct cfz_error *err);

/*
 * cfz_slots_place has data lie otherwise than cfz_slots_reserve chose for this build, which is
 * CFZ_PLACE_END or, with a sanitizer, CFZ_PLACE_START. cfz_slots_align has it begin at a multiple
 * of CFZ_DATA_ALIGN in a build without a sanitizer, too, as if it was malloc'ed. Before
 * cfz_slots_attach. Context: ordinary.
 */
void cfz_slots_place(struct cfz_slots *s, enum cfz_placement p);
void cfz_slots_align(struct cfz_slots *s);

/*
 * cfz_slots_attach maps the slots of shm there, whose descriptor is fd, and notes their addresses
 * in the header. The input is the zero values then. For the worker. CFZ_EIO; CFZ_EINTERNAL if the
 * memory was not made for this test. Context: ordinary.
 */
int cfz_slots_attach(struct cfz_slots *s, struct cfz_proc_shm *shm, int fd, struct cfz_error *err);

/* cfz_slots_release gives the addresses back. Does nothing to a zeroed struct. Context:
 * ordinary. */
void cfz_slots_release(struct cfz_slots *s);

/* cfz_slots_scalar sets value i, which has no slot. Context: target. */
static inline void cfz_slots_scalar(struct cfz_slots *s, size_t i, uint64_t bits)
{
    s->input[i] = bits;
    s->shm->input[i] = bits;
}

/* cfz_slots_bytes sets value i, which has a slot, to a copy of data[0..len). len is at most what a
 * slot holds; data of a string has no NUL. Context: target. */
void cfz_slots_bytes(struct cfz_slots *s, size_t i, const uint8_t *data, size_t len);

/*
 * cfz_slots_packed sets all values from their binary form (core/value.h). cfz_slots_adopt takes the
 * input that the driver wrote into the slots for TRY. Both return false if it is not an input of
 * this test. Context: target.
 */
bool cfz_slots_packed(struct cfz_slots *s, const uint8_t *packed, size_t len);
bool cfz_slots_adopt(struct cfz_slots *s);

/* cfz_slots_restore puts the input right that the target wrote over. data[i] is a copy of value i
 * where that has a slot. Context: target. */
void cfz_slots_restore(struct cfz_slots *s, uint8_t *const data[CFZ_VALUES_MAX]);

/* cfz_slots_pack writes the binary form of the input to to[0..room), and returns its length, or 0
 * if it does not fit. Context: target. */
size_t cfz_slots_pack(const struct cfz_slots *s, uint8_t *to, size_t room);

#endif
