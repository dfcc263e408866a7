/*
 * reproducer.c - see reproducer.h.
 */
#define _GNU_SOURCE
#include "test/reproducer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/harness_name.h"
#include "base/install.h"
#include "base/shell.h"
#include "build/build_plan.h"
#include "cli/sanitizers.h"
#include "process/seeds.h"
#include "process/session.h"

/* What stands in for cfuzz.h: C that is C++ too. */
static const char stand_ins[] =
    "#include <math.h>\n"
    "#include <stdarg.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/mman.h>\n"
    "#ifndef MAP_ANONYMOUS\n" /* with -std=c11 and the like it is not declared */
    "#define MAP_ANONYMOUS 0x20\n"
    "#endif\n"
    "\n"
    "/* In place of cfuzz's functions: what is logged goes to stderr. */\n"
    "static int cfuzz_repro_failed, cfuzz_repro_n;\n"
    "static struct { void (*fn)(void *); void *arg; } cfuzz_repro_cleanups[128];\n"
    "static void cfuzz_repro_leave(int status)\n"
    "{\n"
    "    while (cfuzz_repro_n > 0) {\n"
    "        cfuzz_repro_n--;\n"
    "        cfuzz_repro_cleanups[cfuzz_repro_n].fn(cfuzz_repro_cleanups[cfuzz_repro_n].arg);\n"
    "    }\n"
    "    exit(status);\n"
    "}\n"
    "#define CFUZZ_REPRO_TEXT()                                                       \\\n"
    "    do {                                                                         \\\n"
    "        va_list cfuzz_repro_ap;                                                  \\\n"
    "        va_start(cfuzz_repro_ap, fmt);                                           \\\n"
    "        fprintf(stderr, \"%s:%d: \", file, line);                                  \\\n"
    "        vfprintf(stderr, fmt, cfuzz_repro_ap);                                   \\\n"
    "        fputc('\\n', stderr);                                                     \\\n"
    "        va_end(cfuzz_repro_ap);                                                  \\\n"
    "    } while (0)\n"
    "#define CFUZZ_REPRO_PART(p, type)                                                \\\n"
    "    void p##log_at(type *t, const char *file, int line, const char *fmt, ...)    \\\n"
    "    { (void)t; CFUZZ_REPRO_TEXT(); }                                             \\\n"
    "    void p##error_at(type *t, const char *file, int line, const char *fmt, ...)  \\\n"
    "    { (void)t; CFUZZ_REPRO_TEXT(); cfuzz_repro_failed = 1; }                     \\\n"
    "    void p##fatal_at(type *t, const char *file, int line, const char *fmt, ...)  \\\n"
    "    { (void)t; CFUZZ_REPRO_TEXT(); cfuzz_repro_leave(1); abort(); }              \\\n"
    "    void p##skip_at(type *t, const char *file, int line, const char *fmt, ...)   \\\n"
    "    { (void)t; CFUZZ_REPRO_TEXT(); cfuzz_repro_leave(0); abort(); }              \\\n"
    "    void p##fail(type *t) { (void)t; cfuzz_repro_failed = 1; }                   \\\n"
    "    void p##fail_now(type *t) { (void)t; cfuzz_repro_leave(1); abort(); }        \\\n"
    "    void p##skip_now(type *t) { (void)t; cfuzz_repro_leave(0); abort(); }        \\\n"
    "    bool p##failed(const type *t) { (void)t; return cfuzz_repro_failed != 0; }   \\\n"
    "    bool p##skipped(const type *t) { (void)t; return false; }                    \\\n"
    "    void p##cleanup(type *t, void (*fn)(void *), void *arg)                      \\\n"
    "    {                                                                            \\\n"
    "        (void)t;                                                                 \\\n"
    "        if (cfuzz_repro_n == 128) abort();                                       \\\n"
    "        cfuzz_repro_cleanups[cfuzz_repro_n].fn = fn;                             \\\n"
    "        cfuzz_repro_cleanups[cfuzz_repro_n].arg = arg;                           \\\n"
    "        cfuzz_repro_n++;                                                         \\\n"
    "    }                                                                            \\\n"
    "    const char *p##temp_dir(type *t)                                             \\\n"
    "    {                                                                            \\\n"
    "        static char dir[] = \"/tmp/cfuzz-repro-XXXXXX\";                           \\\n"
    "        (void)t;                                                                 \\\n"
    "        return dir[sizeof dir - 2] != 'X' ? dir : mkdtemp(dir);                  \\\n"
    "    }                                                                            \\\n"
    "    void p##setenv(type *t, const char *name, const char *value)                 \\\n"
    "    { (void)t; setenv(name, value, 1); }\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#else /* -std=c99 leaves them out */\n"
    "extern char *mkdtemp(char *);\n"
    "extern int setenv(const char *, const char *, int);\n"
    "#endif\n"
    "CFUZZ_REPRO_PART(cfuzz_, cfuzz_t)\n"
    "CFUZZ_REPRO_PART(cfuzz_f_, cfuzz_f)\n"
    "bool cfuzz_deadline(const cfuzz_t *t, int64_t *ns) { (void)t; (void)ns; return false; }\n"
    "void cfuzz_parallel(cfuzz_t *t) { (void)t; }\n"
    "void cfuzz_add_args(cfuzz_f *f, const char *file, int line, const struct cfuzz_arg *args,\n"
    "                    size_t n)\n"
    "{ (void)f; (void)file; (void)line; (void)args; (void)n; }\n";

