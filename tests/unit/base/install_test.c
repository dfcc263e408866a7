/*
 * install_test.c - where cfuzz's files are: a copy of this program in <prefix>/bin looks.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/install.h"
#include "base/subprocess.h"
#include "core/io.h"

static char prefix[] = "/tmp/install_test.XXXXXX";

/* What the copy does: says what install_find found. */
static int print_install(void)
{
    struct install in;
    char list[INSTALL_LIST_MAX];

    if (install_find(&in, NULL) < 0)
        return 1;
    printf("%s\n%s\n%s\n", in.lib, in.include, install_list_plugins(&in, list));
    install_release(&in);
    return 0;
}

static void run(const char *const argv[], struct cfz_buf *out)
{
    struct subprocess p = {.argv = argv, .dir = prefix, .out = out};
    int status;

    assert_int_equal(subprocess_run(&p, &status, NULL), 0);
    assert_int_equal(status, 0);
}

static void touch(const char *name)
{
    char path[100];

    snprintf(path, sizeof path, "%s/lib/cfuzz/%s", prefix, name);
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, "", 0, CFZ_IO_REPLACE, NULL), 0);
}

/* What the copy says, with the prefix as P. */
static const char *found(void)
{
    static char text[600];
    struct cfz_buf out = CFZ_BUF_INIT;
    char *at;

    run((const char *const[]){"bin/cfuzz-test", "print", NULL}, &out);
    snprintf(text, sizeof text, "%s", cfz_buf_str(&out));
    while ((at = strstr(text, prefix)) != NULL) {
        *at = 'P';
        memmove(at + 1, at + strlen(prefix), strlen(at + strlen(prefix)) + 1);
    }
    cfz_buf_release(&out);
    return text;
}

static int make_prefix(void **state)
{
    (void)state;
    return mkdtemp(prefix) != NULL ? 0 : -1;
}

static int remove_prefix(void **state)
{
    (void)state;
    run((const char *const[]){"rm", "-rf", prefix, NULL}, NULL);
    return 0;
}

static void test_find(void **state)
{
    static const char *const others[] = {
        "cfuzz-plugin-.so",    "cfuzz-plugin-x.so", "cfuzz-plugin-15.so.new",
        "xcfuzz-plugin-15.so", "libcfuzz.a",        "cfuzz-plugin-15"};
    char self[500];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    (void)state;
    assert_true(n > 0);
    self[n] = '\0';
    run((const char *const[]){"mkdir", "bin", NULL}, NULL);
    run((const char *const[]){"cp", self, "bin/cfuzz-test", NULL}, NULL);
    /* Paths are told without looking; no plugin is not an error. */
    assert_string_equal(found(), "P/lib/cfuzz\nP/include\nnone\n");

    run((const char *const[]){"mkdir", "-p", "lib/cfuzz", NULL}, NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        touch(others[i]);
    assert_string_equal(found(), "P/lib/cfuzz\nP/include\nnone\n");
    touch("cfuzz-plugin-22.so");
    touch("cfuzz-plugin-9.so");
    touch("cfuzz-plugin-14.so");
    assert_string_equal(found(), "P/lib/cfuzz\nP/include\n9, 14, 22\n");

    /* Through a symbolic link, the files are those beside the program itself. */
    run((const char *const[]){"mkdir", "other", NULL}, NULL);
    run((const char *const[]){"mv", "bin", "lib", "other", NULL}, NULL);
    run((const char *const[]){"ln", "-s", "other/bin", "bin", NULL}, NULL);
    assert_string_equal(found(), "P/other/lib/cfuzz\nP/other/include\n9, 14, 22\n");
}

static void test_list(void **state)
{
    struct install in = {.nplugins = 0};
    char text[INSTALL_LIST_MAX];

    (void)state;
    assert_string_equal(install_list_plugins(&in, text), "none");
    assert_false(install_has_plugin(&in, 0));
    for (int i = 0; i < INSTALL_PLUGINS_MAX; i++)
        in.plugins[in.nplugins++] = 10 + i;
    assert_true(install_has_plugin(&in, 10));
    assert_true(install_has_plugin(&in, 41));
    assert_false(install_has_plugin(&in, 42));
    assert_int_equal(strlen(install_list_plugins(&in, text)), 4 * INSTALL_PLUGINS_MAX - 2);
    for (int i = 0; i < INSTALL_PLUGINS_MAX; i++)
        in.plugins[i] = 1000000000 + i;
    assert_true(strlen(install_list_plugins(&in, text)) < INSTALL_LIST_MAX); /* cut, not over */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_list),
    };

    if (argc == 2 && strcmp(argv[1], "print") == 0)
        return print_install();
    return cmocka_run_group_tests(tests, make_prefix, remove_prefix);
}
