/*
 * lf_input.c - see lf_input.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/lf_input.h"

#include <dirent.h>
#include <fcntl.h>
#include <sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "core/corpus/flat.h"
#include "core/io.h"

enum { DEPTH_MAX = 16 }; /* of directories: a link may lead back */

void lf_files_release(struct lf_files *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->v[i].path);
    free(f->v);
    *f = (struct lf_files)LF_FILES_INIT;
}

bool lf_is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool lf_is_directory(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int add(struct lf_files *f, const char *path, uint64_t size, struct cfz_error *err)
{
    if (array_grow((void **)&f->v, f->n, &f->cap, sizeof *f->v, err) < 0)
        return -1;
    f->v[f->n] = (struct lf_file){.path = strdup(path), .size = size};
    if (f->v[f->n].path == NULL)
        return cfz_fail_nomem(err);
    f->n++;
    return 0;
}

int lf_files_add(struct lf_files *f, const char *path, struct cfz_error *err)
{
    struct stat st;

    return add(f, path, stat(path, &st) == 0 ? (uint64_t)st.st_size : 0, err);
}

static int list(struct lf_files *f, const char *path, unsigned depth, struct cfz_error *err)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort), ret = 0;

    for (int i = 0; i < n; i++) {
        struct stat st;
        char *at = NULL;

        if (ret == 0 && entries[i]->d_name[0] != '.') {
            if (asprintf(&at, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                         entries[i]->d_name) < 0) {
                at = NULL;
                ret = cfz_fail_nomem(err);
            } else if (stat(at, &st) == 0 && S_ISREG(st.st_mode)) {
                if (st.st_size > 0)
                    ret = add(f, at, (uint64_t)st.st_size, err);
            } else if (lf_is_directory(at) && depth < DEPTH_MAX) {
                ret = list(f, at, depth + 1, err);
            }
        }
        free(at);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return ret;
}

int lf_files_list(struct lf_files *f, const char *path, struct cfz_error *err)
{
    return list(f, path, 0, err);
}

static int by_size(const void *a, const void *b)
{
    const struct lf_file *x = a, *y = b;

    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->path, y->path);
}

void lf_files_sort(struct lf_files *f, size_t first)
{
    if (f->n > first)
        qsort(f->v + first, f->n - first, sizeof *f->v, by_size);
}

int lf_input_read(const char *path, struct cfz_buf *bytes, struct cfz_error *err)
{
    return cfz_io_read_file(AT_FDCWD, path, CFZ_SLOT_SIZE, bytes, err);
}

int lf_input_values(const struct origin_test *t, const struct cfz_buf *bytes, struct cfz_values *vs,
                    struct cfz_error *err)
{
    return cfz_flat_read(vs, t->kinds, t->nvalues, (const uint8_t *)cfz_buf_str(bytes), bytes->len,
                         err);
}

void lf_input_name(const void *bytes, size_t len, char name[LF_NAME_MAX])
{
    _Static_assert(LF_NAME_MAX == SHA1_DIGEST_STRING_LENGTH, "40 hex digits and a NUL");
    SHA1Data(bytes, len, name);
}
