/* grammar.c - barriers of parsers that have their moves in a table: which word may follow which is a number
 * in it, and a sentence with one wrong word does no more than another one. */
#include <cfuzz.h>

#include <stdlib.h>
#include <string.h>

enum token { NAME, NUMBER, CREATE, TABLE, VIEW, AS, SELECT, FROM, WHERE, DROP, SIGNS, TOKENS = SIGNS + 5 };

static const char signs[] = ";,()=";
static const char *const keywords[] = {
    [CREATE] = "create", [TABLE] = "table", [VIEW] = "view",   [AS] = "as",
    [SELECT] = "select", [FROM] = "from",   [WHERE] = "where", [DROP] = "drop",
};

enum state {
    WRONG, START, NEW, NEW_TABLE, TABLE_NAME, COLUMNS, COLUMN, LAST, NEW_VIEW, VIEW_NAME, VIEW_AS, RESULTS, RESULT,
    SOURCE, CHOSEN, CONDITION, LEFT, EQUAL, RIGHT, OLD, OLD_TABLE, OLD_VIEW, OLD_NAME, STATES
};

/* The next state. */
static const uint8_t moves[STATES][TOKENS] = {
    [START] = {[CREATE] = NEW, [SELECT] = RESULTS, [DROP] = OLD},
    [NEW] = {[TABLE] = NEW_TABLE, [VIEW] = NEW_VIEW},
    [NEW_TABLE] = {[NAME] = TABLE_NAME},
    [TABLE_NAME] = {[SIGNS + 2] = COLUMNS},
    [COLUMNS] = {[NAME] = COLUMN},
    [COLUMN] = {[SIGNS + 1] = COLUMNS, [SIGNS + 3] = LAST},
    [LAST] = {[SIGNS] = START},
    [NEW_VIEW] = {[NAME] = VIEW_NAME},
    [VIEW_NAME] = {[AS] = VIEW_AS},
    [VIEW_AS] = {[SELECT] = RESULTS},
    [RESULTS] = {[NAME] = RESULT, [NUMBER] = RESULT},
    [RESULT] = {[SIGNS + 1] = RESULTS, [FROM] = SOURCE},
    [SOURCE] = {[NAME] = CHOSEN},
    [CHOSEN] = {[SIGNS] = START, [WHERE] = CONDITION},
    [CONDITION] = {[NAME] = LEFT},
    [LEFT] = {[SIGNS + 4] = EQUAL},
    [EQUAL] = {[NUMBER] = RIGHT},
    [RIGHT] = {[SIGNS] = START},
    [OLD] = {[TABLE] = OLD_TABLE, [VIEW] = OLD_VIEW},
    [OLD_TABLE] = {[NAME] = OLD_NAME},
    [OLD_VIEW] = {[NAME] = OLD_NAME},
    [OLD_NAME] = {[SIGNS] = START},
};

/* The next token of data[0..len), and its length; TOKENS if there is none. */
static int token(const uint8_t *data, size_t len, size_t *n)
{
    const char *sign;

    for (*n = 0; *n < len && data[*n] >= 'a' && data[*n] <= 'z';)
        ++*n;
    if (*n > 0) {
        for (int i = CREATE; i < SIGNS; i++)
            if (strlen(keywords[i]) == *n && memcmp(keywords[i], data, *n) == 0)
                return i;
        return NAME;
    }
    while (*n < len && data[*n] >= '0' && data[*n] <= '9')
        ++*n;
    if (*n > 0)
        return NUMBER;
    *n = 1;
    sign = data[0] ? strchr(signs, data[0]) : NULL;
    return sign ? SIGNS + (int)(sign - signs) : TOKENS;
}

/* How many views were dropped behind statements that created one, without an error. */
static int dropped(const uint8_t *data, size_t len)
{
    unsigned state = START;
    int is_view = 0, views = 0, found = 0, t;

    for (size_t at = 0, n; at < len; at += n) {
        if (data[at] == ' ') {
            n = 1;
            continue;
        }
        t = token(data + at, len - at, &n);
        if (t == TOKENS)
            return 0;
        if (state == OLD_VIEW && views > 0)
            found++;
        state = moves[state][t];
        if (state == WRONG)
            return 0;
        if (state == START && is_view)
            views++;
        is_view = state != START && (is_view || state == NEW_VIEW);
    }
    return state == START ? found : 0;
}

/* create view a as select a from a; drop view a; */
FUZZ_TEST(FuzzStatements, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (dropped(data, len) > 0)
        abort();
}

enum { HEAD = 8, TEXT = 72, ALL = HEAD + TEXT + 8 };

static const char head[HEAD] = {'D', 'B', 1, 2, 3, 4, 5, 6};

FUZZ_SETUP(FuzzSchemaText)(cfuzz_f *f)
{
    static const char text[] = "create table t(a, b); drop table t;";
    uint8_t seed[ALL] = {0};

    memcpy(seed, head, HEAD);
    memset(seed + HEAD, ' ', TEXT);
    memcpy(seed + HEAD, text, sizeof text - 1);
    cfuzz_add(f, 3, seed, sizeof seed);
}

/* The same amid numbers, with room for it: a seed has another text there. */
FUZZ_TEST(FuzzSchemaText, int, []byte)(cfuzz_t *t, int version, const uint8_t *data, size_t len)
{
    (void)t;
    if (version == 3 && len == ALL && memcmp(data, head, HEAD) == 0 && data[ALL - 1] == 0 &&
        dropped(data + HEAD, TEXT) > 0)
        abort();
}
