/*
 * build_plan.c - the commands that make a package's test binaries.
 */
#define _GNU_SOURCE
#include "build/build_plan.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/harness_name.h"
#include "base/cache.h"
#include "build/foreign.h"
#include "cli/sanitizers.h"
#include "core/buf.h"
#include "core/protocol.h"

/* Part of every key: change it when build directories of older drivers must not be used. */
#define BUILD_FORMAT "3"

/* Variables that compilers and linkers read besides their command lines. */
static const char *const compiler_environment[] = {
    "CPATH",         "C_INCLUDE_PATH",    "LIBRARY_PATH",         "GCC_EXEC_PREFIX",
    "COMPILER_PATH", "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS", "CPLUS_INCLUDE_PATH",
};

void build_plan_release(struct build_plan *plan)
{
    free(plan->key);
    free(plan->dir);
    for (size_t i = 0; i < plan->nsteps; i++) {
        free(plan->steps[i].input);
        free(plan->steps[i].output);
        free(plan->steps[i].depfile);
        free(plan->steps[i].program);
        free(plan->steps[i].names_harness);
        strlist_release(&plan->steps[i].objects);
        strlist_release(&plan->steps[i].argv);
    }
    free(plan->steps);
    strlist_release(&plan->libraries);
    memset(plan, 0, sizeof(*plan));
}

/* The words of the environment variable name. */
static int split_env(const char *name, struct strlist *out, struct cfz_error *err)
{
    const char *v = getenv(name);

    if (v == NULL)
        return 0;
    if (strlist_split(out, v, strlen(v), err) < 0) {
        cfz_error_wrap(err, "%s", name);
        if (err != NULL && err->code == CFZ_EFORMAT)
            err->code = CFZ_EUSAGE;
        return -1;
    }
    return 0;
}

/* The compiler's words, with the compiler itself as an absolute path. */
static int add_compiler(const struct compiler *c, bool cxx, struct strlist *out,
                        struct cfz_error *err)
{
    size_t program = c->command.n - 1;

    while (program > 0 && c->command.v[program][0] == '-')
        program--;
    for (size_t i = 0; i < c->command.n; i++)
        if (strlist_add(out, i != program ? c->command.v[i] : cxx ? c->cxx : c->path, err) < 0)
            return -1;
    return 0;
}

static int add_sanitizers(unsigned sanitizers, struct strlist *out, struct cfz_error *err)
{
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((sanitizers & sanitizers_all[i].bit) != 0 &&
            strlist_addf(out, err, "-fsanitize=%s", sanitizers_all[i].value) < 0)
            return -1;
    /* By itself UndefinedBehaviorSanitizer reports and goes on: nothing would fail. */
    if ((sanitizers & CFZ_BUILD_UBSAN) != 0)
        return strlist_add(out, "-fno-sanitize-recover=undefined", err);
    return 0;
}

/*
 * -cover: counters of source lines, by clang's front end. They are relocated, so that all processes
 * count in one file, and atomic, since those that run at once do too (cover/profiles.h). What
 * macros of a system header expand to, cfuzz_skip(t, ...) for one, clang counts by itself before
 * version 17.
 */
static int add_cover(const struct options *opt, const struct compiler *c, struct strlist *out,
                     struct cfz_error *err)
{
    enum { SYSTEM_HEADERS_LEFT_OUT = 17 };

    if (!opt->cover)
        return 0;
    if (STRLIST_ADD(out, err, "-fprofile-instr-generate", "-fcoverage-mapping",
                    "-fprofile-update=atomic", "-mllvm", "-runtime-counter-relocation") < 0)
        return -1;
    return c->major < SYSTEM_HEADERS_LEFT_OUT
               ? 0
               : STRLIST_ADD(out, err, "-mllvm", "-system-headers-coverage");
}

/*
 * Adds the directory of cfuzz.h. It is a system directory, so that ours comes before one in
 * /usr/local. A directory that every compiler searches is not added, since a directory that is
 * named again changes its place.
 */
static int add_include(const struct install *in, struct strlist *out, struct cfz_error *err)
{
    if (strcmp(in->include, "/usr/include") == 0 || strcmp(in->include, "/usr/local/include") == 0)
        return 0;
    return STRLIST_ADD(out, err, "-isystem", in->include);
}

