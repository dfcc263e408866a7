/*
 * messages_fuzz.c - what a test binary hands to the driver: messages, records, inputs, marks.
 *
 * It may have written anything: nothing in a message or in shared memory is trusted to be whole.
 */
#include "fuzz.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

/* The packet that waits at the socket, and the descriptors that were taken and closed. */
static struct {
    const uint8_t *data;
    size_t len, nfds, closed;
    int flags;
} packet;

/* Receives the packet as recvmsg would. */
static ssize_t give_packet(int sock, struct msghdr *mh, int flags)
{
    size_t room = mh->msg_iov[0].iov_len, n = packet.len < room ? packet.len : room;
    size_t nfds = packet.nfds;

    (void)sock;
    (void)flags;
    memcpy(mh->msg_iov[0].iov_base, packet.data, n);
    mh->msg_flags = packet.flags | (n < packet.len ? MSG_TRUNC : 0);
    while (nfds > 0 && CMSG_SPACE(nfds * sizeof(int)) > mh->msg_controllen) {
        nfds--;
        mh->msg_flags |= MSG_CTRUNC;
    }
    packet.nfds = nfds;
    if (nfds == 0) {
        mh->msg_controllen = 0;
    } else {
        struct cmsghdr *c = CMSG_FIRSTHDR(mh);

        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(nfds * sizeof(int));
        for (size_t i = 0; i < nfds; i++) {
            int fd = 100 + (int)i;

            memcpy(CMSG_DATA(c) + i * sizeof fd, &fd, sizeof fd);
        }
        mh->msg_controllen = CMSG_SPACE(nfds * sizeof(int));
    }
    return (ssize_t)n;
}

static int close_taken(int fd)
{
    packet.closed += fd >= 100;
    return 0;
}

#define recvmsg give_packet
#define close close_taken
#include "../../runtime/core/protocol.c"
#undef recvmsg
#undef close

#include "core/known.h"

FUZZ_SETUP(FuzzMessage)(cfuzz_f *f)
{
    static const char text[] = "FuzzX\0[]byte, int\0x.c\0\1\10";
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_TEST);
    m.u.test.nvalues = 2;
    memcpy(m.text, text, sizeof text - 1);
    m.text_len = sizeof text - 1;
    cfuzz_add(f, (const uint8_t *)&m, HEAD_LEN + m.text_len, (uint8_t)0, (uint8_t)0);
    cfz_msg_init(&m, CFZ_MSG_FORK);
    m.text_len = 0;
    cfuzz_add(f, (const uint8_t *)&m, HEAD_LEN, (uint8_t)4, (uint8_t)0);
}

/* A packet is a message or refused. Its descriptors are handed over or closed, each of them once.
 */
FUZZ_TEST(FuzzMessage, []byte, uint8, uint8)
(cfuzz_t *t, const uint8_t *data, size_t len, uint8_t nfds, uint8_t flags)
{
    const char *name, *types, *file;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    int fds[CFZ_MSG_FDS_MAX];
    size_t got = 0;
    struct cfz_error err;
    struct cfz_msg m;
    int ret;

    error_clear(&err);
    packet.data = data;
    packet.len = len;
    packet.nfds = nfds % 7;
    packet.closed = 0;
    packet.flags = (flags & 1 ? MSG_TRUNC : 0) | (flags & 2 ? MSG_CTRUNC : 0);
    ret = cfz_msg_recv(3, &m, flags & 4 ? NULL : fds, &got, &err);
    CHECK(t, got + packet.closed == packet.nfds);
    if (ret < 0) {
        CHECK(t, err.code == CFZ_EINTERNAL && got == 0);
        return;
    }
    if (ret == 0) {
        CHECK(t, len == 0 && packet.nfds == 0);
        return;
    }
    CHECK(t, m.type >= CFZ_MSG_HELLO && m.type <= CFZ_MSG_LAST);
    CHECK(t, m.text_len <= CFZ_MSG_TEXT_MAX && HEAD_LEN + m.text_len == len);
    if (cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err) < 0) {
        CHECK(t, err.code == CFZ_EINTERNAL);
        return;
    }
    CHECK(t, name == m.text && types == name + strlen(name) + 1);
    CHECK(t, file == types + strlen(types) + 1);
    CHECK(t, file + strlen(file) + 1 + m.u.test.nvalues == m.text + m.text_len);
    for (size_t i = 0; i < m.u.test.nvalues; i++)
        CHECK(t, kinds[i] > CFZ_KIND_NONE && kinds[i] < CFZ_KIND_COUNT);
}

