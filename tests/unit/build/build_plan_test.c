/*
 * build_plan_test.c - the commands of a build: which flags, in which order, and
 * what makes another key.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/build_plan.h"
#include "build/foreign.h"
#include "build/clean.h"
#include "core/io.h"
#include "core/protocol.h"

/* An installation and a package of two files; nothing is compiled. */
struct fixture {
    char dir[40];
    struct install in;
    struct compiler cc;
    struct package pkg;
    struct package_source sources[3];
    struct options opt;
};

static char *path_in(const struct fixture *f, const char *name)
{
    char *path = NULL;

    assert_true(asprintf(&path, "%s/%s", f->dir, name) > 0);
    return path;
}

/* Makes a small file that the key can look at. */
static void put(const struct fixture *f, const char *name, const char *text)
{
    char *path = path_in(f, name);

    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, NULL),
                     0);
    free(path);
}

static int set_up(void **state)
{
    static char name[] = "p", dir[] = "/pkg/p", own[] = "/pkg/p/a.c", shared[] = "/pkg/shared/b.c";
    struct fixture *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return -1;
    strcpy(f->dir, "/tmp/cfuzz-plan-test.XXXXXX");
    if (mkdtemp(f->dir) == NULL)
        return -1;
    put(f, "cfuzz.h", "");
    put(f, "libcfuzz.a", "");
    put(f, "libcfuzz_main.a", "");
    put(f, "clang", "");
    put(f, "plugin.so", "");
    f->in.lib = path_in(f, ".");
    f->in.include = strdup(f->dir);
    f->cc.path = path_in(f, "clang");
    f->cc.plugin = path_in(f, "plugin.so");
    f->cc.is_clang = true;
    f->cc.major = 19;
    strcpy(f->cc.version, "19.1.7");
    strlist_add(&f->cc.command, "ccache", NULL);
    strlist_add(&f->cc.command, "clang", NULL);
    f->pkg.name = name;
    f->pkg.dir = dir;
    f->pkg.path = dir + 1;
    f->sources[0].path = own;
    f->sources[0].own = f->sources[0].spells_test = true;
    f->sources[1].path = shared;
    f->pkg.sources = f->sources;
    f->pkg.nsources = 2;
    setenv("CFUZZCACHE", "/c", 1);
    unsetenv("CFLAGS");
    unsetenv("LDFLAGS");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    int rc = clean_tree(AT_FDCWD, f->dir, f->dir, NULL);

    strlist_release(&f->sources[0].flags);
    strlist_release(&f->sources[1].flags);
    strlist_release(&f->pkg.cflags);
    strlist_release(&f->pkg.cxxflags);
    strlist_release(&f->pkg.ldflags);
    compiler_release(&f->cc);
    install_release(&f->in);
    free(f);
    return rc;
}

static struct build_plan plan(const struct fixture *f)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct build_plan p;

    if (build_plan_make(&f->opt, &f->pkg, &f->cc, NULL, &f->in, &p, &err) < 0)
        fail_msg("%s", err.text);
    return p;
}

/* The command of step i, with the fixture's directory as D and the build's as B. */
static const char *command(const struct fixture *f, const struct build_plan *p, size_t i)
{
    static char text[4000];
    const struct {
        const char *from, *to;
    } names[] = {{p->dir, "B"}, {f->dir, "D"}};
    size_t len = 0;

    text[0] = '\0';
    for (size_t k = 0; k < p->steps[i].argv.n; k++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", k > 0 ? " " : "",
                                p->steps[i].argv.v[k]);
    for (size_t k = 0; k < 2; k++) {
        char *at;

        while ((at = strstr(text, names[k].from)) != NULL) {
            *at = names[k].to[0];
            memmove(at + 1, at + strlen(names[k].from), strlen(at + strlen(names[k].from)) + 1);
        }
    }
    return text;
}

#define PLUGIN "-fplugin=D/plugin.so -fpass-plugin=D/plugin.so "
#define LINK_TAIL                                                                                  \
    LINK_SIGNALS " "                                                                               \
                 "-lffi -lpthread -ldl -Wl,--export-dynamic-symbol=cfuzz_* "                       \
                 "-Wl,--export-dynamic-symbol=__sanitizer_cov_* "                                  \
                 "-Xlinker --dependency-file=B/p.test.d -o B/p.test.new"
