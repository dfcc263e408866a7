/*
 * ossfuzz.c - cfuzz-test ossfuzz: the build. The executables themselves say which seeds and words
 * their setup part and CFUZZ_DICT have (runtime/engine/adapter.c), since in the image of OSS-Fuzz
 * there is one compiler and one set of flags, which are the engine's.
 */
#define _GNU_SOURCE
#include "ossfuzz/ossfuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/subprocess.h"
#include "build/build.h"
#include "build/compile_commands.h"
#include "build/engine_copy.h"
#include "cli/options_file.h"
#include "cli/report.h"
#include "core/corpus/corpus.h"
#include "core/corpus/flat.h"
#include "core/dict.h"
#include "core/io.h"
#include "core/protocol.h"
#include "corpus/corpus_source.h"
#include "corpus/corpus_zip.h"

/* ---- what the environment says ------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words != NULL && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

static const char *variable(const char *name, const char *otherwise)
{
    const char *v = getenv(name);

    return v != NULL && v[0] != '\0' ? v : otherwise;
}

/* The engine as -engine names it. */
static int find_engine(struct options *opt, struct cfz_error *err)
{
    static const char *const known[] = {"libfuzzer", "afl", "honggfuzz", "centipede", "none", NULL};
    static const char *const ours[] = {"libfuzzer", "afl", "honggfuzz", NULL};
    const char *engine = variable("FUZZING_ENGINE", "libfuzzer");

    if (!is_one_of(engine, known))
        return cfz_fail(err, CFZ_EUSAGE,
                        "FUZZING_ENGINE=%s: no such engine: libfuzzer, afl, honggfuzz, centipede "
                        "or none",
                        engine);
    opt->engine = variable("LIB_FUZZING_ENGINE", NULL) != NULL ? "env" : engine;
    if (strcmp(opt->engine, "env") != 0 && !is_one_of(engine, ours))
        return cfz_fail(err, CFZ_EUSAGE, "FUZZING_ENGINE=%s: LIB_FUZZING_ENGINE is not set",
                        engine);
    return 0;
}

/* The sanitizer, unless the flags have it, as those of OSS-Fuzz do. */
static int find_sanitizer(struct options *opt, struct cfz_error *err)
{
    static const char *const none[] = {"none", "coverage", "introspector", NULL};
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {{"address", CFZ_BUILD_ASAN},
                 {"memory", CFZ_BUILD_MSAN},
                 {"undefined", CFZ_BUILD_UBSAN},
                 {"thread", CFZ_BUILD_TSAN}};
    const char *sanitizer = variable("SANITIZER", "none");

    if (is_one_of(sanitizer, none))
        return 0;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].name, sanitizer) != 0)
            continue;
        if (strstr(variable("CFLAGS", ""), "-fsanitize=") == NULL)
            opt->sanitizers |= known[i].bit;
        return 0;
    }
    return cfz_fail(err, CFZ_EUSAGE,
                    "SANITIZER=%s: no such sanitizer: address, memory, undefined, thread, "
                    "coverage, introspector or none",
                    sanitizer);
}

/* $OUT, absolute; the caller frees it. */
static int find_out(char **out, struct cfz_error *err)
{
    const char *given = variable("OUT", NULL);

    if (given == NULL)
        return cfz_fail(err, CFZ_EUSAGE,
                        "OUT is not set: it says where the fuzz targets go, here as in OSS-Fuzz");
    if (access(given, W_OK | X_OK) < 0)
        return cfz_fail_errno(err, "OUT=%s", given);
    *out = realpath(given, NULL);
    return *out != NULL ? 0 : cfz_fail_errno(err, "OUT=%s", given);
}

/* ---- one target ------------------------------------------------------------------------ */

/* A target that was built. */
struct target {
    const struct package *pkg;
    const char *out, *name, *types;
    size_t seeds, words;
};

/* Asks the executable; its stdout is appended to text. */
static int ask(const struct target *t, const char *question, const char *arg, struct cfz_buf *text,
               struct cfz_error *err)
{
    struct cfz_buf path = CFZ_BUF_INIT, errors = CFZ_BUF_INIT;
    char how[SUBPROCESS_STATUS_MAX];
    int status, ret = -1;

