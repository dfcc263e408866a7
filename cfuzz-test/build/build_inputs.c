/*
 * build_inputs.c - what the last build read.
 */
#define _GNU_SOURCE
#include "build/build_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io.h"

#define RECORD "inputs"
#define RECORD_HEAD "cfuzz inputs 1\n"
#define NOTHING_LINE "0.0 -1 0 %s\n" /* matches no file */
#define RECORD_MAX ((size_t)64 << 20)

void build_inputs_release(struct build_inputs *in)
{
    free(in->v);
    cfz_buf_release(&in->text);
    *in = (struct build_inputs)BUILD_INPUTS_INIT;
}

static int compare_inputs(const void *a, const void *b)
{
    return strcmp(((const struct build_input *)a)->path, ((const struct build_input *)b)->path);
}

/* Takes a line of the record apart, whose end was replaced by NUL. in->path points into it. */
static bool parse_record_line(char *line, struct build_input *in)
{
    long long seconds;
    long ns;
    int path = 0;

    if (sscanf(line, "%lld.%ld %lld %llu %n", &seconds, &ns, &in->size, &in->inode, &path) != 4 ||
        path == 0)
        return false;
    in->mtime = (struct timespec){.tv_sec = seconds, .tv_nsec = ns};
    in->path = line + path;
    return true;
}

int build_inputs_load(int dir, struct build_inputs *out, struct cfz_error *err)
{
    struct build_inputs in = BUILD_INPUTS_INIT;
    char *line, *end;
    size_t lines = 0;

    if (cfz_io_read_file(dir, RECORD, RECORD_MAX, &in.text, NULL) < 0 ||
        strncmp(cfz_buf_str(&in.text), RECORD_HEAD, strlen(RECORD_HEAD)) != 0) {
        build_inputs_release(&in);
        return 0;
    }
    for (size_t i = 0; i < in.text.len; i++)
        lines += in.text.data[i] == '\n';
    in.v = calloc(lines, sizeof(*in.v));
    if (in.v == NULL) {
        build_inputs_release(&in);
        return cfz_fail_nomem(err);
    }
    line = (char *)in.text.data + strlen(RECORD_HEAD);
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (!parse_record_line(line, &in.v[in.n++])) {
            build_inputs_release(&in);
            return 0;
        }
    }
    *out = in;
    return 0;
}

static bool is_unchanged(const struct build_input *in)
{
    struct stat st;

    return stat(in->path, &st) == 0 && st.st_mtim.tv_sec == in->mtime.tv_sec &&
           st.st_mtim.tv_nsec == in->mtime.tv_nsec && (long long)st.st_size == in->size &&
           (unsigned long long)st.st_ino == in->inode;
}

bool build_inputs_unchanged(const struct build_inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        if (!is_unchanged(&in->v[i]))
            return false;
    return true;
}

int depfile_parse(const char *text, size_t len, struct strlist *out, struct cfz_error *err)
{
    struct cfz_buf word = CFZ_BUF_INIT;
    bool target = true;
    int ret = -1;

    for (size_t i = 0; i <= len; i++) {
        char c = i < len ? text[i] : '\n', next = i + 1 < len ? text[i + 1] : '\0';

        if (c == '\\' && (next == ' ' || next == '#')) {
            c = text[++i];
        } else if (c == '$' && next == '$') {
            i++;
        } else if (c == '\\' && next == '\n') {
            i++;
            c = ' ';
            goto separator;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            goto separator;
        } else if (c == ':' && target && (next == ' ' || next == '\\' || next == '\n')) {
            target = false; /* the words before are what was made */
            word.len = 0;
            continue;
        }
        if (cfz_buf_append(&word, &c, 1, err) < 0)
            goto out;
        continue;
    separator:
        if (word.len > 0 && !target &&
            strlist_addf(out, err, "%.*s", (int)word.len, cfz_buf_str(&word)) < 0)
            goto out;
        word.len = 0;
        target |= c == '\n';
    }
    ret = 0;
out:
    cfz_buf_release(&word);
    return ret;
}

/* Adds the name in a line of a linker's depfile, up to end, without the blanks around it. */
static int add_link_line(const char *line, const char *end, struct strlist *out,
                         struct cfz_error *err)
{
    struct cfz_buf name = CFZ_BUF_INIT;
    int ret = 0;

    while (line < end && *line == ' ')
        line++;
    if (end - line >= 2 && end[-1] == '\\' && end[-2] == ' ')
        end -= 2;
    for (; line < end && ret == 0; line++) {
        line += line + 1 < end && line[0] == '\\' && (line[1] == ' ' || line[1] == '#');
        line += line + 1 < end && line[0] == '$' && line[1] == '$';
        ret = cfz_buf_append(&name, line, 1, err);
    }
    if (ret == 0 && name.len > 0)
        ret = strlist_add(out, cfz_buf_str(&name), err);
    cfz_buf_release(&name);
    return ret;
}

int depfile_parse_link(const char *text, size_t len, struct strlist *out, struct cfz_error *err)
{
    static const char head[] = ": \\\n";
    const char *line = strstr(text, head);
    bool more = true;

    if (line == NULL || line != text + strcspn(text, "\n") - strlen(": \\"))
        return depfile_parse(text, len, out, err);
    for (line += strlen(head); more && *line != '\0'; line += *line == '\n') {
        const char *end = line + strcspn(line, "\n");

        more = end > line && end[-1] == '\\';
        if (add_link_line(line, end, out, err) < 0)
            return -1;
        line = end;
    }
    return 0;
}

