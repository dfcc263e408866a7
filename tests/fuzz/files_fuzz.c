/*
 * files_fuzz.c - files beside a package that others wrote: .options of a harness, the control file
 * of a merge, a crash baseline, an archive of seeds, sources; and what a browser asks for.
 */
//cfuzz:sources ../../cfuzz-test/cli/options_file.c ../../cfuzz-test/libfuzzer/lf_control.c
//cfuzz:sources ../../cfuzz-test/libfuzzer/lf_flags.c ../../cfuzz-test/build/source_text.c
//cfuzz:sources ../../cfuzz-test/fuzz/expression.c
//cfuzz:cflags -I/usr/include/minizip
//cfuzz:ldflags -lminizip
#include "fuzz.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unzip.h>

#include "build/source_text.h"
#include "cli/options_file.h"
#include "fuzz/expression.h"
#include "libfuzzer/lf_control.h"
#include "libfuzzer/lf_flags.h"

/* ---- .options ----------------------------------------------------------------------------- */

FUZZ_SETUP(FuzzOptionsFile)(cfuzz_f *f)
{
    cfuzz_add(
        f, CFUZZ_BYTES("# c\n[libfuzzer]\r\nmax_len = 4096\ndict: a.dict\n timeout=random(1, 9)\n"
                       "[asan]\ndetect_leaks = 0\na:b=c\n;\n[honggfuzz]\nx = y"));
    cfuzz_add(f, CFUZZ_BYTES("[]\n[msan\nx"));
}

/* What it has lies in the text; an error names a line. */
FUZZ_TEST(FuzzOptionsFile, [] byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct options_file f = OPTIONS_FILE_INIT;
    struct cfz_error err;
    size_t size = 0;

    error_clear(&err);
    if (options_file_parse((const char *)text, len, &f, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT);
    }
    CHECK(t, f.dict == NULL || strlen(f.dict) <= len);
    CHECK(t, f.env.n <= 4);
    for (size_t i = 0; i < f.env.n; i++) {
        size += strlen(f.env.v[i]);
        CHECK(t, strstr(f.env.v[i], "SAN_OPTIONS=") != NULL && strchr(f.env.v[i], '\n') == NULL);
    }
    CHECK(t, size <= 2 * len + 4 * sizeof "UBSAN_OPTIONS=");
    options_file_release(&f);
}

/* ---- the control file of a merge ------------------------------------------------------------ */

FUZZ_SETUP(FuzzControlFile)(cfuzz_f *f)
{
    cfuzz_add(f,
              CFUZZ_BYTES("3\n1\nOUT/a\nIN/b\nIN/c\nSTARTED 0 2\nFT 0 0 8\nCOV 0 0 1\nSTARTED 1 7\n"
                          "FT 1 8 9\nCOV 1 1\nSTARTED 2 1\n"),
              true);
    cfuzz_add(f, CFUZZ_BYTES("1\n0\na\nSTARTED 0 18446744073709551615\n"), false);
}

/* What is read is written so that it is read as the same. A file is chosen only for what neither
 * the first directory nor another chosen one has. */
