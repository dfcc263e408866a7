/*
 * package.c - from the command line's arguments to directories to sources.
 */
#define _GNU_SOURCE
#include "build/package.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/io.h"
#include "build/directives.h"
#include "build/source_text.h"
#include "build/test_includes.h"
#include "base/harness_name.h"
#include "base/subprocess.h"
#include "base/symtab.h"
#include "cli/report.h"

/* Longest source that is looked into; a generated table may well be a few megabytes. */
#define SOURCE_MAX ((size_t)256 << 20)

/* What makes a source a harness of libFuzzer's kind. */

static bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);

    return n > k && strcmp(s + n - k, suffix) == 0;
}

static bool is_cxx_name(const char *name)
{
    return has_suffix(name, ".cc") || has_suffix(name, ".cpp") || has_suffix(name, ".cxx");
}

static bool is_header_name(const char *name)
{
    return has_suffix(name, ".h") || has_suffix(name, ".hh") || has_suffix(name, ".hpp") ||
           has_suffix(name, ".hxx");
}

static void package_release(struct package *p)
{
    free(p->given);
    free(p->name);
    free(p->dir);
    free(p->path);
    free(p->executable);
    free(p->compile_commands);
    free(p->gone);
    free(p->unlisted);
    for (size_t i = 0; i < p->nsources; i++) {
        free(p->sources[i].path);
        free(p->sources[i].real);
        free(p->sources[i].harness);
        strlist_release(&p->sources[i].flags);
    }
    free(p->sources);
    strlist_release(&p->excluded);
    strlist_release(&p->cflags);
    strlist_release(&p->cxxflags);
    strlist_release(&p->libraries);
    strlist_release(&p->comparators);
    strlist_release(&p->ldflags);
    memset(p, 0, sizeof(*p));
}

void packages_release(struct packages *p)
{
    for (size_t i = 0; i < p->n; i++)
        package_release(&p->v[i]);
    free(p->v);
    *p = (struct packages){NULL, 0};
}

/*
 * Adds the package whose directory is dir, unless the directory is there already, since it was
 * named twice. An executable is always added.
 */
static int add_package(struct packages *out, const char *name, const char *dir,
                       const char *executable, bool among_others, struct cfz_error *err)
{
    struct package p = {.among_others = among_others}, *v;
    const char *base;

    p.dir = realpath(dir, NULL);
    if (p.dir == NULL)
        return cfz_fail_errno(err, "%s", dir);
    if (executable != NULL) {
        p.executable = realpath(executable, NULL);
        if (p.executable == NULL) {
            cfz_fail_errno(err, "%s", executable);
            goto failed;
        }
    }
    for (size_t i = 0; i < out->n && executable == NULL; i++) {
        if (out->v[i].executable == NULL && strcmp(out->v[i].dir, p.dir) == 0) {
            package_release(&p);
            return 0;
        }
    }
    base = strrchr(p.dir, '/') + 1;
    p.given = strdup(name);
    p.name = strdup(strcmp(name, ".") == 0 && base[0] != '\0' ? base : name);
    p.path = strdup(p.dir + 1);
    v = realloc(out->v, (out->n + 1) * sizeof(*v));
    if (v != NULL)
        out->v = v;
    if (p.given == NULL || p.name == NULL || p.path == NULL || v == NULL) {
        cfz_fail_nomem(err);
        goto failed;
    }
    out->v[out->n++] = p;
    return 0;
failed:
    package_release(&p);
    return -1;
}

/* Test executables are ELF files that may be run. */
static bool is_executable(const char *path)
{
    return access(path, X_OK) == 0 && symtab_is_elf(path);
}

static bool exists_in(const char *dir, const char *name)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    bool yes = cfz_buf_printf(&path, NULL, "%s/%s", dir, name) == 0 &&
               access(cfz_buf_str(&path), F_OK) == 0;

    cfz_buf_release(&path);
    return yes;
}

/* Whether "..." descends into an entry of this name. */
static bool is_tree_name(const char *name)
{
    return name[0] != '.' && name[0] != '_' && strcmp(name, "testdata") != 0;
}

