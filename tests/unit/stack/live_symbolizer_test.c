/*
 * live_symbolizer_test.c - a symbolizer that stays, played by scripts: one that answers, one that
 * ends, one that is not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io.h"
#include "stack/live_symbolizer.h"

static char dir[] = "/tmp/cfuzz-live-XXXXXX";

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) != NULL ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    return rmdir(dir);
}

/* Makes a script; the caller removes it. */
static void script(char path[64], const char *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    snprintf(path, 64, "%s/symbolizer", dir);
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, &err),
                     0);
    assert_int_equal(chmod(path, 0755), 0);
}

static void answers_again_and_again(void **state)
{
    struct live_symbolizer s;
    struct cfz_buf out = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    char path[64];
    pid_t pid;

    (void)state;
    script(path, "#!/bin/sh\nn=0\nwhile read -r q; do n=$((n + 1)); "
                 "printf 'f%d\\n%s\\n\\n' $n \"$q\"; done\n");
    live_symbolizer_init(&s, path);
    assert_int_equal(live_symbolizer_ask(&s, "/p/a b", 0x12, &out, &err), 0);
    assert_string_equal(cfz_buf_str(&out), "f1\n\"/p/a b\" 0x12\n\n");
    pid = s.pid;
    cfz_buf_truncate(&out, 0);
    assert_int_equal(live_symbolizer_ask(&s, "/p/c", 0x34, &out, &err), 0);
    assert_string_equal(cfz_buf_str(&out), "f2\n\"/p/c\" 0x34\n\n");
    assert_int_equal(s.pid, pid);
    assert_int_equal(live_symbolizer_ask(&s, "/p/\"", 0x34, &out, &err), -1);
    live_symbolizer_end(&s);
    live_symbolizer_end(&s);
    cfz_buf_release(&out);
    unlink(path);
}

static void gives_up_on_one_that_ends(void **state)
{
    struct live_symbolizer s;
    struct cfz_buf out = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    char path[64];

    (void)state;
    script(path, "#!/bin/sh\nread -r q; echo half of it\n");
    live_symbolizer_init(&s, path);
    assert_int_equal(cfz_buf_puts(&out, "before", &err), 0);
    assert_int_equal(live_symbolizer_ask(&s, "/p", 1, &out, &err), -1);
    assert_non_null(strstr(err.text, ": it ended"));
    assert_string_equal(cfz_buf_str(&out), "before");
    assert_int_equal(live_symbolizer_ask(&s, "/p", 1, &out, &err), -1);
    assert_string_equal(err.text, "no symbolizer");
    unlink(path);
    live_symbolizer_end(&s);
    live_symbolizer_init(&s, path); /* which is not there */
    assert_int_equal(live_symbolizer_ask(&s, "/p", 1, &out, &err), -1);
    live_symbolizer_end(&s);
    live_symbolizer_init(&s, NULL);
    assert_int_equal(live_symbolizer_ask(&s, "/p", 1, &out, &err), -1);
    live_symbolizer_end(&s);
    cfz_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_again_and_again),
        cmocka_unit_test(gives_up_on_one_that_ends),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
