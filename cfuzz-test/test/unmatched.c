/*
 * unmatched.c - see unmatched.h.
 */
#define _GNU_SOURCE
#include "test/unmatched.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report.h"

static const char fuzz_prefix[] = "Fuzz";

/* The test that word[0..len) may have been meant to name, with "Fuzz" or without; NULL: none. */
static const char *nearest_test(const struct origin *o, const char *word, size_t len)
{
    struct suggestion whole = {.word = word, .len = len}, bare = whole;

    for (size_t i = 0; i < o->ntests; i++) {
        const char *name = o->tests[i].name;

        suggest_offer(&whole, name);
        if (strncmp(name, fuzz_prefix, sizeof fuzz_prefix - 1) == 0)
            suggest_offer(&bare, name + sizeof fuzz_prefix - 1);
    }
    if (whole.best != NULL)
        return whole.best;
    return bare.best != NULL ? bare.best - (sizeof fuzz_prefix - 1) : NULL;
}

/* The same for the first element of a pattern, without its anchors. */
static const char *test_meant(const struct origin *o, const char *pattern)
{
    const char *word = pattern + (pattern[0] == '^');
    size_t len = strcspn(word, "/");

    if (len > 0 && word[len - 1] == '$')
        len--;
    return nearest_test(o, word, len);
}

int unmatched_fuzz(const struct options *opt, const struct origin *o, struct cfz_error *err)
{
    const char *meant;

    for (size_t i = 0; i < o->ntests; i++)
        if (pattern_match_top(opt->fuzz_pattern, o->tests[i].name))
            return 0;
    meant = test_meant(o, opt->fuzz);
    return cfz_fail(err, CFZ_EUSAGE, "-fuzz=%s: no fuzz test of %s matches%s%s%s", opt->fuzz,
                    o->bin->pkg->name, meant != NULL ? "; did you mean " : "",
                    meant != NULL ? meant : "", meant != NULL ? "?" : "");
}

void unmatched_tests(const struct options *opt, const struct origin *o)
{
    const char *meant = opt->run != NULL ? test_meant(o, opt->run) : NULL;

    report_line("testing: warning: no tests to run");
    if (meant != NULL)
        report_line("testing: -run=%s matches no test; did you mean %s?", opt->run, meant);
}

void unmatched_seeds(const char *meant)
{
    if (meant != NULL)
        report_line("testing: warning: no seeds to run; did you mean %s?", meant);
    else
        report_line("testing: warning: no seeds to run");
}

const char *unmatched_seed(const struct test *t)
{
    const char *word = strchr(t->opt->run, '/');
    struct suggestion s = {.word = word};

    if (word == NULL)
        return NULL;
    s.word = word + 1 + (word[1] == '^');
    s.len = strlen(s.word);
    if (s.len > 0 && s.word[s.len - 1] == '$')
        s.len--;
    for (size_t i = 0; i < t->seeds.n; i++) {
        const char *best = s.best;

        suggest_offer(&s, t->seeds.v[i].name);
        if (s.best != best)
            word = t->seeds.v[i].full_name;
    }
    return s.best != NULL ? word : NULL;
}

static bool is_test(const struct origin *o, const char *name)
{
    for (size_t i = 0; i < o->ntests; i++)
        if (strcmp(o->tests[i].name, name) == 0)
            return true;
    return false;
}

/* Whether a directory of seeds may belong to a test of another binary of the package. */
static bool is_elsewhere(const struct test_binary *bin, const char *name)
{
    const struct package *pkg = bin->pkg;

    for (size_t i = 0; bin->several && i < pkg->nsources; i++)
        if (pkg->sources[i].harness != NULL &&
            (strcmp(pkg->sources[i].harness, name) == 0 || pkg->sources[i].spells_test))
            return true;
    return false;
}

void unmatched_corpus(const struct origin *o)
{
    struct dirent **entries = NULL;
    char *path;
    int n;

    if (o->bin->prebuilt || (o->bin->several && !o->bin->first) ||
        asprintf(&path, "%s/" SEED_DIR, o->bin->pkg->dir) < 0)
        return;
    n = scandir(path, &entries, NULL, alphasort); /* -1: there are no seed files */
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        const char *meant;
        struct stat st;
        char *sub;

        if (name[0] != '.' && !is_test(o, name) && !is_elsewhere(o->bin, name) &&
            asprintf(&sub, "%s/%s", path, name) >= 0) {
            if (stat(sub, &st) == 0 && S_ISDIR(st.st_mode)) {
                meant = nearest_test(o, name, strlen(name));
                report_line("testing: warning: " SEED_DIR "/%s belongs to no fuzz test%s%s%s", name,
                            meant != NULL ? "; did you mean " : "", meant != NULL ? meant : "",
                            meant != NULL ? "?" : "");
            }
            free(sub);
        }
        free(entries[i]);
    }
    free(entries);
    free(path);
}