/* Whether a file of this name may belong to the package: as in Go, '_' sets one aside. */
static bool is_source_name(const char *name)
{
    return name[0] != '.' && name[0] != '_';
}

/*
 * Adds dir, called name, and what is below it, and sets *any when there was
 * something to add. Symbolic links to directories are not followed, and below the top one a
 * directory that may not be read is passed over: it need not be the user's.
 */
static int walk_tree(struct packages *out, const char *name, const char *dir, bool top, bool *any,
                     struct cfz_error *err)
{
    struct dirent **entries = NULL;
    struct cfz_buf sub_dir = CFZ_BUF_INIT, sub_name = CFZ_BUF_INIT;
    bool has_sources = false;
    int n, ret = -1;

    /* Build trees hold C files that a build system wrote for itself. */
    if (exists_in(dir, "CMakeCache.txt") || exists_in(dir, "meson-info"))
        return 0;
    n = scandir(dir, &entries, NULL, alphasort);
    if (n < 0 && errno == EACCES && !top) {
        report_message("warning: %s: %s: passed over", name, strerror(errno));
        return 0;
    }
    if (n < 0)
        return cfz_fail_errno(err, "%s", dir);
    for (int i = 0; i < n; i++)
        has_sources |= is_source_name(entries[i]->d_name) &&
                       (has_suffix(entries[i]->d_name, ".c") || is_cxx_name(entries[i]->d_name));
    *any |= has_sources;
    if (has_sources && add_package(out, name, dir, NULL, true, err) < 0)
        goto out;
    for (int i = 0; i < n; i++) {
        const char *entry = entries[i]->d_name;
        struct stat st;

        if (!is_tree_name(entry))
            continue;
        sub_dir.len = sub_name.len = 0;
        if (cfz_buf_printf(&sub_dir, err, "%s/%s", dir, entry) < 0 ||
            cfz_buf_printf(&sub_name, err, "%s/%s", name, entry) < 0)
            goto out;
        if (lstat(cfz_buf_str(&sub_dir), &st) < 0 || !S_ISDIR(st.st_mode))
            continue;
        if (walk_tree(out, cfz_buf_str(&sub_name), cfz_buf_str(&sub_dir), false, any, err) < 0)
            goto out;
    }
    ret = 0;
out:
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    cfz_buf_release(&sub_dir);
    cfz_buf_release(&sub_name);
    return ret;
}

/* arg is "..." or "<dir>/...". */
static int find_tree(struct packages *out, const char *arg, struct cfz_error *err)
{
    size_t len = strlen(arg) - strlen("...");
    bool any = false;
    char *dir;
    int ret;

    while (len > 1 && arg[len - 1] == '/')
        len--;
    dir = len > 0 ? strndup(arg, len) : strdup(".");
    if (dir == NULL)
        return cfz_fail_nomem(err);
    ret = walk_tree(out, dir, dir, true, &any, err);
    free(dir);
    if (ret == 0 && !any)
        ret = cfz_fail(err, CFZ_EUSAGE, "%s: no directory with C or C++ source files", arg);
    return ret;
}

static int find_one(struct packages *out, const char *arg, const char *exec_dir,
                    struct cfz_error *err)
{
    struct stat st;
    char *name;
    size_t len = strlen(arg);
    int ret;

    if (strcmp(arg, "...") == 0 || has_suffix(arg, "/..."))
        return find_tree(out, arg, err);
    if (stat(arg, &st) < 0) {
        if (errno == ENOENT)
            return cfz_fail(err, CFZ_EUSAGE, "%s: no such file or directory", arg);
        cfz_fail_errno(err, "%s", arg);
        if (err != NULL)
            err->code = CFZ_EUSAGE;
        return -1;
    }
    if (S_ISDIR(st.st_mode)) {
        while (len > 1 && arg[len - 1] == '/')
            len--;
        name = strndup(arg, len);
        if (name == NULL)
            return cfz_fail_nomem(err);
        ret = add_package(out, name, arg, NULL, false, err);
        free(name);
        return ret;
    }
    if (!S_ISREG(st.st_mode) || !is_executable(arg))
        return cfz_fail(err, CFZ_EUSAGE, "%s: neither a directory nor a test executable", arg);
    return add_package(out, arg, exec_dir != NULL ? exec_dir : ".", arg, false, err);
}

