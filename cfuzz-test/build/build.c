/*
 * build.c - carries out a build plan in its cache directory.
 *
 *     <cache>/build/<key>/
 *         lock           held while a driver checks and builds
 *         build.ninja    written when the directory is made; the key covers its content
 *         <i>.o          and .o.d, what the compiler read for it; <i>.part.o without its tests
 *         <i>.main.h     read before a source, where several have a main
 *         inputs         all that the last complete build read (build_inputs.h)
 *         <i>.harness.h  read before a source that is a harness: its name
 *         <name>.test    the test binary; <harness>.test where there are several harnesses; and
 *                        <name>.test.d, what the linker read for it
 *
 * When every input is as it was, nothing runs. Otherwise the objects and binaries made of a
 * changed one are removed and ninja makes what is missing: ninja alone compares times, and
 * would keep the object of a file that was replaced by an older one. What a linker read it is not
 * told at all.
 */
#define _GNU_SOURCE
#include "build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/harness_name.h"
#include "base/interrupt.h"
#include "base/project.h"
#include "base/subprocess.h"
#include "base/symtab.h"
#include "build/build_inputs.h"
#include "build/build_plan.h"
#include "build/build_twins.h"
#include "build/header_check.h"
#include "build/link_hints.h"
#include "cli/report.h"
#include "core/buf.h"
#include "core/io.h"

/* Begins each line on which ninja shows a command. Behind it stands how many commands are done,
 * "3/40", then the mark again and the command. */
#define COMMAND_MARK "\001"

/* A build that takes so long says from then on how far it is, as often; but not one of few
 * commands, where a count says little. */
#define PROGRESS_NS INT64_C(2000000000)
enum { PROGRESS_COMMANDS = 8 };

/* What ninja prints, taken apart line by line as it comes. */
struct ninja_output {
    bool show_commands;
    int64_t shown_ns;    /* when the last line of progress was shown; at first, when it began */
    const char *package; /* printed once before the first message */
    bool announced;
    bool skip_line; /* the line after "FAILED:" repeats the command */
    const struct build_plan *plan;
    bool lacks;             /* a header or a function was not found */
    struct strlist missing; /* headers that were not found, each once */
    bool hold;              /* the link failed: what the linker says is kept in held */
    struct cfz_buf held;    /* whole lines */
};

static void print_message(struct ninja_output *o, const char *line)
{
    if (!o->announced)
        report_message("# %s", o->package);
    o->announced = true;
    report_message("%s", line);
}

/*
 * Whether a compiler or linker says that it does not know something: its flags may be the reason.
 * What cfuzz.h would declare is misspelt.
 */
static bool says_lacking(const char *line)
{
    static const char *const words[] = {
        "file not found",         "No such file or directory",
        "undefined reference to", "undefined symbol",
        "unknown type name",      "use of undeclared identifier",
        "undeclared function",    "cannot find -l",
        "undeclared (first use",  "unable to find library",
    };
    static const char *const ours[] = {"'cfuzz_", "\u2018cfuzz_", "`cfuzz_"}; /* clang, gcc, ld */

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (strstr(line, ours[i]) != NULL)
            return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(line, words[i]) != NULL)
            return true;
    return false;
}

/* Says which commands make a database in the project of pkg, if its build system is known. */
static void hint_commands(const struct package *pkg)
{
    char *root = project_root(pkg->dir);
    const char *commands = root != NULL ? project_commands(root) : NULL;

    if (commands != NULL)
        report_message("cfuzz-test: in %s: %s", root, commands);
    free(root);
}

