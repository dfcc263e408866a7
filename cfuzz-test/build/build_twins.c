/*
 * build_twins.c - see build_twins.h.
 */
#define _GNU_SOURCE
#include "build/build_twins.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/harness_name.h"
#include "base/symtab.h"
#include "build/build_inputs.h"
#include "build/source_text.h"
#include "core/io.h"

enum { FILE_MAX = 256 << 20 };

static const char prefix[] = "cfuzz_test_"; /* of a test's descriptor, abi.h */

/* Finds the next name of a test that the linker says is there twice, GNU's or LLVM's. The caller
 * frees *name. Returns where to go on, or NULL at the end. */
static const char *next_twin(const char *said, char **name)
{
    *name = NULL;
    while (said != NULL && *said != '\0') {
        size_t len = strcspn(said, "\n");
        const char *at = memmem(said, len, prefix, sizeof prefix - 1);
        bool twin = memmem(said, len, "multiple definition", 19) != NULL ||
                    memmem(said, len, "duplicate symbol", 16) != NULL;

        if (twin && memmem(said, len, harness_name(), strlen(harness_name())) != NULL) {
            *name = strdup(harness_name());
            return said + len;
        }
        if (at != NULL && twin) {
            size_t n = 0;

            at += sizeof prefix - 1;
            while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '$')
                n++;
            *name = strndup(at, n);
            return said + len;
        }
        said += len + (said[len] == '\n');
    }
    return NULL;
}

static bool defines(const struct build_step *step, const char *name)
{
    struct symtab t;
    bool yes = false;

    symtab_load(&t, step->output);
    for (size_t i = 0; i < t.n && !yes; i++)
        yes = strcmp(t.v[i].name, name) == 0;
    symtab_release(&t);
    return yes;
}

/* A path as the user knows it: relative to the package if it lies below. */
static const char *shown(const struct package *pkg, const char *path)
{
    size_t len = strlen(pkg->dir);

    if (strncmp(path, "./", 2) == 0)
        return path + 2;
    return strncmp(path, pkg->dir, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

/* Reads a file that the compiler read; relative paths are to the package. */
static int read_dependency(const struct package *pkg, const char *path, struct cfz_buf *text)
{
    struct cfz_buf full = CFZ_BUF_INIT;
    int ret = -1;

    text->len = 0;
    if (cfz_buf_printf(&full, NULL, "%s%s%s", path[0] == '/' ? "" : pkg->dir,
                       path[0] == '/' ? "" : "/", path) == 0)
        ret = cfz_io_read_file(AT_FDCWD, cfz_buf_str(&full), FILE_MAX, text, NULL);
    cfz_buf_release(&full);
    return ret;
}

/* Adds where the object of step has the test from: ", a.c:3". */
static int add_place(const struct build_step *step, const struct package *pkg, const char *name,
                     struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct strlist files = STRLIST_INIT;
    const char *source = shown(pkg, step->input), *file = source;
    size_t line = 0;
    int ret;

    if (cfz_io_read_file(AT_FDCWD, step->depfile, FILE_MAX, &text, NULL) == 0)
        depfile_parse(cfz_buf_str(&text), text.len, &files, NULL);
    for (size_t i = 0; i < files.n && line == 0; i++) {
        if (read_dependency(pkg, files.v[i], &text) < 0)
            continue;
        line = strcmp(name, harness_name()) == 0
                   ? source_function_line(cfz_buf_str(&text), text.len, name)
                   : source_test_line(cfz_buf_str(&text), text.len, name);
        if (line > 0)
            file = shown(pkg, files.v[i]);
    }
    ret = cfz_buf_printf(out, err, "%s%s", out->len > 0 ? ", " : "", file);
    if (ret == 0 && line > 0) /* a macro of the user's hides it otherwise */
        ret = cfz_buf_printf(out, err, ":%zu", line);
    if (ret == 0 && strcmp(file, source) != 0)
        ret = cfz_buf_printf(out, err, " (included by %s)", source);
    strlist_release(&files);
    cfz_buf_release(&text);
    return ret;
}

int build_twins_explain(const struct build_plan *plan, const struct package *pkg, const char *said,
                        struct cfz_error *err)
{
    struct cfz_buf places = CFZ_BUF_INIT;
    char *name;
    int ret = 0;

    while (ret == 0 && (said = next_twin(said, &name)) != NULL) {
        size_t n = 0;

        places.len = 0;
        for (size_t i = 0; i < plan->ncompiles && ret == 0 && name != NULL; i++) {
            if (!defines(&plan->steps[i], name))
                continue;
            n++;
            ret = add_place(&plan->steps[i], pkg, name, &places, err);
        }
        if (ret == 0 && n > 1)
            ret = cfz_fail(err, CFZ_EFORMAT, "%s: %s is defined %s: %s", pkg->name, name,
                           n == 2 ? "twice" : "several times", cfz_buf_str(&places));
        free(name);
    }
    cfz_buf_release(&places);
    return ret;
}