FUZZ_TEST(FuzzControlFile, [] byte, bool)
(cfuzz_t *t, const uint8_t *text, size_t len, bool cover)
{
    struct lf_control c = LF_CONTROL_INIT, again = LF_CONTROL_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;
    uint64_t features = 0, counters = 0, all = 0;
    struct cfz_error err;
    uint32_t most = 0;
    size_t nchosen = 0;
    bool *chosen;

    error_clear(&err);
    if (lf_control_parse((const char *)text, len, &c, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && strncmp(err.text, "line ", 5) == 0);
        return;
    }
    CHECK(t, c.n <= len && c.first <= c.n);
    CHECK(t, lf_control_head(&c, &out, &err) == 0);
    for (size_t i = 0; i < c.n; i++) {
        const struct lf_feature_set *s = &c.v[i].features;

        CHECK(t, strlen(c.v[i].path) <= len && (s->n == 0 || c.v[i].done));
        if (c.v[i].started)
            CHECK(t, lf_control_started(&c, i, &out, &err) == 0);
        if (c.v[i].done)
            CHECK(t, lf_control_done(&c, i, &out, &err) == 0);
        for (size_t k = 0; k < s->n; k++) {
            CHECK(t, k == 0 || s->v[k - 1] <= s->v[k]);
            most = s->v[k] > most ? s->v[k] : most;
        }
        all += s->n;
    }
    CHECK(t, lf_control_parse(cfz_buf_str(&out), out.len, &again, &err) == 0);
    CHECK(t, again.n == c.n && again.first == c.first);
    for (size_t i = 0; i < c.n; i++) {
        CHECK(t, strcmp(again.v[i].path, c.v[i].path) == 0);
        CHECK(t, again.v[i].size == c.v[i].size && again.v[i].done == c.v[i].done);
        CHECK(t, again.v[i].features.n == c.v[i].features.n);
    }
    chosen = calloc(c.n + 1, sizeof *chosen);
    CHECK(t, chosen != NULL);
    if (most < 1 << 20) { /* more would only take memory */
        CHECK(t, lf_choose(&c, cover, chosen, &features, &counters, &err) == 0);
        CHECK(t, features <= all && counters <= features);
        for (size_t i = 0; i < c.n; i++) {
            CHECK(t, !chosen[i] || (i >= c.first && c.v[i].features.n > 0));
            nchosen += chosen[i];
        }
        CHECK(t, nchosen <= features && !chosen[c.n]);
    }
    free(chosen);
    cfz_buf_release(&out);
    lf_control_release(&c);
    lf_control_release(&again);
}

/* ---- a crash baseline ------------------------------------------------------------------------ */

/* Directories of packages: those whose name ends in a letter are there. */
static int stat_package(const char *path, struct stat *st)
{
    size_t len = strlen(path);

    memset(st, 0, sizeof *st);
    st->st_mode = S_IFDIR;
    return path[len - 1] >= 'a' && path[len - 1] <= 'z' ? 0 : -1;
}

/* What follows a file that was read is another module's, and not looked at here. */
#define stat(path, st) stat_package(path, st)
#define crash_identity_is tested_crash_identity_is
#define result_file_write tested_result_file_write
#include "../../cfuzz-test/crash/crash_baseline.c"
#undef stat

bool crash_identity_is(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (strchr("0123456789abcdef", text[i]) == NULL || text[i] == '\0')
            return false;
    return len == 16;
}

static struct cfz_buf written;

int result_file_write(const char *path, const struct cfz_buf *text, struct cfz_error *err)
{
    (void)path;
    cfz_buf_truncate(&written, 0);
    return cfz_buf_append(&written, text->data, text->len, err);
}

FUZZ_SETUP(FuzzBaseline)(cfuzz_f *f)
{
    cfuzz_add(f,
              CFUZZ_BYTES("cfuzz baseline v1\n# c\na\tFuzzA\t-\t0123456789abcdef\tx at y:1\r\n"
                          "b\tFuzzB\tasan\tfedcba9876543210\n\n"),
              true);
    cfuzz_add(f, CFUZZ_BYTES("cfuzz baseline v1\nz/9\tF\t-\t0123456789abcdef\n"), false);
}