    if (cfz_buf_printf(&path, err, "%s/%s", t->out, t->name) == 0) {
        const char *const argv[] = {cfz_buf_str(&path), question, arg, NULL};

        ret = subprocess_run(
            &(struct subprocess){.argv = argv, .dir = t->pkg->dir, .out = text, .err = &errors},
            &status, err);
    }
    if (ret == 0 && status != 0) {
        ret = cfz_fail(err, CFZ_EFORMAT, "%s %s: %s", cfz_buf_str(&path), question,
                       subprocess_status_text(status, how));
        cfz_error_add_lines(err, cfz_buf_str(&errors));
    }
    cfz_buf_release(&path);
    cfz_buf_release(&errors);
    return ret;
}

static int add_seed(struct target *t, struct corpus_zip *z, const void *data, size_t len,
                    struct cfz_error *err)
{
    bool added;

    if (corpus_zip_add(z, data, len, &added, err) < 0)
        return -1;
    t->seeds += added;
    return 0;
}

/* The files of testdata/corpus/<Name>. */
static int add_files(struct target *t, struct corpus_zip *z, struct cfz_error *err)
{
    struct cfz_corpus_dir dir = CFZ_CORPUS_DIR_INIT;
    struct cfz_buf path = CFZ_BUF_INIT, flat = CFZ_BUF_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t n;
    int ret = -1;

    if (cfz_types_parse(t->types, kinds, &n, err) < 0 ||
        cfz_buf_printf(&path, err, "%s/testdata/corpus/%s", t->pkg->dir, t->name) < 0 ||
        cfz_corpus_load(cfz_buf_str(&path), kinds, n, &dir, err) < 0)
        goto out;
    for (size_t i = 0; i < dir.n; i++) {
        if (dir.files[i].bad) {
            report_message("cfuzz-test: %s: left out of the seed corpus", dir.files[i].why);
            continue;
        }
        cfz_buf_truncate(&flat, 0);
        if (cfz_flat_write(&dir.files[i].vals, &flat, err) < 0 ||
            add_seed(t, z, cfz_buf_str(&flat), flat.len, err) < 0)
            goto out;
    }
    ret = 0;
out:
    cfz_corpus_dir_release(&dir);
    cfz_buf_release(&path);
    cfz_buf_release(&flat);
    return ret;
}

/* What cfuzz_add gave: the executable wrote it into dir, which is emptied and removed. */
static int add_added(struct target *t, struct corpus_zip *z, const char *dir, struct cfz_error *err)
{
    struct dirent **names = NULL;
    int n = scandir(dir, &names, NULL, versionsort), ret = 0;

    for (int i = 0; i < n; i++) {
        struct cfz_buf data = CFZ_BUF_INIT, path = CFZ_BUF_INIT;

        if (names[i]->d_name[0] != '.') {
            if (ret == 0)
                ret = cfz_buf_printf(&path, err, "%s/%s", dir, names[i]->d_name);
            if (ret == 0)
                ret = cfz_io_read_file(AT_FDCWD, cfz_buf_str(&path), CFZ_FILE_MAX, &data, err);
            if (ret == 0)
                ret = add_seed(t, z, cfz_buf_str(&data), data.len, err);
            unlink(cfz_buf_str(&path));
        }
        cfz_buf_release(&data);
        cfz_buf_release(&path);
        free(names[i]);
    }
    free(names);
    rmdir(dir);
    return ret;
}

static int make_seeds(struct target *t, struct cfz_error *err)
{
    struct cfz_buf path = CFZ_BUF_INIT, dir = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    struct corpus_zip z = {0};
    const char *tmp = variable("TMPDIR", "/tmp");
    int ret = -1;

    if (cfz_buf_printf(&path, err, "%s/%s_seed_corpus.zip", t->out, t->name) < 0 ||
        cfz_buf_printf(&dir, err, "%s/cfuzz-seeds-XXXXXX", tmp) < 0 ||
        corpus_zip_open(&z, cfz_buf_str(&path), err) < 0)
        goto out;
    if (mkdtemp((char *)dir.data) == NULL) {
        cfz_fail_errno(err, "create %s", cfz_buf_str(&dir));
        goto out;
    }
    ret = ask(t, "-cfuzz-seeds", cfz_buf_str(&dir), &text, err);
    if (add_added(t, &z, cfz_buf_str(&dir), ret == 0 ? err : NULL) < 0 || ret < 0 ||
        add_files(t, &z, err) < 0) {
        ret = -1;
        goto out;
    }
    ret = corpus_zip_finish(&z, err);
out:
    corpus_zip_drop(&z);
    cfz_buf_release(&path);
    cfz_buf_release(&dir);
    cfz_buf_release(&text);
    return ret;
}

