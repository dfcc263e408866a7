/*
 * shmem_test.c - run memory, process memory, the outbox.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/shmem.h"

static struct cfz_error err;

static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT, CFZ_KIND_STRING};
enum { N = 3 };

static void make_values(struct cfz_values *vs, const char *bytes, size_t len, int64_t n,
                        const char *text)
{
    assert_int_equal(cfz_values_zero(vs, kinds, N, &err), 0);
    assert_int_equal(cfz_value_set_bytes(&vs->v[0], bytes, len, &err), 0);
    vs->v[1].bits = (uint64_t)n;
    assert_int_equal(cfz_value_set_bytes(&vs->v[2], text, strlen(text), &err), 0);
}

/* ---- run memory ----------------------------------------------------------------- */

static void test_entries(void **state)
{
    struct cfz_values a = CFZ_VALUES_INIT, b = CFZ_VALUES_INIT, out = CFZ_VALUES_INIT;
    const struct cfz_run_shm *seen;
    struct cfz_run_shm *run;
    uint64_t index = 99;
    int fd;

    (void)state;
    assert_int_equal(cfz_run_shm_new(10001, &run, &fd, &err), 0);
    assert_int_equal(cfz_run_shm_map(fd, &seen, &err), 0);
    assert_int_equal(seen->mask_len, 10001);
    make_values(&a, "by\0es", 5, -3, "");
    make_values(&b, "", 0, 7, "a longer text than the other");
    assert_int_equal(cfz_run_shm_append(run, fd, &a, CFZ_ENTRY_SEED, CFZ_NO_ENTRY, &index, &err),
                     0);
    assert_int_equal(index, 0);
    assert_int_equal(cfz_run_shm_append(run, fd, &b, CFZ_ENTRY_IDLE, 0, &index, &err), 0);
    assert_int_equal(index, 1);
    assert_int_equal(seen->nentries, 2);
    for (uint64_t i = 0; i < 2; i++) {
        const struct cfz_entry *e = cfz_run_shm_entry(seen, i);

        assert_int_equal((uintptr_t)e % 16, 0);
        assert_int_equal(e->flags, i == 0 ? CFZ_ENTRY_SEED : CFZ_ENTRY_IDLE);
        assert_int_equal(e->parent, i); /* 1 more than the entry, 0 for none */
        assert_int_equal(cfz_values_unpack(&out, kinds, N, (const uint8_t *)(e + 1), e->size, &err),
                         0);
        assert_true(cfz_values_equal(&out, i == 0 ? &a : &b));
    }
    cfz_run_mask(run)[10000] = 5;
    assert_int_equal(cfz_run_mask(seen)[10000], 5);
    cfz_values_release(&a);
    cfz_values_release(&b);
    cfz_values_release(&out);
    cfz_shm_unmap(run, run->size);
    cfz_shm_unmap((void *)(uintptr_t)seen, seen->size);
    close(fd);
}

