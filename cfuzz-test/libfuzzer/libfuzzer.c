/*
 * libfuzzer.c - see libfuzzer.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/libfuzzer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/install.h"
#include "cli/report.h"
#include "core/io.h"
#include "libfuzzer/lf_input.h"
#include "libfuzzer/lf_modes.h"

typedef int mode_fn(struct lf_target *t, int *status, struct cfz_error *err);

/* The length of the lines of text before a line, of which the first is 1. */
static size_t lines_before(const struct cfz_buf *text, unsigned line)
{
    const char *at = cfz_buf_str(text), *end = at + text->len;

    while (--line > 0 && at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL)
        at++;
    return at != NULL ? (size_t)(at - cfz_buf_str(text)) : text->len;
}

/* Reads -dict into the options. libFuzzer takes any number of words: those for which there is no
 * room are left out. */
static int load_dictionary(struct lf_target *t, struct cfz_error *err)
{
    enum { FILE_LEN_MAX = 4 * CFZ_DICT_SIZE_MAX };
    const char *path = t->flags->dict;
    struct cfz_error why = CFZ_ERROR_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    unsigned line = 0;
    int ret;

    if (path == NULL)
        return 0;
    if (cfz_io_read_file(AT_FDCWD, path, FILE_LEN_MAX, &text, &why) < 0 || text.len == 0) {
        ret = cfz_fail(err, CFZ_EUSAGE, "ParseDictionaryFile: file does not exist or is empty");
        goto out;
    }
    ret = cfz_dict_parse(cfz_buf_str(&text), text.len, &t->opt.words, &why);
    if (ret < 0)
        sscanf(why.text, "line %u", &line);
    if (ret < 0 && why.sys == ENOSPC) {
        report_line("WARNING: %s: %s: they are left out", path, why.text);
        ret = cfz_dict_parse(cfz_buf_str(&text), lines_before(&text, line), &t->opt.words, &why);
    }
    if (ret < 0)
        cfz_fail(err, CFZ_EUSAGE, "ParseDictionaryFile: error in line %u: %s: %s", line, path,
                 why.text);
    else
        report_line("Dictionary: %zu entries", t->opt.words.n);
out:
    cfz_buf_release(&text);
    return ret;
}

/* Whether all that is named are files, and there are some: then they are executed. */
static bool all_are_files(const struct lf_flags *f)
{
    for (size_t i = 0; i < f->inputs.n; i++)
        if (!lf_is_file(f->inputs.v[i]))
            return false;
    return f->inputs.n > 0;
}

/* A directory has to be there, or is made. */
static int check_directory(const struct lf_flags *f, const char *path, struct cfz_error *err)
{
    if (lf_is_directory(path) || (f->create_missing_dirs != 0 && cfz_io_mkdirs(path, err) == 0))
        return 0;
    return cfz_fail(err, CFZ_EUSAGE, "ERROR: The required directory \"%s\" does not exist", path);
}

static int check_directories(const struct lf_flags *f, struct cfz_error *err)
{
    for (size_t i = 0; i < f->inputs.n; i++)
        if (check_directory(f, f->inputs.v[i], err) < 0)
            return -1;
    return 0;
}

/* The directory of a path: all of it if it ends with a slash, as artifact_prefix may. */
static int check_directory_of(const struct lf_flags *f, const char *path, struct cfz_error *err)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    char *dir;
    int ret;

    if (slash == NULL || slash == path)
        return 0; /* the current one, or the root */
    dir = strndup(path, slash[1] == '\0' ? strlen(path) : (size_t)(slash - path));
    if (dir == NULL)
        return cfz_fail_nomem(err);
    ret = check_directory(f, dir, err);
    free(dir);
    return ret;
}

static int choose_mode(const struct lf_flags *f, mode_fn **mode, struct cfz_error *err)
{
    bool one_file = f->inputs.n == 1 && lf_is_file(f->inputs.v[0]);

    if (f->minimize_crash != 0) {
        *mode = lf_minimize;
        return one_file ? 0
                        : cfz_fail(err, CFZ_EUSAGE,
                                   "ERROR: -minimize_crash should be given one input file");
    }
    if (f->cleanse_crash != 0) {
        *mode = lf_cleanse;
        return one_file && f->exact_artifact_path != NULL
                   ? 0
                   : cfz_fail(err, CFZ_EUSAGE,
                              "ERROR: -cleanse_crash should be given one input file and "
                              "-exact_artifact_path");
    }
    if (f->merge != 0 || f->set_cover_merge != 0) {
        *mode = lf_merge;
        return check_directories(f, err);
    }
    if (all_are_files(f)) {
        *mode = lf_run;
        return 0;
    }
    *mode = lf_fuzz;
    return check_directories(f, err);
}

