/*
 * sanitizers.c - see sanitizers.h.
 */
#include "cli/sanitizers.h"

#include <stdio.h>
#include <string.h>

#include "cli/suggest.h"
#include "core/protocol.h"

#define FLAG(name, kind, field, argument, group, dflt, help) /* flags.c has these */
#define SANITIZER_FLAG(flag, bit, value, name, help) {flag, bit, value, name},
const struct sanitizer sanitizers_all[] = {
#include "cli/flags.def"
};
#undef FLAG
#undef SANITIZER_FLAG

const size_t sanitizers_count = sizeof sanitizers_all / sizeof sanitizers_all[0];

bool sanitizers_conflict(unsigned set, const struct sanitizer **a, const struct sanitizer **b)
{
    *a = NULL;
    for (size_t i = 0; i < sanitizers_count; i++) {
        const struct sanitizer *s = &sanitizers_all[i];

        if (s->bit == CFZ_BUILD_UBSAN || !(set & s->bit))
            continue;
        if (*a != NULL) {
            *b = s;
            return true;
        }
        *a = s;
    }
    return false;
}

const char *sanitizers_name(unsigned set, char text[SANITIZERS_NAME_MAX])
{
    size_t len = 0;

    snprintf(text, SANITIZERS_NAME_MAX, "none");
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((set & sanitizers_all[i].bit) != 0)
            len += (size_t)snprintf(text + len, SANITIZERS_NAME_MAX - len, "%s%s",
                                    len > 0 ? "+" : "", sanitizers_all[i].flag);
    return text;
}

/* Adds the sanitizer word[0..len) to *set. text is all of the flag. */
static int add_word(const char *text, const char *word, size_t len, unsigned *set,
                    struct cfz_error *err)
{
    struct suggestion s = {.word = word, .len = len};

    for (size_t i = 0; i < sanitizers_count; i++) {
        if (strlen(sanitizers_all[i].flag) == len &&
            memcmp(sanitizers_all[i].flag, word, len) == 0) {
            *set |= sanitizers_all[i].bit;
            return 0;
        }
        suggest_offer(&s, sanitizers_all[i].flag);
    }
    if (len == 0)
        return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: the name of a sanitizer is missing",
                        text);
    if (len == 4 && memcmp(word, "none", 4) == 0)
        return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: none goes with no other", text);
    if (len == 3 && memcmp(word, "all", 3) == 0)
        return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: all stands alone", text);
    suggest_offer(&s, "none");
    suggest_offer(&s, "all");
    return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: %.*s: no such sanitizer%s%s%s", text,
                    (int)len, word, s.best != NULL ? "; did you mean " : "",
                    s.best != NULL ? s.best : "", s.best != NULL ? "?" : "");
}

/* Reads the set at[0..len). */
static int parse_set(const char *text, const char *at, size_t len, unsigned *set,
                     struct cfz_error *err)
{
    const struct sanitizer *a, *b;
    const char *end = at + len;

    *set = 0;
    if (len == 4 && memcmp(at, "none", 4) == 0)
        return 0;
    for (;;) {
        size_t n = strcspn(at, "+,");

        if (add_word(text, at, n, set, err) < 0)
            return -1;
        at += n;
        if (at == end)
            break;
        at++;
    }
    if (sanitizers_conflict(*set, &a, &b))
        return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: %s and %s cannot be in one build", text,
                        a->flag, b->flag);
    return 0;
}

static int add_set(const char *text, unsigned set, struct sanitizer_sets *sets,
                   struct cfz_error *err)
{
    char name[SANITIZERS_NAME_MAX];

    for (size_t i = 0; i < sets->n; i++)
        if (sets->v[i] == set)
            return cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: %s is there twice", text,
                            sanitizers_name(set, name));
    /* There are fewer legal sets than room. */
    sets->v[sets->n++] = set;
    return 0;
}

int sanitizer_sets_parse(const char *text, struct sanitizer_sets *out, struct cfz_error *err)
{
    struct sanitizer_sets sets = {.n = 0};

    if (strcmp(text, "all") == 0) {
        sets.some = true;
        add_set(text, 0, &sets, NULL);
        add_set(text, CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN, &sets, NULL);
        for (size_t i = 0; i < sanitizers_count; i++)
            if ((sets.v[1] & sanitizers_all[i].bit) == 0)
                add_set(text, sanitizers_all[i].bit, &sets, NULL);
        *out = sets;
        return 0;
    }
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        unsigned set;

        if (parse_set(text, at, len, &set, err) < 0 || add_set(text, set, &sets, err) < 0)
            return -1;
        at += len;
        if (*at == '\0')
            break;
    }
    *out = sets;
    return 0;
}
