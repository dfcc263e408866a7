/*
 * compile_commands.c - the flags a project's own build gives its sources.
 */
#define _GNU_SOURCE
#include "build/compile_commands.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/project.h"
#include "build/link_libraries.h"
#include "core/buf.h"

#define DATABASE "compile_commands.json"

enum treatment {
    KEEP,          /* the flag alone */
    KEEP_ARGUMENT, /* with the next argument, or what is joined to it */
    KEEP_PATH,     /* the same, and the argument is a path */
    DROP,
    DROP_ARGUMENT, /* with the next argument, or what is joined to it */
    DROP_PREFIX,   /* everything that begins so */
    DROP_NDEBUG,   /* -DNDEBUG, with a value or without: assert() is to check */
};

/* The first match counts; what is not listed is kept when it begins with '-'. */
static const struct rule {
    const char *flag;
    enum treatment treatment;
} rules[] = {
    {"-c", DROP},
    {"-S", DROP},
    {"-E", DROP},
    {"-M", DROP},
    {"-MM", DROP},
    {"-MD", DROP},
    {"-MMD", DROP},
    {"-MP", DROP},
    {"-MG", DROP},
    {"-MF", DROP_ARGUMENT},
    {"-MT", DROP_ARGUMENT},
    {"-MQ", DROP_ARGUMENT},
    {"-MJ", DROP_ARGUMENT},
    {"-Wp,-M", DROP_PREFIX},
    {"-save-temps", DROP_PREFIX},
    {"--save-temps", DROP_PREFIX},
    {"-o", DROP_ARGUMENT},
    {"-Werror", DROP},
    {"-DNDEBUG", DROP_NDEBUG},
    {"-fsanitize-coverage", DROP_PREFIX}, /* another fuzzer's; the plugin instruments */
    {"-flto", DROP_PREFIX},
    /* What gcc alone knows: choices about optimisation and code. clang would refuse them. */
    {"-fanalyzer", DROP_PREFIX},
    {"-fallow-store-data-races", DROP_PREFIX},
    {"-fno-allow-store-data-races", DROP_PREFIX},
    {"-fconserve-stack", DROP_PREFIX},
    {"-fno-conserve-stack", DROP_PREFIX},
    {"-fvar-tracking", DROP_PREFIX},
    {"-fno-var-tracking", DROP_PREFIX},
    {"-fipa-", DROP_PREFIX},
    {"-fno-ipa-", DROP_PREFIX},
    {"-fira-", DROP_PREFIX},
    {"-fno-ira-", DROP_PREFIX},
    {"-ftree-", DROP_PREFIX},
    {"-fno-tree-", DROP_PREFIX},
    {"-fgcse", DROP_PREFIX},
    {"-fno-gcse", DROP_PREFIX},
    {"-fgraphite", DROP_PREFIX},
    {"-floop-", DROP_PREFIX},
    {"-fno-loop-", DROP_PREFIX},
    {"-flive-patching", DROP_PREFIX},
    {"-fno-aggressive-loop", DROP_PREFIX},
    {"-fno-guess-branch", DROP_PREFIX},
    {"-fno-partial-inlining", DROP_PREFIX},
    {"-fno-inline-small", DROP_PREFIX},
    {"-fno-inline-functions-called", DROP_PREFIX},
    {"-fno-toplevel-reorder", DROP_PREFIX},
    {"-fno-reorder-blocks", DROP_PREFIX},
    {"-freorder-blocks", DROP_PREFIX},
    {"-fno-reorder-functions-", DROP_PREFIX},
    {"-fsched-", DROP_PREFIX},
    {"-fno-sched", DROP_PREFIX},
    {"-fschedule-insns", DROP_PREFIX},
    {"-fno-section-anchors", DROP_PREFIX},
    {"-fsection-anchors", DROP_PREFIX},
    {"-fweb", DROP_PREFIX},
    {"-fno-web", DROP_PREFIX},
    {"-frename-registers", DROP_PREFIX},
    {"-fno-rename-registers", DROP_PREFIX},
    {"-fmodulo-sched", DROP_PREFIX},
    {"-fprefetch-loop", DROP_PREFIX},
    {"-fharden-", DROP_PREFIX},
    {"-fcallgraph-info", DROP_PREFIX},
    {"-fdump-", DROP_PREFIX},
    {"-fplugin", DROP_PREFIX},
    {"-fuse-linker-plugin", DROP_PREFIX},
    {"-fno-use-linker-plugin", DROP_PREFIX},
    {"-flto-partition", DROP_PREFIX},
    {"-fpredictive", DROP_PREFIX},
    {"-fcprop-", DROP_PREFIX},
    {"-fno-cprop", DROP_PREFIX},
    {"-fdevirtualize", DROP_PREFIX},
    {"-fno-printf-return", DROP_PREFIX},
    {"-fno-caller-saves", DROP_PREFIX},
    {"-fno-crossjumping", DROP_PREFIX},
    {"-fno-dce", DROP_PREFIX},
    {"-fno-dse", DROP_PREFIX},
    {"-fno-if-conversion", DROP_PREFIX},
    {"-fno-ssa-phiopt", DROP_PREFIX},
    {"-fno-code-hoisting", DROP_PREFIX},
    {"-fstore-merging", DROP_PREFIX},
    {"-fno-store-merging", DROP_PREFIX},
    {"-fisolate-erroneous", DROP_PREFIX},
    {"-fno-isolate-erroneous", DROP_PREFIX},
    {"-fno-split-", DROP_PREFIX},
    {"-fsplit-wide", DROP_PREFIX},
    {"-fno-thread-jumps", DROP_PREFIX},
    {"-fno-peephole", DROP_PREFIX},
    {"-fno-expensive-opt", DROP_PREFIX},
    {"-fno-forward-prop", DROP_PREFIX},
    {"-fno-version-loops", DROP_PREFIX},
    {"-maccumulate-outgoing", DROP_PREFIX},
    {"-mno-accumulate-outgoing", DROP_PREFIX},
    {"-mindirect-branch", DROP_PREFIX},
    {"-mno-fp-ret", DROP_PREFIX},
    {"-mpreferred-stack-b", DROP_PREFIX},
    {"-mrecord-mcount", DROP_PREFIX},
    {"-specs=", DROP_PREFIX},
    {"-aux-info", DROP_PREFIX},
    {"-isystem", KEEP_PATH},
    {"-iquote", KEEP_PATH},
    {"-idirafter", KEEP_PATH},
    {"-isysroot", KEEP_PATH},
    {"-imacros", KEEP_PATH},
    {"-include-pch", DROP_ARGUMENT}, /* of other flags; the header itself is included, too */
    {"-include", KEEP_PATH},
    {"--sysroot=", KEEP_PATH},
    {"-I", KEEP_PATH},
    {"-L", KEEP_PATH},
    {"-B", KEEP_PATH},
    {"-D", KEEP_ARGUMENT},
    {"-U", KEEP_ARGUMENT},
    {"-x", KEEP_ARGUMENT},
    {"-Xclang", KEEP_ARGUMENT},
    {"-Xpreprocessor", KEEP_ARGUMENT},
    {"-Xassembler", KEEP_ARGUMENT},
    {"-mllvm", KEEP_ARGUMENT},
    {"-target", KEEP_ARGUMENT},
    {"--param", KEEP_ARGUMENT},
};

