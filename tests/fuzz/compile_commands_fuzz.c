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

#define json_load_file load_database
#define realpath same_path
#define access is_there
#include "../../cfuzz-test/build/compile_commands.c"
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
    struct package_source sources[2] = {{strdup("/p/a.c"), STRLIST_INIT},
                                        {strdup("/p/b.c"), STRLIST_INIT}};
    struct package p = {.dir = strdup("/p"), .sources = sources, .nsources = 2};
    struct cfz_error err;

    error_clear(&err);
    database = (const char *)text;
    database_len = len;
    if (compile_commands_apply(&p, NULL, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && p.compile_commands == NULL);
    }
    for (size_t i = 0; i < 2; i++) {
        CHECK(t, sources[i].flags.n <= 2 * len);
        strlist_release(&sources[i].flags);
        free(sources[i].path);
    }
    free(p.compile_commands);
    free(p.dir);
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
