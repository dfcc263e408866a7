/*
 * fuzz_words_test.c - dictionaries of a run; the line and the file of words that helped.
 */
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

#include "fuzz/fuzz_words.h"

static char dir[] = "/tmp/cfuzz-words-XXXXXX";

static const char *in_dir(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(in_dir(name), "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void note(struct words *w, const char *text, size_t len, int times)
{
    while (times-- > 0)
        assert_int_equal(words_note(w, (const uint8_t *)text, len, NULL), 0);
}

static void test_report(void **state)
{
    struct words w = {NULL, 0};
    struct cfz_buf out = CFZ_BUF_INIT;
    struct cfz_dict d = CFZ_DICT_INIT;
    char word[64];

    (void)state;
    assert_int_equal(words_report(&out, &w, NULL), 0);
    assert_int_equal(out.len, 0);
    note(&w, "b", 1, 3);
    note(&w, "\x1b[2J\0\"", 6, 12);
    note(&w, "a", 1, 3);
    note(&w, "ab", 2, 3);
    note(&w, "", 0, 1); /* not a word */
    note(&w, "x", CFZ_WORD_MAX + 1, 1);
    assert_int_equal(words_report(&out, &w, NULL), 0);
    assert_string_equal(cfz_buf_str(&out),
                        "fuzz: words that helped (inputs): \"\\x1b[2J\\x00\\\"\" "
                        "(12), \"a\" (3), \"ab\" (3), \"b\" (3)\n");
    for (int i = 0; i < 6; i++) {
        snprintf(word, sizeof word, "%d234567890123456789012345678901234567890", i);
        note(&w, word, strlen(word), 2);
    }
    cfz_buf_truncate(&out, 0);
    assert_int_equal(words_report(&out, &w, NULL), 0);
    assert_string_equal(cfz_buf_str(&out),
                        "fuzz: words that helped (inputs): \"\\x1b[2J\\x00\\\"\" (12), \"a\" (3), "
                        "\"ab\" (3), \"b\" (3), \"0234567890123456789012345678901234567890\" (2), "
                        "\"1234567890123456789012345678901234567890\" (2), "
                        "\"2234567890123456789012345678901234567890\" (2), "
                        "\"3234567890123456789012345678901234567890\" (2), 2 more\n");
    note(&w, "9123456789012345678901234567890123456789x", 41, 20);
    cfz_buf_truncate(&out, 0);
    assert_int_equal(words_report(&out, &w, NULL), 0);
    assert_non_null(
        strstr(cfz_buf_str(&out), " \"9123456789012345678901234567890123456789\"... (20), "));

    /* What is saved is a dictionary. */
    cfz_buf_truncate(&out, 0);
    assert_int_equal(words_save(&out, &w, NULL), 0);
    assert_int_equal(cfz_dict_parse(cfz_buf_str(&out), out.len, &d, NULL), 0);
    assert_int_equal(d.n, 11);
    assert_int_equal(strncmp(cfz_buf_str(&out), "# words that helped", 19), 0);
    cfz_dict_release(&d);
    cfz_buf_release(&out);
    words_release(&w);
}

static void test_prepare(void **state)
{
    struct options opt = {.dict = {.n = 2}};
    struct cfz_error err = CFZ_ERROR_INIT;
    char one[256], two[256], want[512];

    (void)state;
    strcpy(one, in_dir("one"));
    strcpy(two, in_dir("two"));
    opt.dict.v[0] = one;
    opt.dict.v[1] = two;
    write_file("one", "\"a\"\n");
    write_file("two", "\"b\"\nx=\"c\"\n");
    assert_int_equal(words_prepare(&opt, &err), 0);
    assert_int_equal(opt.words.n, 3);
    cfz_dict_release(&opt.words);

    write_file("two", "\"b\"\nx=\"c\n");
    assert_int_equal(words_prepare(&opt, &err), -1);
    snprintf(want, sizeof want, "%s: line 2, column 5: expected \" at the end of the word", two);
    assert_string_equal(err.text, want);
    assert_int_equal(err.code, CFZ_EFORMAT);
    cfz_dict_release(&opt.words);

    unlink(two);
    assert_int_equal(words_prepare(&opt, &err), -1);
    snprintf(want, sizeof want, "open %s: No such file or directory", two);
    assert_string_equal(err.text, want);
    cfz_dict_release(&opt.words);
    unlink(one);
}

static void test_out(void **state)
{
    struct words w = {NULL, 0};
    struct options opt = {.dictout = in_dir("missing/out")};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_dict d = CFZ_DICT_INIT;
    struct stat st;

    (void)state;
    assert_int_equal(words_prepare(&opt, &err), -1);
    assert_non_null(strstr(err.text, "/missing/out: No such file or directory"));
    opt.dictout = dir;
    assert_int_equal(words_prepare(&opt, &err), -1);
    assert_non_null(strstr(err.text, ": Is a directory"));
    opt.dictout = in_dir("out");
    assert_int_equal(words_prepare(&opt, &err), 0);
    assert_int_equal(stat(opt.dictout, &st), -1); /* not before the end */
    note(&w, "x", 1, 1);
    assert_int_equal(words_tell(&w, &opt, &err), 0);
    note(&w, "y", 1, 1);
    assert_int_equal(words_tell(&w, &opt, &err), 0); /* in the place of the first */
    opt.dict.n = 1;
    opt.dict.v[0] = opt.dictout;
    opt.dictout = NULL;
    assert_int_equal(words_prepare(&opt, &err), 0);
    assert_int_equal(opt.words.n, 2);
    cfz_dict_release(&opt.words);
    unlink(opt.dict.v[0]);
    cfz_dict_release(&d);
    words_release(&w);
}

static size_t words_of(const struct cfz_run_shm *run, char *text)
{
    const uint8_t *word;
    size_t at = 0, n = 0;
    uint32_t len;

    for (; (word = cfz_dict_next(cfz_run_words(run), run->words_len, &at, &len)) != NULL; n++) {
        memcpy(text, word, len);
        text += len;
    }
    *text = '\0';
    return n;
}

/* -dict, then the dictionaries of the test: beside its directory, and in it. */
static void test_share(void **state)
{
    struct options opt = {.rss_mib = 0};
    struct cfz_run_shm *run;
    struct cfz_error err = CFZ_ERROR_INIT;
    char text[64];
    int fd = -1;

    (void)state;
    assert_int_equal(cfz_run_shm_new(10, &run, &fd, NULL), 0);
    assert_int_equal(words_share(&opt, dir, "FuzzX", NULL, run, fd, &err), 0);
    assert_int_equal(words_of(run, text), 0);
    assert_int_equal(mkdir(in_dir("testdata"), 0777), 0);
    assert_int_equal(mkdir(in_dir("testdata/corpus"), 0777), 0);
    assert_int_equal(mkdir(in_dir("testdata/corpus/FuzzX"), 0777), 0);
    write_file("testdata/corpus/FuzzX.dict", "\"b\"");
    write_file("testdata/corpus/FuzzX/FuzzX.dict", "\"c\"");
    write_file("testdata/corpus/FuzzX/other.dict", "bad");
    assert_int_equal(cfz_dict_add(&opt.words, "a", 1, NULL), 0);
    assert_int_equal(words_share(&opt, dir, "FuzzX", NULL, run, fd, &err), 0);
    assert_int_equal(words_of(run, text), 3);
    assert_string_equal(text, "abc");
    assert_int_equal(opt.words.n, 1);
    write_file("testdata/corpus/FuzzX.dict", "bad");
    assert_int_equal(words_share(&opt, dir, "FuzzX", NULL, run, fd, &err), -1);
    assert_string_equal(err.text,
                        "testdata/corpus/FuzzX.dict: line 1, column 1: expected a word in "
                        "quotes: \"value\" or name=\"value\"");
    unlink(in_dir("testdata/corpus/FuzzX.dict"));
    unlink(in_dir("testdata/corpus/FuzzX/FuzzX.dict"));
    unlink(in_dir("testdata/corpus/FuzzX/other.dict"));
    rmdir(in_dir("testdata/corpus/FuzzX"));
    rmdir(in_dir("testdata/corpus"));
    rmdir(in_dir("testdata"));
    cfz_shm_unmap(run, run->size);
    close(fd);
    cfz_dict_release(&opt.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_out),
        cmocka_unit_test(test_share),
    };
    int failed;

    if (mkdtemp(dir) == NULL)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(dir);
    return failed;
}
