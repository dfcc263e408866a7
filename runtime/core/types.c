/*
 * types.c - the table of value types, and reading type lists.
 *
 * Pure: it allocates nothing and has no globals that change. It is compiled into core and into the
 * plugin.
 */
#include "core/types.h"

#include <limits.h>
#include <string.h>

#define ROW(kind, name, char_name, c_name, family, width, c_width)                                 \
    [CFZ_KIND_##kind] = {name, char_name, c_name, CFZ_FAMILY_##family, width, c_width},
#define ONE(kind, name, char_name, c_name, family, width, c_width) +1

const struct cfz_kind_row cfz_kinds[CFZ_KIND_COUNT] = {
    [CFZ_KIND_NONE] = {"invalid", NULL, "", CFZ_FAMILY_NONE, 0, 0}, CFZ_KINDS(ROW)};
_Static_assert(0 CFZ_KINDS(ONE) == CFZ_KIND_COUNT - 1, "every kind has one row");

const char *cfz_kind_go_name(enum cfz_kind kind)
{
    return kind == CFZ_KIND_BYTES ? "[]uint8" : cfz_kind_name(kind);
}

/* ---- words of a type list ------------------------------------------------- */

/* The kind of a C integer type by its size on this machine and its sign. */
#define SIGNED_OF(type)                                                                            \
    (sizeof(type) == 8   ? CFZ_KIND_INT64                                                          \
     : sizeof(type) == 4 ? CFZ_KIND_INT32                                                          \
     : sizeof(type) == 2 ? CFZ_KIND_INT16                                                          \
                         : CFZ_KIND_INT8)
#define UNSIGNED_OF(type)                                                                          \
    (sizeof(type) == 8   ? CFZ_KIND_UINT64                                                         \
     : sizeof(type) == 4 ? CFZ_KIND_UINT32                                                         \
     : sizeof(type) == 2 ? CFZ_KIND_UINT16                                                         \
                         : CFZ_KIND_UINT8)

struct word {
    const char *name;
    enum cfz_kind kind;
};

/* Go's words, in the order of FUZZ_TEST's documentation. */
static const struct word go_words[] = {
    {"[]byte", CFZ_KIND_BYTES},    {"string", CFZ_KIND_STRING},   {"bool", CFZ_KIND_BOOL},
    {"byte", CFZ_KIND_UINT8},      {"rune", CFZ_KIND_INT32},      {"int8", CFZ_KIND_INT8},
    {"int16", CFZ_KIND_INT16},     {"int32", CFZ_KIND_INT32},     {"int64", CFZ_KIND_INT64},
    {"uint8", CFZ_KIND_UINT8},     {"uint16", CFZ_KIND_UINT16},   {"uint32", CFZ_KIND_UINT32},
    {"uint64", CFZ_KIND_UINT64},   {"int", CFZ_KIND_INT},         {"uint", CFZ_KIND_UINT},
    {"float32", CFZ_KIND_FLOAT32}, {"float64", CFZ_KIND_FLOAT64},
};

/* C's types of one identifier that are not the c_name of a kind. */
static const struct word c_words[] = {
    {"_Bool", CFZ_KIND_BOOL},          {"size_t", UNSIGNED_OF(size_t)},
    {"ssize_t", SIGNED_OF(size_t)},    {"ptrdiff_t", SIGNED_OF(ptrdiff_t)},
    {"intptr_t", SIGNED_OF(intptr_t)}, {"uintptr_t", UNSIGNED_OF(uintptr_t)},
    {"intmax_t", SIGNED_OF(intmax_t)}, {"uintmax_t", UNSIGNED_OF(uintmax_t)},
};

enum { GO_WORDS = sizeof go_words / sizeof *go_words, C_WORDS = sizeof c_words / sizeof *c_words };

const char *cfz_kind_word(size_t i)
{
    return i < GO_WORDS ? go_words[i].name : NULL;
}

static bool is_word(const char *name, const char *word, size_t len)
{
    return strlen(name) == len && memcmp(name, word, len) == 0;
}

/* Types of one identifier. */
static enum cfz_kind kind_of_identifier(const char *word, size_t len)
{
    for (size_t i = 0; i < GO_WORDS; i++)
        if (is_word(go_words[i].name, word, len))
            return go_words[i].kind;
    for (size_t i = CFZ_KIND_NONE + 1; i < CFZ_KIND_COUNT; i++)
        if (is_word(cfz_kinds[i].c_name, word, len))
            return (enum cfz_kind)i;
    for (size_t i = 0; i < C_WORDS; i++)
        if (is_word(c_words[i].name, word, len))
            return c_words[i].kind;
    return CFZ_KIND_NONE;
}

enum word_class { WORD_BLANK, WORD_NAME, WORD_PUNCT };

static enum word_class classify(char c)
{
    if (c == ' ' || (c >= '\t' && c <= '\r'))
        return WORD_BLANK;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')
        return WORD_NAME;
    return WORD_PUNCT;
}

/* Cuts the next token, a name or one other character, off *s; false at the end. */
static bool next_token(const char **s, const char *end, const char **token, size_t *len)
{
    while (*s < end && classify(**s) == WORD_BLANK)
        ++*s;
    if (*s == end)
        return false;
    *token = *s;
    if (classify(**s) == WORD_NAME)
        while (*s < end && classify(**s) == WORD_NAME)
            ++*s;
    else
        ++*s;
    *len = (size_t)(*s - *token);
    return true;
}

/* How often C's specifiers occur in one type, in any order as C allows. */
struct specifiers {
    unsigned signed_, unsigned_, char_, short_, int_, long_, stars;
};

static bool count_specifier(struct specifiers *c, const char *token, size_t len)
{
    const struct {
        const char *name;
        unsigned *count;
    } words[] = {
        {"signed", &c->signed_}, {"unsigned", &c->unsigned_}, {"char", &c->char_},
        {"short", &c->short_},   {"int", &c->int_},           {"long", &c->long_},
        {"*", &c->stars},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(words[i].name, token, len)) {
            ++*words[i].count;
            return true;
        }
    }
    return false;
}