/* What is read is written so that it is read as the same. */
FUZZ_TEST(FuzzBaseline, [] byte, bool)
(cfuzz_t *t, const uint8_t *text, size_t len, bool writing)
{
    char dir[] = "/d";
    struct crash_baseline b = {.path = "f", .dir = dir, .writing = writing, .build = "-"};
    struct crash_baseline again = {.path = "f", .dir = dir, .build = "-"};
    struct cfz_error err;

    error_clear(&err);
    if (parse(&b, (const char *)text, len, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT);
    } else {
        CHECK(t, b.n + b.forgotten <= len / 20 && (writing || b.forgotten == 0));
        CHECK(t, write_file(&b, &err) == 0);
        CHECK(t, parse(&again, cfz_buf_str(&written), written.len, &err) == 0);
        CHECK(t, again.n == b.n);
        for (size_t i = 0; i < b.n; i++) {
            CHECK(t, strcmp(b.v[i].package, again.v[i].package) == 0);
            CHECK(t, strcmp(b.v[i].test, again.v[i].test) == 0);
            CHECK(t, strcmp(b.v[i].build, again.v[i].build) == 0);
            CHECK(t, strcmp(b.v[i].identity, again.v[i].identity) == 0);
        }
    }
    for (size_t i = 0; i < b.n; i++)
        entry_free(&b.v[i]);
    for (size_t i = 0; i < again.n; i++)
        entry_free(&again.v[i]);
    free(b.v);
    free(again.v);
}

/* ---- an archive of seeds ----------------------------------------------------------------------
 */

/* One file of an archive, as the library tells it. */
static struct {
    const char *name;
    const uint8_t *data;
    size_t len, at;
    uint64_t said;
    uint16_t flags;
    int files, closed;
} member;

static int give_info(unzFile zip, unz_file_info64 *info, char *name, uLong room, void *extra,
                     uLong extra_room, char *comment, uLong comment_room)
{
    (void)zip, (void)extra, (void)extra_room, (void)comment, (void)comment_room;
    memset(info, 0, sizeof *info);
    info->flag = member.flags;
    info->uncompressed_size = member.said;
    strncpy(name, member.name, room); /* as the library does: it ends only where there is room */
    return UNZ_OK;
}

static int give_content(unzFile zip, void *to, unsigned room)
{
    size_t n = member.len - member.at < room ? member.len - member.at : room;

    (void)zip;
    if (n > 0)
        memcpy(to, member.data + member.at, n);
    member.at += n;
    return (int)n;
}

static int open_member(unzFile zip)
{
    (void)zip;
    return UNZ_OK;
}

static int close_member(unzFile zip)
{
    (void)zip;
    return member.closed;
}

#undef unzGetCurrentFileInfo64
#define unzGetCurrentFileInfo64 give_info
#define unzReadCurrentFile give_content
#define unzOpenCurrentFile open_member
#define unzCloseCurrentFile close_member
#define CHUNK ARCHIVE_CHUNK
#define read_file read_member
#include "../../cfuzz-test/process/seed_archive.c"
#undef CHUNK
#undef read_file

struct taken {
    cfuzz_t *t;
    unsigned n;
};

static int take(void *ctx, const char *name, const uint8_t *data, size_t len, struct cfz_error *err)
{
    struct taken *k = ctx;

    (void)err;
    CHECK(k->t, name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, "..") != 0);
    CHECK(k->t, len == member.len && (len == 0 || memcmp(data, member.data, len) == 0));
    k->n++;
    return 0;
}

FUZZ_SETUP(FuzzSeedArchive)(cfuzz_f *f)
{
    cfuzz_add(f, "a/b", CFUZZ_BYTES("content"), UINT64_C(7), 0u, false);
    cfuzz_add(f, "../b", CFUZZ_BYTES(""), UINT64_C(0), 1u, true);
    cfuzz_add(f, "d/", CFUZZ_BYTES(""), UINT64_C(0), 0u, false);
}

/* No name that leads out of a directory is handed out, nothing damaged, nothing twice. */
FUZZ_TEST(FuzzSeedArchive, string, [] byte, uint64, uint, bool)
(cfuzz_t *t, const char *name, const uint8_t *data, size_t len, uint64_t said, unsigned flags,
 bool damaged)
{
    struct cfz_buf content = CFZ_BUF_INIT;
    struct taken k = {.t = t};
    struct cfz_error err;
    uint64_t total = 0;
    char *zip = malloc(1);

    error_clear(&err);
    member.name = name;
    member.data = data;
    member.len = len;
    member.at = 0;
    member.said = said;
    member.flags = (uint16_t)flags;
    member.closed = damaged ? UNZ_CRCERROR : UNZ_OK;
    if (take_file(zip, "a.zip", &total, &content, take, &k, &err) < 0) {
        check_error(t, &err);
        CHECK(t, k.n == 0 && err.code == CFZ_EFORMAT);
    } else {
        CHECK(t, total == (k.n > 0 ? len : 0) && k.n <= 1);
        CHECK(t, k.n == 0 || (said == len && !damaged && (flags & 1) == 0));
    }
    cfz_buf_release(&content);
    free(zip);
}

