/*
 * A table of sessions, driven by a log of what clients did: "+a" opens session a,
 * "-a" closes it, "." is traffic on the session that was opened or named last ("=a").
 *
 * Bug: use after free. Closing a session leaves the pointer to the current one
 * behind. Needs AddressSanitizer to be noticed at once.
 */
#include <stdlib.h>
#include <stdint.h>

struct session {
    unsigned packets;
};

struct table {
    struct session *slot[26];
    struct session *current;
};

static void table_close(struct table *t, unsigned i)
{
    free(t->slot[i]); /* the bug: t->current may point to it */
    t->slot[i] = NULL;
}

/* Returns the number of packets seen, or -1 for a log that makes no sense. */
static long table_replay(struct table *t, const uint8_t *log, size_t len)
{
    long packets = 0;

    for (size_t i = 0; i < len; i++) {
        uint8_t op = log[i];
        unsigned who;

        if (op == '.') {
            if (t->current == NULL)
                return -1;
            t->current->packets++;
            packets++;
            continue;
        }
        if (++i == len)
            return -1;
        who = log[i] - 'a';
        if (who >= 26)
            return -1;
        switch (op) {
        case '+':
            if (t->slot[who] == NULL && (t->slot[who] = calloc(1, sizeof *t->current)) == NULL)
                return -1;
            t->current = t->slot[who];
            break;
        case '=':
            t->current = t->slot[who];
            break;
        case '-':
            table_close(t, who);
            break;
        default:
            return -1;
        }
    }
    return packets;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzSessions)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("+a..+b.=a."));
    cfuzz_add(f, CFUZZ_BYTES("+c.-c"));
}

FUZZ_TEST(FuzzSessions, []byte)(cfuzz_t *t, const uint8_t *log, size_t len)
{
    struct table table = {{NULL}, NULL};
    long packets = table_replay(&table, log, len);

    for (unsigned i = 0; i < 26; i++)
        free(table.slot[i]);
    if (packets > (long)len)
        cfuzz_error(t, "%ld packets in a log of %zu bytes", packets, len);
}
#endif
