/*
 * crash_frames.c - see crash_frames.h.
 */
#define _GNU_SOURCE
#include "crash/crash_frames.h"

#include <ctype.h>
#include <string.h>

#include "stack/blocks.h"
#include "stack/frames.h"
#include "stack/modules.h"

/* ---- what is not the user's ---------------------------------------------------------- */

static bool starts_one_of(const char *s, const char *const *prefixes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strncmp(s, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

#define STARTS_ONE_OF(s, list) starts_one_of(s, list, sizeof(list) / sizeof((list)[0]))

/* Whether a file is the C library's, the compiler's or a sanitizer's: the user's error is never
 * there. */
static bool is_system_file(const char *path)
{
    static const char *const names[] = {"libc.so",    "libc-",     "libm.so",    "libm-",
                                        "libgcc_s",   "libstdc++", "libc++",     "libclang_rt",
                                        "libpthread", "ld-linux",  "linux-vdso", "libasan",
                                        "libubsan",   "libffi",    "libunwind",  "ld-musl"};
    const char *name = strrchr(path, '/');

    return STARTS_ONE_OF(name != NULL ? name + 1 : path, names);
}

/* Whether a function of the test binary is a sanitizer's, or an interceptor. The names of each one
 * in sanitizers_all (cli/sanitizers.h) begin with "__<flag>", or with the same as C++ writes it. */
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
        "cfz_alloc_", /* ours, between the test and the mark */
        "__wrap_",
    };

    /* Static functions of UndefinedBehaviorSanitizer that lie in no namespace:
     * "_ZL24handleDivremOverflowImplPN7__ubsan12OverflowDataE...". */
    return STARTS_ONE_OF(function, names) ||
           (strncmp(function, "_Z", 2) == 0 && strstr(function, "N7__ubsan") != NULL);
}

/* ---- helpers ---------------------------------------------------------------------------- */

/* Words of a function's name that make it a helper: how code says that something is wrong, and how
 * it gets, copies and compares memory. */
static const char *const helper_words[] = {
    /* saying that something is wrong */
    "abort",
    "assert",
    "assertion",
    "bail",
    "bugon",
    "check",
    "croak",
    "die",
    "ensure",
    "expect",
    "fail",
    "failed",
    "failure",
    "fatal",
    "halt",
    "oops",
    "panic",
    "precondition",
    "require",
    "trap",
    "unreachable",
    "verify",
    /* memory and strings */
    "calloc",
    "malloc",
    "realloc",
    "xalloc",
    "xcalloc",
    "xmalloc",
    "xrealloc",
    "strdup",
    "xstrdup",
    "strndup",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strcpy",
    "strncpy",
    "strlen",
    "strcat",
    "strcmp",
    "strncmp",
    "strchr",
};

static bool is_helper_word(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof helper_words / sizeof helper_words[0]; i++) {
        if (strlen(helper_words[i]) == len && strncasecmp(helper_words[i], word, len) == 0)
            return true;
    }
    return false;
}

/* Names are split at '_' and where a capital follows a small letter: "my_assert", "checkThat". */
static bool has_helper_word(const char *name)
{
    while (*name != '\0') {
        size_t len = 0;

        while (isalnum((unsigned char)name[len]) &&
               (len == 0 || !isupper((unsigned char)name[len]) ||
                isupper((unsigned char)name[len - 1])))
            len++;
        if (is_helper_word(name, len))
            return true;
        name += len > 0 ? len : 1;
    }
    return false;
}

bool crash_frames_is_helper(const struct symtab *symtab, const char *function)
{
    return has_helper_word(function) || symtab_never_returns(symtab, function);
}

/* ---- taking a stack apart ------------------------------------------------------------------ */

/* A raw address, looked up as far as that costs nothing. */
struct raw {
    const struct cfz_module *module;        /* NULL: in none */
    bool program;                           /* it is the test binary */
    uint64_t at;                            /* in the file, else in memory */
    const struct symtab_function *function; /* NULL: not known */
};

static struct raw look_up(const struct crash_code *code, uint64_t pc, bool innermost)
{
    /* A return address may be the first byte of the next function. */
    struct raw r = {.at = pc - !innermost};

    r.module = modules_find(code->shm, r.at);
    if (r.module == NULL)
        return r;
    r.program = r.module == &code->shm->modules[0];
    r.at -= r.module->base;
    if (r.program)
        r.function = symtab_find(code->symtab, r.at);
    return r;
}

uint64_t crash_frames_offset(const struct crash_code *code, uint64_t pc, bool innermost)
{
    struct raw r = look_up(code, pc, innermost);

    return r.module != NULL ? r.at : 0;
}