#define LINK_END "D/./libcfuzz_main.a D/./libcfuzz.a " LINK_TAIL
#define PLAIN_LINK_END                                                                             \
    "D/./libcfuzz_main.a D/./libcfuzz.a -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc " LINK_TAIL

static void test_plain(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;

    p = plan(f);
    assert_int_equal(p.nsteps, 3);
    assert_string_equal(command(f, &p, 0),
                        "ccache D/clang -O2 -g -fno-omit-frame-pointer -DCFUZZ " PLUGIN
                        "-fplugin-arg-cfuzz-coverage=off -fplugin-arg-cfuzz-rename-main=on "
                        "-isystem D -c a.c -MD -MF B/0.o.d -o B/0.o");
    assert_string_equal(command(f, &p, 1),
                        "ccache D/clang -O2 -g -fno-omit-frame-pointer -DCFUZZ "
                        "-DCFUZZ_UNREGISTERED " PLUGIN
                        "-fplugin-arg-cfuzz-coverage=off -fplugin-arg-cfuzz-rename-main=on "
                        "-isystem D -w -c /pkg/shared/b.c -MD -MF B/1.o.d -o B/1.o");
    assert_string_equal(command(f, &p, 2), "ccache D/clang -g B/0.o B/1.o " PLAIN_LINK_END);
    assert_string_equal(strrchr(p.steps[2].output, '/'), "/p.test");
    assert_int_equal(strlen(p.key), 32);
    build_plan_release(&p);
}

static void test_flags_in_order(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;

    strlist_add(&f->sources[0].flags, "-DDATABASE", NULL);
    strlist_add(&f->sources[0].flags, "-pthread", NULL);
    strlist_add(&f->pkg.cflags, "-DLINE", NULL);
    strlist_add(&f->pkg.ldflags, "-lline", NULL);
    setenv("CFLAGS", "-O0 '-DENV=a b' -fsanitize=leak", 1);
    setenv("LDFLAGS", "-lenv", 1);
    f->opt.fuzz = "F";
    f->opt.sanitizers = CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN;
    p = plan(f);
    assert_string_equal(
        command(f, &p, 0),
        "ccache D/clang -O1 -g -fno-omit-frame-pointer "
        "-Wno-unknown-warning-option -Wno-ignored-optimization-argument "
        "-Wno-unused-command-line-argument -DDATABASE -pthread -DLINE -O0 -DENV=a b "
        "-fsanitize=leak -fsanitize=address -fsanitize=undefined "
        "-fno-sanitize-recover=undefined -DCFUZZ " PLUGIN
        "-fplugin-arg-cfuzz-coverage=on -fplugin-arg-cfuzz-rename-main=on "
        "-isystem D -c a.c -MD -MF B/0.o.d -o B/0.o");
    assert_string_equal(command(f, &p, 2),
                        "ccache D/clang -g -pthread -fsanitize=leak -fsanitize=address "
                        "-fsanitize=undefined -fno-sanitize-recover=undefined B/0.o "
                        "B/1.o -lline -lenv " LINK_END);
    build_plan_release(&p);
}

static void test_gcc(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;

    f->cc.is_clang = false;
    free(f->cc.plugin);
    f->cc.plugin = NULL;
    f->opt.fuzz = "F";
    p = plan(f);
    assert_string_equal(command(f, &p, 0),
                        "ccache D/clang -O2 -g -fno-omit-frame-pointer -DCFUZZ -DCFUZZ_TEST "
                        "-Dmain=cfuzz_user_main -fno-lto "
                        "-fsanitize-coverage=trace-pc,trace-cmp -isystem D -c a.c -MD -MF "
                        "B/0.o.d -o B/0.o");
    assert_non_null(strstr(command(f, &p, p.ncompiles), " " FOREIGN_CALLS " D/"));
    build_plan_release(&p);
    f->opt.sanitizers = CFZ_BUILD_ASAN;
    p = plan(f);
    assert_non_null(strstr(command(f, &p, p.ncompiles), FOREIGN_CALLS " " FOREIGN_CALLBACKS " D/"));
    build_plan_release(&p);
    f->opt.sanitizers = 0;
    f->opt.fuzz = NULL;
    p = plan(f);
    assert_null(strstr(command(f, &p, p.ncompiles), FOREIGN_CALLS));
    build_plan_release(&p);
}

