/*
 * corpus_zip.c - see corpus_zip.h. The same inputs make the same bytes: times are left out, and who
 * adds them has an order.
 */
#define _GNU_SOURCE
#include "corpus/corpus_zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/corpus/encoding.h"
#include "corpus/libarchive.h"

static const struct libarchive *lib; /* NULL until a file is begun */

static int fail(struct corpus_zip *z, struct cfz_error *err)
{
    const char *why = lib->archive_error_string(z->a);

    return cfz_fail(err, CFZ_EIO, "%s: %s", z->path, why != NULL ? why : "cannot be written");
}

void corpus_zip_drop(struct corpus_zip *z)
{
    if (z->a != NULL) {
        lib->archive_write_free(z->a);
        unlink(z->temporary);
    }
    free(z->path);
    free(z->temporary);
    strlist_release(&z->names);
    *z = (struct corpus_zip){0};
}

int corpus_zip_open(struct corpus_zip *z, const char *path, struct cfz_error *err)
{
    *z = (struct corpus_zip){0};
    lib = libarchive_load(err);
    if (lib == NULL)
        return -1;
    z->path = strdup(path);
    if (z->path == NULL || asprintf(&z->temporary, "%s.%ld.new", path, (long)getpid()) < 0) {
        z->temporary = NULL;
        corpus_zip_drop(z);
        return cfz_fail_nomem(err);
    }
    z->a = lib->archive_write_new();
    if (z->a == NULL) {
        corpus_zip_drop(z);
        return cfz_fail_nomem(err);
    }
    if (lib->archive_write_set_format_zip(z->a) != ARCHIVE_OK ||
        lib->archive_write_open_filename(z->a, z->temporary) != ARCHIVE_OK) {
        fail(z, err);
        corpus_zip_drop(z);
        return -1;
    }
    return 0;
}

int corpus_zip_add(struct corpus_zip *z, const void *data, size_t len, bool *added,
                   struct cfz_error *err)
{
    struct archive_entry *entry;
    char name[17];
    bool ok;

    cfz_encoding_file_name(data, len, name);
    *added = !strlist_has(&z->names, name);
    if (!*added)
        return 0;
    entry = lib->archive_entry_new();
    if (entry == NULL)
        return cfz_fail_nomem(err);
    lib->archive_entry_set_pathname(entry, name);
    lib->archive_entry_set_filetype(entry, AE_IFREG);
    lib->archive_entry_set_perm(entry, 0644);
    lib->archive_entry_set_size(entry, (la_int64_t)len);
    ok = lib->archive_write_header(z->a, entry) == ARCHIVE_OK &&
         lib->archive_write_data(z->a, data, len) == (la_ssize_t)len;
    lib->archive_entry_free(entry);
    return ok ? strlist_add(&z->names, name, err) : fail(z, err);
}

int corpus_zip_finish(struct corpus_zip *z, struct cfz_error *err)
{
    int ret = 0;

    if (lib->archive_write_close(z->a) != ARCHIVE_OK)
        ret = fail(z, err);
    else if (z->names.n > 0 && rename(z->temporary, z->path) < 0)
        ret = cfz_fail_errno(err, "create %s", z->path);
    if (ret == 0 && z->names.n > 0) {
        lib->archive_write_free(z->a);
        z->a = NULL;
    }
    corpus_zip_drop(z);
    return ret;
}
