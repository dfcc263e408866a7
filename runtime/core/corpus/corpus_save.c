/*
 * corpus_save.c - naming and writing corpus files.
 *
 * This is apart from corpus.c because names are SHA-256 digests, which come from libmd. The driver
 * has it, but users' test binaries must not need it. So this file is in cfz_core and not in
 * libcfuzz.a.
 */
#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <string.h>
#include <unistd.h>

#include "core/corpus/corpus.h"
#include "core/io.h"

void cfz_encoding_file_name(const void *content, size_t len, char name[17])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_LENGTH];
    SHA256_CTX ctx;

    SHA256Init(&ctx);
    SHA256Update(&ctx, content, len);
    SHA256Final(sum, &ctx);
    for (size_t i = 0; i < 8; i++) {
        name[2 * i] = digits[sum[i] >> 4];
        name[2 * i + 1] = digits[sum[i] & 15];
    }
    name[16] = '\0';
}

/* Checks that the file that is there already holds what it should. */
static int check_existing(int dirfd, const char *file, const struct cfz_buf *text,
                          struct cfz_error *err)
{
    struct cfz_buf there = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_io_read_file(dirfd, file, CFZ_FILE_MAX, &there, err) < 0)
        goto out;
    if (there.len != text->len || memcmp(there.data, text->data, text->len) != 0) {
        cfz_fail(err, CFZ_EEXIST, "%s: already there, with other content", file);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&there);
    return ret;
}

/* There is a file of that name: it has text, or is damaged, and replaced if flags say so. */
static int take_existing(int dirfd, const char *file, const struct cfz_buf *text, unsigned flags,
                         struct cfz_error *err)
{
    if (check_existing(dirfd, file, text, err) == 0)
        return 0;
    return flags & CFZ_IO_REPLACE
               ? cfz_io_write_file(dirfd, file, text->data, text->len, flags, err)
               : -1;
}

int cfz_corpus_save(const char *path, const struct cfz_values *vs, unsigned flags, char name[17],
                    struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    char file[17];
    int dirfd = -1, ret = -1;

    if (cfz_encoding_write(vs, &text, err) < 0)
        goto out;
    cfz_encoding_file_name(text.data, text.len, file);
    dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dirfd < 0) { /* the first file in it */
        if (cfz_io_mkdirs(path, err) < 0)
            goto out;
        dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (dirfd < 0) {
        cfz_fail_errno(err, "open %s", path);
        goto out;
    }
    if (cfz_io_write_file(dirfd, file, text.data, text.len, flags & ~(unsigned)CFZ_IO_REPLACE,
                          &why) < 0 &&
        (why.code != CFZ_EEXIST || take_existing(dirfd, file, &text, flags, &why) < 0)) {
        cfz_fail(err, why.code, "%s: %s", path, why.text);
        if (err)
            err->sys = why.sys;
        goto out;
    }
    memcpy(name, file, sizeof file);
    ret = 0;
out:
    if (dirfd >= 0)
        close(dirfd);
    cfz_buf_release(&text);
    return ret;
}
