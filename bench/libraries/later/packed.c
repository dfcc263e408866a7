/*
 * packed.c - msgpack-c unpacks an input in two pieces, object by object, prints each and packs it.
 */
#include <string.h>

#include <msgpack.h>

#include "target.h"

static void feed(msgpack_unpacker *u, const uint8_t *data, size_t len)
{
    msgpack_unpacked one;
    char text[256];

    if (!msgpack_unpacker_reserve_buffer(u, len))
        return;
    memcpy(msgpack_unpacker_buffer(u), data, len);
    msgpack_unpacker_buffer_consumed(u, len);
    msgpack_unpacked_init(&one);
    while (msgpack_unpacker_next(u, &one) == MSGPACK_UNPACK_SUCCESS) {
        msgpack_sbuffer to;
        msgpack_packer packer;

        msgpack_object_print_buffer(text, sizeof text, one.data);
        msgpack_sbuffer_init(&to);
        msgpack_packer_init(&packer, &to, msgpack_sbuffer_write);
        msgpack_pack_object(&packer, one.data);
        msgpack_object_equal(one.data, one.data);
        msgpack_sbuffer_destroy(&to);
    }
    msgpack_unpacked_destroy(&one);
}

void bench_target(const uint8_t *data, size_t len)
{
    msgpack_unpacker u;

    if (!msgpack_unpacker_init(&u, 256))
        return;
    feed(&u, data, len / 2);
    feed(&u, data + len / 2, len - len / 2);
    msgpack_unpacker_destroy(&u);
}
