/*
 * adapter.c - one fuzz test as the function of bytes that other engines call.
 *
 * One executable has all tests of a package. Which of them it fuzzes says the name by which it was
 * started, since that is all that every engine lets through: FuzzX, or anything@FuzzX. The bytes
 * are the flat form of values (core/corpus/flat.h). They go into slots as in a worker, so that a
 * test sees the same memory: read-only, and inaccessible from the first byte behind its end.
 *
 * A test that fails without a crash becomes one, by abort: engines know nothing else. Signals,
 * hangs and sanitizers' reports are the engine's.
 */
#define _GNU_SOURCE
#include "engine/adapter.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/corpus/flat.h"
#include "core/dict.h"
#include "core/escape.h"
#include "core/io.h"
#include "target/executor.h"
#include "target/sanitizer.h"

/* By these bytes ClusterFuzz and OSS-Fuzz tell that a file is a fuzz target, stripped or not. */
__attribute__((used)) static const char signature[] = "LLVMFuzzerTestOneInput";

/* The linker defines it where objects were compiled with UndefinedBehaviorSanitizer. That it is
 * linked does not say so: clang links it with libFuzzer, too. */
extern char cfz_engine_ubsan[] __attribute__((weak));

static const struct cfz_test *chosen;
static int setup_pid; /* of the process that ran the setup part */

const struct cfz_test *cfz_engine_test(void)
{
    return chosen;
}

void cfz_engine_die(const char *text)
{
    fprintf(stderr, "cfuzz: %s\n", text);
    exit(1);
}

/* What our code wrote was not seen by MemorySanitizer, which looks at what the C library is given.
 */
static const char *known_text(const struct cfz_buf *b)
{
    if (__msan_unpoison && b->data)
        __msan_unpoison(b->data, b->len + 1);
    return cfz_buf_str(b);
}

/* ---- which test ------------------------------------------------------------------ */

static const char *own_name(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');

    return slash ? slash + 1 : argv0;
}

/* Whether an executable of this name is for the test: FuzzX, or anything before it with a mark that
 * ends no word of C: lib@FuzzX, lib-FuzzX, lib.FuzzX. */
static bool is_name_of(const char *name, const char *test)
{
    size_t len = strlen(name), n = strlen(test);

    if (len < n || strcmp(name + len - n, test) != 0)
        return false;
    return len == n || strchr("@-.", name[len - n - 1]) != NULL;
}

/* Prints what cfuzz-test wants to know of this executable, a line for each test. */
static void __attribute__((noreturn)) list_tests(const struct cfz_test *tests, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        printf("cfuzz-flat-v%d %s ", CFZ_FLAT_VERSION, tests[i].desc->name);
        for (size_t k = 0; k < tests[i].n; k++)
            printf("%s%s", k ? "," : "", cfz_kind_name(tests[i].kinds[k]));
        printf("\n");
    }
    fflush(stdout);
    _exit(0);
}

static void __attribute__((noreturn))
fail_name(const char *name, const struct cfz_test *tests, size_t n)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    cfz_buf_escape(&text, name, strlen(name), CFZ_ESCAPE_LINE, NULL);
    cfz_buf_puts(&text,
                 ": no such fuzz test: link or copy this executable to the name of one:", NULL);
    for (size_t i = 0; i < n; i++)
        cfz_buf_printf(&text, NULL, " %s", tests[i].desc->name);
    cfz_engine_die(known_text(&text));
}

static void choose_test(int argc, char **argv)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    const struct cfz_test *tests;
    const char *name = own_name(argc > 0 ? argv[0] : "");
    size_t n;

    if (cfz_registry_load(&tests, &n, &err) < 0)
        cfz_engine_die(err.text);
    if (argc > 1 && strcmp(argv[1], "-cfuzz-list") == 0)
        list_tests(tests, n);
    for (size_t i = 0; i < n; i++)
        if (is_name_of(name, tests[i].desc->name))
            chosen = &tests[i];
    if (!chosen && n == 1)
        chosen = &tests[0];
    if (!chosen)
        fail_name(name, tests, n);
}

/* ---- beginning and end ------------------------------------------------------------ */

static void print_log(const char *verdict)
{
    const char *p = cfz_executor.shm->log, *end = p + atomic_load(&cfz_executor.shm->log_len);

    fprintf(stderr, "--- %s: %s\n", verdict, chosen->desc->name);
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((lf ? lf + 1 : end) - p);

        fprintf(stderr, "    %.*s", (int)len, p);
        p += len;
    }
    fflush(stderr);
}

/* exit() ends what the test or its setup part did. */
static void on_end(int status, void *arg)
{
    struct cfz_executor *x = &cfz_executor;

    (void)arg;
    if (x->t.scope.active && *x->here) {
        fprintf(stderr, "--- FAIL: %s\n    the test called exit(%d)\n", chosen->desc->name, status);
        abort();
    }
    if (getpid() == setup_pid && cfz_executor_setup_done(x) == CFZ_VERDICT_FAIL)
        print_log("FAIL");
}

/* Where seeds of cfuzz_add go. */
struct seeds {
    const char *dir; /* NULL: nowhere. They are in the seed corpus already */
    unsigned n;
};

