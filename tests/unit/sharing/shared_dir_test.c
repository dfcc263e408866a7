/*
 * shared_dir_test.c - files of others are found, once, when they are whole; ours are left, once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build/clean.h"
#include "core/io.h"
#include "sharing/shared_dir.h"

#define SECOND UINT64_C(1000000000)

static char *work;
static uint64_t now; /* the clock of the test */

static int enter(void **state)
{
    char path[] = "/tmp/cfuzz-shared-test.XXXXXX";

    (void)state;
    if (mkdtemp(path) == NULL || chdir(path) < 0)
        return -1;
    work = realpath(path, NULL);
    now = 1000 * SECOND;
    return work != NULL ? 0 : -1;
}

static int leave(void **state)
{
    int rc = chdir("/") == 0 ? clean_tree(AT_FDCWD, work, work, NULL) : -1;

    (void)state;
    free(work);
    return rc;
}

/* Writes a file; as one that was written long ago, if it is to be old. */
static void put(const char *path, const char *text, bool old)
{
    const struct timespec past[2] = {{1000000000, 0}, {1000000000, 0}};
    struct cfz_error err = CFZ_ERROR_INIT;
    char *dir = strdup(path), *slash = strrchr(dir, '/');

    if (slash != NULL) {
        *slash = '\0';
        assert_int_equal(cfz_io_mkdirs(dir, &err), 0);
    }
    free(dir);
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, &err),
                     0);
    if (old)
        assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
}

static struct shared_dir opened(enum shared_kind kind, const char *path)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct shared_dir d;

    if (shared_dir_open(&d, kind, path, &err) < 0)
        fail_msg("%s", err.text);
    return d;
}

/* Looks, so many seconds later, and returns all that is handed out, each with a blank behind it. */
static const char *look(struct shared_dir *d, unsigned seconds)
{
    static char all[400];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_buf bytes = CFZ_BUF_INIT;
    const char *name;

    now += seconds * SECOND;
    if (shared_dir_look(d, now, &err) < 0)
        fail_msg("%s", err.text);
    while (shared_dir_take(d, 1000, &bytes, &name))
        assert_int_equal(cfz_buf_puts(&bytes, " ", NULL), 0);
    assert_true(bytes.len < sizeof all);
    strcpy(all, cfz_buf_str(&bytes));
    cfz_buf_release(&bytes);
    return all;
}

static bool leave_there(struct shared_dir *d, const char *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    bool added;

    if (shared_dir_put(d, text, strlen(text), &added, &err) < 0)
        fail_msg("%s", err.text);
    return added;
}