static void test_entry_too_long(void **state)
{
    struct cfz_value v = {CFZ_KIND_BYTES, 0, NULL, (size_t)17 << 30, 0}; /* data is not looked at */
    struct cfz_values vs = {&v, 1, 0};
    struct cfz_run_shm *run;
    uint64_t index = 99;
    int fd;

    (void)state;
    assert_int_equal(cfz_run_shm_new(1, &run, &fd, &err), 0);
    assert_int_equal(cfz_run_shm_append(run, fd, &vs, 0, CFZ_NO_ENTRY, &index, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(index, 99);
    assert_int_equal(run->nentries, 0);
    cfz_shm_unmap(run, run->size);
    close(fd);
}

static void test_maps_refuse(void **state)
{
    const struct cfz_run_shm *r;
    struct cfz_run_shm *run;
    struct cfz_proc_shm *p, *proc;
    int fd, small = memfd_create("small", 0);
    char text[64];

    (void)state;
    assert_int_equal(cfz_run_shm_map(-1, &r, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(cfz_run_shm_map(small, &r, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
    assert_int_equal(cfz_proc_shm_map(small, &p, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
    close(small);

    assert_int_equal(cfz_run_shm_new(1, &run, &fd, &err), 0);
    run->version++;
    assert_int_equal(cfz_run_shm_map(fd, &r, &err), -1);
    snprintf(text, sizeof text, "version %u, want %u", CFZ_SHM_VERSION + 1, CFZ_SHM_VERSION);
    assert_non_null(strstr(err.text, text));
    run->version--;
    run->arena_off += 16;
    assert_int_equal(cfz_run_shm_map(fd, &r, &err), -1);
    cfz_shm_unmap(run, run->size);
    close(fd);

    assert_int_equal(cfz_proc_shm_new(1, &proc, &fd, &err), 0);
    proc->nslots = 2;
    assert_int_equal(cfz_proc_shm_map(fd, &p, &err), -1);
    cfz_shm_unmap(proc, proc->size);
    close(fd);
}

/* ---- process memory ---------------------------------------------------------------- */

static void test_input(void **state)
{
    struct cfz_values in = CFZ_VALUES_INIT, out = CFZ_VALUES_INIT;
    struct cfz_proc_shm *p;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(2, &p, &fd, &err), 0);
    make_values(&in, "by\0es", 5, -3, "text");
    for (int place = CFZ_PLACE_END; place <= CFZ_PLACE_START; place++) {
        p->placement = (uint32_t)place;
        assert_int_equal(cfz_proc_set_input(p, &in, &err), 0);
        assert_int_equal(p->input[0], 5);
        assert_int_equal((int64_t)p->input[1], -3);
        assert_int_equal(p->input[2], 4);
        assert_memory_equal(
            cfz_proc_slot(p, 1) + (place == CFZ_PLACE_START ? 0 : CFZ_SLOT_SIZE - 5), "text", 5);
        assert_int_equal(cfz_proc_input(p, kinds, N, &out, &err), 0);
        assert_true(cfz_values_equal(&in, &out));
    }
    /* a target scribbled on the lengths */
    p->input[2] = CFZ_SLOT_SIZE;
    assert_int_equal(cfz_proc_input(p, kinds, N, &out, &err), -1);
    assert_int_equal(err.code, CFZ_EFORMAT);
    assert_true(cfz_values_equal(&in, &out)); /* untouched */
    p->input[2] = 4;
    p->input[0] = UINT64_MAX;
    assert_int_equal(cfz_proc_input(p, kinds, N, &out, &err), -1);
    cfz_values_release(&in);
    cfz_values_release(&out);
    cfz_shm_unmap(p, p->size);
    close(fd);
}

static void test_input_does_not_fit(void **state)
{
    struct cfz_value v[3] = {{CFZ_KIND_STRING, 0, NULL, CFZ_SLOT_SIZE, 0},
                             {CFZ_KIND_BYTES, 0, NULL, 0, 0},
                             {CFZ_KIND_BYTES, 0, NULL, 0, 0}};
    struct cfz_values vs = {v, 1, 0};
    struct cfz_proc_shm *p;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, &err), 0);
    assert_int_equal(cfz_proc_set_input(p, &vs, &err), -1);
    assert_int_equal(err.code, CFZ_ETYPE);
    assert_string_equal(err.text, "value 1: string of 67108864 bytes is longer than 67108863");
    vs.v = v + 1;
    vs.n = 2; /* two slots, the memory has one */
    assert_int_equal(cfz_proc_set_input(p, &vs, &err), -1);
    cfz_shm_unmap(p, p->size);
    close(fd);
}

/* After sealing, the target cannot change what the driver relies on. */
static void test_seal(void **state)
{
    struct cfz_proc_shm *p, *mine;
    int fd, status;
    pid_t pid;

    (void)state;
    if (sysconf(_SC_PAGESIZE) != CFZ_SHM_PAGE)
        skip();
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, &err), 0);
    pid = fork();
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL); /* no report of a sanitizer */
        if (cfz_proc_shm_map(fd, &mine, NULL) < 0 || cfz_proc_shm_seal(mine, NULL) < 0)
            _exit(1);
        mine->execs = 5; /* may be written */
        ((volatile struct cfz_proc_shm *)mine)->nslots = 2;
        _exit(2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_int_equal(p->execs, 5);
    assert_int_equal(p->nslots, 1);
    p->stop = 1; /* the driver still writes */
    cfz_shm_unmap(p, p->size);
    close(fd);
}

/* ---- outbox --------------------------------------------------------------------------- */

static struct cfz_record *put(struct cfz_proc_shm *p, size_t size, uint64_t mark)
{
    struct cfz_record *r = cfz_outbox_reserve(p, size);

    if (!r)
        return NULL;
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_INTERESTING;
    r->size = size;
    r->entry = mark;
    cfz_outbox_commit(p, r);
    return r;
}

/* Takes the next record, which has this mark; 0: there is none. */
static void take(struct cfz_proc_shm *p, uint64_t mark)
{
    const struct cfz_record *r;

    assert_int_equal(cfz_outbox_peek(p, &r, &err), 0);
    if (mark == 0) {
        assert_null(r);
        return;
    }
    assert_non_null(r);
    assert_int_equal(r->entry, mark);
    cfz_outbox_consume(p, r);
}

static void test_outbox_order(void **state)
{
    struct cfz_proc_shm *p;
    struct cfz_record *first;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, &err), 0);
    take(p, 0);
    first = put(p, 64, 1);
    assert_non_null(first);
    put(p, 1 << 20, 2);
    take(p, 1);
    put(p, 64, 3);
    take(p, 2);
    take(p, 3);
    take(p, 0);
    /* empty, and a megabyte further: the next one lies at the beginning again */
    assert_ptr_equal(put(p, 64, 4), first);
    take(p, 4);
    take(p, 0);
    cfz_shm_unmap(p, p->size);
    close(fd);
}

static void test_outbox_full(void **state)
{
    struct cfz_proc_shm *p;
    size_t third;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, &err), 0);
    third = p->outbox_size / 3 / 16 * 16;
    assert_null(cfz_outbox_reserve(p, p->outbox_size + 16));
    assert_non_null(put(p, third, 1));
    assert_non_null(put(p, third, 2));
    assert_null(put(p, third + 1024, 3)); /* no room, and the ring went to its beginning */
    take(p, 1);
    assert_null(put(p, third + 1024, 3)); /* what is free is one third */
    assert_non_null(put(p, third - 1024, 3));
    take(p, 2);
    take(p, 3);
    take(p, 0);
    /* whatever the place, a record of the whole ring goes through */
    for (uint64_t mark = 4; mark < 10; mark++) {
        if (!put(p, p->outbox_size, mark)) {
            take(p, 0); /* passes what was skipped */
            assert_non_null(put(p, p->outbox_size, mark));
        }
        assert_null(put(p, 64, 99));
        take(p, mark);
        assert_non_null(put(p, 64, 99));
        take(p, 99);
    }
    cfz_shm_unmap(p, p->size);
    close(fd);
}

