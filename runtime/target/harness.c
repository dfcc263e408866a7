/*
 * harness.c - see harness.h.
 */
#define _GNU_SOURCE
#include "target/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/executor.h"

enum { REJECTED = -1 };

/* The harness's, in libFuzzer's words. */
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) __attribute__((weak));
extern int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
extern cfz_custom_mutator_fn LLVMFuzzerCustomMutator __attribute__((weak));
extern cfz_custom_cross_over_fn LLVMFuzzerCustomCrossOver __attribute__((weak));

/* The driver's, compiled into the harness (build/build.c). */
extern const char cfuzz_harness_name[] __attribute__((weak));

extern uint8_t __start___libfuzzer_extra_counters[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___libfuzzer_extra_counters[] __attribute__((weak, visibility("hidden")));
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);

/* One execution. */
static void cfuzz_call_harness(cfuzz_t *t, void *const *args)
{
    const uint8_t *data = *(const uint8_t *const *)args[1];
    size_t len = *(const size_t *)args[2];

    (void)t;
    if (__builtin_expect(LLVMFuzzerTestOneInput(data, len) == REJECTED, 0))
        cfz_executor.t.scope.dirty |= CFZ_DIRTY_SKIPPED | CFZ_DIRTY_REJECTED;
}

static const char *beside; /* of cfz_harness_beside, or NULL */

void cfz_harness_beside(const char *program)
{
    beside = program;
}

/* libFuzzer passes the command line that it was given. Harnesses look for files of theirs beside
 * argv[0], so that names the harness in the package directory, or where the executable is. */
static void initialize(cfuzz_f *f)
{
    static char path[CFZ_NAME_MAX + 4096];
    static char *words[] = {path, NULL};
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    char **argv = words;
    int argc = 1;

    if (slash)
        snprintf(path, sizeof path - CFZ_NAME_MAX, "%.*s", (int)(slash - beside), beside);
    else if (!getcwd(path, sizeof path - CFZ_NAME_MAX))
        strcpy(path, ".");
    snprintf(path + strlen(path), CFZ_NAME_MAX, "/%s", f->test->desc->name);
    LLVMFuzzerInitialize(&argc, &argv);
}

/* The name of the executable without what follows its last '.'. */
static const char *executable_name(void)
{
    static char name[CFZ_NAME_MAX];
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *base;
    char *dot;

    path[len > 0 ? len : 0] = '\0';
    base = strrchr(path, '/');
    snprintf(name, sizeof name, "%.200s", base ? base + 1 : "harness");
    dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

/* Which part of a harness the program has besides LLVMFuzzerTestOneInput; NULL: none. */
static const char *other_part(void)
{
    return LLVMFuzzerCustomMutator     ? "LLVMFuzzerCustomMutator"
           : LLVMFuzzerCustomCrossOver ? "LLVMFuzzerCustomCrossOver"
           : LLVMFuzzerInitialize      ? "LLVMFuzzerInitialize"
                                       : NULL;
}

bool cfz_harness_counts(void)
{
    return __stop___libfuzzer_extra_counters > __start___libfuzzer_extra_counters;
}

/* Counters of the program's own, whether it is a harness or has fuzz tests. */
static void announce_counters(void)
{
    if (cfz_harness_counts())
        __sanitizer_cov_8bit_counters_init(__start___libfuzzer_extra_counters,
                                           __stop___libfuzzer_extra_counters);
}

int cfz_harness_register(struct cfz_error *err)
{
    static const struct cfz_param_desc bytes = {.kind = CFZ_KIND_BYTES, .size = 8, .name = "data"};
    static struct cfuzz_test_desc test = {.abi = CFUZZ_ABI,
                                          .what = CFZ_DESC_TEST,
                                          .types = "[]byte",
                                          .nparams = 1,
                                          .thunk = cfuzz_call_harness,
                                          .params = &bytes};
    static struct cfuzz_test_desc part = {
        .abi = CFUZZ_ABI, .what = CFZ_DESC_SETUP, .fn = (void (*)(void))initialize};

    announce_counters();
    if (!LLVMFuzzerTestOneInput && other_part())
        return cfz_fail(err, CFZ_EFORMAT, "%s is defined, but LLVMFuzzerTestOneInput is not",
                        other_part());
    if (!LLVMFuzzerTestOneInput)
        return 0;
    test.fn = (void (*)(void))LLVMFuzzerTestOneInput;
    test.name = cfuzz_harness_name ? cfuzz_harness_name : executable_name();
    test.file = part.file = part.name = test.name;
    cfz_registry_add(&test, LLVMFuzzerInitialize ? &part : NULL);
    return 0;
}

bool cfz_is_harness(const struct cfz_test *test)
{
    return test->desc->thunk == cfuzz_call_harness;
}

cfz_custom_mutator_fn *cfz_harness_mutator(void)
{
    return LLVMFuzzerCustomMutator;
}

cfz_custom_cross_over_fn *cfz_harness_cross_over(void)
{
    return LLVMFuzzerCustomCrossOver;
}
