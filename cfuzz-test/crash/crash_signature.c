/*
 * crash_signature.c - see crash_signature.h.
 */
#define _GNU_SOURCE
#include "crash/crash_signature.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "core/known.h"
#include "stack/frames.h"
#include "stack/sanitizer_report.h"

enum {
    CALLERS = 2,         /* functions outside of the place that tell crashes apart */
    UNKNOWN_FRAMES = 10, /* taken as the place where no frame can be called the user's */
};

/* FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash(uint64_t h, const void *data, size_t len)
{
    const uint8_t *p = data;

    if (h == 0)
        h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t hash_word(uint64_t h, uint64_t word)
{
    return hash(h, &word, sizeof word);
}

/* ---- frames ------------------------------------------------------------------- */

/* A frame, as far as it can be told without debugging information. */
struct frame {
    const struct cfz_module *module; /* NULL: in none */
    uint64_t at;                     /* address in the module's file, else in memory */
    const char *function;            /* NULL: not known */
    uint64_t function_start;
};

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool starts_one_of(const char *s, const char *const *prefixes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (starts(s, prefixes[i]))
            return true;
    }
    return false;
}

#define STARTS_ONE_OF(s, list) starts_one_of(s, list, sizeof(list) / sizeof((list)[0]))

/* A file of the C library, the compiler's or a sanitizer's: never where the user's error is. */
static bool is_system_file(const char *path)
{
    static const char *const names[] = {"libc.so",    "libc-",     "libm.so",    "libm-",
                                        "libgcc_s",   "libstdc++", "libc++",     "libclang_rt",
                                        "libpthread", "ld-linux",  "linux-vdso", "libasan",
                                        "libubsan",   "libffi",    "libunwind",  "ld-musl"};
    const char *name = strrchr(path, '/');

    return STARTS_ONE_OF(name != NULL ? name + 1 : path, names);
}

/* A function of a sanitizer or an interceptor, in the test binary itself. For each of
 * sanitizers_all (cli/sanitizers.h) there are "__<flag>", and the same as C++ writes it. */
static bool is_sanitizer(const char *function)
{
    static const char *const names[] = {
        "__asan",
        "__ubsan",
        "__msan",
        "__tsan",
        "__lsan",
        "__sanitizer",
        "__interceptor",
        "___interceptor",
        "_ZN6__asan",
        "_ZN7__ubsan",
        "_ZN6__msan",
        "_ZN6__tsan",
        "_ZN6__lsan",
        "_ZN11__sanitizer",
        "_ZN14__interception",
        "_ZNK11__sanitizer",
        "_Unwind_",
    };

    return STARTS_ONE_OF(function, names);
}

/* A function of our runtime: nothing from there outward is the user's. */
static bool is_runtime(const struct frame *f)
{
    return f->function != NULL && frames_is_runtime(f->function, strlen(f->function));
}

/* Tells what frame i of the crash mark is. The mark and the table of modules are in memory that the
 * target could write: nothing in them is taken for granted. */
static void look_up(const struct crash_marks *m, uint32_t i, struct frame *f)
{
    const struct cfz_proc_shm *shm = m->shm;
    uint32_t n = shm->nmodules < CFZ_MODULES_MAX ? shm->nmodules : CFZ_MODULES_MAX;
    /* A return address may be the first byte of the next function. */
    uint64_t a = shm->crash.frames[i] - (i > 0);

    *f = (struct frame){.at = a};
    for (uint32_t k = 0; k < n; k++) {
        const struct cfz_module *mod = &shm->modules[k];
        const struct symtab_function *fn;

        if (a < mod->start || a >= mod->end || memchr(mod->path, 0, sizeof mod->path) == NULL)
            continue;
        f->module = mod;
        f->at = a - mod->base;
        fn = k == 0 ? symtab_find(m->symtab, f->at) : NULL; /* the program is listed first */
        if (fn != NULL) {
            f->function = fn->name;
            f->function_start = fn->start;
        }
        return;
    }
}

static bool is_users(const struct frame *f)
{
    if (f->module == NULL || is_system_file(f->module->path))
        return false;
    return f->function == NULL || !is_sanitizer(f->function);
}

/*
 * The innermost frame of the user's code. After exit() and under a sanitizer our own handler
 * is innermost, then what called it; the user's is the first one after those.
 */
static uint32_t users_frame(const struct crash_marks *m, bool behind_handler, uint32_t n)
{
    bool behind = !behind_handler;
    struct frame f;

    for (uint32_t i = 0; i < n; i++) {
        look_up(m, i, &f);
        if (is_runtime(&f))
            break;
        if (!is_users(&f))
            behind = true;
        else if (behind)
            return i;
    }
    return n;
}

static void find_place(const struct crash_marks *m, bool behind_handler,
                       struct crash_signature *sig, const char *what)
{
    const struct cfz_crash *c = &m->shm->crash;
    uint32_t n = c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX;
    uint32_t first = users_frame(m, behind_handler, n);
    const char *line;
    struct frame f;

    snprintf(sig->where, sizeof sig->where, "%s", what);
    sig->frames = n;
    sig->whole = true;
    if (first == n) {
        /* A wild jump, or a stack that was destroyed: what there is. */
        for (uint32_t i = 0; i < n && i < UNKNOWN_FRAMES; i++) {
            look_up(m, i, &f);
            if (f.module != NULL)
                sig->place = hash_word(sig->place, f.at);
        }
        return;
    }
    look_up(m, first, &f);
    /* One line may have been compiled to several places. */
    line = f.function != NULL && m->lines != NULL ? lines_find(m->lines, f.at) : NULL;
    sig->place = line != NULL ? hash(0, line, strlen(line)) : hash_word(0, f.at);
    if (line != NULL)
        snprintf(sig->where, sizeof sig->where, "%s at %.*s", what, 60, line);
    else if (f.function != NULL)
        snprintf(sig->where, sizeof sig->where, "%s in %.*s", what, 60, f.function);
    if (first + 1 + CALLERS <= n) {
        sig->frames = first + 1 + CALLERS;
        sig->whole = false;
    }
    for (uint32_t i = first + 1; i < n && i <= first + CALLERS; i++) {
        look_up(m, i, &f);
        if (is_runtime(&f)) {
            sig->frames = i + 1;
            sig->whole = false;
            break;
        }
        sig->path = hash_word(sig->path, f.function != NULL ? f.function_start : f.at);
    }
}