/* Says where flags came from, or where they were looked for. */
static void hint_flags(const struct package *pkg)
{
    if (pkg->compile_commands != NULL) {
        report_message("cfuzz-test: flags are from %s; -p=DIR takes another one",
                       pkg->compile_commands);
        if (pkg->gone != NULL)
            report_message("cfuzz-test: it is stale: %s, where its commands ran, is not there",
                           pkg->gone);
        return;
    }
    report_message("cfuzz-test: no compile_commands.json lists a source of %s: neither in %s or a "
                   "directory above it, nor in build directories there",
                   pkg->name, pkg->dir);
    if (pkg->unlisted != NULL)
        report_message("cfuzz-test: %s lists others: it is stale, or of another project",
                       pkg->unlisted);
    report_message("cfuzz-test: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON makes one, meson always, "
                   "'bear -- make' with make; -p=DIR says where. Or give flags in the sources: "
                   "cfuzz-test help packages");
    hint_commands(pkg);
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Shows count[0..len), "3/40", unless it is too early. */
static void print_progress(struct ninja_output *o, const char *count, int len)
{
    const char *all = strchr(count, '/');
    int64_t now = now_ns();

    if (now - o->shown_ns < PROGRESS_NS || all == NULL || atoi(all + 1) < PROGRESS_COMMANDS)
        return;
    o->shown_ns = now;
    report_message("building %s: %.*s", o->package, len, count);
}

/* Whether text begins with the path of a test binary. */
static bool is_binary(const struct build_plan *plan, const char *text)
{
    for (size_t i = plan->ncompiles; i < plan->nsteps; i++)
        if (strncmp(text, plan->steps[i].output, strlen(plan->steps[i].output)) == 0)
            return true;
    return false;
}

static void print_ninja_line(struct ninja_output *o, const char *line)
{
    char *header;

    if (o->skip_line) {
        o->skip_line = false;
        return;
    }
    if (strncmp(line, COMMAND_MARK, strlen(COMMAND_MARK)) == 0) {
        const char *count = line + strlen(COMMAND_MARK), *command = strstr(count, COMMAND_MARK);

        if (command == NULL)
            return;
        if (o->show_commands)
            report_message("%s", command + strlen(COMMAND_MARK));
        print_progress(o, count, (int)(command - count));
        return;
    }
    if (strncmp(line, "FAILED: ", strlen("FAILED: ")) == 0) {
        o->skip_line = true;
        o->hold = is_binary(o->plan, line + strlen("FAILED: "));
        return;
    }
    if (strcmp(line, "ninja: no work to do.") == 0 ||
        strncmp(line, "ninja: build stopped: ", strlen("ninja: build stopped: ")) == 0)
        return;
    o->lacks |= says_lacking(line);
    header = header_check_missing(line);
    if (header != NULL && !strlist_has(&o->missing, header))
        strlist_add(&o->missing, header, NULL);
    free(header);
    if (o->hold && cfz_buf_printf(&o->held, NULL, "%s\n", line) == 0)
        return;
    print_message(o, line);
}

/* Prints what was kept of the linker's. */
static void print_held(struct ninja_output *o)
{
    for (char *line = (char *)o->held.data, *end;
         o->held.len > 0 && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        print_message(o, line);
    }
}

/* Takes the complete lines out of text. */
static void on_ninja_output(void *ctx, struct cfz_buf *text)
{
    char *line = (char *)text->data, *end;
    size_t rest;

    while (line != NULL &&
           (end = memchr(line, '\n', text->len - (size_t)(line - (char *)text->data))) != NULL) {
        *end = '\0';
        print_ninja_line(ctx, line);
        line = end + 1;
    }
    rest = line != NULL ? text->len - (size_t)(line - (char *)text->data) : 0;
    if (rest > 0)
        memmove(text->data, line, rest);
    text->len = rest;
}

static int run_ninja(const struct options *opt, const struct build_plan *plan,
                     const struct package *pkg, struct cfz_error *err)
{
    struct ninja_output parsed = {.show_commands = opt->print_commands,
                                  .package = pkg->name,
                                  .plan = plan,
                                  .shown_ns = now_ns(),
                                  .held = CFZ_BUF_INIT};
    struct cfz_buf script = CFZ_BUF_INIT, out = CFZ_BUF_INIT;
    char *ninja = find_program("ninja"), *said = NULL;
    int status, ret = -1;

    if (ninja == NULL) {
        cfz_fail(err, CFZ_EUSAGE, "ninja: not found in PATH (Debian package ninja-build)");
        goto out;
    }
    if (cfz_buf_printf(&script, err, "%s/build.ninja", plan->dir) < 0)
        goto out;
    if (subprocess_run(
            &(struct subprocess){.argv =
                                     (const char *const[]){
                                         "env", "NINJA_STATUS=" COMMAND_MARK "%f/%t" COMMAND_MARK,
                                         ninja, "-v", "-k", "20", "-f", cfz_buf_str(&script), NULL},
                                 .dir = pkg->dir,
                                 .out = &out,
                                 .err = &out,
                                 .on_output = on_ninja_output,
                                 .ctx = &parsed},
            &status, err) < 0) {
        if (interrupt_caught() != 0)
            cfz_fail(err, CFZ_EIO, "%s: interrupted while it was built", pkg->name);
        goto out;
    }
    if (out.len > 0) /* a last line without its end */
        print_ninja_line(&parsed, cfz_buf_str(&out));
    ret = build_twins_explain(plan, pkg, cfz_buf_str(&parsed.held), err);
    if (ret < 0)
        goto out;
    said = strdup(cfz_buf_str(&parsed.held));
    print_held(&parsed);
    if (status != 0)
        header_check_hint(pkg, &parsed.missing);
    if (status != 0 && said != NULL && said[0] != '\0')
        link_hints_tell(pkg, said);
    if (status != 0 && opt->cover && said != NULL && strstr(said, "libclang_rt.profile") != NULL)
        report_message(
            "cfuzz-test: -cover: clang's runtime for profiles is missing (Debian package "
            "libclang-rt-N-dev for clang-N)");
    else if (status != 0 && parsed.lacks)
        hint_flags(pkg);
    ret = status == 0 ? 0 : cfz_fail(err, CFZ_EFORMAT, "%s: build failed", pkg->name);
out:
    cfz_buf_release(&parsed.held);
    strlist_release(&parsed.missing);
    free(said);
    free(ninja);
    cfz_buf_release(&script);
    cfz_buf_release(&out);
    return ret;
}

/* Writes a file of the build directory unless it is there, and whole: one that is as it was is
 * older than what was made of it. */
static int write_part(int dir, const char *name, const void *data, size_t len,
                      struct cfz_error *err)
{
    struct cfz_buf has = CFZ_BUF_INIT;
    bool same = cfz_io_read_file(dir, name, len, &has, NULL) == 0 && has.len == len &&
                memcmp(has.data, data, len) == 0;

    cfz_buf_release(&has);
    return same ? 0 : cfz_io_write_file(dir, name, data, len, CFZ_IO_REPLACE, err);
}

static int write_script(int dir, const struct build_plan *plan, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (build_plan_ninja(plan, &text, err) == 0)
        ret = write_part(dir, "build.ninja", text.data, text.len, err);
    cfz_buf_release(&text);
    return ret;
}

static int write_header(int dir, const char *path, const char *text, struct cfz_error *err)
{
    return write_part(dir, strrchr(path, '/') + 1, text, strlen(text), err);
}

/*
 * Writes what gives the main of each program a name of its own, <i>.main.h. A header, since the
 * function has to stay main for the compiler, which returns 0 at its end. And what tells a harness
 * its name, <i>.harness.h (runtime/target/harness.h).
 */
static int write_headers(int dir, const struct build_plan *plan, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    for (size_t i = 0; i < plan->ncompiles && ret == 0; i++) {
        const struct build_step *step = &plan->steps[i];

        text.len = 0;
        if (step->program != NULL &&
            (cfz_buf_printf(&text, err, "#pragma redefine_extname main cfuzz_user_main_%zu\n",
                            step->source) < 0 ||
             write_header(dir, step->program, cfz_buf_str(&text), err) < 0))
            ret = -1;
        text.len = 0;
        if (ret == 0 && step->names_harness != NULL &&
            (cfz_buf_printf(&text, err,
                            "#ifdef __cplusplus\n"
                            "extern \"C\" {\n"
                            "#endif\n"
                            "extern const char cfuzz_harness_name[];\n"
                            "const char cfuzz_harness_name[] = \"%s\";\n"
                            "#ifdef __cplusplus\n"
                            "}\n"
                            "#endif\n",
                            step->harness) < 0 ||
             write_header(dir, step->names_harness, cfz_buf_str(&text), err) < 0))
            ret = -1;
    }
    cfz_buf_release(&text);
    return ret;
}

/*
 * Locks the build directory. ninja and its compilers inherit the descriptor, so that
 * the lock is held until the last of them ended, also when this driver is killed.
 * Where the file system has no locks, goes on without.
 */
static int lock_directory(int dir, const char *path, int *lock, struct cfz_error *err)
{
    *lock = openat(dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
    if (*lock < 0 && (errno == EROFS || errno == EACCES)) /* enough when nothing is to be built */
        *lock = openat(dir, "lock", O_RDONLY | O_NOFOLLOW);
    if (*lock < 0)
        return cfz_fail_errno(err, "%s/lock", path);
    while (flock(*lock, LOCK_EX) < 0) {
        if (errno == EINTR && interrupt_caught() == 0)
            continue;
        if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS)
            break;
        return cfz_fail_errno(err, "%s/lock", path);
    }
    return 0;
}

static int carry_out(const struct options *opt, const struct build_plan *plan,
                     const struct package *pkg, struct cfz_error *err)
{
    struct build_inputs inputs = BUILD_INPUTS_INIT;
    struct timespec start;
    int dir = -1, lock = -1, ret = -1, built;

    if (cache_make_dir(plan->dir, err) < 0)
        return -1;
    dir = open(plan->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return cfz_fail_errno(err, "%s", plan->dir);
    if (lock_directory(dir, plan->dir, &lock, err) < 0 || build_inputs_load(dir, &inputs, err) < 0)
        goto out;
    if (inputs.n > 0 && build_inputs_unchanged(&inputs)) {
        ret = 0;
        goto out;
    }
    if (write_script(dir, plan, err) < 0 || write_headers(dir, plan, err) < 0 ||
        build_inputs_drop_stale(&inputs, plan, pkg, err) < 0 || build_inputs_forget(dir, err) < 0)
        goto out;
    if (pkg->had_ndebug)
        report_message("# %s: without the -DNDEBUG of %s, so that assert() checks; //cfuzz:cflags "
                       "-DNDEBUG keeps it",
                       pkg->name, pkg->compile_commands);
    clock_gettime(CLOCK_REALTIME_COARSE, &start); /* the clock that file times come from */
    built = run_ninja(opt, plan, pkg, err);
    if (built == 0) {
        header_check_tell(plan, pkg);
        ret = build_inputs_save(dir, plan, pkg, &start, true, err);
    } else {
        build_inputs_save(dir, plan, pkg, &start, false, NULL); /* without it, all is made anew */
    }
out:
    build_inputs_release(&inputs);
    if (lock >= 0)
        close(lock);
    close(dir);
    return ret;
}

/* Copies the open file from to the open file to. */
static int copy_content(int from, int to, const char *path, struct cfz_error *err)
{
    char block[65536];
    ssize_t n;

    while ((n = read(from, block, sizeof(block))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cfz_fail_errno(err, "read");
        if (cfz_io_write_all(to, block, (size_t)n, err) < 0)
            return cfz_error_wrap(err, "%s", path);
    }
    return 0;
}

/* Whether a regular file of some bytes is none that a build made: neither executable nor archive.
 */
static bool is_of_others(const char *path)
{
    char begin[8] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t n = fd >= 0 ? read(fd, begin, sizeof(begin)) : 0;

    if (fd >= 0)
        close(fd);
    return n > 0 && strncmp(begin, "\177ELF", 4) != 0 && memcmp(begin, "!<arch>\n", 8) != 0;
}

int build_copy(const struct test_binary *bin, const char *path, struct cfz_error *err)
{
    struct cfz_buf target = CFZ_BUF_INIT, temporary = CFZ_BUF_INIT;
    const char *name = strrchr(bin->path, '/') + 1;
    struct stat st;
    mode_t mask;
    int from = -1, to = -1, ret = -1;

    if (path == NULL)
        path = name;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        if (cfz_buf_printf(&target, err, "%s/%s", path, name) < 0)
            goto out;
    } else if (cfz_buf_puts(&target, path, err) < 0) {
        goto out;
    }
    path = cfz_buf_str(&target);
    from = open(bin->path, O_RDONLY | O_CLOEXEC);
    if (from < 0) {
        cfz_fail_errno(err, "open %s", bin->path);
        goto out;
    }
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* /dev/null, a pipe: it stays what it is */
        to = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (to < 0)
            cfz_fail_errno(err, "create %s", path);
        else
            ret = copy_content(from, to, path, err);
        goto out;
    }
    if (is_of_others(path)) {
        cfz_fail(err, CFZ_EEXIST, "%s: already exists and is not an object file", path);
        goto out;
    }
    if (cfz_buf_printf(&temporary, err, "%s.XXXXXX", path) < 0)
        goto out;
    to = mkostemp((char *)temporary.data, O_CLOEXEC);
    if (to < 0) {
        cfz_fail_errno(err, "create %s", path);
        goto out;
    }
    umask(mask = umask(0));
    if (copy_content(from, to, path, err) < 0)
        goto out;
    if (fchmod(to, 0777 & ~mask) < 0 || rename(cfz_buf_str(&temporary), path) < 0) {
        cfz_fail_errno(err, "create %s", path);
        goto out;
    }
    ret = 0;
out:
    if (to >= 0 && ret < 0 && temporary.len > 0)
        unlink(cfz_buf_str(&temporary));
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    cfz_buf_release(&target);
    cfz_buf_release(&temporary);
    return ret;
}

/* Whether a function of this name is in one of the binaries, or may be. */
static bool is_mentioned(const struct test_binaries *bins, const char *name)
{
    for (size_t i = 0; i < bins->n; i++) {
        bool known, found = symtab_mentions_function(bins->v[i].path, name, &known);

        if (found || !known)
            return true;
    }
    return false;
}

/*
 * Whether each comparator that a //cfuzz:compare line names is in a binary, which has it also if
 * nobody calls it, unless it is static. CFZ_EFORMAT.
 */
static int check_comparators(const struct package *pkg, const struct test_binaries *bins,
                             struct cfz_error *err)
{
    for (size_t i = 0; i < pkg->comparators.n; i++) {
        const char *c = pkg->comparators.v[i]; /* "name:0:1@file:3" */
        const char *line = strrchr(c, ':') + 1, *file = strchr(c, '@') + 1;
        size_t len = strcspn(c, ":");
        char *name = strndup(c, len);
        bool found;

        if (name == NULL)
            return cfz_fail_nomem(err);
        found = is_mentioned(bins, name);
        free(name);
        if (!found)
            return cfz_fail(
                err, CFZ_EFORMAT,
                "%.*s: line %s: //cfuzz:compare %.*s: the test binary has no C function "
                "of this name, and calls none (in C++ it has to be extern \"C\"; one "
                "that is static is there if it is called)",
                (int)(line - 1 - file), file, line, (int)len, c);
    }
    return 0;
}

/*
 * Whether the harnesses in C++ have the name that an engine calls, which one that is not extern "C"
 * lacks: it would be a package without tests. CFZ_EFORMAT.
 */
static int check_cxx_harnesses(const struct build_plan *plan, const struct package *pkg,
                               struct cfz_error *err)
{
    struct cfz_buf mangled = CFZ_BUF_INIT;
    int ret = cfz_buf_printf(&mangled, err, "_Z%zu%sPKhm", strlen(harness_name()), harness_name());

    for (size_t i = 0; i < plan->ncompiles && ret == 0; i++) {
        const struct package_source *s = &pkg->sources[plan->steps[i].source];
        bool known;

        if (s->harness != NULL && s->is_cxx &&
            symtab_mentions(plan->steps[i].output, cfz_buf_str(&mangled), &known))
            ret = cfz_fail(err, CFZ_EFORMAT, "%s:%zu: %s is not extern \"C\"",
                           strncmp(s->path, pkg->dir, strlen(pkg->dir)) == 0
                               ? s->path + strlen(pkg->dir) + 1
                               : s->path,
                           s->harness_line, harness_name());
    }
    cfz_buf_release(&mangled);
    return ret;
}

void test_binaries_release(struct test_binaries *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->v[i].path);
        free(b->v[i].symbolizer);
        free(b->v[i].llvm_profdata);
        free(b->v[i].llvm_cov);
    }
    free(b->v);
    *b = (struct test_binaries){NULL, 0};
}

