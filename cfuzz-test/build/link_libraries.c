/*
 * link_libraries.c - see link_libraries.h.
 */
#define _GNU_SOURCE
#include "build/link_libraries.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/io.h"

/* Longest file that is read: the build.ninja of a large project. */
enum { FILE_MAX = 64 << 20 };

/* One link of the project's: what goes in, and what it makes. */
struct link {
    const char *directory;
    const struct strlist *words; /* all of it: inputs, libraries, the output */
};

static bool is_below(const char *path, const char *dir)
{
    size_t len = strlen(dir);

    return strncmp(path, dir, len) == 0 && path[len] == '/';
}

static bool is_library(const char *word)
{
    const char *base = strrchr(word, '/') != NULL ? strrchr(word, '/') + 1 : word;
    const char *so = strstr(base, ".so");
    size_t len = strlen(base);

    return (so != NULL && (so[3] == '\0' || so[3] == '.')) ||
           (len > 2 && strcmp(base + len - 2, ".a") == 0);
}

static int add_once(struct strlist *out, const char *word, struct cfz_error *err)
{
    return strlist_has(out, word) ? 0 : strlist_add(out, word, err);
}

/* Adds a library by its absolute path, and where the program is to look for it, unless every
 * program does. */
static int add_file(struct strlist *out, const char *path, struct cfz_error *err)
{
    size_t dir = (size_t)(strrchr(path, '/') - path);

    if (add_once(out, path, err) < 0)
        return -1;
    if (is_below(path, "/usr/lib") || is_below(path, "/lib") || is_below(path, "/usr/lib64") ||
        strstr(path + dir, ".so") == NULL)
        return 0;
    return strlist_addf(out, err, "-Wl,-rpath,%.*s", (int)dir, path);
}

int link_libraries_keep(const struct strlist *words, const char *directory, const char *build_dir,
                        struct strlist *out, struct cfz_error *err)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        int ret = 0;

        if (strcmp(word, "-o") == 0) {
            i++;
        } else if (strncmp(word, "-l", 2) == 0 && word[2] != '\0') {
            ret = add_once(out, word, err);
        } else if (strcmp(word, "-pthread") == 0) {
            ret = add_once(out, word, err);
        } else if (strncmp(word, "-L", 2) == 0 && word[2] != '\0') {
            if (word[2] == '/' && !is_below(word + 2, build_dir) &&
                strcmp(word + 2, build_dir) != 0)
                ret = add_once(out, word, err);
            else if (word[2] != '/' && !is_below(directory, build_dir) &&
                     strcmp(directory, build_dir) != 0)
                ret = strlist_addf(out, err, "-L%s/%s", directory, word + 2);
        } else if (word[0] == '/' && is_library(word) && !is_below(word, build_dir)) {
            ret = add_file(out, word, err);
        }
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* Whether word, in a link that runs in directory, names the absolute path. */
static bool names(const char *word, const char *directory, const char *path)
{
    size_t len = strlen(directory);

    if (word[0] == '/')
        return strcmp(word, path) == 0;
    while (strncmp(word, "./", 2) == 0)
        word += 2;
    return is_below(path, directory) && strcmp(word, path + len + 1) == 0;
}

static bool has_one_of(const struct link *l, const struct strlist *paths)
{
    for (size_t i = 0; i < l->words->n; i++)
        for (size_t k = 0; k < paths->n; k++)
            if (names(l->words->v[i], l->directory, paths->v[k]))
                return true;
    return false;
}