int packages_find(const char *const *args, size_t nargs, const char *exec_dir, struct packages *out,
                  struct cfz_error *err)
{
    struct packages found = {NULL, 0};

    if (nargs == 0 && find_one(&found, ".", exec_dir, err) < 0)
        goto failed;
    for (size_t i = 0; i < nargs; i++)
        if (find_one(&found, args[i], exec_dir, err) < 0)
            goto failed;
    for (size_t i = 0; i < found.n && found.n > 1; i++)
        found.v[i].among_others = found.v[i].executable == NULL;
    *out = found;
    return 0;
failed:
    packages_release(&found);
    return -1;
}

/* Adds a source. path belongs to the package from then on. */
static int add_source(struct package *p, char *path, bool own, struct cfz_error *err)
{
    char *real = realpath(path, NULL);
    struct package_source *v = NULL;

    if (real == NULL)
        cfz_fail_errno(err, "%s", path);
    else if ((v = realloc(p->sources, (p->nsources + 1) * sizeof(*v))) == NULL)
        cfz_fail_nomem(err);
    if (v == NULL) {
        free(path);
        free(real);
        return -1;
    }
    p->sources = v;
    v[p->nsources++] = (struct package_source){
        .path = path, .real = real, .own = own, .is_cxx = is_cxx_name(path), .flags = STRLIST_INIT};
    return 0;
}

static bool spells_test(const struct cfz_buf *text)
{
    return text->len > 0 && memmem(text->data, text->len, "FUZZ_TEST", 9) != NULL;
}

/*
 * The package's own files: its C and C++ files become sources, and headers are looked
 * into for tests.
 */
