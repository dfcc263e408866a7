/*
 * fake_runtime.c - stands in for the runtime in tests of the plugin.
 *
 * Collects what objects announce, runs every registered test through its thunk
 * with the values below (or main's argument says: only list), then checks what
 * must always hold between flags, records, counters and PC table, and prints one
 * line per function that the test program names in known[]:
 *
 *     <function> flag=<0|1> counters=<n> entry=<first counter>
 *
 * Compiled without the plugin.
 */
#define _GNU_SOURCE
#include "../../../runtime/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct known {
    const char *name;
    void (*fn)(void);
};
extern const struct known known[] __attribute__((weak)); /* ends with a NULL name */

enum { GROUPS = 16 };

static struct {
    uint8_t *flags, *flags_end;
    const struct cfz_func_rec *recs, *recs_end;
} modules[GROUPS];
static size_t nmodules;

static struct {
    uint8_t *start, *end;
    const uintptr_t *pcs; /* pairs of pc and flags */
} counters[GROUPS];
static size_t ncounters, npcs;

extern const struct cfuzz_test_desc __start_cfuzz_tests[] __attribute__((weak));
extern const struct cfuzz_test_desc __stop_cfuzz_tests[] __attribute__((weak));

__attribute__((noreturn)) static void die(const char *what, size_t n)
{
    printf("BROKEN: %s (%zu)\n", what, n);
    exit(1);
}

void cfuzz_module_init(uint32_t abi, uint8_t *flags, uint8_t *flags_end,
                       const struct cfz_func_rec *recs, const struct cfz_func_rec *recs_end)
{
    if (abi != CFUZZ_ABI)
        die("abi", abi);
    for (size_t i = 0; i < nmodules; i++)
        if (modules[i].flags == flags)
            return;
    modules[nmodules].flags = flags;
    modules[nmodules].flags_end = flags_end;
    modules[nmodules].recs = recs;
    modules[nmodules++].recs_end = recs_end;
}

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
    for (size_t i = 0; i < ncounters; i++)
        if (counters[i].start == start)
            return;
    counters[ncounters].start = start;
    counters[ncounters++].end = end;
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
    for (size_t i = 0; i < npcs; i++)
        if (counters[i].pcs == start)
            return;
    if (npcs == ncounters)
        die("more PC tables than counters", npcs);
    if ((end - start) / 2 != counters[npcs].end - counters[npcs].start)
        die("PC table does not match counters", (size_t)(end - start));
    counters[npcs++].pcs = start;
}

/* The part of cfuzz.h that the tests use. */
static jmp_buf leave;

#define REPORT_(f, word, after)                                                                    \
    void f(cfuzz_t *t, const char *file, int line, const char *fmt, ...)                           \
    {                                                                                              \
        va_list ap;                                                                                \
        (void)t, (void)file, (void)line;                                                           \
        printf(word ": ");                                                                         \
        va_start(ap, fmt);                                                                         \
        vprintf(fmt, ap);                                                                          \
        va_end(ap);                                                                                \
        putchar('\n');                                                                             \
        after;                                                                                     \
    }
REPORT_(cfuzz_log_at, "log", (void)0)
REPORT_(cfuzz_error_at, "error", (void)0)
REPORT_(cfuzz_fatal_at, "fatal", longjmp(leave, 1))
REPORT_(cfuzz_skip_at, "skip", longjmp(leave, 1))

void cfuzz_add_args(cfuzz_f *f, const char *file, int line, const struct cfuzz_arg *args, size_t n)
{
    (void)f, (void)file, (void)line, (void)args;
    printf("seed of %zu arguments\n", n);
}

/* One value of each kind; negative where the kind has a sign, so that a wrong extension shows. */
static const uint8_t *bytes = (const uint8_t *)"by\xff" "es";
static size_t nbytes = 5;
static const char *string = "string";
static bool truth = true;
static int8_t i8 = -8;
static int16_t i16 = -16;
static int32_t i32 = -32;
static int64_t i64 = -64;
static uint8_t u8 = 0xf8;
static uint16_t u16 = 0xff16;
static uint32_t u32 = 0xffffff32;
static uint64_t u64 = 0xffffffffffffff64;
static float f32 = -1.5f;
static double f64 = 2.25;

static void *const values[CFZ_KIND_COUNT] = {
    [CFZ_KIND_BYTES] = &bytes,  [CFZ_KIND_STRING] = &string, [CFZ_KIND_BOOL] = &truth,
    [CFZ_KIND_INT8] = &i8,      [CFZ_KIND_INT16] = &i16,     [CFZ_KIND_INT32] = &i32,
    [CFZ_KIND_INT64] = &i64,    [CFZ_KIND_INT] = &i32,       [CFZ_KIND_UINT8] = &u8,
    [CFZ_KIND_UINT16] = &u16,   [CFZ_KIND_UINT32] = &u32,    [CFZ_KIND_UINT64] = &u64,
    [CFZ_KIND_UINT] = &u32,     [CFZ_KIND_FLOAT32] = &f32,   [CFZ_KIND_FLOAT64] = &f64,
};

