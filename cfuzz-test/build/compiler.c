/*
 * compiler.c - the C compiler that builds a package, the C++ compiler beside it, and the plugin for
 * both.
 */
#define _GNU_SOURCE
#include "build/compiler.h"

#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache.h"
#include "core/buf.h"
#include "core/io.h"
#include "base/subprocess.h"
#include "base/symtab.h"

enum {
    NAME_DIGITS = 32,     /* of the digest that names a remembered compiler */
    REMEMBERED_MAX = 100, /* bytes of what is remembered: "clang 19.1.7" */
};

/* In the order in which they are tried: 19, 22, ..., the lines of cmake/llvm-versions. */
static const int majors[] = {CFUZZ_LLVM_MAJORS};
enum {
    MAJORS = sizeof majors / sizeof majors[0],
    CANDIDATES = MAJORS + 1,
    CANDIDATE_MAX = 32, /* bytes of a name */
};

/* Writes the name that is tried i-th, of CANDIDATES: "clang-19", "clang-22", ..., "clang". Returns
 * name. */
static const char *candidate(const char *program, size_t i, char name[CANDIDATE_MAX])
{
    if (i < MAJORS)
        snprintf(name, CANDIDATE_MAX, "%s-%d", program, majors[i]);
    else
        snprintf(name, CANDIDATE_MAX, "%s", program);
    return name;
}

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* path made absolute. Symbolic links stay, since some programs go by the name they are called. */
static char *absolute(const char *path)
{
    char *cwd, *out = NULL;

    if (path[0] == '/')
        return strdup(path);
    cwd = getcwd(NULL, 0);
    if (cwd != NULL && asprintf(&out, "%s/%s", cwd, path) < 0)
        out = NULL;
    free(cwd);
    return out;
}

char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    char *found = NULL;

    if (strchr(name, '/') != NULL)
        return is_program(name) ? absolute(name) : NULL;
    if (path == NULL)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (found == NULL && *path != '\0') {
        size_t len = strcspn(path, ":");

        if (len > 0 && asprintf(&found, "%.*s/%s", (int)len, path, name) < 0)
            found = NULL;
        if (found != NULL && !is_program(found)) {
            free(found);
            found = NULL;
        }
        path += len + (path[len] == ':');
    }
    return found;
}

void compiler_release(struct compiler *c)
{
    strlist_release(&c->command);
    free(c->path);
    free(c->plugin);
    free(c->cxx);
    memset(c, 0, sizeof(*c));
}

/* The value of "#define <name> <number>" in the output of -dM, or -1. */
static int macro_value(const char *text, const char *name)
{
    char line[64];
    const char *at;

    snprintf(line, sizeof(line), "#define %s ", name);
    at = strstr(text, line);
    return at != NULL ? atoi(at + strlen(line)) : -1;
}

/*
 * Asks the compiler for its macros: the one question whose answer tells clang
 * from gcc under any name, launcher or wrapper script.
 */
static int probe(struct compiler *c, struct cfz_error *err)
{
    static const char *const question[] = {"-dM", "-E", "-x", "c", "/dev/null"};
    struct cfz_buf out = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    struct strlist argv = STRLIST_INIT;
    const char *macros;
    int status, minor, patch, ret = -1;

    if (strlist_add_all(&argv, &c->command, err) < 0)
        goto out;
    for (size_t i = 0; i < sizeof(question) / sizeof(question[0]); i++)
        if (strlist_add(&argv, question[i], err) < 0)
            goto out;
    if (subprocess_run(
            &(struct subprocess){.argv = (const char *const *)argv.v, .out = &out, .err = &text},
            &status, err) < 0)
        goto out;
    macros = cfz_buf_str(&out);
    c->major = macro_value(macros, "__clang_major__");
    c->is_clang = c->major >= 0;
    if (c->is_clang) {
        minor = macro_value(macros, "__clang_minor__");
        patch = macro_value(macros, "__clang_patchlevel__");
    } else {
        c->major = macro_value(macros, "__GNUC__");
        minor = macro_value(macros, "__GNUC_MINOR__");
        patch = macro_value(macros, "__GNUC_PATCHLEVEL__");
    }
    if (status != 0 || c->major < 0) {
        const char *said = text.len > 0 ? cfz_buf_str(&text) : "no version in its macros";

        cfz_fail(err, CFZ_EUSAGE, "%s: neither clang nor gcc: %.*s", c->path,
                 (int)strcspn(said, "\n"), said);
        goto out;
    }
    snprintf(c->version, sizeof(c->version), "%d.%d.%d", c->major, minor, patch);
    ret = 0;
out:
    strlist_release(&argv);
    cfz_buf_release(&out);
    cfz_buf_release(&text);
    return ret;
}