/* Where several sources have a main, each main gets a name of its own; one alone needs none. */
static void test_programs(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;
    char *one;

    f->sources[0].has_main = true;
    p = plan(f);
    assert_null(strstr(command(f, &p, 0), "main.h"));
    assert_null(p.steps[0].program);
    one = strdup(p.key);
    build_plan_release(&p);
    f->sources[1].has_main = true;
    p = plan(f);
    assert_string_not_equal(p.key, one);
    assert_non_null(strstr(command(f, &p, 0), " -include B/0.main.h "));
    assert_non_null(strstr(command(f, &p, 1), " -include B/1.main.h "));
    assert_null(p.steps[2].program);
    build_plan_release(&p);
    free(one);
}

/* What makes a program libFuzzer's is left out of the user's flags; the rest of a list stays. */
static void test_other_engine(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;

    strlist_add(&f->sources[0].flags, "-fsanitize=fuzzer-no-link,leak", NULL);
    strlist_add(&f->pkg.cflags, "-fsanitize=fuzzer", NULL);
    strlist_add(&f->pkg.cflags, "-fsanitize=address,fuzzer,undefined", NULL);
    strlist_add(&f->pkg.ldflags, "-fsanitize=fuzzer", NULL);
    p = plan(f);
    assert_null(strstr(command(f, &p, 0), "fuzzer"));
    assert_non_null(strstr(command(f, &p, 0), " -fsanitize=leak -fsanitize=address,undefined "));
    assert_null(strstr(command(f, &p, 2), "fuzzer"));
    assert_non_null(strstr(command(f, &p, 2), " -fsanitize=leak -fsanitize=address,undefined "));
    build_plan_release(&p);
}

/* C++ sources are for the C++ compiler, with their flags, and it links what has some. */
static void test_cxx(void **state)
{
    struct fixture *f = *state;
    struct build_plan p;

    f->cc.cxx = path_in(f, "plugin.so"); /* any file that is there */
    f->sources[1].is_cxx = true;
    strlist_add(&f->pkg.cflags, "-std=c11", NULL);
    strlist_add(&f->pkg.cflags, "-DBOTH", NULL);
    strlist_add(&f->pkg.cflags, "-std=gnu++20", NULL);
    strlist_add(&f->pkg.cxxflags, "-DLINE", NULL);
    setenv("CFLAGS", "-DC", 1);
    setenv("CXXFLAGS", "-DCXX -stdlib=libc++", 1);
    p = plan(f);
    assert_non_null(strstr(command(f, &p, 0), "D/clang -O2 -g -fno-omit-frame-pointer -std=c11 "
                                              "-DBOTH -DC -DCFUZZ "));
    assert_non_null(strstr(command(f, &p, 1), "D/plugin.so -O2 -g -fno-omit-frame-pointer -DBOTH "
                                              "-std=gnu++20 -DLINE -DCXX -stdlib=libc++ -DCFUZZ "));
    assert_string_equal(command(f, &p, 2),
                        "ccache D/plugin.so -g -stdlib=libc++ B/0.o B/1.o " PLAIN_LINK_END);
    build_plan_release(&p);
    unsetenv("CFLAGS");
    unsetenv("CXXFLAGS");
}

/* One harness is linked with all else; each of several is a program of its own, of which only those
 * with C++ in them are linked by the C++ compiler. */
