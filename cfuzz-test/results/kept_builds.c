/*
 * kept_builds.c - see kept_builds.h.
 */
#define _GNU_SOURCE
#include "results/kept_builds.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "core/io.h"

enum {
    VERSION = 1,
    FILE_MAX = 64 << 20,
    CRASHES_KEPT = 100, /* of each build */
    TEXT_KEPT = 16384,  /* of what was said of each */
};

char *kept_builds_file(const char *package_path)
{
    char *dir, *path;

    if (cache_history_dir(package_path, &dir, NULL) < 0)
        return NULL;
    if (asprintf(&path, "%s/.builds.json", dir) < 0)
        path = NULL;
    free(dir);
    return path;
}

/* ---- reading ----------------------------------------------------------------------------- */

static const char *text_of(const json_t *from, const char *key)
{
    const char *text = json_string_value(json_object_get(from, key));

    return text != NULL ? text : "";
}

static int take_crashes(struct sanitizer_table *t, const char *package, const json_t *crashes,
                        struct cfz_error *err)
{
    const json_t *v;
    size_t i;

    json_array_foreach(crashes, i, v)
    {
        json_int_t inputs = json_integer_value(json_object_get(v, "inputs"));
        const struct sanitizer_crash c = {.inputs = inputs > 0 ? (size_t)inputs : 1,
                                          .package = (char *)(uintptr_t)package,
                                          .test = (char *)(uintptr_t)text_of(v, "test"),
                                          .where = (char *)(uintptr_t)text_of(v, "where"),
                                          .command = (char *)(uintptr_t)text_of(v, "command"),
                                          .text = (char *)(uintptr_t)text_of(v, "said")};

        if (c.test[0] != '\0' && c.where[0] != '\0' && sanitizer_table_crash(t, &c, err) < 0)
            return -1;
    }
    return 0;
}

static int take_build(struct sanitizer_table *t, const char *package, json_t *from,
                      struct cfz_error *err)
{
    const char *name = text_of(from, "name"), *key;
    const char *broken = json_string_value(json_object_get(from, "broken"));
    json_t *v;

    if (name[0] == '\0' || t->ncolumns == SANITIZER_COLUMNS_MAX)
        return 0;
    if (sanitizer_table_column(t, name, json_string_value(json_object_get(from, "left_out")), err) <
        0)
        return -1;
    t->at[t->ncolumns - 1] = json_integer_value(json_object_get(from, "at"));
    json_object_foreach(json_object_get(from, "inputs"), key, v)
    {
        enum sanitizer_cell cell =
            json_is_string(v) ? sanitizer_cell_of(json_string_value(v)) : CELL_NONE;

        if (cell != CELL_NONE && key[0] != '\0' &&
            sanitizer_table_cell(t, package, key, cell, err) < 0)
            return -1;
    }
    if (broken != NULL && (sanitizer_table_cell(t, package, "", CELL_BROKEN, err) < 0 ||
                           sanitizer_table_broken(t, package, broken, err) < 0))
        return -1;
    return take_crashes(t, package, json_object_get(from, "crashes"), err);
}

/* The builds that the file at path has, or an empty array; NULL without memory. */
static json_t *read_builds(const char *path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    json_t *all = NULL, *builds = NULL;

    if (cfz_io_read_file(AT_FDCWD, path, FILE_MAX, &text, NULL) == 0)
        all = json_loadb(cfz_buf_str(&text), text.len, 0, NULL);
    cfz_buf_release(&text);
    if (json_integer_value(json_object_get(all, "version")) == VERSION)
        builds = json_incref(json_object_get(all, "builds"));
    json_decref(all);
    if (json_is_array(builds))
        return builds;
    json_decref(builds);
    return json_array();
}

int kept_builds_load(const char *path, const char *package, struct sanitizer_table *out,
                     struct cfz_error *err)
{
    json_t *builds = read_builds(path), *v;
    size_t i;
    int ret = 0;