/* Adds what the compiler read for one object, or the linker for one binary, as absolute paths. */
static int add_dependencies(const struct build_plan *plan, const struct build_step *step,
                            const struct package *pkg, struct strlist *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct strlist names = STRLIST_INIT;
    bool link = step >= plan->steps + plan->ncompiles;
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, step->depfile, RECORD_MAX, &text, err) < 0 ||
        (link ? depfile_parse_link : depfile_parse)(cfz_buf_str(&text), text.len, &names, err) < 0)
        goto out;
    for (size_t i = 0; i < names.n; i++) {
        const char *name = names.v[i];

        if (link && strlist_has(&step->objects, name))
            continue; /* ninja looks after what the build itself makes */
        if (strlist_addf(out, err, "%s%s%s", name[0] == '/' ? "" : pkg->dir,
                         name[0] == '/' ? "" : "/", name) < 0)
            goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    strlist_release(&names);
    return ret;
}

static bool is_as_recorded(const struct build_inputs *in, const char *path)
{
    struct build_input wanted = {.path = path}, *known = NULL;

    if (in->n > 0)
        known = bsearch(&wanted, in->v, in->n, sizeof(*in->v), compare_inputs);
    return known != NULL && is_unchanged(known);
}

int build_inputs_drop_stale(const struct build_inputs *in, const struct build_plan *plan,
                            const struct package *pkg, struct cfz_error *err)
{
    for (size_t i = 0; i < plan->nsteps; i++) {
        const struct build_step *step = &plan->steps[i];
        struct strlist paths = STRLIST_INIT;
        bool stale;

        /* Where there is to be a depfile and is none, the step was not completed. */
        stale = in->n == 0 ||
                (step->depfile != NULL && add_dependencies(plan, step, pkg, &paths, err) < 0);

        for (size_t k = 0; k < paths.n && !stale; k++)
            stale = !is_as_recorded(in, paths.v[k]);
        /* It may have been damaged, by a power cut say. */
        stale = stale || !is_as_recorded(in, step->output);
        strlist_release(&paths);
        if (stale)
            unlink(step->output);
    }
    return 0;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Adds the line of a file. made says that the build itself wrote it, so that it may be younger than
 * start. */
static int add_record(struct cfz_buf *out, const char *path, bool made,
                      const struct timespec *start, struct cfz_error *err)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return cfz_buf_printf(out, err, NOTHING_LINE, path);
    return cfz_buf_printf(out, err, "%lld.%09ld %lld %llu %s\n", (long long)st.st_mtim.tv_sec,
                          st.st_mtim.tv_nsec,
                          made || is_before(&st.st_mtim, start) ? (long long)st.st_size : -1,
                          (unsigned long long)st.st_ino, path);
}

/* Whether path is the output of one of the steps from first on. */
static bool is_output(const struct build_plan *plan, size_t first, const char *path)
{
    for (size_t i = first; i < plan->nsteps; i++)
        if (strcmp(plan->steps[i].output, path) == 0)
            return true;
    return false;
}

/* Whether path is an object, a test binary, or a header that this directory's key covers. */
static bool is_made(const struct build_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->ncompiles; i++)
        if ((plan->steps[i].program != NULL && strcmp(plan->steps[i].program, path) == 0) ||
            (plan->steps[i].names_harness != NULL &&
             strcmp(plan->steps[i].names_harness, path) == 0))
            return true;
    return is_output(plan, 0, path);
}

/* Adds what the linker read and is still there: with -flto it reads files that it made itself. */
static int add_link_inputs(const struct build_plan *plan, const struct package *pkg,
                           struct strlist *out, struct cfz_error *err)
{
    struct strlist read = STRLIST_INIT;
    int ret = 0;

    for (size_t i = plan->ncompiles; i < plan->nsteps && ret == 0; i++)
        if (plan->steps[i].depfile != NULL)
            ret = add_dependencies(plan, &plan->steps[i], pkg, &read, err);
    for (size_t i = 0; i < read.n && ret == 0; i++)
        if (access(read.v[i], F_OK) == 0)
            ret = strlist_add(out, read.v[i], err);
    strlist_release(&read);
    return ret;
}

int build_inputs_forget(int dir, struct cfz_error *err)
{
    if (unlinkat(dir, RECORD, 0) < 0 && errno != ENOENT)
        return cfz_fail_errno(err, "remove the record of the last build");
    return 0;
}

int build_inputs_save(int dir, const struct build_plan *plan, const struct package *pkg,
                      const struct timespec *start, bool complete, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct strlist paths = STRLIST_INIT;
    int ret = -1;

    for (size_t i = 0; i < plan->ncompiles; i++)
        if (add_dependencies(plan, &plan->steps[i], pkg, &paths, complete ? err : NULL) < 0 &&
            complete)
            goto out;
    if ((complete && add_link_inputs(plan, pkg, &paths, err) < 0) ||
        strlist_add_all(&paths, &plan->libraries, err) < 0 ||
        cfz_buf_puts(&text, RECORD_HEAD, err) < 0)
        goto out;
    for (size_t i = 0; i < plan->nsteps; i++)
        if (strlist_add(&paths, plan->steps[i].output, err) < 0)
            goto out;
    strlist_sort(&paths);
    for (size_t i = 0; i < paths.n; i++) {
        if (i > 0 && strcmp(paths.v[i], paths.v[i - 1]) == 0)
            continue;
        if (strchr(paths.v[i], '\n') != NULL)
            continue; /* it cannot be written down, and ninja looks after it */
        if (!complete && is_output(plan, plan->ncompiles, paths.v[i])
                ? cfz_buf_printf(&text, err, NOTHING_LINE, paths.v[i]) < 0
                : add_record(&text, paths.v[i], is_made(plan, paths.v[i]), start, err) < 0)
            goto out;
    }
    ret = cfz_io_write_file(dir, RECORD, text.data, text.len, CFZ_IO_REPLACE, err);
out:
    cfz_buf_release(&text);
    strlist_release(&paths);
    return ret;
}