static void test_harnesses(void **state)
{
    static char third[] = "/pkg/p/x.cc", a[] = "a", x[] = "x";
    struct fixture *f = *state;
    struct build_plan p;

    f->sources[0].harness = a;
    f->sources[0].spells_test = false;
    f->pkg.nharnesses = 1;
    p = plan(f);
    assert_int_equal(p.nsteps, 3);
    assert_non_null(strstr(command(f, &p, 0), " -include B/0.harness.h "));
    assert_null(strstr(command(f, &p, 1), "harness"));
    assert_string_equal(command(f, &p, 2), "ccache D/clang -g B/0.o B/1.o " PLAIN_LINK_END);
    build_plan_release(&p);

    f->cc.cxx = path_in(f, "plugin.so");
    f->sources[2] =
        (struct package_source){.path = third, .own = true, .is_cxx = true, .harness = x};
    f->pkg.nsources = 3;
    f->pkg.nharnesses = 2;
    p = plan(f);
    assert_int_equal(p.ncompiles, 3);
    assert_int_equal(p.nsteps, 5);
    assert_non_null(strstr(command(f, &p, 3), "D/clang -g B/0.o B/1.o D/./lib"));
    assert_non_null(strstr(command(f, &p, 3), " -o B/a.test.new"));
    assert_non_null(strstr(command(f, &p, 4), "D/plugin.so -g B/1.o B/2.o D/./lib"));
    assert_non_null(strstr(command(f, &p, 4), " -o B/x.test.new"));
    build_plan_release(&p);
}

/* The fuzz tests beside several harnesses are in a binary of their own, and in no other. */
static void test_harnesses_and_tests(void **state)
{
    static char second[] = "/pkg/p/b.c", third[] = "/pkg/p/p.c", b[] = "b", p_name[] = "p";
    struct fixture *f = *state;
    struct build_plan p;

    f->sources[1] = (struct package_source){.path = second, .own = true, .harness = b};
    f->sources[2] = (struct package_source){.path = third, .own = true, .harness = p_name};
    f->pkg.nsources = 3;
    f->pkg.nharnesses = 2;
    f->pkg.mentions_own_tests = true;
    p = plan(f);
    assert_int_equal(p.ncompiles, 4);
    assert_int_equal(p.nsteps, 7);
    assert_null(strstr(command(f, &p, 0), "-DCFUZZ_UNREGISTERED"));
    assert_non_null(strstr(command(f, &p, 1), "-DCFUZZ_UNREGISTERED"));
    assert_non_null(strstr(command(f, &p, 4), "-g B/0.o D/./lib"));
    assert_non_null(strstr(command(f, &p, 4), " -o B/p.test.new"));
    assert_non_null(strstr(command(f, &p, 5), "-g B/0.part.o B/1.o D/./lib"));
    assert_non_null(strstr(command(f, &p, 6), "-g B/0.part.o B/2.o D/./lib"));
    assert_non_null(strstr(command(f, &p, 6), " -o B/p.harness.test.new"));
    build_plan_release(&p);
}

/* Returns the key of a plan. */
static char *key_of(const struct fixture *f)
{
    struct build_plan p = plan(f);
    char *key = strdup(p.key);

    build_plan_release(&p);
    return key;
}

static void test_key(void **state)
{
    struct fixture *f = *state;
    char *keys[9], elsewhere[] = "/pkg/q";
    size_t n = 0;

    keys[n++] = key_of(f);
    keys[n] = key_of(f);
    assert_string_equal(keys[0], keys[n]);
    free(keys[n]);
    f->opt.fuzz = "F";
    keys[n++] = key_of(f);
    f->opt.sanitizers = CFZ_BUILD_ASAN;
    keys[n++] = key_of(f);
    f->pkg.dir = elsewhere;
    keys[n++] = key_of(f);
    strlist_add(&f->pkg.ldflags, "-lx", NULL);
    keys[n++] = key_of(f);
    put(f, "plugin.so", "another");
    keys[n++] = key_of(f);
    put(f, "libcfuzz.a", "another");
    keys[n++] = key_of(f);
    setenv("CPATH", "/x", 1);
    keys[n++] = key_of(f);
    unsetenv("CPATH");
    f->pkg.nsources = 1;
    keys[n++] = key_of(f);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
    for (size_t i = 0; i < n; i++)
        free(keys[i]);
}

static void test_refusals(void **state)
{
    struct fixture *f = *state;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct build_plan p;
    char *missing;

    setenv("CFLAGS", "'open", 1);
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, NULL, &f->in, &p, &err), -1);
    assert_int_equal(err.code, CFZ_EUSAGE);
    assert_string_equal(err.text, "CFLAGS: unterminated quote");
    unsetenv("CFLAGS");
    missing = path_in(f, "libcfuzz.a");
    unlink(missing);
    free(missing);
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, NULL, &f->in, &p, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_non_null(strstr(err.text, "libcfuzz.a: "));
}

