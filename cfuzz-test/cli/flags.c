/*
 * flags.c - see flags.h.
 */
#define _GNU_SOURCE
#include "cli/flags.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "cli/sanitizers.h"
#include "cli/suggest.h"
#include "core/protocol.h"
#include "base/cpus.h"
#include "base/duration.h"

#define FLAG(name, kind, field, argument, group, dflt, help)                                       \
    {name, kind, offsetof(struct options, field), 0, argument, group, dflt, help},
#define SANITIZER_FLAG(name, bit, value, full_name, help)                                          \
    {name, FLAG_SANITIZER, offsetof(struct options, sanitizers), bit, "", GROUP_BUILD, "", help},
const struct flag flags_all[] = {
#include "cli/flags.def"
};
#undef FLAG
#undef SANITIZER_FLAG

const size_t flags_count = sizeof(flags_all) / sizeof(flags_all[0]);

#define SECOND INT64_C(1000000000)

static uint64_t random_seed(void)
{
    uint64_t seed;
    struct timespec now;

    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed))
        return seed;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * (uint64_t)SECOND + (uint64_t)now.tv_nsec;
}

void flags_defaults(struct options *opt)
{
    *opt = (struct options){
        .parallel = cpus_usable(),
        .seed = random_seed(),
        .fuzzmaxlen = 1 << 20,
        .solve = true,
        .hangtimeout_ns = OPTIONS_HANGTIMEOUT_NS,
        .slow_ns = OPTIONS_SLOW_NS,
        .rss_mib = OPTIONS_RSS_MIB,
        .fuzzminimizetime = {.kind = LIMIT_TIME, .ns = 60 * SECOND},
        .timeout_ns = 600 * SECOND,
        .count = 1,
    };
}

static const struct flag *find_flag(const char *name, size_t len)
{
    for (size_t i = 0; i < flags_count; i++)
        if (strlen(flags_all[i].name) == len && memcmp(flags_all[i].name, name, len) == 0)
            return &flags_all[i];
    return NULL;
}

static bool is_known(const struct flag *f, const char *const *only)
{
    if (f == NULL || only == NULL)
        return f != NULL;
    for (; *only != NULL; only++)
        if (strcmp(f->name, *only) == 0)
            return true;
    return false;
}

/* The forms that Go accepts. */
static bool parse_bool(const char *s, bool *out)
{
    static const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"};
    static const char *const no[] = {"0", "f", "F", "false", "FALSE", "False"};

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (strcmp(s, yes[i]) == 0 || strcmp(s, no[i]) == 0) {
            *out = strcmp(s, yes[i]) == 0;
            return true;
        }
    }
    return false;
}

/* Stores the number in text[0..len), or returns why it is not one. base as for strtoull. */
static const char *parse_number(const char *text, size_t len, int base, uint64_t *out)
{
    char *end;
    unsigned long long v;

    if (len == 0 || text[0] < '0' || text[0] > '9')
        return "parse error"; /* strtoull would take blanks and signs */
    errno = 0;
    v = strtoull(text, &end, base);
    if (end != text + len)
        return "parse error";
    if (errno == ERANGE)
        return "value out of range";
    *out = v;
    return NULL;
}

/* Stores the limit in text, or returns why it is not one. */
static const char *parse_limit(const char *text, bool may_be_off, struct fuzz_limit *out)
{
    size_t len = strlen(text);

    if (len > 0 && text[len - 1] == 'x') {
        uint64_t n;

        if (parse_number(text, len - 1, 10, &n) != NULL || (n == 0 && !may_be_off))
            return "invalid count";
        *out = (struct fuzz_limit){.kind = n > 0 ? LIMIT_COUNT : LIMIT_NONE, .count = n};
    } else {
        int64_t ns;

        if (!duration_parse(text, &ns) || ns < 0 || (ns == 0 && !may_be_off))
            return "invalid duration";
        *out = (struct fuzz_limit){.kind = ns > 0 ? LIMIT_TIME : LIMIT_NONE, .ns = ns};
    }
    return NULL;
}

/* Stores the order in text, or returns why it is not one. */
static const char *parse_shuffle(const char *text, struct shuffle *out)
{
    uint64_t n = 0;

    if (strcmp(text, "off") == 0) {
        *out = (struct shuffle){false, 0};
    } else if (strcmp(text, "on") == 0) {
        *out = (struct shuffle){true, random_seed()};
    } else if (parse_number(text, strlen(text), 0, &n) == NULL) {
        *out = (struct shuffle){true, n};
    } else {
        return "must be on, off or a number";
    }
    return NULL;
}

/* Adds a file, or returns why it cannot. */
static const char *add_file(const char *name, struct files *files)
{
    if (name[0] == '\0')
        return "no name of a file";
    if (files->n == OPTIONS_FILES_MAX)
        return "too many files";
    files->v[files->n++] = name;
    return NULL;
}

