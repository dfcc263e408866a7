/*
 * debugger.c - see debugger.h.
 */
#define _GNU_SOURCE
#include "test/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/harness_name.h"
#include "base/symtab.h"
#include "build/compiler.h"
#include "core/io.h"
#include "process/environment.h"
#include "process/seeds.h"
#include "process/session.h"

extern char **environ;

/* Where a test that lives on says that it failed, and where it left by exit(). */
static const char *const places[] = {
    "cfuzz_error_at", "cfuzz_fatal_at",   "cfuzz_fail",
    "cfuzz_fail_now", "cfuzz_f_error_at", "cfuzz_f_fatal_at",
    "cfuzz_f_fail",   "cfuzz_f_fail_now", "cfz_standalone_left",
};

/* The debuggers, best first. lldb's name may have its version. */
static const struct debugger {
    const char *name;
    bool gdb;
} debuggers[] = {
    {"gdb", true},      {"lldb", false},    {"lldb-19", false},
    {"lldb-22", false}, {"lldb-16", false}, {"lldb-14", false},
};

static char *find_debugger(bool *gdb)
{
    for (size_t i = 0; i < sizeof debuggers / sizeof debuggers[0]; i++) {
        char *path = find_program(debuggers[i].name);

        *gdb = debuggers[i].gdb;
        if (path != NULL)
            return path;
    }
    return NULL;
}

/* ---- the input ---------------------------------------------------------------------------- */

static bool is_added(const char *seed)
{
    return strncmp(seed, "seed#", 5) == 0 && seed[5] != '\0' &&
           strspn(seed + 5, "0123456789") == strlen(seed + 5);
}

/* Whether there is a test of that name, and a file of that seed. Setup parts are not run for it: it
 * may be what is to be debugged. */
static int check_input(const struct options *opt, const struct test_binary *bin,
                       struct cfz_error *err)
{
    size_t len = strcspn(opt->debug, "/");
    const char *seed = opt->debug[len] == '/' ? opt->debug + len + 1 : NULL;
    struct session s;
    bool found = false;
    char *path;

    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    for (size_t i = 0; i < s.origin->ntests && !found; i++)
        found = strlen(s.origin->tests[i].name) == len &&
                memcmp(s.origin->tests[i].name, opt->debug, len) == 0;
    session_close(&s);
    if (!found)
        return cfz_fail(err, CFZ_EUSAGE, "-debug=%s: %s has no fuzz test %.*s", opt->debug,
                        bin->pkg->name, (int)len, opt->debug);
    if (seed == NULL || is_added(seed))
        return 0;
    if (seed[0] == '\0' || strchr(seed, '/') != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "-debug=%s: no such seed", opt->debug);
    if (asprintf(&path, "%s/" SEED_DIR "/%s", bin->pkg->dir, opt->debug) < 0)
        return cfz_fail_nomem(err);
    found = access(path, F_OK) == 0;
    free(path);
    return found ? 0 : cfz_fail(err, CFZ_EUSAGE, "-debug=%s: no such seed", opt->debug);
}

/* ---- the commands -------------------------------------------------------------------------- */

/* Whether the binary has the function; or nobody can tell. */
static bool has(const struct test_binary *bin, const char *function)
{
    bool known, mentioned = symtab_mentions(bin->path, function, &known);

    return mentioned || !known;
}

/* The function that is the test: of a harness it has another name than the test. */
static const char *function_of(const struct test_binary *bin, const char *test)
{
    return !has(bin, test) && has(bin, harness_name()) ? harness_name() : test;
}

static int gdb_commands(const struct test_binary *bin, const char *test, struct cfz_buf *out,
                        struct cfz_error *err)
{
    if (cfz_buf_printf(out, err,
                       "set breakpoint pending on\nset confirm off\nset width 0\n"
                       "# Breakpoint 1 is the test: \"enable 1\" and \"run\" stop there.\n"
                       "break %s\ndisable 1\n",
                       function_of(bin, test)) < 0)
        return -1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (has(bin, places[i]) && cfz_buf_printf(out, err, "break %s\n", places[i]) < 0)
            return -1;
    return cfz_buf_puts(out, "run\nif $_isvoid($_exitcode)\nbacktrace\nend\n", err);
}

static int lldb_commands(const struct test_binary *bin, const char *test, struct cfz_buf *out,
                         struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "breakpoint set --name %s\nbreakpoint disable 1\n",
                       function_of(bin, test)) < 0)
        return -1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (has(bin, places[i]) &&
            cfz_buf_printf(out, err, "breakpoint set --name %s\n", places[i]) < 0)
            return -1;
    return cfz_buf_puts(out, "run\nthread backtrace\n", err);
}