static int take_seed(void *ctx, const struct cfz_values *vs, struct cfz_error *err)
{
    struct seeds *seeds = ctx;
    struct cfz_buf flat = CFZ_BUF_INIT, path = CFZ_BUF_INIT;
    int ret;

    if (!seeds->dir)
        return 0;
    ret = cfz_flat_write(vs, &flat, err);
    if (ret == 0)
        ret = cfz_buf_printf(&path, err, "%s/seed-%u", seeds->dir, seeds->n++);
    if (ret == 0)
        ret = cfz_io_write_file(AT_FDCWD, known_text(&path), known_text(&flat), flat.len,
                                CFZ_IO_REPLACE, err);
    cfz_buf_release(&flat);
    cfz_buf_release(&path);
    return ret;
}

static void run_setup(struct cfz_executor *x, const char *seed_dir)
{
    struct seeds seeds = {seed_dir, 0};
    enum cfz_verdict v = cfz_executor_setup(x, take_seed, &seeds);

    if (v == CFZ_VERDICT_PASS) {
        setup_pid = getpid();
        atomic_store(&x->shm->log_len, 0);
        return;
    }
    print_log(v == CFZ_VERDICT_SKIP ? "SKIP" : "FAIL");
    cfz_executor_setup_done(x);
    exit(v == CFZ_VERDICT_SKIP ? 0 : 1);
}

static void print_word(void *ctx, const void *word, size_t len)
{
    struct cfz_buf *out = ctx;

    if (cfz_dict_write(out, word, len, NULL) < 0 || cfz_buf_puts(out, "\n", NULL) < 0)
        cfz_engine_die("out of memory");
}

/* Prints the words of CFUZZ_DICT as a dictionary. */
static void __attribute__((noreturn)) print_words(void)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    cfz_registry_words(chosen, print_word, &out);
    fputs(known_text(&out), stdout);
    fflush(stdout);
    _exit(0);
}

/*
 * The first argument may be a question of cfuzz-test's, of which no engine has a flag: -cfuzz-list,
 * -cfuzz-words, -cfuzz-seeds <directory>.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct cfz_executor *x = &cfz_executor;
    struct cfz_error err = CFZ_ERROR_INIT;
    const char *question = *argc > 1 ? (*argv)[1] : "", *seed_dir = NULL;
    int fd = -1;

    choose_test(*argc, *argv);
    if (strcmp(question, "-cfuzz-words") == 0)
        print_words();
    if (strcmp(question, "-cfuzz-seeds") == 0 && *argc > 2)
        seed_dir = (*argv)[2];
    x->test = chosen;
    if (cfz_proc_shm_new(chosen->nslots, &x->shm, &fd, &err) < 0)
        cfz_engine_die(err.text);
    x->shm->pid = getpid();
    if (cfz_slots_reserve(&x->slots, chosen->kinds, chosen->n, &err) < 0)
        cfz_engine_die(err.text);
    if (!x->slots.poison && !cfz_engine_ubsan)
        cfz_slots_place(&x->slots, CFZ_PLACE_END);
    if (cfz_slots_attach(&x->slots, x->shm, fd, &err) < 0 || cfz_executor_begin(x, &err) < 0)
        cfz_engine_die(err.text);
    close(fd);
    snprintf(x->shm->name, sizeof x->shm->name, "%s", chosen->desc->name);
    run_setup(x, seed_dir);
    on_exit(on_end, NULL);
    if (seed_dir)
        exit(0);
    return 0;
}

/* ---- one input --------------------------------------------------------------------- */

/* Puts the values into the slots. *text holds them if they come from the text of a corpus file. */
static void set_input(struct cfz_slots *s, const uint8_t *data, size_t size,
                      struct cfz_values *text)
{
    struct cfz_value split[CFZ_VALUES_MAX], *v = split;

    if (__builtin_expect(cfz_flat_is_text(data, size), 0)) {
        if (cfz_flat_read(text, chosen->kinds, chosen->n, data, size, NULL) < 0)
            cfz_engine_die("out of memory");
        v = text->v;
    } else {
        cfz_flat_split(chosen->kinds, chosen->n, data, size, split);
    }
    for (size_t i = 0; i < chosen->n; i++) {
        if (cfz_kind_is_slot(v[i].kind))
            cfz_slots_bytes(s, i, v[i].data, v[i].len);
        else
            cfz_slots_scalar(s, i, v[i].bits);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cfz_executor *x = &cfz_executor;
    struct cfz_values text = CFZ_VALUES_INIT;

    if (!chosen)
        cfz_engine_die("this engine does not call LLVMFuzzerInitialize");
    if (__builtin_expect(*x->here == 0, 0)) { /* the engine forked */
        x->shm->pid = getpid();
        cfz_executor_forked(x);
    }
    set_input(&x->slots, data, size, &text);
    cfz_values_release(&text);
    if (cfz_executor_run(x) == CFZ_VERDICT_FAIL) {
        print_log("FAIL");
        abort();
    }
    /* Skipped inputs are kept if they reach something, as in cfuzz's own corpus. honggfuzz would
     * not take anything but 0 either. */
    return 0;
}