/* Stores value, which is NULL only for a switch without one. Returns why it is invalid, or NULL. */
static const char *set_value(const struct flag *f, const char *value, struct options *opt)
{
    void *field = (char *)opt + f->offset;
    const char *why = NULL;
    uint64_t n = 0;
    int64_t ns = 0;
    bool on = true;

    switch (f->kind) {
    case FLAG_SWITCH:
        if (value != NULL && !parse_bool(value, &on))
            return "parse error";
        *(bool *)field = on;
        break;
    case FLAG_SANITIZER:
        if (value != NULL && !parse_bool(value, &on))
            return "parse error";
        *(unsigned *)field = on ? *(unsigned *)field | f->bit : *(unsigned *)field & ~f->bit;
        break;
    case FLAG_STRING:
        if (value[0] == '\0')
            return "it is empty";
        *(const char **)field = value;
        break;
    case FLAG_PATTERN:
        if (value[0] == '\0' && f->offset == offsetof(struct options, list))
            return "it is empty"; /* the others are as if they were not given, as in Go */
        *(const char **)field = value[0] != '\0' ? value : NULL;
        break;
    case FLAG_FILES:
        return add_file(value, field);
    case FLAG_LIMIT:
        return parse_limit(value, false, field);
    case FLAG_LIMIT_OFF:
        return parse_limit(value, true, field);
    case FLAG_SHUFFLE:
        return parse_shuffle(value, field);
    case FLAG_COUNT:
        why = parse_number(value, strlen(value), 0, &n);
        if (why == NULL && n > UINT16_MAX)
            why = "value out of range";
        if (why == NULL)
            *(uint32_t *)field = (uint32_t)n;
        break;
    case FLAG_NUMBER:
    case FLAG_SIZE:
        why = parse_number(value, strlen(value), 0, &n);
        if (why == NULL && f->kind == FLAG_SIZE && (n == 0 || n > CFZ_SLOT_SIZE))
            why = "value out of range";
        if (why == NULL)
            *(uint64_t *)field = n;
        break;
    case FLAG_DURATION:
    case FLAG_TIMEOUT:
        if (!duration_parse(value, &ns) || ns < 0 || (f->kind == FLAG_DURATION && ns == 0))
            return "invalid duration";
        *(int64_t *)field = ns;
        break;
    }
    return why;
}

/* Fails for a flag that is not known, and says which one may have been meant. */
static int fail_unknown(const char *name, size_t len, const char *const *only,
                        struct cfz_error *err)
{
    struct suggestion s = {.word = name, .len = len};

    for (size_t i = 0; i < flags_count; i++)
        if (is_known(&flags_all[i], only))
            suggest_offer(&s, flags_all[i].name);
    if (s.best == NULL)
        return cfz_fail(err, CFZ_EUSAGE, "flag provided but not defined: -%.*s", (int)len, name);
    return cfz_fail(err, CFZ_EUSAGE, "flag provided but not defined: -%.*s; did you mean -%s?",
                    (int)len, name, s.best);
}

/* Fails for a value. Of a bare number where a duration or a limit has to be, says what was left
 * out. */
static int fail_value(const struct flag *f, const char *value, const char *why,
                      struct cfz_error *err)
{
    bool is_switch = f->kind == FLAG_SWITCH || f->kind == FLAG_SANITIZER;
    bool limit = f->kind == FLAG_LIMIT || f->kind == FLAG_LIMIT_OFF;
    char unit[80] = "";

    if ((limit || f->kind == FLAG_DURATION || f->kind == FLAG_TIMEOUT) && value[0] != '\0' &&
        value[0] != '0' && strspn(value, "0123456789") == strlen(value) && strlen(value) < 20) {
        if (limit)
            snprintf(unit, sizeof(unit), ": use %ss or %sx", value, value);
        else
            snprintf(unit, sizeof(unit), ": use %ss", value);
    }
    return cfz_fail(err, CFZ_EUSAGE, "invalid %svalue \"%s\" for %s-%s: %s%s",
                    is_switch ? "boolean " : "", value, is_switch ? "" : "flag ", f->name, why,
                    unit);
}