static const struct rule *find_rule(const char *arg)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const char *flag = rules[i].flag;
        size_t len = strlen(flag);

        if (strcmp(arg, flag) == 0)
            return &rules[i];
        if (rules[i].treatment == DROP_NDEBUG && (strncmp(arg, flag, len) != 0 || arg[len] != '='))
            continue;
        if (rules[i].treatment != KEEP && rules[i].treatment != DROP &&
            strncmp(arg, flag, len) == 0)
            return &rules[i];
    }
    return NULL;
}

/*
 * Adds a flag whose argument is a path. -include also searches the include
 * directories, so its argument is made absolute only if the file is there.
 */
static int add_path_flag(struct strlist *out, const char *flag, const char *path,
                         const char *directory, struct cfz_error *err)
{
    struct cfz_buf full = CFZ_BUF_INIT;
    bool searched = strcmp(flag, "-include") == 0 || strcmp(flag, "-imacros") == 0;
    bool joined = flag[strlen(flag) - 1] == '=' || strlen(flag) == 2;
    int ret = -1;

    if (path[0] != '/' && cfz_buf_printf(&full, err, "%s/%s", directory, path) < 0)
        return -1;
    if (full.len > 0 && (!searched || access(cfz_buf_str(&full), F_OK) == 0))
        path = cfz_buf_str(&full);
    if (joined)
        ret = strlist_addf(out, err, "%s%s", flag, path);
    else if (strlist_add(out, flag, err) == 0)
        ret = strlist_add(out, path, err);
    cfz_buf_release(&full);
    return ret;
}