/* Adds a dictionary that may be there. */
static int add_dictionary(const char *path, struct cfz_dict *words, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (access(path, F_OK) == 0) {
        ret = cfz_io_read_file(AT_FDCWD, path, CFZ_FILE_MAX, &text, err);
        if (ret == 0 && cfz_dict_parse(cfz_buf_str(&text), text.len, words, err) < 0)
            ret = cfz_error_wrap(err, "%s", path);
    }
    cfz_buf_release(&text);
    return ret;
}

/* <target>.dict: the words of CFUZZ_DICT, and those of the test's own dictionary. */
static int make_words(struct target *t, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, one = CFZ_BUF_INIT, two = CFZ_BUF_INIT, out = CFZ_BUF_INIT;
    struct cfz_dict words = CFZ_DICT_INIT;
    const uint8_t *word;
    uint32_t len;
    size_t at = 0;
    int ret = -1;

    if (ask(t, "-cfuzz-words", NULL, &text, err) < 0 ||
        cfz_dict_parse(cfz_buf_str(&text), text.len, &words, err) < 0 ||
        cfz_buf_printf(&one, err, "%s/testdata/corpus/%s.dict", t->pkg->dir, t->name) < 0 ||
        cfz_buf_printf(&two, err, "%s/testdata/corpus/%s/%s.dict", t->pkg->dir, t->name, t->name) <
            0 ||
        add_dictionary(cfz_buf_str(&one), &words, err) < 0 ||
        add_dictionary(cfz_buf_str(&two), &words, err) < 0)
        goto out;
    while ((word = cfz_dict_next(words.packed.data, words.packed.len, &at, &len)) != NULL)
        if (cfz_dict_write(&out, word, len, err) < 0 || cfz_buf_puts(&out, "\n", err) < 0)
            goto out;
    t->words = words.n;
    cfz_buf_truncate(&one, 0);
    ret = words.n == 0 ? 0 : cfz_buf_printf(&one, err, "%s/%s.dict", t->out, t->name);
    if (ret == 0 && words.n > 0)
        ret =
            cfz_io_write_file(AT_FDCWD, cfz_buf_str(&one), out.data, out.len, CFZ_IO_REPLACE, err);
out:
    cfz_dict_release(&words);
    cfz_buf_release(&text);
    cfz_buf_release(&one);
    cfz_buf_release(&two);
    cfz_buf_release(&out);
    return ret;
}

/* ---- a harness that somebody wrote for libFuzzer ----------------------------------------------
 */

/* Copies a file, if it is there, to <out>/<name>, and adds the name to copied. */
static int copy_file(const char *from, const char *out, const char *name, struct strlist *copied,
                     struct cfz_error *err)
{
    enum { COPY_MAX = 1 << 30 };
    struct cfz_buf data = CFZ_BUF_INIT, to = CFZ_BUF_INIT;
    int ret = -1;

    if (access(from, F_OK) < 0)
        return 0;
    if (cfz_io_read_file(AT_FDCWD, from, COPY_MAX, &data, err) == 0 &&
        cfz_buf_printf(&to, err, "%s/%s", out, name) == 0 &&
        cfz_io_write_file(AT_FDCWD, cfz_buf_str(&to), cfz_buf_str(&data), data.len, CFZ_IO_REPLACE,
                          err) == 0)
        ret = strlist_add(copied, name, err);
    cfz_buf_release(&data);
    cfz_buf_release(&to);
    return ret;
}

/* Copies the dictionary that <base>.options names, which the engine will look for beside it. */
static int copy_named_dict(const struct target *t, const char *options, struct strlist *copied,
                           struct cfz_error *err)
{
    struct options_file file = OPTIONS_FILE_INIT;
    struct cfz_buf text = CFZ_BUF_INIT, path = CFZ_BUF_INIT;
    const char *slash = strrchr(options, '/');
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, options, CFZ_FILE_MAX, &text, err) < 0)
        goto out;
    if (options_file_parse(cfz_buf_str(&text), text.len, &file, err) < 0) {
        cfz_error_wrap(err, "%s", options);
        goto out;
    }
    if (file.dict == NULL || strlist_has(copied, file.dict)) {
        ret = 0;
        goto out;
    }
    if (strchr(file.dict, '/') != NULL) {
        cfz_fail(err, CFZ_EUSAGE, "%s: dict = %s: not beside it, and so not in OUT either", options,
                 file.dict);
        goto out;
    }
    if (cfz_buf_printf(&path, err, "%.*s/%s", (int)(slash - options), options, file.dict) < 0)
        goto out;
    if (access(cfz_buf_str(&path), F_OK) < 0) {
        cfz_fail(err, CFZ_EUSAGE, "%s: dict = %s: no such file", options, file.dict);
        goto out;
    }
    ret = copy_file(cfz_buf_str(&path), t->out, file.dict, copied, err);