static int load_directory(struct package *p, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct dirent *entry;
    DIR *dir = opendir(p->dir);
    int ret = -1;

    if (dir == NULL)
        return cfz_fail_errno(err, "%s", p->dir);
    while ((entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;
        struct stat st;
        char *path;

        if (!is_source_name(name) ||
            !(has_suffix(name, ".c") || is_cxx_name(name) || is_header_name(name)) ||
            fstatat(dirfd(dir), name, &st, 0) < 0 || !S_ISREG(st.st_mode))
            continue;
        if (is_header_name(name)) {
            text.len = 0;
            if (!p->mentions_own_tests &&
                cfz_io_read_file(dirfd(dir), name, SOURCE_MAX, &text, NULL) == 0)
                p->mentions_own_tests = spells_test(&text);
            continue;
        }
        if (asprintf(&path, "%s/%s", strcmp(p->dir, "/") == 0 ? "" : p->dir, name) < 0) {
            cfz_fail_nomem(err);
            goto out;
        }
        if (add_source(p, path, true, err) < 0)
            goto out;
    }
    ret = 0;
out:
    closedir(dir);
    cfz_buf_release(&text);
    return ret;
}

/*
 * Finds what one word of a //cfuzz: line names, a file or a pattern, relative to the package. The
 * paths are absolute and without symbolic links. Fails if there is nothing.
 */
static int find_listed(const struct package *p, const char *directive, const char *word,
                       struct strlist *out, struct cfz_error *err)
{
    struct cfz_buf pattern = CFZ_BUF_INIT;
    glob_t found = {0};
    int ret = -1;

    for (const char *c = word[0] == '/' ? "" : p->dir; *c != '\0'; c++)
        if ((strchr("*?[\\", *c) != NULL && cfz_buf_puts(&pattern, "\\", err) < 0) ||
            cfz_buf_append(&pattern, c, 1, err) < 0)
            goto out;
    if (cfz_buf_printf(&pattern, err, "%s%s", word[0] == '/' ? "" : "/", word) < 0)
        goto out;
    if (glob(cfz_buf_str(&pattern), 0, NULL, &found) != 0) {
        cfz_fail(err, CFZ_EUSAGE, "//cfuzz:%s %s: no such file", directive, word);
        goto out;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = realpath(found.gl_pathv[i], NULL);
        int rc;

        if (path == NULL) {
            cfz_fail_errno(err, "//cfuzz:%s %s", directive, word);
            goto out;
        }
        rc = strlist_add(out, path, err);
        free(path);
        if (rc < 0)
            goto out;
    }
    ret = 0;
out:
    globfree(&found);
    cfz_buf_release(&pattern);
    return ret;
}

/* Whether the file at path lies in the package directory itself. */
static bool is_own(const struct package *p, const char *path)
{
    size_t len = (size_t)(strrchr(path, '/') - path);

    return len == strlen(p->dir) && strncmp(path, p->dir, len) == 0;
}

/* Whether the file is a source already, perhaps by a symbolic link, or excluded. */
static bool is_known(const struct package *p, const char *real)
{
    bool known = strlist_has(&p->excluded, real);

    for (size_t i = 0; i < p->nsources && !known; i++)
        known = strcmp(p->sources[i].real, real) == 0;
    return known;
}

static int add_listed_sources(struct package *p, const char *word, struct cfz_error *err)
{
    struct strlist paths = STRLIST_INIT;
    int ret = find_listed(p, "sources", word, &paths, err);

    for (size_t i = 0; i < paths.n && ret == 0; i++) {
        char *path;

        if (is_known(p, paths.v[i]))
            continue;
        path = strdup(paths.v[i]);
        ret = path == NULL ? cfz_fail_nomem(err) : add_source(p, path, is_own(p, path), err);
    }
    strlist_release(&paths);
    return ret;
}

/*
 * Takes from the text of a source whether it is a harness, and names its test: the file's name
 * without the suffix, in characters that the name of a file and of libFuzzer's targets may have.
 */
static int note_harness(struct package_source *s, const struct cfz_buf *text, struct cfz_error *err)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-@+";
    static const char *const parts[] = {"LLVMFuzzerCustomMutator", "LLVMFuzzerCustomCrossOver",
                                        "LLVMFuzzerInitialize"};
    const char *base = strrchr(s->path, '/') + 1;

    free(s->harness);
    s->harness = NULL;
    s->part_line = 0;
    if (text->len == 0 || memmem(text->data, text->len, "LLVMFuzzer", 10) == NULL)
        return 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && s->part_line == 0; i++) {
        s->part_line = source_function_line((const char *)text->data, text->len, parts[i]);
        s->part = s->part_line > 0 ? parts[i] : NULL;
    }
    s->harness_line = source_function_line((const char *)text->data, text->len, harness_name());
    if (s->harness_line == 0)
        return 0;
    s->harness = strndup(base, (size_t)(strrchr(base, '.') - base));
    if (s->harness == NULL)
        return cfz_fail_nomem(err);
    for (char *c = s->harness; *c != '\0'; c++)
        if (strchr(allowed, *c) == NULL)
            *c = '_';
    return 0;
}

/* Reads the //cfuzz: lines of a source, and what else its text says. */
static int read_source(struct package_source *s, struct directives *d, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, s->path, SOURCE_MAX, &text, err) < 0)
        goto out;
    s->spells_test = s->own && spells_test(&text);
    s->has_main = source_defines(cfz_buf_str(&text), text.len, "main");
    if (note_harness(s, &text, err) < 0)
        goto out;
    if (directives_parse(cfz_buf_str(&text), text.len, d, err) < 0) {
        cfz_error_wrap(err, "%s", s->path);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    return ret;
}

static void drop_source(struct package *p, size_t i)
{
    free(p->sources[i].path);
    free(p->sources[i].real);
    free(p->sources[i].harness);
    memmove(&p->sources[i], &p->sources[i + 1], (p->nsources - i - 1) * sizeof(*p->sources));
    p->nsources--;
}