/* Adds a binary to out, which has room; c is NULL for one that was built elsewhere. */
static int add_binary(struct test_binaries *out, const struct options *opt,
                      const struct package *pkg, const char *harness, const char *path,
                      const struct compiler *c, bool several, struct cfz_error *err)
{
    struct test_binary *b = &out->v[out->n++];

    *b = (struct test_binary){.pkg = pkg,
                              .harness = harness,
                              .several = several,
                              .first = out->n == 1,
                              .path = strdup(path),
                              .prebuilt = c == NULL,
                              .instrumented = c != NULL && opt->fuzz != NULL && opt->engine == NULL,
                              .sanitizers = opt->sanitizers,
                              .symbolizer = find_symbolizer(c)};
    if (b->path == NULL)
        return cfz_fail_nomem(err);
    if (!opt->cover)
        return 0;
    b->llvm_profdata = find_llvm_tool(c, "llvm-profdata", err);
    b->llvm_cov = b->llvm_profdata != NULL ? find_llvm_tool(c, "llvm-cov", err) : NULL;
    return b->llvm_cov != NULL ? 0 : cfz_error_wrap(err, "-cover");
}

/* With -cover, remembers which files the binaries are. */
static void note_files(const struct options *opt, struct test_binaries *bins)
{
    for (size_t i = 0; opt->cover && i < bins->n; i++)
        if (stat(bins->v[i].path, &bins->v[i].built) < 0)
            memset(&bins->v[i].built, 0, sizeof(bins->v[i].built));
}