/* -jobs: the command of each, which is this one without -jobs and -workers. An executable of
 * several tests is told which by the driver: under the name that it has here it may be another. */
static int run_jobs(const struct lf_flags *f, const char *executable, const char *wanted,
                    int *status, struct cfz_error *err)
{
    struct strlist argv = STRLIST_INIT;
    const char *slash = strrchr(executable, '/'), *name = slash != NULL ? slash + 1 : executable;
    bool tell = wanted != NULL && strcmp(wanted, name) != 0;
    char self[PATH_MAX];
    int ret = tell ? install_self(self, err) : 0;

    if (ret == 0 && tell)
        ret = STRLIST_ADD(&argv, err, self, "libfuzzer");
    if (ret == 0)
        ret = strlist_add(&argv, executable, err);
    if (ret == 0 && tell)
        ret = strlist_add(&argv, wanted, err);

    for (size_t i = 0; i < f->given.n && ret == 0; i++)
        if (strncmp(f->given.v[i], "-jobs=", 6) != 0 && strncmp(f->given.v[i], "-workers=", 9) != 0)
            ret = strlist_add(&argv, f->given.v[i], err);
    if (ret == 0)
        ret = strlist_add_all(&argv, &f->inputs, err);
    if (ret == 0)
        ret = lf_jobs(f, (const char *const *)argv.v, status, err);
    strlist_release(&argv);
    return ret;
}

static int run_mode(const struct lf_flags *f, const char *executable, const char *wanted,
                    int *status, struct cfz_error *err)
{
    struct lf_target t;
    mode_fn *mode;
    int ret;

    /* A run that could not write what it finds does not begin. */
    if (check_directory_of(f, f->exact_artifact_path, err) < 0 ||
        check_directory_of(f, f->artifact_prefix, err) < 0 || choose_mode(f, &mode, err) < 0)
        return -1;
    if (f->jobs > 0 && mode == lf_fuzz)
        return run_jobs(f, executable, wanted, status, err);
    if (lf_target_open(&t, executable, wanted, f, mode == lf_fuzz, err) < 0)
        return -1;
    ret = load_dictionary(&t, err);
    if (ret == 0) {
        lf_target_greet(&t);
        ret = mode(&t, status, err);
    }
    if (lf_target_told_to_stop(&t)) {
        report_line("==%d== libFuzzer: run interrupted; exiting", (int)getpid());
        *status = LF_EXIT_STOPPED;
        ret = 0;
    }
    lf_target_close(&t);
    return ret;
}

/* Error texts are safe to print (error.h), and may have several lines. */
static void explain(const char *text)
{
    bool whole = strncmp(text, "ERROR: ", 7) == 0 || strncmp(text, "Parse", 5) == 0;

    fprintf(stderr, "%s%s\n", whole ? "" : "ERROR: ", text);
}

int libfuzzer_command(int argc, char **argv)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct lf_flags flags;
    int status = LF_EXIT_ERROR;

    if (argc < 2) {
        report_message(
            "usage: cfuzz-test libfuzzer <executable> <test or \"\"> [libFuzzer's flags] "
            "[files or directories]");
        return LF_EXIT_ERROR;
    }
    /* A shell has its background jobs ignore it; libFuzzer does not, and so ends when it is told.
     */
    signal(SIGINT, SIG_DFL);
    /* Lines of a run go where libFuzzer's go. */
    fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    report_lossy();
    if (lf_flags_parse(argc - 2, argv + 2, &flags, &err) < 0) {
        explain(err.text);
        return LF_EXIT_ERROR;
    }
    if (flags.help != 0) {
        lf_flags_help(stderr, argv[0]);
        status = LF_EXIT_OK;
    } else if (run_mode(&flags, argv[0], argv[1][0] != '\0' ? argv[1] : NULL, &status, &err) < 0) {
        status = LF_EXIT_ERROR;
        explain(err.text);
    }
    lf_flags_release(&flags);
    return status;
}
