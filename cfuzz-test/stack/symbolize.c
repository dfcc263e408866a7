/*
 * symbolize.c - see symbolize.h.
 */
#include "stack/symbolize.h"

#include <string.h>

#include "base/symtab.h"
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

/* The module that frame i of st is in, or NULL, and its address there. A return address may be the
 * first byte of the next line, or function. */
static const struct cfz_module *place_of(const struct stack *st, const struct cfz_proc_shm *shm,
                                         uint32_t i, uint64_t *address)
{
    const struct cfz_module *m = modules_find(shm, st->pc[i]);

    *address = m != NULL ? st->pc[i] - (i > 0) - m->base : 0;
    return m;
}

/* The number of frames that are shown: those up to the test function, or inside of the function of
 * ours that called it (a harness has another name than its test), which the symbol table of the
 * test binary tells; all, if it does not. What is outside may take a symbolizer to name. */
static uint32_t count_shown(const struct stack *st, const struct cfz_proc_shm *shm,
                            const char *test)
{
    struct symtab own = SYMTAB_INIT;
    uint32_t n = st->n;

    symtab_load(&own, shm->modules[0].path);
    for (uint32_t i = 0; i < st->n; i++) {
        uint64_t address;
        const struct cfz_module *m = place_of(st, shm, i, &address);
        const struct symtab_function *f = m == &shm->modules[0] ? symtab_find(&own, address) : NULL;

        if (f != NULL && frames_is_test(f->name, strlen(f->name), test)) {
            n = i + 1;
            break;
        }
        if (i > 0 && f != NULL && frames_is_runtime(f->name, strlen(f->name))) {
            n = i;
            break;
        }
    }
    symtab_release(&own);
    return n;
}

/*
 * The number of innermost frames that are those of abort() in the C library, by what that exports.
 * Its debug information, where there is some, takes longer to read than all else of a short run,
 * and the user has no use for its lines.
 */
static uint32_t count_abort(const struct stack *st, const struct cfz_proc_shm *shm)
{
    struct symtab libc = SYMTAB_INIT;
    uint64_t address;
    const struct cfz_module *first = st->n > 0 ? place_of(st, shm, 0, &address) : NULL;
    const char *name = first != NULL ? strrchr(first->path, '/') : NULL;
    uint32_t n = 0;

    if (name == NULL || strncmp(name, "/libc.so", 8) != 0)
        return 0;
    symtab_load_exported(&libc, first->path);
    for (uint32_t i = 0; i < st->n && n == 0 && place_of(st, shm, i, &address) == first; i++) {
        const struct symtab_function *f = symtab_find(&libc, address);

        if (f != NULL && strcmp(f->name, "abort") == 0)
            n = i + 1;
    }
    symtab_release(&libc);
    return n;
}

/* Asks the symbolizer about all frames at once. What it cannot be asked is asked as 0x0, so that
 * there is a part of the answer for each frame. */
static int ask(const char *symbolizer, const char *test, const struct stack *st,
               const struct cfz_proc_shm *shm, struct cfz_buf *answer, struct cfz_error *err)
{
    struct strlist questions = STRLIST_INIT;
    uint32_t shown = count_shown(st, shm, test), aborted = count_abort(st, shm);
    int ret = 0;

    for (uint32_t i = 0; i < aborted && ret == 0; i++)
        ret = cfz_buf_printf(answer, err, "%s\n??:0:0\n\n", i + 1 < aborted ? "raise" : "abort");
    for (uint32_t i = aborted; i < shown && ret == 0; i++) {
        uint64_t address;
        const struct cfz_module *m = place_of(st, shm, i, &address);

        if (m == NULL || strchr(m->path, '"') != NULL)
            ret = strlist_add(&questions, "0x0", err);
        else
            ret = strlist_addf(&questions, err, "\"%s\" 0x%llx", m->path,
                               (unsigned long long)address);
    }
    if (ret == 0 && questions.n > 0)
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
    if (symbolizer != NULL && ask(symbolizer, test, st, shm, &answer, NULL) == 0)
        ret = symbolize_format(cfz_buf_str(&answer), dir, test, st, out, err);
    else
        ret = add_raw(st, shm, out, err);
    cfz_buf_release(&answer);
    return ret;
}
