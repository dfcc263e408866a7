/*
 * help.c - what cfuzz-test says about itself. The flags come from flags.def.
 */
#include "cli/help.h"

#include <string.h>

#include "cli/flags.h"
#include "base/install.h"

static const char *const group_titles[GROUP_COUNT] = {
    [GROUP_CHOICE] = "What to run", [GROUP_FUZZ] = "Fuzzing",
    [GROUP_TEST] = "Running tests", [GROUP_REPORT] = "Results for programs",
    [GROUP_BUILD] = "Building",
};

static const struct topic {
    const char *name;
    const char *about;
    const char *text;
} topics[] = {
    {"packages", "directories, ./..., test executables; where flags come from",
     "A package is a directory. All its C and C++ files but _* are compiled with the cfuzz\n"
     "plugin and linked into one test binary; main functions of its own are set aside.\n"
     "\n"
     "    cfuzz-test                 the current directory\n"
     "    cfuzz-test lib parser      two directories\n"
     "    cfuzz-test ./...           this directory and all below that have C files;\n"
     "                               not .*, _*, testdata, nor build trees\n"
     "    cfuzz-test ./parse.test    a test executable that something else built;\n"
     "                               its testdata is in -dir, else here\n"
     "\n"
     "Flags for the compiler come from, in this order, so that the later win:\n"
     "\n"
     "    ours                       -O2 (-O1 with sanitizers) -g -fno-omit-frame-pointer\n"
     "    compile_commands.json      in the package or a directory above it, or in a build\n"
     "                               directory there; -p names one. NDEBUG is left out.\n"
     "                               Libraries that CMake or meson link come along\n"
     "    comments in the sources, beginning in the first column:\n"
     "        //cfuzz:cflags  -I../include -DNAME=1\n"
     "        //cfuzz:cxxflags -std=c++20         for C++ alone\n"
     "        //cfuzz:ldflags -lm\n"
     "        //cfuzz:pkg-config glib-2.0\n"
     "        //cfuzz:sources ../src/*.c\n"
     "        //cfuzz:exclude win*.c\n"
     "    the environment            CFLAGS, for C++ CXXFLAGS; LDFLAGS\n"
     "\n"
     "CFUZZ is defined in all test builds; cfuzz_stub.h is for builders who have no\n"
     "cfuzz. -x shows every command. Paths are relative to the package.\n"},
    {"patterns", "how -run, -fuzz, -skip and -list choose",
     "A pattern is a regular expression that may match anywhere in a name. It is\n"
     "split at '/': the first part chooses tests, the second seeds.\n"
     "\n"
     "    -run=Parse                 every test with Parse in its name\n"
     "    -run='^FuzzParse$'         this one\n"
     "    -run=FuzzParse/seed#0      its first seed from cfuzz_add\n"
     "    -run=FuzzParse/1f0c        seed files with 1f0c in their names\n"
     "    -run='FuzzA/x|FuzzB'       either\n"
     "\n"
     "-fuzz looks at names of tests only. Several take turns.\n"},
    {"corpus", "where inputs are kept; inputs of other engines",
     "testdata/corpus/<Name>/        in the package: seeds and crashers. Text files in\n"
     "                               the format of Go, named by their content. Keep\n"
     "                               them with the sources; write your own by any name.\n"
     "testdata/corpus/<Name>.dict    words for the test's inputs, as in a file of -dict\n"
     "<harness>.dict, <harness>.options, <harness>_seed_corpus.zip\n"
     "                               beside a harness of libFuzzer: words, settings, seeds\n"
     "<cache>/fuzz/<package>/<Name>/ inputs that found coverage, used by -fuzz only.\n"
     "                               They follow a package that moves; -corpus names\n"
     "                               another place; cfuzz-test clean -fuzzcache removes them.\n"
     "<cache>/build/                 what was built. cfuzz-test clean -cache removes it.\n"
     "\n"
     "<cache> is $CFUZZCACHE, else $XDG_CACHE_HOME/cfuzz, else ~/.cache/cfuzz.\n"
     "\n"
     "usage: cfuzz-test corpus import [-cache] [-n] [-o dir] [-dir package] test files\n"
     "       cfuzz-test corpus export [-cache] [-n] -o dir|x.zip [-dir package] test\n"
     "       cfuzz-test corpus list [-cache] [-dir package] test\n"
     "       cfuzz-test corpus check [-cache] [-fix [-n]] [-dir package] test\n"
     "       cfuzz-test corpus minimize [-cache] [-n] [-o dir] [-dir package] test\n"
     "       cfuzz-test corpus show [-dir package] test files\n"
     "\n"
     "    import   inputs of other engines (files, directories, zip, tar, directories of\n"
     "             AFL++) become corpus files: seeds and crashers, or those of -cache or -o\n"
     "    export   inputs become files that other engines read\n"
     "    list     names of the inputs\n"
     "    check    files that cannot be used, with -fix migrated to the types of today\n"
     "    minimize few and cheap inputs that reach the same code: copied to -o, or the\n"
     "             others of -cache are removed\n"
     "    show     values of files, whatever wrote them\n"},
    {"clean", "removing what the cache holds",
     "usage: cfuzz-test clean [-n] [-x] -fuzzcache [-run=pattern] [packages]\n"
     "       cfuzz-test clean [-n] [-x] -cache\n"
     "\n"
     "    -fuzzcache   the inputs that fuzzing kept: of all packages, or of those named\n"
     "    -run         only of the tests that match, in the packages or the current directory\n"
     "    -cache       what was built\n"
     "    -n           print what would be removed\n"
     "    -x           print what is removed\n"},
    {"ossfuzz", "fuzz targets for OSS-Fuzz and ClusterFuzzLite",
     "usage: cfuzz-test ossfuzz [-x] [-p directory] [-cc compiler] [packages]\n"
     "       cfuzz-test ossfuzz -init\n"
     "\n"
     "Builds each fuzz test of the packages (./...) into $OUT: FuzzX, its seeds in\n"
     "FuzzX_seed_corpus.zip, its words in FuzzX.dict. CC, CXX, CFLAGS and LIB_FUZZING_ENGINE\n"
     "are used as OSS-Fuzz sets them; without LIB_FUZZING_ENGINE the engine is\n"
     "FUZZING_ENGINE, and SANITIZER is taken where CFLAGS have none.\n"
     "\n"
     "    -init   write .clusterfuzzlite/, a workflow for GitHub and oss-fuzz/, for you to\n"
     "            read, complete and commit\n"},
    {"report", "what fuzzing did, for the browser",
     "usage: cfuzz-test report -o directory [flags of the build] [packages]\n"
     "\n"
     "Runs all seeds and cached inputs and writes pages to look at: for each test how its\n"
     "fuzzing runs went, failing inputs with stacks and values, what each sanitizer said,\n"
     "comparisons that block, slow inputs; for each source the lines that ran, and functions\n"
     "never reached. -asan and its like choose the build, -sanitizers has the inputs run in\n"
     "several, -run selects tests. The directory is replaced if it is a report; nothing in it\n"
     "needs a network.\n"},
    {"show", "an input as a C program",
     "usage: cfuzz-test show [-o file] [flags of the build] FuzzX/<file> [package]\n"
     "\n"
     "Prints a C program that calls the test with this input and needs nothing of cfuzz but\n"
     "the header. Its first lines say how to compile it. -debug=FuzzX/<file> runs the input\n"
     "in gdb instead.\n"},
    {"exit", "exit codes",
     "    0   passed; a limit was reached, or Ctrl-C, and nothing was found\n"
     "    1   a test or seed failed, or fuzzing found a failing input\n"
     "    2   wrong usage, a package that does not build, something missing\n"
     "    3   an internal failure of cfuzz\n"
     "\n"
     "With several packages it is the highest of theirs.\n"},
    {"environment", "variables that are read",
     "    CFUZZCACHE           the cache; an absolute path\n"
     "    XDG_CACHE_HOME, HOME where it is otherwise\n"
     "    CC                   the compiler, unless -cc is given\n"
     "    CFLAGS, CXXFLAGS     flags for the compiler of C and of C++\n"
     "    LDFLAGS              flags for the linker\n"
     "    ASAN_OPTIONS, UBSAN_OPTIONS, MSAN_OPTIONS, TSAN_OPTIONS, LSAN_OPTIONS\n"
     "                         added to ours\n"
     "    LIB_FUZZING_ENGINE, CXX  -engine=env and ossfuzz: what is linked, and by what\n"
     "    OUT, FUZZING_ENGINE, SANITIZER  ossfuzz\n"
     "    NO_COLOR, TERM=dumb  no status line on a terminal\n"
     "    GITHUB_ACTIONS, GITHUB_WORKSPACE\n"
     "                         true: failures are shown beside their lines in that directory\n"
     "    CFUZZDEBUG           key=value,...: for working on cfuzz itself\n"},
};

