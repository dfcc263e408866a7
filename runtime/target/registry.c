/*
 * registry.c - reads the section that FUZZ_TEST and the plugin write.
 */
#include "target/registry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The linker's bounds of the section; absent when no object has one. */
extern const struct cfuzz_test_desc __start_cfuzz_tests[]
    __attribute__((weak, visibility("hidden")));
extern const struct cfuzz_test_desc __stop_cfuzz_tests[]
    __attribute__((weak, visibility("hidden")));

static struct cfz_test added; /* by cfz_registry_add; without a desc there is none */
static struct cfz_test *loaded;
static size_t nloaded;

static bool name_ok(const char *name)
{
    return strncmp(name, "Fuzz", 4) == 0 && !islower((unsigned char)name[4]);
}

static int load_types(struct cfz_test *t, struct cfz_error *err)
{
    const struct cfuzz_test_desc *d = t->desc;
    const struct cfz_param_desc *p = d->params;

    if (!p) {
        if (cfz_types_parse(d->types, t->kinds, &t->n, err) < 0)
            return cfz_error_wrap(err, "%s:%u: %s", d->file, (unsigned)d->line, d->name);
    } else {
        if (d->nparams < 1 || d->nparams > CFZ_VALUES_MAX)
            return cfz_fail(err, CFZ_EFORMAT, "%s:%u: %s: %u values, want 1 to %d", d->file,
                            (unsigned)d->line, d->name, (unsigned)d->nparams, CFZ_VALUES_MAX);
        t->n = d->nparams;
        for (size_t i = 0; i < t->n; i++) {
            if (p[i].kind <= CFZ_KIND_NONE || p[i].kind >= CFZ_KIND_COUNT)
                return cfz_fail(err, CFZ_EFORMAT, "%s:%u: %s: value %zu is of unknown kind %u",
                                d->file, (unsigned)d->line, d->name, i + 1, (unsigned)p[i].kind);
            t->kinds[i] = (enum cfz_kind)p[i].kind;
        }
    }
    for (size_t i = 0; i < t->n; i++)
        t->nslots += cfz_kind_is_slot(t->kinds[i]);
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct cfz_test *x = a, *y = b;
    int c = strcmp(x->desc->file, y->desc->file);

    if (c == 0)
        c = (x->desc->line > y->desc->line) - (x->desc->line < y->desc->line);
    return c != 0 ? c : strcmp(x->desc->name, y->desc->name);
}

static struct cfz_test *find(struct cfz_test *tests, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(tests[i].desc->name, name) == 0)
            return &tests[i];
    return NULL;
}

/* Adds a test unless there is one of its name. */
static int load_test(const struct cfz_test *test, struct cfz_test *tests, size_t *n,
                     struct cfz_error *err)
{
    const struct cfuzz_test_desc *d = test->desc;
    const struct cfz_test *twin = find(tests, *n, d->name);

    if (twin)
        return cfz_fail(err, CFZ_EFORMAT, "%s:%u: %s: defined in %s:%u too", d->file,
                        (unsigned)d->line, d->name, twin->desc->file, (unsigned)twin->desc->line);
    tests[*n] = *test;
    if (load_types(&tests[*n], err) < 0)
        return -1;
    ++*n;
    return 0;
}

/* Adds the tests of the section to tests, which has room for all of it, and the one that was added.
 */
static int load_tests(struct cfz_test *tests, size_t *n, struct cfz_error *err)
{
    if (added.desc && load_test(&added, tests, n, err) < 0)
        return -1;
    for (const struct cfuzz_test_desc *d = __start_cfuzz_tests; d < __stop_cfuzz_tests; d++) {
        if (d->abi != CFUZZ_ABI)
            return cfz_fail(err, CFZ_EFORMAT,
                            "a fuzz test was compiled for version %u of cfuzz's interface, this "
                            "runtime has version %d: compile it again",
                            (unsigned)d->abi, CFUZZ_ABI);
        if (d->what != CFZ_DESC_TEST && d->what != CFZ_DESC_VALUES)
            continue;
        if (!name_ok(d->name))
            return cfz_fail(err, CFZ_EFORMAT,
                            "%s:%u: %s: the name of a fuzz test is Fuzz, or Fuzz followed by "
                            "anything but a lower-case letter",
                            d->file, (unsigned)d->line, d->name);
        if (load_test(&(struct cfz_test){.desc = d}, tests, n, err) < 0)
            return -1;
    }
    for (const struct cfuzz_test_desc *d = __start_cfuzz_tests; d < __stop_cfuzz_tests; d++) {
        struct cfz_test *t;

        if (d->what != CFZ_DESC_SETUP)
            continue;
        t = find(tests, *n, d->name);
        if (!t)
            return cfz_fail(err, CFZ_EFORMAT, "%s:%u: FUZZ_SETUP(%s): there is no FUZZ_TEST(%s)",
                            d->file, (unsigned)d->line, d->name, d->name);
        t->setup = d;
    }
    return 0;
}

void cfz_registry_add(const struct cfuzz_test_desc *test, const struct cfuzz_test_desc *setup)
{
    added = (struct cfz_test){.desc = test, .setup = setup};
}

int cfz_registry_load(const struct cfz_test **tests, size_t *n, struct cfz_error *err)
{
    if (!loaded) {
        size_t room = (size_t)(__stop_cfuzz_tests - __start_cfuzz_tests) + 1;
        struct cfz_test *all = calloc(room, sizeof *all);
        size_t count = 0;

        if (!all)
            return cfz_fail(err, CFZ_ENOMEM, "list of fuzz tests: out of memory");
        if (load_tests(all, &count, err) < 0) {
            free(all);
            return -1;
        }
        qsort(all, count, sizeof *all, by_place);
        loaded = all;
        nloaded = count;
    }
    *tests = loaded;
    *n = nloaded;
    return 0;
}

/* Whether words are for test: those of its file, or of a file without tests. */
static bool are_for(const struct cfuzz_test_desc *words, const struct cfz_test *test)
{
    if (strcmp(words->file, test->desc->file) == 0)
        return true;
    for (size_t i = 0; i < nloaded; i++)
        if (strcmp(words->file, loaded[i].desc->file) == 0)
            return false;
    return true;
}

void cfz_registry_words(const struct cfz_test *test,
                        void (*fn)(void *ctx, const void *word, size_t len), void *ctx)
{
    for (const struct cfuzz_test_desc *d = __start_cfuzz_tests; d < __stop_cfuzz_tests; d++) {
        const struct cfuzz_word *words = d->params;

        if (d->what != CFZ_DESC_WORDS || !are_for(d, test))
            continue;
        for (uint32_t i = 0; i < d->nparams; i++)
            fn(ctx, words[i].text, words[i].len);
    }
}