/* Sets aside what the //cfuzz:exclude lines of source i name. */
static int note_excluded(struct package *p, size_t i, struct cfz_error *err)
{
    struct directives d = DIRECTIVES_INIT;
    int ret = read_source(&p->sources[i], &d, err);

    for (size_t k = 0; k < d.exclude.n && ret == 0; k++) {
        ret = find_listed(p, "exclude", d.exclude.v[k], &p->excluded, err);
        if (ret < 0)
            cfz_error_wrap(err, "%s: line %s", p->sources[i].path, d.exclude_lines.v[k]);
    }
    directives_release(&d);
    return ret;
}

/* Which of names pkg-config speaks of; the first if that cannot be told. */
static size_t named_in(const char *said, const struct strlist *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (strstr(said, names->v[i]) != NULL)
            return i;
    return 0;
}

/* Adds to out the words that pkg-config prints for names, which stand in lines. */
static int ask_pkg_config(const char *question, const struct strlist *names,
                          const struct strlist *lines, struct strlist *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, said = CFZ_BUF_INIT;
    struct strlist argv = STRLIST_INIT;
    const char *program = getenv("PKG_CONFIG");
    int status, ret = -1;

    if (strlist_add(&argv, program != NULL && program[0] != '\0' ? program : "pkg-config", err) <
            0 ||
        strlist_add(&argv, question, err) < 0 || strlist_add(&argv, "--", err) < 0 ||
        strlist_add_all(&argv, names, err) < 0)
        goto out;
    if (subprocess_run(
            &(struct subprocess){.argv = (const char *const *)argv.v, .out = &text, .err = &said},
            &status, err) < 0) {
        cfz_error_wrap(err, "line %s: //cfuzz:pkg-config %s", lines->v[0], names->v[0]);
        goto out;
    }
    if (status != 0) {
        const char *line = cfz_buf_str(&said);
        const char *why = strstr(line, "No package");
        size_t i = named_in(line, names);

        line = why != NULL ? why : line[0] != '\0' ? line : "it failed";
        cfz_fail(err, CFZ_EUSAGE, "line %s: //cfuzz:pkg-config %s: %.*s", lines->v[i], names->v[i],
                 (int)strcspn(line, "\n"), line);
        goto out;
    }
    ret = strlist_split(out, cfz_buf_str(&text), text.len, err);
out:
    strlist_release(&argv);
    cfz_buf_release(&text);
    cfz_buf_release(&said);
    return ret;
}

static int add_pkg_config(struct package *p, const struct directives *d, struct cfz_error *err)
{
    if (ask_pkg_config("--cflags", &d->pkg_config, &d->pkg_config_lines, &p->cflags, err) < 0)
        return -1;
    return ask_pkg_config("--libs", &d->pkg_config, &d->pkg_config_lines, &p->ldflags, err);
}

/* Takes over what the //cfuzz: lines of source i say, which may add sources behind it. */
static int load_source(struct package *p, size_t i, struct cfz_error *err)
{
    struct directives d = DIRECTIVES_INIT;
    int ret = -1;

    if (read_source(&p->sources[i], &d, err) < 0)
        goto out;
    p->mentions_own_tests |= p->sources[i].spells_test;
    p->nharnesses += p->sources[i].harness != NULL;
    if (strlist_add_all(&p->cflags, &d.cflags, err) < 0 ||
        strlist_add_all(&p->cxxflags, &d.cxxflags, err) < 0 ||
        strlist_add_all(&p->ldflags, &d.ldflags, err) < 0)
        goto out;
    for (size_t k = 0; k < d.comparators.n; k++) {
        const char *c = d.comparators.v[k], *line = strchr(c, '@') + 1;

        if (strlist_addf(&p->comparators, err, "%.*s%s:%s", (int)(line - c), c, p->sources[i].path,
                         line) < 0)
            goto out;
    }
    if (d.pkg_config.n > 0 && add_pkg_config(p, &d, err) < 0) {
        cfz_error_wrap(err, "%s", p->sources[i].path);
        goto out;
    }
    for (size_t k = 0; k < d.sources.n; k++) {
        if (add_listed_sources(p, d.sources.v[k], err) < 0) {
            cfz_error_wrap(err, "%s: line %s", p->sources[i].path, d.sources_lines.v[k]);
            goto out;
        }
    }
    ret = 0;
out:
    directives_release(&d);
    return ret;
}

