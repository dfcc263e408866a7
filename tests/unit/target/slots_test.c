/*
 * slots_test.c - where the input lies, and what around it can be touched: in a plain build
 * and, compiled with AddressSanitizer, in such a one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/protocol.h"
#include "target/sanitizer.h"
#include "target/slots.h"

extern int __asan_address_is_poisoned(const volatile void *at) CFZ_WEAK;

static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT, CFZ_KIND_STRING};
static struct cfz_slots s;
static struct cfz_proc_shm *shm;
static struct cfz_error err;
static uint8_t *big; /* CFZ_SLOT_SIZE bytes, none of them NUL */

static int setup(void **state)
{
    int fd;

    (void)state;
    if (cfz_proc_shm_new(2, &shm, &fd, &err) < 0 || cfz_slots_reserve(&s, kinds, 3, &err) < 0 ||
        cfz_slots_attach(&s, shm, fd, &err) < 0)
        return -1;
    close(fd);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cfz_slots_release(&s);
    cfz_shm_unmap(shm, shm->size);
    return 0;
}

static bool at_start(void)
{
    return s.placement == CFZ_PLACE_START;
}

/* Value i has len bytes of big, and they are where they belong. */
static void check_placed(size_t i, size_t len)
{
    size_t nul = kinds[i] == CFZ_KIND_STRING;

    assert_int_equal(shm->input[i], len);
    if (at_start())
        assert_ptr_equal(s.data[i], s.view[i]);
    else
        assert_ptr_equal(s.data[i] + len + nul, s.view[i] + CFZ_SLOT_SIZE);
    if (len > 0)
        assert_memory_equal(s.data[i], big, len);
    if (nul)
        assert_int_equal(s.data[i][len], 0);
    if (__asan_address_is_poisoned) {
        assert_int_equal((uintptr_t)s.data[i] % 16, 0);
        assert_true(__asan_address_is_poisoned(s.data[i] + len + nul));
        assert_true(__asan_address_is_poisoned(s.view[i] - 1));
        if (len + nul > 0)
            assert_false(__asan_address_is_poisoned(s.data[i] + len + nul - 1));
    }
}

static void test_begins_with_zero_values(void **state)
{
    (void)state;
    check_placed(0, 0);
    check_placed(2, 0);
    assert_int_equal(shm->input[1], 0);
    assert_int_equal(shm->placement, s.placement);
    assert_int_equal(shm->slot_addr[0], (uintptr_t)s.view[0]);
    assert_int_equal(shm->slot_addr[1], (uintptr_t)s.view[2]);
    assert_null(s.view[1]);
}

static void test_all_lengths(void **state)
{
    static const size_t lens[] = {
        2047, 2048, 2049,          4095, 4096,    4097, 65535, 65536, CFZ_SLOT_SIZE - 1,
        100,  7,    CFZ_SLOT_SIZE, 3,    1 << 20, 0,    8};

    (void)state;
    for (size_t i = 0; i <= 2; i += 2) {
        for (size_t len = 0; len <= 300; len++) {
            cfz_slots_bytes(&s, i, big, len);
            check_placed(i, len);
        }
        for (size_t k = 0; k < sizeof lens / sizeof lens[0]; k++) {
            size_t len = lens[k] - (i == 2 && lens[k] == CFZ_SLOT_SIZE); /* a string: one less */

            cfz_slots_bytes(&s, i, big, len);
            check_placed(i, len);
        }
    }
    cfz_slots_scalar(&s, 1, UINT64_MAX);
    assert_int_equal(shm->input[1], UINT64_MAX);
}

/* ---- what faults ------------------------------------------------------------------ */

