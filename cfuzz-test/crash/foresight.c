/*
 * foresight.c - see foresight.h.
 */
#include "crash/foresight.h"

#include "core/minimizer/minimizer.h"
#include "core/protocol.h"

enum {
    LEAST = 8, /* candidates that are looked for where the last try was accepted; guessed */
    /* What a try costs the minimizer itself, in ns: always, and 4 bytes of the input; and what a
     * message there and back takes that need not be sent. Measured, coarsely. */
    TRY_NS = 50,
    BYTES_PER_NS = 4,
    MESSAGE_NS = 4000,
};

/* The minimizer is on its way from the start. */
struct look {
    struct foresight *f;
    size_t tries;
    size_t most;     /* candidates */
    uint64_t budget; /* the minimizer's */
    struct cfz_error *err;
    bool failed;
};

int foresight_begin(struct foresight *f, const struct cfz_values *vs, struct cfz_error *err)
{
    *f = (struct foresight){.start = CFZ_VALUES_INIT};
    return cfz_values_copy(&f->start, vs, err);
}

void foresight_end(struct foresight *f)
{
    cfz_values_release(&f->start);
    cfz_buf_release(&f->answers);
    cfz_buf_release(&f->inputs);
}

int foresight_answer(struct foresight *f, bool accepted, struct cfz_error *err)
{
    const char answer = accepted;

    f->refused = accepted ? 0 : f->refused + 1;
    return cfz_buf_append(&f->answers, &answer, 1, err);
}

/* Appends a candidate unless a message would be too long. Context: called by cfz_minimize. */
static bool on_try(void *ctx, const struct cfz_values *cand)
{
    struct look *l = ctx;
    struct foresight *f = l->f;
    uint64_t size;
    size_t len = f->inputs.len;

    if (l->tries < f->answers.len)
        return f->answers.data[l->tries++] != 0;
    size = cfz_values_packed_size(cand);
    if (len + sizeof size + size > CFZ_MSG_TEXT_MAX) {
        l->budget = 0;
        return false;
    }
    if (cfz_buf_append(&f->inputs, &size, sizeof size, l->err) < 0 ||
        cfz_buf_reserve(&f->inputs, size, l->err) < 0) {
        l->failed = true;
        l->budget = 0;
        return false;
    }
    cfz_values_pack(cand, (uint8_t *)f->inputs.data + f->inputs.len);
    f->inputs.len += size;
    if (++f->n == l->most)
        l->budget = 0;
    return false;
}

int foresight_look(struct foresight *f, uint64_t max, struct cfz_error *err)
{
    struct look l = {.f = f, .most = LEAST + 2 * f->refused, .budget = UINT64_MAX, .err = err};
    struct cfz_values vs = CFZ_VALUES_INIT;
    uint64_t one = TRY_NS + cfz_values_packed_size(&f->start) / BYTES_PER_NS;
    int ret;

    cfz_buf_truncate(&f->inputs, 0);
    f->n = 0;
    if (l.most > max)
        l.most = max;
    if (f->answers.len * one > l.most * MESSAGE_NS)
        return 0;
    if (cfz_values_copy(&vs, &f->start, err) < 0)
        return -1;
    ret = cfz_minimize(&vs, &l.budget, on_try, &l, err);
    cfz_values_release(&vs);
    return ret < 0 || l.failed ? -1 : 0;
}
