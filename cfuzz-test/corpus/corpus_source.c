/*
 * corpus_source.c - see corpus_source.h. Archives are read twice: the first time says whether they
 * are whole.
 */
#define _GNU_SOURCE
#include "corpus/corpus_source.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/corpus/encoding.h"
#include "core/io.h"
#include "corpus/libarchive.h"

enum { DEPTH_MAX = 32 }; /* of directories; guessed */

struct walk {
    corpus_source_fn *fn;
    void *ctx;
    struct cfz_error *err;
};

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

static bool begins_with(const char *name, const char *begin)
{
    return strncmp(name, begin, strlen(begin)) == 0;
}

static bool is_archive(const char *path)
{
    static const char *const ends[] = {".zip",     ".tar",      ".tgz",    ".tar.gz",
                                       ".tar.bz2", ".tar.lzma", ".tar.xz", ".tbz2"};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (ends_with(path, ends[i]))
            return true;
    return false;
}

/* What lies beside inputs and is none. */
static bool is_ignored(const char *name)
{
    return name[0] == '.' || begins_with(name, "README") || ends_with(name, "~") ||
           ends_with(name, ".md") || ends_with(name, ".dict") ||
           strcmp(name, "HONGGFUZZ.REPORT.TXT") == 0;
}

/* ---- archives ------------------------------------------------------------------------- */

static const struct libarchive *lib; /* NULL until an archive is met */

static int fail_archive(struct archive *a, const char *path, struct cfz_error *err)
{
    const char *why = lib->archive_error_string(a);

    return cfz_fail(err, CFZ_EFORMAT, "%s: %s", path, why != NULL ? why : "not an archive");
}

/* Whether a name stays below the directory that the archive would be unpacked in. */
static bool stays_inside(const char *name)
{
    if (name[0] == '/')
        return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

static int read_entry(struct archive *a, const char *label, struct cfz_buf *data,
                      struct cfz_error *err)
{
    char block[65536];
    la_ssize_t n;

    while ((n = lib->archive_read_data(a, block, sizeof(block))) > 0) {
        if (data->len + (size_t)n > CFZ_FILE_MAX)
            return cfz_fail(err, CFZ_EFORMAT, "%s: more than %zu bytes", label, CFZ_FILE_MAX);
        if (cfz_buf_append(data, block, (size_t)n, err) < 0)
            return -1;
    }
    return n < 0 ? fail_archive(a, label, err) : 0;
}

/* One pass: checks, or hands out. */
static int pass_archive(struct walk *w, const char *path, bool hand_out)
{
    struct archive *a;
    struct archive_entry *entry;
    struct cfz_buf label = CFZ_BUF_INIT, data = CFZ_BUF_INIT;
    int r, ret = -1;

    lib = libarchive_load(w->err);
    if (lib == NULL)
        return -1;
    a = lib->archive_read_new();
    if (a == NULL)
        return cfz_fail_nomem(w->err);
    lib->archive_read_support_filter_all(a);
    lib->archive_read_support_format_zip(a);
    lib->archive_read_support_format_tar(a);
    if (lib->archive_read_open_filename(a, path, 65536) != ARCHIVE_OK) {
        fail_archive(a, path, w->err);
        goto out;
    }
    while ((r = lib->archive_read_next_header(a, &entry)) == ARCHIVE_OK || r == ARCHIVE_WARN) {
        const char *name = lib->archive_entry_pathname(entry), *base;

        if (name == NULL || !stays_inside(name)) {
            cfz_fail(w->err, CFZ_EFORMAT, "%s: %s: the name leads out of the archive", path,
                     name != NULL ? name : "?");
            goto out;
        }
        base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
        if (lib->archive_entry_filetype(entry) != AE_IFREG || is_ignored(base))
            continue;
        cfz_buf_truncate(&label, 0);
        cfz_buf_truncate(&data, 0);
        if (cfz_buf_printf(&label, w->err, "%s: %s", path, name) < 0 ||
            read_entry(a, cfz_buf_str(&label), &data, w->err) < 0 ||
            (hand_out && w->fn(w->ctx, cfz_buf_str(&label), data.data, data.len, NULL, w->err) < 0))
            goto out;
    }
    ret = r == ARCHIVE_EOF ? 0 : fail_archive(a, path, w->err);
out:
    lib->archive_read_free(a);
    cfz_buf_release(&label);
    cfz_buf_release(&data);
    return ret;
}

/* ---- files and directories -------------------------------------------------------------- */

static int take_file(struct walk *w, const char *path)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    struct cfz_buf data = CFZ_BUF_INIT;
    int ret;

    if (is_archive(path))
        return pass_archive(w, path, false) < 0 ? -1 : pass_archive(w, path, true);
    if (cfz_io_read_file(AT_FDCWD, path, CFZ_FILE_MAX, &data, &why) < 0)
        ret = w->fn(w->ctx, path, NULL, 0, why.text, w->err);
    else
        ret = w->fn(w->ctx, path, data.data, data.len, NULL, w->err);
    cfz_buf_release(&data);
    return ret;
}

static bool is_there(const char *dir, const char *name)
{
    struct stat st;
    char *path;
    bool there;

    if (asprintf(&path, "%s/%s", dir, name) < 0)
        return false;
    there = stat(path, &st) == 0;
    free(path);
    return there;
}

/* What of a directory's names is looked at. */
enum choice { ALL, AFL_PARTS, AFL_INPUTS };

static bool is_chosen(enum choice choice, const char *name)
{
    switch (choice) {
    case AFL_PARTS:
        return strcmp(name, "queue") == 0 || strcmp(name, "crashes") == 0 ||
               strcmp(name, "hangs") == 0;
    case AFL_INPUTS:
        return begins_with(name, "id:") || begins_with(name, "id_");
    default:
        return !is_ignored(name);
    }
}

static int take_directory(struct walk *w, const char *path, enum choice choice, unsigned depth)
{
    struct dirent **names = NULL;
    int n, ret = 0;

    if (choice == ALL && is_there(path, "fuzzer_stats"))
        choice = AFL_PARTS;
    n = scandir(path, &names, NULL, alphasort);
    if (n < 0)
        return cfz_fail_errno(w->err, "%s", path);
    for (int i = 0; i < n; i++) {
        struct stat st;
        char *below = NULL;

        if (ret == 0 && is_chosen(choice, names[i]->d_name)) {
            if (asprintf(&below, "%s/%s", path, names[i]->d_name) < 0)
                ret = cfz_fail_nomem(w->err);
            else if (lstat(below, &st) == 0 && S_ISDIR(st.st_mode))
                ret = depth == DEPTH_MAX
                          ? cfz_fail(w->err, CFZ_EFORMAT, "%s: more than %d directories deep",
                                     below, DEPTH_MAX)
                          : take_directory(w, below, choice == AFL_PARTS ? AFL_INPUTS : choice,
                                           depth + 1);
            else if (stat(below, &st) < 0 || !S_ISDIR(st.st_mode))
                ret = take_file(w, below);
            free(below);
        }
        free(names[i]);
    }
    free(names);
    return ret;
}

int corpus_source_each(const char *path, corpus_source_fn *fn, void *ctx, struct cfz_error *err)
{
    struct walk w = {fn, ctx, err};
    struct stat st;

    if (stat(path, &st) < 0)
        return cfz_fail_errno(err, "%s", path);
    return S_ISDIR(st.st_mode) ? take_directory(&w, path, ALL, 0) : take_file(&w, path);
}
