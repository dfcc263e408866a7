/*
 * build_script.c - a build plan as text: for people (-n), and for ninja.
 */
#include "build/build_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/shell.h"

typedef int quote_fn(struct cfz_buf *out, const char *word, struct cfz_error *err);

static int add_command(struct cfz_buf *out, const struct build_step *step, quote_fn *quote,
                       struct cfz_error *err)
{
    for (size_t i = 0; i < step->argv.n; i++)
        if ((i > 0 && cfz_buf_puts(out, " ", err) < 0) || quote(out, step->argv.v[i], err) < 0)
            return -1;
    if (step->input != NULL)
        return 0;
    if (cfz_buf_puts(out, " && mv -f ", err) < 0 ||
        quote(out, step->argv.v[step->argv.n - 1], err) < 0 || cfz_buf_puts(out, " ", err) < 0)
        return -1;
    return quote(out, step->output, err);
}

int build_plan_print(const struct build_plan *plan, const struct package *pkg,
                     struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_buf_puts(&text, "cd ", err) < 0 || shell_quote_shown(&text, pkg->dir, err) < 0 ||
        cfz_buf_puts(&text, "\n", err) < 0)
        goto out;
    for (size_t i = 0; i < plan->nsteps; i++)
        if (add_command(&text, &plan->steps[i], shell_quote_shown, err) < 0 ||
            cfz_buf_puts(&text, "\n", err) < 0)
            goto out;
    fputs(cfz_buf_str(&text), stderr);
    ret = 0;
out:
    cfz_buf_release(&text);
    return ret;
}

/* Adds text as ninja reads it: in a value '$' is special, in a path also blank and ':'. */
static int add_escaped(struct cfz_buf *out, const char *text, const char *special,
                       struct cfz_error *err)
{
    for (const char *s = text; *s != '\0'; s++)
        if ((strchr(special, *s) != NULL && cfz_buf_puts(out, "$", err) < 0) ||
            cfz_buf_append(out, s, 1, err) < 0)
            return -1;
    return 0;
}

static int add_ninja_step(struct cfz_buf *out, const struct build_step *step,
                          const struct build_plan *plan, struct cfz_error *err)
{
    static const char value[] = "$", path[] = "$ :";
    struct cfz_buf command = CFZ_BUF_INIT;
    int ret = -1;

    if (add_command(&command, step, shell_quote, err) < 0 || cfz_buf_puts(out, "build ", err) < 0 ||
        add_escaped(out, step->output, path, err) < 0 || cfz_buf_puts(out, ": run", err) < 0)
        goto out;
    if (step->input != NULL) {
        if (cfz_buf_puts(out, " ", err) < 0 || add_escaped(out, step->input, path, err) < 0)
            goto out;
    } else {
        for (size_t i = 0; i < step->objects.n; i++)
            if (cfz_buf_puts(out, " ", err) < 0 ||
                add_escaped(out, step->objects.v[i], path, err) < 0)
                goto out;
        for (size_t i = 0; i < plan->libraries.n; i++)
            if (cfz_buf_puts(out, i == 0 ? " | " : " ", err) < 0 ||
                add_escaped(out, plan->libraries.v[i], path, err) < 0)
                goto out;
    }
    if (cfz_buf_puts(out, "\n  cmd = ", err) < 0 ||
        add_escaped(out, cfz_buf_str(&command), value, err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
        goto out;
    /* That of a link is for build_inputs.c alone: it names the output as it was before "mv". */
    if (step->input != NULL && step->depfile != NULL &&
        (cfz_buf_puts(out, "  depfile = ", err) < 0 ||
         add_escaped(out, step->depfile, value, err) < 0 || cfz_buf_puts(out, "\n", err) < 0))
        goto out;
    ret = 0;
out:
    cfz_buf_release(&command);
    return ret;
}

int build_plan_ninja(const struct build_plan *plan, struct cfz_buf *out, struct cfz_error *err)
{
    if (cfz_buf_puts(out, "ninja_required_version = 1.5\nbuilddir = ", err) < 0 ||
        add_escaped(out, plan->dir, "$", err) < 0 ||
        cfz_buf_puts(out, "\nrule run\n  command = $cmd\n", err) < 0)
        return -1;
    for (size_t i = 0; i < plan->nsteps; i++)
        if (add_ninja_step(out, &plan->steps[i], plan, err) < 0)
            return -1;
    return 0;
}