/* What makes a test build of an ordinary compilation. */
static int add_test_flags(const struct options *opt, const struct package *pkg,
                          const struct compiler *c, const struct engine *engine, bool own,
                          struct strlist *out, struct cfz_error *err)
{
    bool fuzz = opt->fuzz != NULL && engine == NULL;

    if (engine != NULL && strlist_add_all(out, &engine->cflags, err) < 0)
        return -1;

    /* Tests of other directories are not this package's: cfuzz.h makes them unused functions. */
    if (strlist_add(out, "-DCFUZZ", err) < 0 ||
        (!own && strlist_add(out, "-DCFUZZ_UNREGISTERED", err) < 0))
        return -1;

    if (c->plugin == NULL) {
        /* gcc's link-time optimisation loses the symbols that registration needs. */
        if ((own && strlist_add(out, "-DCFUZZ_TEST", err) < 0) ||
            STRLIST_ADD(out, err, "-Dmain=cfuzz_user_main", "-fno-lto") < 0)
            return -1;
        return fuzz ? strlist_add(out, "-fsanitize-coverage=trace-pc,trace-cmp", err) : 0;
    }
    /* Before LLVM 22 neither flag loads both parts; the two together are right for all versions. */
    if (strlist_addf(out, err, "-fplugin=%s", c->plugin) < 0 ||
        strlist_addf(out, err, "-fpass-plugin=%s", c->plugin) < 0)
        return -1;
    for (size_t i = 0; fuzz && i < pkg->comparators.n; i++)
        if (strlist_addf(out, err, "-fplugin-arg-cfuzz-compare=%s", pkg->comparators.v[i]) < 0)
            return -1;
    return STRLIST_ADD(out, err,
                       fuzz ? "-fplugin-arg-cfuzz-coverage=on" : "-fplugin-arg-cfuzz-coverage=off",
                       "-fplugin-arg-cfuzz-rename-main=on");
}

