/*
 * header_check.c - see header_check.h.
 */
#define _GNU_SOURCE
#include "build/header_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/project.h"
#include "build/build_inputs.h"
#include "cli/report.h"
#include "core/io.h"

enum { DEPFILE_MAX = 64 << 20 };

/* Headers of C and POSIX, which a project may well have for systems without them. */
static const char standard[] =
    " aio.h alloca.h arpa/inet.h assert.h byteswap.h complex.h cpio.h ctype.h dirent.h dlfcn.h "
    "elf.h "
    "endian.h err.h errno.h error.h fcntl.h features.h fenv.h float.h fmtmsg.h fnmatch.h ftw.h "
    "getopt.h glob.h grp.h iconv.h inttypes.h iso646.h langinfo.h libgen.h libintl.h limits.h "
    "link.h "
    "locale.h malloc.h math.h memory.h monetary.h mqueue.h ndbm.h netdb.h nl_types.h obstack.h "
    "paths.h poll.h pthread.h pty.h pwd.h regex.h resolv.h sched.h search.h semaphore.h setjmp.h "
    "shadow.h signal.h spawn.h stab.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h "
    "stdio.h stdlib.h stdnoreturn.h string.h strings.h stropts.h syscall.h sysexits.h syslog.h "
    "tar.h "
    "termios.h tgmath.h threads.h time.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmp.h "
    "utmpx.h "
    "values.h wait.h wchar.h wctype.h wordexp.h ";

/* Directories of the C library and the kernel. */
static const char *const standard_directories[] = {
    "sys/", "bits/", "gnu/", "asm/", "asm-generic/", "linux/", "net/", "netinet/", "arpa/", "rpc/",
};

const char *header_check_name(const char *path)
{
    static const char *const places[] = {"/usr/include/", "/usr/local/include/"};
    const char *name = NULL;
    char *word = NULL;
    bool known;

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            name = path + strlen(places[i]);
    if (name == NULL)
        return NULL;
    if (strstr(name, "-linux-gnu") != NULL && strchr(name, '/') != NULL) /* x86_64-linux-gnu/ */
        name = strchr(name, '/') + 1;
    for (size_t i = 0; i < sizeof(standard_directories) / sizeof(standard_directories[0]); i++)
        if (strncmp(name, standard_directories[i], strlen(standard_directories[i])) == 0)
            return NULL;
    if (asprintf(&word, " %s ", name) < 0)
        return NULL;
    known = strstr(standard, word) != NULL;
    free(word);
    return known ? NULL : name;
}

/* The project's own header called name, as the package writes its directory; NULL if there is none.
 * *directory gets it; the caller frees both. */
static char *find_own(const struct package *pkg, const char *root, const char *name,
                      char **directory)
{
    static const char *const places[] = {"", "/include", "/src", "/lib", "/inc"};

    *directory = NULL;
    for (size_t i = 0; i < 2 * sizeof(places) / sizeof(places[0]); i++) {
        const char *base = i % 2 == 0 ? pkg->dir : root;
        char *path = NULL, *relative;
        struct stat st;

        if (base == NULL || asprintf(&path, "%s%s/%s", base, places[i / 2], name) < 0)
            continue;
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
            (relative = project_relative(pkg->dir, path)) != NULL) {
            size_t len = strlen(relative) - strlen(name);

            *directory = len > 0 ? strndup(relative, len - 1) : strdup(".");
            free(path);
            if (*directory != NULL)
                return relative;
            free(relative);
            return NULL;
        }
        free(path);
    }
    return NULL;
}