int flags_parse(int argc, char *const argv[], const char *const *only, struct options *opt,
                struct strlist *args, bool *help, struct cfz_error *err)
{
    *help = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i], *name, *value, *why;
        const struct flag *f;
        bool is_switch;
        size_t len;

        if (strcmp(arg, "--") == 0) {
            for (i++; i < argc; i++)
                if (strlist_add(args, argv[i], err) < 0)
                    return -1;
            break;
        }
        if (arg[0] != '-' || arg[1] == '\0') {
            if (strlist_add(args, arg, err) < 0)
                return -1;
            continue;
        }
        name = arg + (arg[1] == '-' ? 2 : 1);
        len = strcspn(name, "=");
        value = name[len] == '=' ? name + len + 1 : NULL;
        if (len == 0 || name[0] == '-')
            return cfz_fail(err, CFZ_EUSAGE, "bad flag syntax: %s", arg);
        f = find_flag(name, len);
        if (!is_known(f, only)) {
            if ((len == 1 && name[0] == 'h') || (len == 4 && memcmp(name, "help", 4) == 0)) {
                *help = true;
                return 0;
            }
            return fail_unknown(name, len, only, err);
        }
        is_switch = f->kind == FLAG_SWITCH || f->kind == FLAG_SANITIZER;
        if (value == NULL && !is_switch) {
            if (i + 1 == argc)
                return cfz_fail(err, CFZ_EUSAGE, "flag needs an argument: -%s", f->name);
            value = argv[++i];
        }
        why = set_value(f, value, opt);
        if (why != NULL)
            return fail_value(f, value, why, err);
        if (f->kind == FLAG_COUNT && *(uint32_t *)((char *)opt + f->offset) == 0)
            return cfz_fail(err, CFZ_EUSAGE, "-%s can only be given a positive integer", f->name);
        opt->seed_given |= f->offset == offsetof(struct options, seed);
        opt->fuzzmaxlen_given |= f->offset == offsetof(struct options, fuzzmaxlen);
        opt->hangtimeout_given |= f->offset == offsetof(struct options, hangtimeout_ns);
        opt->rss_given |= f->offset == offsetof(struct options, rss_mib);
        opt->slow_given |= f->offset == offsetof(struct options, slow_ns);
        opt->minimize_given |= f->offset == offsetof(struct options, fuzzminimizetime);
    }
    if (opt->dry_run)
        opt->print_commands = true;
    opt->verbose |= opt->json; /* as go test does */
    opt->cover |= opt->cover_profile != NULL || opt->covered_by != NULL;
    return 0;
}

static int check_sanitizers(unsigned sanitizers, struct cfz_error *err)
{
    const struct sanitizer *a, *b;

    if (sanitizers_conflict(sanitizers, &a, &b))
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -%s flag with -%s flag", b->flag, a->flag);
    return 0;
}

