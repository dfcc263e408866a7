/*
 * harness_files.c - see harness_files.h.
 */
#define _GNU_SOURCE
#include "process/harness_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/harness_name.h"
#include "base/symtab.h"
#include "core/io.h"
#include "core/shmem.h"
#include "process/seeds.h"

enum { FILE_MAX = 1 << 20 };

void harness_files_release(struct harness_files *f)
{
    free(f->base);
    free(f->dict);
    options_file_release(&f->file);
    f->base = f->dict = NULL;
}

/* Where the files of bin's harness are, without their suffixes. NULL in *base: it has none. */
static int find_base(const struct test_binary *bin, char **base, struct cfz_error *err)
{
    const struct package *pkg = bin->pkg;
    const char *path = NULL, *dot;
    bool known;

    *base = NULL;
    if (bin->prebuilt && symtab_mentions(bin->path, harness_name(), &known))
        path = bin->path;
    for (size_t i = 0; i < pkg->nsources && path == NULL && !bin->prebuilt; i++)
        if (pkg->sources[i].harness != NULL &&
            (!bin->several || pkg->sources[i].harness == bin->harness))
            path = pkg->sources[i].path;
    if (path == NULL)
        return 0;
    dot = strrchr(path, '.');
    *base = dot != NULL && dot > strrchr(path, '/') + 1 ? strndup(path, (size_t)(dot - path))
                                                        : strdup(path);
    return *base != NULL ? 0 : cfz_fail_nomem(err);
}

/* Reads <base>.options, if there is one. */
static int read_options(struct harness_files *f, struct cfz_error *err)
{
    struct cfz_buf path = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_buf_printf(&path, err, "%s.options", f->base) < 0)
        goto out;
    if (access(cfz_buf_str(&path), F_OK) != 0) {
        ret = 0;
        goto out;
    }
    if (cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), FILE_MAX, &text, err) < 0)
        goto out;
    ret = options_file_parse(cfz_buf_str(&text), text.len, &f->file, err);
    if (ret < 0)
        cfz_error_wrap(err, "%s", cfz_buf_str(&path));
out:
    cfz_buf_release(&path);
    cfz_buf_release(&text);
    return ret;
}

/* The dictionary that the options name, else <base>.dict if there is one. */
static int find_dict(struct harness_files *f, struct cfz_error *err)
{
    const char *named = f->file.dict;
    int n = named == NULL ? asprintf(&f->dict, "%s.dict", f->base)
            : named[0] == '/'
                ? asprintf(&f->dict, "%s", named)
                : asprintf(&f->dict, "%.*s%s", (int)(strrchr(f->base, '/') + 1 - f->base), f->base,
                           named);

    if (n < 0) {
        f->dict = NULL;
        return cfz_fail_nomem(err);
    }
    if (access(f->dict, F_OK) == 0)
        return 0;
    if (named != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "%s.options: dict = %s: no such file", f->base, named);
    free(f->dict);
    f->dict = NULL;
    return 0;
}

/* Settings of the file take the place of what flags left at its default. */
static void apply(struct harness_files *f)
{
    const struct options_file *file = &f->file;
    struct options *opt = &f->opt;

    if (file->has_max_len && file->max_len > 0 && !opt->fuzzmaxlen_given) {
        opt->fuzzmaxlen = file->max_len < CFZ_SLOT_SIZE ? file->max_len : CFZ_SLOT_SIZE;
        opt->fuzzmaxlen_given = true;
    }
    if (file->has_timeout && file->timeout_s > 0 && file->timeout_s < INT32_MAX &&
        !opt->hangtimeout_given)
        opt->hangtimeout_ns = (int64_t)file->timeout_s * 1000000000;
    if (file->has_rss && !opt->rss_given)
        opt->rss_mib = file->rss_mib;
    opt->harness = f->base;
    opt->harness_dict = f->dict;
    opt->harness_env = &f->file.env;
}

int harness_files_open(const struct options *opt, const struct test_binary *bin,
                       struct harness_files *out, struct cfz_error *err)
{
    *out = (struct harness_files){.opt = *opt, .file = OPTIONS_FILE_INIT};
    if (find_base(bin, &out->base, err) < 0 ||
        (out->base != NULL && (read_options(out, err) < 0 || find_dict(out, err) < 0))) {
        if (err != NULL)
            seeds_shorten(err->text, bin->pkg->dir);
        return -1;
    }
    if (out->base != NULL)
        apply(out);
    return 0;
}