/* ---- values --------------------------------------------------------------------------------- */

/* Appends data as string literals, a line each; three digits of octal, so that no digit behind is
 * taken for one of the escape's. */
static int literal(const uint8_t *data, size_t len, struct cfz_buf *out, struct cfz_error *err)
{
    enum { PER_LINE = 64 };

    for (size_t i = 0; i < len; i++) {
        uint8_t c = data[i];
        int ret;

        if (i % PER_LINE == 0 && cfz_buf_puts(out, i == 0 ? "\n    \"" : "\"\n    \"", err) < 0)
            return -1;
        if (c == '"' || c == '\\' || c == '?') /* "??/" would be a backslash */
            ret = cfz_buf_printf(out, err, "\\%c", c);
        else if (c >= ' ' && c < 0x7f)
            ret = cfz_buf_append(out, &c, 1, err);
        else if (c == '\n' || c == '\r' || c == '\t')
            ret = cfz_buf_puts(out, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t", err);
        else
            ret = cfz_buf_printf(out, err, "\\%03o", c);
        if (ret < 0)
            return -1;
    }
    return cfz_buf_puts(out, len > 0 ? "\"" : "\"\"", err);
}

int reproducer_value(const struct cfz_value *v, size_t i, struct cfz_buf *out,
                     struct cfz_error *err)
{
    const char *type = cfz_kind_row(v->kind)->c_name;

    switch (cfz_kind_family(v->kind)) {
    case CFZ_FAMILY_BYTES:
        return cfz_buf_printf(out, err,
                              "(const uint8_t *)cfuzz_repro_copy(cfuzz_repro_%zu, %zu), %zu", i,
                              v->len, v->len);
    case CFZ_FAMILY_STRING:
        return cfz_buf_printf(out, err, "(const char *)cfuzz_repro_copy(cfuzz_repro_%zu, %zu)", i,
                              v->len + 1);
    case CFZ_FAMILY_BOOL:
        return cfz_buf_puts(out, v->bits != 0 ? "true" : "false", err);
    case CFZ_FAMILY_SIGNED:
        if (cfz_value_int(v) == INT64_MIN) /* no literal: the minus is an operator */
            return cfz_buf_printf(out, err, "(%s)(-INT64_C(9223372036854775807) - 1)", type);
        return cfz_buf_printf(out, err, "(%s)INT64_C(%" PRId64 ")", type, cfz_value_int(v));
    case CFZ_FAMILY_UNSIGNED:
        return cfz_buf_printf(out, err, "(%s)UINT64_C(%" PRIu64 ")", type, v->bits);
    case CFZ_FAMILY_FLOAT:
        if (cfz_kind_width(v->kind) == 32)
            return cfz_buf_printf(out, err, "cfuzz_repro_f32(UINT32_C(0x%08" PRIx32 ")) /* %.9g */",
                                  (uint32_t)v->bits, (double)cfz_value_f32(v));
        return cfz_buf_printf(out, err, "cfuzz_repro_f64(UINT64_C(0x%016" PRIx64 ")) /* %.17g */",
                              v->bits, cfz_value_f64(v));
    default:
        return cfz_fail(err, CFZ_EINTERNAL, "a value of no kind");
    }
}

/* The data of all []byte and string values. */
static int all_data(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err)
{
    for (size_t i = 0; i < vs->n; i++) {
        if (!cfz_kind_is_slot(vs->v[i].kind))
            continue;
        if (cfz_buf_printf(out, err, "static const char cfuzz_repro_%zu[] =", i) < 0 ||
            literal(vs->v[i].data, vs->v[i].len, out, err) < 0 || cfz_buf_puts(out, ";\n", err) < 0)
            return -1;
    }
    return 0;
}

/* ---- how it is compiled -----------------------------------------------------------------------
 */

static int add_word(struct cfz_buf *out, const char *word, struct cfz_error *err)
{
    return cfz_buf_puts(out, " ", err) < 0 ? -1 : shell_quote_shown(out, word, err);
}

/* Whether a flag asks for C of 1989 and nothing else, in which our lines are no C. */
static bool is_strict_c89(const char *flag)
{
    static const char *const strict[] = {"-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990",
                                         "-std=iso9899:199409"};

    for (size_t i = 0; i < sizeof strict / sizeof strict[0]; i++)
        if (strcmp(flag, strict[i]) == 0)
            return true;
    return false;
}

static int add_words(struct cfz_buf *out, const struct strlist *words, bool cxx,
                     struct cfz_error *err)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *word = is_strict_c89(words->v[i]) ? "-std=gnu89" : words->v[i];

        if (!build_plan_is_foreign_standard(words->v[i], cxx) && add_word(out, word, err) < 0)
            return -1;
    }
    return 0;
}