const char *crash_frames_function(const struct crash_code *code, uint64_t pc)
{
    struct raw r = look_up(code, pc, true);

    return r.function != NULL ? r.function->name : NULL;
}

uint64_t crash_frames_loop(const struct crash_code *code, uint64_t pc)
{
    struct raw r = look_up(code, pc, true);
    uint64_t start, end;
    struct block b;

    if (!r.program || code->lines == NULL || !symtab_bounds(code->symtab, r.at, &start, &end) ||
        !blocks_find(code->lines->symbolizer, code->lines->path, start, end, r.at, &b))
        return 0;
    return b.loop;
}

const char *crash_frames_line(const struct crash_code *code, uint64_t at)
{
    const struct line *line = code->lines != NULL ? lines_find(code->lines, at) : NULL;

    return line != NULL && line->n > 0 ? line->v[line->n - 1].line : NULL;
}

static bool is_users(const struct raw *r)
{
    if (r->module == NULL || is_system_file(r->module->path))
        return false;
    return r->function == NULL || !is_sanitizer(r->function->name);
}

/* What a test calls of cfuzz.h: a function of ours, and not its setup part or thunk. */
static bool is_api(const struct raw *r)
{
    const char *name = r->function != NULL ? r->function->name : "";

    return strncmp(name, "cfuzz_", 6) == 0 && strncmp(name, "cfuzz_setup_", 12) != 0 &&
           strncmp(name, "cfuzz_call_", 11) != 0;
}

uint32_t crash_frames_behind_api(const struct crash_code *code, const uint64_t *pc, uint32_t n)
{
    enum { API_DEPTH = 6 }; /* at most so many functions of ours below the test's call */

    for (uint32_t i = n < API_DEPTH ? n : API_DEPTH; i-- > 0;) {
        struct raw r = look_up(code, pc[i], false);

        if (is_api(&r))
            return i + 1;
    }
    return 0;
}

static bool is_runtime(const struct raw *r)
{
    return r->function != NULL && frames_is_runtime(r->function->name, strlen(r->function->name));
}

/* Of a frame of a stripped program, all that is known: where its function begins; and of the
 * innermost, which is no call, the block, since one line may have several addresses. */
static void find_stripped(const struct crash_code *code, const struct raw *r, uint32_t i,
                          struct crash_frame *f)
{
    uint64_t start, end;
    struct block b;

    if (!symtab_bounds(code->symtab, r->at, &start, &end))
        return;
    f->start = start;
    if (i == 0 && code->lines != NULL &&
        blocks_find(code->lines->symbolizer, code->lines->path, start, end, r->at, &b))
        f->at = b.start;
}

/* Appends what address number i stands for: what was inlined there, and the function itself. */
static void add(const struct crash_code *code, const struct raw *r, uint32_t i,
                struct crash_frames *out)
{
    const struct line *line =
        r->program && code->lines != NULL ? lines_find(code->lines, r->at) : NULL;
    size_t n = line != NULL && line->n > 0 ? line->n : 1;

    for (size_t k = 0; k < n && out->n < CRASH_FRAMES_MAX; k++) {
        struct crash_frame *f = &out->v[out->n++];

        *f = (struct crash_frame){.at = r->at, .start = r->at, .raw = i};
        if (line != NULL && k < line->n) {
            f->function = line->v[k].function;
            f->line = line->v[k].line;
        }
        if (r->function != NULL && k + 1 == n) {
            f->start = r->function->start;
            if (f->function == NULL)
                f->function = r->function->name;
        } else if (r->program && n == 1 && f->function == NULL) {
            find_stripped(code, r, i, f);
        }
        f->helper = f->function != NULL && crash_frames_is_helper(code->symtab, f->function);
    }
}

void crash_frames_read(const struct crash_code *code, const uint64_t *pc, uint32_t n, bool behind,
                       struct crash_frames *out)
{
    uint64_t ask[CRASH_FRAMES_MAX];
    uint32_t users[CRASH_FRAMES_MAX], nusers = 0;
    size_t nask = 0;

    *out = (struct crash_frames){.end = n, .whole = true};
    for (uint32_t i = 0; i < n; i++) {
        struct raw r = look_up(code, pc[i], i == 0);

        if (is_runtime(&r) || nusers == CRASH_FRAMES_MAX) {
            out->end = i + 1;
            out->whole = false;
            break;
        }
        if (!is_users(&r))
            behind = false;
        else if (!behind) {
            users[nusers++] = i;
            if (r.program)
                ask[nask++] = r.at;
        }
    }
    if (code->lines != NULL)
        lines_ask(code->lines, ask, nask);
    for (uint32_t k = 0; k < nusers; k++) {
        struct raw r = look_up(code, pc[users[k]], users[k] == 0);

        add(code, &r, users[k], out);
    }
}
