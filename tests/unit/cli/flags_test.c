/*
 * flags_test.c - the command line: spellings, values, refusals and conflicts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "core/protocol.h"
#include "cli/flags.h"

/* Parses a command line ended by NULL into opt and args; returns what flags_parse does. */
static int parse(const char *const *line, struct options *opt, struct strlist *args,
                 struct cfz_error *err)
{
    bool help;
    int n = 0;

    while (line[n] != NULL)
        n++;
    flags_defaults(opt);
    return flags_parse(n, (char *const *)line, NULL, opt, args, &help, err);
}

#define LINE(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_defaults(void **state)
{
    struct options opt;

    (void)state;
    flags_defaults(&opt);
    assert_null(opt.run);
    assert_null(opt.fuzz);
    assert_int_equal(opt.fuzztime.kind, LIMIT_NONE);
    assert_true(opt.parallel >= 1);
    assert_int_equal(opt.fuzzmaxlen, 1 << 20);
    assert_false(opt.fuzzmaxlen_given);
    assert_false(opt.seed_given);
    assert_false(opt.minimize_given);
    assert_int_equal(opt.hangtimeout_ns, INT64_C(10000000000));
    assert_int_equal(opt.fuzzminimizetime.kind, LIMIT_TIME);
    assert_int_equal(opt.fuzzminimizetime.ns, INT64_C(60000000000));
    assert_false(opt.keepfuzzing);
    assert_int_equal(opt.timeout_ns, INT64_C(600000000000));
    assert_int_equal(opt.sanitizers, 0);
}

static void test_spellings(void **state)
{
    const char *const *const lines[] = {
        LINE("-run=A"),     LINE("--run=A"),          LINE("-run", "A"),
        LINE("--run", "A"), LINE("-run=B", "-run=A"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct strlist args = STRLIST_INIT;
        struct options opt;

        assert_int_equal(parse(lines[i], &opt, &args, NULL), 0);
        assert_string_equal(opt.run, "A");
        assert_int_equal(args.n, 0);
        strlist_release(&args);
    }
}

static void test_everything(void **state)
{
    struct strlist args = STRLIST_INIT;
    struct options opt;

    (void)state;
    assert_int_equal(
        parse(LINE("-v", "a", "-fuzz=F", "-fuzztime", "1h30m", "b", "-parallel=3", "-seed=0x10",
                   "-fuzzmaxlen=4096", "-asan", "-ubsan", "-n", "-timeout=0", "-hangtimeout=500ms",
                   "-fuzzminimizetime=20x", "-keepfuzzing", "-failfast", "-dir=D", "-cc=gcc -m64",
                   "-o", "x", "--", "-c"),
              &opt, &args, NULL),
        0);
    assert_true(opt.verbose);
    assert_string_equal(opt.fuzz, "F");
    assert_int_equal(opt.fuzztime.kind, LIMIT_TIME);
    assert_int_equal(opt.fuzztime.ns, INT64_C(5400000000000));
    assert_int_equal(opt.parallel, 3);
    assert_int_equal(opt.seed, 16);
    assert_true(opt.seed_given);
    assert_true(opt.minimize_given);
    assert_int_equal(opt.fuzzmaxlen, 4096);
    assert_true(opt.fuzzmaxlen_given);
    assert_int_equal(opt.sanitizers, CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN);
    assert_true(opt.dry_run);
    assert_true(opt.print_commands);
    assert_int_equal(opt.timeout_ns, 0);
    assert_int_equal(opt.hangtimeout_ns, 500000000);
    assert_int_equal(opt.fuzzminimizetime.kind, LIMIT_COUNT);
    assert_int_equal(opt.fuzzminimizetime.count, 20);
    assert_true(opt.keepfuzzing);
    assert_true(opt.failfast);
    assert_string_equal(opt.dir, "D");
    assert_string_equal(opt.cc, "gcc -m64");
    assert_string_equal(opt.out, "x");
    assert_false(opt.compile_only);
    assert_int_equal(args.n, 3);
    assert_string_equal(args.v[0], "a");
    assert_string_equal(args.v[1], "b");
    assert_string_equal(args.v[2], "-c");
    strlist_release(&args);
}

static void test_switches(void **state)
{
    const struct {
        const char *const *line;
        bool verbose;
    } cases[] = {
        {LINE("-v"), true},          {LINE("-v=true"), true},        {LINE("-v=1"), true},
        {LINE("-v=T"), true},        {LINE("-v=false"), false},      {LINE("-v=0"), false},
        {LINE("-v", "-v=F"), false}, {LINE("-v=false", "-v"), true},
    };
    struct strlist args = STRLIST_INIT;
    struct options opt;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(parse(cases[i].line, &opt, &args, NULL), 0);
        assert_int_equal(opt.verbose, cases[i].verbose);
    }
    assert_int_equal(parse(LINE("-asan", "-ubsan", "-asan=false"), &opt, &args, NULL), 0);
    assert_int_equal(opt.sanitizers, CFZ_BUILD_UBSAN);
    /* A switch does not take the next word. */
    assert_int_equal(parse(LINE("-v", "false"), &opt, &args, NULL), 0);
    assert_true(opt.verbose);
    assert_int_equal(args.n, 1);
    strlist_release(&args);
}

