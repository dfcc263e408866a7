/*
 * seed_archive_test.c - archives that are right, and archives that are not.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "process/seed_archive.h"

static char path[] = "/tmp/cfuzz-archive.XXXXXX";

/* Makes the archive anew, of one file. */
static void make(const char *name, const char *content, size_t len)
{
    zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);

    assert_non_null(zip);
    assert_int_equal(zipOpenNewFileInZip64(zip, name, NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                           Z_DEFAULT_COMPRESSION, 0),
                     ZIP_OK);
    assert_int_equal(zipWriteInFileInZip(zip, content, (unsigned)len), ZIP_OK);
    assert_int_equal(zipCloseFileInZip(zip), ZIP_OK);
    assert_int_equal(zipClose(zip, NULL), ZIP_OK);
}

static char seen[200];

static int take(void *ctx, const char *name, const uint8_t *data, size_t len, struct cfz_error *err)
{
    size_t at = strlen(seen);

    snprintf(seen + at, sizeof seen - at, "%s=%.*s;", name, (int)len,
             len > 0 ? (const char *)data : "");
    return ctx != NULL ? cfz_fail(err, CFZ_ENOMEM, "no more") : 0;
}

/* What was read of the archive, or why it was not. */
static const char *result(void)
{
    static char text[600];
    struct cfz_error err = CFZ_ERROR_INIT;

    seen[0] = '\0';
    if (seed_archive_read(path, take, NULL, &err) == 0)
        return seen;
    assert_int_equal(err.code, CFZ_EFORMAT);
    assert_memory_equal(err.text, path, strlen(path));
    snprintf(text, sizeof text, "%s%s", seen, err.text + strlen(path));
    return text;
}

static void test_names(void **state)
{
    (void)state;
    make("a", "content", 7);
    assert_string_equal(result(), "a=content;");
    make("deep/er/a..b", "", 0);
    assert_string_equal(result(), "deep_er_a..b=;");
    make("directory/", "", 0);
    assert_string_equal(result(), "");
    make("../a", "x", 1);
    assert_string_equal(result(), ": ../a: its name leads out of the archive");
    make("a/..", "x", 1);
    assert_string_equal(result(), ": a/..: its name leads out of the archive");
    make("/etc/a", "x", 1);
    assert_string_equal(result(), ": /etc/a: its name leads out of the archive");
    make("..\\a", "x", 1);
    assert_string_equal(result(), ": ..\\a: its name leads out of the archive");
}

/* Whatever byte of an archive is another one, its content is what it was or it is refused. */
static void test_damage(void **state)
{
    char good[400];
    FILE *f;
    size_t len;

    (void)state;
    make("name", "some content that is longer", 27);
    f = fopen(path, "r");
    len = fread(good, 1, sizeof good, f);
    fclose(f);
    assert_true(len < sizeof good);
    for (size_t i = 0; i < len; i++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        char bad[400];

        memcpy(bad, good, len);
        bad[i] ^= 0x41;
        f = fopen(path, "w");
        fwrite(bad, 1, len, f);
        fclose(f);
        seen[0] = '\0';
        if (seed_archive_read(path, take, NULL, &err) == 0 && seen[0] != '\0')
            assert_non_null(strstr(seen, "=some content that is longer;"));
    }
    for (size_t i = 0; i < len; i++) { /* its last bytes say nothing of the content */
        struct cfz_error err = CFZ_ERROR_INIT;
        int rc;

        f = fopen(path, "w");
        fwrite(good, 1, i, f);
        fclose(f);
        seen[0] = '\0';
        rc = seed_archive_read(path, take, NULL, &err);
        assert_true(rc < 0 || i + 4 >= len);
        assert_string_equal(seen, rc == 0 ? "name=some content that is longer;" : "");
    }
}

static void test_refused(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    int ctx = 0;

    (void)state;
    assert_int_equal(seed_archive_read("/nowhere.zip", take, NULL, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    err = (struct cfz_error)CFZ_ERROR_INIT;
    make("a", "x", 1);
    assert_int_equal(seed_archive_read(path, take, &ctx, &err), -1);
    assert_string_equal(err.text, "no more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refused),
    };
    int fd = mkstemp(path), failed;

    if (fd < 0)
        return 1;
    close(fd);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
