/*
 * symbolize.c - see symbolize.h.
 */
#include "symbolize.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "strlist.h"
#include "subprocess.h"

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

/* A function of ours, or the way to it: nothing below is the user's. */
static bool is_runtime(const char *function, size_t len)
{
    return (len >= 4 && memcmp(function, "cfz_", 4) == 0) ||
           (len >= 11 && memcmp(function, "cfuzz_call_", 11) == 0) ||
           (len >= 8 && memcmp(function, "ffi_call", 8) == 0) ||
           (len >= 15 && memcmp(function, "__libc_start_ca", 15) == 0);
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

/* The path of a place, without dir before it and without ":0" for an unknown column. */
static int add_place(const char *place, size_t len, const char *dir, struct cfz_buf *out,
                     struct cfz_error *err)
{
    size_t dirlen = strlen(dir);

    if (len >= 2 && memcmp(place, "??", 2) == 0)
        return 0;
    if (len > dirlen && memcmp(place, dir, dirlen) == 0 && place[dirlen] == '/') {
        place += dirlen + 1;
        len -= dirlen + 1;
    }
    while (len > 2 && memcmp(place + len - 2, ":0", 2) == 0)
        len -= 2;
    if (cfz_buf_puts(out, " ", err) < 0)
        return -1;
    return cfz_buf_append(out, place, len, err);
}

int symbolize_format(const char *answer, const char *dir, struct cfz_buf *out,
                     struct cfz_error *err)
{
    unsigned n = 0;

    while (*answer != '\0') {
        const char *function = answer, *function_end = line_end(function), *place, *place_end;

        if (*function_end == '\0')
            break;
        if (function_end == function) {
            answer = function_end + 1;
            continue;
        }
        place = function_end + 1;
        place_end = line_end(place);
        answer = *place_end == '\0' ? place_end : place_end + 1;
        if (is_runtime(function, (size_t)(function_end - function)))
            break;
        if (n == 0 && is_raise(function, (size_t)(function_end - function)))
            continue;
        if (cfz_buf_printf(out, err, "#%u %.*s", n++, (int)(function_end - function), function) <
                0 ||
            add_place(place, (size_t)(place_end - place), dir, out, err) < 0 ||
            cfz_buf_puts(out, "\n", err) < 0)
            return -1;
    }
    return 0;
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

int symbolize_stack(const char *symbolizer, const char *dir, const struct stack *st,
                    const struct cfz_proc_shm *shm, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf answer = CFZ_BUF_INIT;
    int ret;

    if (st->n == 0)
        return 0;
    if (symbolizer != NULL && ask(symbolizer, st, shm, &answer, NULL) == 0)
        ret = symbolize_format(cfz_buf_str(&answer), dir, out, err);
    else
        ret = add_raw(st, shm, out, err);
    cfz_buf_release(&answer);
    return ret;
}
