/*
 * build_script.c - a build plan as text: for people (-n), and for ninja.
 */
#include "build/build_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/shell.h"

/* A command that is longer is read from a file. It is a single argument of the shell, which Linux
 * limits to 131,072 bytes (MAX_ARG_STRLEN). */
enum { COMMAND_MAX = 100000 };

typedef int quote_fn(struct cfz_buf *out, const char *word, struct cfz_error *err);

/* Adds words from..to-1 of a step, with blanks between them. */
static int add_words(struct cfz_buf *out, const struct build_step *step, size_t from, size_t to,
                     quote_fn *quote, struct cfz_error *err)
{
    for (size_t i = from; i < to; i++)
        if ((i > from && cfz_buf_puts(out, " ", err) < 0) || quote(out, step->argv.v[i], err) < 0)
            return -1;
    return 0;
}

/* Adds what moves the output of a link to its place. */
static int add_move(struct cfz_buf *out, const struct build_step *step, quote_fn *quote,
                    struct cfz_error *err)
{
    if (step->input != NULL)
        return 0;
    if (cfz_buf_puts(out, " && mv -f ", err) < 0 ||
        quote(out, step->argv.v[step->argv.n - 1], err) < 0 || cfz_buf_puts(out, " ", err) < 0)
        return -1;
    return quote(out, step->output, err);
}

static int add_command(struct cfz_buf *out, const struct build_step *step, quote_fn *quote,
                       struct cfz_error *err)
{
    return add_words(out, step, 0, step->argv.n, quote, err) < 0 ? -1
                                                                 : add_move(out, step, quote, err);
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

/* Adds "\n  name = text". */
static int add_variable(struct cfz_buf *out, const char *name, const char *text,
                        struct cfz_error *err)
{
    return cfz_buf_printf(out, err, "\n  %s = ", name) < 0 ? -1 : add_escaped(out, text, "$", err);
}

/* Adds the command; the words behind the compiler are in a file if there are too many. */
static int add_ninja_command(struct cfz_buf *out, const struct build_step *step,
                             struct cfz_error *err)
{
    struct cfz_buf command = CFZ_BUF_INIT, words = CFZ_BUF_INIT, file = CFZ_BUF_INIT;
    size_t n = 1; /* words of the compiler: there may be a ccache before it */
    int ret = -1;

    if (add_command(&command, step, shell_quote, err) < 0)
        goto out;
    if (command.len <= COMMAND_MAX) {
        ret = add_variable(out, "cmd", cfz_buf_str(&command), err);
        goto out;
    }
    while (n < step->argv.n && step->argv.v[n][0] != '-')
        n++;
    command.len = 0;
    if (cfz_buf_printf(&file, err, "%s.words", step->output) < 0 ||
        add_words(&words, step, n, step->argv.n, shell_quote, err) < 0 ||
        add_words(&command, step, 0, n, shell_quote, err) < 0 ||
        cfz_buf_puts(&command, " @", err) < 0 ||
        shell_quote(&command, cfz_buf_str(&file), err) < 0 ||
        add_move(&command, step, shell_quote, err) < 0)
        goto out;
    if (add_variable(out, "cmd", cfz_buf_str(&command), err) < 0 ||
        add_variable(out, "rspfile", cfz_buf_str(&file), err) < 0 ||
        add_variable(out, "rspfile_content", cfz_buf_str(&words), err) < 0)
        goto out;
    ret = 0;
out:
    cfz_buf_release(&command);
    cfz_buf_release(&words);
    cfz_buf_release(&file);
    return ret;
}

static int add_ninja_step(struct cfz_buf *out, const struct build_step *step,
                          const struct build_plan *plan, struct cfz_error *err)
{
    static const char path[] = "$ :";

    if (cfz_buf_puts(out, "build ", err) < 0 || add_escaped(out, step->output, path, err) < 0 ||
        cfz_buf_puts(out, ": run", err) < 0)
        return -1;
    if (step->input != NULL) {
        if (cfz_buf_puts(out, " ", err) < 0 || add_escaped(out, step->input, path, err) < 0)
            return -1;
    } else {
        for (size_t i = 0; i < step->objects.n; i++)
            if (cfz_buf_puts(out, " ", err) < 0 ||
                add_escaped(out, step->objects.v[i], path, err) < 0)
                return -1;
        for (size_t i = 0; i < plan->libraries.n; i++)
            if (cfz_buf_puts(out, i == 0 ? " | " : " ", err) < 0 ||
                add_escaped(out, plan->libraries.v[i], path, err) < 0)
                return -1;
    }
    /* The depfile of a link is for build_inputs.c alone: it names the output as it was before
     * "mv". */
    if (add_ninja_command(out, step, err) < 0 ||
        (step->input != NULL && step->depfile != NULL &&
         add_variable(out, "depfile", step->depfile, err) < 0))
        return -1;
    return cfz_buf_puts(out, "\n", err);
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
