/*
 * crash_file.c - see crash_file.h.
 */
#define _GNU_SOURCE
#include "crash/crash_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/corpus/corpus.h"
#include "core/corpus/encoding.h"
#include "core/io.h"
#include "cli/report.h"
#include "cli/sanitizers.h"
#include "process/seeds.h"
#include "base/shell.h"

/* ---- the re-run command --------------------------------------------------------- */

/* The flags that decide whether an input fails, where they are not the default ones, or a file of
 * options beside a harness might say another thing. */
static int add_limits(const struct options *opt, struct cfz_buf *out, struct cfz_error *err)
{
    char text[REPORT_DURATION_MAX];
    bool file = opt->harness != NULL;

    if (opt->short_mode && cfz_buf_puts(out, " -short", err) < 0)
        return -1;
    if ((opt->hangtimeout_ns != OPTIONS_HANGTIMEOUT_NS || (file && opt->hangtimeout_given)) &&
        cfz_buf_printf(out, err, " -hangtimeout=%s", report_duration(opt->hangtimeout_ns, text)) <
            0)
        return -1;
    if ((opt->rss_mib != OPTIONS_RSS_MIB || (file && opt->rss_given)) &&
        cfz_buf_printf(out, err, " -rss=%llu", (unsigned long long)opt->rss_mib) < 0)
        return -1;
    return 0;
}

/* Adds a blank and one word, flag and text. */
static int add_word(struct cfz_buf *out, const char *flag, const char *text, struct cfz_error *err)
{
    struct cfz_buf word = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_buf_printf(&word, err, "%s%s", flag, text) == 0 && cfz_buf_puts(out, " ", err) == 0)
        ret = shell_quote_shown(out, cfz_buf_str(&word), err);
    cfz_buf_release(&word);
    return ret;
}

/* Adds "NAME=value ", of which only the value is quoted: the name is the shell's. */
static int add_variable(struct cfz_buf *out, const char *name, const char *value,
                        struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "%s=", name) < 0 || shell_quote_shown(out, value, err) < 0)
        return -1;
    return cfz_buf_puts(out, " ", err);
}

/* Adds text as a pattern that matches it (regex(7)): a harness is named after its file. */
static int add_literal(struct cfz_buf *out, const char *text, struct cfz_error *err)
{
    for (const char *s = text; *s != '\0'; s++)
        if (cfz_buf_printf(out, err, strchr("\\^$.|?*+()[]{}", *s) != NULL ? "\\%c" : "%c", *s) < 0)
            return -1;
    return 0;
}

/* Adds the -run that selects the file. */
static int add_run(const char *test, const char *name, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf pattern = CFZ_BUF_INIT;
    int ret = -1;

    if (add_literal(&pattern, test, err) == 0 && cfz_buf_puts(&pattern, "/", err) == 0 &&
        add_literal(&pattern, name, err) == 0)
        ret = add_word(out, "-run=", cfz_buf_str(&pattern), err);
    cfz_buf_release(&pattern);
    return ret;
}

/*
 * Adds the variables that decide what is built, or what a sanitizer takes for an error, where they
 * are set: "CFLAGS='-DLIMIT=8 -UNDEBUG' ".
 */