static void test_counts(void **state)
{
    struct strlist args = STRLIST_INIT;
    struct options opt;

    (void)state;
    assert_int_equal(parse(LINE("-fuzztime=100x"), &opt, &args, NULL), 0);
    assert_int_equal(opt.fuzztime.kind, LIMIT_COUNT);
    assert_int_equal(opt.fuzztime.count, 100);
    assert_int_equal(parse(LINE("-fuzztime=100x", "-fuzztime=3s"), &opt, &args, NULL), 0);
    assert_int_equal(opt.fuzztime.kind, LIMIT_TIME);
    assert_int_equal(opt.fuzztime.count, 0);
}

static void test_repetition(void **state)
{
    struct strlist args = STRLIST_INIT;
    struct options opt;

    (void)state;
    flags_defaults(&opt);
    assert_int_equal(opt.count, 1);
    assert_false(opt.short_mode);
    assert_false(opt.shuffle.on);
    assert_int_equal(
        parse(LINE("-count=3", "-short", "-shuffle=0x1122334455667788"), &opt, &args, NULL), 0);
    assert_int_equal(opt.count, 3);
    assert_true(opt.short_mode);
    assert_true(opt.shuffle.on);
    assert_int_equal(opt.shuffle.seed, 0x1122334455667788);
    assert_int_equal(parse(LINE("-shuffle=7", "-shuffle", "off"), &opt, &args, NULL), 0);
    assert_false(opt.shuffle.on);
    assert_int_equal(parse(LINE("-shuffle=on"), &opt, &args, NULL), 0);
    assert_true(opt.shuffle.on);
    assert_int_equal(args.n, 0);
}

