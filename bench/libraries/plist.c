/*
 * plist.c - libplist reads a property list, binary or XML, and writes it as XML.
 *
 * It is not written as binary: that hashes pointers, which differ from run to run.
 */
#include <stdlib.h>
#include <string.h>

#include <plist/plist.h>

#include "target.h"

enum { LENGTH_MOST = 4096, NODES_MOST = 1024, DEPTH_MOST = 64 };

/* A binary list may name one object many times, and the library reads it as often: what is small then grows
 * exponentially. These count what it would read, and know no error: errors are for the library to find. */
struct binary {
    const uint8_t *data;
    uint64_t len, objects, table;
    unsigned offset_size, ref_size, nodes;
};

static uint64_t number(const struct binary *b, uint64_t at, unsigned size)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < size; i++)
        n = n << 8 | (at + i < b->len ? b->data[at + i] : 0);
    return n;
}

static int small(struct binary *b, uint64_t object, int depth)
{
    uint64_t at, refs;
    unsigned kind;

    if (++b->nodes > NODES_MOST || depth > DEPTH_MOST)
        return 0;
    if (object >= b->objects)
        return 1;
    at = number(b, b->table + object * b->offset_size, b->offset_size);
    if (at >= b->len)
        return 1;
    kind = b->data[at] >> 4;
    refs = b->data[at++] & 15;
    if (refs == 15) {
        unsigned size = 1u << (number(b, at++, 1) & 15);

        refs = number(b, at, size);
        at += size;
    }
    if (kind != 0xA && kind != 0xC && kind != 0xD)
        return 1;
    if (refs > b->len)
        return 1;
    refs *= 1 + (kind == 0xD);
    for (uint64_t i = 0; i < refs && at + i * b->ref_size < b->len; i++)
        if (!small(b, number(b, at + i * b->ref_size, b->ref_size), depth + 1))
            return 0;
    return 1;
}

static int bounded(const uint8_t *data, size_t len)
{
    struct binary b = {data, len, 0, 0, 0, 0, 0};

    if (len < 40)
        return 1;
    b.offset_size = data[len - 26];
    b.ref_size = data[len - 25];
    b.objects = number(&b, len - 24, 8);
    b.table = number(&b, len - 8, 8);
    return small(&b, number(&b, len - 16, 8), 0);
}

void bench_target(const uint8_t *data, size_t len)
{
    plist_t list = NULL;
    char *text = NULL;
    uint32_t size = 0;

    if (len > LENGTH_MOST || (plist_is_binary((const char *)data, (uint32_t)len) && !bounded(data, len)))
        return;
    plist_from_memory((const char *)data, (uint32_t)len, &list);
    if (!list)
        return;
    plist_to_xml(list, &text, &size);
    free(text);
    plist_free(list);
}