/* How many files are in the directory, without those that are hidden. */
static unsigned count(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *e;
    unsigned n = 0;

    assert_non_null(dir);
    while ((e = readdir(dir)) != NULL)
        n += e->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void test_flat(void **state)
{
    struct shared_dir d = opened(SHARED_FLAT, "bucket");

    (void)state;
    assert_string_equal(look(&d, 0), "");
    put("bucket/b", "two", true);
    put("bucket/a", "one", true);
    put("bucket/.hidden", "x", true);
    put("bucket/README", "x", true);
    put("bucket/c.part", "x", true);
    put("bucket/sub/d", "x", true);
    put("bucket/empty", "", true);
    assert_string_equal(look(&d, 2), "one two ");
    assert_string_equal(look(&d, 2), "");
    /* Of what is read, the content is known; of ours too. */
    assert_true(shared_dir_knows(&d, shared_content("one", 3)));
    assert_false(leave_there(&d, "one"));
    assert_true(leave_there(&d, "three"));
    assert_false(leave_there(&d, "three"));
    assert_int_equal(access("bucket/b802f384302cb24fbab0a44997e820bf2e8507bb", F_OK), 0);
    assert_string_equal(look(&d, 2), "");
    shared_dir_close(&d);
    /* The name says what it is, so that it is not left again; it is read like others. */
    d = opened(SHARED_FLAT, "bucket");
    put("bucket/a", "one", true);
    assert_int_equal(shared_dir_look(&d, now += 2 * SECOND, NULL), 0);
    assert_false(leave_there(&d, "three"));
    shared_dir_close(&d);
}

/* A file is handed out when it is what it was a second ago, and not before it has bytes. */
static void test_half_written(void **state)
{
    struct shared_dir d = opened(SHARED_FLAT, "bucket");

    (void)state;
    put("bucket/f", "", false);
    assert_string_equal(look(&d, 2), "");
    assert_string_equal(look(&d, 2), "");
    put("bucket/f", "ha", false);
    assert_string_equal(look(&d, 2), "");
    put("bucket/f", "half", false);
    assert_string_equal(look(&d, 2), "");
    put("bucket/g", "g", true); /* one that is whole need not wait for it */
    assert_string_equal(look(&d, 0), "");
    assert_string_equal(look(&d, 2), "half g ");
    assert_string_equal(look(&d, 2), "");
    put("bucket/short", "s", false);
    assert_string_equal(look(&d, 2), "");
    assert_int_equal(unlink("bucket/short"), 0);
    assert_string_equal(look(&d, 2), "");
    assert_int_equal(d.nfiles, 0);
    /* The same size, and another time: set, since two writes may fall into one tick of the kernel's
     * clock. */
    put("bucket/k", "aa", false);
    assert_string_equal(look(&d, 2), "");
    put("bucket/k", "bb", true);
    assert_string_equal(look(&d, 2), "");
    assert_string_equal(look(&d, 2), "bb ");
    shared_dir_close(&d);
}

static void test_afl(void **state)
{
    struct shared_dir d, other;

    (void)state;
    put("out/main/queue/id:000000,time:0,orig:seed", "seed", true);
    put("out/main/queue/id:000001,src:000000", "found", true);
    put("out/main/queue/.state/x", "x", true);
    put("out/main/queue/note", "x", true);
    put("out/main/crashes/id:000000", "crash", true);
    put("out/main/fuzzer_stats", "x", true);
    put("out/flat", "flat", true);
    d = opened(SHARED_AFL, "out");
    other = opened(SHARED_AFL, "out");
    assert_string_not_equal(d.own, other.own);
    assert_int_equal(strncmp(d.own, "cfuzz-", 6), 0);
    assert_string_equal(look(&d, 0), "flat seed found ");
    /* A peer that comes later; its queue comes later than its directory. */
    assert_int_equal(mkdir("out/second", 0777), 0);
    assert_string_equal(look(&d, 2), "");
    put("out/second/queue/id:000000", "late", true);
    assert_string_equal(look(&d, 2), "late ");
    /* Each other's. */
    assert_true(leave_there(&d, "ours"));
    assert_true(leave_there(&d, "more"));
    assert_string_equal(look(&d, 2), "");
    look(&other, 0);
    assert_string_equal(look(&other, 3), "ours more ");
    assert_false(leave_there(&other, "ours"));
    shared_dir_close(&other);
    shared_dir_close(&d);
    /* The part of one that has ended is taken up: its numbers go on, and what it left is known. */
    d = opened(SHARED_AFL, "out");
    assert_int_equal(d.id, 2);
    assert_false(leave_there(&d, "more"));
    assert_true(leave_there(&d, "third"));
    assert_int_equal(d.id, 3);
    shared_dir_close(&d);
}

/* A peer whose directory is removed is forgotten, and the others are not. */
static void test_peer_gone(void **state)
{
    struct shared_dir d;

    (void)state;
    put("out/a/queue/id:000000", "a", true);
    put("out/b/queue/id:000000", "b", true);
    d = opened(SHARED_AFL, "out");
    assert_string_equal(look(&d, 0), "a b ");
    assert_int_equal(clean_tree(AT_FDCWD, "out/a", "out/a", NULL), 0);
    put("out/b/queue/id:000001", "b1", true);
    assert_string_equal(look(&d, 3), "b1 ");
    assert_int_equal(d.nlists, 3); /* all, b, ours */
    shared_dir_close(&d);
}

/* Corpus files appear whole. Those that the run knows are not read. */
static void test_cache(void **state)
{
    struct shared_dir d = opened(SHARED_CACHE, "cache");

    (void)state;
    assert_string_equal(look(&d, 0), ""); /* nothing is there yet */
    assert_int_equal(access("cache", F_OK), -1);
    put("cache/0123456789abcdef", "other's", false);
    put("cache/ours", "ours", false);
    assert_int_equal(shared_dir_name_known(&d, "ours", NULL), 0);
    assert_string_equal(look(&d, 2), "other's ");
    assert_string_equal(look(&d, 2), "");
    shared_dir_close(&d);
}

static void test_vanishes(void **state)
{
    struct shared_dir d = opened(SHARED_AFL, "out");
    struct cfz_error err = CFZ_ERROR_INIT;
    bool added;

    (void)state;
    put("out/a/queue/id:000000", "a", true);
    assert_string_equal(look(&d, 2), "a ");
    assert_true(leave_there(&d, "ours"));
    assert_int_equal(rename("out", "away"), 0);
    assert_int_equal(shared_dir_look(&d, now += SECOND, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "out: No such file or directory");
    assert_int_equal(shared_dir_put(&d, "x", 1, &added, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(access("out", F_OK), -1); /* it may be where something is mounted */
    /* The same one again: nothing is read twice. */
    assert_int_equal(rename("away", "out"), 0);
    assert_string_equal(look(&d, 2), "");
    assert_false(leave_there(&d, "ours"));
    /* Another one: it is as new. */
    assert_int_equal(rename("out", "away"), 0);
    put("out/a/queue/id:000000", "a2", true);
    assert_string_equal(look(&d, 2), "a2 ");
    assert_true(leave_there(&d, "ours"));
    /* Our part alone is removed. */
    assert_int_equal(clean_tree(AT_FDCWD, "out", "out", NULL), 0);
    assert_int_equal(mkdir("out", 0777), 0);
    assert_true(leave_there(&d, "again"));
    shared_dir_close(&d);
}

/* What does not fit into one look comes with the next ones. */
static void test_many(void **state)
{
    enum { MANY = 5000 };
    struct shared_dir d = opened(SHARED_FLAT, "bucket");
    struct cfz_buf bytes = CFZ_BUF_INIT;
    const char *name;
    unsigned n = 0;

    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        char path[40];

        snprintf(path, sizeof path, "bucket/%u", i);
        put(path, path, true);
    }
    for (unsigned looks = 0; looks < 4; looks++) {
        assert_int_equal(shared_dir_look(&d, now += 3 * SECOND, NULL), 0);
        assert_true(d.nfiles - d.first <= 4096);
        while (shared_dir_take(&d, 1000, &bytes, &name))
            n++;
    }
    assert_int_equal(n, MANY);
    assert_int_equal(count("bucket"), MANY);
    cfz_buf_release(&bytes);
    shared_dir_close(&d);
}

/* Files that a full disk left empty take no room from others, and hold no content. */
static void test_empty(void **state)
{
    enum { MANY = 5000 };
    struct shared_dir d = opened(SHARED_FLAT, "bucket");

    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        char path[40];

        snprintf(path, sizeof path, "bucket/%u", i);
        put(path, "", true);
    }
    put("bucket/b802f384302cb24fbab0a44997e820bf2e8507bb", "", true); /* would hold "three" */
    put("bucket/new", "", false);
    for (unsigned looks = 0; looks < 3; looks++)
        assert_string_equal(look(&d, 3), "");
    put("bucket/z", "z", true);
    assert_string_equal(look(&d, 3), "z ");
    assert_true(leave_there(&d, "three"));
    assert_int_equal(d.nfiles - d.first, 1); /* the new one may still get bytes */
    put("bucket/new", "", true);
    assert_string_equal(look(&d, 3), "");
    assert_int_equal(d.nfiles - d.first, 0);
    shared_dir_close(&d);
}

static void test_bad(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct shared_dir d;

    (void)state;
    put("file", "x", true);
    assert_int_equal(shared_dir_open(&d, SHARED_AFL, "file", &err), -1);
    assert_int_equal(err.code, CFZ_EUSAGE);
    assert_non_null(strstr(err.text, "file: Not a directory"));
    assert_int_equal(shared_dir_open(&d, SHARED_FLAT, "file", &err), -1);
    assert_int_equal(shared_dir_open(&d, SHARED_FLAT, "file/below", &err), -1);
    assert_int_equal(err.code, CFZ_EUSAGE);
    /* A file that is too long is passed over, and so is what is no file. */
    put("bucket/long", "0123456789", true);
    put("bucket/short", "0", true);
    assert_int_equal(mkfifo("bucket/pipe", 0666), 0);
    d = opened(SHARED_FLAT, "bucket");
    assert_int_equal(shared_dir_look(&d, now, NULL), 0);
    {
        struct cfz_buf bytes = CFZ_BUF_INIT;
        const char *name;

        assert_true(shared_dir_take(&d, 5, &bytes, &name));
        assert_string_equal(name, "short");
        assert_string_equal(cfz_buf_str(&bytes), "0");
        assert_false(shared_dir_take(&d, 5, &bytes, &name));
        cfz_buf_release(&bytes);
    }
    shared_dir_close(&d);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(test_flat),      TEST(test_half_written), TEST(test_afl),
        TEST(test_peer_gone), TEST(test_cache),        TEST(test_vanishes),
        TEST(test_many),      TEST(test_empty),        TEST(test_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
