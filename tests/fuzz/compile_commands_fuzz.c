/*
 * compile_commands_fuzz.c - compilation databases, and the flags that are taken from commands.
 *
 * No file is read: the database is the input, and paths that the file system would resolve are
 * taken as they are.
 */
//cfuzz:ldflags -ljansson
#include "fuzz.h"

#include <jansson.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/io.h"

static const char *database;
static size_t database_len;

static json_t *load_database(const char *path, size_t flags, json_error_t *why)
{
    (void)path;
    return json_loadb(database, database_len, flags, why);
}

static char *same_path(const char *path, char *resolved)
{
    (void)resolved;
    return strdup(path);
}

/* There is no file but the database, in the package directory. */
static int is_there(const char *path, int mode)
{
    (void)mode;
    return strcmp(path, "/p/compile_commands.json") == 0 ? 0 : -1;
}

/* What the build beside the database says of links is the input, too. */
static int read_database(int dirfd, const char *path, size_t max, struct cfz_buf *out,
                         struct cfz_error *err)
{
    (void)dirfd;
    (void)path;
    return database_len <= max ? cfz_buf_append(out, database, database_len, err) : -1;
}

#define json_load_file load_database
#define realpath same_path
#define access is_there
#undef cfz_io_read_file
#define cfz_io_read_file read_database
#include "../../cfuzz-test/build/link_libraries.c"
#include "../../cfuzz-test/build/compile_commands.c"
#undef cfz_io_read_file
#undef json_load_file
#undef realpath
#undef access

FUZZ_SETUP(FuzzCompileCommands)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("[{\"directory\": \"/p\", \"file\": \"a.c\", \"command\":"
                             " \"ccache cc -Iinc -I /x '-DA=\\\"b\\\"' -o a.o -c a.c\"},"
                             "{\"directory\": \"/q\", \"file\": \"/p/b.c\", \"arguments\":"
                             " [\"cc\", \"-isystem\", \"y\", \"-Werror\", \"-MF\", \"d\"]}]"));
    cfuzz_add(f, CFUZZ_BYTES("{\"directory\": 1, \"file\": [null, 1e9, \"\\u0000\"]}"));
    cfuzz_add(f,
              CFUZZ_BYTES("[{\"directory\": \"/p\", \"file\": \"a.c\", \"command\": \"cc 'x\"}]"));
}

/* Whatever the database says, a source gets words for a compiler or none. */
FUZZ_TEST(FuzzCompileCommands, [] byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct package_source sources[2] = {{.path = strdup("/p/a.c"), .real = strdup("/p/a.c")},
                                        {.path = strdup("/p/b.c"), .real = strdup("/p/b.c")}};
    struct package p = {.dir = strdup("/p"), .sources = sources, .nsources = 2};
    struct cfz_error err;

    error_clear(&err);
    database = (const char *)text;
    database_len = len;
    if (compile_commands_apply(&p, NULL, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && p.compile_commands == NULL);
    }
    for (size_t i = 0; i < p.libraries.n; i++)
        CHECK(t, p.libraries.v[i][0] == '-' || p.libraries.v[i][0] == '/');
    strlist_release(&p.libraries);
    for (size_t i = 0; i < 2; i++) {
        CHECK(t, sources[i].flags.n <= 2 * len);
        strlist_release(&sources[i].flags);
        free(sources[i].path);
        free(sources[i].real);
    }
    free(p.compile_commands);
    free(p.gone);
    free(p.unlisted);
    free(p.dir);
}

/* Which directory a project begins in is nobody's business here. */
bool project_begins(const char *dir)
{
    (void)dir;
    return false;
}

FUZZ_SETUP(FuzzLinks)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("build lib.so: C_SHARED_LIBRARY_LINKER__x a.o\n"
                             "  LINK_LIBRARIES = -lm /usr/lib/libz.so\n"));
    cfuzz_add(f, CFUZZ_BYTES("cc a.o -o app -L/opt/x -lx '/opt/y y.so.3' -pthread"));
    cfuzz_add(f, CFUZZ_BYTES("/b/CMakeFiles/x.dir\n"));
    cfuzz_add(f, CFUZZ_BYTES("[{\"target_sources\":[{\"sources\":[\"/p/a.c\"],\"linker\":[],"
                             "\"parameters\":[\"-lm\"]}],\"dependencies\":[\"m\"],\"name\":"
                             "\"m\",\"link_args\":[\"-lz\"]}]"));
}

/* Whatever files of a build say, libraries of it are flags and absolute paths. */
FUZZ_TEST(FuzzLinks, [] byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct strlist objects = STRLIST_INIT, sources = STRLIST_INIT, found = STRLIST_INIT;
    struct cfz_error err;

    error_clear(&err);
    database = (const char *)text;
    database_len = len;
    CHECK(t, strlist_add(&objects, "/b/a.o", &err) == 0);
    CHECK(t, strlist_add(&sources, "/p/a.c", &err) == 0);
    CHECK(t, link_libraries_find("/b", &objects, &sources, &found, &err) == 0);
    for (size_t i = 0; i < found.n; i++)
        CHECK(t, found.v[i][0] == '-' || found.v[i][0] == '/');
    strlist_release(&objects);
    strlist_release(&sources);
    strlist_release(&found);
}

FUZZ_SETUP(FuzzCompilerFlags)(cfuzz_f *f)
{
    cfuzz_add(f,
              CFUZZ_BYTES("/usr/bin/ccache gcc -O2 -Iinc -I. -include cfg.h -x c -DA=1 -c a.c -o"));
    cfuzz_add(f, CFUZZ_BYTES("cc --sysroot=s --param x=1 -flto=thin -Wp,-MD,d -save-temps -- -"));
}

/* Flags are taken from a command in their order: none is longer than what was there and the
 * directory, and nothing is taken that is not a flag or its argument. */
FUZZ_TEST(FuzzCompilerFlags, [] byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct strlist command = STRLIST_INIT, flags = STRLIST_INIT;
    struct cfz_error err;
    size_t longest = 0;
    bool ndebug = false;

    error_clear(&err);
    if (strlist_split(&command, (const char *)line, len, &err) < 0)
        return;
    for (size_t i = 0; i < command.n; i++)
        longest = strlen(command.v[i]) > longest ? strlen(command.v[i]) : longest;
    CHECK(t, compile_commands_flags(&command, "/dir", &flags, &ndebug, &err) == 0);
    CHECK(t, flags.n <= command.n + command.n);
    for (size_t i = 0; i < flags.n; i++) {
        CHECK(t, strlen(flags.v[i]) <= 2 * longest + 5);
        CHECK(t, i > 0 || flags.v[i][0] == '-');
    }
    strlist_release(&command);
    strlist_release(&flags);
}
