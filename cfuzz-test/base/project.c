/*
 * project.c - see project.h.
 */
#define _GNU_SOURCE
#include "base/project.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"

static bool holds_one_of(const char *dir, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cfz_buf path = CFZ_BUF_INIT;
        bool yes = cfz_buf_printf(&path, NULL, "%s/%s", dir, names[i]) == 0 &&
                   access(cfz_buf_str(&path), F_OK) == 0;

        cfz_buf_release(&path);
        if (yes)
            return true;
    }
    return false;
}

static const char *const version_control[] = {".git", ".hg", ".svn"};
static const char *const build_systems[] = {"CMakeLists.txt", "configure.ac", "configure",
                                            "Makefile",       "meson.build",  "debian"};

bool project_begins(const char *dir)
{
    return holds_one_of(dir, version_control, sizeof version_control / sizeof version_control[0]) ||
           holds_one_of(dir, build_systems, sizeof build_systems / sizeof build_systems[0]);
}

char *project_root(const char *dir)
{
    char *at = strdup(dir), *root = NULL;
    int gap = 0;

    while (at != NULL && at[0] != '\0' && gap <= 1) {
        if (project_begins(at)) {
            free(root);
            root = strdup(at);
            gap = 0;
        } else {
            gap++;
        }
        if (holds_one_of(at, version_control, sizeof version_control / sizeof version_control[0]))
            break;
        *strrchr(at, '/') = '\0';
    }
    free(at);
    return root;
}

enum { FILES_MAX = 5000, DEPTH_MAX = 6 };

static void walk(const char *dir, int depth, size_t *files,
                 void (*found)(void *ctx, const char *path), void *ctx)
{
    struct dirent **entries = NULL;
    int n = depth < DEPTH_MAX ? scandir(dir, &entries, NULL, alphasort) : 0;

    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        struct cfz_buf path = CFZ_BUF_INIT;
        struct stat st;

        if (name[0] != '.' && *files < FILES_MAX &&
            cfz_buf_printf(&path, NULL, "%s/%s", dir, name) == 0 &&
            lstat(cfz_buf_str(&path), &st) == 0) {
            if (S_ISDIR(st.st_mode)) {
                walk(cfz_buf_str(&path), depth + 1, files, found, ctx);
            } else if (S_ISREG(st.st_mode)) {
                ++*files;
                found(ctx, cfz_buf_str(&path));
            }
        }
        cfz_buf_release(&path);
        free(entries[i]);
    }
    free(entries);
}

void project_walk(const char *root, void (*found)(void *ctx, const char *path), void *ctx)
{
    size_t files = 0;

    walk(root, 0, &files, found, ctx);
}

const char *project_commands(const char *root)
{
    static const struct {
        const char *file, *commands;
    } known[] = {
        {"meson.build", "meson setup build"},
        {"CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
        {"config.status", "bear -- make"},
        {"configure", "./configure && bear -- make"},
        {"configure.ac", "autoreconf -i && ./configure && bear -- make"},
        {"Makefile", "bear -- make"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (holds_one_of(root, &known[i].file, 1))
            return known[i].commands;
    return NULL;
}

char *project_relative(const char *dir, const char *path)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    size_t common = 0;
    char *found = NULL;

    for (size_t i = 0; dir[i] == path[i] || dir[i] == '\0'; i++) {
        if ((dir[i] == '/' || dir[i] == '\0') && path[i] == '/')
            common = i; /* both have a directory that ends here */
        if (dir[i] == '\0' || path[i] == '\0')
            break;
    }
    for (const char *rest = dir + common; *rest != '\0'; rest++)
        if (*rest == '/' && rest[1] != '\0' && cfz_buf_puts(&out, "../", NULL) < 0)
            goto out;
    if (cfz_buf_puts(&out, path + common + 1, NULL) == 0)
        found = strdup(cfz_buf_str(&out));
out:
    cfz_buf_release(&out);
    return found;
}