/* ---- records --------------------------------------------------------------- */

enum { RING = 2048 };

/* Process memory with a small outbox at its end, so that a sanitizer sees what goes beyond it. */
static struct {
    struct cfz_proc_shm shm;
    _Alignas(16) uint8_t ring[RING];
} memory;

static struct cfz_proc_shm *new_memory(uint64_t head, uint64_t tail)
{
    memory.shm.outbox_off = offsetof(__typeof__(memory), ring);
    memory.shm.outbox_size = RING;
    atomic_store(&memory.shm.outbox_head, head);
    atomic_store(&memory.shm.outbox_tail, tail);
    atomic_store(&memory.shm.outbox_open, 0);
    return &memory.shm;
}

FUZZ_SETUP(FuzzRecords)(cfuzz_f *f)
{
    struct {
        struct cfz_record r;
        struct cfz_cov_bits bits[2];
        uint64_t packed[4];
    } one = {.r = {.type = CFZ_RECORD_INTERESTING, .nbits = 1}};

    one.r.size = sizeof one / 16 * 16;
    one.r.packed = 16;
    cfuzz_add(f, (const uint8_t *)&one, sizeof one, UINT64_C(0), UINT64_C(96), UINT64_C(0));
    one.r = (struct cfz_record){.type = CFZ_RECORD_SKIP, .size = RING};
    cfuzz_add(f, (const uint8_t *)&one, sizeof one, UINT64_C(0), UINT64_C(2048), UINT64_C(64));
}

/* Whatever lies in the ring, a record that is handed out lies in it with all that it says it has,
 * and reading ends. */
FUZZ_TEST(FuzzRecords, []byte, uint64, uint64, uint64)
(cfuzz_t *t, const uint8_t *data, size_t len, uint64_t head, uint64_t tail, uint64_t open)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT};
    struct cfz_proc_shm *s = new_memory(head & ~UINT64_C(15), tail);
    const struct cfz_record *r;
    struct cfz_error err;
    size_t records = 0;

    error_clear(&err);
    memset(memory.ring, 0, RING);
    memcpy(memory.ring, data, len < RING ? len : RING);
    atomic_store(&s->outbox_open, open);
    cfz_outbox_salvage(s);
    while (cfz_outbox_peek(s, &r, &err) == 0 && r != NULL) {
        const uint8_t *at = (const uint8_t *)r, *end = memory.ring + RING;
        struct cfz_values vs = CFZ_VALUES_INIT;

        CHECK(t, at >= memory.ring && r->size <= (size_t)(end - at));
        CHECK(t, cfz_record_packed(r) + r->packed <= at + r->size);
        if (r->flags & CFZ_RECORD_PCS)
            CHECK(t, (const uint8_t *)(cfz_record_pcs(r) + r->nbits) <= at + r->size);
        CHECK(t, r->type == CFZ_RECORD_SEED || r->type == CFZ_RECORD_BASE ||
                     r->type == CFZ_RECORD_INTERESTING || r->type == CFZ_RECORD_WORD ||
                     r->type == CFZ_RECORD_GOALS);
        if (cfz_values_unpack(&vs, kinds, 2, cfz_record_packed(r), r->packed, &err) < 0)
            check_error(t, &err);
        cfz_values_release(&vs);
        CHECK(t, ++records <= RING / sizeof *r);
        cfz_outbox_consume(s, r);
    }
}

FUZZ_SETUP(FuzzOutbox)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x01\x05\x00\x81\x09\x00\x00\xfd\x00"));
}

/* Records come out of the outbox in the order in which they went in, and whole; those that found
 * no room have left no trace. Each byte is a step: an odd one writes, an even one reads. */