/* The compiler, and the flags that decide what the code does. s may be NULL. */
static int add_flags(const struct options *opt, const struct package *pkg,
                     const struct package_source *s, bool cxx, const char *include,
                     struct cfz_buf *out, struct cfz_error *err)
{
    const char *flags = getenv(cxx ? "CXXFLAGS" : "CFLAGS");

    if (cfz_buf_printf(out, err, "%s -g -DCFUZZ -I", cxx ? "${CXX:-c++}" : "${CC:-cc}") < 0 ||
        shell_quote_shown(out, include, err) < 0 ||
        (s != NULL && add_words(out, &s->flags, cxx, err) < 0) ||
        add_words(out, &pkg->cflags, cxx, err) < 0 ||
        (cxx && add_words(out, &pkg->cxxflags, cxx, err) < 0))
        return -1;
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((opt->sanitizers & sanitizers_all[i].bit) != 0 &&
            cfz_buf_printf(out, err, " -fsanitize=%s", sanitizers_all[i].value) < 0)
            return -1;
    return flags != NULL && flags[0] != '\0' ? cfz_buf_printf(out, err, " %s", flags) : 0;
}

/* Whether a source has a command to itself: one with a main of its own, and one in the other
 * language, which the compiler would take for its own by whatever suffix. */
static bool is_apart(const struct package_source *s, bool cxx)
{
    return s->has_main || s->is_cxx != cxx;
}

