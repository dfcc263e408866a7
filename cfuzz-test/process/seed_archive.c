/*
 * seed_archive.c - see seed_archive.h.
 */
#include "process/seed_archive.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unzip.h>

#include "core/buf.h"
#include "core/shmem.h"

enum { CHUNK = 1 << 16, NAME_MAX_LEN = 1024 };

/* All files of an archive together: more is a mistake, or made to fill memory. */
static const uint64_t TOTAL_MAX = (uint64_t)1024 << 20;

/* Whether a name leads out of the directory in which the archive would be unpacked. */
static bool leads_out(const char *name)
{
    const char *part = name;

    if (name[0] == '/' || strchr(name, '\\') != NULL)
        return true;
    for (; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

/* Reads the current file, which is open, to its end. Returns why it cannot be read, or NULL. */
static const char *read_content(unzFile zip, struct cfz_buf *out)
{
    int n = 1;

    out->len = 0;
    while (n > 0) {
        if (out->len > CFZ_SLOT_SIZE)
            return "larger than an argument may be";
        if (cfz_buf_reserve(out, CHUNK, NULL) < 0)
            return "out of memory";
        n = unzReadCurrentFile(zip, out->data + out->len, CHUNK);
        if (n < 0)
            return "its content is damaged";
        out->len += (size_t)n;
    }
    return NULL;
}

/* Reads the current file. Returns why it cannot be read, or NULL. */
static const char *read_file(unzFile zip, const char *name, const unz_file_info64 *info,
                             struct cfz_buf *out)
{
    const char *why;
    int closed;

    if (leads_out(name))
        return "its name leads out of the archive";
    if ((info->flag & 1) != 0)
        return "it is encrypted";
    if (unzOpenCurrentFile(zip) != UNZ_OK)
        return "it cannot be unpacked";
    why = read_content(zip, out);
    closed = unzCloseCurrentFile(zip);
    if (why == NULL && (closed != UNZ_OK || out->len != info->uncompressed_size))
        why = "its content is damaged";
    return why;
}

/* Deals with the current file of the archive. */
static int take_file(unzFile zip, const char *path, uint64_t *total, struct cfz_buf *content,
                     seed_archive_fn *fn, void *ctx, struct cfz_error *err)
{
    char name[NAME_MAX_LEN + 1] = "";
    unz_file_info64 info;
    const char *why;
    size_t len;

    if (unzGetCurrentFileInfo64(zip, &info, name, NAME_MAX_LEN, NULL, 0, NULL, 0) != UNZ_OK)
        return cfz_fail(err, CFZ_EFORMAT, "%s: its list of files is damaged", path);
    len = strlen(name);
    if (len > 0 && name[len - 1] == '/' && !leads_out(name))
        return 0; /* a directory */
    why = len > 0 ? read_file(zip, name, &info, content) : "it has no name";
    if (why != NULL)
        return cfz_fail(err, CFZ_EFORMAT, "%s: %s: %s", path, name, why);
    *total += content->len;
    if (*total > TOTAL_MAX)
        return cfz_fail(err, CFZ_EFORMAT, "%s: more than %llu MiB", path,
                        (unsigned long long)(TOTAL_MAX >> 20));
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
    return fn(ctx, name, content->data, content->len, err);
}

int seed_archive_read(const char *path, seed_archive_fn *fn, void *ctx, struct cfz_error *err)
{
    struct cfz_buf content = CFZ_BUF_INIT;
    uint64_t total = 0;
    unzFile zip;
    int ret = 0, rc;

    if (access(path, R_OK) != 0)
        return cfz_fail_errno(err, "%s", path);
    zip = unzOpen64(path);
    if (zip == NULL)
        return cfz_fail(err, CFZ_EFORMAT, "%s: not a zip archive", path);
    for (rc = unzGoToFirstFile(zip); rc == UNZ_OK && ret == 0; rc = unzGoToNextFile(zip))
        ret = take_file(zip, path, &total, &content, fn, ctx, err);
    if (ret == 0 && rc != UNZ_END_OF_LIST_OF_FILE)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: its list of files is damaged", path);
    unzClose(zip);
    cfz_buf_release(&content);
    return ret;
}
