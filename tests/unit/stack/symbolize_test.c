/*
 * symbolize_test.c - a symbolizer's answer as the stack a user reads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "stack/symbolize.h"

static const struct {
    const char *name, *answer, *want;
    uint64_t skipped; /* behind two frames */
} cases[] = {
    {"nothing", "", "", 0},
    {"stops at the test; inlined frames are frames; paths are short",
     "inner\n/pkg/a.c:3:7\nouter\n/pkg/sub/b.c:9:0\n\nFuzzX\n/pkg/a.c:20:5\n\n"
     "run_once\n/src/worker.c:1:1\n\n",
     "#0 inner a.c:3:7\n#1 outer sub/b.c:9\n#2 FuzzX a.c:20:5\n", 0},
    {"other directories keep their paths, unknown places are left out",
     "f\n/pkgs/a.c:3:7\n\n??\n??:0:0\n\nFuzzX\n??:0:0\n\n", "#0 f /pkgs/a.c:3:7\n#1 ??\n#2 FuzzX\n",
     0},
    {"unknown functions at the end are left out",
     "f\n/pkg/a.c:2:2\n\n??\n??:0:0\n\nFuzzY\n/pkg/a.c:3:3\n\n??\n??:0:0\n\n??\n??:0:0\n\n",
     "#0 f a.c:2:2\n#1 ??\n#2 FuzzY a.c:3:3\n", 0},
    {"but not the only one", "??\n??:0:0\n\n??\n??:0:0\n\n", "#0 ??\n", 0},
    {"what abort does is left out",
     "__pthread_kill_implementation\n./nptl/p.c:44:76\n\nraise\n./raise.c:26:13\n\n"
     "abort\n./stdlib/abort.c:79:7\n\nraise\n/pkg/a.c:1:1\n\n",
     "#0 abort ./stdlib/abort.c:79:7\n#1 raise a.c:1:1\n", 0},
    {"what exit does is left out",
     "mark\n/rt/crash.c:1:1\n\n__run_exit_handlers\n./exit.c:92:8\n\nexit\n./exit.c:146:3\n\n"
     "f\n/pkg/a.c:2:2\n\n",
     "#0 exit ./exit.c:146:3\n#1 f a.c:2:2\n", 0},
    {"recursion is counted",
     "f\n/pkg/a.c:2:2\n\nf\n/pkg/a.c:2:2\n\nf\n/pkg/a.c:2:2\n\ng\n/pkg/a.c:3:3\n\n",
     "#0 f a.c:2:2\n   and 2 more of the same\n#3 g a.c:3:3\n", 0},
    {"recursion of two functions is counted",
     "f\n/pkg/a.c:2:2\n\ng\n/pkg/a.c:3:3\n\nf\n/pkg/a.c:2:2\n\ng\n/pkg/a.c:3:3\n\n"
     "f\n/pkg/a.c:2:2\n\ng\n/pkg/a.c:3:3\n\nf\n/pkg/a.c:2:2\n\nFuzzX\n/pkg/a.c:9:9\n\n",
     "#0 f a.c:2:2\n#1 g a.c:3:3\n   and 2 times more these 2\n#6 f a.c:2:2\n#7 FuzzX a.c:9:9\n",
     0},
    {"recursion inside of recursion: the longer stretch",
     "f\n/a:1:1\n\nf\n/a:1:1\n\ng\n/a:2:2\n\nf\n/a:1:1\n\nf\n/a:1:1\n\ng\n/a:2:2\n\nh\n/a:3:3\n\n",
     "#0 f /a:1:1\n#1 f /a:1:1\n#2 g /a:2:2\n   and 1 time more these 3\n#6 h /a:3:3\n", 0},
    {"frames in the middle are not known; inlined ones belong to their address",
     "f\n/pkg/a.c:2:2\ng\n/pkg/a.c:3:3\n\nh\n/pkg/a.c:4:4\n\nh\n/pkg/a.c:5:5\n\n"
     "FuzzX\n/pkg/a.c:9:9\n\n",
     "#0 f a.c:2:2\n#1 g a.c:3:3\n#2 h a.c:4:4\n   ... 100 frames left out\n#103 h a.c:5:5\n"
     "#104 FuzzX a.c:9:9\n",
     100},
    {"skipped frames stay at their place behind those of exit",
     "mark\n/rt/crash.c:1:1\n\n__run_exit_handlers\n./exit.c:92:8\n\nexit\n./exit.c:146:3\n\n"
     "f\n/pkg/a.c:2:2\n\n",
     "   ... 100 frames left out\n#100 exit ./exit.c:146:3\n#101 f a.c:2:2\n", 100},
    {"a setup part", "f\n/pkg/a.c:2:2\n\ncfuzz_setup_FuzzX\n/pkg/a.c:5:5\n\nx\n/rt/h.c:1:1\n",
     "#0 f a.c:2:2\n#1 cfuzz_setup_FuzzX a.c:5:5\n", 0},
    {"without a test the call to it ends the stack; core's functions are code like any",
     "cfz_encoding_parse\n/pkg/a.c:2:2\n\ncfuzz_call_FuzzY\n??:0:0\n\nmain\n??:0:0\n",
     "#0 cfz_encoding_parse a.c:2:2\n", 0},
    {"cut short", "f\n", "#0 f\n", 0},
};

static void test_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf b = CFZ_BUF_INIT;
        struct stack st = {.inner = 2, .skipped = cases[i].skipped};

        assert_int_equal(symbolize_format(cases[i].answer, "/pkg", "FuzzX", &st, &b, NULL), 0);
        if (strcmp(cfz_buf_str(&b), cases[i].want) != 0)
            fail_msg("%s: got\n%swant\n%s", cases[i].name, cfz_buf_str(&b), cases[i].want);
        cfz_buf_release(&b);
    }
}