/* Positions and sizes that leave less than a header at the end of the ring. */
static void test_outbox_wraps(void **state)
{
    struct cfz_proc_shm *p;
    int fd;

    (void)state;
    for (size_t left = 0; left <= 96; left += 16) {
        assert_int_equal(cfz_proc_shm_new(0, &p, &fd, &err), 0);
        assert_non_null(put(p, p->outbox_size - 4096 - left, 1));
        assert_non_null(put(p, 4096, 2)); /* ends left bytes before the end */
        take(p, 1);
        assert_non_null(put(p, 112, 3));
        take(p, 2);
        assert_non_null(put(p, 64, 4));
        take(p, 3);
        take(p, 4);
        take(p, 0);
        cfz_shm_unmap(p, p->size);
        close(fd);
    }
}

/* What a process left open when it died is read; what it took back, or nothing, is not. */
static void test_outbox_salvage(void **state)
{
    struct cfz_proc_shm *p;
    struct cfz_record *r;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, &err), 0);
    r = cfz_outbox_reserve(p, sizeof *r + 16);
    assert_non_null(r);
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_INTERESTING;
    r->size = sizeof *r + 16;
    r->entry = 7;
    cfz_outbox_leave_open(p, r);
    cfz_outbox_leave_open(p, NULL);
    cfz_outbox_salvage(p);
    assert_int_equal(p->outbox_tail, 0);
    cfz_outbox_leave_open(p, r);
    cfz_outbox_salvage(p);
    cfz_outbox_salvage(p); /* once */
    assert_int_equal(p->outbox_tail, r->size);
    take(p, 7);
    assert_int_equal(p->outbox_head, p->outbox_tail);

    r = cfz_outbox_reserve(p, sizeof *r);
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_INTERESTING;
    r->size = sizeof *r;
    cfz_outbox_leave_open(p, r);
    cfz_outbox_commit(p, r);
    cfz_outbox_salvage(p); /* it is there already */
    assert_int_equal(p->outbox_tail, 2 * sizeof *r + 16);
    cfz_shm_unmap(p, p->size);
    close(fd);
}

