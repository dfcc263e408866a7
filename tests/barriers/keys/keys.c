/* keys.c - barriers of words that a program takes into a buffer of its own, and compares there:
 * strcmp with a word of three or seven letters becomes a comparison of numbers. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Takes the word that *s begins with, without blanks before it, up to one of the ends. */
static void take(const char **s, char *word, size_t room, const char *ends)
{
    size_t n = 0;

    for (; **s == ' '; ++*s)
        ;
    for (; **s && !strchr(ends, **s); ++*s)
        if (n + 1 < room)
            word[n++] = **s;
    word[n] = 0;
}

/* What is to be done, how often, and until when, in any order: "job=x;repeats=2;max=8;" */
FUZZ_TEST(FuzzSchedule, string)(cfuzz_t *t, const char *s)
{
    bool job = false, often = false, max = false;
    char key[16], value[16];

    (void)t;
    for (int i = 0; i < 4; i++) {
        take(&s, key, sizeof key, "=");
        if (*s++ != '=')
            return;
        if (strcmp(key, "job") == 0)
            job = true;
        else if (strcmp(key, "repeats") == 0)
            often = true;
        else if (strcmp(key, "max") == 0)
            max = true;
        else
            return;
        take(&s, value, sizeof value, ";");
        if (*s++ != ';')
            return;
    }
    if (job && often && max)
        abort();
}
