/*
 * html.c - libxml2 parses HTML and writes it again.
 */
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>

#include "target.h"

enum { LENGTH_MOST = 1 << 14 };

void bench_target(const uint8_t *data, size_t len)
{
    htmlDocPtr doc;
    xmlChar *out = NULL;
    int size = 0;

    if (len > LENGTH_MOST)
        return;
    doc = htmlReadMemory((const char *)data, (int)len, NULL, NULL,
                         HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    if (doc) {
        htmlDocDumpMemory(doc, &out, &size);
        xmlFree(out);
        xmlFreeDoc(doc);
    }
    xmlResetLastError();
}