static void test_outbox_malformed(void **state)
{
    enum { INTERESTING = CFZ_RECORD_INTERESTING, SKIP = CFZ_RECORD_SKIP, PCS = CFZ_RECORD_PCS };
    static const struct cfz_record bad[] = {
        {.type = INTERESTING, .size = 48},                        /* shorter than its header */
        {.type = INTERESTING, .size = 120},                       /* no multiple of 16 */
        {.type = INTERESTING, .size = 1 << 20},                   /* beyond the tail */
        {.type = INTERESTING, .size = 128, .nbits = 9},           /* more bits than it holds */
        {.type = INTERESTING, .size = 128, .nbits = UINT32_MAX},  /* likewise */
        {.type = INTERESTING, .size = 128, .packed = 65},         /* more values than it holds */
        {.type = INTERESTING, .size = 128, .packed = UINT64_MAX}, /* likewise */
        {.type = INTERESTING, .size = 128, .flags = PCS, .nbits = 5}, /* more program counters */
        {.type = INTERESTING, .size = 128, .flags = PCS, .nbits = 3, .packed = 17}, /* likewise */
        {.type = SKIP, .size = 128},                              /* not to the end */
        {.type = 0, .size = 128},                                 /* no such type */
        {.type = CFZ_RECORD_GOALS + 1, .size = 128},               /* likewise */
    };
    struct cfz_proc_shm *p;
    const struct cfz_record *r;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(0, &p, &fd, &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct cfz_record *mine = put(p, 128, 1);

        assert_non_null(mine);
        *mine = bad[i];
        assert_int_equal(cfz_outbox_peek(p, &r, &err), -1);
        assert_int_equal(err.code, CFZ_EINTERNAL);
        p->outbox_head = p->outbox_tail = 0;
    }
    *put(p, 128, 1) = (struct cfz_record){
        .type = INTERESTING, .size = 128, .flags = PCS, .nbits = 3, .packed = 16};
    assert_int_equal(cfz_outbox_peek(p, &r, &err), 0);
    assert_ptr_equal(cfz_record_pcs(r) + r->nbits, (const uint8_t *)r + r->size);
    p->outbox_head = p->outbox_tail = 0;
    p->outbox_tail = p->outbox_size + 16;
    assert_int_equal(cfz_outbox_peek(p, &r, &err), -1);
    p->outbox_head = 64; /* the tail went back */
    p->outbox_tail = 0;
    assert_int_equal(cfz_outbox_peek(p, &r, &err), -1);
    cfz_shm_unmap(p, p->size);
    close(fd);
}