static void test_refusals(void **state)
{
    const struct {
        const char *const *line;
        const char *text;
    } cases[] = {
        {LINE("-bogus"), "flag provided but not defined: -bogus"},
        {LINE("--bogus=1"), "flag provided but not defined: -bogus"},
        {LINE("-ru"), "flag provided but not defined: -ru; did you mean -run?"},
        {LINE("-runs"), "flag provided but not defined: -runs; did you mean -run?"},
        {LINE("-FuzzTime=3s"), "flag provided but not defined: -FuzzTime; did you mean -fuzztime?"},
        {LINE("---v"), "bad flag syntax: ---v"},
        {LINE("-=v"), "bad flag syntax: -=v"},
        {LINE("-fuzz"), "flag needs an argument: -fuzz"},
        {LINE("-v=maybe"), "invalid boolean value \"maybe\" for -v: parse error"},
        {LINE("-asan="), "invalid boolean value \"\" for -asan: parse error"},
        {LINE("-fuzztime=0x"), "invalid value \"0x\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime=-1x"), "invalid value \"-1x\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime=ax"), "invalid value \"ax\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime=x"), "invalid value \"x\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime= 5x"), "invalid value \" 5x\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime=18446744073709551616x"),
         "invalid value \"18446744073709551616x\" for flag -fuzztime: invalid count"},
        {LINE("-fuzztime=0s"), "invalid value \"0s\" for flag -fuzztime: invalid duration"},
        {LINE("-fuzztime=-1s"), "invalid value \"-1s\" for flag -fuzztime: invalid duration"},
        {LINE("-fuzztime=5"),
         "invalid value \"5\" for flag -fuzztime: invalid duration: use 5s or 5x"},
        {LINE("-timeout=20"), "invalid value \"20\" for flag -timeout: invalid duration: use 20s"},
        {LINE("-timeout=9999999999999999999999"),
         "invalid value \"9999999999999999999999\" for flag -timeout: invalid duration"},
        {LINE("-fuzztime=abc"), "invalid value \"abc\" for flag -fuzztime: invalid duration"},
        {LINE("-fuzztime="), "invalid value \"\" for flag -fuzztime: invalid duration"},
        {LINE("-fuzzminimizetime=-1x"),
         "invalid value \"-1x\" for flag -fuzzminimizetime: invalid count"},
        {LINE("-fuzzminimizetime=-1ms"),
         "invalid value \"-1ms\" for flag -fuzzminimizetime: invalid duration"},
        {LINE("-fuzzminimizetime=abc"),
         "invalid value \"abc\" for flag -fuzzminimizetime: invalid duration"},
        {LINE("-timeout=-1s"), "invalid value \"-1s\" for flag -timeout: invalid duration"},
        {LINE("-hangtimeout=0"), "invalid value \"0\" for flag -hangtimeout: invalid duration"},
        {LINE("-parallel=0"), "-parallel can only be given a positive integer"},
        {LINE("-parallel=-1"), "invalid value \"-1\" for flag -parallel: parse error"},
        {LINE("-parallel=abc"), "invalid value \"abc\" for flag -parallel: parse error"},
        {LINE("-parallel=2 "), "invalid value \"2 \" for flag -parallel: parse error"},
        {LINE("-parallel=100000"),
         "invalid value \"100000\" for flag -parallel: value out of range"},
        {LINE("-count=0"), "-count can only be given a positive integer"},
        {LINE("-count=-1"), "invalid value \"-1\" for flag -count: parse error"},
        {LINE("-shuffle="), "invalid value \"\" for flag -shuffle: must be on, off or a number"},
        {LINE("-shuffle=yes"),
         "invalid value \"yes\" for flag -shuffle: must be on, off or a number"},
        {LINE("-shuffle"), "flag needs an argument: -shuffle"},
        {LINE("-seed=18446744073709551616"),
         "invalid value \"18446744073709551616\" for flag -seed: value out of range"},
        {LINE("-fuzzmaxlen=0"), "invalid value \"0\" for flag -fuzzmaxlen: value out of range"},
        {LINE("-fuzzmaxlen=67108865"),
         "invalid value \"67108865\" for flag -fuzzmaxlen: value out of range"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strlist args = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        struct options opt;

        assert_int_equal(parse(cases[i].line, &opt, &args, &err), -1);
        assert_int_equal(err.code, CFZ_EUSAGE);
        assert_string_equal(err.text, cases[i].text);
        strlist_release(&args);
    }
}

static void test_help(void **state)
{
    static const char *const words[] = {"-h", "-help", "--help"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct strlist args = STRLIST_INIT;
        struct options opt;
        bool help = false;

        flags_defaults(&opt);
        assert_int_equal(flags_parse(1, (char *const *)&words[i], NULL, &opt, &args, &help, NULL),
                         0);
        assert_true(help);
    }
}

