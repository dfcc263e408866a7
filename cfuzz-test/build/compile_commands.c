/*
 * compile_commands.c - the flags a project's own build gives its sources.
 */
#define _GNU_SOURCE
#include "build/compile_commands.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"

enum treatment {
    KEEP,          /* the flag alone */
    KEEP_ARGUMENT, /* with the next argument, or what is joined to it */
    KEEP_PATH,     /* the same, and the argument is a path */
    DROP,
    DROP_ARGUMENT, /* with the next argument, or what is joined to it */
    DROP_PREFIX,   /* everything that begins so */
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
    {"-flto", DROP_PREFIX},
    {"-isystem", KEEP_PATH},
    {"-iquote", KEEP_PATH},
    {"-idirafter", KEEP_PATH},
    {"-isysroot", KEEP_PATH},
    {"-imacros", KEEP_PATH},
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

int compile_commands_flags(const struct strlist *command, const char *directory,
                           struct strlist *out, struct cfz_error *err)
{
    size_t i = command->n > 1 && is_launcher(command->v[0]) ? 2 : 1;

    for (; i < command->n; i++) {
        const char *arg = command->v[i], *value = NULL;
        const struct rule *rule = find_rule(arg);
        bool separate = false;

        if (arg[0] != '-' || strcmp(arg, "-") == 0 || strcmp(arg, "--") == 0)
            continue; /* an input */
        if (rule == NULL) {
            if (strlist_add(out, arg, err) < 0)
                return -1;
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
        if (strcmp(s->path, real) == 0)
            found = s;
    }
    free(real);
    cfz_buf_release(&path);
    return found;
}

/* Takes the flags of p's sources from one database; *listed: how many it knew. */
static int apply_file(const char *path, struct package *p, size_t *listed, struct cfz_error *err)
{
    struct package_source *first = NULL;
    json_error_t why;
    json_t *db = json_load_file(path, 0, &why), *entry;
    int ret = -1;
    size_t i;

    *listed = 0;
    if (db == NULL)
        return cfz_fail(err, CFZ_EFORMAT, "%s: line %d: %s", path, why.line, why.text);
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
            rc = compile_commands_flags(&command, directory, &s->flags, err);
        strlist_release(&command);
        if (rc < 0) {
            cfz_error_wrap(err, "%s: entry %zu", path, i);
            goto out;
        }
        if (first == NULL)
            first = s;
        ++*listed;
    }
    for (size_t j = 0; first != NULL && j < p->nsources; j++) {
        struct package_source *s = &p->sources[j];

        if (s->flags.n == 0 && strlist_add_all(&s->flags, &first->flags, err) < 0)
            goto out;
    }
    ret = 0;
out:
    json_decref(db);
    return ret;
}

int compile_commands_apply(struct package *p, struct cfz_error *err)
{
    static const char *const places[] = {"", "/build", "/builddir"};
    struct cfz_buf path = CFZ_BUF_INIT;
    size_t len = strlen(p->dir);
    int ret = -1;

    for (;;) {
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
            size_t listed;

            path.len = 0;
            if (cfz_buf_printf(&path, err, "%.*s%s/compile_commands.json", (int)len, p->dir,
                               places[i]) < 0)
                goto out;
            if (access(cfz_buf_str(&path), R_OK) != 0)
                continue;
            if (apply_file(cfz_buf_str(&path), p, &listed, err) < 0)
                goto out;
            if (listed > 0) {
                p->compile_commands = strdup(cfz_buf_str(&path));
                ret = p->compile_commands != NULL ? 0 : cfz_fail_nomem(err);
                goto out;
            }
        }
        if (len == 0)
            break;
        while (len > 0 && p->dir[--len] != '/')
            ;
    }
    ret = 0;
out:
    cfz_buf_release(&path);
    return ret;
}
