/*
 * pattern.c - the patterns of -run, -fuzz, -skip and -list.
 *
 *     "A/B|C"   two alternatives: elements "A", "B"; element "C"
 *
 * Elements are compiled by PCRE2, which accepts nearly all of what Go's regular
 * expressions accept. Names are bytes: the name of a seed file need not be
 * UTF-8, and what is not UTF-8 in it matches nothing.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "cli/pattern.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pattern_split.h"

struct alternative {
    pcre2_code **elements; /* NULL for an empty element, which matches all */
    size_t n;
};

struct pattern {
    struct alternative *v;
    size_t n;
};

void pattern_pieces_release(struct pattern_pieces *p)
{
    free(p->v);
    *p = (struct pattern_pieces)PATTERN_PIECES_INIT;
}

static int add_piece(struct pattern_pieces *p, const char *s, size_t len, size_t alternative,
                     struct cfz_error *err)
{
    struct pattern_piece *v = realloc(p->v, (p->n + 1) * sizeof(*v));

    if (v == NULL)
        return cfz_fail_nomem(err);
    p->v = v;
    v[p->n++] = (struct pattern_piece){s, len, alternative};
    return 0;
}

/*
 * Brackets count as Go counts them: ']' without '[' is an ordinary character, a
 * parenthesis inside brackets too, and ')' without '(' keeps what follows in one
 * piece, so that the piece stays as invalid as the whole.
 */
int pattern_split(const char *text, struct pattern_pieces *out, struct cfz_error *err)
{
    const char *start = text, *s = text;
    size_t alternative = 0;
    int brackets = 0, parens = 0;

    for (; *s != '\0'; s++) {
        switch (*s) {
        case '[':
            brackets++;
            break;
        case ']':
            brackets -= brackets > 0;
            break;
        case '(':
            parens += brackets == 0;
            break;
        case ')':
            parens -= brackets == 0;
            break;
        case '\\':
            s += s[1] != '\0';
            break;
        case '/':
        case '|':
            if (brackets != 0 || parens != 0)
                break;
            if (add_piece(out, start, (size_t)(s - start), alternative, err) < 0)
                return -1;
            start = s + 1;
            alternative += *s == '|';
            break;
        default:
            break;
        }
    }
    return add_piece(out, start, (size_t)(s - start), alternative, err);
}

/* Compiles element number of alternative a; *code stays NULL for an empty one. */
static int compile_element(const char *flag, const struct pattern_piece *piece, size_t number,
                           bool alone, pcre2_code **code, struct cfz_error *err)
{
    const uint32_t options =
        PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NO_AUTO_CAPTURE;
    PCRE2_UCHAR why[256];
    char where[64] = "";
    PCRE2_SIZE offset;
    int number_of_error;

    *code = NULL;
    if (piece->len == 0)
        return 0;
    *code =
        pcre2_compile((PCRE2_SPTR)piece->s, piece->len, options, &number_of_error, &offset, NULL);
    if (*code != NULL)
        return 0;
    pcre2_get_error_message(number_of_error, why, sizeof(why));
    if (!alone)
        snprintf(where, sizeof(where), " of alternative %zu", piece->alternative);
    return cfz_fail(err, CFZ_EFORMAT, "invalid regexp for element %zu%s of -%s (\"%.*s\"): %s",
                    number, where, flag, (int)piece->len, piece->s, (const char *)why);
}

int pattern_new(const char *flag, const char *text, struct pattern **out, struct cfz_error *err)
{
    struct pattern_pieces pieces = PATTERN_PIECES_INIT;
    struct pattern *p = calloc(1, sizeof(*p));
    bool alone;
    int ret = -1;

    if (p == NULL)
        return cfz_fail_nomem(err);
    if (pattern_split(text, &pieces, err) < 0)
        goto out;
    p->v = calloc(pieces.v[pieces.n - 1].alternative + 1, sizeof(*p->v));
    if (p->v == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    p->n = pieces.v[pieces.n - 1].alternative + 1;
    alone = p->n == 1;
    for (size_t i = 0; i < pieces.n; i++) {
        struct alternative *a = &p->v[pieces.v[i].alternative];
        pcre2_code **elements = realloc(a->elements, (a->n + 1) * sizeof(*elements));

        if (elements == NULL) {
            cfz_fail_nomem(err);
            goto out;
        }
        a->elements = elements;
        if (compile_element(flag, &pieces.v[i], a->n, alone, &elements[a->n], err) < 0)
            goto out;
        a->n++;
    }
    *out = p;
    p = NULL;
    ret = 0;
out:
    pattern_free(p);
    pattern_pieces_release(&pieces);
    return ret;
}

void pattern_free(struct pattern *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->v[i].n; j++)
            pcre2_code_free(p->v[i].elements[j]);
        free(p->v[i].elements);
    }
    free(p->v);
    free(p);
}

/* Whether an element matches. One that cannot be decided (memory, PCRE2's limits) does not. */
static bool match_element(const pcre2_code *code, const char *s, size_t len)
{
    pcre2_match_data *data;
    int rc;

    if (code == NULL)
        return true;
    data = pcre2_match_data_create_from_pattern(code, NULL);
    if (data == NULL)
        return false;
    rc = pcre2_match(code, (PCRE2_SPTR)s, len, 0, 0, data, NULL);
    pcre2_match_data_free(data);
    return rc >= 0;
}

/* Matches as many elements as both have, up to max; *partial: the name ran out first. */
static bool match_alternative(const struct alternative *a, const char *name, size_t max,
                              bool *partial)
{
    size_t i = 0;

    for (; i < a->n && i < max && name != NULL; i++) {
        size_t len = strcspn(name, "/");

        if (!match_element(a->elements[i], name, len))
            return false;
        name = name[len] == '/' ? name + len + 1 : NULL;
    }
    *partial = i < a->n;
    return true;
}

static bool match_any(const struct pattern *p, const char *name, size_t max, bool *partial)
{
    *partial = false;
    if (p == NULL)
        return true;
    for (size_t i = 0; i < p->n; i++)
        if (match_alternative(&p->v[i], name, max, partial))
            return true;
    return false;
}

bool pattern_match(const struct pattern *p, const char *name, bool *partial)
{
    bool unused;

    return match_any(p, name, SIZE_MAX, partial != NULL ? partial : &unused);
}

bool pattern_skips(const struct pattern *p, const char *name)
{
    bool partial = false;

    return p != NULL && pattern_match(p, name, &partial) && !partial;
}

bool pattern_match_top(const struct pattern *p, const char *name)
{
    bool unused;

    return match_any(p, name, 1, &unused);
}