/* Writes the file of commands. path is where, as a template. */
static int write_commands(const struct options *opt, const struct test_binary *bin, bool gdb,
                          char *path, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char *test = strndup(opt->debug, strcspn(opt->debug, "/"));
    int fd, ret;

    if (test == NULL)
        return cfz_fail_nomem(err);
    ret = (gdb ? gdb_commands : lldb_commands)(bin, test, &text, err);
    if (ret < 0)
        goto out;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        ret = cfz_fail_errno(err, "write %s", path);
        goto out;
    }
    ret = cfz_io_write_all(fd, text.data, text.len, err);
    close(fd);
    if (ret < 0)
        unlink(path);
out:
    free(test);
    cfz_buf_release(&text);
    return ret;
}

/* ---- the process --------------------------------------------------------------------------- */

/* Its words, from the debugger's own to those of the program. */
static int make_argv(const struct options *opt, const struct test_binary *bin, const char *debugger,
                     bool gdb, const char *commands, struct strlist *argv, struct cfz_error *err)
{
    if (strlist_add(argv, debugger, err) < 0 ||
        strlist_add(argv, gdb ? "-q" : "--no-use-colors", err) < 0 ||
        strlist_add(argv, gdb ? "-x" : "-s", err) < 0 || strlist_add(argv, commands, err) < 0 ||
        strlist_add(argv, gdb ? "--args" : "--", err) < 0 ||
        strlist_add(argv, bin->path, err) < 0 || strlist_add(argv, "-v", err) < 0 ||
        (opt->short_mode && strlist_add(argv, "-short", err) < 0))
        return -1;
    return strlist_addf(argv, err, "-run=%s", opt->debug);
}

/* The environment of a worker, but for leaks, which cannot be looked for under a debugger, and with
 * reports that have their lines. Later options win. */
static int make_environment(const struct options *opt, const struct test_binary *bin,
                            struct strlist *env, struct cfz_error *err)
{
    struct strlist first = STRLIST_INIT;
    int ret = environment_for_target(bin->symbolizer, opt->harness_env,
                                     (struct environment_use){false}, &first, err);

    for (size_t i = 0; i < first.n && ret == 0; i++) {
        const char *var = first.v[i], *equals = strchr(var, '=');
        bool options = equals != NULL && equals - var > 8 &&
                       memcmp(equals - 8, "_OPTIONS", 8) == 0 &&
                       strstr(var, "abort_on_error=1") != NULL;

        if (options)
            ret = strlist_addf(env, err, "%s:symbolize=1%s", var,
                               strncmp(var, "ASAN_", 5) == 0 ? ":detect_leaks=0" : "");
        else
            ret = strlist_add(env, var, err);
    }
    strlist_release(&first);
    return ret;
}

/* Starts the debugger at the terminal of this process, and waits. Ctrl-C is its own. */
static int run(const struct package *pkg, const struct strlist *argv, const struct strlist *env,
               struct cfz_error *err)
{
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
    void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    pid_t pid = fork();
    int status = 0, ret = 0;

    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        if (chdir(pkg->dir) == 0)
            execve(argv->v[0], argv->v, env->v);
        dprintf(STDERR_FILENO, "cfuzz-test: %s: %s\n", argv->v[0], strerror(errno));
        _exit(EXIT_USAGE);
    }
    if (pid < 0)
        ret = cfz_fail_errno(err, "fork");
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    return ret;
}

int debugger_package(const struct options *opt, const struct test_binary *bin,
                     struct cfz_error *err)
{
    const char *tmp = getenv("TMPDIR");
    struct strlist argv = STRLIST_INIT, env = STRLIST_INIT;
    char *debugger, *commands = NULL;
    bool gdb;
    int ret = -1;

    debugger = find_debugger(&gdb);
    if (debugger == NULL)
        return cfz_fail(err, CFZ_EUSAGE,
                        "-debug: no debugger: install the package gdb (or lldb-19)");
    if (check_input(opt, bin, err) < 0)
        goto out;
    if (asprintf(&commands, "%s/cfuzz-debug-XXXXXX", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp") <
        0) {
        commands = NULL;
        cfz_fail_nomem(err);
        goto out;
    }
    if (write_commands(opt, bin, gdb, commands, err) < 0)
        goto out;
    if (make_argv(opt, bin, debugger, gdb, commands, &argv, err) == 0 &&
        make_environment(opt, bin, &env, err) == 0)
        ret = run(bin->pkg, &argv, &env, err);
    unlink(commands);
out:
    strlist_release(&argv);
    strlist_release(&env);
    free(commands);
    free(debugger);
    return ret;
}
