/*
 * symbolize.c - see symbolize.h.
 */
#include "stack/symbolize.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "stack/frames.h"
#include "base/strlist.h"
#include "base/subprocess.h"

/* The loaded file that holds address a, or NULL. The table is in memory that the target could
 * write, so nothing in it is taken for granted. */
static const struct cfz_module *find_module(const struct cfz_proc_shm *shm, uint64_t a)
{
    uint32_t n = shm->nmodules < CFZ_MODULES_MAX ? shm->nmodules : CFZ_MODULES_MAX;

    for (uint32_t i = 0; i < n; i++) {
        const struct cfz_module *m = &shm->modules[i];

        if (a >= m->start && a < m->end && m->path[0] != '\0' &&
            memchr(m->path, '\0', sizeof m->path) != NULL)
            return m;
    }
    return NULL;
}

/* What stands between abort() and the kernel. */
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

static const char *line_end(const char *s)
{
    return s + strcspn(s, "\n");
}

/* Takes the next "function\nplace\n" pair from *answer; false at the end. */
static bool next_frame(const char **answer, const char **function, size_t *function_len,
                       const char **place, size_t *place_len)
{
    const char *at = *answer, *end;

    while (*at == '\n')
        at++;
    end = line_end(at);
    if (*end == '\0')
        return false;
    *function = at;
    *function_len = (size_t)(end - at);
    *place = end + 1;
    end = line_end(*place);
    *place_len = (size_t)(end - *place);
    *answer = *end == '\0' ? end : end + 1;
    return true;
}

/* Where the frames of exit() end that lie between it and the mark of our handler. */
static const char *skip_exit_handlers(const char *answer)
{
    const char *at = strstr(answer, "__run_exit_handlers\n"), *function, *place;
    size_t function_len, place_len;

    if (at == NULL || (at != answer && at[-1] != '\n'))
        return answer;
    next_frame(&at, &function, &function_len, &place, &place_len);
    return at;
}

int symbolize_format(const char *answer, const char *dir, const char *test, const struct stack *st,
                     struct cfz_buf *out, struct cfz_error *err)
{
    struct frames frames = FRAMES_INIT;
    const char *function, *place, *from;
    size_t function_len, place_len;
    uint32_t at = 0; /* which of st the answer's next frame belongs to */
    int ret = -1;

    answer = skip_exit_handlers(answer);
    for (;;) {
        from = answer;
        if (!next_frame(&answer, &function, &function_len, &place, &place_len) ||
            frames_is_runtime(function, function_len))
            break;
        /* An empty line ends what belongs to one address. */
        if (*from == '\n' && ++at == st->inner && st->skipped > 0 &&
            frames_skip(&frames, st->skipped, err) < 0)
            goto out;
        if (frames.n == 0 && is_raise(function, function_len))
            continue;
        if (frames_add(&frames, function, function_len, place, place_len, dir, err) < 0)
            goto out;
        if (frames_is_test(function, function_len, test))
            break;
    }
    ret = frames_print(&frames, out, err);
out:
    frames_release(&frames);
    return ret;
}

/* One frame without help: the address in its file. */
static int add_raw(const struct stack *st, const struct cfz_proc_shm *shm, struct cfz_buf *out,
                   struct cfz_error *err)
{
    for (uint32_t i = 0; i < st->n; i++) {
        const struct cfz_module *m = find_module(shm, st->pc[i]);
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

/* Asks the symbolizer about all frames at once. */
static int ask(const char *symbolizer, const struct stack *st, const struct cfz_proc_shm *shm,
               struct cfz_buf *answer, struct cfz_error *err)
{
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf noise = CFZ_BUF_INIT;
    struct subprocess p = {0};
    int status, ret = -1;

    if (strlist_add(&argv, symbolizer, err) < 0 ||
        strlist_add(&argv, "--output-style=LLVM", err) < 0)
        goto out;
    for (uint32_t i = 0; i < st->n; i++) {
        const struct cfz_module *m = find_module(shm, st->pc[i]);
        /* A return address may be the first byte of the next line, or function. */
        uint64_t a = st->pc[i] - (i > 0);

        if (m == NULL)
            ret = strlist_add(&argv, "0x0", err);
        else if (strchr(m->path, '"') != NULL)
            ret = strlist_add(&argv, "0x0", err);
        else
            ret = strlist_addf(&argv, err, "\"%s\" 0x%llx", m->path,
                               (unsigned long long)(a - m->base));
        if (ret < 0)
            goto out;
        ret = -1;
    }
    p.argv = (const char *const *)argv.v;
    p.out = answer;
    p.err = &noise;
    if (subprocess_run(&p, &status, err) < 0)
        goto out;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        cfz_fail(err, CFZ_EIO, "%s: failed", symbolizer);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&noise);
    strlist_release(&argv);
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