FUZZ_TEST(FuzzOutbox, []byte)(cfuzz_t *t, const uint8_t *steps, size_t len)
{
    struct cfz_proc_shm *s = new_memory(0, 0);
    uint64_t written = 0, read = 0, used[RING / 16] = {0};
    const struct cfz_record *r;
    struct cfz_error err;

    error_clear(&err);
    for (size_t i = 0; i < len; i++) {
        if (steps[i] & 1) {
            size_t size = sizeof *r + (size_t)(steps[i] >> 1) * 16;
            struct cfz_record *w = cfz_outbox_reserve(s, size);

            if (w == NULL) {
                /* Once the driver has looked, an empty ring has room for its half, wherever it
                 * begins. */
                CHECK(t, cfz_outbox_peek(s, &r, &err) == 0 && (r == NULL) == (read == written));
                CHECK(t, r != NULL || size > RING / 2 || cfz_outbox_reserve(s, size) != NULL);
                continue;
            }
            CHECK(t, (uint8_t *)w >= memory.ring && (uint8_t *)w + size <= memory.ring + RING);
            memset(w, 0xa5, size);
            w->type = CFZ_RECORD_SEED;
            w->nbits = 0;
            w->size = size;
            w->packed = size - sizeof *r;
            w->exec = written;
            used[written++ % (RING / 16)] = size;
            cfz_outbox_commit(s, w);
            continue;
        }
        CHECK(t, cfz_outbox_peek(s, &r, &err) == 0);
        CHECK(t, (r == NULL) == (read == written));
        if (r == NULL)
            continue;
        CHECK(t, r->exec == read && r->size == used[read % (RING / 16)]);
        for (uint64_t k = 0; k < r->packed; k++)
            CHECK(t, cfz_record_packed(r)[k] == 0xa5);
        read++;
        cfz_outbox_consume(s, r);
        /* The driver looks until there is nothing, and so passes what was skipped. */
        CHECK(t, cfz_outbox_peek(s, &r, &err) == 0 && (r == NULL) == (read == written));
    }
}

/* ---- values, inputs and marks ------------------------------------------------ */

FUZZ_SETUP(FuzzUnpack)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x03\0\0\0\0\0\0\0abc\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
              CFUZZ_BYTES("\x01\x08"));
}

/* What is unpacked has the kinds that were asked for, and packed again it is as large as before. */
FUZZ_TEST(FuzzUnpack, []byte, []byte)
(cfuzz_t *t, const uint8_t *packed, size_t len, const uint8_t *of, size_t n)
{
    struct cfz_values vs = CFZ_VALUES_INIT, again = CFZ_VALUES_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    struct cfz_error err;
    uint8_t *out;

    error_clear(&err);
    n = n < CFZ_VALUES_MAX ? n : CFZ_VALUES_MAX;
    for (size_t i = 0; i < n; i++)
        kinds[i] = (enum cfz_kind)(CFZ_KIND_NONE + 1 + of[i] % (CFZ_KIND_COUNT - 1));
    if (cfz_values_unpack(&vs, kinds, n, packed, len, &err) < 0) {
        check_error(t, &err);
        CHECK(t, vs.n == 0);
        return;
    }
    CHECK(t, vs.n == n && cfz_values_packed_size(&vs) == len);
    out = malloc(len > 0 ? len : 1);
    CHECK(t, out != NULL);
    cfz_values_pack(&vs, out);
    CHECK(t, cfz_values_unpack(&again, kinds, n, out, len, &err) == 0);
    CHECK(t, cfz_values_equal(&vs, &again));
    if (cfz_values_check(&vs, kinds, n, &err) < 0)
        check_error(t, &err);
    free(out);
    cfz_values_release(&vs);
    cfz_values_release(&again);
}

FUZZ_SETUP(FuzzInput)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("abc"), "de", INT64_C(-1), UINT64_C(4), UINT64_C(0x4000000), true);
}

/* An input that the driver writes it reads back; lengths that the target wrote over are refused or
 * lie in the slot. */
