/*
 * xml.c - expat parses a document in two pieces, with handlers and name spaces.
 */
#include <stddef.h>

#include <expat.h>

#include "target.h"

enum { LENGTH_MOST = 1 << 16 };

static void element(void *data, const XML_Char *name, const XML_Char **attributes)
{
    (void)data;
    (void)name;
    (void)attributes;
}

static void end(void *data, const XML_Char *name)
{
    (void)data;
    (void)name;
}

static void text(void *data, const XML_Char *at, int len)
{
    (void)data;
    (void)at;
    (void)len;
}

static void instruction(void *data, const XML_Char *target, const XML_Char *rest)
{
    (void)data;
    (void)target;
    (void)rest;
}

void bench_target(const uint8_t *data, size_t len)
{
    const char *at = (const char *)data;
    int first = (int)(len / 3);
    XML_Parser parser = XML_ParserCreateNS(NULL, '!');

    if (!parser || len > LENGTH_MOST)
        goto out;
    XML_SetHashSalt(parser, 1); /* not another one each time */
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE);
    XML_SetElementHandler(parser, element, end);
    XML_SetCharacterDataHandler(parser, text);
    XML_SetProcessingInstructionHandler(parser, instruction);
    if (XML_Parse(parser, at, first, 0) == XML_STATUS_OK)
        XML_Parse(parser, at + first, (int)len - first, 1);
out:
    if (parser)
        XML_ParserFree(parser);
}