/* ccache and its like stand before the compiler. */
static bool is_launcher(const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *base = slash != NULL ? slash + 1 : program;

    return strcmp(base, "ccache") == 0 || strcmp(base, "distcc") == 0 ||
           strcmp(base, "sccache") == 0;
}

/* CMake includes a precompiled header by "-Xclang -include-pch -Xclang x.pch". */
static bool is_precompiled(const struct strlist *command, size_t i)
{
    return i + 3 < command->n && strcmp(command->v[i], "-Xclang") == 0 &&
           strcmp(command->v[i + 1], "-include-pch") == 0 &&
           strcmp(command->v[i + 2], "-Xclang") == 0;
}

int compile_commands_flags(const struct strlist *command, const char *directory,
                           struct strlist *out, bool *ndebug, struct cfz_error *err)
{
    size_t i = command->n > 1 && is_launcher(command->v[0]) ? 2 : 1;

    for (; i < command->n; i++) {
        const char *arg = command->v[i], *value = NULL;
        const struct rule *rule = find_rule(arg);
        bool separate = false;

        if (is_precompiled(command, i)) {
            i += 3;
            continue;
        }
        if (arg[0] != '-' || strcmp(arg, "-") == 0 || strcmp(arg, "--") == 0)
            continue; /* an input */
        if (rule == NULL) {
            if (strlist_add(out, arg, err) < 0)
                return -1;
            continue;
        }
        if (rule->treatment == DROP_NDEBUG) {
            *ndebug = true;
            continue;
        }
        value = arg + strlen(rule->flag);
        if (*value == '\0' && rule->treatment != DROP && rule->treatment != DROP_PREFIX) {
            if (i + 1 == command->n)
                continue; /* an incomplete command */
            separate = true;
            value = command->v[++i];
        }
        switch (rule->treatment) {
        case KEEP:
        case KEEP_ARGUMENT:
            if (separate && strcmp(arg, "-D") == 0 &&
                (strcmp(value, "NDEBUG") == 0 || strncmp(value, "NDEBUG=", 7) == 0)) {
                *ndebug = true;
                break;
            }
            if (strlist_add(out, arg, err) < 0 || (separate && strlist_add(out, value, err) < 0))
                return -1;
            break;
        case KEEP_PATH:
            if (add_path_flag(out, rule->flag, value, directory, err) < 0)
                return -1;
            break;
        case DROP:
        case DROP_ARGUMENT:
        case DROP_PREFIX:
        case DROP_NDEBUG:
            break;
        }
    }
    return 0;
}

/* The words of an entry's command, from either of its two forms. */
static int entry_command(const json_t *entry, struct strlist *out, struct cfz_error *err)
{
    const json_t *arguments = json_object_get(entry, "arguments"), *word;
    const char *command = json_string_value(json_object_get(entry, "command"));
    size_t i;

    if (command != NULL)
        return strlist_split(out, command, strlen(command), err);
    json_array_foreach(arguments, i, word)
    {
        if (json_is_string(word) && strlist_add(out, json_string_value(word), err) < 0)
            return -1;
    }
    return 0;
}

/* Finds the source that the entry is about; *directory is borrowed from the entry. */
static struct package_source *entry_source(const json_t *entry, struct package *p,
                                           const char **directory, struct cfz_error *err)
{
    const char *file = json_string_value(json_object_get(entry, "file")), *base;
    struct package_source *found = NULL;
    struct cfz_buf path = CFZ_BUF_INIT;
    char *real = NULL;

    *directory = json_string_value(json_object_get(entry, "directory"));
    if (file == NULL || *directory == NULL)
        return NULL;
    /* Most entries are about other directories: compare names before asking the file system. */
    base = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    for (size_t i = 0; i < p->nsources && found == NULL; i++) {
        struct package_source *s = &p->sources[i];

        if (strcmp(strrchr(s->path, '/') + 1, base) != 0)
            continue;
        if (real == NULL) {
            if (cfz_buf_printf(&path, err, "%s%s%s", file[0] == '/' ? "" : *directory,
                               file[0] == '/' ? "" : "/", file) < 0)
                break;
            real = realpath(cfz_buf_str(&path), NULL);
            if (real == NULL)
                break;
        }
        if (strcmp(s->real, real) == 0)
            found = s;
    }
    free(real);
    cfz_buf_release(&path);
    return found;
}

