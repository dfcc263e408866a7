/*
 * environment.c - see environment.h.
 *
 * Why each option is there:
 *   quarantine_size_mb=10            while fuzzing: of 256 MiB each piece is out of every cache
 * when it is used again, which takes half of the time (decision 175)
 *   detect_stack_use_after_return=0  costs some 25 us for each cfuzz_skip and cfuzz_fatal
 *   allocator_may_return_null=1      malloc may fail, and code has to cope with it
 *   detect_leaks=1                   the runtime asks for leaks itself, when an execution
 *                                    allocated more than it freed
 *   leak_check_at_exit=0             a check at the end of a process would be about all of it
 *   die_after_fork=0                 TSan: a worker of an origin with threads may start threads
 *   symbolize=0                      the driver does it, for reports that are shown: a symbolizer
 *                                    in each process that dies costs 25 to 150 ms
 *   stack_trace_format=DEFAULT       TSan: with the addresses that the driver looks up
 *   handle_abort=0                   abort() stays SIGABRT, which our handler marks; behind
 *                                    libFuzzer's command line the user may have it reported
 *   abort_on_error=1                 a report ends in SIGABRT instead of exit code 1, which the
 *                                    target itself might use
 *   halt_on_error=1                  UBSan and TSan go on after a report otherwise
 */
#include "process/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* One line for each of sanitizers_all (cli/sanitizers.h), <FLAG>_OPTIONS, and one for
 * LeakSanitizer, which comes with AddressSanitizer. */
static const struct {
    const char *name, *defaults, *forced;
    const char *fuzzing; /* defaults too, while fuzzing */
    const char *bare;    /* so that reports have addresses alone, for symbolize_report.c */
} sanitizers[] = {
    {"ASAN_OPTIONS",
     "detect_stack_use_after_return=0:allocator_may_return_null=1:detect_leaks=1:"
     "leak_check_at_exit=0",
     "abort_on_error=1", ":quarantine_size_mb=10", ":symbolize=0"},
    {"MSAN_OPTIONS", "allocator_may_return_null=1", "abort_on_error=1", "", ":symbolize=0"},
    {"TSAN_OPTIONS", "allocator_may_return_null=1:die_after_fork=0",
     "halt_on_error=1:abort_on_error=1", "", ":symbolize=0:stack_trace_format=DEFAULT"},
    {"UBSAN_OPTIONS", "print_stacktrace=1", "halt_on_error=1:abort_on_error=1", "", ":symbolize=0"},
    {"LSAN_OPTIONS", "leak_check_at_exit=0", "abort_on_error=1", "", ""},
};
/* Forced too, unless abort() may be reported. */
#define NO_ABORT "handle_abort=0:"
enum { NSANITIZERS = sizeof sanitizers / sizeof sanitizers[0] };

int environment_options(const char *name, const char *defaults, const char *user,
                        const char *forced, struct strlist *out, struct cfz_error *err)
{
    bool has_user = user != NULL && user[0] != '\0';
    bool has_forced = forced != NULL && forced[0] != '\0';

    return strlist_addf(out, err, "%s=%s%s%s%s%s", name, defaults, has_user ? ":" : "",
                        has_user ? user : "", has_forced ? ":" : "", has_forced ? forced : "");
}

static bool is_sanitizer_variable(const char *var)
{
    for (size_t i = 0; i < NSANITIZERS; i++) {
        size_t len = strlen(sanitizers[i].name);

        if (strncmp(var, sanitizers[i].name, len) == 0 && var[len] == '=')
            return true;
    }
    return false;
}

/* Whether the user has reports about some functions suppressed. If so, sanitizers have to know the
 * names of functions. */
static bool has_suppressions(void)
{
    for (size_t i = 0; i < NSANITIZERS; i++) {
        const char *user = getenv(sanitizers[i].name);

        if (user != NULL && strstr(user, "suppressions=") != NULL)
            return true;
    }
    return false;
}

/* What settings say of a variable: "a=1:b=2"; NULL: nothing. */
static const char *setting_of(const struct strlist *settings, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; settings != NULL && i < settings->n; i++)
        if (strncmp(settings->v[i], name, len) == 0 && settings->v[i][len] == '=')
            return settings->v[i] + len + 1;
    return NULL;
}

int environment_profile(const char *dir, ino_t binary, struct strlist *env, struct cfz_error *err)
{
    static const char name[] = "LLVM_PROFILE_FILE=";

    for (size_t i = 0; i < env->n; i++)
        if (strncmp(env->v[i], name, sizeof name - 1) == 0) { /* the user's: ours takes its place */
            free(env->v[i]);
            memmove(&env->v[i], &env->v[i + 1], (env->n - i) * sizeof env->v[0]);
            env->n--;
            i--;
        }
    return strlist_addf(env, err, "%s%s/%llu-%%p%%c.profraw", name, dir,
                        (unsigned long long)binary);
}

int environment_for_target(const char *symbolizer, const struct strlist *settings,
                           struct environment_use use, struct strlist *out, struct cfz_error *err)
{
    bool named = has_suppressions();

    for (char **var = environ; var != NULL && *var != NULL; var++) {
        if (!is_sanitizer_variable(*var) && strlist_add(out, *var, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < NSANITIZERS; i++) {
        const char *own = setting_of(settings, sanitizers[i].name);
        const char *fuzzing = use.fuzzes ? sanitizers[i].fuzzing : "";
        struct strlist one = STRLIST_INIT;
        char forced[80];
        int ret;

        snprintf(forced, sizeof forced, "%s%s",
                 use.reports_abort || strcmp(sanitizers[i].name, "LSAN_OPTIONS") == 0 ? ""
                                                                                      : NO_ABORT,
                 sanitizers[i].forced);

        if (symbolizer != NULL && strchr(symbolizer, ':') == NULL)
            ret = strlist_addf(&one, err, "%s%s:external_symbolizer_path=%s%s%s%s",
                               sanitizers[i].defaults, fuzzing, symbolizer,
                               named ? "" : sanitizers[i].bare, own != NULL ? ":" : "",
                               own != NULL ? own : "");
        else
            ret = strlist_addf(&one, err, "%s%s%s%s", sanitizers[i].defaults, fuzzing,
                               own != NULL ? ":" : "", own != NULL ? own : "");
        if (ret == 0)
            ret = environment_options(sanitizers[i].name, one.v[0], getenv(sanitizers[i].name),
                                      forced, out, err);
        strlist_release(&one);
        if (ret < 0)
            return -1;
    }
    return 0;
}