/* The words of a link that are archives in the build: "lib/libx.a" as an absolute path. */
static int add_archives(const struct link *l, const char *build_dir, struct strlist *out,
                        struct cfz_error *err)
{
    for (size_t i = 0; i < l->words->n; i++) {
        const char *word = l->words->v[i];
        size_t len = strlen(word);
        int ret = 0;

        if (len < 3 || strcmp(word + len - 2, ".a") != 0)
            continue;
        if (word[0] == '/')
            ret = is_below(word, build_dir) ? add_once(out, word, err) : 0;
        else
            ret = strlist_addf(out, err, "%s/%s", l->directory, word);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/*
 * Looks at all links of a project, twice: what is linked with objects counts at once; where they
 * only go into an archive, the links that it goes into count.
 */
static int choose(const struct link *links, size_t n, const char *build_dir,
                  const struct strlist *objects, struct strlist *out, struct cfz_error *err)
{
    struct strlist archives = STRLIST_INIT;
    int ret = -1;

    for (size_t i = 0; i < n; i++) {
        if (!has_one_of(&links[i], objects))
            continue;
        if (add_archives(&links[i], build_dir, &archives, err) < 0 ||
            link_libraries_keep(links[i].words, links[i].directory, build_dir, out, err) < 0)
            goto out;
    }
    for (size_t i = 0; i < n; i++)
        if (archives.n > 0 && has_one_of(&links[i], &archives) &&
            link_libraries_keep(links[i].words, links[i].directory, build_dir, out, err) < 0)
            goto out;
    ret = 0;
out:
    strlist_release(&archives);
    return ret;
}

static bool read_file(const char *dir, const char *name, struct cfz_buf *out)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    bool ok = cfz_buf_printf(&path, NULL, "%s/%s", dir, name) == 0 &&
              cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), FILE_MAX, out, NULL) == 0 &&
              out->len > 0;

    cfz_buf_release(&path);
    return ok;
}

/* A growing list of links, with the memory that they point to. */
struct links {
    struct link *v;
    size_t n;
};

static int add_link(struct links *l, const char *directory, size_t directory_len,
                    const struct strlist *words, struct cfz_error *err)
{
    struct link *v = realloc(l->v, (l->n + 1) * sizeof(*v));
    struct strlist *own = calloc(1, sizeof(*own));
    char *dir = strndup(directory, directory_len);

    if (v != NULL)
        l->v = v;
    if (v == NULL || own == NULL || dir == NULL || strlist_add_all(own, words, err) < 0) {
        free(own);
        free(dir);
        return cfz_fail_nomem(err);
    }
    l->v[l->n++] = (struct link){dir, own};
    return 0;
}

static void links_release(struct links *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free((char *)l->v[i].directory);
        strlist_release((struct strlist *)l->v[i].words);
        free((struct strlist *)l->v[i].words);
    }
    free(l->v);
}

/* CMake with make: "/p/build/sub/CMakeFiles/x.dir" has link.txt, which runs in /p/build/sub. */
static int read_cmake_make(const char *build_dir, struct links *l, struct cfz_error *err)
{
    struct cfz_buf list = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    int ret = 0;

    if (!read_file(build_dir, "CMakeFiles/TargetDirectories.txt", &list))
        goto out;
    for (char *rest = (char *)list.data, *dir; ret == 0 && (dir = strsep(&rest, "\n")) != NULL;) {
        const char *end = strstr(dir, "/CMakeFiles/");
        struct strlist words = STRLIST_INIT;

        text.len = 0;
        if (end != NULL && read_file(dir, "link.txt", &text) &&
            strlist_split(&words, cfz_buf_str(&text), strcspn(cfz_buf_str(&text), "\n"), NULL) == 0)
            ret = add_link(l, dir, (size_t)(end - dir), &words, err);
        strlist_release(&words);
    }
out:
    cfz_buf_release(&list);
    cfz_buf_release(&text);
    return ret;
}

/* The value of a variable in an edge of build.ninja, whose lines are indented; NULL if it has none.
 * len gets its length. */
static const char *edge_value(const char *edge, const char *end, const char *name, size_t *len)
{
    for (const char *line = edge; line < end;) {
        const char *eol = memchr(line, '\n', (size_t)(end - line));

        eol = eol != NULL ? eol : end;
        while (line < eol && *line == ' ')
            line++;
        if ((size_t)(eol - line) > strlen(name) && strncmp(line, name, strlen(name)) == 0 &&
            strncmp(line + strlen(name), " = ", 3) == 0) {
            line += strlen(name) + 3;
            *len = (size_t)(eol - line);
            return line;
        }
        line = eol + 1;
    }
    return NULL;
}