static void test_only(void **state)
{
    static const char *const known[] = {"n", "x", NULL};
    struct strlist args = STRLIST_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct options opt;
    bool help;

    (void)state;
    flags_defaults(&opt);
    assert_int_equal(flags_parse(1, (char *const *)LINE("-x"), known, &opt, &args, &help, &err), 0);
    assert_int_equal(flags_parse(1, (char *const *)LINE("-v"), known, &opt, &args, &help, &err),
                     -1);
    assert_string_equal(err.text, "flag provided but not defined: -v");
}

static void test_conflicts(void **state)
{
    const struct {
        const char *const *line;
        size_t npackages, nexecutables;
        const char *text; /* NULL: fine */
    } cases[] = {
        {LINE("-fuzz=A"), 1, 0, NULL},
        {LINE("-c"), 2, 0, "cannot use -c flag with multiple packages"},
        {LINE("-o=x"), 2, 0, "cannot use -o flag with multiple packages"},
        {LINE("-c"), 1, 1, "cannot use -c flag with a test executable"},
        {LINE("-o=x"), 1, 1, "cannot use -o flag with a test executable"},
        {LINE("-dir=."), 1, 1, NULL},
        {LINE("-dir=."), 1, 0, "cannot use -dir flag with a package directory"},
        {LINE("-asan", "-ubsan"), 1, 0, NULL},
        {LINE("-msan", "-ubsan"), 1, 0, NULL},
        {LINE("-tsan", "-ubsan"), 1, 0, NULL},
        {LINE("-asan", "-msan"), 1, 0, "cannot use -msan flag with -asan flag"},
        {LINE("-asan", "-tsan"), 1, 0, "cannot use -tsan flag with -asan flag"},
        {LINE("-tsan", "-msan"), 1, 0, "cannot use -tsan flag with -msan flag"},
        {LINE("-sanitizers=all"), 2, 0, NULL},
        {LINE("-sanitizers=all", "-corpus=d"), 1, 0, NULL},
        {LINE("-sanitizers=all"), 1, 1, "cannot use -sanitizers flag with a test executable"},
        {LINE("-sanitizers=all", "-fuzz=F"), 1, 0, "cannot use -sanitizers flag with -fuzz flag"},
        {LINE("-sanitizers=all", "-list=F"), 1, 0, "cannot use -sanitizers flag with -list flag"},
        {LINE("-sanitizers=all", "-cover"), 1, 0, "cannot use -sanitizers flag with -cover flag"},
        {LINE("-sanitizers=all", "-c"), 1, 0, "cannot use -sanitizers flag with -c flag"},
        {LINE("-sanitizers=all", "-o=x"), 1, 0, "cannot use -sanitizers flag with -o flag"},
        {LINE("-sanitizers=all", "-debug=F/1"), 1, 0,
         "cannot use -sanitizers flag with -debug flag"},
        {LINE("-sanitizers=all", "-tsan"), 1, 0, "cannot use -sanitizers flag with -tsan flag"},
        {LINE("-sanitizers=asan+tsan"), 1, 0,
         "-sanitizers=asan+tsan: asan and tsan cannot be in one build"},
        {LINE("-sanitizers=none,assan"), 1, 0,
         "-sanitizers=none,assan: assan: no such sanitizer; did you mean asan?"},
        {LINE("-sanitizers=al"), 1, 0, "-sanitizers=al: al: no such sanitizer; did you mean all?"},
        {LINE("-sanitizers=x"), 1, 0, "-sanitizers=x: x: no such sanitizer"},
        {LINE("-sanitizers=asan,"), 1, 0, "-sanitizers=asan,: the name of a sanitizer is missing"},
        {LINE("-sanitizers=+asan"), 1, 0, "-sanitizers=+asan: the name of a sanitizer is missing"},
        {LINE("-sanitizers=asan+none"), 1, 0, "-sanitizers=asan+none: none goes with no other"},
        {LINE("-sanitizers=asan,all"), 1, 0, "-sanitizers=asan,all: all stands alone"},
        {LINE("-sanitizers=ubsan+asan,none,asan+ubsan"), 1, 0,
         "-sanitizers=ubsan+asan,none,asan+ubsan: asan+ubsan is there twice"},
        {LINE("-http=:0"), 1, 0, "cannot use -http flag without -fuzz flag"},
        {LINE("-corpus=d"), 1, 0, "cannot use -corpus flag without -fuzz flag"},
        {LINE("-sync=d"), 1, 0, "cannot use -sync flag without -fuzz flag"},
        {LINE("-dict=d"), 1, 0, "cannot use -dict flag without -fuzz flag"},
        {LINE("-dictout=d"), 1, 0, "cannot use -dictout flag without -fuzz flag"},
        {LINE("-keepfuzzing"), 1, 0, "cannot use -keepfuzzing flag without -fuzz flag"},
        {LINE("-solve=false"), 1, 0, "cannot use -solve flag without -fuzz flag"},
        {LINE("-solve", "-keepfuzzing=false", "-fuzztime=5x", "-seed=1", "-parallel=2"), 1, 0,
         NULL},
        {LINE("-dict=d", "-dictout=d", "-keepfuzzing", "-solve=false", "-fuzz=F"), 1, 0, NULL},
        {LINE("-run=("), 1, 0,
         "invalid regexp for element 0 of -run (\"(\"): missing closing parenthesis"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strlist args = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        struct options opt;
        int rc;

        assert_int_equal(parse(cases[i].line, &opt, &args, NULL), 0);
        rc = flags_check(&opt, cases[i].npackages, cases[i].nexecutables, &err);
        assert_int_equal(rc, cases[i].text == NULL ? 0 : -1);
        assert_string_equal(err.text, cases[i].text == NULL ? "" : cases[i].text);
        flags_release(&opt);
    }
}

/* An empty value is none: most likely a variable was not set. Patterns are as in Go. */
static void test_empty(void **state)
{
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < flags_count; i++) {
        const struct flag *f = &flags_all[i];
        struct strlist args = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        bool as_in_go = strcmp(f->name, "run") == 0 || strcmp(f->name, "skip") == 0 ||
                        strcmp(f->name, "fuzz") == 0;
        struct options opt;
        char arg[40], want[40];

        snprintf(arg, sizeof arg, "-%s=", f->name);
        snprintf(want, sizeof want,
                 "invalid %svalue \"\" for %s-%s: ", f->argument[0] == '\0' ? "boolean " : "",
                 f->argument[0] == '\0' ? "" : "flag ", f->name);
        assert_int_equal(parse(LINE(arg), &opt, &args, &err), as_in_go ? 0 : -1);
        assert_true(as_in_go || strncmp(err.text, want, strlen(want)) == 0);
        n += strstr(err.text, ": it is empty") != NULL;
        strlist_release(&args);
    }
    assert_true(n > 10);
}

