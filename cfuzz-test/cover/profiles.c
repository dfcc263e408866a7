/*
 * profiles.c - see profiles.h.
 */
#define _GNU_SOURCE
#include "cover/profiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cover/llvm_tools.h"

int cover_open(struct options *opt, struct cfz_error *err)
{
    const char *tmp = getenv("TMPDIR");
    char *dir;

    /* In LLVM_PROFILE_FILE '%' is not itself. */
    if (tmp == NULL || tmp[0] != '/' || strchr(tmp, '%') != NULL)
        tmp = "/tmp";
    if (asprintf(&dir, "%s/cfuzz-cover.XXXXXX", tmp) < 0)
        return cfz_fail_nomem(err);
    if (mkdtemp(dir) == NULL) {
        cfz_fail_errno(err, "create a directory in %s", tmp);
        free(dir);
        return -1;
    }
    opt->profile_dir = dir;
    return 0;
}

/* The file name in the directory of profiles; NULL without memory. The caller frees it. */
static char *in_dir(const struct options *opt, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", opt->profile_dir, name) < 0 ? NULL : path;
}

static void remove_files(const struct options *opt)
{
    DIR *d = opendir(opt->profile_dir);
    struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        char *path = in_dir(opt, e->d_name);

        if (path != NULL && e->d_name[0] != '.')
            unlink(path);
        free(path);
    }
    if (d != NULL)
        closedir(d);
}

void cover_close(struct options *opt)
{
    if (opt->profile_dir == NULL)
        return;
    remove_files(opt);
    rmdir(opt->profile_dir);
    free(opt->profile_dir);
    opt->profile_dir = NULL;
}

int cover_raw(const struct options *opt, const struct test_binary *bin, struct strlist *out,
              struct cfz_error *err)
{
    DIR *d = opendir(opt->profile_dir);
    char prefix[32];
    size_t len;
    struct dirent *e;
    int ret = 0;

    len = (size_t)snprintf(prefix, sizeof prefix, "%llu-", (unsigned long long)bin->built.st_ino);
    if (d == NULL)
        return cfz_fail_errno(err, "open %s", opt->profile_dir);
    while (ret == 0 && (e = readdir(d)) != NULL) {
        struct stat st;
        char *path;

        if (strncmp(e->d_name, prefix, len) != 0)
            continue;
        path = in_dir(opt, e->d_name);
        if (path == NULL)
            ret = cfz_fail_nomem(err);
        else if (stat(path, &st) == 0 && st.st_size > 0) /* an empty one: killed as it began */
            ret = strlist_add(out, path, err);
        free(path);
    }
    closedir(d);
    return ret;
}

bool cover_counts(const struct package *pkg, const char *path)
{
    size_t len = strlen(pkg->dir);

    if (strncmp(path, pkg->dir, len) == 0 && (path[len] == '/' || pkg->dir[len - 1] == '/'))
        return true;
    for (size_t i = 0; i < pkg->nsources; i++) {
        char *real = realpath(pkg->sources[i].path, NULL);
        bool same = real != NULL && strcmp(real, path) == 0;

        free(real);
        if (same)
            return true;
    }
    return false;
}

/* The real path of a file that counts. */
static char *name_file(void *ctx, const char *path, bool *failed)
{
    char *real = realpath(path, NULL);

    *failed = real == NULL && errno == ENOMEM;
    if (real != NULL && !cover_counts(ctx, real)) {
        free(real);
        real = NULL;
    }
    return real;
}

/* What one binary's profiles say. */
static int read_binary(const struct options *opt, const struct package *pkg,
                       const struct test_binary *bin, const struct strlist *raw, struct lcov *out,
                       struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char *merged = in_dir(opt, "merged.profdata");
    int ret = -1;

    if (merged == NULL)
        return cfz_fail_nomem(err);
    if (llvm_merge(bin, raw, merged, err) == 0 && llvm_export(bin, merged, NULL, &text, err) == 0) {
        ret = lcov_read(out, cfz_buf_str(&text), name_file, (void *)pkg, err);
        if (ret < 0)
            cfz_error_wrap(err, "%s", bin->llvm_cov);
    }
    cfz_buf_release(&text);
    free(merged);
    return ret;
}

/* Whether the file is the one that the run began with. */
static bool is_same_build(const struct test_binary *bin)
{
    struct stat st;

    return stat(bin->path, &st) == 0 && st.st_ino == bin->built.st_ino &&
           st.st_size == bin->built.st_size && st.st_mtim.tv_sec == bin->built.st_mtim.tv_sec &&
           st.st_mtim.tv_nsec == bin->built.st_mtim.tv_nsec;
}

int cover_package(const struct options *opt, const struct package *pkg,
                  const struct test_binaries *bins, struct lcov *out, struct cfz_error *err)
{
    bool any = false;
    int ret = 0;

    for (size_t i = 0; i < bins->n && ret == 0; i++) {
        const struct test_binary *bin = &bins->v[i];
        struct strlist raw = STRLIST_INIT;

        ret = cover_raw(opt, bin, &raw, err);
        if (ret == 0 && raw.n > 0 && !is_same_build(bin))
            ret = cfz_fail(err, CFZ_EFORMAT,
                           "%s: the profile is of another build: the file changed while its tests "
                           "ran",
                           bin->path);
        if (ret == 0 && raw.n > 0)
            ret = read_binary(opt, pkg, bin, &raw, out, err);
        any |= raw.n > 0;
        strlist_release(&raw);
    }
    if (ret == 0 && !any)
        ret = cfz_fail(err, CFZ_EUSAGE,
                       "%s: no profile: build it by clang with -fprofile-instr-generate "
                       "-fcoverage-mapping -mllvm -runtime-counter-relocation",
                       bins->v[0].path);
    remove_files(opt);
    return ret;
}