/* Answers each question with itself, as a function without a place; fails if FAIL is set. */
static const char script[] = "#!/bin/sh\n[ -z \"$FAIL\" ] || exit 1\nshift\n"
                             "for a; do printf '%s\\n??:0:0\\n\\n' \"$a\"; done\n";

static char program[] = "/tmp/symbolize_test.XXXXXX";

static int write_script(void **state)
{
    int fd = mkstemp(program);

    (void)state;
    if (fd < 0 || write(fd, script, sizeof script - 1) != (ssize_t)(sizeof script - 1))
        return -1;
    return fchmod(fd, 0700) + close(fd);
}

static int remove_script(void **state)
{
    (void)state;
    return unlink(program);
}

static void check(const char *symbolizer, const struct stack *st, const struct cfz_proc_shm *shm,
                  const char *want)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    assert_int_equal(symbolize_stack(symbolizer, "/pkg", "FuzzX", st, shm, &b, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), want);
    cfz_buf_release(&b);
}

/* Addresses become those of the files; but for the innermost frame, of the call before them. */
static void test_stack(void **state)
{
    static const char raw[] = "#0 0x10 in x.test\n#1 0x30 in x.test\n#2 0x5 in odd\"name\n"
                              "#3 0x7fff\n#4 0x1fff in x.test\n#5 0x5000\n#6 0x6000\n";
    static const char asked[] =
        "#0 \"/p q/x.test\" 0x10\n#1 \"/p q/x.test\" 0x2f\n#2 0x0\n   and 1 more of the same\n"
        "#4 \"/p q/x.test\" 0x1ffe\n#5 0x0\n   and 1 more of the same\n";
    static struct cfz_proc_shm memory; /* aligned to a page */
    struct cfz_proc_shm *shm = &memory;
    struct stack st = {.n = 7, .pc = {0x1010, 0x1030, 0x3005, 0x7fff, 0x2fff, 0x5000, 0x6000}};

    (void)state;
    shm->nmodules = 4;
    shm->modules[0] = (struct cfz_module){0x1000, 0x1000, 0x3000, "/p q/x.test"};
    shm->modules[1] = (struct cfz_module){0x3000, 0x3000, 0x4000, "/lib/odd\"name"};
    shm->modules[2] = (struct cfz_module){0x5000, 0x5000, 0x5001, ""};
    shm->modules[3] = (struct cfz_module){0x6000, 0x6000, 0x6001, ""};
    memset(shm->modules[3].path, 'x', sizeof shm->modules[3].path); /* the target wrote over it */

    setenv("FAIL", "1", 1);
    check(program, &st, shm, raw);
    unsetenv("FAIL");
    check(program, &st, shm, asked);
    check(NULL, &st, shm, raw); /* addresses as they are */
    setenv("FAIL", "1", 1);
    check(program, &st, shm, asked); /* what was answered is not asked again */
    unsetenv("FAIL");
    check("/does/not/exist", &st, shm, raw);
    st.n = 0;
    check(program, &st, shm, "");
}

__attribute__((noinline)) static int FuzzX(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n;
}

/* Sets module i to the file that p lies in; returns p. */
static uint64_t module_of(struct cfz_proc_shm *shm, int i, const void *p)
{
    Dl_info info;

    assert_true(dladdr(p, &info) != 0);
    shm->modules[i] = (struct cfz_module){.base = (uintptr_t)info.dli_fbase,
                                          .start = (uintptr_t)p & ~(uintptr_t)4095,
                                          .end = ((uintptr_t)p & ~(uintptr_t)4095) + 8192};
    snprintf(shm->modules[i].path, sizeof shm->modules[i].path, "%s",
             i == 0 ? "/proc/self/exe" : info.dli_fname);
    return (uintptr_t)p;
}

/* The frames of abort() are not asked for, and none behind the test function. */
static void test_what_is_asked(void **state)
{
    static struct cfz_proc_shm memory;
    struct cfz_proc_shm *shm = &memory;
    uint64_t fn = module_of(shm, 0, (const void *)(uintptr_t)FuzzX);
    uint64_t at_abort = module_of(shm, 1, dlsym(RTLD_NEXT, "abort"));
    uint64_t at_raise = (uintptr_t)dlsym(RTLD_NEXT, "raise");
    struct stack st = {.n = 5, .pc = {at_raise + 4, at_abort + 9, fn + 2, fn + 3, 0x77}};
    struct cfz_buf b = CFZ_BUF_INIT;
    char want[400];

    (void)state;
    if (!strstr(shm->modules[1].path, "/libc.so"))
        skip(); /* a sanitizer's, or another C library */
    shm->modules[1].start = shm->modules[1].base;
    shm->modules[1].end = shm->modules[1].base + (1 << 21);
    shm->nmodules = 2;
    assert_int_equal(symbolize_stack(program, "/pkg", "FuzzX", &st, shm, &b, NULL), 0);
    snprintf(want, sizeof want, "#0 abort\n#1 \"/proc/self/exe\" 0x%llx\n",
             (unsigned long long)(fn + 1 - shm->modules[0].base));
    /* Where this program was built with debug information, that is read without asking. */
    if (strstr(cfz_buf_str(&b), "#1 FuzzX /") != NULL)
        assert_ptr_equal(strstr(cfz_buf_str(&b), "\n#2"), NULL);
    else
        assert_string_equal(cfz_buf_str(&b), want);
    cfz_buf_release(&b);
    assert_int_equal(FuzzX(1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_format), cmocka_unit_test(test_stack),
                                       cmocka_unit_test(test_what_is_asked)};

    return cmocka_run_group_tests(tests, write_script, remove_script);
}