/*
 * The file that remembers the answer for this compiler: its name covers path, time, size and inode
 * of the program. NULL for wrapper scripts and launchers such as ccache, which may stand for
 * another compiler tomorrow.
 */
static char *remembered_path(const struct compiler *c)
{
    char *real = realpath(c->path, NULL), *name = NULL, *path = NULL;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    const char *base = real != NULL ? strrchr(real, '/') + 1 : "";
    struct stat st;
    int len = -1;

    if ((strstr(base, "clang") != NULL || strstr(base, "gcc") != NULL) && symtab_is_elf(real) &&
        stat(real, &st) == 0)
        len = asprintf(&name, "%s %lld.%09ld %lld %llu", real, (long long)st.st_mtim.tv_sec,
                       st.st_mtim.tv_nsec, (long long)st.st_size, (unsigned long long)st.st_ino);
    if (len >= 0) {
        SHA256Data((const uint8_t *)name, (size_t)len, digest);
        digest[NAME_DIGITS] = '\0';
        free(name);
        if (asprintf(&name, "compilers/%s", digest) < 0)
            name = NULL;
        if (name != NULL && cache_build_dir(name, &path, NULL) < 0)
            path = NULL;
        free(name);
    }
    free(real);
    return path;
}

/* Fills in what was remembered: "clang 19.1.7". */
static bool recall(struct compiler *c, const char *path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char kind[8] = "";
    bool ok = cfz_io_read_file(AT_FDCWD, path, REMEMBERED_MAX, &text, NULL) == 0 &&
              sscanf(cfz_buf_str(&text), "%7s %31[0-9.]", kind, c->version) == 2 &&
              (strcmp(kind, "clang") == 0 || strcmp(kind, "gcc") == 0);

    if (ok) {
        c->is_clang = strcmp(kind, "clang") == 0;
        c->major = atoi(c->version);
    }
    cfz_buf_release(&text);
    return ok;
}

/* Writes down what the compiler is. Errors are ignored: it is asked again then. */
static void remember(const struct compiler *c, const char *path)
{
    char text[64], *dir = strdup(path), *slash = dir != NULL ? strrchr(dir, '/') : NULL;
    int n = snprintf(text, sizeof(text), "%s %s\n", c->is_clang ? "clang" : "gcc", c->version);

    if (slash != NULL) {
        int fd = -1;

        *slash = '\0';
        if (cache_make_dir(dir, NULL) == 0)
            fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0) {
            cfz_io_write_file(fd, slash + 1, text, (size_t)n, CFZ_IO_REPLACE, NULL);
            close(fd);
        }
    }
    free(dir);
}

/* Asking takes a compiler 10 to 60 ms, most of the start of a run that has nothing to build. */
static int identify(struct compiler *c, bool may_write, struct cfz_error *err)
{
    char *path = remembered_path(c), *dir = NULL;
    int ret = 0;

    if (path != NULL && cache_build_dir("compilers", &dir, NULL) == 0 &&
        cache_check(dir, NULL) < 0) { /* not to be believed; building will say so */
        free(path);
        path = NULL;
    }
    free(dir);
    if (path == NULL || !recall(c, path)) {
        ret = probe(c, err);
        if (ret == 0 && path != NULL && may_write)
            remember(c, path);
    }
    free(path);
    return ret;
}