/* ---- sources ----------------------------------------------------------------------------------
 */

FUZZ_SETUP(FuzzSourceText)(cfuzz_f *f)
{
    cfuzz_add(
        f,
        CFUZZ_BYTES("/* main() { */ #define main(x) {\nint main(int argc, char **argv)\n{ \"}\" }\n"
                    "FUZZ_TEST(main, int)(cfuzz_t *t) // main\n"),
        "main");
    cfuzz_add(f, CFUZZ_BYTES("R\"x(f(){)x\" 'a' f () __attribute__((x)) {"), "f");
}

/* A line that is found is one of the text, and has the name, but for a name that is split. */
FUZZ_TEST(FuzzSourceText, [] byte, string)
(cfuzz_t *t, const uint8_t *text, size_t len, const char *name)
{
    size_t lines = 1, at;

    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    at = source_function_line((const char *)text, len, name);
    CHECK(t, at <= lines);
    CHECK(t, name[0] == '\0' || at == 0 || memmem(text, len, name, strlen(name)) != NULL);
    CHECK(t, source_defines((const char *)text, len, name) || at == 0);
    at = source_test_line((const char *)text, len, name);
    CHECK(t, at <= lines);
    CHECK(t, name[0] == '\0' || at == 0 || memmem(text, len, name, strlen(name)) != NULL);
}

FUZZ_SETUP(FuzzExpression)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("    if (a[i] == 'x' && strcmp(s, \"y)\") != 0) {"), 14u);
    cfuzz_add(f, CFUZZ_BYTES("  switch (n << 2) { case 'a': while (p->x >= *q++)"), 3u);
    cfuzz_add(f, CFUZZ_BYTES("\t return"), 0u);
}

/* What is shown of a line is a part of it, and is not long. */
FUZZ_TEST(FuzzExpression, [] byte, uint)
(cfuzz_t *t, const uint8_t *line, size_t len, unsigned column)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    struct cfz_error err;

    error_clear(&err);
    CHECK(t, expression_in((const char *)line, len, column, &out, &err) == 0);
    CHECK(t, out.len <= 4 * len + 16 && out.len <= 1024);
    cfz_buf_release(&out);
}

/* ---- libFuzzer's command line ------------------------------------------------------------------
 */

FUZZ_SETUP(FuzzLibFuzzerFlags)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("-runs=10 -max_len=4 dir -seed=4294967295 -help"));
    cfuzz_add(f, CFUZZ_BYTES("-ignore_remaining_args=1 -runs=x - a"));
    cfuzz_add(f, CFUZZ_BYTES("-artifact_prefix=a/ -runs=-1 -timeout=99999999999"));
}

/* Of a command line every word is a flag or an input. */
FUZZ_TEST(FuzzLibFuzzerFlags, [] byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct strlist words = STRLIST_INIT;
    struct lf_flags f;
    struct cfz_error err;

    error_clear(&err);
    if (strlist_split(&words, (const char *)line, len, &err) < 0)
        return;
    for (size_t i = 0; i < words.n; i++) /* of what is no flag a line is printed */
        if (words.v[i][0] == '-' && (words.v[i][1] == '-' || strchr(words.v[i], '=') == NULL)) {
            strlist_release(&words);
            return;
        }
    if (lf_flags_parse((int)words.n, words.v, &f, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EUSAGE);
    } else {
        CHECK(t, f.inputs.n + f.given.n <= words.n);
        lf_flags_release(&f);
    }
    strlist_release(&words);
}