/* The commands for sources that have one to themselves. */
static int add_apart(const struct options *opt, const struct package *pkg,
                     const struct package_source *own, bool cxx, const char *include,
                     struct cfz_buf *out, struct cfz_error *err)
{
    for (size_t i = 0; i < pkg->nsources; i++) {
        const struct package_source *s = &pkg->sources[i];

        if (s == own || s->harness != NULL || !is_apart(s, cxx))
            continue;
        if (cfz_buf_puts(out, "//     ", err) < 0 ||
            add_flags(opt, pkg, s, s->is_cxx, include, out, err) < 0 ||
            (s->has_main && cfz_buf_printf(out, err, " -Dmain=cfuzz_main_%zu", i) < 0) ||
            cfz_buf_printf(out, err, " -c -o cfuzz_%s_%zu.o", s->has_main ? "main" : "part", i) <
                0 ||
            add_word(out, s->path, err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
            return -1;
    }
    return 0;
}

/* Comment lines with the commands that compile it. The test's source is included and not compiled;
 * of another program in the package the main is called otherwise. */
static int add_commands(const struct options *opt, const struct package *pkg,
                        const struct package_source *own, const char *include, const char *file,
                        struct cfz_buf *out, struct cfz_error *err)
{
    const char *ldflags = getenv("LDFLAGS");
    bool cxx = own != NULL && own->is_cxx, calls_cxx = false;

    if (file == NULL)
        file = cxx ? "_repro.cc" : "_repro.c";
    if (cfz_buf_puts(out, "//     cd ", err) < 0 || shell_quote_shown(out, pkg->dir, err) < 0 ||
        cfz_buf_puts(out, "\n", err) < 0 || add_apart(opt, pkg, own, cxx, include, out, err) < 0 ||
        cfz_buf_puts(out, "//     ", err) < 0 ||
        add_flags(opt, pkg, own, cxx, include, out, err) < 0 ||
        cfz_buf_puts(out, " -o repro", err) < 0 || add_word(out, file, err) < 0)
        return -1;
    for (size_t i = 0; i < pkg->nsources; i++) {
        const struct package_source *s = &pkg->sources[i];

        if (s == own || s->harness != NULL) /* each harness is a program of its own */
            continue;
        calls_cxx |= s->is_cxx && !cxx;
        if (is_apart(s, cxx)
                ? cfz_buf_printf(out, err, " cfuzz_%s_%zu.o", s->has_main ? "main" : "part", i) < 0
                : add_word(out, s->path, err) < 0)
            return -1;
    }
    if (add_words(out, &pkg->ldflags, cxx, err) < 0 ||
        (ldflags != NULL && ldflags[0] != '\0' && cfz_buf_printf(out, err, " %s", ldflags) < 0) ||
        (calls_cxx && cfz_buf_puts(out, " -lstdc++", err) < 0))
        return -1;
    return cfz_buf_puts(out, " -lm -w\n", err); /* nobody is to mend what warnings are about */
}

/* What passes the data of []byte and string: memory of just its size. A sanitizer knows the end of
 * what malloc gives; otherwise a page lies behind it that must not be read, as while fuzzing. */
static const char copy_by_malloc[] =
    "/* Memory of just this size: what lies behind it is not the input's. */\n"
    "static void *cfuzz_repro_copy(const void *data, size_t n)\n"
    "{\n"
    "    char *p = (char *)malloc(n > 0 ? n : 1);\n"
    "    return n > 0 ? memcpy(p, data, n) : p + 1;\n"
    "}\n";
static const char copy_to_page[] =
    "/* Memory of just this size: what lies behind it is not the input's, and cannot be read. */\n"
    "static void *cfuzz_repro_copy(const void *data, size_t n)\n"
    "{\n"
    "    const size_t page = 65536, all = (n / page + 1) * page; /* pages are not larger */\n"
    "    char *p = (char *)mmap(0, all + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | "
    "MAP_ANONYMOUS, "
    "-1, 0);\n"
    "    if (p == (char *)MAP_FAILED || mprotect(p + all, page, PROT_NONE) < 0)\n"
    "        abort();\n"
    "    p += all - n;\n"
    "    return n > 0 ? memcpy(p, data, n) : p;\n"
    "}\n";

/* ---- the program ------------------------------------------------------------------------------
 */

/* The absolute path of the source that the test stands in. The caller frees it. */
static char *source_of(const struct package *pkg, const struct origin_test *t)
{
    char *path, *real;

    if (asprintf(&path, "%s%s%s", t->file[0] == '/' ? "" : pkg->dir, t->file[0] == '/' ? "" : "/",
                 t->file) < 0)
        return NULL;
    real = realpath(path, NULL);
    if (real == NULL)
        return path;
    free(path);
    return real;
}

/* The source of the harness that the test is, or NULL. */
static const struct package_source *find_harness(const struct package *pkg,
                                                 const struct origin_test *t)
{
    for (size_t i = 0; i < pkg->nsources; i++)
        if (pkg->sources[i].harness != NULL && strcmp(pkg->sources[i].harness, t->name) == 0)
            return &pkg->sources[i];
    return NULL;
}

static const struct package_source *find_source(const struct package *pkg, const char *path)
{
    for (size_t i = 0; i < pkg->nsources; i++)
        if (strcmp(pkg->sources[i].path, path) == 0)
            return &pkg->sources[i];
    return NULL;
}

static int write_program(const struct options *opt, const struct test_binary *bin,
                         const struct origin_test *t, const struct seed *seed,
                         const struct install *in, const char *file, struct cfz_buf *out,
                         struct cfz_error *err)
{
    const struct package *pkg = bin->pkg;
    const struct package_source *harness = find_harness(pkg, t);
    char *source = harness != NULL ? strdup(harness->path) : source_of(pkg, t);
    struct cfz_buf name = CFZ_BUF_INIT;
    int ret = -1;

    if (source == NULL)
        return cfz_fail_nomem(err);
    if (cfz_buf_escape(&name, seed->full_name, strlen(seed->full_name), CFZ_ESCAPE_LINE, err) < 0 ||
        cfz_buf_printf(out, err,
                       "// %s of %s as a program of its own, by cfuzz-test show. It ends with 1 if "
                       "the test says that it failed.\n",
                       cfz_buf_str(&name), pkg->name) < 0)
        goto out;
    if (bin->prebuilt) {
        if (cfz_buf_puts(out, "// Compile it with what the test executable is made of.\n", err) < 0)
            goto out;
    } else if (add_commands(opt, pkg, find_source(pkg, source), in->include, file, out, err) < 0) {
        goto out;
    }
    if (cfz_buf_printf(out, err,
                       "%s#define main cfuzz_repro_other_main\n#include \"%s\"\n#undef main\n%s",
                       harness != NULL ? "#include <cfuzz.h>\n" : "", source, stand_ins) < 0 ||
        cfz_buf_printf(out, err,
                       "const char *cfuzz_name(const cfuzz_t *t) { (void)t; return \"%s\"; }\n"
                       "const char *cfuzz_f_name(const cfuzz_f *f) { (void)f; return \"%s\"; }\n"
                       "bool cfuzz_short(const cfuzz_t *t) { (void)t; return %s; }\n"
                       "bool cfuzz_f_short(const cfuzz_f *f) { (void)f; return %s; }\n"
                       "#ifdef __cplusplus\n}\n#endif\n\n",
                       t->name, t->name, opt->short_mode ? "true" : "false",
                       opt->short_mode ? "true" : "false") < 0 ||
        cfz_buf_puts(out, opt->sanitizers != 0 ? copy_by_malloc : copy_to_page, err) < 0 ||
        cfz_buf_puts(out,
                     "static inline float cfuzz_repro_f32(uint32_t bits)\n"
                     "{ float f; memcpy(&f, &bits, sizeof f); return f; }\n"
                     "static inline double cfuzz_repro_f64(uint64_t bits)\n"
                     "{ double d; memcpy(&d, &bits, sizeof d); return d; }\n\n",
                     err) < 0 ||
        all_data(&seed->vals, out, err) < 0 ||
        cfz_buf_puts(out, "\nint main(void)\n{\n    (void)cfuzz_repro_copy;\n", err) < 0)
        goto out;
    if (t->has_setup && harness == NULL &&
        cfz_buf_printf(out, err, "    cfuzz_setup_%s((cfuzz_f *)0);\n", t->name) < 0)
        goto out;
    if (harness != NULL) {
        if (cfz_buf_printf(out, err, "    %s(\n        ", harness_name()) < 0 ||
            reproducer_value(&seed->vals.v[0], 0, out, err) < 0)
            goto out;
    } else if (cfz_buf_printf(out, err, "    %s((cfuzz_t *)0", t->name) < 0) {
        goto out;
    }
    for (size_t i = 0; i < seed->vals.n && harness == NULL; i++)
        if (cfz_buf_puts(out, ",\n        ", err) < 0 ||
            reproducer_value(&seed->vals.v[i], i, out, err) < 0)
            goto out;
    ret = cfz_buf_puts(out, ");\n    cfuzz_repro_leave(cfuzz_repro_failed);\n    return 0;\n}\n",
                       err);
out:
    cfz_buf_release(&name);
    free(source);
    return ret;
}

/* ---- the input ----------------------------------------------------------------------------------
 */

static const struct origin_test *find_test(const struct origin *o, const char *name, size_t len)
{
    for (size_t i = 0; i < o->ntests; i++)
        if (strlen(o->tests[i].name) == len && memcmp(o->tests[i].name, name, len) == 0)
            return &o->tests[i];
    return NULL;
}

static int show(const struct options *opt, const struct test_binary *bin, struct session *s,
                const char *input, const char *file, struct cfz_buf *out, struct cfz_error *err)
{
    size_t len = strcspn(input, "/");
    const struct origin_test *t = find_test(s->origin, input, len);
    const struct seed *seed = NULL;
    struct seeds seeds = SEEDS_INIT;
    struct install in = {0};
    struct host *h = NULL;
    int ret = -1;

    if (t == NULL)
        return cfz_fail(err, CFZ_EUSAGE, "%s: %s has no fuzz test %.*s", input, bin->pkg->name,
                        (int)len, input);
    if (host_start(s->origin, t, 0, &h, err) < 0)
        goto out;
    if (h->state != HOST_READY) {
        cfz_fail(err, CFZ_EUSAGE, "%s: the setup part does not end: cfuzz-test -run=%s shows it",
                 input, t->name);
        goto out;
    }
    if (seeds_collect(h, &seeds, err) < 0)
        goto out;
    for (size_t i = 0; i < seeds.n && seed == NULL; i++)
        if (strcmp(seeds.v[i].full_name, input) == 0)
            seed = &seeds.v[i];
    if (seed == NULL) {
        cfz_fail(err, CFZ_EUSAGE, "%s: no such seed", input);
        goto out;
    }
    if (seed->bad != NULL) {
        cfz_fail(err, CFZ_EFORMAT, "%s", seed->bad);
        goto out;
    }
    if (install_find(&in, err) < 0)
        goto out;
    ret = write_program(opt, bin, t, seed, &in, file, out, err);
    install_release(&in);
out:
    seeds_release(&seeds);
    host_free(h);
    return ret;
}

int reproducer_package(const struct options *opt, const struct test_binary *bin, const char *input,
                       const char *file, struct cfz_buf *out, struct cfz_error *err)
{
    struct session s;
    int ret;

    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    ret = show(opt, bin, &s, input, file, out, err);
    session_close(&s);
    return ret;
}