/* Numbers that a process counts, and what a target may make of them. */
static void test_sane(void **state)
{
    static const size_t counters[] = {
        offsetof(struct cfz_proc_shm, mutated),    offsetof(struct cfz_proc_shm, skipped),
        offsetof(struct cfz_proc_shm, confirming), offsetof(struct cfz_proc_shm, minimizing),
        offsetof(struct cfz_proc_shm, unstable),   offsetof(struct cfz_proc_shm, known),
        offsetof(struct cfz_proc_shm, replaced),
    };
    struct cfz_proc_shm *p;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &p, &fd, NULL), 0);
    assert_true(cfz_proc_shm_sane(p, false));
    assert_false(cfz_proc_shm_sane(p, true)); /* it cannot be starting any more */
    atomic_store(&p->state, CFZ_STATE_TARGET);
    atomic_store(&p->execs, 1000);
    atomic_store(&p->mutated, 600);
    atomic_store(&p->confirming, 100);
    atomic_store(&p->minimizing, 301); /* counted before its execution is */
    atomic_store(&p->skipped, 900);
    assert_true(cfz_proc_shm_sane(p, true));
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        _Atomic uint64_t *at = (_Atomic uint64_t *)(void *)((uint8_t *)p + counters[i]);
        uint64_t was = atomic_load(at);

        atomic_store(at, UINT64_MAX);
        assert_false(cfz_proc_shm_sane(p, true));
        atomic_store(at, 1100);
        assert_false(cfz_proc_shm_sane(p, true));
        atomic_store(at, was);
        assert_true(cfz_proc_shm_sane(p, true));
    }
    atomic_store(&p->execs, UINT64_MAX);
    assert_false(cfz_proc_shm_sane(p, true));
    atomic_store(&p->execs, 1000);
    atomic_store(&p->state, CFZ_STATE_SETUP + 1);
    assert_false(cfz_proc_shm_sane(p, true));
    atomic_store(&p->state, CFZ_STATE_TARGET);
    atomic_store(&p->crash.kind, CFZ_CRASH_KINDS);
    assert_false(cfz_proc_shm_sane(p, true));
    close(fd);
    cfz_shm_unmap(p, p->size);
}

/* The words of a dictionary, as a worker sees them; others take their place, and none. */
static void test_words(void **state)
{
    struct cfz_run_shm *run;
    const struct cfz_run_shm *other;
    struct cfz_dict d = CFZ_DICT_INIT;
    const uint8_t *word;
    size_t at = 0;
    uint32_t len;
    uint64_t index;
    struct cfz_values vs = CFZ_VALUES_INIT;
    int fd;

    (void)state;
    assert_int_equal(cfz_run_shm_new(10001, &run, &fd, &err), 0);
    assert_int_equal(cfz_run_shm_map(fd, &other, &err), 0);
    assert_null(cfz_dict_next(cfz_run_words(other), other->words_len, &at, &len));
    assert_int_equal(cfz_dict_add(&d, "long word", 9, &err), 0);
    assert_int_equal(cfz_dict_add(&d, "two", 3, &err), 0);
    assert_int_equal(cfz_run_shm_set_words(run, fd, &d, &err), 0);
    assert_int_equal(cfz_run_shm_append(run, fd, &vs, 0, CFZ_NO_ENTRY, &index, &err), 0);
    word = cfz_dict_next(cfz_run_words(other), other->words_len, &at, &len);
    assert_int_equal(len, 9);
    assert_memory_equal(word, "long word", 9);
    word = cfz_dict_next(cfz_run_words(other), other->words_len, &at, &len);
    assert_int_equal(len, 3);
    assert_memory_equal(word, "two", 3);
    assert_null(cfz_dict_next(cfz_run_words(other), other->words_len, &at, &len));
    cfz_dict_release(&d);
    assert_int_equal(cfz_run_shm_set_words(run, fd, &d, &err), 0);
    assert_int_equal(other->words_len, 0);
    cfz_shm_unmap((void *)(uintptr_t)other, other->size);
    run->words_len = CFZ_DICT_SIZE_MAX + 1;
    assert_int_equal(cfz_run_shm_map(fd, &other, &err), -1);
    run->words_len = 0;
    cfz_shm_unmap(run, run->size);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_entry_too_long),
        cmocka_unit_test(test_maps_refuse),
        cmocka_unit_test(test_input),
        cmocka_unit_test(test_input_does_not_fit),
        cmocka_unit_test(test_seal),
        cmocka_unit_test(test_outbox_order),
        cmocka_unit_test(test_outbox_full),
        cmocka_unit_test(test_outbox_wraps),
        cmocka_unit_test(test_outbox_salvage),
        cmocka_unit_test(test_outbox_malformed),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_sane),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
