/*
 * filter.c - jq compiles a filter to bytecode. It is not run: a filter may run forever.
 */
#include <string.h>

#include <compile.h>
#include <jq_parser.h>
#include <locfile.h>

#include "target.h"

enum { LENGTH_MOST = 1024 };

/* What the library takes for getentropy (newest_formats.py): it salts its hashes. */
int bench_entropy(void *to, size_t size)
{
    memset(to, 0, size);
    return 0;
}

/* The library has these two in the file that runs filters, which is not here. */
void jq_report_error(jq_state *jq, jv message)
{
    (void)jq;
    jv_free(message);
}

void jq_get_input_cb(jq_state *jq, jq_input_cb *call, void **ctx)
{
    (void)jq;
    *call = NULL;
    *ctx = NULL;
}

void bench_target(const uint8_t *data, size_t len)
{
    /* What the parser itself makes calls of; jq defines these in its own language, which takes it too long. */
    static const struct cfunction CALLED[] = {
        {NULL, "_plus", 3}, {NULL, "_minus", 3}, {NULL, "_multiply", 3}, {NULL, "_divide", 3}, {NULL, "_mod", 3},
        {NULL, "_equal", 3}, {NULL, "_notequal", 3}, {NULL, "_less", 3}, {NULL, "_greater", 3},
        {NULL, "_lesseq", 3}, {NULL, "_greatereq", 3}, {NULL, "_negate", 1}, {NULL, "_modify", 3},
        {NULL, "_assign", 3}, {NULL, "format", 2}, {NULL, "recurse", 1}, {NULL, "error", 1}};
    struct locfile *text;
    struct bytecode *code = NULL;
    block program;

    if (len > LENGTH_MOST)
        return;
    text = locfile_init(NULL, "filter", (const char *)data, (int)len);
    if (jq_parse(text, &program) == 0) {
        jv_free(block_take_imports(&program));
        program = gen_cbinding(CALLED, sizeof CALLED / sizeof *CALLED, program);
        program = block_drop_unreferenced(program);
        if (block_compile(program, &code, text, jv_object()) == 0)
            bytecode_free(code);
    }
    locfile_free(text);
}
