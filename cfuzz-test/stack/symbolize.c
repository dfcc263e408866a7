/*
 * symbolize.c - see symbolize.h.
 */
#include "stack/symbolize.h"

#include <string.h>

#include "stack/frames.h"
#include "stack/modules.h"
#include "stack/symbolizer.h"

/* Whether function is one of those between abort() and the kernel. */
static bool is_raise(const char *function, size_t len)
{
    static const char *const names[] = {"__pthread_kill_implementation",
                                        "__pthread_kill_internal",
                                        "__pthread_kill",
                                        "pthread_kill",
                                        "__GI_raise",
                                        "raise",
                                        "gsignal",
                                        "__GI_abort"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == len && memcmp(names[i], function, len) == 0)
            return true;
    }
    return false;
}

/* Whether function is one of ours or a sanitizer's between an allocation that was too large and its
 * mark (runtime/target/alloc.h). */
static bool is_alloc_hook(const char *function, size_t len)
{
    static const char *const names[] = {"cfz_alloc_", "__wrap_",  "__sanitizer::", "(anonymous",
                                        "__asan::",   "__msan::", "__tsan::"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) <= len && memcmp(names[i], function, strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* Moves w behind the frames of our handler and of exit() itself, if the answer has them. */
static void skip_exit_handlers(struct symbolizer_walk *w)
{
    static const char name[] = "__run_exit_handlers";
    struct symbolizer_walk at = *w;
    struct symbolizer_frame f;

    while (symbolizer_next(&at, &f)) {
        if (f.function_len == sizeof name - 1 && memcmp(f.function, name, f.function_len) == 0) {
            *w = at;
            return;
        }
    }
}

int symbolize_format(const char *answer, const char *dir, const char *test, const struct stack *st,
                     struct cfz_buf *out, struct cfz_error *err)
{
    struct symbolizer_walk w = {.at = answer};
    struct frames frames = FRAMES_INIT;
    struct symbolizer_frame f;
    uint32_t last = 0; /* the address of the frame before */
    int ret = -1;

    skip_exit_handlers(&w);
    while (symbolizer_next(&w, &f) && !frames_is_runtime(f.function, f.function_len)) {
        if (f.address != last && f.address == st->inner && st->skipped > 0 &&
            frames_skip(&frames, st->skipped, err) < 0)
            goto out;
        last = f.address;
        if (frames.n == 0 &&
            (is_raise(f.function, f.function_len) || is_alloc_hook(f.function, f.function_len)))
            continue;
        if (frames_add(&frames, f.function, f.function_len, f.place, f.place_len, dir, err) < 0)
            goto out;
        if (frames_is_test(f.function, f.function_len, test))
            break;
    }
    ret = frames_print(&frames, out, err);
out:
    frames_release(&frames);
    return ret;
}

/* Appends the frames as they are without a symbolizer: addresses in their files. */
static int add_raw(const struct stack *st, const struct cfz_proc_shm *shm, struct cfz_buf *out,
                   struct cfz_error *err)
{
    for (uint32_t i = 0; i < st->n; i++) {
        const struct cfz_module *m = modules_find(shm, st->pc[i]);
        const char *name = m != NULL ? strrchr(m->path, '/') : NULL;

        if (m == NULL) {
            if (cfz_buf_printf(out, err, "#%u 0x%llx\n", i, (unsigned long long)st->pc[i]) < 0)
                return -1;
            continue;
        }
        if (cfz_buf_printf(out, err, "#%u 0x%llx in %s\n", i,
                           (unsigned long long)(st->pc[i] - m->base),
                           name != NULL ? name + 1 : m->path) < 0)
            return -1;
    }
    return 0;
}

/* Asks the symbolizer about all frames at once. What it cannot be asked is asked as 0x0, so that
 * there is a part of the answer for each frame. */
static int ask(const char *symbolizer, const struct stack *st, const struct cfz_proc_shm *shm,
               struct cfz_buf *answer, struct cfz_error *err)
{
    struct strlist questions = STRLIST_INIT;
    int ret = 0;

    for (uint32_t i = 0; i < st->n && ret == 0; i++) {
        const struct cfz_module *m = modules_find(shm, st->pc[i]);
        /* A return address may be the first byte of the next line, or function. */
        uint64_t a = st->pc[i] - (i > 0);

        if (m == NULL || strchr(m->path, '"') != NULL)
            ret = strlist_add(&questions, "0x0", err);
        else
            ret = strlist_addf(&questions, err, "\"%s\" 0x%llx", m->path,
                               (unsigned long long)(a - m->base));
    }
    if (ret == 0)
        ret = symbolizer_ask(symbolizer, &questions, answer, err);
    strlist_release(&questions);
    return ret;
}

int symbolize_stack(const char *symbolizer, const char *dir, const char *test,
                    const struct stack *st, const struct cfz_proc_shm *shm, struct cfz_buf *out,
                    struct cfz_error *err)
{
    struct cfz_buf answer = CFZ_BUF_INIT;
    int ret;

    if (st->n == 0)
        return 0;
    if (symbolizer != NULL && ask(symbolizer, st, shm, &answer, NULL) == 0)
        ret = symbolize_format(cfz_buf_str(&answer), dir, test, st, out, err);
    else
        ret = add_raw(st, shm, out, err);
    cfz_buf_release(&answer);
    return ret;
}
