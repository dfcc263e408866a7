/*
 * archive.c - minizip reads a zip archive in memory: its directory, and each member with its
 * checksum.
 */
#include <stdlib.h>
#include <string.h>

#include <unzip.h>

#include "target.h"

enum { MEMBERS_MOST = 8, DATA_MOST = 1 << 16 };

struct memory {
    const uint8_t *data;
    size_t len, at;
};

static voidpf open_memory(voidpf ctx, const void *name, int mode)
{
    (void)name;
    (void)mode;
    return ctx;
}

static uLong read_memory(voidpf ctx, voidpf stream, void *to, uLong n)
{
    struct memory *m = stream;

    (void)ctx;
    if (n > m->len - m->at)
        n = m->len - m->at;
    if (n > 0)
        memcpy(to, m->data + m->at, n);
    m->at += n;
    return n;
}

static ZPOS64_T tell_memory(voidpf ctx, voidpf stream)
{
    (void)ctx;
    return ((struct memory *)stream)->at;
}

static long seek_memory(voidpf ctx, voidpf stream, ZPOS64_T offset, int origin)
{
    struct memory *m = stream;
    ZPOS64_T from = origin == ZLIB_FILEFUNC_SEEK_CUR   ? m->at
                    : origin == ZLIB_FILEFUNC_SEEK_END ? m->len
                                                       : 0;

    (void)ctx;
    if (offset > m->len - from)
        return -1;
    m->at = from + offset;
    return 0;
}

static int no_error(voidpf ctx, voidpf stream)
{
    (void)ctx;
    (void)stream;
    return 0;
}

static void read_members(unzFile zip)
{
    static uint8_t data[4096];
    int more = unzGoToFirstFile(zip);

    for (int i = 0; more == UNZ_OK && i < MEMBERS_MOST; i++) {
        unz_file_info64 info;
        char name[64], comment[64];
        uint8_t extra[64];
        int n, all = 0;

        if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, extra, sizeof extra, comment,
                                    sizeof comment) == UNZ_OK &&
            unzOpenCurrentFile(zip) == UNZ_OK) {
            while (all < DATA_MOST && (n = unzReadCurrentFile(zip, data, sizeof data)) > 0)
                all += n;
            unzGetLocalExtrafield(zip, extra, sizeof extra);
            unzCloseCurrentFile(zip);
        }
        more = unzGoToNextFile(zip);
    }
}

void bench_target(const uint8_t *data, size_t len)
{
    struct memory m = {data, len, 0};
    zlib_filefunc64_def functions = {.zopen64_file = open_memory,
                                     .zread_file = read_memory,
                                     .ztell64_file = tell_memory,
                                     .zseek64_file = seek_memory,
                                     .zclose_file = no_error,
                                     .zerror_file = no_error,
                                     .opaque = &m};
    unzFile zip = unzOpen2_64("memory", &functions);
    char comment[64];

    if (!zip)
        return;
    unzGetGlobalComment(zip, comment, sizeof comment);
    read_members(zip);
    unzClose(zip);
}