    if (builds == NULL)
        return cfz_fail_nomem(err);
    json_array_foreach(builds, i, v)
    {
        if (ret == 0)
            ret = take_build(out, package, v, err);
    }
    json_decref(builds);
    return ret;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Text, cut, as JSON; "" where it is no UTF-8, which JSON needs. */
static json_t *text_json(const char *text)
{
    size_t len = strnlen(text, TEXT_KEPT);
    json_t *v;

    while (len > 0 && text[len] != '\0' && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--; /* inside of a character */
    v = json_stringn(text, len);
    return v != NULL ? v : json_string("");
}

static int add_crashes(json_t *build, const char *package, const struct sanitizer_table *t,
                       size_t column)
{
    json_t *crashes = json_array();

    for (size_t i = 0; i < t->ncrashes && json_array_size(crashes) < CRASHES_KEPT; i++) {
        const struct sanitizer_crash *c = &t->crashes[i];

        if (c->column == column && strcmp(c->package, package) == 0 &&
            json_array_append_new(
                crashes, json_pack("{s:o,s:o,s:I,s:o,s:o}", "where", text_json(c->where), "test",
                                   text_json(c->test), "inputs", (json_int_t)c->inputs, "command",
                                   text_json(c->command), "said", text_json(c->text))) < 0)
            break;
    }
    return json_object_set_new(build, "crashes", crashes);
}

/* What t has of the package in one build. NULL without memory. */
static json_t *build_json(const struct sanitizer_table *t, const char *package, size_t column)
{
    json_t *inputs = json_object();
    json_t *build = json_pack("{s:o,s:I,s:O}", "name", text_json(t->columns[column]), "at",
                              (json_int_t)t->at[column], "inputs", inputs);
    int ret = build == NULL ? -1 : add_crashes(build, package, t, column);

    for (size_t i = 0; i < t->nrows && ret == 0; i++) {
        const struct sanitizer_row *row = &t->rows[i];

        if (row->cell[column] != CELL_NONE && row->test[0] != '\0' &&
            strcmp(row->package, package) == 0)
            json_object_set_new(inputs, row->test, /* a name that is no UTF-8 is left out */
                                json_string(sanitizer_cell_word(row->cell[column])));
    }
    for (size_t i = 0; i < t->nbroken && ret == 0; i++)
        if (t->broken[i].column == column && strcmp(t->broken[i].package, package) == 0)
            ret = json_object_set_new(build, "broken", text_json(t->broken[i].why));
    if (ret == 0 && t->left_out[column] != NULL)
        ret = json_object_set_new(build, "left_out", text_json(t->left_out[column]));
    json_decref(inputs);
    if (ret < 0) {
        json_decref(build);
        return NULL;
    }
    return build;
}

/* Puts build among those of the file, in the place of the one with its name. */
static int put_build(json_t *builds, json_t *build)
{
    const json_t *v;
    size_t i;

    if (build == NULL)
        return -1;
    json_array_foreach(builds, i, v)
    {
        if (strcmp(text_of(v, "name"), text_of(build, "name")) == 0)
            return json_array_set_new(builds, i, build);
    }
    while (json_array_size(builds) >= SANITIZER_COLUMNS_MAX)
        json_array_remove(builds, 0);
    return json_array_append_new(builds, build);
}

static int write_text(const char *path, const char *text, struct cfz_error *err)
{
    const char *slash = strrchr(path, '/');
    char *dir = strndup(path, (size_t)(slash - path));
    int fd, ret;

    if (dir == NULL)
        return cfz_fail_nomem(err);
    if (cache_make_dir(dir, err) < 0) {
        free(dir);
        return -1;
    }
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ret = fd < 0 ? cfz_fail_errno(err, "%s", dir)
                 : cfz_io_write_file(fd, slash + 1, text, strlen(text), CFZ_IO_REPLACE, err);
    if (fd >= 0)
        close(fd);
    free(dir);
    return ret;
}

int kept_builds_save(const char *path, const char *package, const struct sanitizer_table *t,
                     struct cfz_error *err)
{
    json_t *builds = read_builds(path), *all = NULL;
    char *text = NULL;
    int ret = builds == NULL ? -1 : 0;

    for (size_t i = 0; i < t->ncolumns && ret == 0; i++)
        ret = put_build(builds, build_json(t, package, i));
    if (ret == 0)
        all = json_pack("{s:i,s:O}", "version", VERSION, "builds", builds);
    text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    ret = text == NULL ? cfz_fail_nomem(err) : write_text(path, text, err);
    free(text);
    json_decref(all);
    json_decref(builds);
    return ret;
}