static void test_ninja(void **state)
{
    struct fixture *f = *state;
    struct cfz_buf out = CFZ_BUF_INIT;
    struct build_plan p;
    char odd[] = "/pkg/p/a $x:.c";

    f->sources[0].path = odd;
    strlist_add(&f->pkg.cflags, "-DM=$(x) 'y'", NULL);
    p = plan(f);
    assert_int_equal(build_plan_ninja(&p, &out, NULL), 0);
    assert_non_null(strstr(cfz_buf_str(&out), "/0.o: run /pkg/p/a$ $$x$:.c\n"));
    assert_non_null(strstr(cfz_buf_str(&out), " '-DM=$$(x) '\\''y'\\''' "));
    assert_non_null(strstr(cfz_buf_str(&out), " -c 'a $$x:.c' "));
    assert_non_null(strstr(cfz_buf_str(&out), "/0.o.d\n"));
    cfz_buf_release(&out);
    build_plan_release(&p);
}

static void test_unspeakable(void **state)
{
    struct fixture *f = *state;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct build_plan p;
    char pipe[] = "/pkg/p/a|b.c", line[] = "/pkg/p/a\nb.c";

    f->sources[0].path = pipe;
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, NULL, &f->in, &p, &err), -1);
    assert_int_equal(err.code, CFZ_EUSAGE);
    assert_string_equal(err.text, "/pkg/p/a...: a source whose path holds '|' cannot be built");
    f->sources[0].path = line;
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, NULL, &f->in, &p, &err), -1);
    assert_string_equal(err.text,
                        "/pkg/p/a...: a source whose path holds a line break cannot be built");
}

/* For another engine: its flags, its archive, our adapter; no counters of ours. */
static void test_engine(void **state)
{
    struct fixture *f = *state;
    struct engine engine = {0};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct build_plan p;

    put(f, "libcfuzz_engine.a", "");
    put(f, "libEngine.a", "");
    strlist_add(&engine.cflags, "-fsanitize=fuzzer-no-link", NULL);
    strlist_add(&engine.link, "-fsanitize=fuzzer", NULL);
    strlist_addf(&engine.archives, NULL, "%s/libEngine.a", f->dir);
    strlist_add(&engine.linker, "clang++", NULL);
    f->opt.fuzz = "FuzzX"; /* chooses tests only */
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, &engine, &f->in, &p, &err), 0);
    assert_string_equal(command(f, &p, 0),
                        "ccache D/clang -O2 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link "
                        "-DCFUZZ " PLUGIN "-fplugin-arg-cfuzz-coverage=off "
                        "-fplugin-arg-cfuzz-rename-main=on -isystem D -c a.c -MD -MF B/0.o.d "
                        "-o B/0.o");
    assert_string_equal(command(f, &p, 2),
                        "clang++ -g B/0.o B/1.o -fsanitize=fuzzer "
                        "-Wl,-u,LLVMFuzzerTestOneInput,-u,LLVMFuzzerCustomMutator D/libEngine.a "
                        "D/./libcfuzz_engine.a -lffi -lpthread -ldl -o B/p.test.new");
    build_plan_release(&p);

    /* A clang without a plugin: tests register themselves. UBSan is told to the adapter. */
    free(f->cc.plugin);
    f->cc.plugin = NULL;
    engine.static_ffi = true;
    strlist_release(&engine.linker);
    setenv("CFLAGS", "-fsanitize=undefined", 1);
    assert_int_equal(build_plan_make(&f->opt, &f->pkg, &f->cc, &engine, &f->in, &p, &err), 0);
    assert_non_null(strstr(command(f, &p, 0), " -DCFUZZ_TEST -Dmain=cfuzz_user_main "));
    assert_null(strstr(command(f, &p, 0), "-fplugin"));
    assert_null(strstr(command(f, &p, 1), "-DCFUZZ_TEST"));
    assert_non_null(
        strstr(command(f, &p, 2), " -Wl,--defsym=cfz_engine_ubsan=1 -l:libffi.a -lpthread -ldl "));
    build_plan_release(&p);
    unsetenv("CFLAGS");
    engine_release(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flags_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gcc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_engine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_programs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_engine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cxx, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_harnesses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_harnesses_and_tests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ninja, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unspeakable, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