/* Whether the link needs the compiler's flag, too. */
static bool concerns_link(const char *flag)
{
    static const char *const prefixes[] = {
        "-fsanitize", "-fno-sanitize", "-pthread", "-m",         "-no-pie",    "-pie",
        "-static",    "--target=",     "-fopenmp", "--sysroot=", "--coverage", "-fprofile",
        "-fuse-ld",   "--gcc-",        "-stdlib=", "-flto",      "-fno-lto",
    };

    if (strcmp(flag, "-mllvm") == 0)
        return false;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strncmp(flag, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/*
 * Adds the user's flag, less what is libFuzzer's in it: "-fsanitize=fuzzer,address" is for
 * "-fsanitize=address" then. cfuzz takes the place of that engine, and instruments itself.
 */
static int add_user_flag(const char *flag, struct strlist *out, struct cfz_error *err)
{
    static const char prefix[] = "-fsanitize=";
    struct cfz_buf kept = CFZ_BUF_INIT;
    const char *part = flag + sizeof(prefix) - 1;
    int ret = 0;

    if (strncmp(flag, prefix, sizeof(prefix) - 1) != 0 || strstr(flag, "fuzzer") == NULL)
        return strlist_add(out, flag, err);
    while (ret == 0 && *part != '\0') {
        int len = (int)strcspn(part, ",");

        if (!(len == 6 && strncmp(part, "fuzzer", 6) == 0) &&
            !(len == 14 && strncmp(part, "fuzzer-no-link", 14) == 0))
            ret = cfz_buf_printf(&kept, err, "%s%.*s", kept.len > 0 ? "," : prefix, len, part);
        part += len + (part[len] == ',');
    }
    if (ret == 0 && kept.len > 0)
        ret = strlist_add(out, cfz_buf_str(&kept), err);
    cfz_buf_release(&kept);
    return ret;
}

static int add_user_flags(const struct strlist *flags, struct strlist *out, struct cfz_error *err)
{
    for (size_t i = 0; i < flags->n; i++)
        if (add_user_flag(flags->v[i], out, err) < 0)
            return -1;
    return 0;
}

static int add_link_flags(const struct strlist *flags, struct strlist *out, struct cfz_error *err)
{
    for (size_t i = 0; i < flags->n; i++)
        if (concerns_link(flags->v[i]) && !strlist_has(out, flags->v[i]) &&
            add_user_flag(flags->v[i], out, err) < 0)
            return -1;
    return 0;
}

/* The source as the compiler gets it: relative if it can be, so that messages read well. A name
 * that begins with '-' or '@' would be an option, or a file with options. */
static const char *source_name(const struct package *pkg, const char *path)
{
    size_t len = strlen(pkg->dir);

    if (strncmp(path, pkg->dir, len) == 0 && path[len] == '/' && path[len + 1] != '-' &&
        path[len + 1] != '@')
        return path + len + 1;
    return path;
}

/* A compilation database may be another compiler's: it is not the user's fault that clang does not
 * know all of its warnings and optimisations. */
static int add_tolerance(struct strlist *out, struct cfz_error *err)
{
    return STRLIST_ADD(out, err, "-Wno-unknown-warning-option",
                       "-Wno-ignored-optimization-argument", "-Wno-unused-command-line-argument");
}

bool build_plan_is_foreign_standard(const char *flag, bool cxx)
{
    static const char prefix[] = "-std=";
    bool of_cxx = strstr(flag, "++") != NULL;

    return strncmp(flag, prefix, sizeof(prefix) - 1) == 0 && of_cxx != cxx;
}

static int add_language_flags(const struct strlist *flags, bool cxx, struct strlist *out,
                              struct cfz_error *err)
{
    for (size_t i = 0; i < flags->n; i++)
        if (!build_plan_is_foreign_standard(flags->v[i], cxx) &&
            add_user_flag(flags->v[i], out, err) < 0)
            return -1;
    return 0;
}

/* The flags of the user's environment. */
struct env_flags {
    struct strlist c, cxx, link; /* CFLAGS, CXXFLAGS, LDFLAGS */
};

/*
 * Plans a compilation without its output. The user's flags come after our optimisation flags, so
 * that they win, and before the flags that make it a test build.
 */
static int plan_compile(const struct options *opt, const struct package *pkg,
                        const struct env_flags *env, const struct compiler *c,
                        const struct engine *engine, const struct install *in,
                        struct build_step *step, struct cfz_error *err)
{
    const struct package_source *source = &pkg->sources[step->source];
    bool cxx = source->is_cxx, own = source->own && !step->unregistered;
    struct strlist *argv = &step->argv;

    if (add_compiler(c, cxx, argv, err) < 0 ||
        STRLIST_ADD(argv, err, opt->sanitizers != 0 ? "-O1" : "-O2", "-g",
                    "-fno-omit-frame-pointer") < 0 ||
        (c->is_clang && source->flags.n > 0 && add_tolerance(argv, err) < 0) ||
        add_language_flags(&source->flags, cxx, argv, err) < 0 ||
        add_language_flags(&pkg->cflags, cxx, argv, err) < 0 ||
        (cxx && add_user_flags(&pkg->cxxflags, argv, err) < 0) ||
        (engine != NULL ? strlist_add_all(argv, cxx ? &env->cxx : &env->c, err)
                        : add_user_flags(cxx ? &env->cxx : &env->c, argv, err)) < 0 ||
        add_sanitizers(opt->sanitizers, argv, err) < 0 || add_cover(opt, c, argv, err) < 0 ||
        add_test_flags(opt, pkg, c, engine, own, argv, err) < 0 || add_include(in, argv, err) < 0)
        return -1;
    /* Whoever looks at tests is not to read the warnings of all else. */
    if (!source->spells_test && strlist_add(argv, "-w", err) < 0)
        return -1;
    return STRLIST_ADD(argv, err, "-c", source_name(pkg, source->path));
}

/* The link's flags before its inputs. */
static int plan_link_head(const struct options *opt, const struct package *pkg,
                          const struct env_flags *env, const struct compiler *c,
                          const struct engine *engine, bool cxx, struct strlist *argv,
                          struct cfz_error *err)
{
    bool other = engine != NULL && engine->linker.n > 0;

    if ((other ? strlist_add_all(argv, &engine->linker, err) : add_compiler(c, cxx, argv, err)) <
            0 ||
        strlist_add(argv, "-g", err) < 0)
        return -1;
    for (size_t i = 0; i < pkg->nsources; i++)
        if (add_link_flags(&pkg->sources[i].flags, argv, err) < 0)
            return -1;
    if (add_link_flags(&pkg->cflags, argv, err) < 0 ||
        (cxx && add_link_flags(&pkg->cxxflags, argv, err) < 0) ||
        add_link_flags(&env->c, argv, err) < 0 ||
        (cxx && add_link_flags(&env->cxx, argv, err) < 0) ||
        (opt->cover && strlist_add(argv, "-fprofile-instr-generate", err) < 0))
        return -1;
    return add_sanitizers(opt->sanitizers, argv, err);
}

/* What the inputs need that the plugin did not compile; argv has the user's. */
static int add_foreign(const struct options *opt, const struct package *pkg,
                       const struct compiler *c, struct strlist *argv, struct cfz_error *err)
{
    unsigned foreign;

    if (opt->fuzz == NULL)
        return 0;
    foreign = foreign_objects(argv, pkg->dir);
    if (c->plugin != NULL && (foreign & FOREIGN_COVERAGE) == 0)
        return 0;
    if (strlist_add(argv, FOREIGN_CALLS, err) < 0 ||
        (opt->sanitizers != 0 && strlist_add(argv, FOREIGN_CALLBACKS, err) < 0))
        return -1;
    return (foreign & FOREIGN_DEPTH) == 0 ? 0 : strlist_add(argv, FOREIGN_STACK, err);
}

/*
 * Adds what follows the objects: the user's libraries, then ours, which the user's may call. What
 * -libfuzzer makes runs where only libc is there for sure.
 */
static int plan_link_tail(const struct options *opt, const struct package *pkg,
                          const struct compiler *c, const struct strlist *ldflags,
                          const struct strlist *libraries, struct strlist *argv,
                          struct cfz_error *err)
{
    if (add_user_flags(&pkg->ldflags, argv, err) < 0 || add_user_flags(ldflags, argv, err) < 0 ||
        (pkg->libraries.n > 0 && /* some are those of other programs of the project */
         (strlist_add(argv, "-Wl,--push-state,--as-needed", err) < 0 ||
          add_user_flags(&pkg->libraries, argv, err) < 0 ||
          strlist_add(argv, "-Wl,--pop-state", err) < 0)) ||
        add_foreign(opt, pkg, c, argv, err) < 0 || strlist_add_all(argv, libraries, err) < 0)
        return -1;
    /* A sanitizer's allocator has hooks of its own for what these do (runtime/target/alloc.h). */
    if ((opt->sanitizers & ~(unsigned)CFZ_BUILD_UBSAN) == 0 &&
        STRLIST_ADD(argv, err, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc") < 0)
        return -1;
    if (strlist_add(argv, LINK_SIGNALS, err) < 0)
        return -1;
    /* Instrumented libraries that the program opens itself find the runtime through these. */
    return STRLIST_ADD(argv, err,
                       opt->libfuzzer && engine_has_static_ffi() ? "-l:libffi.a" : "-lffi",
                       "-lpthread", "-ldl", "-Wl,--export-dynamic-symbol=cfuzz_*",
                       "-Wl,--export-dynamic-symbol=__sanitizer_cov_*");
}

/* The same where another engine has the counters and the main. What it calls in our archive is
 * asked for by name, since it may well do without. */
static int plan_engine_tail(const struct package *pkg, const struct strlist *ldflags,
                            const struct strlist *libraries, const struct engine *engine,
                            bool ubsan, bool harness, struct strlist *argv, struct cfz_error *err)
{
    if (strlist_add_all(argv, &pkg->ldflags, err) < 0 || strlist_add_all(argv, ldflags, err) < 0 ||
        (pkg->libraries.n > 0 && (strlist_add(argv, "-Wl,--push-state,--as-needed", err) < 0 ||
                                  strlist_add_all(argv, &pkg->libraries, err) < 0 ||
                                  strlist_add(argv, "-Wl,--pop-state", err) < 0)) ||
        strlist_add_all(argv, &engine->link, err) < 0)
        return -1;
    if (harness) /* it has all that the engine calls, and nothing of ours */
        return strlist_add_all(argv, &engine->archives, err);
    if (strlist_addf(argv, err, "-Wl,-u,%s,-u,LLVMFuzzerCustomMutator", harness_name()) < 0 ||
        strlist_add_all(argv, libraries, err) < 0)
        return -1;
    if (ubsan && strlist_add(argv, "-Wl,--defsym=cfz_engine_ubsan=1", err) < 0)
        return -1;
    return STRLIST_ADD(argv, err, engine->static_ffi ? "-l:libffi.a" : "-lffi", "-lpthread",
                       "-ldl");
}

/* Whether objects are compiled with UndefinedBehaviorSanitizer. */
static bool has_ubsan(const struct options *opt, const struct package *pkg,
                      const struct strlist *cflags)
{
    const struct strlist *const lists[] = {&pkg->cflags, cflags};

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            if (strncmp(lists[i]->v[k], "-fsanitize=", 11) == 0 &&
                (strstr(lists[i]->v[k], "undefined") != NULL ||
                 strstr(lists[i]->v[k], "alignment") != NULL))
                return true;
    return (opt->sanitizers & CFZ_BUILD_UBSAN) != 0;
}

/* The archives that the link reads, of which any change is another build. */
static int add_libraries(const struct options *opt, const struct engine *engine,
                         const struct install *in, struct strlist *out, struct cfz_error *err)
{
    if (engine != NULL)
        return strlist_add_all(out, &engine->archives, err) < 0
                   ? -1
                   : strlist_addf(out, err, "%s/libcfuzz_engine.a", in->lib);
    if (strlist_addf(out, err, "%s/libcfuzz%s_main.a", in->lib,
                     opt->libfuzzer ? "_libfuzzer" : "") < 0)
        return -1;
    return strlist_addf(out, err, "%s/libcfuzz.a", in->lib);
}

/* Whether source i is one of several that have a main: each gets a name of its own. */
static bool is_one_program_of_several(const struct package *pkg, size_t i)
{
    size_t n = 0;

    for (size_t k = 0; k < pkg->nsources; k++)
        n += pkg->sources[k].has_main;
    return n > 1 && pkg->sources[i].has_main;
}

/* Has the compiler call the main of a source by another name. */
static int add_program(const struct build_plan *plan, struct build_step *step, bool is_clang,
                       struct cfz_error *err)
{
    if (!is_clang)
        return strlist_addf(&step->argv, err, "-Dmain=cfuzz_user_main_%zu", step->source);
    if (asprintf(&step->program, "%s/%zu.main.h", plan->dir, step->source) < 0) {
        step->program = NULL;
        return cfz_fail_nomem(err);
    }
    return STRLIST_ADD(&step->argv, err, "-include", step->program);
}

/* Has the compiler put the name of a harness into it. */
static int add_harness_name(const struct build_plan *plan, struct build_step *step,
                            struct cfz_error *err)
{
    if (asprintf(&step->names_harness, "%s/%zu.harness.h", plan->dir, step->source) < 0) {
        step->names_harness = NULL;
        return cfz_fail_nomem(err);
    }
    return STRLIST_ADD(&step->argv, err, "-include", step->names_harness);
}

/* Adds a file's identity, so that any replacement of it is another key. */
static int add_identity(const char *path, struct cfz_buf *text, struct cfz_error *err)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return cfz_fail_errno(err, "%s", path);
    return cfz_buf_printf(text, err, "%s %lld.%09ld %lld %llu\n", path,
                          (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_size,
                          (unsigned long long)st.st_ino);
}

/* The variables that the compilers of engines read are many: all that begin as theirs. */
static int add_engine_environment(struct cfz_buf *text, struct cfz_error *err)
{
    static const char *const begins[] = {"AFL_", "HFUZZ_CC_"};
    struct strlist found = STRLIST_INIT;
    int ret = 0;

    for (size_t i = 0; ret == 0 && environ[i] != NULL; i++)
        for (size_t k = 0; ret == 0 && k < sizeof(begins) / sizeof(begins[0]); k++)
            if (strncmp(environ[i], begins[k], strlen(begins[k])) == 0)
                ret = strlist_add(&found, environ[i], err);
    strlist_sort(&found);
    for (size_t i = 0; ret == 0 && i < found.n; i++)
        ret = cfz_buf_printf(text, err, "%s\n", found.v[i]);
    strlist_release(&found);
    return ret;
}

/* Every command without its outputs, and every file and variable that is not in them. */
static int make_key(const struct build_plan *plan, const struct package *pkg,
                    const struct strlist *tail, const struct compiler *c,
                    const struct engine *engine, const struct install *in, char **key,
                    struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, header = CFZ_BUF_INIT;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    int ret = -1;

    if (cfz_buf_printf(&text, err, "cfuzz build %s\n%s\ncompiler %s %s\n", BUILD_FORMAT, pkg->dir,
                       c->is_clang ? "clang" : "gcc", c->version) < 0 ||
        cfz_buf_printf(&header, err, "%s/cfuzz.h", in->include) < 0 ||
        add_identity(cfz_buf_str(&header), &text, err) < 0 || add_identity(c->path, &text, err) < 0)
        goto out;
    if ((c->plugin != NULL && add_identity(c->plugin, &text, err) < 0) ||
        (c->cxx != NULL && add_identity(c->cxx, &text, err) < 0))
        goto out;
    for (size_t i = 0; i < plan->libraries.n; i++)
        if (add_identity(plan->libraries.v[i], &text, err) < 0)
            goto out;
    for (size_t i = 0; i < sizeof(compiler_environment) / sizeof(compiler_environment[0]); i++) {
        const char *v = getenv(compiler_environment[i]);

        if (v != NULL && cfz_buf_printf(&text, err, "%s=%s\n", compiler_environment[i], v) < 0)
            goto out;
    }
    if (engine != NULL && add_engine_environment(&text, err) < 0)
        goto out;
    for (size_t i = 0; i <= plan->nsteps; i++) {
        const struct strlist *argv = i < plan->nsteps ? &plan->steps[i].argv : tail;

        for (size_t k = 0; k < argv->n; k++) /* with its NUL, so that words cannot run together */
            if (cfz_buf_append(&text, argv->v[k], strlen(argv->v[k]) + 1, err) < 0)
                goto out;
        if (cfz_buf_puts(&text, "\n", err) < 0)
            goto out;
    }
    for (size_t i = 0; i < pkg->nsources; i++)
        if ((is_one_program_of_several(pkg, i) &&
             cfz_buf_printf(&text, err, "program %zu\n", i) < 0) ||
            (pkg->sources[i].harness != NULL &&
             cfz_buf_printf(&text, err, "harness %zu %s\n", i, pkg->sources[i].harness) < 0))
            goto out;
    SHA256Data(text.data, text.len, digest);
    *key = strndup(digest, 32);
    ret = *key != NULL ? 0 : cfz_fail_nomem(err);
out:
    cfz_buf_release(&text);
    cfz_buf_release(&header);
    return ret;
}

/* Refuses what ninja cannot be told: it has no escape for these. */
static int check_source(const char *path, struct cfz_error *err)
{
    size_t ok = strcspn(path, "|\r\n");

    if (path[ok] == '\0')
        return 0;
    return cfz_fail(err, CFZ_EUSAGE, "%.*s...: a source whose path holds %s cannot be built",
                    (int)ok, path, path[ok] == '|' ? "'|'" : "a line break");
}

/* Names the output of a compilation, and completes its command. */
static int place_object(const struct build_plan *plan, const struct package *pkg, bool is_clang,
                        struct build_step *step, struct cfz_error *err)
{
    if (check_source(step->input, err) < 0)
        return -1;
    /* Named by number: sources of two directories may have the same name, with any byte in it. */
    if (asprintf(&step->output, "%s/%zu%s.o", plan->dir, step->source,
                 step->unregistered ? ".part" : "") < 0)
        step->output = NULL;
    if (step->output == NULL || asprintf(&step->depfile, "%s.d", step->output) < 0)
        step->depfile = NULL;
    if (step->depfile == NULL)
        return cfz_fail_nomem(err);
    if (is_one_program_of_several(pkg, step->source) && add_program(plan, step, is_clang, err) < 0)
        return -1;
    if (step->harness != NULL && add_harness_name(plan, step, err) < 0)
        return -1;
    return STRLIST_ADD(&step->argv, err, "-MD", "-MF", step->depfile, "-o", step->output);
}

/* Whether the object of a compilation belongs into a link. */
static bool is_linked(const struct build_plan *plan, const struct package *pkg,
                      const struct build_step *compile, const struct build_step *link)
{
    const char *harness = pkg->sources[compile->source].harness;

    if (plan->nsteps - plan->ncompiles == 1)
        return true;
    if (harness != NULL)
        return harness == link->harness;
    if (compile->unregistered)
        return link->harness != NULL;
    for (size_t i = 0; i < plan->ncompiles && link->harness != NULL; i++)
        if (plan->steps[i].unregistered && plan->steps[i].source == compile->source)
            return false; /* that one is */
    return true;
}

/*
 * Has the linker say what it reads. No word of a link tells that: libraries are found in
 * directories of the system, and linker scripts name others. Of a thin archive only gold tells the
 * members. Whatever knows --export-dynamic-symbol has this option. Not with -Wl, which would split
 * the path at commas.
 */
static int add_link_depfile(struct build_step *link, struct cfz_error *err)
{
    if (asprintf(&link->depfile, "%s.d", link->output) < 0) {
        link->depfile = NULL;
        return cfz_fail_nomem(err);
    }
    return strlist_add(&link->argv, "-Xlinker", err) < 0
               ? -1
               : strlist_addf(&link->argv, err, "--dependency-file=%s", link->depfile);
}

/* Names the output of a link, which is below a directory named by the key, and completes its
 * command by objects and tail. A linker that the user named may be too old to say what it reads. */
static int place_binary(const struct build_plan *plan, const struct package *pkg,
                        const struct engine *engine, const struct strlist *tail,
                        struct build_step *link, struct cfz_error *err)
{
    const char *base = strrchr(pkg->dir, '/') + 1, *name = link->harness;
    /* Beside the binary of the package itself, a harness may have the name of the directory. */
    bool twice =
        name != NULL && strcmp(name, base) == 0 && plan->steps[plan->ncompiles].harness == NULL;

    if (name == NULL)
        name = base[0] != '\0' ? base : "package";
    if (asprintf(&link->output, "%s/%s%s.test", plan->dir, name, twice ? ".harness" : "") < 0) {
        link->output = NULL;
        return cfz_fail_nomem(err);
    }
    for (size_t i = 0; i < plan->ncompiles; i++)
        if (is_linked(plan, pkg, &plan->steps[i], link) &&
            strlist_add(&link->objects, plan->steps[i].output, err) < 0)
            return -1;
    if (strlist_add_all(&link->argv, &link->objects, err) < 0 ||
        strlist_add_all(&link->argv, tail, err) < 0 ||
        ((engine == NULL || engine->linker.n == 0) && add_link_depfile(link, err) < 0) ||
        strlist_add(&link->argv, "-o", err) < 0)
        return -1;
    /* Renamed when it is complete: a driver that is killed leaves no half a binary behind. */
    return strlist_addf(&link->argv, err, "%s.new", link->output);
}

/* Lists the steps, without their commands. */
static int list_steps(const struct package *pkg, const struct engine *engine,
                      struct build_plan *plan, struct cfz_error *err)
{
    bool several = pkg->nharnesses > (engine == NULL ? 1 : 0),
         own = !several || pkg->mentions_own_tests;
    size_t n = 0;

    plan->steps = calloc(2 * pkg->nsources + pkg->nharnesses + 1, sizeof(*plan->steps));
    if (plan->steps == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < pkg->nsources; i++) {
        const struct package_source *s = &pkg->sources[i];
        bool twice = several && s->own && s->harness == NULL && own;

        for (int k = 0; k <= twice; k++, n++) {
            plan->nsteps = n + 1;
            plan->steps[n].source = i;
            plan->steps[n].harness = s->harness;
            plan->steps[n].unregistered = k > 0;
            plan->steps[n].input = strdup(s->path);
            if (plan->steps[n].input == NULL)
                return cfz_fail_nomem(err);
        }
    }
    plan->ncompiles = n;
    n += own;
    for (size_t i = 0; i < pkg->nsources && several; i++)
        if (pkg->sources[i].harness != NULL)
            plan->steps[n++].harness = pkg->sources[i].harness;
    plan->nsteps = n;
    return 0;
}

/* Whether the link of a step needs the C++ library. */
static bool links_cxx(const struct build_plan *plan, const struct package *pkg,
                      const struct build_step *link)
{
    for (size_t i = 0; i < plan->ncompiles; i++)
        if (pkg->sources[plan->steps[i].source].is_cxx &&
            is_linked(plan, pkg, &plan->steps[i], link))
            return true;
    return false;
}

/* What follows the objects in the link of the package's own tests, and in that of a harness among
 * several. */
static int plan_tails(const struct options *opt, const struct package *pkg,
                      const struct compiler *c, const struct engine *engine,
                      const struct env_flags *env, const struct strlist *libraries,
                      struct strlist *own, struct strlist *harness, struct cfz_error *err)
{
    bool ubsan = has_ubsan(opt, pkg, &env->c);

    if (engine == NULL)
        return plan_link_tail(opt, pkg, c, &env->link, libraries, own, err) < 0
                   ? -1
                   : strlist_add_all(harness, own, err);
    if (plan_engine_tail(pkg, &env->link, libraries, engine, ubsan, false, own, err) < 0)
        return -1;
    return plan_engine_tail(pkg, &env->link, libraries, engine, ubsan, true, harness, err);
}

int build_plan_make(const struct options *opt, const struct package *pkg, const struct compiler *c,
                    const struct engine *engine, const struct install *in, struct build_plan *out,
                    struct cfz_error *err)
{
    struct build_plan plan = {0};
    struct env_flags env = {STRLIST_INIT, STRLIST_INIT, STRLIST_INIT};
    struct strlist tail = STRLIST_INIT, harness_tail = STRLIST_INIT;
    int ret = -1;

    if (strchr(pkg->dir, '\n') != NULL) { /* ninja has no way to write it */
        cfz_fail(err, CFZ_EUSAGE, "%s: a package directory cannot have a line break in its name",
                 pkg->name);
        goto out;
    }
    if (split_env("CFLAGS", &env.c, err) < 0 || split_env("CXXFLAGS", &env.cxx, err) < 0 ||
        split_env("LDFLAGS", &env.link, err) < 0 ||
        add_libraries(opt, engine, in, &plan.libraries, err) < 0 ||
        list_steps(pkg, engine, &plan, err) < 0 ||
        plan_tails(opt, pkg, c, engine, &env, &plan.libraries, &tail, &harness_tail, err) < 0)
        goto out;
    for (size_t i = 0; i < plan.nsteps; i++) {
        struct build_step *step = &plan.steps[i];
        int rc = i < plan.ncompiles ? plan_compile(opt, pkg, &env, c, engine, in, step, err)
                                    : plan_link_head(opt, pkg, &env, c, engine,
                                                     links_cxx(&plan, pkg, step), &step->argv, err);

        if (rc < 0)
            goto out;
    }
    if (make_key(&plan, pkg, &tail, c, engine, in, &plan.key, err) < 0 ||
        cache_build_dir(plan.key, &plan.dir, err) < 0)
        goto out;
    for (size_t i = 0; i < plan.nsteps; i++) {
        struct build_step *step = &plan.steps[i];
        int rc = i < plan.ncompiles
                     ? place_object(&plan, pkg, c->plugin != NULL, step, err)
                     : place_binary(&plan, pkg, engine,
                                    step->harness != NULL ? &harness_tail : &tail, step, err);

        if (rc < 0)
            goto out;
    }
    *out = plan;
    memset(&plan, 0, sizeof(plan));
    ret = 0;
out:
    build_plan_release(&plan);
    strlist_release(&env.c);
    strlist_release(&env.cxx);
    strlist_release(&env.link);
    strlist_release(&tail);
    strlist_release(&harness_tail);
    return ret;
}