out:
    options_file_release(&file);
    cfz_buf_release(&text);
    cfz_buf_release(&path);
    return ret;
}

/* Copies what lies beside the source of a harness to where its executable is, under its name. */
static int copy_beside(const struct target *t, struct strlist *copied, struct cfz_error *err)
{
    static const char *const suffixes[] = {".dict",       ".owners",         ".labels",
                                           ".components", ".issue_metadata", "_seed_corpus.zip",
                                           ".options"};
    const char *source = NULL;
    int ret = 0;

    for (size_t i = 0; i < t->pkg->nsources; i++)
        if (t->pkg->sources[i].harness != NULL && strcmp(t->pkg->sources[i].harness, t->name) == 0)
            source = t->pkg->sources[i].path;
    for (size_t i = 0; ret == 0 && source != NULL && i < sizeof(suffixes) / sizeof(suffixes[0]);
         i++) {
        struct cfz_buf from = CFZ_BUF_INIT, name = CFZ_BUF_INIT;
        size_t before = copied->n;

        ret = cfz_buf_printf(&from, err, "%.*s%s", (int)(strrchr(source, '.') - source), source,
                             suffixes[i]);
        if (ret == 0)
            ret = cfz_buf_printf(&name, err, "%s%s", t->name, suffixes[i]);
        if (ret == 0)
            ret = copy_file(cfz_buf_str(&from), t->out, cfz_buf_str(&name), copied, err);
        if (ret == 0 && copied->n > before && strcmp(suffixes[i], ".options") == 0)
            ret = copy_named_dict(t, cfz_buf_str(&from), copied, err);
        cfz_buf_release(&from);
        cfz_buf_release(&name);
    }
    return ret;
}

/* The zip file of a target, which gets another one's inputs. */
struct refill {
    struct target *t;
    struct corpus_zip z;
};

static int add_again(void *ctx, const char *label, const uint8_t *data, size_t len, const char *why,
                     struct cfz_error *err)
{
    struct refill *r = ctx;

    if (why == NULL)
        return add_seed(r->t, &r->z, data, len, err);
    report_message("cfuzz-test: %s: %s: left out of the seed corpus", label, why);
    return 0;
}

/* Has the files of testdata/corpus/<harness>, if there are some, join the seeds that lay beside the
 * harness and are in copied by now. */
static int make_harness_seeds(struct target *t, struct strlist *copied, struct cfz_error *err)
{
    struct refill r = {.t = t};
    struct cfz_buf dir = CFZ_BUF_INIT, name = CFZ_BUF_INIT, path = CFZ_BUF_INIT;
    int ret = -1;

    t->types = "[]byte";
    if (cfz_buf_printf(&dir, err, "%s/testdata/corpus/%s", t->pkg->dir, t->name) < 0 ||
        cfz_buf_printf(&name, err, "%s_seed_corpus.zip", t->name) < 0 ||
        cfz_buf_printf(&path, err, "%s/%s", t->out, cfz_buf_str(&name)) < 0)
        goto out;
    if (access(cfz_buf_str(&dir), F_OK) < 0) {
        ret = 0;
        goto out;
    }
    if (corpus_zip_open(&r.z, cfz_buf_str(&path), err) < 0 || add_files(t, &r.z, err) < 0)
        goto out;
    if (t->seeds > 0) {
        bool beside = strlist_has(copied, cfz_buf_str(&name));

        if ((beside && corpus_source_each(cfz_buf_str(&path), add_again, &r, err) < 0) ||
            corpus_zip_finish(&r.z, err) < 0 ||
            (!beside && strlist_add(copied, cfz_buf_str(&name), err) < 0))
            goto out;
    }
    ret = 0;
out:
    corpus_zip_drop(&r.z);
    cfz_buf_release(&dir);
    cfz_buf_release(&name);
    cfz_buf_release(&path);
    return ret;
}

