/*
 * yaml.c - libyaml reads a stream and writes each of its documents.
 */
#include <yaml.h>

#include "target.h"

enum { LENGTH_MOST = 1 << 14, DOCUMENTS_MOST = 8 };

static int forget(void *data, unsigned char *text, size_t len)
{
    (void)data;
    (void)text;
    (void)len;
    return 1;
}

void bench_target(const uint8_t *data, size_t len)
{
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    int left = DOCUMENTS_MOST;

    if (len > LENGTH_MOST || !yaml_parser_initialize(&parser))
        return;
    if (yaml_emitter_initialize(&emitter)) {
        yaml_document_t document;

        yaml_parser_set_input_string(&parser, data, len);
        yaml_emitter_set_output(&emitter, forget, NULL);
        /* The emitter takes the document, whatever comes of it. */
        while (left-- > 0 && yaml_parser_load(&parser, &document)) {
            if (!yaml_document_get_root_node(&document)) {
                yaml_document_delete(&document);
                break;
            }
            if (!yaml_emitter_dump(&emitter, &document))
                break;
        }
        yaml_emitter_delete(&emitter);
    }
    yaml_parser_delete(&parser);
}
