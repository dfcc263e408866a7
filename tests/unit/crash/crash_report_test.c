/*
 * crash_report_test.c - a fault's address as an argument and a distance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash/crash_report.h"

#define SLOT0 UINT64_C(0x7f0000000000)
#define SLOT1 UINT64_C(0x7f0100000000)

static const struct {
    const char *name;
    enum cfz_placement place;
    enum cfz_crash_kind kind;
    int signo;
    bool write;
    uint64_t addr, sp;
    const char *want;
    int code; /* 0: SEGV_MAPERR */
} cases[] = {
    /* value 1 is []byte of 37 bytes in slot 0, value 2 an int, value 3 a string of 5 in slot 1 */
    {"one past the end", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, SLOT0 + CFZ_SLOT_SIZE, 0,
     "read 1 byte past the end of argument 1 ([]byte, 37 bytes)", 0},
    {"three past the end, writing", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true,
     SLOT0 + CFZ_SLOT_SIZE + 2, 0, "wrote 3 bytes past the end of argument 1 ([]byte, 37 bytes)",
     0},
    {"const input", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true, SLOT0 + CFZ_SLOT_SIZE - 37 + 2,
     0, "write to const argument 1 ([]byte, 37 bytes) at offset 2", 0},
    {"before the start", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true, SLOT0 + CFZ_SLOT_SIZE - 38,
     0, "wrote 1 byte before the start of argument 1 ([]byte, 37 bytes)", 0},
    {"past a string's NUL", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, SLOT1 + CFZ_SLOT_SIZE,
     0, "read 1 byte past the terminating NUL of argument 3 (string, 5 bytes)", 0},
    {"a string's NUL", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true, SLOT1 + CFZ_SLOT_SIZE - 1, 0,
     "write to const argument 3 (string, 5 bytes) at offset 5", 0},
    {"under AddressSanitizer", CFZ_PLACE_START, CFZ_CRASH_SANITIZER, 0, false, SLOT0 + 37, 0,
     "read 1 byte past the end of argument 1 ([]byte, 37 bytes)", 0},
    {"a sanitizer's report about something else", CFZ_PLACE_START, CFZ_CRASH_SANITIZER, 0, false,
     0x602000000010, 0, "", 0},
    {"NULL", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, 8, 0x7ffc00000000,
     "invalid read at address 0x8 (NULL pointer)", 0},
    {"wild pc", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, 0x1000, 0x7ffc00000000,
     "call of address 0x1000, where no code is", 0},
    {"wild", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true, 0x123456, 0x7ffc00000000,
     "invalid write at address 0x123456", 0},
    {"stack", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, true, 0x7ffc00000000 - 8, 0x7ffc00000000,
     "stack overflow", 0},
    {"raise(SIGSEGV) is no fault", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, 0, 0, "",
     SI_TKILL},
    {"not canonical", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, 0, 0x7ffc00000000,
     "invalid access through a wild pointer, which is not a canonical address, or one that is not "
     "aligned as the instruction needs (the processor does not tell which)",
     SI_KERNEL},
    {"smashed return address", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGSEGV, false, 0x4141414141414141,
     0x7ffc00000000,
     "return to 0x4141414141414141, which is no address: the stack was written over, return "
     "address included",
     SI_KERNEL},
    {"abort has no address", CFZ_PLACE_END, CFZ_CRASH_SIGNAL, SIGABRT, false, 0, 0, "", 0},
    {"no mark", CFZ_PLACE_END, CFZ_CRASH_NONE, SIGSEGV, false, SLOT0, 0, "", 0},
};

static void test_fault(void **state)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT, CFZ_KIND_STRING};
    struct cfz_proc_shm *shm = aligned_alloc(CFZ_SHM_PAGE, (sizeof *shm | (CFZ_SHM_PAGE - 1)) + 1);

    (void)state;
    assert_non_null(shm);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct crash_view v = {.shm = shm, .kinds = kinds, .nvalues = 3};
        char text[256];

        *shm = (struct cfz_proc_shm){0};
        shm->placement = cases[i].place;
        shm->slot_addr[0] = SLOT0;
        shm->slot_addr[1] = SLOT1;
        shm->input[0] = 37;
        shm->input[1] = 12345;
        shm->input[2] = 5;
        shm->crash.kind = cases[i].kind;
        shm->crash.signo = cases[i].signo;
        shm->crash.code = cases[i].code != 0 ? cases[i].code : SEGV_MAPERR;
        shm->crash.is_write = cases[i].write;
        shm->crash.addr = cases[i].addr;
        shm->crash.sp = cases[i].sp;
        shm->crash.pc = 0x1000;
        crash_fault(&v, text);
        if (strcmp(text, cases[i].want) != 0)
            fail_msg("%s: got %s, want %s", cases[i].name, text, cases[i].want);
    }
    /* Where slots lie side by side it is the nearer data that was meant. */
    shm->slot_addr[0] = SLOT0 + CFZ_SLOT_SIZE + 2 * CFZ_SHM_PAGE;
    shm->slot_addr[1] = SLOT0;
    shm->placement = CFZ_PLACE_END;
    shm->crash.kind = CFZ_CRASH_SIGNAL;
    shm->crash.addr = SLOT0 + CFZ_SLOT_SIZE;
    shm->crash.signo = SIGSEGV;
    shm->crash.is_write = false;
    {
        struct crash_view v = {.shm = shm, .kinds = kinds, .nvalues = 3};
        char text[256];

        crash_fault(&v, text);
        assert_string_equal(text,
                            "read 1 byte past the terminating NUL of argument 3 (string, 5 bytes)");
    }
    shm->slot_addr[0] = SLOT0;
    shm->slot_addr[1] = SLOT1;
    /* A length that the target wrote over is not believed. */
    shm->input[0] = UINT64_MAX;
    shm->crash.kind = CFZ_CRASH_SIGNAL;
    shm->crash.signo = SIGSEGV;
    shm->crash.code = SEGV_MAPERR;
    shm->crash.addr = SLOT0 + CFZ_SLOT_SIZE;
    {
        struct crash_view v = {.shm = shm, .kinds = kinds, .nvalues = 3};
        char text[256];

        crash_fault(&v, text);
        assert_string_equal(text, "invalid read at address 0x7f0004000000");
    }
    free(shm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
