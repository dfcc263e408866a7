/*
 * deflate.c - zlib inflates a stream of zlib or gzip, in steps of 512 bytes.
 */
#include <string.h>

#include <zlib.h>

#include "target.h"

enum { STEPS_MOST = 64 };

void bench_target(const uint8_t *data, size_t len)
{
    uint8_t room[512], name[8];
    gz_header header = {.name = name, .name_max = sizeof name};
    z_stream stream;
    int status;

    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, 15 + 32) != Z_OK) /* 32 finds out which it is */
        return;
    inflateGetHeader(&stream, &header);
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)len;
    for (int i = 0; i < STEPS_MOST; i++) {
        stream.next_out = room;
        stream.avail_out = sizeof room;
        status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_NEED_DICT)
            status = inflateSetDictionary(&stream, (const Bytef *)"hello", 5);
        else if (status == Z_DATA_ERROR && i == 0)
            status = inflateSync(&stream);
        if (status != Z_OK)
            break;
    }
    inflateEnd(&stream);
}
