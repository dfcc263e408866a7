/* counts.c - barriers of what a program counts in text, and of numbers with a unit. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

enum { FIELDS = 9, LINE = 120, LEVELS = 16 };

static int hex(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A line of a sensor: its name, fields behind slashes, and a sum in two hexadecimal digits. */
BYTES(FuzzFields)
{
    char line[LINE + 1];
    uint8_t sum = 0;
    int fields = 0;

    (void)t;
    if (n < 7 || n > LINE || d[n - 3] != '~')
        return;
    for (size_t i = 0; i < n - 3; i++)
        sum ^= d[i];
    if ((hex(d[n - 2]) << 4 | hex(d[n - 1])) != sum)
        return;
    memcpy(line, d, n - 3);
    line[n - 3] = 0;
    if (strncmp(line, "tide", 4) != 0)
        return;
    for (const char *c = line; (c = strchr(c, '/')); c++)
        fields++;
    if (fields == FIELDS)
        abort();
}

/* Brackets of three kinds within each other, none right within one of its own kind. */
FUZZ_TEST(FuzzBrackets, string)(cfuzz_t *t, const char *s)
{
    static const char open[] = "({[", close[] = ")}]";
    char stack[LEVELS];
    int n = 0, deepest = 0;

    (void)t;
    for (; *s; s++) {
        const char *k = strchr(open, *s);

        if (k) {
            char end = close[k - open];

            if (n == LEVELS || (n > 0 && stack[n - 1] == end))
                return;
            stack[n++] = end;
            deepest = n > deepest ? n : deepest;
        } else if (n == 0 || stack[--n] != *s) {
            return;
        }
    }
    if (n == 0 && deepest == 11)
        abort();
}

/* Grams, of a weight in kilograms with up to four digits behind the point; -1 if it is none. */
static int64_t weight(const char *s)
{
    int64_t grams = 0, scale = 10000;
    int digits = 0;

    for (; *s >= '0' && *s <= '9' && digits < 5; s++, digits++)
        grams = grams * 10 + (*s - '0') * scale;
    if (digits == 0)
        return -1;
    if (*s == '.')
        for (s++; *s >= '0' && *s <= '9' && scale > 1; s++)
            grams += (*s - '0') * (scale /= 10);
    return strcmp(s, " kg") == 0 ? grams / 10 : -1;
}

/* What a parcel of a kind may weigh; and what the scales of one kind are wrong at. */
FUZZ_TEST(FuzzParcel, string, uint8)(cfuzz_t *t, const char *text, uint8_t kind)
{
    static const struct {
        int64_t least, most;
    } kinds[] = {{250, 2000}, {8000, 9500}, {27350, 31500}};
    int64_t w;

    (void)t;
    if (kind >= sizeof kinds / sizeof kinds[0])
        return;
    w = weight(text);
    if (w < kinds[kind].least || w >= kinds[kind].most)
        return;
    if (kind == 2 && w > 28811 && w < 28814)
        abort();
}