/* CMake with ninja: "build <outputs>: C_..._LINKER__x <inputs>", with LINK_LIBRARIES below it. */
static int read_cmake_ninja(const char *build_dir, struct links *l, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (!read_file(build_dir, "build.ninja", &text))
        goto out;
    for (const char *at = cfz_buf_str(&text), *end = at + text.len; ret == 0 && at != NULL;) {
        const char *eol = strchrnul(at, '\n'), *next = strstr(eol, "\nbuild "), *value;
        size_t len = 0;

        if (strncmp(at, "build ", 6) == 0 &&
            memmem(at, (size_t)(eol - at), "_LINKER__", 9) != NULL) {
            struct strlist words = STRLIST_INIT;

            if (strlist_split(&words, at, (size_t)(eol - at), NULL) == 0) {
                /* The first words are "build" and the outputs; "lib.a:" ends them. */
                for (size_t i = 0; i < words.n; i++)
                    if (words.v[i][0] != '\0' && words.v[i][strlen(words.v[i]) - 1] == ':')
                        words.v[i][strlen(words.v[i]) - 1] = '\0';
                value = edge_value(eol, next != NULL ? next : end, "LINK_LIBRARIES", &len);
                if (value == NULL || strlist_split(&words, value, len, NULL) == 0)
                    ret = add_link(l, build_dir, strlen(build_dir), &words, err);
            }
            strlist_release(&words);
        }
        at = next != NULL ? next + 1 : NULL;
    }
out:
    cfz_buf_release(&text);
    return ret;
}

/* ---- meson ------------------------------------------------------------------------------ */

static json_t *load(const char *build_dir, const char *name)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    json_t *found = NULL;

    if (cfz_buf_printf(&path, NULL, "%s/meson-info/%s", build_dir, name) == 0)
        found = json_load_file(cfz_buf_str(&path), 0, NULL);
    cfz_buf_release(&path);
    return found;
}

/* Whether a target of meson's compiles one of sources. */
static bool compiles(const json_t *target, const struct strlist *sources)
{
    const json_t *part, *source;
    size_t i, k;

    json_array_foreach(json_object_get(target, "target_sources"), i, part)
        json_array_foreach(json_object_get(part, "sources"), k,
                           source) if (json_is_string(source) &&
                                       strlist_has(sources, json_string_value(source))) return true;
    return false;
}

static int keep_array(const json_t *array, const char *build_dir, struct strlist *out,
                      struct cfz_error *err)
{
    struct strlist words = STRLIST_INIT;
    const json_t *word;
    size_t i;
    int ret = 0;

    json_array_foreach(array, i, word) if (ret == 0 && json_is_string(word)) ret =
        strlist_add(&words, json_string_value(word), err);
    if (ret == 0)
        ret = link_libraries_keep(&words, build_dir, build_dir, out, err);
    strlist_release(&words);
    return ret;
}

/*
 * Meson says of a target which dependencies it has by name, and from 1.2 on with which flags it is
 * linked. Where it says neither, all dependencies of the project count.
 */
static int read_meson(const char *build_dir, const struct strlist *sources, struct strlist *out,
                      struct cfz_error *err)
{
    json_t *targets = load(build_dir, "intro-targets.json");
    json_t *all = load(build_dir, "intro-dependencies.json");
    const json_t *target, *part, *dependency, *name;
    size_t i, k, m;
    int ret = 0;

    json_array_foreach(targets, i, target)
    {
        bool named = json_array_size(json_object_get(target, "dependencies")) > 0;

        if (ret < 0 || !compiles(target, sources))
            continue;
        json_array_foreach(json_object_get(target, "target_sources"), k,
                           part) if (ret == 0 && json_object_get(part, "linker") != NULL) ret =
            keep_array(json_object_get(part, "parameters"), build_dir, out, err);
        json_array_foreach(all, k, dependency)
        {
            const char *this = json_string_value(json_object_get(dependency, "name"));
            bool wanted = !named;

            json_array_foreach(json_object_get(target, "dependencies"), m, name) wanted |=
                this != NULL && json_is_string(name) && strcmp(json_string_value(name), this) == 0;
            if (ret == 0 && wanted)
                ret = keep_array(json_object_get(dependency, "link_args"), build_dir, out, err);
        }
    }
    json_decref(targets);
    json_decref(all);
    return ret;
}

int link_libraries_find(const char *build_dir, const struct strlist *objects,
                        const struct strlist *sources, struct strlist *out, struct cfz_error *err)
{
    struct links l = {NULL, 0};
    int ret = -1;

    if (read_meson(build_dir, sources, out, err) < 0 || read_cmake_make(build_dir, &l, err) < 0)
        goto out;
    if (l.n == 0 && read_cmake_ninja(build_dir, &l, err) < 0)
        goto out;
    ret = choose(l.v, l.n, build_dir, objects, out, err);
out:
    links_release(&l);
    return ret;
}