/* How a process ends that reads or writes there: 0, or by SIGSEGV. Not a sanitizer's business. */
static __attribute__((no_sanitize("address", "undefined"))) int touch(const uint8_t *at,
                                                                      bool write_it)
{
    pid_t pid = fork();
    int status = 0;

    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        if (write_it)
            *(volatile uint8_t *)(uintptr_t)at = 1;
        else
            (void)*(const volatile uint8_t *)at;
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void test_what_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i <= 2; i += 2) {
        size_t nul = i == 2;

        cfz_slots_bytes(&s, i, big, 37);
        assert_int_equal(touch(s.data[i], false), 0);
        assert_int_equal(touch(s.data[i] + 37 + nul - 1, false), 0);
        /* The target only reads it. */
        assert_int_equal(touch(s.data[i], true), SIGSEGV);
        assert_int_equal(touch(s.data[i] + 37 + nul - 1, true), SIGSEGV);
        assert_int_equal(touch(s.view[i] - 1, false), SIGSEGV);
        assert_int_equal(touch(s.view[i] + CFZ_SLOT_SIZE, false), SIGSEGV);
        if (!at_start())
            assert_int_equal(touch(s.data[i] + 37 + nul, false), SIGSEGV); /* one too far */
    }
}

/* ---- from the driver ----------------------------------------------------------------- */

static void test_packed(void **state)
{
    struct cfz_value v[3] = {{.kind = CFZ_KIND_BYTES, .data = big, .len = 21},
                             {.kind = CFZ_KIND_INT, .bits = (uint64_t)-5},
                             {.kind = CFZ_KIND_STRING, .data = big, .len = 8}};
    struct cfz_values vs = {v, 3, 0};
    uint8_t packed[128];
    size_t len = cfz_values_packed_size(&vs);
    uint64_t wrong;

    (void)state;
    cfz_values_pack(&vs, packed);
    assert_true(cfz_slots_packed(&s, packed, len));
    check_placed(0, 21);
    check_placed(2, 8);
    assert_int_equal(shm->input[1], (uint64_t)-5);
    for (size_t n = 0; n < len; n++)
        assert_false(cfz_slots_packed(&s, packed, n));
    assert_false(cfz_slots_packed(&s, packed, len + 8));
    wrong = UINT64_MAX;
    memcpy(packed, &wrong, sizeof wrong);
    assert_false(cfz_slots_packed(&s, packed, len));
    wrong = CFZ_SLOT_SIZE + 1;
    memcpy(packed, &wrong, sizeof wrong);
    assert_false(cfz_slots_packed(&s, packed, len));
}

static void test_adopt(void **state)
{
    struct cfz_value v[3] = {{.kind = CFZ_KIND_BYTES, .data = big, .len = 5},
                             {.kind = CFZ_KIND_INT, .bits = 7},
                             {.kind = CFZ_KIND_STRING, .data = big, .len = 4096}};
    struct cfz_values vs = {v, 3, 0};

    (void)state;
    assert_int_equal(cfz_proc_set_input(shm, &vs, &err), 0);
    assert_true(cfz_slots_adopt(&s));
    check_placed(0, 5);
    check_placed(2, 4096);
    assert_int_equal(shm->input[1], 7);
    shm->input[0] = CFZ_SLOT_SIZE;
    assert_true(cfz_slots_adopt(&s));
    shm->input[0] = CFZ_SLOT_SIZE + 1;
    assert_false(cfz_slots_adopt(&s));
    shm->input[0] = 0;
    shm->input[2] = CFZ_SLOT_SIZE; /* no room for the NUL */
    assert_false(cfz_slots_adopt(&s));
    shm->input[2] = CFZ_SLOT_SIZE - 1;
    assert_true(cfz_slots_adopt(&s));
}

/* The target wrote over the input: it is put right. */
static void test_restore(void **state)
{
    uint8_t *data[CFZ_VALUES_MAX] = {big, NULL, big + 100};

    (void)state;
    cfz_slots_bytes(&s, 0, big, 5000);
    cfz_slots_scalar(&s, 1, 77);
    cfz_slots_bytes(&s, 2, big + 100, 9);
    for (size_t i = 0; i < 3; i++)
        shm->input[i] = UINT64_C(0x4141414141414141);
    for (unsigned i = 0; i < 2; i++)
        memset(cfz_proc_slot(shm, i) + (at_start() ? 0 : CFZ_SLOT_SIZE - 6000), 0x41, 6000);
    cfz_slots_restore(&s, data);
    check_placed(0, 5000);
    assert_int_equal(shm->input[1], 77);
    assert_int_equal(shm->input[2], 9);
    assert_memory_equal(s.data[2], big + 100, 10 - 1);
    assert_int_equal(s.data[2][9], 0);
}