/* Lists the binaries that plan makes. */
static int list_binaries(const struct options *opt, const struct build_plan *plan,
                         const struct package *pkg, const struct compiler *c,
                         struct test_binaries *out, struct cfz_error *err)
{
    out->v = calloc(plan->nsteps - plan->ncompiles, sizeof(*out->v));
    if (out->v == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = plan->ncompiles; i < plan->nsteps; i++)
        if (add_binary(out, opt, pkg, plan->steps[i].harness, plan->steps[i].output, c,
                       plan->nsteps - plan->ncompiles > 1, err) < 0)
            return -1;
    return 0;
}

static bool has_cxx(const struct package *pkg)
{
    for (size_t i = 0; i < pkg->nsources; i++)
        if (pkg->sources[i].is_cxx)
            return true;
    return false;
}

/* Whether the compiler can count what runs of each source line. */
static int check_cover(const struct compiler *c, struct cfz_error *err)
{
    return c->is_clang ? 0
                       : cfz_fail(err, CFZ_EUSAGE, "-cover: %s is not clang, whose coverage it is",
                                  c->path);
}

int build_package(const struct options *opt, const struct package *pkg, struct test_binaries *out,
                  struct cfz_error *err)
{
    struct install in = {0};
    struct compiler c = {0};
    struct engine engine = {0};
    const struct engine *other = opt->engine != NULL ? &engine : NULL;
    struct build_plan plan = {0};
    mode_t mask;
    int ret = -1;