static void show(const struct cfuzz_test_desc *d)
{
    const struct cfz_param_desc *params = d->params;
    const char *base = strrchr(d->file, '/');

    printf("%s %s(%s) %s:%u",
           d->what == CFZ_DESC_TEST     ? "test"
           : d->what == CFZ_DESC_VALUES ? "test without t"
                                        : "setup",
           d->name,
           d->types ? d->types : "", base ? base + 1 : d->file, (unsigned)d->line);
    for (uint32_t i = 0; i < d->nparams; i++) {
        printf(" %u/%u/%s", (unsigned)params[i].kind, (unsigned)params[i].size, params[i].name);
        if (params[i].nchildren || params[i].reserved || params[i].children)
            die("reserved fields", i);
    }
    putchar('\n');
}

static void call(const struct cfuzz_test_desc *d)
{
    const struct cfz_param_desc *params = d->params;
    void *args[2 * 64 + 1];
    cfuzz_t *t = (cfuzz_t *)(uintptr_t)0x1234;
    size_t n = 0;

    if (d->what == CFZ_DESC_SETUP) {
        ((void (*)(cfuzz_f *))d->fn)(NULL);
        return;
    }
    if (!d->thunk)
        die("no thunk", 0);
    args[n++] = &t;
    for (uint32_t i = 0; i < d->nparams; i++) {
        args[n++] = values[params[i].kind];
        if (params[i].kind == CFZ_KIND_BYTES)
            args[n++] = &nbytes;
    }
    if (setjmp(leave) == 0)
        d->thunk(t, args);
}

static const char *name_of(uintptr_t pc)
{
    for (const struct known *k = known; k && k->name; k++)
        if ((uintptr_t)k->fn == pc)
            return k->name;
    return NULL;
}

/* One module: every record lies in one region, entry first, and says what the flag says. */
static size_t check_module(size_t m)
{
    size_t n = (size_t)(modules[m].flags_end - modules[m].flags), total = 0;

    if (n != (size_t)(modules[m].recs_end - modules[m].recs))
        die("flags and records differ", n);
    for (size_t i = 0; i < n; i++) {
        const struct cfz_func_rec *rec = &modules[m].recs[i];
        uint8_t *first = (uint8_t *)(uintptr_t)rec + rec->counters;
        size_t r = 0, at;
        const char *name;
        bool any = false;

        while (r < ncounters && !(first >= counters[r].start && first < counters[r].end))
            r++;
        if (r == ncounters || rec->n > (size_t)(counters[r].end - first))
            die("record outside of all counters", i);
        at = (size_t)(first - counters[r].start);
        if (counters[r].pcs[2 * at + 1] != 1)
            die("record does not begin with a function's entry", i);
        for (size_t c = 1; c < rec->n; c++)
            if (counters[r].pcs[2 * (at + c) + 1] == 1)
                die("record reaches into the next function", i);
        for (size_t c = 0; c < rec->n; c++)
            any |= first[c] != 0;
        if (any != (modules[m].flags[i] == 1))
            die("flag and counters disagree", i);
        total += rec->n;
        name = name_of(counters[r].pcs[2 * at]);
        if (name)
            printf("%s flag=%u counters=%u entry=%u\n", name, modules[m].flags[i],
                   (unsigned)rec->n, first[0]);
    }
    printf("module: %zu functions, %zu counters\n", n, total);
    return total;
}

static void show_words(const struct cfuzz_test_desc *d)
{
    const struct cfuzz_word *words = d->params;

    printf("words %s:%u\n", d->file, (unsigned)d->line);
    for (uint32_t i = 0; i < d->nparams; i++) {
        printf("word %zu: ", words[i].len);
        for (size_t k = 0; k < words[i].len; k++)
            printf(words[i].text[k] >= ' ' ? "%c" : "<%02x>", (unsigned char)words[i].text[k]);
        puts("");
    }
}

int main(int argc, char **argv)
{
    static const int order[] = {CFZ_DESC_WORDS, CFZ_DESC_SETUP, CFZ_DESC_TEST, CFZ_DESC_VALUES};
    size_t announced = 0, recorded = 0;

    (void)argv;
    setvbuf(stdout, NULL, _IONBF, 0);
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (const struct cfuzz_test_desc *d = __start_cfuzz_tests; d < __stop_cfuzz_tests; d++) {
            if (d->abi != CFUZZ_ABI)
                die("descriptor's abi", d->abi);
            if ((int)d->what != order[k])
                continue;
            if (order[k] == CFZ_DESC_WORDS) {
                show_words(d);
                continue;
            }
            show(d);
            if (argc == 1)
                call(d);
        }
    if (npcs != ncounters)
        die("counters without PC table", ncounters);
    for (size_t m = 0; m < nmodules; m++)
        recorded += check_module(m);
    for (size_t r = 0; r < ncounters; r++)
        announced += (size_t)(counters[r].end - counters[r].start);
    if (recorded != announced)
        die("counters without record", announced - recorded);
    puts("consistent");
    return 0;
}
