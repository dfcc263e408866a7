/* scanner.c - barriers of scanners as flex makes them: a table has the next state for each state and
 * class of bytes. Nothing is compared before a keyword ends, and nothing else is seen of its letters. */
#include <cfuzz.h>

#include <stdlib.h>

enum { OTHER, R, O, L, B, A, C, K, CLASSES };
enum { START, NAME = 9, ROLLBACK = 8, STATES = 10 };

static const uint8_t classes[256] = {
    ['r'] = R, ['o'] = O, ['l'] = L, ['b'] = B, ['a'] = A, ['c'] = C, ['k'] = K,
};
/* r, ro, rol, roll, rollb, rollba, rollbac, rollback, and any other name, up to what is no letter of
 * these. */
static const uint8_t next[STATES][CLASSES] = {
    {0, 1, 9, 9, 9, 9, 9, 9}, {0, 9, 2, 9, 9, 9, 9, 9}, {0, 9, 9, 3, 9, 9, 9, 9},
    {0, 9, 9, 4, 9, 9, 9, 9}, {0, 9, 9, 9, 5, 9, 9, 9}, {0, 9, 9, 9, 9, 6, 9, 9},
    {0, 9, 9, 9, 9, 9, 7, 9}, {0, 9, 9, 9, 9, 9, 9, 8}, {0, 9, 9, 9, 9, 9, 9, 9},
    {0, 9, 9, 9, 9, 9, 9, 9},
};

/* How often the keyword stands in data, with another byte behind it. */
static unsigned count(const uint8_t *data, size_t len)
{
    unsigned state = START, before, found = 0;

    for (size_t i = 0; i < len; i++) {
        before = state;
        state = next[state][classes[data[i]]];
        found += before == ROLLBACK && state == START;
    }
    return found;
}

/* A keyword. */
FUZZ_TEST(FuzzKeywordState, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (count(data, len) == 1)
        abort();
}

/* The same keyword three times. */
FUZZ_TEST(FuzzKeywordStates, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (count(data, len) == 3)
        abort();
}