static int compare_sources(const void *a, const void *b)
{
    return strcmp(((const struct package_source *)a)->path,
                  ((const struct package_source *)b)->path);
}

static void sort_sources(struct package *p)
{
    if (p->nsources > 1)
        qsort(p->sources, p->nsources, sizeof(*p->sources), compare_sources);
}

/* A path as the user knows it: relative to the package if it lies below. */
static const char *shown(const struct package *p, const char *path)
{
    size_t len = strlen(p->dir);

    return strncmp(path, p->dir, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

/* Refuses two harnesses of one name. */
static int check_names(const struct package *p, struct cfz_error *err)
{
    for (size_t i = 0; i < p->nsources; i++) {
        const struct package_source *a = &p->sources[i];

        for (size_t k = i + 1; a->harness != NULL && k < p->nsources; k++) {
            const struct package_source *b = &p->sources[k];

            if (b->harness != NULL && strcmp(a->harness, b->harness) == 0)
                return cfz_fail(err, CFZ_EUSAGE, "%s: two harnesses are named %s: %s:%zu, %s:%zu",
                                p->name, a->harness, shown(p, a->path), a->harness_line,
                                shown(p, b->path), b->harness_line);
        }
    }
    return 0;
}

/* Refuses a part of a harness where there is no harness. One may be in a library. */
static int check_parts(const struct package *p, struct cfz_error *err)
{
    for (size_t i = 0; i < p->nsources && p->nharnesses == 0 && p->ldflags.n == 0; i++) {
        const struct package_source *s = &p->sources[i];

        if (s->part != NULL)
            return cfz_fail(err, CFZ_EUSAGE,
                            "%s:%zu: %s is defined, but no source of %s defines %s",
                            shown(p, s->path), s->part_line, s->part, p->name, harness_name());
    }
    return 0;
}

/* Looks for tests that own sources have through headers of other directories. */
static void note_included_tests(struct package *p)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    for (size_t i = 0; i < p->nsources; i++) {
        struct package_source *s = &p->sources[i];

        text.len = 0;
        if (!s->own || cfz_io_read_file(AT_FDCWD, s->path, SOURCE_MAX, &text, NULL) < 0 ||
            !test_includes_find(s->path, cfz_buf_str(&text), text.len, p->dir, &p->cflags))
            continue;
        s->spells_test = true;
        p->mentions_own_tests = true;
    }
    cfz_buf_release(&text);
}

int package_load(struct package *p, struct cfz_error *err)
{
    if (load_directory(p, err) < 0)
        return -1;
    if (p->nsources == 0 && !p->among_others)
        return cfz_fail(err, CFZ_EUSAGE, "%s: no C or C++ source files", p->name);
    sort_sources(p); /* the order of lines must not depend on the file system */
    for (size_t i = 0; i < p->nsources; i++)
        if (note_excluded(p, i, err) < 0)
            return -1;
    for (size_t i = p->nsources; i-- > 0;)
        if (strlist_has(&p->excluded, p->sources[i].real))
            drop_source(p, i);
    if (p->nsources == 0 && p->excluded.n > 0)
        return cfz_fail(err, CFZ_EUSAGE, "%s: no C or C++ source files that are not excluded",
                        p->name);
    for (size_t i = 0; i < p->nsources; i++)
        if (load_source(p, i, err) < 0)
            return -1;
    sort_sources(p);
    if (!p->mentions_own_tests)
        note_included_tests(p);
    p->mentions_tests = p->mentions_own_tests || p->nharnesses > 0;
    return check_names(p, err) < 0 ? -1 : check_parts(p, err);
}
