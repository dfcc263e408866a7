/*
 * nodes.c - Mini-XML reads an input, with the types of values that its first byte says, searches it
 * and writes it.
 */
#include <stdlib.h>
#include <string.h>

#include <mxml.h>

#include "target.h"

static void quiet(const char *message)
{
    (void)message;
}

void bench_target(const uint8_t *data, size_t len)
{
    static const mxml_load_cb_t loads[5] = {MXML_TEXT_CALLBACK, MXML_INTEGER_CALLBACK,
                                            MXML_OPAQUE_CALLBACK, MXML_REAL_CALLBACK,
                                            MXML_IGNORE_CALLBACK};
    char *text = malloc(len + 1), out[512];
    mxml_node_t *top;

    if (!text)
        return;
    memcpy(text, data, len);
    text[len] = '\0';
    mxmlSetErrorCallback(quiet);
    top = mxmlLoadString(NULL, text, loads[len % 5]);
    if (top) {
        mxml_index_t *index = mxmlIndexNew(top, NULL, "b");

        mxmlFindElement(top, top, "e", "b", NULL, MXML_DESCEND);
        mxmlFindPath(top, "a/*/f");
        mxmlIndexFind(index, "e", NULL);
        mxmlIndexDelete(index);
        mxmlSaveString(top, out, sizeof out, MXML_NO_CALLBACK);
        mxmlDelete(top);
    }
    free(text);
}
