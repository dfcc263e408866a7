/*
 * sanitizer_probe.c - see sanitizer_probe.h.
 */
#define _GNU_SOURCE
#include "build/sanitizer_probe.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "build/compiler.h"
#include "core/io.h"

/* The lines of text that say why it failed come with one of these words. */
static const char *telling_line(const char *text, size_t *len)
{
    static const char *const words[] = {"cannot find", "error:", "FATAL", "ERROR"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(text, words[i]);

        if (at == NULL)
            continue;
        while (at > text && at[-1] != '\n')
            at--;
        *len = strcspn(at, "\n");
        return at;
    }
    text += strspn(text, "\n");
    *len = strcspn(text, "\n");
    return text;
}

/* Says in *lacking what went wrong. */
static int explain(const struct compiler *c, const char *doing, const char *text, char **lacking,
                   struct cfz_error *err)
{
    const char *name = strrchr(c->path, '/');
    struct cfz_buf out = CFZ_BUF_INIT;
    size_t len;
    const char *line = telling_line(text, &len);
    int ret = cfz_buf_printf(&out, err, "%s %s", name != NULL ? name + 1 : c->path, doing);

    if (ret == 0 && len > 0)
        ret = cfz_buf_printf(&out, err, ": %.*s", (int)len, line);
    if (ret == 0 && c->is_clang && strstr(text, "libclang_rt") != NULL)
        ret = cfz_buf_printf(&out, err, "; it is in libclang-rt-%d-dev", c->major);
    *lacking = ret == 0 ? strdup(cfz_buf_str(&out)) : NULL;
    cfz_buf_release(&out);
    return ret < 0 ? -1 : *lacking != NULL ? 0 : cfz_fail_nomem(err);
}

/* Builds the program in dir, and runs it. */
static int try_in(const char *dir, const struct options *opt, const struct compiler *c,
                  char **lacking, struct cfz_error *err)
{
    static const char program[] = "int main(void)\n{\n    return 0;\n}\n";
    static const char *const run[] = {"./probe", NULL};
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    struct subprocess p = {.dir = dir, .out = &text, .err = &text};
    int status, fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = -1;

    if (fd < 0) {
        cfz_fail_errno(err, "open %s", dir);
        goto out;
    }
    if (cfz_io_write_file(fd, "probe.c", program, sizeof program - 1, 0, err) < 0 ||
        strlist_add_all(&argv, &c->command, err) < 0)
        goto out;
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((opt->sanitizers & sanitizers_all[i].bit) != 0 &&
            strlist_addf(&argv, err, "-fsanitize=%s", sanitizers_all[i].value) < 0)
            goto out;
    if (STRLIST_ADD(&argv, err, "-o", "probe", "probe.c") < 0)
        goto out;
    p.argv = (const char *const *)argv.v;
    if (subprocess_run(&p, &status, err) < 0)
        goto out;
    if (status != 0) {
        ret = explain(c, "cannot build it", cfz_buf_str(&text), lacking, err);
        goto out;
    }
    text.len = 0;
    p.argv = run;
    if (subprocess_run(&p, &status, err) < 0)
        goto out;
    ret = status != 0
              ? explain(c, "builds it, and it does not run here", cfz_buf_str(&text), lacking, err)
              : 0;
out:
    if (fd >= 0) {
        unlinkat(fd, "probe.c", 0);
        unlinkat(fd, "probe", 0);
        close(fd);
    }
    strlist_release(&argv);
    cfz_buf_release(&text);
    return ret;
}

int sanitizer_probe(const struct options *opt, char **lacking, struct cfz_error *err)
{
    const char *tmp = getenv("TMPDIR");
    struct compiler c = {0};
    struct install in = {0};
    char *dir = NULL;
    int ret = -1;

    *lacking = NULL;
    if (opt->sanitizers == 0 || opt->dry_run)
        return 0;
    if (install_find(&in, err) < 0 || compiler_find(opt, NULL, &in, &c, err) < 0)
        goto out;
    if (asprintf(&dir, "%s/cfuzz-probe-XXXXXX", tmp != NULL && tmp[0] == '/' ? tmp : "/tmp") < 0) {
        dir = NULL;
        cfz_fail_nomem(err);
        goto out;
    }
    if (mkdtemp(dir) == NULL) {
        cfz_fail_errno(err, "make %s", dir);
        goto out;
    }
    ret = try_in(dir, opt, &c, lacking, err);
    rmdir(dir);
out:
    free(dir);
    compiler_release(&c);
    install_release(&in);
    return ret;
}
