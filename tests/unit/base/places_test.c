/*
 * places_test.c - what a project under git is called.
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
#include <sys/stat.h>
#include <unistd.h>

#include "base/places.h"

static char top[256];

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int enter(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    snprintf(top, sizeof top, "%s/places-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(top) == NULL || chdir(top) < 0 || mkdir("p", 0777) < 0 ||
        mkdir("p/.git", 0777) < 0 || mkdir("p/src", 0777) < 0 || mkdir("none", 0777) < 0)
        return -1;
    return 0;
}

static int leave(void **state)
{
    char command[300];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", top);
    return chdir("/") < 0 || system(command) != 0 ? -1 : 0;
}

/* The project of top/name: "<name>|<path within>". */
static const char *project(const char *name)
{
    static char shown[1024];
    struct cfz_buf out = CFZ_BUF_INIT;
    char dir[512];

    snprintf(dir, sizeof dir, "%s/%s", top, name);
    if (!places_project(dir, &out))
        return "none";
    snprintf(shown, sizeof shown, "%s|%s", cfz_buf_str(&out),
             cfz_buf_str(&out) + strlen(cfz_buf_str(&out)) + 1);
    cfz_buf_release(&out);
    return shown;
}

static void test_origins(void **state)
{
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"https://h.example/a/b.git", "h.example/a/b|/src"},
        {"https://me:secret@h.example/a/b/", "h.example/a/b|/src"},
        {"git@h.example:a/b.git", "h.example/a/b|/src"},
        {"ssh://git@h.example:22/a/b", "h.example:22/a/b|/src"},
        {"/srv/b.git", "/srv/b|/src"},
        {"../b", "../b|/src"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char config[256];

        snprintf(config, sizeof config,
                 "[core]\n\turl = x\n[remote \"up\"]\n url = y\n[remote \"origin\"]\r\n\turl=%s\n",
                 cases[i].url);
        write_text("p/.git/config", config);
        assert_string_equal(project("p/src"), cases[i].want);
    }
}

static void test_without_origin(void **state)
{
    char want[512];

    (void)state;
    write_text("p/.git/config", "[core]\n");
    snprintf(want, sizeof want, "%s/p/.git|/src", top);
    assert_string_equal(project("p/src"), want);
    unlink("p/.git/config");
    snprintf(want, sizeof want, "%s/p/.git|", top);
    assert_string_equal(project("p"), want);
}

/* Where .git is a file that says nothing useful there is no project, and nothing worse. */
static void test_broken(void **state)
{
    static const char *const texts[] = {"", "gitdir: ", "gitdir: gone\n", "x\n", "gitdir: none"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_text("none/.git", texts[i]);
        assert_string_equal(project("none"), "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_without_origin),
        cmocka_unit_test(test_broken),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
