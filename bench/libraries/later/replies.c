/*
 * replies.c - hiredis reads replies of Redis, in two pieces, and formats a command from the input.
 */
#include <string.h>

#include <hiredis.h>

#include "target.h"

enum { ELEMENTS_MOST = 1024 };

static redisReplyObjectFunctions own, *usual;

static void *array_of(const redisReadTask *task, int n)
{
    return n <= ELEMENTS_MOST ? usual->createArray(task, n) : NULL;
}

static void take_all(redisReader *reader)
{
    void *reply;

    while (redisReaderGetReply(reader, &reply) == REDIS_OK && reply)
        freeReplyObject(reply);
}

void bench_target(const uint8_t *data, size_t len)
{
    redisReader *reader = redisReaderCreate();
    char format[64], *command;
    size_t n = len < sizeof format ? len : sizeof format - 1;

    if (!reader)
        return;
    usual = reader->fn;
    own = *usual;
    own.createArray = array_of;
    reader->fn = &own;
    redisReaderFeed(reader, (const char *)data, len / 2);
    take_all(reader);
    redisReaderFeed(reader, (const char *)data + len / 2, len - len / 2);
    take_all(reader);
    redisReaderFree(reader);

    memcpy(format, data, n);
    format[n] = '\0';
    if (!strchr(format, '%') && redisFormatCommand(&command, format) >= 0)
        redisFreeCommand(command);
}