/* A run that is to repeat exactly cuts nothing short, if it was not told to. */
static void test_slow(void **state)
{
    const struct {
        const char *const *line;
        int64_t slow;
    } cases[] = {
        {LINE("-fuzz=."), OPTIONS_SLOW_NS},
        {LINE("-fuzz=.", "-seed=1", "-parallel=1", "-fuzztime=10s"), OPTIONS_SLOW_NS},
        {LINE("-fuzz=.", "-seed=1", "-parallel=2", "-fuzztime=10x"), OPTIONS_SLOW_NS},
        {LINE("-fuzz=.", "-parallel=1", "-fuzztime=10x"), OPTIONS_SLOW_NS},
        {LINE("-fuzz=.", "-seed=1", "-parallel=1", "-fuzztime=10x"), 0},
        {LINE("-fuzz=.", "-seed=1", "-parallel=1", "-fuzztime=10x", "-slow=10ms"), OPTIONS_SLOW_NS},
        {LINE("-fuzz=.", "-slow=0"), 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strlist args = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        struct options opt;

        assert_int_equal(parse(cases[i].line, &opt, &args, NULL), 0);
        assert_int_equal(flags_check(&opt, 1, 0, &err), 0);
        assert_int_equal(opt.slow_ns, cases[i].slow);
        flags_release(&opt);
    }
}

static void test_sanitizer_sets(void **state)
{
    const struct {
        const char *text;
        unsigned v[6];
        size_t n;
    } cases[] = {
        {"all", {0, CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN, CFZ_BUILD_MSAN, CFZ_BUILD_TSAN}, 4},
        {"none", {0}, 1},
        {"tsan,ubsan+asan", {CFZ_BUILD_TSAN, CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN}, 2},
        {"msan+ubsan,none", {CFZ_BUILD_MSAN | CFZ_BUILD_UBSAN, 0}, 2},
    };
    char name[SANITIZERS_NAME_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sanitizer_sets sets;

        assert_int_equal(sanitizer_sets_parse(cases[i].text, &sets, NULL), 0);
        assert_int_equal(sets.n, cases[i].n);
        assert_int_equal(sets.some, i == 0);
        assert_memory_equal(sets.v, cases[i].v, sets.n * sizeof sets.v[0]);
    }
    assert_string_equal(sanitizers_name(0, name), "none");
    assert_string_equal(sanitizers_name(CFZ_BUILD_UBSAN | CFZ_BUILD_MSAN, name), "ubsan+msan");
}

/* 0 is no limit but none at all; given twice the last one wins. */
static void test_minimize_off(void **state)
{
    struct strlist args = STRLIST_INIT;
    struct options opt;

    (void)state;
    assert_int_equal(parse(LINE("-fuzzminimizetime=0x"), &opt, &args, NULL), 0);
    assert_int_equal(opt.fuzzminimizetime.kind, LIMIT_NONE);
    assert_int_equal(parse(LINE("-fuzzminimizetime=5x", "-fuzzminimizetime=0s"), &opt, &args, NULL),
                     0);
    assert_int_equal(opt.fuzzminimizetime.kind, LIMIT_NONE);
    strlist_release(&args);
}

static void test_files(void **state)
{
    struct options opt;
    struct strlist args = STRLIST_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    const char *line[2 * OPTIONS_FILES_MAX + 3];
    int n = 0;

    (void)state;
    assert_int_equal(parse(LINE("-dict=a", "-dict", "b", "-dictout=c"), &opt, &args, &err), 0);
    assert_int_equal(opt.dict.n, 2);
    assert_string_equal(opt.dict.v[0], "a");
    assert_string_equal(opt.dict.v[1], "b");
    assert_string_equal(opt.dictout, "c");
    assert_int_equal(parse(LINE("-dict="), &opt, &args, &err), -1);
    assert_string_equal(err.text, "invalid value \"\" for flag -dict: no name of a file");
    for (; n < 2 * OPTIONS_FILES_MAX + 2; n += 2) {
        line[n] = "-dict";
        line[n + 1] = "x";
    }
    line[n] = NULL;
    assert_int_equal(parse(line, &opt, &args, &err), -1);
    assert_string_equal(err.text, "invalid value \"x\" for flag -dict: too many files");
    assert_int_equal(opt.dict.n, OPTIONS_FILES_MAX);
    strlist_release(&args);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_everything), cmocka_unit_test(test_minimize_off),
        cmocka_unit_test(test_slow),       cmocka_unit_test(test_sanitizer_sets),
        cmocka_unit_test(test_switches),   cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_help),
        cmocka_unit_test(test_only),       cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_repetition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