/* Completes a compiler whose command is set; which says where the command came from. */
static int examine(struct compiler *c, const char *which, const struct engine *engine,
                   const struct install *in, bool may_write, struct cfz_error *err)
{
    const char *program, *base;
    char list[INSTALL_LIST_MAX];

    if (c->command.n == 0)
        return cfz_fail(err, CFZ_EUSAGE, "%s: no compiler", which);
    program = c->command.v[c->command.n - 1];
    /* "ccache clang -m64": the compiler is the last word that is not a flag. */
    for (size_t i = c->command.n; i > 0 && program[0] == '-'; i--)
        program = c->command.v[i - 1];
    base = strrchr(program, '/') != NULL ? strrchr(program, '/') + 1 : program;
    if (engine != NULL && engine->prefix != NULL &&
        strncmp(base, engine->prefix, strlen(engine->prefix)) != 0)
        return cfz_fail(err, CFZ_EUSAGE, "%s %s: this engine needs a compiler of its own: %s",
                        which, program, engine->compiler);
    c->path = find_program(program);
    if (c->path == NULL)
        return cfz_fail(err, CFZ_EUSAGE, "%s %s: no such program", which, program);
    if (identify(c, may_write, err) < 0)
        return -1;
    if (!c->is_clang)
        return 0;
    if (engine != NULL && !install_has_plugin(in, c->major))
        return 0;
    if (!install_has_plugin(in, c->major))
        return cfz_fail(err, CFZ_EUSAGE,
                        "%s: no plugin for clang %d: plugins in %s: %s (choose a compiler with "
                        "-cc or CC)",
                        program, c->major, in->lib, install_list_plugins(in, list));
    if (asprintf(&c->plugin, "%s/cfuzz-plugin-%d.so", in->lib, c->major) < 0) {
        c->plugin = NULL;
        return cfz_fail_nomem(err);
    }
    return 0;
}

/* Writes "clang-19, clang-22 and clang", as far as there is room. Returns text. */
static const char *list_candidates(const char *program, char text[INSTALL_LIST_MAX])
{
    char name[CANDIDATE_MAX];
    size_t len = 0;

    for (size_t i = 0; i < CANDIDATES && len < INSTALL_LIST_MAX; i++)
        len += (size_t)snprintf(text + len, INSTALL_LIST_MAX - len, "%s%s",
                                i == 0 ? "" : (i < MAJORS ? ", " : " and "),
                                candidate(program, i, name));
    return text;
}

/* Takes the first candidate that is there and has a plugin. */
static int find_default(const char *program, const struct install *in, bool may_write,
                        struct compiler *out, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    bool any = false;
    char list[INSTALL_LIST_MAX], looked[INSTALL_LIST_MAX];

    for (size_t i = 0; i < CANDIDATES; i++) {
        char name[CANDIDATE_MAX];
        char *path = find_program(candidate(program, i, name));

        if (path == NULL)
            continue;
        free(path);
        if (strlist_add(&out->command, name, err) < 0)
            return -1;
        if (examine(out, "", NULL, in, may_write, any ? NULL : &why) == 0)
            return 0;
        any = true;
        compiler_release(out);
    }
    if (any) /* the first one says what is wrong */
        return cfz_fail(err, why.code, "%s", why.text);
    return cfz_fail(err, CFZ_EUSAGE,
                    "no clang found: looked for %s in PATH; there are plugins for clang %s",
                    list_candidates(program, looked), install_list_plugins(in, list));
}

static int choose(const char *which, const char *cc, const char *program,
                  const struct engine *engine, const struct install *in, bool may_write,
                  struct compiler *out, struct cfz_error *err)
{
    struct compiler c = {0};
    int ret;

    if (cc == NULL || cc[0] == '\0') {
        ret = find_default(program, in, may_write, &c, err);
    } else if (strlist_split(&c.command, cc, strlen(cc), err) < 0) {
        ret = cfz_error_wrap(err, "%s %s", which, cc);
    } else {
        ret = examine(&c, which, engine, in, may_write, err);
    }
    if (ret < 0)
        compiler_release(&c);
    else
        *out = c;
    return ret;
}

int compiler_choose(const char *which, const char *cc, const char *program,
                    const struct install *in, bool may_write, struct compiler *out,
                    struct cfz_error *err)
{
    return choose(which, cc, program, NULL, in, may_write, out, err);
}