static int add_environment(const struct origin *o, struct cfz_buf *out, struct cfz_error *err)
{
    static const char *const of_build[] = {"CC", "CFLAGS", "CXXFLAGS", "LDFLAGS"};
    const char *value;
    char name[32];

    for (size_t i = 0; i < sizeof of_build / sizeof of_build[0] && !o->bin->prebuilt; i++) {
        value = getenv(of_build[i]);
        if (value == NULL || value[0] == '\0' || (i == 0 && o->opt->cc != NULL))
            continue;
        if (add_variable(out, of_build[i], value, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < sanitizers_count; i++) {
        if ((o->build & sanitizers_all[i].bit) == 0 &&
            (o->opt->sanitizers & sanitizers_all[i].bit) == 0)
            continue;
        snprintf(name, sizeof name, "%s_OPTIONS", sanitizers_all[i].flag);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)toupper((unsigned char)*c);
        value = getenv(name);
        if (value != NULL && value[0] != '\0' && add_variable(out, name, value, err) < 0)
            return -1;
    }
    value = (o->build & CFZ_BUILD_LSAN) != 0 ? getenv("LSAN_OPTIONS") : NULL;
    return value != NULL && value[0] != '\0' ? add_variable(out, "LSAN_OPTIONS", value, err) : 0;
}

int crash_file_command(const struct origin *o, const char *test, const char *name,
                       struct cfz_buf *out, struct cfz_error *err)
{
    if (add_environment(o, out, err) < 0 || cfz_buf_puts(out, "cfuzz-test", err) < 0)
        return -1;
    if (o->opt->build_name != NULL && /* which runs cached inputs too */
        cfz_buf_printf(out, err, " -sanitizers=%s", o->opt->build_name) < 0)
        return -1;
    if (o->opt->cached &&
        ((o->opt->build_name == NULL && cfz_buf_puts(out, " -cached", err) < 0) ||
         (o->opt->corpus != NULL && add_word(out, "-corpus=", o->opt->corpus, err) < 0)))
        return -1;
    for (size_t i = 0; i < sanitizers_count && o->opt->build_name == NULL; i++) {
        if ((o->opt->sanitizers & sanitizers_all[i].bit) != 0 &&
            cfz_buf_printf(out, err, " -%s", sanitizers_all[i].flag) < 0)
            return -1;
    }
    if (o->opt->cc != NULL && add_word(out, "-cc=", o->opt->cc, err) < 0)
        return -1;
    if (o->opt->build_dir != NULL && !o->bin->prebuilt &&
        add_word(out, "-p=", o->opt->build_dir, err) < 0)
        return -1;
    if (add_limits(o->opt, out, err) < 0)
        return -1;
    if (add_run(test, name, out, err) < 0)
        return -1;
    if (o->opt->dir != NULL && o->bin->prebuilt && add_word(out, "-dir=", o->opt->dir, err) < 0)
        return -1;
    return o->opt->package_list ? add_word(out, "", o->bin->pkg->given, err) : 0;
}

/* ---- the file -------------------------------------------------------------------- */

int crash_file_save(const struct origin *o, const char *test, const struct cfz_values *input,
                    char name[17], bool *made, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char *dir = seeds_dir(o->bin->pkg->dir, test), *path = NULL;
    int ret = -1;

    if (dir == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    if (cfz_encoding_write(input, &text, err) < 0)
        goto out;
    cfz_encoding_file_name(text.data, text.len, name);
    if (asprintf(&path, "%s/%s", dir, name) < 0) {
        path = NULL;
        cfz_fail_nomem(err);
        goto out;
    }
    *made = access(path, F_OK) < 0;
    if (cfz_corpus_save(dir, input, CFZ_IO_SYNC, name, err) < 0) {
        if (err != NULL)
            seeds_shorten(err->text, o->bin->pkg->dir);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    free(path);
    free(dir);
    return ret;
}

/* The path of a crasher; the caller frees it. NULL without memory. */
static char *path_of(const struct origin *o, const char *test, const char *name)
{
    char *dir = seeds_dir(o->bin->pkg->dir, test), *path = NULL;

    if (dir != NULL && asprintf(&path, "%s/%s", dir, name) < 0)
        path = NULL;
    free(dir);
    return path;
}

bool crash_file_exists(const struct origin *o, const char *test, const char name[17])
{
    char *path = path_of(o, test, name);
    bool exists = path == NULL || access(path, F_OK) == 0;

    free(path);
    return exists;
}

void crash_file_remove(const struct origin *o, const char *test, const char name[17])
{
    char *path = path_of(o, test, name);

    if (path != NULL)
        unlink(path);
    free(path);
}

/* ---- telling of it --------------------------------------------------------------- */

int crash_file_tell(const struct origin *o, const char *test, const char *name, struct cfz_buf *out,
                    struct cfz_error *err)
{
    if (cfz_buf_printf(out, err,
                       "    Failing input written to " SEED_DIR "/%s/%s\n    To re-run:\n", test,
                       name) < 0)
        return -1;
    if (cfz_buf_puts(out, "    ", err) < 0 || crash_file_command(o, test, name, out, err) < 0)
        return -1;
    return cfz_buf_puts(out, "\n", err);
}

int crash_file_print(const char *test, const struct cfz_values *input, const char *why,
                     struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_buf_printf(out, err,
                       "    Failing input could not be written: %s\n"
                       "    Its text, for a file in " SEED_DIR "/%s:\n",
                       why, test) == 0 &&
        cfz_encoding_write(input, &text, err) == 0)
        /* The text is not indented, so that it can be cut out as it is. */
        ret = cfz_buf_append(out, text.data, text.len, err);
    cfz_buf_release(&text);
    return ret;
}