static int finish_harness(struct target *t, struct cfz_error *err)
{
    struct strlist copied = STRLIST_INIT;
    struct cfz_buf line = CFZ_BUF_INIT;
    int ret = copy_beside(t, &copied, err);

    if (ret == 0)
        ret = make_harness_seeds(t, &copied, err);

    for (size_t i = 0; ret == 0 && i < copied.n; i++)
        ret = cfz_buf_printf(&line, err, "%s %s", i == 0 ? " " : "", copied.v[i]);
    if (ret == 0)
        report_line("%s/%s%s", t->out, t->name, cfz_buf_str(&line));
    strlist_release(&copied);
    cfz_buf_release(&line);
    return ret;
}

/* ---- the packages -------------------------------------------------------------------------- */

static int finish_targets(const struct package *pkg, const char *out,
                          const struct engine_tests *tests, struct cfz_error *err)
{
    for (size_t i = 0; i < tests->names.n; i++) {
        struct target t = {pkg, out, tests->names.v[i], tests->types.v[i], 0, 0};

        if (t.types[0] == '\0') {
            if (finish_harness(&t, err) < 0)
                return -1;
            continue;
        }
        if (make_seeds(&t, err) < 0 || make_words(&t, err) < 0)
            return -1;
        report_line("%s/%s  %zu seed%s, %zu word%s", out, t.name, t.seeds, t.seeds == 1 ? "" : "s",
                    t.words, t.words == 1 ? "" : "s");
    }
    return 0;
}

/* Names of targets are those of tests: two packages may not share one. */
static int check_names(const struct package *pkg, const struct engine_tests *tests,
                       struct strlist *all, struct cfz_error *err)
{
    for (size_t i = 0; i < tests->names.n; i++) {
        if (strlist_has(all, tests->names.v[i]))
            return cfz_fail(err, CFZ_EFORMAT,
                            "%s: %s: another package has a fuzz test of this name, and both would "
                            "be one file",
                            pkg->name, tests->names.v[i]);
        if (strlist_add(all, tests->names.v[i], err) < 0)
            return -1;
    }
    return 0;
}

static int run_package(const struct options *opt, struct package *pkg, const char *out,
                       struct strlist *all, struct cfz_error *err)
{
    struct engine_tests tests = {STRLIST_INIT, STRLIST_INIT}, listed = {STRLIST_INIT, STRLIST_INIT};
    struct test_binaries bins = {NULL, 0};
    int ret = -1;

    if (package_load(pkg, err) < 0 || compile_commands_apply(pkg, opt->build_dir, err) < 0)
        return -1;
    if (!pkg->mentions_tests)
        return 0;
    ret = build_package(opt, pkg, &bins, err);
    for (size_t i = 0; ret == 0 && i < bins.n; i++)
        ret = engine_list(&bins.v[i], &listed, err);
    if (ret == 0)
        ret = check_names(pkg, &listed, all, err);
    for (size_t i = 0; ret == 0 && i < bins.n; i++)
        ret = engine_copy(opt, &bins.v[i], out, &tests, err);
    if (ret == 0)
        ret = finish_targets(pkg, out, &tests, err);
    test_binaries_release(&bins);
    engine_tests_release(&tests);
    engine_tests_release(&listed);
    return ret;
}

int ossfuzz_run(const struct options *opt, struct packages *pkgs, enum exit_status *status,
                struct cfz_error *err)
{
    struct options build = *opt;
    struct strlist all = STRLIST_INIT;
    char *out;
    bool none;

    if (find_engine(&build, err) < 0 || find_sanitizer(&build, err) < 0 || find_out(&out, err) < 0)
        return -1;
    interrupt_catch();
    for (size_t i = 0; i < pkgs->n && interrupt_caught() == 0; i++) {
        struct cfz_error why = CFZ_ERROR_INIT;

        if (run_package(&build, &pkgs->v[i], out, &all, &why) < 0) {
            report_message("cfuzz-test: %s", why.text);
            *status = EXIT_USAGE;
        }
    }
    free(out);
    none = all.n == 0 && *status == EXIT_PASSED;
    strlist_release(&all);
    return none ? cfz_fail(err, CFZ_EUSAGE, "no fuzz tests in the packages") : 0;
}