/* Notes the absolute path of the object that an entry makes, and that of its source. */
static int note_object(const json_t *entry, const struct strlist *command, const char *directory,
                       const struct package_source *s, struct strlist *objects,
                       struct strlist *sources, struct cfz_error *err)
{
    const char *output = json_string_value(json_object_get(entry, "output"));

    for (size_t i = 0; output == NULL && i + 1 < command->n; i++)
        if (strcmp(command->v[i], "-o") == 0)
            output = command->v[i + 1];
    if (strlist_add(sources, s->path, err) < 0)
        return -1;
    if (output == NULL)
        return 0;
    return output[0] == '/' ? strlist_add(objects, output, err)
                            : strlist_addf(objects, err, "%s/%s", directory, output);
}

/* Takes the flags of p's sources from one database, and the libraries that the build beside it
 * links them with; *listed: how many it knew. */
static int apply_file(const char *path, struct package *p, size_t *listed, struct cfz_error *err)
{
    struct package_source *first[3] = {NULL, NULL, NULL}; /* of all, of C, of C++ */
    struct strlist objects = STRLIST_INIT, sources = STRLIST_INIT;
    char *build_dir = NULL;
    json_error_t why;
    json_t *db = json_load_file(path, 0, &why), *entry;
    int ret = -1;
    size_t i;

    *listed = 0;
    if (db == NULL)
        return cfz_fail(err, CFZ_EFORMAT, "%s: line %d: %s", path, why.line, why.text);
    if (!json_is_array(db)) {
        cfz_fail(err, CFZ_EFORMAT, "%s: not a compilation database: no array of entries", path);
        goto out;
    }
    json_array_foreach(db, i, entry)
    {
        struct strlist command = STRLIST_INIT;
        const char *directory;
        struct package_source *s = entry_source(entry, p, &directory, err);
        int rc;

        if (s == NULL || s->flags.n > 0)
            continue; /* another package's, or a second entry: the first one counts */
        rc = entry_command(entry, &command, err);
        if (rc == 0)
            rc = compile_commands_flags(&command, directory, &s->flags, &p->had_ndebug, err);
        if (rc == 0 && p->gone == NULL && access(directory, F_OK) < 0)
            p->gone = strdup(directory);
        if (rc == 0)
            rc = note_object(entry, &command, directory, s, &objects, &sources, err);
        strlist_release(&command);
        if (rc < 0) {
            cfz_error_wrap(err, "%s: entry %zu", path, i);
            goto out;
        }
        if (first[0] == NULL)
            first[0] = s;
        if (first[s->is_cxx + 1] == NULL)
            first[s->is_cxx + 1] = s;
        ++*listed;
    }
    for (size_t j = 0; first[0] != NULL && j < p->nsources; j++) {
        struct package_source *s = &p->sources[j], *like = first[s->is_cxx + 1];

        if (s->flags.n == 0 &&
            strlist_add_all(&s->flags, &(like != NULL ? like : first[0])->flags, err) < 0)
            goto out;
    }
    if (first[0] != NULL) {
        char *slash;

        build_dir = realpath(path, NULL); /* a link to the one in the build directory is common */
        slash = build_dir != NULL ? strrchr(build_dir, '/') : NULL;
        if (slash != NULL)
            *slash = '\0';
        if (slash != NULL &&
            link_libraries_find(build_dir, &objects, &sources, &p->libraries, err) < 0)
            goto out;
    }
    ret = 0;
out:
    free(build_dir);
    strlist_release(&objects);
    strlist_release(&sources);
    json_decref(db);
    return ret;
}

/* Databases that were found, the newest first. */
struct found {
    char *path;
    struct timespec mtime;
};

struct search {
    struct found *v;
    size_t n;
};

static int newest_first(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->mtime.tv_sec != y->mtime.tv_sec)
        return x->mtime.tv_sec > y->mtime.tv_sec ? -1 : 1;
    if (x->mtime.tv_nsec != y->mtime.tv_nsec)
        return x->mtime.tv_nsec > y->mtime.tv_nsec ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Adds the database in the directory dir/sub, if there is one. */
static int look_in(struct search *s, const char *dir, const char *sub, struct cfz_error *err)
{
    struct found *v, f;
    struct stat st;

    if (asprintf(&f.path, "%s%s%s/" DATABASE, dir, sub[0] != '\0' ? "/" : "", sub) < 0)
        return cfz_fail_nomem(err);
    memset(&st, 0, sizeof(st));
    if (access(f.path, R_OK) != 0 || (stat(f.path, &st) == 0 && !S_ISREG(st.st_mode))) {
        free(f.path);
        return 0;
    }
    v = realloc(s->v, (s->n + 1) * sizeof(*v));
    if (v == NULL) {
        free(f.path);
        return cfz_fail_nomem(err);
    }
    f.mtime = st.st_mtim;
    s->v = v;
    s->v[s->n++] = f;
    return 0;
}