static void print_flag(FILE *to, const struct flag *f)
{
    char head[48];

    snprintf(head, sizeof(head), "-%s%s%s", f->name, f->argument[0] != '\0' ? " " : "",
             f->argument);
    fprintf(to, "  %-23s  %s", head, f->help);
    if (f->dflt[0] != '\0')
        fprintf(to, " (%s)", f->dflt);
    fputc('\n', to);
}

void help_usage(FILE *to, const char *const *usages)
{
    fputs("cfuzz-test runs and fuzzes the fuzz tests of C packages.\n\n", to);
    for (size_t i = 0; usages[i] != NULL; i++)
        fprintf(to, "%s cfuzz-test %s\n", i == 0 ? "usage:" : "      ", usages[i]);
    fputs("\n"
          "    cfuzz-test                        run every seed and saved crasher as a test\n"
          "    cfuzz-test -fuzz=FuzzX            look for inputs that make FuzzX fail\n"
          "    cfuzz-test -run=FuzzX/1f0c        run one saved input again\n",
          to);
    for (int group = 0; group < GROUP_COUNT; group++) {
        fprintf(to, "\n%s\n", group_titles[group]);
        for (size_t i = 0; i < flags_count; i++)
            if (flags_all[i].group == (enum flag_group)group)
                print_flag(to, &flags_all[i]);
    }
    fputs("\nTopics of cfuzz-test help\n", to);
    for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
        fprintf(to, "  %-23s  %s\n", topics[i].name, topics[i].about);
}

