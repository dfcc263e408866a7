/*
 * engine.c - see engine.h. What the executables do, runtime/engine/adapter.c says.
 */
#include "build/engine.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const struct known {
    const char *name, *compiler, *prefix;
    const char *cflag, *link;
} known[] = {
    {"libfuzzer", NULL, NULL, "-fsanitize=fuzzer-no-link", "-fsanitize=fuzzer"},
    {"afl", "afl-clang-fast", "afl-", NULL,
     "-fsanitize=fuzzer"}, /* which it takes for its own driver */
    {"honggfuzz", "hfuzz-clang", "hfuzz-", NULL, NULL},
};

/* The words of a variable. */
static int add_variable(const char *name, struct strlist *out, struct cfz_error *err)
{
    const char *v = getenv(name);

    if (v == NULL || strlist_split(out, v, strlen(v), err) == 0)
        return 0;
    cfz_error_wrap(err, "%s", name);
    if (err != NULL && err->code == CFZ_EFORMAT)
        err->code = CFZ_EUSAGE;
    return -1;
}

bool engine_has_static_ffi(void)
{
    static const char *const places[] = {"/usr/lib/*/libffi.a", "/usr/lib/libffi.a",
                                         "/usr/lib64/libffi.a", "/usr/local/lib/libffi.a"};
    bool found = false;

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !found; i++) {
        glob_t g;

        found = glob(places[i], GLOB_NOSORT, NULL, &g) == 0;
        globfree(&g);
    }
    return found;
}

static int find_env(struct engine *out, struct cfz_error *err)
{
    struct strlist words = STRLIST_INIT;
    int ret = -1;

    if (add_variable("LIB_FUZZING_ENGINE", &words, err) < 0 ||
        add_variable("CXX", &out->linker, err) < 0)
        goto out;
    if (words.n == 0) {
        cfz_fail(err, CFZ_EUSAGE, "-engine=env: LIB_FUZZING_ENGINE is not set");
        goto out;
    }
    for (size_t i = 0; i < words.n; i++)
        if (strlist_add(words.v[i][0] == '/' ? &out->archives : &out->link, words.v[i], err) < 0)
            goto out;
    out->static_ffi = engine_has_static_ffi();
    ret = 0;
out:
    strlist_release(&words);
    return ret;
}

int engine_find(const struct options *opt, struct engine *out, struct cfz_error *err)
{
    *out = (struct engine){0};
    if (strcmp(opt->engine, "env") == 0)
        return find_env(out, err);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct known *k = &known[i];

        if (strcmp(opt->engine, k->name) != 0)
            continue;
        out->compiler = k->compiler;
        out->prefix = k->prefix;
        if ((k->cflag != NULL && strlist_add(&out->cflags, k->cflag, err) < 0) ||
            (k->link != NULL && strlist_add(&out->link, k->link, err) < 0))
            return -1;
        return 0;
    }
    return cfz_fail(err, CFZ_EUSAGE,
                    "-engine=%s: no such engine: libfuzzer, afl, honggfuzz, or env for what "
                    "LIB_FUZZING_ENGINE names",
                    opt->engine);
}

void engine_release(struct engine *e)
{
    strlist_release(&e->cflags);
    strlist_release(&e->link);
    strlist_release(&e->archives);
    strlist_release(&e->linker);
    *e = (struct engine){0};
}