/* ---- kinds -------------------------------------------------------------------- */

/*
 * The kind of a sanitizer's report without what varies: "AddressSanitizer:
 * heap-buffer-overflow", "url.c:7:9: runtime error".
 */
static size_t kind_of_report(const char *summary)
{
    const char *at = strstr(summary, ": runtime error"), *colon;

    if (at != NULL)
        return (size_t)(at - summary) + strlen(": runtime error");
    colon = strstr(summary, ": ");
    if (colon == NULL)
        return strlen(summary);
    return (size_t)(colon - summary) + 2 + strcspn(colon + 2, " \n(");
}

void crash_signature_failed(const struct crash_marks *m, struct crash_signature *sig)
{
    const char *log = m->shm->log, *line, *end;
    uint32_t len = cfz_proc_log_len(m->shm);
    uint32_t failed = atomic_load_explicit(&m->shm->fail_log_len, memory_order_relaxed);
    size_t n;

    *sig = (struct crash_signature){.class = CRASH_FAILED};
    if (failed > len)
        failed = len;
    /* The last item before it failed; further lines of an item begin with blanks. */
    end = log + failed;
    line = end;
    while (line > log) {
        const char *nl = memrchr(log, '\n', (size_t)(line - 1 - log));

        line = nl != NULL ? nl + 1 : log;
        if (*line != ' ')
            break;
    }
    /* "parse_test.c:7: text" */
    n = 0;
    for (int colons = 0; line + n < end && line[n] != '\n'; n++) {
        if (line[n] == ':' && ++colons == 2)
            break;
    }
    if (n > 0)
        sig->place = hash(0, line, n);
    snprintf(sig->where, sizeof sig->where, "%.*s", (int)(n < 80 ? n : 80), line);
}

void crash_signature_died(const struct crash_marks *m, struct crash_signature *sig)
{
    const struct cfz_crash *c = &m->shm->crash;
    char text[256];
    bool told;

    *sig = (struct crash_signature){.class = CRASH_OTHER};
    if (m->memory) {
        sig->class = CRASH_MEMORY;
        snprintf(sig->where, sizeof sig->where, "out of memory");
        return;
    }
    if (m->hung) {
        sig->class = CRASH_HUNG;
        snprintf(sig->where, sizeof sig->where, "hung");
        return;
    }
    switch (atomic_load_explicit(&m->shm->crash.kind, memory_order_relaxed)) {
    case CFZ_CRASH_SIGNAL:
        sig->marked = true;
        if (cfz_known_overflow(c)) {
            sig->class = CRASH_OVERFLOW;
            snprintf(sig->where, sizeof sig->where, "stack overflow");
            return;
        }
        sig->class = CRASH_SIGNAL;
        sig->detail = c->signo;
        snprintf(text, sizeof text, "%s", strsignal(c->signo));
        find_place(m, false, sig, text);
        return;
    case CFZ_CRASH_SANITIZER:
        sig->class = CRASH_SANITIZER;
        told = sanitizer_report_line(m->output, text);
        if (!told)
            snprintf(text, sizeof text, "sanitizer");
        text[kind_of_report(text)] = '\0';
        sig->what = hash(0, text, strlen(text));
        if (strstr(text, "stack-overflow") != NULL) {
            snprintf(sig->where, sizeof sig->where, "%.90s", text);
            return;
        }
        find_place(m, true, sig, text);
        /* AddressSanitizer tells the kind of its report apart from the text; of others the frames
         * have to do, and where there are none (a leak), or no report that says whose it is,
         * nothing does. ThreadSanitizer has more than one kind for a place. */
        sig->marked = told && c->nframes > 0 && strncmp(text, "ThreadSanitizer", 15) != 0;
        return;
    case CFZ_CRASH_EXIT:
        sig->class = CRASH_EXIT;
        sig->marked = true;
        sig->detail = c->code;
        snprintf(text, sizeof text, "exit(%d)", c->code);
        find_place(m, true, sig, text);
        return;
    default:
        break;
    }
    if (WIFSIGNALED(m->status)) {
        sig->class = CRASH_SIGNAL;
        sig->detail = WTERMSIG(m->status);
        snprintf(sig->where, sizeof sig->where, "%s", strsignal(sig->detail));
    } else if (WIFEXITED(m->status) && m->ending->why[0] != '\0') {
        sig->class = CRASH_EXIT;
        sig->detail = m->status;
        snprintf(sig->where, sizeof sig->where, "exit status %d", WEXITSTATUS(m->status));
    } else {
        sig->what = hash(0, m->ending->text, strlen(m->ending->text));
        snprintf(sig->where, sizeof sig->where, "%.90s", m->ending->text);
    }
}

bool crash_signature_same_place(const struct crash_signature *a, const struct crash_signature *b)
{
    return a->class == b->class && a->detail == b->detail && a->what == b->what &&
           a->place == b->place;
}

bool crash_signature_equal(const struct crash_signature *a, const struct crash_signature *b)
{
    return crash_signature_same_place(a, b) && a->path == b->path;
}