/* The C++ compiler for an engine; NULL: that of c. */
static char *cxx_of_engine(const struct engine *engine, const struct compiler *c)
{
    char *name = NULL, *path;

    for (size_t i = engine->linker.n; i-- > 0;)
        if (engine->linker.v[i][0] != '-')
            return find_program(engine->linker.v[i]);
    if (engine->prefix == NULL || asprintf(&name, "%s++", c->path) < 0)
        return NULL;
    path = find_program(name);
    free(name);
    return path;
}

int compiler_find_cxx(const struct engine *engine, struct compiler *c, struct cfz_error *err)
{
    /* What stands in the name of a C compiler, and in that of the C++ compiler. */
    static const char *const names[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *base = strrchr(c->path, '/') + 1, *at = NULL;
    char *path = NULL;

    if (engine != NULL && (c->cxx = cxx_of_engine(engine, c)) != NULL)
        return 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && at == NULL; i++) {
        at = strstr(base, names[i][0]);
        if (at != NULL && strncmp(at, names[i][1], strlen(names[i][1])) == 0)
            path = strdup(c->path); /* it is one: CC=clang++ */
        else if (at != NULL && asprintf(&path, "%.*s%s%s", (int)(at - c->path), c->path,
                                        names[i][1], at + strlen(names[i][0])) < 0)
            path = NULL;
    }
    if (at == NULL)
        return cfz_fail(
            err, CFZ_EUSAGE,
            "%s: C++ sources need the C++ compiler beside it, and its name does not say "
            "which that is",
            c->path);
    if (path == NULL)
        return cfz_fail_nomem(err);
    if (!is_program(path)) {
        cfz_fail(err, CFZ_EUSAGE,
                 "%s: no such program: C++ sources need the C++ compiler beside %s", path, base);
        free(path);
        return -1;
    }
    c->cxx = path;
    return 0;
}

int compiler_find(const struct options *opt, const struct engine *engine, const struct install *in,
                  struct compiler *out, struct cfz_error *err)
{
    const char *which = opt->cc != NULL ? "-cc:" : "CC:";
    const char *cc = opt->cc != NULL ? opt->cc : getenv("CC");

    if ((cc == NULL || cc[0] == '\0') && engine != NULL && engine->compiler != NULL) {
        cc = engine->compiler;
        which = "-engine:";
    }
    return choose(which, cc, "clang", engine, in, !opt->dry_run, out, err);
}

/* The tool of c's LLVM: beside the compiler, or of its major. NULL if there is none. */
static char *tool_of(const struct compiler *c, const char *tool)
{
    char *found = NULL, of_major[60];
    char *real = realpath(c->path, NULL);
    char *slash = real != NULL ? strrchr(real, '/') : NULL;

    if (slash != NULL && asprintf(&found, "%.*s/%s", (int)(slash - real), real, tool) < 0)
        found = NULL;
    free(real);
    if (found != NULL && is_program(found))
        return found;
    free(found);
    snprintf(of_major, sizeof(of_major), "%s-%d", tool, c->major);
    return find_program(of_major);
}

/* The first of the tool's versions that is there, or NULL. */
static char *tool_of_any(const char *tool)
{
    char *found = NULL, name[CANDIDATE_MAX];

    for (size_t i = 0; i < CANDIDATES && found == NULL; i++)
        found = find_program(candidate(tool, i, name));
    return found;
}

char *find_symbolizer(const struct compiler *c)
{
    char *found = c != NULL && c->is_clang ? tool_of(c, "llvm-symbolizer") : NULL;

    return found != NULL ? found : tool_of_any("llvm-symbolizer");
}

char *find_llvm_tool(const struct compiler *c, const char *tool, struct cfz_error *err)
{
    char *found = c != NULL ? tool_of(c, tool) : tool_of_any(tool);

    if (found == NULL && c != NULL)
        cfz_fail(err, CFZ_EUSAGE, "%s-%d: not found (Debian package llvm-%d)", tool, c->major,
                 c->major);
    else if (found == NULL)
        cfz_fail(err, CFZ_EUSAGE, "%s: not found (Debian package llvm)", tool);
    return found;
}