FUZZ_TEST(FuzzInput, []byte, string, int64, uint64, uint64, bool)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *text, int64_t number, uint64_t len1,
 uint64_t len2, bool at_start)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT64, CFZ_KIND_STRING};
    static struct cfz_proc_shm *s;
    struct cfz_values vs = CFZ_VALUES_INIT, again = CFZ_VALUES_INIT;
    struct cfz_error err;
    int fd;

    error_clear(&err);
    if (s == NULL) {
        CHECK(t, cfz_proc_shm_new(2, &s, &fd, &err) == 0);
        close(fd);
    }
    s->placement = at_start ? CFZ_PLACE_START : CFZ_PLACE_END;
    CHECK(t, cfz_values_zero(&vs, kinds, 3, &err) == 0);
    CHECK(t, cfz_value_set_bytes(&vs.v[0], data, len, &err) == 0);
    vs.v[1].bits = (uint64_t)number;
    CHECK(t, cfz_value_set_bytes(&vs.v[2], text, strlen(text), &err) == 0);
    CHECK(t, cfz_proc_set_input(s, &vs, &err) == 0);
    CHECK(t, cfz_proc_input(s, kinds, 3, &again, &err) == 0);
    CHECK(t, cfz_values_equal(&vs, &again));
    /* Lengths that are allowed and large would only take time. */
    s->input[0] = len1 > CFZ_SLOT_SIZE ? len1 : len1 % 4096;
    s->input[2] = len2 >= CFZ_SLOT_SIZE ? len2 : len2 % 4096;
    if (cfz_proc_input(s, kinds, 3, &again, &err) < 0) {
        check_error(t, &err);
        CHECK(t, len1 > CFZ_SLOT_SIZE || len2 >= CFZ_SLOT_SIZE);
        CHECK(t, cfz_values_equal(&vs, &again));
    } else {
        CHECK(t, again.v[0].len == s->input[0] && again.v[2].len == s->input[2]);
    }
    cfz_values_release(&vs);
    cfz_values_release(&again);
}

FUZZ_SETUP(FuzzMark)(cfuzz_f *f)
{
    struct cfz_crash mark = {.kind = CFZ_CRASH_SIGNAL, .signo = 11, .nframes = 3};

    cfuzz_add(f, (const uint8_t *)&mark, sizeof mark, (const uint8_t *)&mark, sizeof mark, 2u,
              false);
}

/* A crash that was entered is found again by its mark, whatever the mark holds. */
FUZZ_TEST(FuzzMark, []byte, []byte, uint32, bool)
(cfuzz_t *t, const uint8_t *one, size_t one_len, const uint8_t *two, size_t two_len, uint32_t n,
 bool whole)
{
    static struct cfz_run_shm run;
    struct cfz_crash a = {0}, b = {0};
    int at, other;

    memcpy(&a, one, one_len < sizeof a ? one_len : sizeof a);
    memcpy(&b, two, two_len < sizeof b ? two_len : sizeof b);
    atomic_store(&run.nknown, 0);
    CHECK(t, cfz_known_find(&run, &a) == -1);
    at = cfz_known_add(&run, &a, n % (CFZ_FRAMES_MAX + 2), whole);
    if (at < 0)
        return;
    CHECK(t, at == 0 && atomic_load(&run.nknown) == 1);
    CHECK(t, whole || cfz_known_find(&run, &a) == 0);
    other = cfz_known_add(&run, &b, 1, false);
    CHECK(t, other < (int)atomic_load(&run.nknown));
    CHECK(t, other < 0 || cfz_known_find(&run, &b) == other);
}

FUZZ_SETUP(FuzzTotals)(cfuzz_f *f)
{
    cfuzz_add(f, UINT64_C(100), UINT64_C(90), UINT64_C(5), UINT64_C(5), UINT64_C(1), 2u);
}

/* Numbers that are taken for true cannot overflow a sum of them. */
FUZZ_TEST(FuzzTotals, uint64, uint64, uint64, uint64, uint64, uint32)
(cfuzz_t *t, uint64_t execs, uint64_t mutated, uint64_t confirming, uint64_t minimizing,
 uint64_t others, uint32_t state)
{
    struct cfz_proc_shm *s = new_memory(0, 0);
    uint64_t sum;

    atomic_store(&s->execs, execs);
    atomic_store(&s->mutated, mutated);
    atomic_store(&s->confirming, confirming);
    atomic_store(&s->minimizing, minimizing);
    atomic_store(&s->skipped, others);
    atomic_store(&s->unstable, others >> 1);
    atomic_store(&s->replaced, others >> 2);
    atomic_store(&s->state, state);
    if (!cfz_proc_shm_sane(s, true))
        return;
    CHECK(t, !__builtin_add_overflow(mutated, confirming, &sum));
    CHECK(t, !__builtin_add_overflow(sum, minimizing, &sum));
    CHECK(t, sum <= execs + 64 && others <= execs + 64 && state <= CFZ_STATE_SETUP);
}