/* Whether build directories are made below a directory of this name: out/debug, build/release. */
static bool holds_builds(const char *name)
{
    return strcasestr(name, "build") != NULL || strcmp(name, "out") == 0 ||
           strcmp(name, "obj") == 0 || strcmp(name, "target") == 0;
}

/* Looks into the directories below dir, and below those that hold builds one further. */
static int look_below(struct search *s, const char *dir, int depth, struct cfz_error *err)
{
    DIR *d = opendir(dir);
    struct dirent *entry;
    int ret = 0;

    while (d != NULL && ret == 0 && (entry = readdir(d)) != NULL) {
        const char *name = entry->d_name;
        struct cfz_buf sub = CFZ_BUF_INIT;

        if (name[0] == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
            continue;
        ret = look_in(s, dir, name, err);
        if (ret == 0 && depth == 0 && holds_builds(name) &&
            cfz_buf_printf(&sub, err, "%s/%s", dir, name) == 0)
            ret = look_below(s, cfz_buf_str(&sub), depth + 1, err);
        cfz_buf_release(&sub);
    }
    if (d != NULL)
        closedir(d);
    return ret;
}

/* Searches dir and its build directories for a database that lists a source of p. */
static int search_level(struct package *p, const char *dir, bool *done, struct cfz_error *err)
{
    struct search s = {NULL, 0};
    int ret = -1;

    if (look_in(&s, dir, "", err) < 0)
        goto out;
    if (strcmp(dir, p->dir) == 0 || project_begins(dir)) {
        if (look_below(&s, dir, 0, err) < 0)
            goto out;
    } else if (look_in(&s, dir, "build", err) < 0 || look_in(&s, dir, "builddir", err) < 0) {
        goto out;
    }
    if (s.n > 1)
        qsort(s.v, s.n, sizeof(*s.v), newest_first);
    for (size_t i = 0; i < s.n && !*done; i++) {
        size_t listed;

        if (apply_file(s.v[i].path, p, &listed, err) < 0)
            goto out;
        if (listed == 0 && p->unlisted != NULL)
            continue;
        if (listed == 0) {
            p->unlisted = strdup(s.v[i].path);
            if (p->unlisted != NULL)
                continue;
            cfz_fail_nomem(err);
            goto out;
        }
        *done = true;
        p->compile_commands = strdup(s.v[i].path);
        if (p->compile_commands == NULL) {
            cfz_fail_nomem(err);
            goto out;
        }
    }
    ret = 0;
out:
    for (size_t i = 0; i < s.n; i++)
        free(s.v[i].path);
    free(s.v);
    return ret;
}

/* Takes the database of -p, which has to list a source of p. */
static int apply_named(struct package *p, const char *build_dir, struct cfz_error *err)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    size_t listed;
    int ret = -1;

    if (cfz_buf_printf(&path, err, "%s/" DATABASE, build_dir) < 0)
        goto out;
    if (access(cfz_buf_str(&path), R_OK) != 0) {
        cfz_fail(err, CFZ_EUSAGE, "-p=%s: no " DATABASE " in it", build_dir);
        goto out;
    }
    if (apply_file(cfz_buf_str(&path), p, &listed, err) < 0)
        goto out;
    if (listed == 0) {
        cfz_fail(err, CFZ_EUSAGE, "-p=%s: its " DATABASE " lists no source of %s", build_dir,
                 p->name);
        goto out;
    }
    p->compile_commands = strdup(cfz_buf_str(&path));
    ret = p->compile_commands != NULL ? 0 : cfz_fail_nomem(err);
out:
    cfz_buf_release(&path);
    return ret;
}

int compile_commands_apply(struct package *p, const char *build_dir, struct cfz_error *err)
{
    char *dir;
    bool done = false;
    int ret;

    if (build_dir != NULL)
        return apply_named(p, build_dir, err);
    dir = strdup(p->dir);
    if (dir == NULL)
        return cfz_fail_nomem(err);
    do {
        ret = search_level(p, dir, &done, err);
        if (dir[0] == '\0')
            break;
        *strrchr(dir, '/') = '\0'; /* "" is the root */
    } while (ret == 0 && !done);
    free(dir);
    return ret;
}
