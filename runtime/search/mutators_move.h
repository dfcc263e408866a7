/*
 * mutators_move.h - moves pieces within the buffer of a []byte or string.
 *
 * Most pieces are short. They are moved at the same speed whatever their length, as a whole word or
 * two registers, if the buffer has room for that; or without a call. memmove would branch on the
 * length, and the processor would guess wrong, since lengths are random.
 */
#ifndef CFZ_MUTATORS_MOVE_H
#define CFZ_MUTATORS_MOVE_H

#include <string.h>

#include "core/copy.h"
#include "core/value.h"

enum { CFZ_MOVE_WORD = 8, CFZ_MOVE_TAIL = 32 };

/* cfz_has_room reports whether the buffer has room bytes from a position on. */
static inline bool cfz_has_room(const struct cfz_value *v, size_t from, size_t room)
{
    return v->cap >= room && from <= v->cap - room;
}

/* cfz_put_bytes writes the first n bytes of what, n from 1 to 8, to p, which has room for a whole
 * word. */
static inline void cfz_put_bytes(uint8_t *p, uint64_t what, uint32_t n)
{
    uint64_t keep, low = UINT64_MAX >> (64 - 8 * n);

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    low = __builtin_bswap64(low);
#endif
    memcpy(&keep, p, CFZ_MOVE_WORD);
    keep = (keep & ~low) | (what & low);
    memcpy(p, &keep, CFZ_MOVE_WORD);
}

/* cfz_put_piece copies n bytes, which may overlap, and touches no others. */
static inline void cfz_put_piece(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n > CFZ_COPY_WHOLE)
        memmove(to, from, n);
    else
        cfz_copy(to, from, n);
}

/* cfz_move_tail moves what is behind from to the position to, and sets the length to match. */
static inline void cfz_move_tail(struct cfz_value *v, size_t from, size_t to)
{
    size_t n = v->len - from;

    v->len = to + n;
    if (n <= CFZ_MOVE_TAIL && cfz_has_room(v, from > to ? from : to, CFZ_MOVE_TAIL)) {
        /* Bytes that get beyond the length do not matter. */
        uint64_t a[2], b[2];

        memcpy(a, v->data + from, sizeof a);
        memcpy(b, v->data + from + sizeof a, sizeof b);
        memcpy(v->data + to, a, sizeof a);
        memcpy(v->data + to + sizeof a, b, sizeof b);
    } else {
        memmove(v->data + to, v->data + from, n);
    }
}

#endif