    *out = (struct test_binaries){NULL, 0};
    if (pkg->executable != NULL) {
        out->v = calloc(1, sizeof(*out->v));
        if (out->v == NULL)
            return cfz_fail_nomem(err);
        ret = add_binary(out, opt, pkg, NULL, pkg->executable, NULL, false, err);
        note_files(opt, out);
        return ret;
    }
    mask = umask(0);
    umask(mask | S_IWGRP | S_IWOTH); /* others must not write what is run, whatever the umask is */
    if (other != NULL && engine_find(opt, &engine, err) < 0)
        goto out;
    if (install_find(&in, err) < 0 || compiler_find(opt, other, &in, &c, err) < 0 ||
        (opt->cover && check_cover(&c, err) < 0) ||
        (has_cxx(pkg) && compiler_find_cxx(other, &c, err) < 0) ||
        build_plan_make(opt, pkg, &c, other, &in, &plan, err) < 0 ||
        list_binaries(opt, &plan, pkg, &c, out, err) < 0)
        goto out;
    if (c.is_clang && c.plugin == NULL)
        report_message("cfuzz-test: no plugin for clang %d: what the compiler has of coverage is "
                       "used, and tests are not checked against their type lists",
                       c.major);
    ret = opt->dry_run ? build_plan_print(&plan, pkg, err) : carry_out(opt, &plan, pkg, err);
    if (ret == 0 && !opt->dry_run)
        ret = check_cxx_harnesses(&plan, pkg, err);
    if (ret == 0 && !opt->dry_run && opt->fuzz != NULL && other == NULL && c.is_clang)
        ret = check_comparators(pkg, out, err);
    note_files(opt, out);
out:
    umask(mask);
    build_plan_release(&plan);
    compiler_release(&c);
    engine_release(&engine);
    install_release(&in);
    return ret;
}