static const char *shown_source(const struct package *pkg, const char *path)
{
    size_t len = strlen(pkg->dir);

    return strncmp(path, pkg->dir, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

void header_check_tell(const struct build_plan *plan, const struct package *pkg)
{
    struct strlist told = STRLIST_INIT;
    char *root = project_root(pkg->dir);

    for (size_t i = 0; i < plan->ncompiles; i++) {
        const struct build_step *step = &plan->steps[i];
        struct strlist read = STRLIST_INIT;
        struct cfz_buf text = CFZ_BUF_INIT;

        if (cfz_io_read_file(AT_FDCWD, step->depfile, DEPFILE_MAX, &text, NULL) == 0 &&
            depfile_parse(cfz_buf_str(&text), text.len, &read, NULL) == 0) {
            for (size_t k = 0; k < read.n; k++) {
                const char *name = header_check_name(read.v[k]);
                char *directory = NULL, *own;

                if (name == NULL || strlist_has(&told, name) ||
                    (own = find_own(pkg, root, name, &directory)) == NULL)
                    continue;
                report_message("cfuzz-test: warning: %s: %s was read, though the project has %s; "
                               "//cfuzz:cflags -I%s takes that",
                               shown_source(pkg, step->input), read.v[k], own, directory);
                if (strlist_add(&told, name, NULL) < 0)
                    k = read.n;
                free(own);
                free(directory);
            }
        }
        strlist_release(&read);
        cfz_buf_release(&text);
    }
    strlist_release(&told);
    free(root);
}

/* ---- headers that were not found ------------------------------------------------------ */

char *header_check_missing(const char *line)
{
    static const char clang_end[] = "' file not found", gcc_end[] = ": No such file or directory";
    const char *at = strstr(line, "fatal error: "), *end;

    if (at == NULL)
        return NULL;
    at += strlen("fatal error: ");
    end = *at == '\'' ? strstr(at + 1, clang_end) : strstr(at, gcc_end);
    if (end == NULL)
        return NULL;
    at += *at == '\'';
    return strndup(at, (size_t)(end - at));
}

/* Libraries whose headers no compiler finds by itself. The first match counts. */
static const struct {
    const char *prefix, *package;
} packages[] = {
    {"glib-object.h", "gobject-2.0"},
    {"glib", "glib-2.0"},
    {"gio/", "gio-2.0"},
    {"gmodule.h", "gmodule-2.0"},
    {"gtk/", "gtk+-3.0"},
    {"libxml/", "libxml-2.0"},
    {"dbus/", "dbus-1"},
    {"cairo", "cairo"},
    {"pango/", "pango"},
    {"ft2build.h", "freetype2"},
    {"freetype/", "freetype2"},
    {"libusb.h", "libusb-1.0"},
    {"json-c/", "json-c"},
    {"SDL.h", "sdl2"},
    {"libsoup/", "libsoup-2.4"},
    {"apr_", "apr-1"},
    {"nss.h", "nss"},
    {"lua.h", "lua5.4"},
    {"lauxlib.h", "lua5.4"},
};

/* Looks for a header in a project. */
struct header_search {
    const char *name;
    char *directory; /* absolute; the one with the shortest path of those found, or NULL */
};

static void compare_header(void *ctx, const char *path)
{
    struct header_search *s = ctx;
    size_t len = strlen(path), name_len = strlen(s->name);

    if (len <= name_len || path[len - name_len - 1] != '/' ||
        strcmp(path + len - name_len, s->name) != 0)
        return;
    if (s->directory != NULL && strlen(s->directory) <= len - name_len - 1)
        return;
    free(s->directory);
    s->directory = strndup(path, len - name_len - 1);
}

static void hint_one(const struct package *pkg, const char *root, const char *name)
{
    struct header_search s = {name, NULL};
    char *relative = NULL, *file = NULL;

    if (root != NULL)
        project_walk(root, compare_header, &s);
    if (s.directory != NULL && asprintf(&file, "%s/%s", s.directory, name) >= 0)
        relative = project_relative(pkg->dir, file);
    if (relative != NULL && strlen(relative) > strlen(name)) {
        report_message("cfuzz-test: %s: the project has it; this line in a source of the package "
                       "brings it: //cfuzz:cflags -I%.*s",
                       name, (int)(strlen(relative) - strlen(name) - 1), relative);
    } else if (s.directory == NULL) {
        for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
            if (strncmp(name, packages[i].prefix, strlen(packages[i].prefix)) != 0)
                continue;
            report_message("cfuzz-test: %s: this line in a source of the package brings it: "
                           "//cfuzz:pkg-config %s",
                           name, packages[i].package);
            break;
        }
    }
    free(relative);
    free(file);
    free(s.directory);
}

void header_check_hint(const struct package *pkg, const struct strlist *headers)
{
    char *root = project_root(pkg->dir);

    for (size_t i = 0; i < headers->n; i++)
        hint_one(pkg, root, headers->v[i]);
    free(root);
}
