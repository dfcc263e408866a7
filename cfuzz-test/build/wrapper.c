/*
 * wrapper.c - cfuzz-cc and cfuzz-c++: the command line of a compiler, with what makes the build
 * instrumented, and its programs test binaries.
 */
#include "build/wrapper.h"

#include <fcntl.h>
#include <string.h>

#include "build/build_plan.h"
#include "build/foreign.h"
#include "core/buf.h"
#include "core/io.h"

enum { RESPONSE_MAX = 64 << 20 }; /* bytes of a file of arguments */

/* What a command line asks for. */
struct request {
    enum { LINK, COMPILE, PREPROCESS } stage;
    bool inputs;    /* there is something to work on */
    bool sources;   /* of these, C or C++ that is compiled */
    bool shared;    /* the link makes a shared library */
    bool bare;      /* the link goes without what ordinary programs have, or is a partial one */
    bool allocator; /* a sanitizer brings its own malloc */
    bool plugin;    /* our flags for the compiler are there already */
    bool runtime;   /* as is the runtime */
    bool other_language; /* -x: what follows is neither C nor C++ */
    bool language;       /* -x: what follows is C or C++ by any name */
    bool header;         /* -x: of these, a header */
};

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(s, list[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(s, list) is_one_of(s, list, sizeof(list) / sizeof((list)[0]))

/* Whether the word after this flag belongs to it. */
static bool takes_word(const char *flag)
{
    static const char *const flags[] = {
        "-o",           "-I",           "-D",           "-U",
        "-L",           "-l",           "-F",           "-T",
        "-u",           "-z",           "-e",           "-B",
        "-A",           "-G",           "-h",           "-MF",
        "-MT",          "-MQ",          "-MJ",          "-Xlinker",
        "-Xclang",      "-mllvm",       "-Xassembler",  "-Xpreprocessor",
        "-include",     "-imacros",     "-isystem",     "-iquote",
        "-idirafter",   "-iprefix",     "-iwithprefix", "-isysroot",
        "--sysroot",    "-target",      "-arch",        "-soname",
        "-rpath",       "-rpath-link",  "--param",      "-aux-info",
        "-include-pch", "-cxx-isystem", "-c-isystem",   "-resource-dir",
        "-wrapper",     "-specs",       "-dumpbase",    "-dumpdir",
    };

    return IS_ONE_OF(flag, flags);
}

static bool is_source_name(const char *name)
{
    static const char *const suffixes[] = {".c",   ".i",   ".ii", ".cc",  ".cp",  ".cxx",
                                           ".cpp", ".c++", ".C",  ".CPP", ".cppm"};
    const char *dot = strrchr(name, '.');

    return dot != NULL && IS_ONE_OF(dot, suffixes);
}

/* A header by itself is compiled, and nothing is linked. */
static bool is_header_name(const char *name)
{
    static const char *const suffixes[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H"};
    const char *dot = strrchr(name, '.');

    return dot != NULL && IS_ONE_OF(dot, suffixes);
}

static void take_language(struct request *r, const char *name)
{
    static const char *const ours[] = {
        "c",          "c++",
        "c-header",   "c++-header",
        "cpp-output", "c++-cpp-output",
        "c++-module", "c++-user-header",
    };

    r->language = IS_ONE_OF(name, ours);
    r->other_language = !r->language && strcmp(name, "none") != 0;
    r->header = r->language && strstr(name, "-header") != NULL;
}

/* Whether -fsanitize= has one that replaces malloc. */
static bool replaces_malloc(const char *list)
{
    return strstr(list, "address") != NULL || strstr(list, "memory") != NULL ||
           strstr(list, "thread") != NULL || strstr(list, "leak") != NULL;
}

static void take_flag(struct request *r, const char *flag)
{
    static const char *const preprocess[] = {"-E", "-M", "-MM"};
    static const char *const compile[] = {"-c",        "-S",           "-fsyntax-only",
                                          "-emit-ast", "--precompile", "-emit-pch"};
    static const char *const bare[] = {
        "-r",     "-nostdlib",         "-nodefaultlibs", "-nostartfiles",
        "-Wl,-r", "-Wl,--relocatable", "--relocatable",  "-nolibc"};

    if (IS_ONE_OF(flag, preprocess))
        r->stage = PREPROCESS;
    else if (IS_ONE_OF(flag, compile) && r->stage == LINK)
        r->stage = COMPILE;
    else if (strcmp(flag, "-shared") == 0 || strcmp(flag, "--shared") == 0)
        r->shared = true;
    else if (IS_ONE_OF(flag, bare))
        r->bare = true;
    else if (starts_with(flag, "-fsanitize=") && replaces_malloc(flag))
        r->allocator = true;
    else if (starts_with(flag, "-fplugin=") && strstr(flag, "/cfuzz-plugin-") != NULL)
        r->plugin = true;
    else if (strcmp(flag, "-lcfuzz") == 0)
        r->runtime = r->inputs = true;
    else if (starts_with(flag, "-l"))
        r->inputs = true;
}

static void take_input(struct request *r, const char *name)
{
    const char *base = strrchr(name, '/');
    bool header;

    base = base != NULL ? base + 1 : name;
    header = r->header || (!r->language && !r->other_language && is_header_name(base));
    r->inputs = true;
    if (strcmp(base, "libcfuzz.a") == 0)
        r->runtime = true;
    if (header && r->stage == LINK)
        r->stage = COMPILE;
    r->sources |= header || r->language || (!r->other_language && is_source_name(base));
}

static int take_words(struct request *r, const char *const *args, size_t n, bool nested,
                      struct cfz_error *err);

/* Reads the words of @path, as ninja and make write them for links with many objects. One that is
 * not there is the name of an input, as it is for the compiler. */
static int take_response(struct request *r, const char *path, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct strlist words = STRLIST_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret = 0;

    if (cfz_io_read_file(AT_FDCWD, path, RESPONSE_MAX, &text, &why) < 0)
        r->inputs = true;
    else if (strlist_split(&words, cfz_buf_str(&text), text.len, err) < 0)
        ret = cfz_error_wrap(err, "@%s", path);
    else
        ret = take_words(r, (const char *const *)words.v, words.n, true, err);
    strlist_release(&words);
    cfz_buf_release(&text);
    return ret;
}

static int take_words(struct request *r, const char *const *args, size_t n, bool nested,
                      struct cfz_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *arg = args[i];

        if (arg[0] == '@' && !nested) {
            if (take_response(r, arg + 1, err) < 0)
                return -1;
        } else if (arg[0] != '-' || arg[1] == '\0') {
            take_input(r, arg);
        } else if (starts_with(arg, "-x")) {
            if (arg[2] != '\0')
                take_language(r, arg + 2);
            else if (i + 1 < n)
                take_language(r, args[++i]);
        } else {
            take_flag(r, arg);
            if (takes_word(arg))
                i++;
        }
    }
    return 0;
}

/* The flags of a compilation. They come first, so that the project's own win. */
static int add_compile_flags(const struct compiler *c, const struct install *in,
                             const struct request *r, struct strlist *out, struct cfz_error *err)
{
    if (STRLIST_ADD(out, err, "-DCFUZZ", "-isystem", in->include) < 0)
        return -1;
    if (r->stage == PREPROCESS || r->plugin)
        return c->is_clang ? 0 : strlist_add(out, "-DCFUZZ_TEST", err);
    if (STRLIST_ADD(out, err, "-g", "-fno-omit-frame-pointer") < 0)
        return -1;
    if (!c->is_clang)
        return STRLIST_ADD(out, err, "-DCFUZZ_TEST", "-fsanitize-coverage=trace-pc,trace-cmp");
    if (strlist_addf(out, err, "-fplugin=%s", c->plugin) < 0 ||
        strlist_addf(out, err, "-fpass-plugin=%s", c->plugin) < 0)
        return -1;
    return STRLIST_ADD(out, err, "-fplugin-arg-cfuzz-coverage=on",
                       "-fplugin-arg-cfuzz-rename-main=off");
}

/* What a program is linked with. It comes last: what the program has itself is not replaced. */
static int add_runtime(const struct compiler *c, const struct install *in, const struct request *r,
                       struct strlist *out, struct cfz_error *err)
{
    if (strlist_add(out, "-Wl,-u,cfz_program", err) < 0 ||
        strlist_addf(out, err, "%s/libcfuzz_main.a", in->lib) < 0 ||
        strlist_addf(out, err, "%s/libcfuzz.a", in->lib) < 0)
        return -1;
    /* A sanitizer's allocator has hooks of its own for what these do (runtime/target/alloc.h). */
    if (!r->allocator &&
        strlist_add(out, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc", err) < 0)
        return -1;
    if (!c->is_clang && (strlist_add(out, FOREIGN_CALLS, err) < 0 ||
                         (r->allocator && strlist_add(out, FOREIGN_CALLBACKS, err) < 0)))
        return -1;
    if (strlist_add(out, LINK_SIGNALS, err) < 0)
        return -1;
    return STRLIST_ADD(out, err, "-lffi", "-lpthread", "-ldl",
                       "-Wl,--export-dynamic-symbol=cfuzz_*",
                       "-Wl,--export-dynamic-symbol=__sanitizer_cov_*");
}

int wrapper_command(const struct compiler *c, const struct install *in, const char *const *args,
                    size_t n, struct strlist *out, struct cfz_error *err)
{
    struct request r = {.stage = LINK};
    bool links;

    if (take_words(&r, args, n, false, err) < 0 || strlist_add_all(out, &c->command, err) < 0)
        return -1;
    links = r.stage == LINK && r.inputs && !r.bare && !r.runtime;
    if (r.sources && add_compile_flags(c, in, &r, out, err) < 0)
        return -1;
    if (strlist_add_words(out, args, n, err) < 0)
        return -1;
    /* gcc's link-time optimisation loses the symbols that registration needs. */
    if (!c->is_clang && r.sources && strlist_add(out, "-fno-lto", err) < 0)
        return -1;
    /* Inputs end at an -x: without it our archives would be sources. */
    if (links && (r.language || r.other_language) && STRLIST_ADD(out, err, "-x", "none") < 0)
        return -1;
    if (links && r.shared)
        return strlist_add(out, "-Wl,-z,undefs", err);
    return links ? add_runtime(c, in, &r, out, err) : 0;
}
