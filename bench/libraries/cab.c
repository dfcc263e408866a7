/*
 * cab.c - libmspack opens a cabinet in memory and unpacks its first files to nowhere.
 */
#include <stdlib.h>
#include <string.h>

#include <mspack.h>

#include "target.h"

enum { FILES_MOST = 4, ROOM_MOST = 1 << 22, WRITTEN_MOST = 1 << 18 };

struct memory {
    struct mspack_system system; /* first: the library gives it back */
    const uint8_t *data;
    size_t len;
};

struct file { /* what is read; what is written has no data */
    const uint8_t *data;
    off_t len, at;
};

static struct mspack_file *open_memory(struct mspack_system *system, const char *name, int mode)
{
    struct memory *m = (struct memory *)system;
    struct file *file = calloc(1, sizeof *file);

    (void)name;
    if (file && mode == MSPACK_SYS_OPEN_READ) {
        file->data = m->data;
        file->len = (off_t)m->len;
    }
    return (struct mspack_file *)file;
}

static void close_memory(struct mspack_file *handle)
{
    free(handle);
}

static int read_memory(struct mspack_file *handle, void *to, int size)
{
    struct file *file = (struct file *)handle;
    off_t left = file->len - file->at;
    int n = size < left ? size : (int)left;

    if (n > 0)
        memcpy(to, file->data + file->at, (size_t)n);
    file->at += n;
    return n;
}

static int write_memory(struct mspack_file *handle, void *from, int size)
{
    struct file *file = (struct file *)handle;

    (void)from;
    file->at += size;
    return file->at > WRITTEN_MOST ? -1 : size;
}

static int seek_memory(struct mspack_file *handle, off_t offset, int origin)
{
    struct file *file = (struct file *)handle;
    off_t base = origin == MSPACK_SYS_SEEK_CUR ? file->at : origin == MSPACK_SYS_SEEK_END ? file->len : 0;

    if (base + offset < 0 || base + offset > file->len)
        return -1;
    file->at = base + offset;
    return 0;
}

static off_t tell_memory(struct mspack_file *handle)
{
    return ((struct file *)handle)->at;
}

static void ignore(struct mspack_file *handle, const char *format, ...)
{
    (void)handle;
    (void)format;
}

static void *allocate(struct mspack_system *system, size_t size)
{
    (void)system;
    return size > ROOM_MOST ? NULL : calloc(1, size); /* what it leaves unset is the same in each run */
}

static void copy(void *from, void *to, size_t size)
{
    memcpy(to, from, size);
}

void bench_target(const uint8_t *data, size_t len)
{
    struct memory m = {{open_memory, close_memory, read_memory, write_memory, seek_memory, tell_memory, ignore,
                        allocate, free, copy, NULL}, data, len};
    struct mscab_decompressor *decompressor = mspack_create_cab_decompressor(&m.system);
    struct mscabd_cabinet *cabinet;

    if (!decompressor)
        return;
    cabinet = decompressor->open(decompressor, "in");
    if (cabinet) {
        struct mscabd_file *file = cabinet->files;

        for (int i = 0; i < FILES_MOST && file; i++, file = file->next)
            decompressor->extract(decompressor, file, "out");
        decompressor->close(decompressor, cabinet);
    }
    mspack_destroy_cab_decompressor(decompressor);
}