void help_hint(FILE *to, const char *topic)
{
    for (size_t i = 0; topic != NULL && i < sizeof(topics) / sizeof(topics[0]); i++) {
        const char *usage = strstr(topics[i].text, "usage: "), *end;

        if (strcmp(topics[i].name, topic) != 0 || usage == NULL)
            continue;
        end = strstr(usage, "\n\n");
        fprintf(to, "%.*s\nRun 'cfuzz-test help %s' for more.\n",
                (int)(end != NULL ? (size_t)(end - usage) : strlen(usage)), usage, topic);
        return;
    }
    fputs("usage: cfuzz-test [flags] [packages]\nRun 'cfuzz-test help' for the flags.\n", to);
}

bool help_topic(FILE *to, const char *name)
{
    for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++) {
        if (strcmp(topics[i].name, name) == 0) {
            fputs(topics[i].text, to);
            return true;
        }
    }
    return false;
}

void help_version(FILE *to)
{
    struct install in;
    char list[INSTALL_LIST_MAX];

    if (install_find(&in, NULL) < 0) {
        fprintf(to, "cfuzz-test %s\n", CFUZZ_VERSION);
        return;
    }
    fprintf(to, "cfuzz-test %s, plugins for clang: %s\n", CFUZZ_VERSION,
            install_list_plugins(&in, list));
    install_release(&in);
}