/* As a malloc'ed input: aligned, with zeros up to the inaccessible page. */
static void test_aligned(void **state)
{
    static const size_t lens[] = {0, 1, 15, 16, 17, 37, 4095, 4096, 5000, 3};
    enum cfz_placement plain = at_start() ? CFZ_PLACE_START : CFZ_PLACE_ALIGNED;
    const enum cfz_kind bytes = CFZ_KIND_BYTES;
    struct cfz_slots a;
    struct cfz_proc_shm *own;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &own, &fd, &err), 0);
    assert_int_equal(cfz_slots_reserve(&a, &bytes, 1, &err), 0);
    cfz_slots_align(&a);
    assert_int_equal(a.placement, plain);
    assert_int_equal(cfz_slots_attach(&a, own, fd, &err), 0);
    assert_int_equal(own->placement, plain);
    for (size_t k = 0; k < sizeof lens / sizeof lens[0]; k++) {
        size_t len = lens[k], at = cfz_slot_offset(plain, bytes, len);

        cfz_slots_bytes(&a, 0, big + k, len);
        assert_int_equal((uintptr_t)a.data[0] % CFZ_DATA_ALIGN, 0);
        assert_ptr_equal(a.data[0], a.view[0] + at);
        assert_memory_equal(a.data[0], big + k, len);
        if (at_start())
            continue;
        assert_true(CFZ_SLOT_SIZE - at - len < CFZ_DATA_ALIGN);
        for (size_t i = at + len; i < CFZ_SLOT_SIZE; i++)
            assert_int_equal(a.view[0][i], 0);
    }
    close(fd);
    cfz_slots_release(&a);
    cfz_shm_unmap(own, own->size);
}

static void test_memory_of_another_test(void **state)
{
    struct cfz_slots other;
    struct cfz_proc_shm *small;
    int fd;

    (void)state;
    assert_int_equal(cfz_proc_shm_new(1, &small, &fd, &err), 0);
    assert_int_equal(cfz_slots_reserve(&other, kinds, 3, &err), 0);
    assert_int_equal(cfz_slots_attach(&other, small, fd, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
    assert_string_equal(err.text, "process memory: 1 slots are too few");
    close(fd);
    cfz_slots_release(&other);
    cfz_shm_unmap(small, small->size);
    cfz_slots_release(&other); /* nothing twice */
}

/* ---- copying -------------------------------------------------------------------------- */

static void test_copy(void **state)
{
    static uint8_t to[5000];

    (void)state;
    for (size_t len = 0; len < 4200; len += len < 130 || len > 2040 ? 1 : 97) {
        if (len == 2060)
            len = 4090;
        memset(to, 0xee, sizeof to);
        cfz_copy(to + 3, big + 1, len);
        if (len > 0)
            assert_memory_equal(to + 3, big + 1, len);
        for (size_t i = 0; i < 64; i++) {
            if (i < 3)
                assert_int_equal(to[i], 0xee);
            assert_int_equal(to[3 + len + i], 0xee);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_begins_with_zero_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_all_lengths, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_faults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_packed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_adopt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_restore, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aligned, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory_of_another_test, setup, teardown),
        cmocka_unit_test(test_copy),
    };
    int failed;

    big = malloc(CFZ_SLOT_SIZE);
    if (big == NULL)
        return 1;
    for (size_t i = 0; i < CFZ_SLOT_SIZE; i++)
        big[i] = (uint8_t)(1 + i % 255);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(big);
    return failed;
}
