/*
 * trig.c - serd reads TriG and writes it again, abbreviated, to nowhere.
 */
#include <string.h>

#include <serd/serd.h>

#include "target.h"

struct memory {
    const uint8_t *data;
    size_t len, at;
};

static size_t read_memory(void *to, size_t size, size_t n, void *ctx)
{
    struct memory *m = ctx;
    size_t left = m->len - m->at;

    n *= size;
    if (n > left)
        n = left;
    if (n > 0)
        memcpy(to, m->data + m->at, n);
    m->at += n;
    return n;
}

static int no_error(void *ctx)
{
    (void)ctx;
    return 0;
}

static SerdStatus quiet(void *ctx, const SerdError *e)
{
    (void)ctx;
    (void)e;
    return SERD_SUCCESS;
}

static size_t sink(const void *at, size_t len, void *ctx)
{
    (void)at;
    (void)ctx;
    return len;
}

void bench_target(const uint8_t *data, size_t len)
{
    struct memory m = {data, len, 0};
    SerdURI base = SERD_URI_NULL;
    SerdNode uri = serd_node_new_uri_from_string((const uint8_t *)"http://e.x/a/b", NULL, &base);
    SerdEnv *env = serd_env_new(&uri);
    SerdWriter *writer = serd_writer_new(SERD_TRIG, (SerdStyle)(SERD_STYLE_ABBREVIATED | SERD_STYLE_RESOLVED |
                                         SERD_STYLE_CURIED), env, &base, sink, NULL);
    SerdReader *reader = serd_reader_new(SERD_TRIG, writer, NULL, (SerdBaseSink)serd_writer_set_base_uri,
                                         (SerdPrefixSink)serd_writer_set_prefix,
                                         (SerdStatementSink)serd_writer_write_statement,
                                         (SerdEndSink)serd_writer_end_anon);

    serd_reader_set_error_sink(reader, quiet, NULL);
    serd_writer_set_error_sink(writer, quiet, NULL);
    serd_reader_read_source(reader, read_memory, no_error, &m, (const uint8_t *)"in", 4096);
    serd_reader_free(reader);
    serd_writer_finish(writer);
    serd_writer_free(writer);
    serd_env_free(env);
    serd_node_free(&uri);
}