/* The kind of a C type of standard specifiers alone; CFZ_KIND_NONE if they are not a type. */
static enum cfz_kind kind_of_specifiers(const struct specifiers *c)
{
    bool u = c->unsigned_ == 1;

    if (c->signed_ + c->unsigned_ > 1 || c->int_ > 1 || c->char_ > 1 || c->short_ > 1 ||
        c->long_ > 2)
        return CFZ_KIND_NONE;
    if (c->stars > 0) /* char *, and nothing but char */
        return c->char_ == 1 ? CFZ_KIND_STRING : CFZ_KIND_NONE;
    if (c->char_) {
        if (c->int_ + c->short_ + c->long_ > 0)
            return CFZ_KIND_NONE;
        if (c->signed_ == 0 && !u)
            return CHAR_MIN < 0 ? CFZ_KIND_INT8 : CFZ_KIND_UINT8;
        return u ? CFZ_KIND_UINT8 : CFZ_KIND_INT8;
    }
    if (c->short_)
        return c->long_ > 0 ? CFZ_KIND_NONE : u ? CFZ_KIND_UINT16 : CFZ_KIND_INT16;
    if (c->long_ == 2)
        return u ? UNSIGNED_OF(long long) : SIGNED_OF(long long);
    if (c->long_ == 1)
        return u ? UNSIGNED_OF(long) : SIGNED_OF(long);
    /* int, signed, unsigned int: "int" means the same to Go's list and to C. */
    return u ? CFZ_KIND_UINT : CFZ_KIND_INT;
}

enum cfz_kind cfz_kind_of_word(const char *word, size_t len)
{
    const char *s = word, *end = word + len, *token, *tokens[3] = {NULL, NULL, NULL};
    size_t tlen, lens[3] = {0, 0, 0}, n = 0;
    struct specifiers count = {0, 0, 0, 0, 0, 0, 0};
    bool standard = true;

    while (next_token(&s, end, &token, &tlen)) {
        if (is_word("const", token, tlen) || is_word("volatile", token, tlen))
            continue;
        if (n < 3) {
            tokens[n] = token;
            lens[n] = tlen;
        }
        n++;
        if (!count_specifier(&count, token, tlen))
            standard = false;
    }
    if (n == 0)
        return CFZ_KIND_NONE;
    if (n == 3 && *tokens[0] == '[' && *tokens[1] == ']' && is_word("byte", tokens[2], lens[2]))
        return CFZ_KIND_BYTES;
    if (count.stars > 0 && (n != 2 || *tokens[1] != '*'))
        return CFZ_KIND_NONE;
    if (standard)
        return kind_of_specifiers(&count);
    return n == 1 ? kind_of_identifier(tokens[0], lens[0]) : CFZ_KIND_NONE;
}

int cfz_types_parse(const char *text, enum cfz_kind kinds[CFZ_VALUES_MAX], size_t *n,
                    struct cfz_error *err)
{
    enum cfz_kind found[CFZ_VALUES_MAX];
    const char *s = text, *end;
    size_t count = 0, len;

    while (classify(*s) == WORD_BLANK)
        s++;
    if (!*s)
        return cfz_fail(err, CFZ_EFORMAT, "the list of types is empty");
    for (;; s = end + 1) {
        while (classify(*s) == WORD_BLANK)
            s++;
        end = s + strcspn(s, ",");
        for (len = (size_t)(end - s); len > 0 && classify(s[len - 1]) == WORD_BLANK;)
            len--;
        if (len == 0)
            return cfz_fail(err, CFZ_EFORMAT, "type %zu: nothing between the commas", count + 1);
        if (count == CFZ_VALUES_MAX)
            return cfz_fail(err, CFZ_EFORMAT, "more than %d types", CFZ_VALUES_MAX);
        found[count] = cfz_kind_of_word(s, len);
        if (found[count] == CFZ_KIND_NONE)
            return cfz_fail(err, CFZ_EFORMAT, "type %zu: %.*s is not a type of values", count + 1,
                            len > 200 ? 200 : (int)len, s);
        count++;
        if (!*end)
            break;
    }
    memcpy(kinds, found, count * sizeof *found);
    *n = count;
    return 0;
}