/* -sanitizers is a way to run tests, which builds what it needs. */
static int check_sanitizer_sets(struct options *opt, size_t nexecutables, struct cfz_error *err)
{
    const char *with = opt->fuzz != NULL     ? "-fuzz flag"
                       : opt->list != NULL   ? "-list flag"
                       : opt->debug != NULL  ? "-debug flag"
                       : opt->compile_only   ? "-c flag"
                       : opt->out != NULL    ? "-o flag"
                       : opt->engine != NULL ? "-engine flag"
                       : opt->cover          ? "-cover flag"
                       : nexecutables > 0    ? "a test executable"
                                             : NULL;

    if (opt->sanitizers_text == NULL)
        return 0;
    if (with != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -sanitizers flag with %s", with);
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((opt->sanitizers & sanitizers_all[i].bit) != 0)
            return cfz_fail(err, CFZ_EUSAGE, "cannot use -sanitizers flag with -%s flag",
                            sanitizers_all[i].flag);
    opt->cached = true;
    return sanitizer_sets_parse(opt->sanitizers_text, &opt->sets, err);
}

static int compile(const char *flag, const char *text, struct pattern **out, struct cfz_error *err)
{
    return text == NULL ? 0 : pattern_new(flag, text, out, err);
}

/* Seeds are run for coverage, and nothing else is done then. */
static int check_cover(struct options *opt, struct cfz_error *err)
{
    const char *flag = opt->covered_by != NULL      ? "covered-by"
                       : opt->cover_profile != NULL ? "coverprofile"
                       : opt->cover                 ? "cover"
                                                    : "cached";
    const char *other = opt->fuzz != NULL                 ? "fuzz"
                        : opt->debug != NULL              ? "debug"
                        : opt->engine != NULL             ? "engine"
                        : opt->list != NULL && opt->cover ? "list"
                        : opt->covered_by == NULL         ? NULL
                        : opt->json                       ? "json"
                        : opt->tap                        ? "tap"
                        : opt->compile_only               ? "c"
                        : opt->cover_profile != NULL      ? "coverprofile"
                                                          : NULL;

    if ((opt->cover || opt->cached) && other != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -%s flag with -%s flag", flag, other);
    if (opt->covered_by == NULL)
        return 0;
    opt->parallel = 1; /* what one input adds can be told then */
    return 0;
}

/* Refuses what says something about fuzzing that nothing else can mean, and names files. Limits and
 * the like may be given always, as in Go. */
static int check_fuzzing_only(const struct options *opt, struct cfz_error *err)
{
    const char *flag = opt->http != NULL                     ? "http"
                       : opt->corpus != NULL && !opt->cached ? "corpus"
                       : opt->sync.n > 0                     ? "sync"
                       : opt->dict.n > 0                     ? "dict"
                       : opt->dictout != NULL                ? "dictout"
                       : opt->keepfuzzing                    ? "keepfuzzing"
                       : !opt->solve                         ? "solve"
                                                             : NULL;

    if (opt->fuzz != NULL || flag == NULL)
        return 0;
    return cfz_fail(err, CFZ_EUSAGE, "cannot use -%s flag without -fuzz flag", flag);
}

/* Results are of tests that ran. Without any, a file of theirs would be lost for an empty one; and
 * one file cannot hold two of them. */
static int check_result_files(const struct options *opt, struct cfz_error *err)
{
    const struct {
        const char *path, *flag;
    } files[] = {{opt->junit, "junit"},
                 {opt->sarif, "sarif"},
                 {opt->cover_profile, "coverprofile"},
                 {opt->write_baseline ? opt->baseline : NULL, "writebaseline"}};
    const char *other = opt->dry_run          ? "n"
                        : opt->compile_only   ? "c"
                        : opt->list != NULL   ? "list"
                        : opt->engine != NULL ? "engine"
                                              : NULL;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (files[i].path == NULL)
            continue;
        if (other != NULL)
            return cfz_fail(err, CFZ_EUSAGE, "cannot use -%s flag with -%s flag", files[i].flag,
                            other);
        for (size_t k = 0; k < i; k++)
            if (files[k].path != NULL && strcmp(files[k].path, files[i].path) == 0)
                return cfz_fail(err, CFZ_EUSAGE, "cannot use %s for -%s flag and -%s flag",
                                files[i].path, files[k].flag, files[i].flag);
    }
    return 0;
}

int flags_check(struct options *opt, size_t npackages, size_t nexecutables, struct cfz_error *err)
{
    if (opt->compile_only && npackages > 1)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -c flag with multiple packages");
    if (opt->out != NULL && npackages > 1)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -o flag with multiple packages");
    if (opt->libfuzzer && (!opt->compile_only || opt->out == NULL))
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -libfuzzer flag without -c and -o flags");
    if (opt->libfuzzer && opt->fuzz == NULL)
        opt->fuzz = "."; /* all tests, built for fuzzing */
    if (opt->compile_only && nexecutables > 0)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -c flag with a test executable");
    if (opt->out != NULL && nexecutables > 0)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -o flag with a test executable");
    if (opt->engine != NULL && npackages > 1)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -engine flag with multiple packages");
    if (opt->engine != NULL && nexecutables > 0)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -engine flag with a test executable");
    if (opt->dir != NULL && nexecutables < npackages)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -dir flag with a package directory");
    if (opt->debug != NULL && npackages > 1)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -debug flag with multiple packages");
    if (opt->debug != NULL && (opt->fuzz != NULL || opt->list != NULL || opt->json || opt->tap))
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -debug flag with -%s flag",
                        opt->fuzz != NULL   ? "fuzz"
                        : opt->list != NULL ? "list"
                        : opt->json         ? "json"
                                            : "tap");
    if (opt->write_baseline && opt->baseline == NULL)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -writebaseline flag without -baseline flag");
    if (opt->write_baseline && opt->fuzz != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -writebaseline flag with -fuzz flag");
    if (opt->json && opt->tap)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -json flag with -tap flag");
    if (check_sanitizer_sets(opt, nexecutables, err) < 0 || check_fuzzing_only(opt, err) < 0 ||
        check_result_files(opt, err) < 0)
        return -1;
    if (opt->sync.n > 0 && npackages > 1)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -sync flag with multiple packages");
    if (check_sanitizers(opt->sanitizers, err) < 0 || check_cover(opt, err) < 0)
        return -1;
    if (opt->seed_given && opt->parallel == 1 && opt->fuzztime.kind == LIMIT_COUNT &&
        !opt->slow_given)
        opt->slow_ns = 0; /* all the same each time */
    opt->fuzzes = opt->fuzz != NULL;
    if (compile("run", opt->run, &opt->run_pattern, err) < 0 ||
        compile("skip", opt->skip, &opt->skip_pattern, err) < 0 ||
        compile("fuzz", opt->fuzz, &opt->fuzz_pattern, err) < 0 ||
        compile("list", opt->list, &opt->list_pattern, err) < 0)
        return -1;
    return 0;
}

void flags_release(struct options *opt)
{
    pattern_free(opt->run_pattern);
    pattern_free(opt->skip_pattern);
    pattern_free(opt->fuzz_pattern);
    pattern_free(opt->list_pattern);
    opt->run_pattern = opt->skip_pattern = opt->fuzz_pattern = opt->list_pattern = NULL;
    cfz_dict_release(&opt->words);
}
