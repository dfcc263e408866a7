/*
 * lf_flags.c - see lf_flags.h.
 */
#include "libfuzzer/lf_flags.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

enum kind { INTEGER, STRING };

static const struct {
    const char *name;
    enum kind kind;
    size_t offset;
    int dflt;
    const char *help;
} flags[] = {
#define INT(name, dflt, help) {#name, INTEGER, offsetof(struct lf_flags, name), dflt, help},
#define TEXT(name, help) {#name, STRING, offsetof(struct lf_flags, name), 0, help},
#include "libfuzzer/lf_flags.def"
#undef INT
#undef TEXT
};
enum { NFLAGS = sizeof flags / sizeof flags[0] };

static int set(struct lf_flags *f, size_t i, const char *arg, const char *value,
               struct cfz_error *err)
{
    char *field = (char *)f + flags[i].offset, *end;
    bool number, in_range;
    long n;

    if (flags[i].kind == STRING) {
        *(const char **)(void *)field = value;
        return 0;
    }
    n = strtol(value, &end, 10); /* LONG_MAX or LONG_MIN where there is no such long */
    number = end != value && *end == '\0';
    in_range = n <= INT_MAX && n >= INT_MIN;
    /* A seed is an unsigned number there. */
    if (strcmp(flags[i].name, "seed") == 0 && number && n > 0 && (unsigned long)n <= UINT_MAX) {
        *(int *)(void *)field = (int)(unsigned)n;
        return 0;
    }
    if (!number || !in_range)
        return cfz_fail(err, CFZ_EUSAGE, "%s: %s", arg, number ? "out of range" : "not a number");
    if (n < 0 && strcmp(flags[i].name, "max_len") == 0) /* libFuzzer dies of it */
        return cfz_fail(err, CFZ_EUSAGE, "%s: a length is not below 0", arg);
    *(int *)(void *)field = (int)n;
    return 0;
}

/* Reads "-name=value". *known: it is a flag. */
static int read_flag(struct lf_flags *f, const char *arg, bool *known, struct cfz_error *err)
{
    const char *equals = strchr(arg, '=');
    size_t len = equals != NULL ? (size_t)(equals - arg) - 1 : 0;

    *known = false;
    for (size_t i = 0; i < NFLAGS && equals != NULL; i++) {
        if (strlen(flags[i].name) != len || strncmp(flags[i].name, arg + 1, len) != 0)
            continue;
        *known = true;
        return set(f, i, arg, equals + 1, err);
    }
    if (strcmp(arg, "-help") == 0) {
        f->help = 1;
        *known = true;
    }
    return 0;
}

int lf_flags_parse(int argc, char *const argv[], struct lf_flags *out, struct cfz_error *err)
{
    struct lf_flags f = {0};
    bool known, said = false;

    for (size_t i = 0; i < NFLAGS; i++)
        if (flags[i].kind == INTEGER)
            *(int *)(void *)((char *)&f + flags[i].offset) = flags[i].dflt;
    for (int i = 0; i < argc && !f.ignore_remaining_args; i++) {
        const char *arg = argv[i];

        if (arg[0] != '-' || arg[1] == '\0') {
            if (arg[0] != '\0' && strlist_add(&f.inputs, arg, err) < 0)
                goto failed;
            continue;
        }
        if (strlist_add(&f.given, arg, err) < 0)
            goto failed;
        if (arg[1] == '-') {
            if (!said)
                report_message("INFO: libFuzzer ignores flags that start with '--'");
            said = true;
            continue;
        }
        if (read_flag(&f, arg, &known, err) < 0)
            goto failed;
        if (!known)
            report_message("WARNING: unrecognized flag '%s'; use -help=1 to list all flags", arg);
    }
    *out = f;
    return 0;
failed:
    lf_flags_release(&f);
    return -1;
}

void lf_flags_release(struct lf_flags *f)
{
    strlist_release(&f->inputs);
    strlist_release(&f->given);
}

void lf_flags_help(FILE *out, const char *program)
{
    fprintf(out,
            "Usage:\n\n"
            "To fuzz, give 0 or more directories of inputs; what is found goes to the first:\n"
            "%s [-flag=value ...] [dir ...]\n\n"
            "To run inputs without fuzzing, give 1 or more files:\n"
            "%s [-flag=value ...] file ...\n\n"
            "Flags, as libFuzzer has them (written -flag=value):\n",
            program, program);
    for (size_t i = 0; i < NFLAGS; i++) {
        if (flags[i].kind == INTEGER)
            fprintf(out, " %-36s\t%d\t%s\n", flags[i].name, flags[i].dflt, flags[i].help);
        else
            fprintf(out, " %-36s\t\t%s\n", flags[i].name, flags[i].help);
    }
    fprintf(out, "\nThis is cfuzz behind libFuzzer's command line. What begins with '--' is "
                 "passed over.\n");
}
